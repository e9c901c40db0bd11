/** The core as the rooms below it use it. */

export {
  type AnalysisOptions,
  type BlockLists,
  type Copy,
  type DominatorTree,
  dominanceFrontiers,
  dominatorTree,
  type FlowGraph,
  type FlowOrder,
  flowOrder,
  type LoopForest,
  loopForest,
  sequentializeCopies,
} from './analyses.js';
export { type Liveness, liveness, type ValueFlow } from './live-values.js';
export { lowerModule } from './lower-module.js';
export { type CoreInfo, coreInfo } from './native.js';
