/**
 * Makes a random program one in which much is known: conditions and switch values become constants, and statements become regions. It stays
 * right by construction: no loop gets another condition than false, and what keeps from an erroneous operation or an endless jump stays.
 */

import { NONE, type Node, type TypeId } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { HIR_NODE } from '../../src/ir/schema.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait } from '../../src/traits/trait-table.js';
import type { Random } from './random.js';

const DECIDED: readonly number[] = [
  NodeKind.if,
  NodeKind.conditional,
  NodeKind.logicalAnd,
  NodeKind.logicalOr,
  NodeKind.switch,
];

/** Operations that are erroneous for some operands. */
const PARTIAL: readonly number[] = [
  Opcode.sdiv,
  Opcode.udiv,
  Opcode.srem,
  Opcode.urem,
  Opcode.fptosi,
  Opcode.fptoui,
];

const LOOPS: readonly number[] = [NodeKind.while, NodeKind.doWhile, NodeKind.for];

const REGIONS: readonly number[] = [
  NodeKind.if,
  NodeKind.while,
  NodeKind.for,
  NodeKind.switch,
  NodeKind.block,
  NodeKind.case,
  NodeKind.defer,
  NodeKind.return,
  NodeKind.assign,
];

/** Rewrites a module in place; `isPlain` leaves out the regions. */
export function knowMore(hir: HirModule, random: Random, isPlain: boolean): void {
  const { tables } = hir;
  const region = tables.traitSets.intern([traitEntry(Trait.complex)]);
  const count = hir.nodes.length;
  // What counts a loop stays, or it would have no end, and what guards something.
  const bounds = guards(hir);
  for (let node = 0 as Node; node < count; node++)
    if (LOOPS.includes(hir.kind(node))) for (const child of hir.children(node)) bounds.add(child);
  for (let node = 0 as Node; node < count; node++) {
    const kind = hir.kind(node);
    if (DECIDED.includes(kind) && !bounds.has(node) && random.chance(35))
      decide(hir, hir.firstChild(node), BigInt(random.below(4)));
    if (kind === NodeKind.while && random.chance(10)) decide(hir, hir.firstChild(node), 0n);
    if (!isPlain && REGIONS.includes(kind) && hir.traits(node) <= 0 && random.chance(4))
      hir.epochs.restate('node', node, region);
  }
}

/** The conditionals around an operation that may be erroneous, which stands before them, and the `if` around each goto. */
function guards(hir: HirModule): Set<Node> {
  const found = new Set<Node>();
  for (let node = 0 as Node; node < hir.nodes.length; node++) {
    const kind = hir.kind(node);
    const children = hir.children(node);
    const isGuard =
      kind === NodeKind.conditional
        ? children.some((child) => found.has(child) || isPartial(hir, child))
        : kind === NodeKind.if && isGoto(hir, children[1] as Node);
    if (isGuard) found.add(node);
  }
  return found;
}

function isPartial(hir: HirModule, node: Node): boolean {
  return hir.kind(node) === NodeKind.operation && PARTIAL.includes(hir.a(node));
}

function isGoto(hir: HirModule, block: Node): boolean {
  return hir.children(block).some((child) => hir.kind(child) === NodeKind.goto);
}

/** Makes an expression a constant. */
function decide(hir: HirModule, node: Node, value: bigint): void {
  const type = hir.type(node) as TypeId;
  const row = {
    kind: NodeKind.constant,
    a: hir.tables.constants.integer(type, value),
    b: NONE,
    firstChild: NONE,
  };
  for (const [name, word] of Object.entries(row))
    hir.nodes.set(node, HIR_NODE[name as keyof typeof row], word);
}
