/**
 * Where each block of a function stands in the C text (008/R9-R11).
 *
 * After Ramsey, "Beyond Relooper" (ICFP 2022): the dominator tree gives the nesting. A block with one way in stands in the branch
 * that leads to it; a block where ways meet stands after its immediate dominator; a loop's header opens a loop, and what the loop
 * leaves to stands after it. Every jump is then nothing, `break`, `continue` or, where none of these gets there, `goto`: any
 * placement is right, this one needs few gotos. Irreducible loops get no loop statement and are all gotos.
 *
 * Input: the function's control-flow graph. Cost: linear, times the loop depth at loop exits.
 */

import { type Dominators, dominates } from '../../core/dominators.js';
import type { Graph } from '../../core/graph.js';
import type { Loops } from '../../core/loops.js';
import { NONE } from '../../ir/entities.js';

/** The placement of the reachable blocks of one function. */
export interface Layout {
  /** Blocks that stand after block b at the same level (within the loop that b heads), in order. */
  readonly after: readonly (readonly number[])[];
  /** Blocks that stand after the loop that b heads, in order. */
  readonly outside: readonly (readonly number[])[];
  /** Whether the block stands in the branch of its only predecessor. */
  readonly isArm: Uint8Array;
  /** Whether the block heads a loop statement. */
  readonly isLoop: Uint8Array;
}

/** Places every reachable block but the entry, which comes first. */
export function layOut(graph: Graph, dominators: Dominators, loops: Loops): Layout {
  const { blockCount } = graph;
  const after: number[][] = Array.from({ length: blockCount }, () => []);
  const outside: number[][] = Array.from({ length: blockCount }, () => []);
  const isArm = new Uint8Array(blockCount);
  const isLoop = new Uint8Array(blockCount);
  for (let block = 0; block < blockCount; block++)
    isLoop[block] = loops.isHeader[block] === 1 && loops.isIrreducible[block] === 0 ? 1 : 0;
  const placing = { graph, dominators, loops, isLoop };
  const follow = chooseFollows(placing);
  for (let index = 1; index < graph.reachableCount; index++) {
    const block = graph.reversePostorder[index] as number;
    const above = dominators.immediate[block] as number;
    const left = outermostLoopLeft(placing, above, block);
    const isSingle = hasOneWayIn(placing, block);
    if (left !== NONE && (!isSingle || follow[left] === block)) (outside[left] as number[]).push(block);
    else if (isSingle && isBranching(graph, above)) isArm[block] = 1;
    else (after[above] as number[]).push(block);
  }
  return { after, outside, isArm, isLoop };
}

interface Placing {
  readonly graph: Graph;
  readonly dominators: Dominators;
  readonly loops: Loops;
  readonly isLoop: Uint8Array;
}

function isBranching(graph: Graph, block: number): boolean {
  return (graph.successorStart[block + 1] as number) - (graph.successorStart[block] as number) > 1;
}

/** Whether one predecessor only leads to the block, edges back to a loop's header not counted. */
function hasOneWayIn({ graph, dominators }: Placing, block: number): boolean {
  let ways = 0;
  const end = graph.predecessorStart[block + 1] as number;
  for (let edge = graph.predecessorStart[block] as number; edge < end; edge++) {
    const predecessor = graph.predecessors[edge] as number;
    if (graph.preorderIndex[predecessor] !== NONE && !dominates(dominators, block, predecessor)) ways++;
  }
  return ways === 1;
}

/** The header of the innermost loop statement that holds the block, itself counted. */
function innermostLoop({ loops, isLoop }: Placing, block: number): number {
  let header = block;
  while (header !== NONE && isLoop[header] !== 1) header = loops.outer[header] as number;
  return header;
}

/** The loop statement around the one that `header` heads. */
function loopAround(placing: Placing, header: number): number {
  const outer = placing.loops.outer[header] as number;
  return outer === NONE ? NONE : innermostLoop(placing, outer);
}

function isInLoop(placing: Placing, header: number, block: number): boolean {
  const { loops } = placing;
  let at = block;
  while (at !== NONE && at !== header) {
    // Headers dominate their loops, so none further out than `header` can be it.
    if (!dominates(placing.dominators, header, at)) return false;
    at = loops.outer[at] as number;
  }
  return at === header;
}

/** The header of the outermost loop that holds `from` and not `to`, or NONE. */
function outermostLoopLeft(placing: Placing, from: number, to: number): number {
  let result = NONE;
  let header = innermostLoop(placing, from);
  while (header !== NONE && !isInLoop(placing, header, to)) {
    result = header;
    header = loopAround(placing, header);
  }
  return result;
}

/**
 * For each loop, the block that stands after it though only one edge leads there: of the blocks to which the loop leaves, the one
 * that most blocks depend on; of equal ones that to which the header leaves.
 */
function chooseFollows(placing: Placing): Int32Array {
  const { graph, dominators } = placing;
  const follow = new Int32Array(graph.blockCount).fill(NONE);
  const weight = new Float64Array(graph.blockCount);
  for (let index = 1; index < graph.reachableCount; index++) {
    const block = graph.reversePostorder[index] as number;
    const above = dominators.immediate[block] as number;
    const left = outermostLoopLeft(placing, above, block);
    if (left === NONE) continue;
    const dependents = (dominators.last[block] as number) - (dominators.first[block] as number) + 1;
    const preference = dependents + (above === left ? 0.5 : 0);
    if (preference >= (weight[left] as number)) {
      weight[left] = preference;
      follow[left] = block;
    }
  }
  return follow;
}
