/** The driver (010). */

export {
  build,
  type CompileOptions,
  type CompileResult,
  compile,
  type EmitKind,
  probeCompiler,
  type RunOptions,
  run,
} from './compile.js';
export { completeConfig } from './config.js';
export { emitC, emitLlvm, lower } from './emit.js';
export type { AnyModule } from './prepare.js';
export type { CompilerInfo } from './probe-compiler.js';
export type { Phase, Progress, ProgressListener } from './progress.js';
