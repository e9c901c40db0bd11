/** The texts that a module can become, each from one call. */

import { type CModule, emitC as writeC } from '../backend/c/index.js';
import { emitLlvm as writeLlvm } from '../backend/llvm/index.js';
import type { Config, Dialect } from '../ir/config.js';
import type { VirModule } from '../ir/vir-module.js';
import { completeConfig } from './config.js';
import { type AnyModule, prepare } from './prepare.js';

/** HIR to VIR: verified, lowered, verified again. VIR is verified and given back. Throws a DiagnosticError. */
export function lower(module: AnyModule, config: Partial<Config> = {}): VirModule {
  return prepare(module, completeConfig(config)).vir;
}

/** The module as C: a text for each function, and all of them in one. Throws a DiagnosticError. */
export function emitC(module: AnyModule, config: Partial<Config> = {}): CModule {
  const complete = completeConfig(config);
  return cOf(prepare(module, complete).vir, complete, dialectOf(complete));
}

/** The module as LLVM text. Throws a DiagnosticError. */
export function emitLlvm(module: AnyModule, config: Partial<Config> = {}): string {
  const complete = completeConfig(config);
  return writeLlvm(prepare(module, complete).vir, complete);
}

/** C text of a verified module. */
export function cOf(vir: VirModule, config: Config, dialect: Dialect): CModule {
  return writeC(vir, { dialect, debug: config.debug, core: config.core });
}

/** The dialect where no compiler is asked. */
export function dialectOf(config: Config): Dialect {
  return config.dialect === 'auto' ? 'gcc' : config.dialect;
}
