/**
 * Dominance frontiers of one control-flow graph. Twin: native/core/frontiers.cc.
 *
 * Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm" (2001), §4: from each predecessor of a block up the dominator tree to its
 * immediate dominator, and no further than to where another predecessor of it came by. Costs what it gives, and the edges; a graph can have
 * frontiers of quadratic size. Every frontier ascends. Unreachable blocks have none, and are in none.
 */

import { NONE } from '../ir/entities.js';
import type { Dominators } from './dominators.js';
import { type Graph, isReachable } from './graph.js';

/** Counts the frontier of each block into `start[block + 1]`, and returns the sum. `seen` is scratch, one word a block. */
export function countFrontiers(
  graph: Graph,
  dominators: Dominators,
  start: Int32Array,
  seen: Int32Array,
): number {
  start.fill(0, 0, graph.blockCount + 1);
  seen.fill(NONE, 0, graph.blockCount);
  let total = 0;
  for (let block = 0; block < graph.blockCount; block++) {
    if (!isReachable(graph, block)) continue;
    const stop = dominators.immediate[block] as number;
    const end = graph.predecessorStart[block + 1] as number;
    for (let edge = graph.predecessorStart[block] as number; edge < end; edge++) {
      let above = graph.predecessors[edge] as number;
      if (!isReachable(graph, above)) continue;
      while (above !== stop && above !== NONE && seen[above] !== block) {
        seen[above] = block;
        (start[above + 1] as number)++;
        // What no table can hold.
        if (++total > 0x7fffffff) throw new RangeError('too many dominance frontiers');
        above = dominators.immediate[above] as number;
      }
    }
  }
  return total;
}

/** Turns the counts into where each frontier begins, and writes the frontiers. Requires what `countFrontiers` left in `start`. */
export function writeFrontiers(
  graph: Graph,
  dominators: Dominators,
  start: Int32Array,
  frontiers: Int32Array,
  seen: Int32Array,
): void {
  const { cursor } = graph;
  for (let block = 0; block < graph.blockCount; block++) {
    (start[block + 1] as number) += start[block] as number;
    cursor[block] = start[block] as number;
  }
  seen.fill(NONE, 0, graph.blockCount);
  for (let block = 0; block < graph.blockCount; block++) {
    if (!isReachable(graph, block)) continue;
    const stop = dominators.immediate[block] as number;
    const end = graph.predecessorStart[block + 1] as number;
    for (let edge = graph.predecessorStart[block] as number; edge < end; edge++) {
      let above = graph.predecessors[edge] as number;
      if (!isReachable(graph, above)) continue;
      while (above !== stop && above !== NONE && seen[above] !== block) {
        seen[above] = block;
        frontiers[cursor[above] as number] = block;
        (cursor[above] as number)++;
        above = dominators.immediate[above] as number;
      }
    }
  }
}
