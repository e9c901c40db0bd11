/**
 * Which pointers of a function come from which side of its relationships (002 §5): what both back ends ask before they tell a
 * compiler that two accesses do not meet.
 *
 * A pointer comes from a side when it is an end of it, or is made by getelementptr or bitcast from one that does, or is a phi or select
 * all of whose pointers do, but for null and undef. What comes from both sides says nothing. Linear in the uses of the pointers, for each relationship.
 */

import {
  type GlobalId,
  type Inst,
  isConstantOperand,
  operandConstant,
  type RelationshipId,
  type Value,
} from './entities.js';
import { Opcode } from './opcodes.js';
import type { RelationshipEnd } from './relationships.js';
import { ConstantKind, EndKind } from './schema.js';
import type { VirFunction } from './vir-module.js';

/** That a pointer comes from a side of a relationship. */
export interface PointerSide {
  readonly id: RelationshipId;
  readonly isLeft: boolean;
}

/** The related pointers of one function. */
export class RelatedPointers {
  /** The relationships whose two sides both concern the function. */
  readonly relationships: readonly RelationshipId[];
  readonly #sides = new Map<Value, PointerSide[]>();
  #users: Map<Value, Value[]> | undefined;

  constructor(readonly code: VirFunction) {
    const { relationships } = code.module;
    const concerns = (side: readonly RelationshipEnd[]) => side.some((end) => this.#isHere(end));
    this.relationships = relationships
      .inFunction(code.id)
      .filter((id) => concerns(relationships.left(id)) && concerns(relationships.right(id)));
    for (const id of this.relationships) this.#mark(id);
  }

  /** The sides that a pointer comes from, at most one of each relationship. */
  sides(pointer: Value): readonly PointerSide[] {
    return this.#sides.get(pointer) ?? [];
  }

  /** All that comes from these pointers, themselves included. */
  comingFrom(pointers: readonly Value[]): ReadonlySet<Value> {
    const given = new Set(pointers);
    // First all that any of its sources makes possible, in loops too; then without what another source denies.
    const found = new Set(pointers);
    const work = [...found];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      for (const user of this.#usersOf(at)) {
        if (found.has(user)) continue;
        found.add(user);
        work.push(user);
      }
    }
    const isDenied = (value: Value) =>
      !given.has(value) && sources(this.code, value as number as Inst).some((source) => !found.has(source));
    for (const value of found) if (isDenied(value)) work.push(value);
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (!found.delete(at)) continue;
      for (const user of this.#usersOf(at)) if (found.has(user) && !given.has(user)) work.push(user);
    }
    return found;
  }

  #isHere({ kind, function: owner }: RelationshipEnd): boolean {
    return kind === EndKind.global || owner === this.code.id;
  }

  #mark(id: RelationshipId): void {
    const { relationships } = this.code.module;
    const left = this.comingFrom(this.#pointers(relationships.left(id)));
    const right = this.comingFrom(this.#pointers(relationships.right(id)));
    for (const [side, other, isLeft] of [[left, right, true] as const, [right, left, false] as const]) {
      for (const pointer of side) {
        if (other.has(pointer)) continue;
        const known = this.#sides.get(pointer);
        if (known === undefined) this.#sides.set(pointer, [{ id, isLeft }]);
        else known.push({ id, isLeft });
      }
    }
  }

  /** The values of the function that are ends of a side: for a global, the constants that are its address. */
  #pointers(side: readonly RelationshipEnd[]): Value[] {
    return side.flatMap((end) => {
      if (end.kind === EndKind.global) return this.#addresses(end.row as GlobalId);
      return end.function === this.code.id ? [end.row as Value] : [];
    });
  }

  #addresses(global: GlobalId): Value[] {
    this.#globals ??= addressesIn(this.code);
    return this.#globals.get(global) ?? [];
  }

  #globals: Map<GlobalId, Value[]> | undefined;

  #usersOf(pointer: Value): readonly Value[] {
    this.#users ??= pointerUsers(this.code);
    return this.#users.get(pointer) ?? [];
  }
}

/** The pointers that the result of an instruction may come from; nothing is reached through null and undef. */
function sources(code: VirFunction, inst: Inst): Value[] {
  switch (code.opcode(inst)) {
    case Opcode.gep:
    case Opcode.bitcast:
      return [code.operand(inst, 0)];
    case Opcode.select:
      return [code.operand(inst, 1), code.operand(inst, 2)].filter((value) => leads(code, value));
    case Opcode.phi: {
      const values: Value[] = [];
      for (let index = 0; index < code.operandCount(inst); index += 2) values.push(code.operand(inst, index));
      return values.filter((value) => leads(code, value));
    }
    default:
      return [];
  }
}

function leads(code: VirFunction, value: Value): boolean {
  if (!isConstantOperand(value)) return true;
  const kind = code.tables.constants.kind(operandConstant(value));
  return kind !== ConstantKind.null && kind !== ConstantKind.undef;
}

/** For each pointer, the results that come from it. */
function pointerUsers(code: VirFunction): Map<Value, Value[]> {
  const users = new Map<Value, Value[]>();
  for (let inst = 0 as Inst; inst < code.instructionCount; inst++) {
    if (!code.tables.types.isPointer(code.instructionType(inst))) continue;
    const user = inst as number as Value;
    for (const source of sources(code, inst)) {
      const known = users.get(source);
      if (known === undefined) users.set(source, [user]);
      else known.push(user);
    }
  }
  return users;
}

/** For each global, the constants of the function that lead into it. */
function addressesIn(code: VirFunction): Map<GlobalId, Value[]> {
  const { constants } = code.tables;
  const found = new Map<GlobalId, Value[]>();
  const seen = new Set<Value>();
  for (let inst = 0 as Inst; inst < code.instructionCount; inst++) {
    for (let index = 0; index < code.operandCount(inst); index++) {
      const value = code.operand(inst, index);
      if (!isConstantOperand(value) || seen.has(value)) continue;
      seen.add(value);
      const constant = operandConstant(value);
      const kind = constants.kind(constant);
      if (kind !== ConstantKind.globalAddress && kind !== ConstantKind.elementAddress) continue;
      const global = constants.addressee(constant) as GlobalId;
      const known = found.get(global);
      if (known === undefined) found.set(global, [value]);
      else known.push(value);
    }
  }
  return found;
}
