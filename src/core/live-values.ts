/** Liveness for authors who bring an IR of their own, and for functions of VIR (012): which values are alive where a block begins and ends. */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import { type Block, NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import type { CoreFault } from '../ir/schema.js';
import { VirFunction } from '../ir/vir-module.js';
import {
  type AnalysisOptions,
  type BlockLists,
  explainGraph,
  type FlowGraph,
  integers,
  readGraphLists,
  typedLists,
} from './analyses.js';
import { callCore, guarded } from './border.js';
import { liveInputCount, liveOutputCount, liveSets } from './live-sets.js';
import { coreEntry } from './native.js';
import { readOperands } from './out-of-ssa-checker.js';

const liveTwin = guarded(liveSets, liveInputCount, liveOutputCount);

/** A graph, and where its values are defined and used. Each value has one definition, which dominates its uses, as in SSA form. */
export interface ValueFlow extends FlowGraph {
  /** Per value, the block that defines it; -1 for one that nothing defines and nothing reachable uses. A phi is defined in its own block. */
  readonly definitions: Int32Array | readonly number[];
  /**
   * Per value, where it is used: block b, or `~b` at the very end of b. The operand of a phi is used at the end of the predecessor that
   * it comes from. A use that stands in the block of the definition stands behind it.
   */
  readonly uses: BlockLists | readonly (readonly number[])[];
}

/** Which values are alive where. */
export interface Liveness {
  /** Per block, the values that are alive where it begins, ascending; the result of a phi is not alive where its own block begins. */
  readonly liveIn: BlockLists;
  /** Per block, the values that are alive where it ends, operands of phis on the edges out of it included, ascending. */
  readonly liveOut: BlockLists;
  /** Whether a value is alive where a block begins. O(log of the values that are). */
  isLiveIn(value: number, block: number): boolean;
  /** Whether a value is alive where a block ends. O(log of the values that are). */
  isLiveOut(value: number, block: number): boolean;
}

/**
 * The values that are alive at the beginning and the end of each block (Boissinot 2011, §5): without a fixed point, one value at a time. Costs
 * the uses, and for each block in which a value is alive the edges into it. To ask about a few values, give only those. In a function of
 * VIR the values are its instructions by their numbers. Errors: VCT0516 for a malformed graph; VCT0518 for a definition or use in no
 * block, lists that do not fit, and a use that its definition does not dominate; VCT0501; VCT0503 where the sets need too much memory.
 */
export function liveness(flow: ValueFlow | VirFunction, options: AnalysisOptions = {}): Liveness {
  const given = flow instanceof VirFunction ? valuesOf(flow) : readValues(flow);
  const [start, items, entry] = readGraphLists(flow);
  const [liveInStart, liveIn, liveOutStart, liveOut] = callLiveSets(options.core ?? 'auto', given, [
    start,
    items,
    Int32Array.of(entry, 0),
  ]);
  const before = { start: liveInStart, items: liveIn };
  const after = { start: liveOutStart, items: liveOut };
  return {
    liveIn: before,
    liveOut: after,
    isLiveIn: (value, block) => holds(before, block, value),
    isLiveOut: (value, block) => holds(after, block, value),
  };
}

interface Values {
  readonly definitions: Int32Array;
  readonly uses: BlockLists;
}

function callLiveSets(
  core: CoreChoice,
  { definitions, uses }: Values,
  graph: readonly [Int32Array, Int32Array, Int32Array],
): readonly [Int32Array, Int32Array, Int32Array, Int32Array] {
  const blockCount = graph[0].length - 1;
  const { outputs } = callCore(
    coreEntry(core, 'liveSets', liveTwin),
    ['start', 'successors', 'request', 'definitions', 'useStart', 'uses'],
    [...graph, definitions, uses.start, uses.items],
    [blockCount + 1, uses.items.length, blockCount + 1, uses.items.length],
    1,
    (fault, table, row) => {
      if (table < 3) explainGraph(fault, table, row, graph[0], graph[1]);
      else explainValues(fault, table, row, definitions, uses);
    },
  );
  return outputs as unknown as readonly [Int32Array, Int32Array, Int32Array, Int32Array];
}

/** Fails with what is wrong with the values, in the words of their author. */
function explainValues(
  fault: CoreFault,
  table: number,
  row: number,
  definitions: Int32Array,
  { start, items }: BlockLists,
): void {
  const uses = Math.max(0, start.length - 1);
  if (fault === 'rowCount')
    fail('VCT0518', { detail: `there are ${definitions.length} definitions, and uses of ${uses} values` });
  if (table === 3)
    fail('VCT0518', { detail: `value ${row} is defined in ${definitions[row]}, which is no block` });
  if (table === 4) fail('VCT0518', { detail: `the lists of uses do not follow one another at value ${row}` });
  let value = 0;
  while ((start[value + 1] as number) <= row) value++;
  const use = items[row] as number;
  const place = use < 0 ? `at the end of ${~use}` : `in ${use}`;
  const reason = fault === 'index' ? 'which is no block' : 'which its definition does not dominate';
  fail('VCT0518', { detail: `value ${value} is used ${place}, ${reason}` });
}

function readValues({ definitions, uses }: ValueFlow): Values {
  if (!Array.isArray(definitions) && !(definitions instanceof Int32Array))
    fail('VCT0518', { detail: 'the definitions are neither a list nor an Int32Array' });
  return {
    definitions: definitions instanceof Int32Array ? definitions : integers(definitions, 'VCT0518'),
    uses: typedLists(uses, 'VCT0518', 'the uses'),
  };
}

/** Where the instructions of a function stand, and where their results are used. */
function valuesOf(view: VirFunction): Values {
  const definitions = new Int32Array(view.instructionCount).fill(NONE);
  definitions.fill(0, 0, view.parameterCount);
  const pairs: number[] = [];
  const start = new Int32Array(view.instructionCount + 1);
  const addUse = (value: number, use: number) => {
    if (value < 0) return;
    (start[value + 1] as number)++;
    pairs.push(value, use);
  };
  for (let block = 0 as Block; block < view.blockCount; block++) {
    const end = view.blockEnd(block);
    for (let inst = view.blockStart(block); inst < end; inst++) {
      definitions[inst] = block;
      for (const value of readOperands(view, inst)) addUse(value, block);
      if (view.opcode(inst) !== Opcode.phi) continue;
      for (let pair = 0; pair < view.operandCount(inst); pair += 2)
        addUse(view.operand(inst, pair), ~view.blockOperand(inst, pair + 1));
    }
  }
  for (let value = 0; value < view.instructionCount; value++)
    (start[value + 1] as number) += start[value] as number;
  const cursor = start.slice();
  const items = new Int32Array(pairs.length / 2);
  for (let pair = 0; pair < pairs.length; pair += 2) {
    const value = pairs[pair] as number;
    items[cursor[value] as number] = pairs[pair + 1] as number;
    (cursor[value] as number)++;
  }
  return { definitions, uses: { start, items } };
}

/** Whether the ascending list of a block holds a value; there are no lists of what is no block. */
function holds({ start, items }: BlockLists, block: number, value: number): boolean {
  let low = start[block] ?? 0;
  let high = (start[block + 1] ?? 0) - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = items[middle] as number;
    if (found === value) return true;
    if (found < value) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
