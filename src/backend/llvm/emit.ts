/**
 * The LLVM back end (009): VIR to the text of one self-contained module, block for block and instruction for instruction.
 *
 * Input: a module that the VIR verifier accepts; it is read and never written (009/R1). Time and output are linear in it,
 * but for a phi behind a switch with many edges to one block, which LLVM repeats. No LLVM tool is called (009/R2).
 */

import type { FunctionId, GlobalId } from '../../ir/entities.js';
import { NONE } from '../../ir/entities.js';
import type { VirFunction, VirModule } from '../../ir/vir-module.js';
import { ModuleState } from './module-state.js';
import { functionDeclaration, functionDefinition, globalLine } from './symbols.js';
import { llvmTarget } from './target.js';

/** What the LLVM text depends on besides the module; both are fields of `Config`. */
export interface LlvmOptions {
  /** Target triple. */
  readonly target: string;
  /** LLVM major version that reads the text; 18 or later. */
  readonly llvm: number;
}

/**
 * The module as LLVM text. Throws a `DiagnosticError` for an unknown target (VCT0800), an old LLVM (VCT0801), a symbol that
 * LLVM keeps for itself (VCT0802), or a strong tail-call request that cannot be kept (VCT0803).
 */
export function emitLlvm(module: VirModule, options: LlvmOptions): string {
  const { tables } = module;
  const target = llvmTarget(options.target, options.llvm);
  const state = new ModuleState(tables, target, options.llvm);
  const globals = Array.from({ length: tables.globals.length }, (_, id) => id as GlobalId);
  const isDeclared = (id: GlobalId) => tables.globalInitializer(id) === NONE;
  const functions: VirFunction[] = [];
  for (let id = 0; id < module.functionCount; id++) functions.push(module.function(id as FunctionId));

  const externGlobals = globals.filter(isDeclared).map((id) => globalLine(state, id));
  const declarations = functions
    .filter((code) => code.blockCount === 0)
    .map((code) => functionDeclaration(state, code));
  const definedGlobals = globals.filter((id) => !isDeclared(id)).map((id) => globalLine(state, id));
  const definitions = functions
    .filter((code) => code.blockCount > 0)
    .map((code) => functionDefinition(state, code).join('\n'));

  const sections: (readonly string[])[] = [
    [
      `; ModuleID = '${commentText(tables.name)}'`,
      `target datalayout = "${target.dataLayout}"`,
      `target triple = "${target.triple}"`,
    ],
    state.types.definitions(),
    externGlobals,
    [...declarations, ...state.intrinsicDeclarations()],
    [...definedGlobals, ...state.liftedDefinitions()],
    ...definitions.map((text) => [text]),
    state.metadata.lines(),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** A name that cannot end its comment. */
function commentText(name: string): string {
  return name.replace(/[^\x20-\x7e]/g, '?');
}
