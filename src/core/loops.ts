/**
 * The loop forest of one control-flow graph. Twin: native/core/loops.cc.
 *
 * Wei, Mao, Zou, Chen: "A New Algorithm for Identifying Loops in Decompilation" (SAS 2007), with an explicit stack: one
 * depth-first walk in which each block passes its innermost open header on to its parent. A loop is named by its header,
 * the block of it that the walk met first. A loop that can also be entered elsewhere is irreducible. Linear in practice.
 */

import { NONE } from '../ir/entities.js';
import type { Graph } from './graph.js';

/** The loop forest, and the memory to compute the next one. */
export interface Loops {
  /** Per block: the header of the innermost loop around it that it does not itself head, or NONE. */
  readonly outer: Int32Array;
  /** Per block: 1 when it heads a loop. */
  readonly isHeader: Int32Array;
  /** Per block: 1 when it heads a loop that has another entry. */
  readonly isIrreducible: Int32Array;
  /** Whether there is a loop with another entry. */
  hasIrreducible: boolean;
  /** Per block: how many loops it is in; 0 also for unreachable blocks. */
  readonly depth: Int32Array;
  /** Scratch: how deep a block is on the path of the walk, 0 when it is not on it; the walk's stack and cursors. */
  readonly pathDepth: Int32Array;
  readonly stack: Int32Array;
  readonly cursor: Int32Array;
  readonly isMet: Int32Array;
}

/** Memory for graphs of up to so many blocks. */
export function makeLoops(blockCapacity: number): Loops {
  return {
    outer: new Int32Array(blockCapacity),
    isHeader: new Int32Array(blockCapacity),
    isIrreducible: new Int32Array(blockCapacity),
    hasIrreducible: false,
    depth: new Int32Array(blockCapacity),
    pathDepth: new Int32Array(blockCapacity),
    stack: new Int32Array(blockCapacity),
    cursor: new Int32Array(blockCapacity),
    isMet: new Int32Array(blockCapacity),
  };
}

/** Computes everything in `loops` for a finished graph. */
export function computeLoops(loops: Loops, graph: Graph): void {
  const { outer, stack, cursor, pathDepth, isMet } = loops;
  outer.fill(NONE, 0, graph.blockCount);
  loops.isHeader.fill(0, 0, graph.blockCount);
  loops.isIrreducible.fill(0, 0, graph.blockCount);
  loops.hasIrreducible = false;
  pathDepth.fill(0, 0, graph.blockCount);
  isMet.fill(0, 0, graph.blockCount);
  let depth = 0;
  let entered = graph.entry;
  while (entered !== NONE) {
    isMet[entered] = 1;
    cursor[entered] = graph.successorStart[entered] as number;
    stack[depth++] = entered;
    pathDepth[entered] = depth;
    entered = NONE;
    while (depth > 0 && entered === NONE) {
      const block = stack[depth - 1] as number;
      const edge = cursor[block] as number;
      if (edge === graph.successorStart[block + 1]) {
        pathDepth[block] = 0;
        depth--;
        if (depth > 0) weave(loops, stack[depth - 1] as number, outer[block] as number);
        continue;
      }
      cursor[block] = edge + 1;
      const successor = graph.successors[edge] as number;
      if (isMet[successor] === 0) entered = successor;
      else visitEdge(loops, block, successor);
    }
  }
  computeDepths(loops, graph);
}

/** An edge to a block that the walk met before: back to the path, into a loop that is open, or into one from the side. */
function visitEdge(loops: Loops, block: number, successor: number): void {
  const { outer, pathDepth } = loops;
  if ((pathDepth[successor] as number) > 0) {
    loops.isHeader[successor] = 1;
    weave(loops, block, successor);
    return;
  }
  let header = outer[successor] as number;
  while (header !== NONE) {
    if ((pathDepth[header] as number) > 0) {
      weave(loops, block, header);
      return;
    }
    loops.isIrreducible[header] = 1;
    loops.hasIrreducible = true;
    header = outer[header] as number;
  }
}

/** Puts `header` into the chain of headers around `block`, which is ordered by depth on the path. */
function weave(loops: Loops, block: number, header: number): void {
  const { outer, pathDepth } = loops;
  if (header === NONE || block === header) return;
  let inner = block;
  let around = header;
  while (outer[inner] !== NONE) {
    const next = outer[inner] as number;
    if (next === around) return;
    if ((pathDepth[next] as number) < (pathDepth[around] as number)) {
      outer[inner] = around;
      inner = around;
      around = next;
    } else {
      inner = next;
    }
  }
  outer[inner] = around;
}

/** A header is met before the blocks of its loop, so one pass in preorder is enough. */
function computeDepths(loops: Loops, graph: Graph): void {
  loops.depth.fill(0, 0, graph.blockCount);
  for (let index = 0; index < graph.reachableCount; index++) {
    const block = graph.preorder[index] as number;
    const header = loops.outer[block] as number;
    loops.depth[block] =
      (header === NONE ? 0 : (loops.depth[header] as number)) + (loops.isHeader[block] as number);
  }
}
