/**
 * What an operation on constants gives, with VIR's exact meaning (006 §3). What is erroneous is left alone, and so is what depends on
 * the payload of a NaN: then the program itself is to say what happens.
 */

import type { ConstantId, TypeId } from './entities.js';
import type { ModuleTables } from './module-tables.js';
import { Opcode, opcodeRow } from './opcodes.js';
import { ConstantKind, FLOAT_PREDICATES, INTEGER_PREDICATES } from './schema.js';

/** The largest integers that an f64 holds exactly: what is beyond may be rounded twice on its way to an f32. */
const EXACT = 2n ** 53n;

/**
 * The constant that an operation of this result type and aux word gives on these operands, or undefined where it is not known.
 * Operands are of the types that the operation demands.
 */
export function foldOperation(
  tables: ModuleTables,
  opcode: number,
  type: TypeId,
  aux: number,
  operands: readonly ConstantId[],
): ConstantId | undefined {
  const { constants, types } = tables;
  const kinds = operands.map((operand) => constants.kind(operand));
  const row = opcodeRow(opcode);
  if (row.class === 'select') {
    const [condition, whenTrue, whenFalse] = operands as [ConstantId, ConstantId, ConstantId];
    if (kinds[0] !== ConstantKind.integer) return undefined;
    return constants.integerBits(condition) === 0n ? whenFalse : whenTrue;
  }
  if (kinds.every((kind) => kind === ConstantKind.integer)) {
    const operand = constants.type(operands[0] as ConstantId);
    const bits = operands.map((constant) => constants.integerBits(constant));
    if (row.class === 'integerCompare')
      return boolean(tables, compareIntegers(aux, types.width(operand), bits));
    if (row.class === 'cast')
      return castInteger(tables, opcode, type, types.width(operand), bits[0] as bigint);
    const result = foldIntegers(opcode, types.width(operand), bits);
    return result === undefined ? undefined : constants.integer(type, result);
  }
  if (kinds.every((kind) => kind === ConstantKind.float)) {
    const values = operands.map((constant) => constants.floatValue(constant));
    if (row.class === 'floatCompare') return boolean(tables, compareFloats(aux, values));
    if (values.some(Number.isNaN)) return undefined;
    if (row.class === 'cast') return castFloat(tables, opcode, type, values[0] as number);
    const result = foldFloats(opcode, values);
    if (result === undefined || Number.isNaN(result)) return undefined;
    return constants.float(type, types.width(type) === 32 ? Math.fround(result) : result);
  }
  return undefined;
}

function boolean({ constants, types }: ModuleTables, value: boolean): ConstantId {
  return constants.integer(types.i1, value ? 1n : 0n);
}

function compareIntegers(aux: number, width: number, [left, right]: readonly bigint[]): boolean {
  const x = left as bigint;
  const y = right as bigint;
  const predicate = INTEGER_PREDICATES[aux] as (typeof INTEGER_PREDICATES)[number];
  if (predicate === 'eq') return x === y;
  if (predicate === 'ne') return x !== y;
  const isSigned = predicate.startsWith('s');
  const [a, b] = isSigned ? [BigInt.asIntN(width, x), BigInt.asIntN(width, y)] : [x, y];
  switch (predicate.slice(1)) {
    case 'lt':
      return a < b;
    case 'le':
      return a <= b;
    case 'gt':
      return a > b;
    default:
      return a >= b;
  }
}

/** Operands of opposite order are unordered when one is NaN: an `o` predicate is false then, a `u` predicate true. */
function compareFloats(aux: number, [left, right]: readonly number[]): boolean {
  const x = left as number;
  const y = right as number;
  const predicate = FLOAT_PREDICATES[aux] as (typeof FLOAT_PREDICATES)[number];
  const isUnordered = Number.isNaN(x) || Number.isNaN(y);
  if (predicate === 'ord') return !isUnordered;
  if (predicate === 'uno') return isUnordered;
  if (isUnordered) return predicate.startsWith('u');
  switch (predicate.slice(1)) {
    case 'eq':
      return x === y;
    case 'ne':
      return x !== y;
    case 'lt':
      return x < y;
    case 'le':
      return x <= y;
    case 'gt':
      return x > y;
    default:
      return x >= y;
  }
}

/** The result, any number of bits of it; undefined where the operation is erroneous or unknown. */
function foldIntegers(opcode: number, width: number, bits: readonly bigint[]): bigint | undefined {
  const [x = 0n, y = 0n, z = 0n] = bits;
  const signedX = BigInt.asIntN(width, x);
  const signedY = BigInt.asIntN(width, y);
  const bound = 1n << BigInt(width);
  const lowest = -(bound >> 1n);
  switch (opcode) {
    case Opcode.add:
      return x + y;
    case Opcode.sub:
      return x - y;
    case Opcode.mul:
      return x * y;
    case Opcode.sdiv:
    case Opcode.srem:
      if (y === 0n || (signedX === lowest && signedY === -1n)) return undefined;
      return opcode === Opcode.sdiv ? signedX / signedY : signedX % signedY;
    case Opcode.udiv:
      return y === 0n ? undefined : x / y;
    case Opcode.urem:
      return y === 0n ? undefined : x % y;
    case Opcode.and:
      return x & y;
    case Opcode.or:
      return x | y;
    case Opcode.xor:
      return x ^ y;
    case Opcode.shl:
      return y >= BigInt(width) ? undefined : x << y;
    case Opcode.lshr:
      return y >= BigInt(width) ? undefined : x >> y;
    case Opcode.ashr:
      return y >= BigInt(width) ? undefined : signedX >> y;
    case Opcode.ctpop:
      return BigInt(x.toString(2).replaceAll('0', '').length);
    case Opcode.fshl:
      return ((x << BigInt(width)) | y) >> (BigInt(width) - (z % BigInt(width)));
    case Opcode.sadd_sat:
      return clamped(signedX + signedY, lowest, -lowest - 1n);
    case Opcode.ssub_sat:
      return clamped(signedX - signedY, lowest, -lowest - 1n);
    case Opcode.uadd_sat:
      return clamped(x + y, 0n, bound - 1n);
    case Opcode.usub_sat:
      return clamped(x - y, 0n, bound - 1n);
    default:
      return undefined;
  }
}

function clamped(value: bigint, low: bigint, high: bigint): bigint {
  return value < low ? low : value > high ? high : value;
}

/** Of the f64 result; one more rounding makes that of f32 (Figueroa 1995). A remainder is exact. */
function foldFloats(opcode: number, values: readonly number[]): number | undefined {
  const [x = 0, y = 0] = values;
  switch (opcode) {
    case Opcode.fadd:
      return x + y;
    case Opcode.fsub:
      return x - y;
    case Opcode.fmul:
      return x * y;
    case Opcode.fdiv:
      return x / y;
    case Opcode.frem:
      return x % y;
    case Opcode.fneg:
      return -x;
    case Opcode.fabs:
      return Math.abs(x);
    case Opcode.sqrt:
      return Math.sqrt(x);
    default:
      return undefined;
  }
}

function castInteger(
  { constants, types }: ModuleTables,
  opcode: number,
  type: TypeId,
  width: number,
  bits: bigint,
): ConstantId | undefined {
  switch (opcode) {
    case Opcode.trunc:
    case Opcode.zext:
      return constants.integer(type, bits);
    case Opcode.sext:
      return constants.integer(type, BigInt.asIntN(width, bits));
    case Opcode.bitcast:
      return types.isInteger(type) ? constants.integer(type, bits) : undefined;
    case Opcode.sitofp:
    case Opcode.uitofp: {
      const value = opcode === Opcode.sitofp ? BigInt.asIntN(width, bits) : bits;
      if (types.width(type) === 32 && (value > EXACT || value < -EXACT)) return undefined;
      return constants.float(type, Number(value));
    }
    default:
      return undefined;
  }
}

function castFloat(
  { constants, types }: ModuleTables,
  opcode: number,
  type: TypeId,
  value: number,
): ConstantId | undefined {
  switch (opcode) {
    case Opcode.fptrunc:
    case Opcode.fpext:
      return constants.float(type, value);
    case Opcode.fptosi:
    case Opcode.fptoui: {
      if (!Number.isFinite(value)) return undefined;
      const whole = BigInt(Math.trunc(value));
      const width = types.width(type);
      const [low, end] =
        opcode === Opcode.fptosi
          ? [-(1n << BigInt(width - 1)), 1n << BigInt(width - 1)]
          : [0n, 1n << BigInt(width)];
      return whole >= low && whole < end ? constants.integer(type, whole) : undefined;
    }
    default:
      return undefined;
  }
}
