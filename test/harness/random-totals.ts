/**
 * Random expressions that answer for every operand: arithmetic with a flag, clamped arithmetic, guarded division, floats and their
 * conversion to integers that clamps. What is needed more than once is read from a variable each time.
 */

import { type NameId, NONE, type Node, type TypeId } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { FLOAT_PREDICATES, INTEGER_PREDICATES } from '../../src/ir/schema.js';
import type { Random } from './random.js';

/** What the function that is being written offers. */
export interface ExpressionSource {
  readonly hir: HirModule;
  readonly random: Random;
  node(kind: number, type: TypeId, children: readonly Node[], a?: number, b?: number): Node;
  expression(type: TypeId, depth: number): Node;
  /** Makes a read of one variable of the type, again and again; undefined where there is none. */
  reader(type: TypeId): (() => Node) | undefined;
}

const OVERFLOW = [
  Opcode.sadd_overflow,
  Opcode.uadd_overflow,
  Opcode.ssub_overflow,
  Opcode.usub_overflow,
  Opcode.smul_overflow,
  Opcode.umul_overflow,
] as const;
const SATURATING = [Opcode.sadd_sat, Opcode.uadd_sat, Opcode.ssub_sat, Opcode.usub_sat] as const;
const FLOAT_BINARY = [Opcode.fadd, Opcode.fsub, Opcode.fmul, Opcode.fdiv] as const;

function operation(
  source: ExpressionSource,
  opcode: number,
  type: TypeId,
  children: readonly Node[],
  b = NONE,
): Node {
  return source.node(NodeKind.operation, type, children, opcode, b);
}

function integer(source: ExpressionSource, type: TypeId, value: bigint): Node {
  return source.node(NodeKind.constant, type, [], source.hir.tables.constants.integer(type, value));
}

function float(source: ExpressionSource, value: number): Node {
  const { types, constants } = source.hir.tables;
  return source.node(NodeKind.constant, types.f64, [], constants.float(types.f64, value));
}

function compare(source: ExpressionSource, predicate: 'eq', left: Node, right: Node): Node {
  const aux = INTEGER_PREDICATES.indexOf(predicate);
  return operation(source, Opcode.icmp, source.hir.tables.types.i1, [left, right], aux);
}

function conditional(source: ExpressionSource, type: TypeId, children: readonly Node[]): Node {
  return source.node(NodeKind.conditional, type, children);
}

/** The value or the flag of arithmetic that tells what did not fit. */
export function overflowing(source: ExpressionSource, type: TypeId, depth: number): Node {
  const { types } = source.hir.tables;
  const pair = types.struct([
    { type, name: NONE as NameId },
    { type: types.i1, name: NONE as NameId },
  ]);
  const operands = [source.expression(type, depth - 1), source.expression(type, depth - 1)];
  const both = operation(source, source.random.pick(OVERFLOW), pair, operands);
  if (source.random.chance(40))
    return operation(source, Opcode.extractvalue, type, [both, integer(source, types.i32, 0n)]);
  const flag = operation(source, Opcode.extractvalue, types.i1, [both, integer(source, types.i32, 1n)]);
  return operation(source, Opcode.zext, type, [flag]);
}

/** A clamped sum or difference. */
export function clamped(source: ExpressionSource, type: TypeId, depth: number): Node {
  const operands = [source.expression(type, depth - 1), source.expression(type, depth - 1)];
  return operation(source, source.random.pick(SATURATING), type, operands);
}

/** A division by anything: what it gives for 0 and, signed, for -1 stands before it. */
export function guardedDivision(source: ExpressionSource, type: TypeId, depth: number): Node | undefined {
  const { random } = source;
  const dividend = source.reader(type);
  const divisor = source.reader(type);
  if (dividend === undefined || divisor === undefined) return undefined;
  const isSigned = random.chance(50);
  const isQuotient = random.chance(50);
  const opcode = isSigned ? (isQuotient ? Opcode.sdiv : Opcode.srem) : isQuotient ? Opcode.udiv : Opcode.urem;
  let result = operation(source, opcode, type, [dividend(), divisor()]);
  if (isSigned) {
    const negated = isQuotient
      ? operation(source, Opcode.sub, type, [integer(source, type, 0n), dividend()])
      : integer(source, type, 0n);
    const isMinusOne = compare(source, 'eq', divisor(), integer(source, type, -1n));
    result = conditional(source, type, [isMinusOne, negated, result]);
  }
  const isZero = compare(source, 'eq', divisor(), integer(source, type, 0n));
  return conditional(source, type, [isZero, source.expression(type, depth - 1), result]);
}

/** A float variable as an integer, clamped: NaN gives 0. */
export function clampedConversion(source: ExpressionSource, type: TypeId): Node | undefined {
  const { types } = source.hir.tables;
  const read = source.reader(types.f64);
  if (read === undefined) return undefined;
  const width = types.width(type);
  const isSigned = types.isSigned(type);
  const compareFloat = (predicate: (typeof FLOAT_PREDICATES)[number], right: Node) =>
    operation(source, Opcode.fcmp, types.i1, [read(), right], FLOAT_PREDICATES.indexOf(predicate));
  const above = 2 ** (isSigned ? width - 1 : width);
  const highest = integer(source, type, isSigned ? (1n << BigInt(width - 1)) - 1n : -1n);
  const lowest = integer(source, type, isSigned ? 1n << BigInt(width - 1) : 0n);
  const inside = operation(source, isSigned ? Opcode.fptosi : Opcode.fptoui, type, [read()]);
  const isBelow = compareFloat('ole', float(source, isSigned ? -above : 0));
  const low = conditional(source, type, [isBelow, lowest, inside]);
  const high = conditional(source, type, [compareFloat('oge', float(source, above)), highest, low]);
  return conditional(source, type, [compareFloat('ord', read()), high, integer(source, type, 0n)]);
}

const FLOATS = [0, -0, 1, -1.5, 0.1, 1e10, -1e300, 255.75, 2 ** 31, -(2 ** 63), Number.POSITIVE_INFINITY];

/** An f64: a constant, a variable, an integer, or arithmetic. */
export function floatExpression(source: ExpressionSource, depth: number): Node {
  const { random } = source;
  const { types } = source.hir.tables;
  const choice = random.below(depth > 0 ? 100 : 40);
  const read = source.reader(types.f64);
  if (choice < 25 && read !== undefined) return read();
  if (choice < 40) return float(source, random.pick(FLOATS));
  if (choice < 60) {
    const type = random.pick([types.i32, types.u32, types.i64, types.u64, types.i8]);
    const opcode = types.isSigned(type) ? Opcode.sitofp : Opcode.uitofp;
    return operation(source, opcode, types.f64, [source.expression(type, depth - 1)]);
  }
  if (choice < 65) return operation(source, Opcode.fneg, types.f64, [floatExpression(source, depth - 1)]);
  const operands = [floatExpression(source, depth - 1), floatExpression(source, depth - 1)];
  return operation(source, random.pick(FLOAT_BINARY), types.f64, operands);
}
