/**
 * What a case names. A range of up to `EXPANDED_VALUES` values stands in the tree as its values, so that it becomes cases of a switch;
 * a wider one is one node with both bounds, which lowering compares (003 §3). Bounds belong to their range.
 */

import type { ConstantTable } from '../ir/constants.js';
import { type ConstantId, NONE, type Node } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import { NodeKind } from '../ir/node-kinds.js';
import { ConstantKind, HIR_NODE } from '../ir/schema.js';

/** Wider ranges are compared. */
export const EXPANDED_VALUES = 64;

/** Columns a and b of one node of a case. */
export interface CaseColumns {
  readonly a: ConstantId;
  readonly b: number;
}

/** The nodes that a range needs, in order. Requires two integers of one type, the first not above the last. */
export function rangeColumns(
  constants: ConstantTable,
  first: ConstantId,
  last: ConstantId,
): readonly CaseColumns[] {
  const low = constants.integerValue(first);
  const high = constants.integerValue(last);
  if (high - low >= BigInt(EXPANDED_VALUES)) return [{ a: first, b: last }];
  const type = constants.type(first);
  return Array.from({ length: Number(high - low) + 1 }, (_, index) => ({
    a: constants.integer(type, low + BigInt(index)),
    b: NONE,
  }));
}

/** The lowest and the highest value that a node of a case names; undefined where it names none. */
export function caseBounds(module: HirModule, node: Node): readonly [bigint, bigint] | undefined {
  const { constants } = module.tables;
  const isInteger = (constant: number) => constants.kind(constant as ConstantId) === ConstantKind.integer;
  if (module.kind(node) !== NodeKind.constant || !isInteger(module.a(node))) return undefined;
  const low = constants.integerValue(module.a(node) as ConstantId);
  const last = module.b(node);
  if (last === NONE) return [low, low];
  return isInteger(last) ? [low, constants.integerValue(last as ConstantId)] : undefined;
}

/** Values of one case, bounds included, and what it belongs to. */
export interface CaseInterval<Owner> {
  readonly low: bigint;
  readonly high: bigint;
  readonly owner: Owner;
}

/** The first pair of intervals that have a value in common, the later one by value last. Sorts the list. */
export function overlappingCases<Owner>(
  intervals: CaseInterval<Owner>[],
): readonly [CaseInterval<Owner>, CaseInterval<Owner>] | undefined {
  intervals.sort((left, right) => (left.low < right.low ? -1 : left.low > right.low ? 1 : 0));
  let reach = intervals[0];
  for (const interval of intervals.slice(1)) {
    if (reach !== undefined && interval.low <= reach.high) return [reach, interval];
    reach = interval;
  }
  return undefined;
}

/** `5`, or `5..9`. */
export function intervalText({ low, high }: { readonly low: bigint; readonly high: bigint }): string {
  return low === high ? `${low}` : `${low}..${high}`;
}

/** How many nodes from here on are consecutive values that read like one range: no name, no traits, one position. */
export function runLength(module: HirModule, nodes: readonly Node[], start: number): number {
  const { constants } = module.tables;
  const first = nodes[start] as Node;
  const column = (node: Node, offset: number) => module.nodes.get(node, offset);
  const isPlain = (node: Node) =>
    module.kind(node) === NodeKind.constant &&
    module.b(node) === NONE &&
    constants.kind(module.a(node) as ConstantId) === ConstantKind.integer &&
    constants.type(module.a(node) as ConstantId) === constants.type(module.a(first) as ConstantId) &&
    column(node, HIR_NODE.name) === NONE &&
    column(node, HIR_NODE.traits) === 0 &&
    column(node, HIR_NODE.epoch) === column(node, HIR_NODE.statedEpoch) &&
    column(node, HIR_NODE.position) === column(first, HIR_NODE.position);
  if (!isPlain(first)) return 1;
  const low = constants.integerValue(module.a(first) as ConstantId);
  let length = 1;
  while (length < EXPANDED_VALUES && start + length < nodes.length) {
    const node = nodes[start + length] as Node;
    if (!isPlain(node) || constants.integerValue(module.a(node) as ConstantId) !== low + BigInt(length))
      break;
    length++;
  }
  return length;
}
