/** Constants from JavaScript values: numbers, strings, and arrays or objects of them for aggregates. */

import { fail } from '../../diag/diagnostic.js';
import { type ConstantId, NONE, type TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { typeText } from '../../ir/operation-rules.js';
import { TypeKind } from '../../ir/schema.js';
import { callSite } from './call-site.js';
import { Expression } from './expression.js';
import type { TypeBinder } from './type-binder.js';

/**
 * What may stand for a constant: a number for a scalar, a string or bytes for an array of i8 or u8, a list for an array or
 * struct, an object for a struct or (with one member) a union, a constant expression for any part. Elements and members
 * that are left out are zero.
 */
export type LiteralValue =
  | number
  | bigint
  | boolean
  | null
  | string
  | Uint8Array
  | Expression
  | readonly LiteralValue[]
  | { readonly [member: string]: LiteralValue };

interface Tables {
  readonly tables: ModuleTables;
  readonly types: TypeBinder;
}

/** An aggregate whose members are being made. */
interface Open {
  readonly type: TypeId;
  readonly members: readonly { readonly type: TypeId; readonly value: LiteralValue | undefined }[];
  readonly done: ConstantId[];
}

/** The constant of a type that a value stands for. Aggregates nest as deep as their author likes. */
export function constantOf(module: Tables, type: TypeId, value: LiteralValue): ConstantId {
  module.types.refresh();
  const { constants } = module.tables;
  const stack: Open[] = [];
  let next: { readonly type: TypeId; readonly value: LiteralValue | undefined } = { type, value };
  for (;;) {
    const whole = leafConstant(module.tables, next.type, next.value);
    if (whole === undefined) {
      stack.push(opened(module.tables, next.type, next.value as LiteralValue));
    } else if (stack.length === 0) {
      return whole;
    } else {
      (stack[stack.length - 1] as Open).done.push(whole);
    }
    // Close every aggregate that has all its members.
    for (;;) {
      const open = stack[stack.length - 1] as Open;
      if (open.done.length < open.members.length) {
        next = open.members[open.done.length] as typeof next;
        break;
      }
      stack.pop();
      const aggregate = constants.aggregate(open.type, open.done);
      if (stack.length === 0) return aggregate;
      (stack[stack.length - 1] as Open).done.push(aggregate);
    }
  }
}

/** The constant, where the value is no list of members. */
function leafConstant(
  tables: ModuleTables,
  type: TypeId,
  value: LiteralValue | undefined,
): ConstantId | undefined {
  const { types, constants } = tables;
  if (value === undefined) return constants.zero(type);
  if (value instanceof Expression) {
    if (value.constant === NONE) unfit(tables, type, 'an expression that is no constant');
    if (value.typeId !== type) unfit(tables, type, `a constant of type ${typeText(tables, value.typeId)}`);
    return value.constant;
  }
  if (Array.isArray(value) && value.length === 0 && types.isAggregate(type)) return constants.zero(type);
  switch (types.kind(type)) {
    case TypeKind.integer:
      return integerConstant(tables, type, value);
    case TypeKind.float:
      if (typeof value !== 'number' && typeof value !== 'bigint') unfit(tables, type, describe(value));
      return constants.float(type, Number(value));
    case TypeKind.pointer:
      if (value !== null) unfit(tables, type, describe(value));
      return constants.null(type);
    case TypeKind.array:
      return typeof value === 'string' || value instanceof Uint8Array
        ? byteConstant(tables, type, value)
        : undefined;
    default:
      return undefined;
  }
}

function integerConstant(tables: ModuleTables, type: TypeId, value: LiteralValue): ConstantId {
  const width = tables.types.width(type);
  if (typeof value === 'boolean') {
    if (width !== 1) unfit(tables, type, String(value));
    return tables.constants.integer(type, value ? 1n : 0n);
  }
  if (typeof value !== 'bigint' && !(typeof value === 'number' && Number.isSafeInteger(value)))
    unfit(tables, type, describe(value));
  const exact = BigInt(value);
  // A signed type takes bit patterns too: 0xffffffff is a usual way to write the i32 -1.
  if (exact < -(1n << BigInt(width - 1)) || exact >= 1n << BigInt(width)) unfit(tables, type, `${exact}`);
  return tables.constants.integer(type, exact);
}

function byteConstant(tables: ModuleTables, type: TypeId, value: string | Uint8Array): ConstantId {
  const { types, constants } = tables;
  const element = types.element(type);
  if (element !== types.i8 && element !== types.u8) unfit(tables, type, 'text');
  const given = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  if (given.length > types.count(type)) unfit(tables, type, `${given.length} bytes`);
  const content = new Uint8Array(types.count(type));
  content.set(given);
  return constants.byteString(type, content);
}

/** The members of an aggregate value, in order, with their types. */
function opened(tables: ModuleTables, type: TypeId, value: LiteralValue): Open {
  const { types } = tables;
  if (!types.isAggregate(type) || value === null || typeof value !== 'object')
    unfit(tables, type, describe(value));
  const list = Array.isArray(value) ? (value as readonly LiteralValue[]) : undefined;
  if (types.kind(type) === TypeKind.array) {
    if (list === undefined || list.length > types.count(type)) unfit(tables, type, describe(value));
    const element = types.element(type);
    const members = Array.from({ length: types.count(type) }, (_, index) => ({
      type: element,
      value: list[index],
    }));
    return { type, members, done: [] };
  }
  return list !== undefined
    ? listed(tables, type, list)
    : named(tables, type, value as { readonly [member: string]: LiteralValue });
}

function listed(tables: ModuleTables, type: TypeId, list: readonly LiteralValue[]): Open {
  const { types } = tables;
  const isUnion = types.kind(type) === TypeKind.union;
  const count = isUnion ? 1 : types.memberCount(type);
  if (list.length > count) unfit(tables, type, `${list.length} members`);
  const members = Array.from({ length: count }, (_, index) => ({
    type: types.memberType(type, index),
    value: list[index],
  }));
  return { type, members, done: [] };
}

function named(tables: ModuleTables, type: TypeId, value: { readonly [member: string]: LiteralValue }): Open {
  const { types, names } = tables;
  const isUnion = types.kind(type) === TypeKind.union;
  const byIndex = new Map<number, LiteralValue>();
  for (const [name, member] of Object.entries(value)) {
    const id = names.find(name);
    const index = id === undefined ? -1 : types.memberIndex(type, id);
    if (index < 0 || (isUnion && index > 0))
      fail('VCT0311', { type: typeText(tables, type), member: name }, callSite());
    byIndex.set(index, member);
  }
  const members = Array.from({ length: isUnion ? 1 : types.memberCount(type) }, (_, index) => ({
    type: types.memberType(type, index),
    value: byIndex.get(index),
  }));
  return { type, members, done: [] };
}

function describe(value: LiteralValue): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return value === null || typeof value !== 'object' ? String(value) : 'an object';
}

function unfit(tables: ModuleTables, type: TypeId, found: string): never {
  fail('VCT0301', { type: typeText(tables, type), found }, callSite());
}
