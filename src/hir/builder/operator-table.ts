/** Which opcode an operator means for which type: `div` is sdiv, udiv or fdiv. */

import type { TypeId } from '../../ir/entities.js';
import { NONE } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { Opcode } from '../../ir/opcodes.js';
import {
  FLOAT_PREDICATES,
  type FloatPredicate,
  INTEGER_PREDICATES,
  type IntegerPredicate,
} from '../../ir/schema.js';

/** Operators on two values of one type, with a result of that type. */
export type BinaryName = 'add' | 'sub' | 'mul' | 'div' | 'rem' | 'and' | 'or' | 'xor' | 'shl' | 'shr';

/** Operators on two values of one type, with an i1 as result. */
export type CompareName = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

const BINARY: Readonly<Record<BinaryName, readonly [signed: number, unsigned: number, float: number]>> = {
  add: [Opcode.add, Opcode.add, Opcode.fadd],
  sub: [Opcode.sub, Opcode.sub, Opcode.fsub],
  mul: [Opcode.mul, Opcode.mul, Opcode.fmul],
  div: [Opcode.sdiv, Opcode.udiv, Opcode.fdiv],
  rem: [Opcode.srem, Opcode.urem, Opcode.frem],
  and: [Opcode.and, Opcode.and, NONE],
  or: [Opcode.or, Opcode.or, NONE],
  xor: [Opcode.xor, Opcode.xor, NONE],
  shl: [Opcode.shl, Opcode.shl, NONE],
  shr: [Opcode.ashr, Opcode.lshr, NONE],
};

const COMPARE: Readonly<Record<CompareName, readonly [IntegerPredicate, IntegerPredicate, FloatPredicate]>> =
  {
    eq: ['eq', 'eq', 'oeq'],
    ne: ['ne', 'ne', 'une'],
    lt: ['slt', 'ult', 'olt'],
    le: ['sle', 'ule', 'ole'],
    gt: ['sgt', 'ugt', 'ogt'],
    ge: ['sge', 'uge', 'oge'],
  };

/** Whether values of the type compare and divide with their sign. An i1 does not: false is less than true. */
export function comparesSigned(tables: ModuleTables, type: TypeId): boolean {
  const { types } = tables;
  return types.isInteger(type) && types.isSigned(type) && types.width(type) > 1;
}

/** Whether the name is one of `BinaryName`. */
export function isBinaryName(name: string): name is BinaryName {
  return Object.hasOwn(BINARY, name);
}

/** Whether the name is one of `CompareName`. */
export function isCompareName(name: string): name is CompareName {
  return Object.hasOwn(COMPARE, name);
}

/** The opcode of an operator on a type, or NONE when the type has no such operator. */
export function binaryOpcode(tables: ModuleTables, name: BinaryName, type: TypeId): number {
  const [signed, unsigned, float] = BINARY[name];
  if (tables.types.isFloat(type)) return float;
  if (!tables.types.isInteger(type)) return NONE;
  return comparesSigned(tables, type) ? signed : unsigned;
}

/** The opcode and predicate number of a comparison of two values of the type. */
export function comparison(
  tables: ModuleTables,
  name: CompareName,
  type: TypeId,
): { readonly opcode: number; readonly predicate: number } {
  const [signed, unsigned, float] = COMPARE[name];
  if (tables.types.isFloat(type)) return { opcode: Opcode.fcmp, predicate: FLOAT_PREDICATES.indexOf(float) };
  const predicate = comparesSigned(tables, type) ? signed : unsigned;
  return { opcode: Opcode.icmp, predicate: INTEGER_PREDICATES.indexOf(predicate) };
}
