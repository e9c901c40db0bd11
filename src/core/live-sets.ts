/**
 * Which values are alive at the beginning and at the end of each block, as an entry of the core. Twin: native/core/live-sets.cc.
 *
 * Boissinot, Brandner, Darte, Dupont de Dinechin, Rastello: "Computing Liveness Sets for SSA-Form Programs" (2011), §5: one value at a time,
 * backward from its uses to its definition. There is no fixed point and no set of blocks × values bits: it costs the uses, and for each
 * block in which a value is alive the edges into it. Two walks, one that counts and one that writes, so that nothing grows.
 *
 * In: the graph as analyse-graph.ts takes it; per value, the block of its one definition or NONE; where each value's uses begin (one more
 * word than there are values); the uses: block b, or -1 - b for one at the end of b, such as that of a phi on an edge out of b.
 * Out: where each block's live-in values begin, the values, ascending; the same for live-out. Unreachable blocks have none.
 */

import { NONE } from '../ir/entities.js';
import { CoreFaultNumber, CoreHeader, CoreStatus } from '../ir/schema.js';
import { readGraph, validateGraph } from './analyse-graph.js';
import { reportFault } from './border.js';
import { computeDominators, type Dominators, dominates, makeDominators } from './dominators.js';
import { type Graph, isReachable } from './graph.js';

/** How many arrays the entry takes and gives. */
export const liveInputCount = 6;
export const liveOutputCount = 4;

/** The most words that an output can have. */
const MAXIMUM_LENGTH = 0x7fffffff;

/** One of the two kinds of sets. */
interface Sets {
  /** Block b has values[start[b] .. start[b + 1]); while it counts, start[b + 1] is how many block b has. */
  readonly start: Int32Array;
  /** Scratch: the value that was last put into the set of each block, and where the next one goes. */
  readonly newest: Int32Array;
  readonly cursor: Int32Array;
  total: number;
}

/** The walk's sets and stack. `values` are written where they are given. */
interface Walk {
  readonly liveIn: Sets;
  readonly liveOut: Sets;
  readonly stack: Int32Array;
}

/** Checks that uses follow one another and that all blocks are there. Reports the first fault and returns false. */
function validateValues(inputs: readonly Int32Array[], header: Int32Array): boolean {
  const definitions = inputs[3] as Int32Array;
  const useStart = inputs[4] as Int32Array;
  const uses = inputs[5] as Int32Array;
  const blockCount = (inputs[0] as Int32Array).length - 1;
  const valueCount = definitions.length;
  if (useStart.length - 1 !== valueCount) {
    reportFault(header, CoreFaultNumber.rowCount, 4);
    return false;
  }
  if (useStart[0] !== 0 || useStart[valueCount] !== uses.length) {
    reportFault(header, CoreFaultNumber.shape, 4, useStart[0] !== 0 ? 0 : valueCount);
    return false;
  }
  for (let value = 0; value < valueCount; value++) {
    if ((useStart[value] as number) > (useStart[value + 1] as number)) {
      reportFault(header, CoreFaultNumber.shape, 4, value);
      return false;
    }
    const definition = definitions[value] as number;
    if (definition < NONE || definition >= blockCount) {
      reportFault(header, CoreFaultNumber.index, 3, value);
      return false;
    }
  }
  for (let use = 0; use < uses.length; use++) {
    if (blockOfUse(uses[use] as number) >= blockCount) {
      reportFault(header, CoreFaultNumber.index, 5, use);
      return false;
    }
  }
  return true;
}

/** The block of a use, at its end or not. */
function blockOfUse(use: number): number {
  return use < 0 ? -1 - use : use;
}

/** Checks that each definition dominates the uses that control reaches, so that no walk passes it. Reports and returns as above. */
function validateDominance(
  graph: Graph,
  dominators: Dominators,
  inputs: readonly Int32Array[],
  header: Int32Array,
): boolean {
  const [, , , definitions, useStart, uses] = inputs as Int32Array[] as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  for (let value = 0; value < definitions.length; value++) {
    const definition = definitions[value] as number;
    const end = useStart[value + 1] as number;
    for (let use = useStart[value] as number; use < end; use++) {
      const block = blockOfUse(uses[use] as number);
      if (!isReachable(graph, block)) continue;
      if (definition === NONE || !dominates(dominators, definition, block)) {
        reportFault(header, CoreFaultNumber.shape, 5, use);
        return false;
      }
    }
  }
  return true;
}

function makeSets(blockCount: number): Sets {
  return {
    start: new Int32Array(blockCount + 1),
    newest: new Int32Array(blockCount).fill(NONE),
    cursor: new Int32Array(blockCount),
    total: 0,
  };
}

/** Puts a value into the set of a block, when it is not there yet, and says so. `values` is NULL while it only counts. */
function addLive(sets: Sets, value: number, block: number, values: Int32Array | null): boolean {
  if (sets.newest[block] === value) return false;
  sets.newest[block] = value;
  if (values === null) {
    (sets.start[block + 1] as number)++;
    if (++sets.total > MAXIMUM_LENGTH) throw new RangeError('too many live values');
  } else {
    values[sets.cursor[block] as number] = value;
    (sets.cursor[block] as number)++;
  }
  return true;
}

/** Turns the counts into where each set begins. */
function placeSets(sets: Sets): void {
  for (let block = 0; block < sets.cursor.length; block++) {
    (sets.start[block + 1] as number) += sets.start[block] as number;
    sets.cursor[block] = sets.start[block] as number;
  }
  sets.newest.fill(NONE);
}

/** Goes through the live ranges of all values, to count or to write. Requires definitions that dominate their uses. */
function eachRange(
  walk: Walk,
  graph: Graph,
  inputs: readonly Int32Array[],
  liveIn: Int32Array | null,
  liveOut: Int32Array | null,
): void {
  const definitions = inputs[3] as Int32Array;
  const useStart = inputs[4] as Int32Array;
  const uses = inputs[5] as Int32Array;
  const { stack } = walk;
  for (let value = 0; value < definitions.length; value++) {
    const definition = definitions[value] as number;
    const end = useStart[value + 1] as number;
    for (let index = useStart[value] as number; index < end; index++) {
      const use = uses[index] as number;
      const block = blockOfUse(use);
      if (!isReachable(graph, block)) continue;
      if (use < 0) addLive(walk.liveOut, value, block, liveOut);
      let depth = 0;
      if (block !== definition && addLive(walk.liveIn, value, block, liveIn)) stack[depth++] = block;
      while (depth > 0) {
        const current = stack[--depth] as number;
        const edgeEnd = graph.predecessorStart[current + 1] as number;
        for (let edge = graph.predecessorStart[current] as number; edge < edgeEnd; edge++) {
          const predecessor = graph.predecessors[edge] as number;
          if (!isReachable(graph, predecessor)) continue;
          addLive(walk.liveOut, value, predecessor, liveOut);
          if (predecessor !== definition && addLive(walk.liveIn, value, predecessor, liveIn))
            stack[depth++] = predecessor;
        }
      }
    }
  }
}

/** The entry (see the head of the file). */
export function liveSets(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  if (!validateGraph(inputs, header) || !validateValues(inputs, header)) return;
  const [starts, successors, request] = inputs as [Int32Array, Int32Array, Int32Array];
  const graph = readGraph(starts, successors, request[0] as number);
  const { blockCount } = graph;
  const dominators = makeDominators(blockCount);
  computeDominators(dominators, graph);
  if (!validateDominance(graph, dominators, inputs, header)) return;
  const walk = { liveIn: makeSets(blockCount), liveOut: makeSets(blockCount), stack: dominators.stack };
  eachRange(walk, graph, inputs, null, null);
  const sizes = [blockCount + 1, walk.liveIn.total, blockCount + 1, walk.liveOut.total];
  let fits = true;
  for (let output = 0; output < liveOutputCount; output++) {
    header[CoreHeader.firstSize + output] = sizes[output] as number;
    if ((outputs[output] as Int32Array).length < (sizes[output] as number)) fits = false;
  }
  header[CoreHeader.status] = fits ? CoreStatus.ok : CoreStatus.capacity;
  if (!fits) return;
  placeSets(walk.liveIn);
  placeSets(walk.liveOut);
  eachRange(walk, graph, inputs, outputs[1] as Int32Array, outputs[3] as Int32Array);
  (outputs[0] as Int32Array).set(walk.liveIn.start);
  (outputs[2] as Int32Array).set(walk.liveOut.start);
}
