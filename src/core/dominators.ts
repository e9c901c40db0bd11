/**
 * Dominators of one control-flow graph, and the dominator tree in preorder. Twin: native/core/dominators.cc.
 *
 * Lengauer and Tarjan: "A Fast Algorithm for Finding Dominators in a Flowgraph" (1979), the simple version: semidominators with path
 * compression, and buckets of the blocks that have a semidominator. O(n log n) at most for the compression, linear in practice.
 * Semi-NCA, which has no buckets, climbs n blocks n times where many jumps leave the end of a long chain. Unreachable blocks have no dominator.
 */

import { NONE } from '../ir/entities.js';
import type { Graph } from './graph.js';

/** The dominator tree, and the memory to compute the next one. */
export interface Dominators {
  /** Per block: the immediate dominator; NONE for the entry and for unreachable blocks. */
  readonly immediate: Int32Array;
  /** Reachable blocks in preorder of the tree, children by their place in the reverse postorder. */
  readonly treeOrder: Int32Array;
  /** Per block: its place in `treeOrder`, NONE when unreachable; and the last place of its subtree. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Scratch, by preorder number of the depth-first walk. */
  readonly semidominator: Int32Array;
  readonly label: Int32Array;
  readonly ancestor: Int32Array;
  readonly candidate: Int32Array;
  readonly stack: Int32Array;
  /** Scratch, by block; and before, the buckets by preorder number. */
  readonly firstChild: Int32Array;
  readonly nextSibling: Int32Array;
}

/** Memory for graphs of up to so many blocks. */
export function makeDominators(blockCapacity: number): Dominators {
  return {
    immediate: new Int32Array(blockCapacity),
    treeOrder: new Int32Array(blockCapacity),
    first: new Int32Array(blockCapacity),
    last: new Int32Array(blockCapacity),
    semidominator: new Int32Array(blockCapacity),
    label: new Int32Array(blockCapacity),
    ancestor: new Int32Array(blockCapacity),
    candidate: new Int32Array(blockCapacity),
    stack: new Int32Array(blockCapacity),
    firstChild: new Int32Array(blockCapacity),
    nextSibling: new Int32Array(blockCapacity),
  };
}

/** Computes everything in `dominators` for a finished graph. */
export function computeDominators(dominators: Dominators, graph: Graph): void {
  beginSemidominators(dominators, graph);
  computeSemidominators(dominators, graph);
  computeImmediate(dominators, graph);
  numberTree(dominators, graph);
}

/** Every block is its own semidominator, and no bucket holds one. */
function beginSemidominators(dominators: Dominators, graph: Graph): void {
  const { semidominator, label, ancestor, candidate, firstChild } = dominators;
  for (let number = 0; number < graph.reachableCount; number++) {
    const parent = graph.parent[graph.preorder[number] as number] as number;
    const parentNumber = parent === NONE ? NONE : (graph.preorderIndex[parent] as number);
    semidominator[number] = number;
    label[number] = number;
    ancestor[number] = parentNumber;
    candidate[number] = parentNumber;
    firstChild[number] = NONE;
  }
}

/** From the last block of the walk to the first: the lowest number from which a path of higher numbers comes. */
function computeSemidominators(dominators: Dominators, graph: Graph): void {
  const { semidominator, ancestor, candidate, firstChild, nextSibling } = dominators;
  for (let number = graph.reachableCount - 1; number > 0; number--) {
    const block = graph.preorder[number] as number;
    const parent = candidate[number] as number;
    let lowest = ancestor[number] as number;
    const end = graph.predecessorStart[block + 1] as number;
    for (let edge = graph.predecessorStart[block] as number; edge < end; edge++) {
      const predecessor = graph.preorderIndex[graph.predecessors[edge] as number] as number;
      if (predecessor === NONE) continue;
      const reached = semidominator[evaluate(dominators, predecessor, number + 1)] as number;
      if (reached < lowest) lowest = reached;
    }
    semidominator[number] = lowest;
    nextSibling[number] = firstChild[lowest] as number;
    firstChild[lowest] = number;
    emptyBucket(dominators, parent, number);
  }
}

/** Decides for all blocks with this semidominator, whose paths from it are linked, whether it or a later block dominates them. */
function emptyBucket(dominators: Dominators, parent: number, linked: number): void {
  const { semidominator, candidate, firstChild, nextSibling } = dominators;
  let below = firstChild[parent] as number;
  firstChild[parent] = NONE;
  while (below !== NONE) {
    const best = evaluate(dominators, below, linked);
    candidate[below] = (semidominator[best] as number) < parent ? best : parent;
    below = nextSibling[below] as number;
  }
}

/** The block with the lowest semidominator on the path from `start` up to the first one below `linked`; compresses the path. */
function evaluate(dominators: Dominators, start: number, linked: number): number {
  const { semidominator, label, ancestor, stack } = dominators;
  if ((ancestor[start] as number) < linked) return label[start] as number;
  let depth = 0;
  let node = start;
  while ((ancestor[node] as number) >= linked) {
    stack[depth++] = node;
    node = ancestor[node] as number;
  }
  while (depth > 0) {
    const below = stack[--depth] as number;
    ancestor[below] = ancestor[node] as number;
    const best = label[node] as number;
    if ((semidominator[best] as number) < (semidominator[label[below] as number] as number))
      label[below] = best;
    node = below;
  }
  return label[start] as number;
}

/** In preorder: a candidate that is not the semidominator has the same immediate dominator as the block. */
function computeImmediate(dominators: Dominators, graph: Graph): void {
  const { semidominator, candidate, immediate } = dominators;
  immediate.fill(NONE, 0, graph.blockCount);
  for (let number = 1; number < graph.reachableCount; number++) {
    let above = candidate[number] as number;
    if (above !== (semidominator[number] as number)) above = candidate[above] as number;
    candidate[number] = above;
    immediate[graph.preorder[number] as number] = graph.preorder[above] as number;
  }
}

/** Preorder numbers of the dominator tree, so that `dominates` is two comparisons. */
function numberTree(dominators: Dominators, graph: Graph): void {
  const { immediate, treeOrder, first, last, firstChild, nextSibling, stack } = dominators;
  first.fill(NONE, 0, graph.blockCount);
  last.fill(NONE, 0, graph.blockCount);
  firstChild.fill(NONE, 0, graph.blockCount);
  for (let index = graph.reachableCount - 1; index > 0; index--) {
    const block = graph.reversePostorder[index] as number;
    const above = immediate[block] as number;
    nextSibling[block] = firstChild[above] as number;
    firstChild[above] = block;
  }
  nextSibling[graph.entry] = NONE;
  let count = 0;
  let depth = 0;
  let block = graph.entry;
  while (block !== NONE) {
    first[block] = count;
    treeOrder[count++] = block;
    stack[depth++] = block;
    block = firstChild[block] as number;
    while (block === NONE && depth > 0) {
      const done = stack[--depth] as number;
      last[done] = count - 1;
      block = nextSibling[done] as number;
    }
  }
}

/** Whether `above` dominates `below`; a block dominates itself. False when either is unreachable. */
export function dominates(dominators: Dominators, above: number, below: number): boolean {
  const place = dominators.first[below] as number;
  return (
    place !== NONE &&
    dominators.first[above] !== NONE &&
    place >= (dominators.first[above] as number) &&
    place <= (dominators.last[above] as number)
  );
}
