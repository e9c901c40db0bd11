/**
 * Puts labels and gotos at random places of a finished function: forward and backward, into and out of loops, arms and blocks. Each goto
 * takes one from a variable that it needs to be above zero, so that every program ends.
 */

import { NONE, type Node, type Variable } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { HIR_NODE, INTEGER_PREDICATES } from '../../src/ir/schema.js';
import type { Random } from './random.js';

/** A place between the statements of a block, with the defers that are active there, outermost first. */
interface Place {
  readonly block: Node;
  readonly index: number;
  readonly defers: readonly Node[];
}

/** Adds up to four labels with a goto or two each. `fuel` is an i32 variable of the function. */
export function addGotos(hir: HirModule, random: Random, body: Node, fuel: Variable): void {
  const places = placesOf(hir, body);
  const added: { readonly place: Place; readonly node: Node }[] = [];
  for (let count = 1 + random.below(4); count > 0; count--) {
    const labelPlace = random.pick(places);
    const label = hir.addNode(NodeKind.label, hir.tables.types.void);
    hir.nodes.set(label, HIR_NODE.name, hir.tables.names.intern(`label${label}`));
    added.push({ place: labelPlace, node: label });
    const sources = places.filter((place) => labelPlace.defers.every((one, at) => place.defers[at] === one));
    for (let gotos = 1 + random.below(2); gotos > 0; gotos--)
      added.push({ place: random.pick(sources), node: guardedGoto(hir, label, fuel) });
  }
  for (const block of new Set(added.map((one) => one.place.block))) {
    const statements = hir.children(block);
    const mine = added.filter((one) => one.place.block === block);
    for (const { place, node } of mine.sort((left, right) => right.place.index - left.place.index))
      statements.splice(place.index, 0, node);
    hir.setChildren(block, statements);
  }
}

/** Every place of the body but those in deferred statements and in the init and step of a `for`, and after what leaves a block. */
function placesOf(hir: HirModule, body: Node): Place[] {
  const places: Place[] = [];
  const visit = (node: Node, defers: readonly Node[]): void => {
    const kind = hir.kind(node);
    if (kind === NodeKind.defer || kind < NodeKind.block) return;
    const children = hir.children(node);
    if (kind !== NodeKind.block) {
      for (const child of kind === NodeKind.for ? children.slice(3) : children) visit(child, defers);
      return;
    }
    let active = defers;
    for (const [index, child] of children.entries()) {
      places.push({ block: node, index, defers: active });
      visit(child, active);
      if (hir.kind(child) === NodeKind.defer) active = [...active, child];
    }
  };
  visit(body, []);
  return places;
}

/** `if (fuel > 0) { fuel = fuel - 1; goto label }` */
function guardedGoto(hir: HirModule, label: Node, fuel: Variable): Node {
  const { types, constants } = hir.tables;
  const node = (
    kind: number,
    type: number,
    children: readonly Node[],
    a: number = NONE,
    b: number = NONE,
  ) => {
    const made = hir.addNode(kind, type as never, a, b);
    hir.setChildren(made, children);
    return made;
  };
  const number = (value: bigint) =>
    node(NodeKind.constant, types.i32, [], constants.integer(types.i32, value));
  const read = () => node(NodeKind.variable, types.i32, [], fuel);
  const isLeft = node(
    NodeKind.operation,
    types.i1,
    [read(), number(0n)],
    Opcode.icmp,
    INTEGER_PREDICATES.indexOf('sgt'),
  );
  const less = node(NodeKind.operation, types.i32, [read(), number(1n)], Opcode.sub);
  const then = node(NodeKind.block, types.void, [
    node(NodeKind.assign, types.void, [less], fuel),
    node(NodeKind.goto, types.void, [], label),
  ]);
  return node(NodeKind.if, types.void, [isLeft, then]);
}
