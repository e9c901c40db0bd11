/**
 * libVCT: a compiler back end for language authors. A typed tree in; readable C17, LLVM text, an executable or an immediate run out.
 *
 * This is the public face, and nothing else.
 */

export type { CModule, CUnit } from './backend/c/index.js';
export {
  type AnalysisOptions,
  type BlockLists,
  type Copy,
  type CoreInfo,
  coreInfo,
  type DominatorTree,
  dominanceFrontiers,
  dominatorTree,
  type FlowGraph,
  type FlowOrder,
  flowOrder,
  type Liveness,
  type LoopForest,
  liveness,
  loopForest,
  lowerModule,
  sequentializeCopies,
  type ValueFlow,
} from './core/index.js';
export { CATALOGUE, type DiagnosticCode, type DiagnosticRow, type Severity } from './diag/catalogue.js';
export {
  type Diagnostic,
  DiagnosticError,
  type DiagnosticNote,
  type DiagnosticPosition,
} from './diag/diagnostic.js';
export { diagnosticsToJson, type RenderOptions, renderDiagnostics } from './diag/render.js';
export { diagnosticsToSarif, type SarifOptions } from './diag/sarif.js';
export {
  type AnyModule,
  build,
  type CompileOptions,
  type CompileResult,
  type CompilerInfo,
  compile,
  completeConfig,
  type EmitKind,
  emitC,
  emitLlvm,
  lower,
  type Phase,
  type Progress,
  type ProgressListener,
  probeCompiler,
  type RunOptions,
  run,
} from './driver/index.js';
export * from './hir/index.js';
export {
  type Config,
  type CoreChoice,
  DEFAULT_CONFIG,
  type Dialect,
  OPTION_ROWS,
  type OptionRow,
} from './ir/config.js';
export type {
  Block,
  FunctionId,
  GlobalId,
  Inst,
  Node,
  TypeId,
  Value,
} from './ir/entities.js';
export { HirModule } from './ir/hir-module.js';
export { LoweringMap, type VirEntity } from './ir/lowering-map.js';
export type { LoweringMapData } from './ir/lowering-map-data.js';
export { ModuleTables, type SourcePosition } from './ir/module-tables.js';
export { VirFunction, VirModule } from './ir/vir-module.js';
export { type VirAnnotations, VirBuilder } from './vir/builder.js';
export {
  builtInExternals,
  type External,
  type ExternalCall,
  type Externals,
  type ExternalValue,
  type InputSource,
  type InterpretOptions,
  type InterpretResult,
  interpret,
  type OutputSink,
  type ProgramPointer,
} from './vir/interpreter/index.js';
export { type ParseOptions, parseVir } from './vir/parser.js';
export { printVir } from './vir/printer.js';
export { verifyVir } from './vir/verifier.js';
