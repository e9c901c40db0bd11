/**
 * The LoweringMap as data that outlives the process (005 §9): what `JSON.stringify` writes and `LoweringMap.fromJSON` reads, so
 * that a debugger, a profiler or a cache can walk from VIR to the author's nodes without the HIR.
 */

import { fail } from '../diag/diagnostic.js';

/** The version of the form; it changes when the meaning of a field does. */
export const LOWERING_MAP_VERSION = 1;

/** The map of one module. Rows count over the whole module, in its order; -1 stands for no node and for no value. */
export interface LoweringMapData {
  readonly loweringMap: typeof LOWERING_MAP_VERSION;
  /** How many nodes the HIR has. */
  readonly nodeCount: number;
  /** For each node, the operand that its value became, counted within its function. */
  readonly values: readonly number[];
  /** For each instruction of the module, the node that it comes from. */
  readonly instructions: readonly number[];
  /** For each block of the module, the node that it comes from. */
  readonly blocks: readonly number[];
}

/** The value as a map of a module with this many rows. Fails with VCT0505 when it is none. */
export function checkLoweringMapData(
  value: unknown,
  instructionCount: number,
  blockCount: number,
): LoweringMapData {
  if (typeof value !== 'object' || value === null) return refuse('it is no object');
  const data = value as Partial<Record<keyof LoweringMapData, unknown>>;
  if (data.loweringMap !== LOWERING_MAP_VERSION) return refuse(`its version is not ${LOWERING_MAP_VERSION}`);
  const { nodeCount } = data;
  if (typeof nodeCount !== 'number' || !Number.isInteger(nodeCount) || nodeCount < 0)
    return refuse('nodeCount is no count');
  checkNumbers('values', data.values, nodeCount, -0x80000000, 0x7fffffff);
  checkNumbers('instructions', data.instructions, instructionCount, -1, nodeCount - 1);
  checkNumbers('blocks', data.blocks, blockCount, -1, nodeCount - 1);
  return value as LoweringMapData;
}

function checkNumbers(name: string, value: unknown, length: number, low: number, high: number): void {
  if (!Array.isArray(value)) refuse(`${name} is no array`);
  if (value.length !== length) refuse(`${name} has ${value.length} elements instead of ${length}`);
  const index = value.findIndex((item) => !Number.isInteger(item) || item < low || item > high);
  if (index >= 0) refuse(`${name}[${index}] is out of range`);
}

function refuse(detail: string): never {
  fail('VCT0505', { detail });
}
