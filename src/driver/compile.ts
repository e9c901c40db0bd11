/**
 * `compile`: the whole way in one call, from a module to a text or an executable. `build` and `run` are the two ends of it that
 * most callers want.
 */

import { emitLlvm } from '../backend/llvm/index.js';
import { type Diagnostic, fail } from '../diag/diagnostic.js';
import { printHir } from '../hir/printer.js';
import type { Config } from '../ir/config.js';
import { HirModule } from '../ir/hir-module.js';
import type { VirModule } from '../ir/vir-module.js';
import { type InterpretOptions, type InterpretResult, interpret } from '../vir/interpreter/index.js';
import { printVir } from '../vir/printer.js';
import { completeConfig } from './config.js';
import { cOf, dialectOf } from './emit.js';
import { type AnyModule, preparationPhases, prepare } from './prepare.js';
import type { CompilerInfo } from './probe-compiler.js';
import { requireMain } from './program.js';
import { ProgressCounter, type ProgressListener } from './progress.js';

/** Phases of an executable beyond those of preparing it. */
const BUILD_PHASES = 4;

/** What a compilation can give. */
export type EmitKind = 'hir' | 'vir' | 'c' | 'llvm' | 'map' | 'executable';

/** Every option of the Config, and what to make. */
export interface CompileOptions extends Partial<Config> {
  /** What to make; an executable when `output` is given, else C text. */
  readonly emit?: EmitKind;
  /** The file to write; without it the text is in the result. An executable needs it. */
  readonly output?: string;
  /** Told about each phase. */
  readonly onProgress?: ProgressListener;
  /** Ends the compilation at its next phase, and the C compiler at once. */
  readonly signal?: AbortSignal;
}

/** What a compilation gave. */
export interface CompileResult {
  /** The module as it was handed to the back end. */
  readonly vir: VirModule;
  /** The text, when a text was asked for. */
  readonly text?: string;
  /** The file that was written, as it was named. */
  readonly output?: string;
  /** The compiler that built the executable. */
  readonly compiler?: CompilerInfo;
  /** Warnings and notes of the verifiers. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Verifies, lowers, and makes what `emit` says. Rejects with a DiagnosticError; then nothing was written.
 *
 *     const { text } = await compile(module, { emit: 'c' });
 *     await compile(module, { output: 'program', optimize: 3 });
 */
export async function compile(module: AnyModule, options: CompileOptions = {}): Promise<CompileResult> {
  const { emit, output, onProgress, signal, ...given } = options;
  const config = completeConfig(given);
  const kind = emit ?? (output === undefined ? 'c' : 'executable');
  const isExecutable = kind === 'executable';
  const ends = isExecutable ? BUILD_PHASES : output === undefined ? 1 : 2;
  const progress = new ProgressCounter(preparationPhases(module, config) + ends, onProgress, signal);
  const { vir, remarks } = prepare(module, config, progress);
  const result = { vir, diagnostics: remarks, ...(output !== undefined && { output }) };
  if (isExecutable) {
    // Loaded here, so that everything else of the package works where there are no files and no processes.
    const { buildExecutable } = await import('./build.js');
    const compiler = await buildExecutable(vir, output ?? '', config, progress, signal);
    progress.finish();
    return { ...result, compiler };
  }
  progress.begin('emit');
  const text = textOf(kind, module, vir, config);
  if (output !== undefined) {
    progress.begin('write');
    const { writeOutput } = await import('./write-output.js');
    writeOutput(output, text);
  }
  progress.finish();
  return { ...result, text };
}

/** Builds an executable. Rejects with a DiagnosticError; then what was at `output` is as it was. */
export function build(
  module: AnyModule,
  output: string,
  options: Omit<CompileOptions, 'emit' | 'output'> = {},
): Promise<CompileResult> {
  return compile(module, { ...options, emit: 'executable', output });
}

/** How a program is run: what the interpreter takes, and the options of the Config that bear on it. */
export interface RunOptions extends InterpretOptions {
  readonly core?: Config['core'];
  readonly threads?: Config['threads'];
  readonly optimize?: Config['optimize'];
}

/** Verifies, lowers, and runs the program in the interpreter, with no compiler. Throws a DiagnosticError. */
export function run(module: AnyModule, options: RunOptions = {}): InterpretResult {
  const { entry, args, stdin, stdout, stderr, externals, memoryLimit, isVerified: _, ...settings } = options;
  const config = completeConfig(settings);
  const { fuel, callDepth } = settings;
  const rest = { entry, args, stdin, stdout, stderr, externals, memoryLimit, fuel, callDepth };
  const { vir } = prepare(module, config);
  if (entry === undefined || entry === 'main') requireMain(vir);
  return interpret(vir, { ...rest, isVerified: true });
}

/** The C compiler that a build would use. Rejects with a DiagnosticError when there is none. */
export async function probeCompiler(choice = 'auto'): Promise<CompilerInfo> {
  return (await import('./probe-compiler.js')).probeCompiler(choice);
}

/** The module in one of its text forms; `vir` is what `module` was prepared to. */
export function textOf(
  kind: Exclude<EmitKind, 'executable'>,
  module: AnyModule,
  vir: VirModule,
  config: Config,
): string {
  switch (kind) {
    case 'hir':
      return module instanceof HirModule ? printHir(module) : fail('VCT0912');
    case 'vir':
      return printVir(vir);
    case 'c':
      return cOf(vir, config, dialectOf(config)).text;
    case 'llvm':
      return emitLlvm(vir, config);
    case 'map':
      return vir.loweringMap === undefined ? fail('VCT0912') : `${JSON.stringify(vir.loweringMap)}\n`;
  }
}
