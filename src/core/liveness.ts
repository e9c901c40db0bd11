/**
 * Liveness of single values on demand, as leaving SSA asks for it. Twin: native/core/liveness.cc.
 *
 * A value's live range is found by walking backward from its uses to its definition (Boissinot, Brandner, Darte, Dupont de
 * Dinechin, Rastello, "Computing Liveness Sets for SSA-Form Programs", 2011, §5: one variable at a time). The range goes
 * into one hash table of (value, block) pairs that is emptied when it is half full: a cache, so that memory stays linear in
 * the number of blocks where full liveness sets would not. Most questions need no walk: in a reducible graph nothing is alive
 * past its last use in reverse postorder, but for loops that the definition is not in (`isPast`). A phi's operand is used on the edge, after the terminator of the
 * predecessor; a phi's result is defined at the very head of its block.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { VIR_BLOCK, VIR_INSTRUCTION } from '../ir/schema.js';
import { type Dominators, dominates } from './dominators.js';
import {
  blockColumn,
  type FunctionRows,
  instructionColumn,
  instructionOpcode,
  operandsOf,
  plainValueCount,
  type VirTables,
} from './function-rows.js';
import { type Graph, isReachable } from './graph.js';
import type { Loops } from './loops.js';

/** How many loops `isPast` looks through before it leaves the question to the walk. */
const MAXIMUM_CLIMB = 32;

/** How far the number of operands may enlarge the cache. */
const MAXIMUM_OPERAND_SHARE = 1 << 20;

/** What is known of the function's control flow. `blockOf` tells the block of each instruction. */
export interface Flow {
  readonly graph: Graph;
  readonly dominators: Dominators;
  readonly loops: Loops;
  readonly blockOf: Int32Array;
}

/** The position "live at the end of the block". */
const LIVE_OUT = 0x7fffffff;

/** Uses of the values in question, and the cache of their live ranges. */
export interface Liveness {
  /** Value v has uses[useStart[v] .. useStart[v + 1]): an instruction, or for an edge from block b, -1 - b. */
  readonly useStart: Int32Array;
  readonly uses: Int32Array;
  /** Per value: the last block in reverse postorder that uses it, by its place there, and the last position in that block. */
  readonly lastPlace: Int32Array;
  readonly lastPosition: Int32Array;
  /** Per value: the generation of the cache that holds its live range. */
  readonly explored: Int32Array;
  /** The cache: an entry counts when its stamp is the generation. `last` is the last position of the block that is live. */
  readonly stamp: Int32Array;
  readonly keyValue: Int32Array;
  readonly keyBlock: Int32Array;
  readonly last: Int32Array;
  generation: number;
  /** Entries in use, and the number of entries that the current function may use, a power of two. */
  count: number;
  capacity: number;
  /** Scratch. */
  readonly stack: Int32Array;
}

/** Memory for functions of up to so many instructions, operands and blocks. */
export function makeLiveness(
  instructionCapacity: number,
  operandCapacity: number,
  blockCapacity: number,
): Liveness {
  const capacity = cacheCapacity(blockCapacity, operandCapacity);
  return {
    useStart: new Int32Array(instructionCapacity + 1),
    uses: new Int32Array(operandCapacity),
    lastPlace: new Int32Array(instructionCapacity),
    lastPosition: new Int32Array(instructionCapacity),
    explored: new Int32Array(instructionCapacity),
    stamp: new Int32Array(capacity),
    keyValue: new Int32Array(capacity),
    keyBlock: new Int32Array(capacity),
    last: new Int32Array(capacity),
    generation: 0,
    count: 0,
    capacity,
    stack: new Int32Array(blockCapacity + 1),
  };
}

/** Room for every block of one value twice over, at half load; more where a few values are used in very many places. */
function cacheCapacity(blockCount: number, operandCount: number): number {
  const wanted = Math.max(4 * blockCount, 2 * Math.min(operandCount, MAXIMUM_OPERAND_SHARE));
  let capacity = 64;
  while (capacity < wanted) capacity *= 2;
  return capacity;
}

/**
 * Lists the uses of the values that `isWanted` marks, in blocks that control can reach. Operands of phis that are not
 * `isUsed` do not count.
 */
export function collectUses(
  liveness: Liveness,
  tables: VirTables,
  rows: FunctionRows,
  graph: Graph,
  isWanted: Int32Array,
  isUsed: Int32Array,
): void {
  const { useStart } = liveness;
  useStart.fill(0, 0, rows.instructionCount + 1);
  liveness.lastPlace.fill(NONE, 0, rows.instructionCount);
  liveness.explored.fill(0, 0, rows.instructionCount);
  liveness.capacity = cacheCapacity(rows.blockCount, rows.operandCount);
  clearCache(liveness);
  eachUse(liveness, tables, rows, graph, isWanted, isUsed, false);
  for (let value = 0; value < rows.instructionCount; value++)
    useStart[value + 1] = (useStart[value + 1] as number) + (useStart[value] as number);
  // Filling from the end of each list moves useStart[v + 1] down to where the list of v begins.
  eachUse(liveness, tables, rows, graph, isWanted, isUsed, true);
  for (let value = 0; value < rows.instructionCount; value++) useStart[value] = useStart[value + 1] as number;
  useStart[rows.instructionCount] = totalUses(liveness);
}

/** Goes through all uses in reachable blocks, to count or to store them. */
function eachUse(
  liveness: Liveness,
  tables: VirTables,
  rows: FunctionRows,
  graph: Graph,
  isWanted: Int32Array,
  isUsed: Int32Array,
  isStoring: boolean,
): void {
  if (!isStoring) liveness.count = 0;
  for (let index = 0; index < graph.reachableCount; index++) {
    const block = graph.preorder[index] as number;
    const first = blockColumn(tables, rows, block, VIR_BLOCK.firstInstruction);
    const end = first + blockColumn(tables, rows, block, VIR_BLOCK.instructionCount);
    for (let inst = first; inst < end; inst++) {
      const opcode = instructionOpcode(tables, rows, inst);
      const start = operandsOf(tables, rows, inst);
      const count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount);
      if (opcode === Opcode.phi) {
        if (isUsed[inst] === 0) continue;
        for (let pair = 0; pair < count; pair += 2) {
          const predecessor = tables.operands[start + pair + 1] as number;
          if (isReachable(graph, predecessor))
            addUse(
              liveness,
              graph,
              tables.operands[start + pair] as number,
              -1 - predecessor,
              predecessor,
              isWanted,
              isStoring,
            );
        }
      } else {
        const values = plainValueCount(opcode, count);
        for (let operand = 0; operand < values; operand++)
          addUse(
            liveness,
            graph,
            tables.operands[start + operand] as number,
            inst,
            block,
            isWanted,
            isStoring,
          );
      }
    }
  }
}

function addUse(
  liveness: Liveness,
  graph: Graph,
  value: number,
  use: number,
  block: number,
  isWanted: Int32Array,
  isStoring: boolean,
): void {
  if (value < 0 || isWanted[value] === 0) return;
  if (isStoring) {
    const slot = (liveness.useStart[value + 1] as number) - 1;
    liveness.useStart[value + 1] = slot;
    liveness.uses[slot] = use;
    return;
  }
  (liveness.useStart[value + 1] as number)++;
  liveness.count++;
  const place = graph.reversePostorderIndex[block] as number;
  const position = use < 0 ? LIVE_OUT : use;
  if (place > (liveness.lastPlace[value] as number)) {
    liveness.lastPlace[value] = place;
    liveness.lastPosition[value] = position;
  } else if (place === liveness.lastPlace[value] && position > (liveness.lastPosition[value] as number)) {
    liveness.lastPosition[value] = position;
  }
}

/** How many uses were counted. */
function totalUses(liveness: Liveness): number {
  const total = liveness.count;
  liveness.count = 0;
  return total;
}

/** Forgets all live ranges. */
function clearCache(liveness: Liveness): void {
  liveness.generation++;
  liveness.count = 0;
}

/** The entry of (value, block), or the free entry where it belongs. */
function findEntry(liveness: Liveness, value: number, block: number): number {
  const mask = liveness.capacity - 1;
  let hash = Math.imul(value, 0x1e3779b1) ^ Math.imul(block, 0x05ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  let entry = (hash ^ (hash >>> 13)) & mask;
  while (
    liveness.stamp[entry] === liveness.generation &&
    (liveness.keyValue[entry] !== value || liveness.keyBlock[entry] !== block)
  ) {
    entry = (entry + 1) & mask;
  }
  return entry;
}

/** Notes that a value is live up to `position` in a block; true when nothing was known of the two. */
function extend(liveness: Liveness, value: number, block: number, position: number): boolean {
  const entry = findEntry(liveness, value, block);
  if (liveness.stamp[entry] === liveness.generation) {
    if ((liveness.last[entry] as number) < position) liveness.last[entry] = position;
    return false;
  }
  liveness.stamp[entry] = liveness.generation;
  liveness.keyValue[entry] = value;
  liveness.keyBlock[entry] = block;
  liveness.last[entry] = position;
  liveness.count++;
  return true;
}

/** Puts the live range of a value into the cache. */
function explore(liveness: Liveness, graph: Graph, blockOf: Int32Array, value: number): void {
  if (2 * (liveness.count + graph.blockCount) > liveness.capacity) clearCache(liveness);
  liveness.explored[value] = liveness.generation;
  const definition = blockOf[value] as number;
  const { stack } = liveness;
  const end = liveness.useStart[value + 1] as number;
  for (let index = liveness.useStart[value] as number; index < end; index++) {
    const use = liveness.uses[index] as number;
    const block = use < 0 ? -1 - use : (blockOf[use] as number);
    const isNew = extend(liveness, value, block, use < 0 ? LIVE_OUT : use);
    let depth = 0;
    if (isNew && block !== definition) stack[depth++] = block;
    while (depth > 0) {
      const current = stack[--depth] as number;
      const edgeEnd = graph.predecessorStart[current + 1] as number;
      for (let edge = graph.predecessorStart[current] as number; edge < edgeEnd; edge++) {
        const predecessor = graph.predecessors[edge] as number;
        if (!isReachable(graph, predecessor)) continue;
        if (extend(liveness, value, predecessor, LIVE_OUT) && predecessor !== definition)
          stack[depth++] = predecessor;
      }
    }
  }
}

/**
 * Whether all uses of a value plainly lie behind a place. In a reducible graph, control goes backward only to headers of
 * loops around it, and a value that is alive does not pass into a loop again that its definition is in. So what is alive
 * at a place has a use at or after, in reverse postorder, the header of the outermost loop around the place that the definition
 * is not in, or the place itself where there is no such loop.
 */
function isPast(liveness: Liveness, flow: Flow, value: number, block: number, position: number): boolean {
  const { loops } = flow;
  if (loops.hasIrreducible) return false;
  const definition = flow.blockOf[value] as number;
  let outermost = NONE;
  let header = loops.isHeader[block] !== 0 ? block : (loops.outer[block] as number);
  let climbed = 0;
  // The definition dominates the place, so a loop around the place holds it just when the header dominates it.
  while (header !== NONE && !dominates(flow.dominators, header, definition)) {
    if (++climbed > MAXIMUM_CLIMB) return false;
    outermost = header;
    header = loops.outer[header] as number;
  }
  const lastPlace = liveness.lastPlace[value] as number;
  if (outermost !== NONE) return lastPlace < (flow.graph.reversePostorderIndex[outermost] as number);
  const place = flow.graph.reversePostorderIndex[block] as number;
  return lastPlace < place || (lastPlace === place && (liveness.lastPosition[value] as number) <= position);
}

/**
 * Whether `value` is still needed after the instruction at `position` of `block`, where it is defined. Requires that the
 * definition of `value` dominates that place, and that `collectUses` was told of `value`.
 */
export function isLiveAfter(
  liveness: Liveness,
  flow: Flow,
  value: number,
  block: number,
  position: number,
): boolean {
  if (isPast(liveness, flow, value, block, position)) return false;
  if (liveness.explored[value] !== liveness.generation) explore(liveness, flow.graph, flow.blockOf, value);
  const entry = findEntry(liveness, value, block);
  return liveness.stamp[entry] === liveness.generation && (liveness.last[entry] as number) > position;
}
