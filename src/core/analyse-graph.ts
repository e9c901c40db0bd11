/**
 * The analyses of one control-flow graph as an entry of the core. Twin: native/core/analyse-graph.cc.
 *
 * In: where each block's successors begin (one more word than there are blocks), the successors, and the request: the entry, and 1 where
 * dominance frontiers are wanted. Out: graphBlock, the reachable blocks in reverse postorder, the same in preorder of the dominator tree,
 * where each block's predecessors begin, the predecessors, where each frontier begins, and the frontiers. Parallel edges count once.
 */

import { NONE } from '../ir/entities.js';
import { CoreFaultNumber, CoreHeader, CoreStatus, GRAPH_BLOCK, LoopFlag } from '../ir/schema.js';
import { reportFault } from './border.js';
import { computeDominators, type Dominators, makeDominators } from './dominators.js';
import { countFrontiers, writeFrontiers } from './frontiers.js';
import { finishGraph, type Graph, makeGraph } from './graph.js';
import { computeLoops, type Loops, makeLoops } from './loops.js';

/** How many arrays the entry takes and gives. */
export const graphInputCount = 3;
export const graphOutputCount = 7;

/** Checks every index, and that the lists of successors follow one another. Reports the first fault and returns false. */
export function validateGraph(inputs: readonly Int32Array[], header: Int32Array): boolean {
  const [starts, successors, request] = inputs as [Int32Array, Int32Array, Int32Array];
  const blockCount = starts.length - 1;
  if (blockCount < 1 || request.length !== 2) {
    reportFault(header, CoreFaultNumber.rowCount, blockCount < 1 ? 0 : 2);
    return false;
  }
  if (starts[0] !== 0 || starts[blockCount] !== successors.length) {
    reportFault(header, CoreFaultNumber.shape, 0, starts[0] !== 0 ? 0 : blockCount);
    return false;
  }
  for (let block = 0; block < blockCount; block++) {
    if ((starts[block] as number) > (starts[block + 1] as number)) {
      reportFault(header, CoreFaultNumber.shape, 0, block);
      return false;
    }
  }
  for (let edge = 0; edge < successors.length; edge++) {
    const target = successors[edge] as number;
    if (target < 0 || target >= blockCount) {
      reportFault(header, CoreFaultNumber.index, 1, edge);
      return false;
    }
  }
  const entry = request[0] as number;
  if (entry < 0 || entry >= blockCount) {
    reportFault(header, CoreFaultNumber.index, 2, 0);
    return false;
  }
  return true;
}

/** The graph of lists that were checked. */
export function readGraph(starts: Int32Array, successors: Int32Array, entry: number): Graph {
  const blockCount = starts.length - 1;
  const graph = makeGraph(blockCount, successors.length);
  graph.blockCount = blockCount;
  graph.entry = entry;
  graph.cursor.fill(NONE, 0, blockCount);
  let edgeCount = 0;
  for (let block = 0; block < blockCount; block++) {
    graph.successorStart[block] = edgeCount;
    const end = starts[block + 1] as number;
    for (let edge = starts[block] as number; edge < end; edge++) {
      const target = successors[edge] as number;
      if (graph.cursor[target] === block) continue;
      graph.cursor[target] = block;
      graph.successors[edgeCount++] = target;
    }
  }
  graph.successorStart[blockCount] = edgeCount;
  finishGraph(graph);
  return graph;
}

/** One row of graphBlock. */
function writeBlockRow(
  blocks: Int32Array,
  graph: Graph,
  dominators: Dominators,
  loops: Loops,
  block: number,
): void {
  const at = block * GRAPH_BLOCK.stride;
  const header = loops.isHeader[block] === 1 ? LoopFlag.header : 0;
  blocks[at + GRAPH_BLOCK.preorder] = graph.preorderIndex[block] as number;
  blocks[at + GRAPH_BLOCK.reversePostorder] = graph.reversePostorderIndex[block] as number;
  blocks[at + GRAPH_BLOCK.dominator] = dominators.immediate[block] as number;
  blocks[at + GRAPH_BLOCK.treeFirst] = dominators.first[block] as number;
  blocks[at + GRAPH_BLOCK.treeLast] = dominators.last[block] as number;
  blocks[at + GRAPH_BLOCK.loopHeader] = loops.outer[block] as number;
  blocks[at + GRAPH_BLOCK.loopDepth] = loops.depth[block] as number;
  blocks[at + GRAPH_BLOCK.loopFlags] = header | (loops.isIrreducible[block] === 1 ? LoopFlag.irreducible : 0);
}

/** The entry (see the head of the file). */
export function analyseGraph(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  if (!validateGraph(inputs, header)) return;
  const [starts, successors, request] = inputs as [Int32Array, Int32Array, Int32Array];
  const graph = readGraph(starts, successors, request[0] as number);
  const { blockCount } = graph;
  const dominators = makeDominators(blockCount);
  computeDominators(dominators, graph);
  const frontierStart = new Int32Array(blockCount + 1);
  const seen = new Int32Array(blockCount);
  const frontierSize = request[1] === 1 ? countFrontiers(graph, dominators, frontierStart, seen) : 0;
  const edgeCount = graph.successorStart[blockCount] as number;
  const reachable = graph.reachableCount;
  const sizes = [
    blockCount * GRAPH_BLOCK.stride,
    reachable,
    reachable,
    blockCount + 1,
    edgeCount,
    blockCount + 1,
    frontierSize,
  ];
  let fits = true;
  for (let output = 0; output < graphOutputCount; output++) {
    header[CoreHeader.firstSize + output] = sizes[output] as number;
    if ((outputs[output] as Int32Array).length < (sizes[output] as number)) fits = false;
  }
  header[CoreHeader.status] = fits ? CoreStatus.ok : CoreStatus.capacity;
  if (!fits) return;
  const loops = makeLoops(blockCount);
  computeLoops(loops, graph);
  if (frontierSize > 0) writeFrontiers(graph, dominators, frontierStart, outputs[6] as Int32Array, seen);
  for (let block = 0; block < blockCount; block++)
    writeBlockRow(outputs[0] as Int32Array, graph, dominators, loops, block);
  (outputs[1] as Int32Array).set(graph.reversePostorder.subarray(0, reachable));
  (outputs[2] as Int32Array).set(dominators.treeOrder.subarray(0, reachable));
  (outputs[3] as Int32Array).set(graph.predecessorStart);
  (outputs[4] as Int32Array).set(graph.predecessors.subarray(0, edgeCount));
  (outputs[5] as Int32Array).set(frontierStart);
}
