/**
 * Relationships of a lowered module: every end that is a variable becomes the values that the variable held (005/L-32).
 *
 * It runs once behind the core, whichever core and however many threads lowered, and asks nothing but the LoweringMap: so the result
 * is the same on every way by construction. A parameter held its argument; any variable held what was assigned to it and what was
 * loaded from its slot. A constant address of a global becomes an end that is that global; other constants lead nowhere. A side that
 * held nothing at all leaves nothing to say, and its relationship is dropped. Linear in the nodes and in what they became; nothing at
 * all where the module states no relationship.
 */

import { fail } from '../diag/diagnostic.js';
import {
  type ConstantId,
  type FunctionId,
  type Inst,
  isConstantOperand,
  NONE,
  type Node,
  operandConstant,
  type RelationshipId,
  type Value,
  type Variable,
} from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';
import type { LoweringMap } from '../ir/lowering-map.js';
import { NodeKind } from '../ir/node-kinds.js';
import { hirEndRules } from '../ir/relationship-ends.js';
import { relationshipTableFaults, sharedEnd } from '../ir/relationship-rules.js';
import type { RelationshipEnd } from '../ir/relationships.js';
import { ConstantKind, EndKind, HIR_VARIABLE } from '../ir/schema.js';
import type { VirModule } from '../ir/vir-module.js';
import { relationshipRow } from '../traits/trait-table.js';

/** Gives the lowered module the relationships of its HIR. Fails with VCT0510 and VCT0514 where they cannot hold (005/L-4). */
export function lowerRelationships(hir: HirModule, vir: VirModule): void {
  const { relationships } = hir;
  if (relationships.rows.length === 0) return;
  relationshipTableFaults(hir.tables, relationships, hirEndRules(hir), (table, row, detail) =>
    fail('VCT0500', { table, detail: `row ${row} has ${detail}` }),
  );
  const held = heldValues(hir, vir);
  for (let row = 0; row < relationships.length; row++) {
    const id = row as RelationshipId;
    const left = relationships.left(id).flatMap((end) => lowered(held, end));
    const right = relationships.right(id).flatMap((end) => lowered(held, end));
    if (left.length === 0 || right.length === 0) continue;
    const made = vir.relationships.add(relationships.kind(id), left, right, relationships.position(id));
    assertConsistent(hir, vir, id, made);
  }
}

/** What an end became. A global is what it was. */
function lowered(held: ReadonlyMap<number, RelationshipEnd[]>, end: RelationshipEnd): RelationshipEnd[] {
  return end.kind === EndKind.variable ? (held.get(end.row) ?? []) : [end];
}

/** For each variable that is an end of a relationship, the values that it held. */
function heldValues(hir: HirModule, vir: VirModule): ReadonlyMap<number, RelationshipEnd[]> {
  const held = new Map<number, RelationshipEnd[]>();
  const { relationships } = hir;
  for (let row = 0; row < relationships.length; row++) {
    const id = row as RelationshipId;
    for (const end of [...relationships.left(id), ...relationships.right(id)])
      if (end.kind === EndKind.variable && !held.has(end.row)) held.set(end.row, argument(hir, end));
  }
  const map = vir.loweringMap as LoweringMap;
  for (let node = 0 as Node; node < hir.nodes.length; node++) {
    const kind = hir.kind(node);
    const isWrite = kind === NodeKind.declare || kind === NodeKind.assign;
    if (!isWrite && kind !== NodeKind.variable) continue;
    const ends = held.get(hir.a(node));
    const value = isWrite ? hir.firstChild(node) : node;
    if (ends === undefined || value === NONE) continue;
    const owner = hir.variables.get(hir.a(node), HIR_VARIABLE.owner) as FunctionId;
    // A read from a register is the value that was written.
    if (isWrite || isLoaded(vir, map, node)) addValues(vir, map, owner, value, ends);
  }
  return held;
}

/** The argument of a parameter; nothing of another variable. */
function argument(hir: HirModule, end: RelationshipEnd): RelationshipEnd[] {
  const index = end.row - hir.firstVariable(end.function);
  if (index >= hir.parameterCount(end.function)) return [];
  return [{ kind: EndKind.value, function: end.function, row: index }];
}

/** Whether the value of a node is an instruction that was made for it. */
function isLoaded(vir: VirModule, map: LoweringMap, node: Node): boolean {
  return map.entities(node).some(({ kind, function: owner, index }) => {
    return kind === 'instruction' && isPointer(vir, owner, index);
  });
}

/** The values that a node became: that of its expression, and where a defer repeats it, those of its other copies. */
function addValues(
  vir: VirModule,
  map: LoweringMap,
  owner: FunctionId,
  node: Node,
  ends: RelationshipEnd[],
): void {
  const value = map.value(node);
  const end = value === NONE ? undefined : endOf(vir, owner, value);
  if (end !== undefined) ends.push(end);
  for (const entity of map.entities(node)) {
    if (entity.kind === 'instruction' && isPointer(vir, entity.function, entity.index))
      ends.push({ kind: EndKind.value, function: entity.function, row: entity.index });
  }
}

function isPointer(vir: VirModule, owner: FunctionId, index: number): boolean {
  return vir.tables.types.isPointer(vir.function(owner).instructionType(index as Inst));
}

/** An operand as an end; undefined for a constant that leads nowhere, or to a part of a global, of which no end can speak alone. */
function endOf(vir: VirModule, owner: FunctionId, value: Value): RelationshipEnd | undefined {
  if (!isConstantOperand(value)) return { kind: EndKind.value, function: owner, row: value };
  const { constants } = vir.tables;
  const constant: ConstantId = operandConstant(value);
  if (constants.kind(constant) !== ConstantKind.globalAddress) return undefined;
  return { kind: EndKind.global, function: NONE as FunctionId, row: constants.addressee(constant) };
}

/** Two variables that held the same value cannot be told apart by anyone: the statement contradicts itself. */
function assertConsistent(hir: HirModule, vir: VirModule, id: RelationshipId, made: RelationshipId): void {
  const { relationships } = vir;
  if (!relationshipRow(relationships.kind(made)).isIrreflexive) return;
  const shared = sharedEnd(relationships.left(made), relationships.right(made));
  if (shared === undefined) return;
  const [left, right] = [hir.relationships.left(id), hir.relationships.right(id)];
  const relationship = relationships.name(made);
  const values = { relationship, left: sideName(hir, left), right: sideName(hir, right) };
  const position = hir.relationshipPositionOf(id) ?? variablePosition(hir, [...left, ...right]);
  fail('VCT0514', { ...values, value: valueName(vir, shared) }, position);
}

function sideName(hir: HirModule, side: readonly RelationshipEnd[]): string {
  return side
    .map(({ kind, row }) =>
      kind === EndKind.variable
        ? hir.epochs.describe('variable', row as Variable)
        : `global @${hir.tables.globalName(row as never)}`,
    )
    .join(', ');
}

function valueName(vir: VirModule, { kind, function: owner, row }: RelationshipEnd): string {
  if (kind === EndKind.global) return `the address of @${vir.tables.globalName(row as never)}`;
  const name = vir.function(owner).instructionName(row as Inst);
  return `the value %${name === NONE ? row : vir.tables.names.text(name)} of @${vir.tables.functionName(owner)}`;
}

function variablePosition(hir: HirModule, ends: readonly RelationshipEnd[]) {
  const end = ends.find(({ kind }) => kind === EndKind.variable);
  return end === undefined ? undefined : hir.variablePositionOf(end.row as Variable);
}
