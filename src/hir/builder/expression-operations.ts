/**
 * Expressions made by a function builder rather than by a method of an expression: literals, operators chosen at run time,
 * calls, conversions, intrinsics and atomics. What a compiler whose types are dynamic uses.
 */

import { fail } from '../../diag/diagnostic.js';
import { NONE, type TypeId } from '../../ir/entities.js';
import { isExpressionOpcode } from '../../ir/node-kinds.js';
import { OPCODES, Opcode, type OpcodeName, opcodeRow } from '../../ir/opcodes.js';
import {
  ATOMIC_OPERATIONS,
  type AtomicOperation,
  Aux,
  FLOAT_PREDICATES,
  type FloatPredicate,
  ORDERINGS,
  type Ordering,
} from '../../ir/schema.js';
import { callSite } from './call-site.js';
import { constantOf, type LiteralValue } from './constant-literals.js';
import { Expression, type LeafExpression, type Operand, type PointeeOf } from './expression.js';
import type { NodeMaker } from './node-maker.js';
import { type BinaryName, type CompareName, isBinaryName, isCompareName } from './operator-table.js';
import { Place } from './place.js';
import type { FunctionType, I1, I64, IntegerType, PointerType, Type } from './types.js';

/** The arguments that a callee of type T wants. */
export type ArgumentsOf<T extends Type> =
  T extends PointerType<FunctionType<infer Parameters, Type, infer Varargs>>
    ? [
        ...{
          [Index in keyof Parameters]: Parameters[Index] extends Type ? Operand<Parameters[Index]> : never;
        },
        ...(Varargs extends false ? [] : Operand[]),
      ]
    : Type extends T
      ? Operand[]
      : never;

/** The type of what a callee of type T returns. */
export type ResultOf<T extends Type> =
  T extends PointerType<FunctionType<readonly Type[], infer Result>> ? Result : Type extends T ? Type : never;

/** Opcodes of two operands of one type. */
export type BinaryOpcodeName = Extract<
  (typeof OPCODES)[number],
  { readonly class: 'integerBinary' | 'floatBinary' }
>['name'];

/** Opcodes whose result is `{ T, i1 }`. */
export type OverflowName = 'sadd' | 'uadd' | 'ssub' | 'usub' | 'smul' | 'umul';
/** Opcodes that clamp. */
export type SaturatingName = 'sadd' | 'uadd' | 'ssub' | 'usub';

/** What makes expressions of one function. */
export abstract class ExpressionOperations {
  /** @internal */
  readonly maker: NodeMaker;

  /** @internal */
  constructor(maker: NodeMaker) {
    this.maker = maker;
  }

  /** A constant: `f.constant(i32, 5)`, `f.constant(pair, { lo: 1, hi: 2n })`. */
  constant<T extends Type>(type: T, value: LiteralValue): LeafExpression<T> {
    const { maker } = this;
    return maker.constant(constantOf(maker, maker.types.id(type), value)) as LeafExpression<T>;
  }

  /** The value of a type whose every bit is zero. */
  zero<T extends Type>(type: T): LeafExpression<T> {
    const { maker } = this;
    return maker.constant(maker.tables.constants.zero(maker.types.id(type))) as LeafExpression<T>;
  }

  /** No particular value. */
  undef<T extends Type>(type: T): LeafExpression<T> {
    const { maker } = this;
    return maker.constant(maker.tables.constants.undef(maker.types.id(type))) as LeafExpression<T>;
  }

  /** The null pointer to a type. */
  nullPointer<T extends Type>(pointee: T): LeafExpression<PointerType<T>> {
    const { maker } = this;
    const type = maker.tables.types.pointer(maker.types.id(pointee));
    return maker.constant(maker.tables.constants.null(type)) as LeafExpression<PointerType<T>>;
  }

  /**
   * An operator chosen at run time: by meaning (`add`, `div`, `lt`, …: signed, unsigned or float by the type) or by opcode
   * (`sdiv`, `fadd`, …).
   */
  binary(operator: BinaryName | CompareName | BinaryOpcodeName, left: Operand, right: Operand): Expression {
    const { maker } = this;
    if (isBinaryName(operator)) return maker.binary(operator, left, right);
    if (isCompareName(operator)) return maker.compare(operator, left, right);
    const row = OPCODES.find((opcode) => opcode.name === operator);
    if (row === undefined || (row.class !== 'integerBinary' && row.class !== 'floatBinary'))
      fail('VCT0307', { what: 'binary operator', found: String(operator) }, callSite());
    const operands = maker.pair(left, right);
    return maker.operation(Opcode[row.name], operands[0].typeId, NONE, operands);
  }

  /** `neg`, `not`, or one of the intrinsics of one operand. */
  unary(operator: 'neg' | 'not' | 'sqrt' | 'fabs' | 'ctpop', value: Expression): Expression {
    switch (operator) {
      case 'neg':
        return value.neg();
      case 'not':
        return value.not();
      default:
        return this.operation(operator, [value]);
    }
  }

  /** A comparison of two floats by its own predicate. */
  fcmp(predicate: FloatPredicate, left: Operand, right: Operand): Expression<I1> {
    const number = FLOAT_PREDICATES.indexOf(predicate);
    if (number < 0) fail('VCT0307', { what: 'float predicate', found: String(predicate) }, callSite());
    const { maker } = this;
    const operands = maker.pair(left, right);
    return maker.operation(Opcode.fcmp, maker.tables.types.i1, number, operands) as Expression<I1>;
  }

  /** True when both are; the second is evaluated only when the first is true. */
  logicalAnd(left: Operand<I1>, right: Operand<I1>): Expression<I1> {
    return this.maker.logical('logicalAnd', left as Operand, right as Operand);
  }

  /** True when one is; the second is evaluated only when the first is false. */
  logicalOr(left: Operand<I1>, right: Operand<I1>): Expression<I1> {
    return this.maker.logical('logicalOr', left as Operand, right as Operand);
  }

  /** The first value when the condition is true, else the second; only that one is evaluated. */
  conditional<T extends Type>(
    condition: Operand<I1>,
    whenTrue: Expression<T>,
    whenFalse: Operand<T>,
  ): Expression<T> {
    return this.maker.conditional(condition as Operand, whenTrue, whenFalse as Operand) as Expression<T>;
  }

  /** The first value when the condition is true, else the second; both are evaluated. */
  select<T extends Type>(
    condition: Operand<I1>,
    whenTrue: Expression<T>,
    whenFalse: Operand<T>,
  ): Expression<T> {
    return this.maker.select(condition as Operand, whenTrue, whenFalse as Operand) as Expression<T>;
  }

  /**
   * The value as another type. Between integers: cut, or widened by the sign of its own type. Between integer and float:
   * rounded to zero, erroneous when out of range. Between pointers and integers: the address. To i1: whether it is not zero.
   */
  convert<Target extends Type>(value: Operand, type: Target): Expression<Target> {
    return this.maker.convert(value, type);
  }

  /** The same bits as another type of the same width. */
  bitcast<Target extends Type>(value: Operand, type: Target): Expression<Target> {
    return this.maker.cast('bitcast', value, type);
  }

  /** The bytes that a value of the type takes, by the layout of 64-bit targets. */
  sizeOf(type: Type): LeafExpression<I64> {
    const { maker } = this;
    const { types } = maker.tables;
    const id = maker.types.id(type);
    if (!types.isComplete(id)) maker.operandsFault('sizeOf', 'a type with a size', id);
    return maker.integerConstant(types.i64, maker.layout.size(id)) as LeafExpression<I64>;
  }

  /** The byte offset of a member of a struct or union, by the layout of 64-bit targets. */
  offsetOf(type: Type, member: string | number): LeafExpression<I64> {
    const { maker } = this;
    const id = maker.types.id(type);
    const index = maker.memberIndex(id, member);
    return maker.integerConstant(
      maker.tables.types.i64,
      maker.layout.offset(id, index),
    ) as LeafExpression<I64>;
  }

  /** Calls a function, or a pointer to one. A call without result is a statement at once. */
  call<T extends Type>(callee: Expression<T>, ...given: ArgumentsOf<T>): Expression<ResultOf<T>> {
    return this.maker.call(callee, given as Operand[]) as Expression<ResultOf<T>>;
  }

  /**
   * Any operation of the opcode table that an expression may be. `type` is needed where the rules leave it open: casts and
   * load. `aux` is the word that the schema describes; a plain access unless it is given.
   */
  operation(name: OpcodeName, operands: readonly Operand[], type?: Type, aux?: number): Expression {
    const { maker } = this;
    const opcode = Opcode[name];
    if (opcode === undefined || !isExpressionOpcode(opcode))
      fail('VCT0307', { what: 'operation of an expression', found: String(name) }, callSite());
    const loaded = operands.map((operand) => (operand instanceof Place ? operand.load() : operand));
    const first = loaded.find((operand) => operand instanceof Expression) as Expression | undefined;
    const guess = first === undefined ? (NONE as TypeId) : first.typeId;
    const values = loaded.map((operand) => maker.expression(operand, guess, name));
    const id = type === undefined ? (NONE as TypeId) : maker.types.id(type);
    const usual = opcodeRow(opcode).aux === 'memory' ? 0 : NONE;
    return this.#statementOrValue(maker.operation(opcode, id, aux ?? usual, values));
  }

  /** Square root. */
  sqrt<T extends Type>(value: Expression<T>): Expression<T> {
    return this.operation('sqrt', [value]) as Expression<T>;
  }

  /** The value with its sign bit cleared. */
  fabs<T extends Type>(value: Expression<T>): Expression<T> {
    return this.operation('fabs', [value]) as Expression<T>;
  }

  /** The number of one bits. */
  popcount<T extends Type>(value: Expression<T>): Expression<T> {
    return this.operation('ctpop', [value]) as Expression<T>;
  }

  /** The high half of `high : low` shifted left by `amount` modulo the width; a rotation when both are the same value. */
  funnelShiftLeft<T extends Type>(high: Expression<T>, low: Operand<T>, amount: Operand<T>): Expression<T> {
    return this.operation('fshl', [high, low as Operand, amount as Operand]) as Expression<T>;
  }

  /** The clamped sum or difference. */
  saturating<T extends Type>(name: SaturatingName, left: Expression<T>, right: Operand<T>): Expression<T> {
    return this.operation(`${name}_sat`, [left, right as Operand]) as Expression<T>;
  }

  /** `{ T, i1 }`: the wrapped result, and whether it overflowed. */
  withOverflow<T extends Type>(name: OverflowName, left: Expression<T>, right: Operand<T>): Expression {
    return this.operation(`${name}_overflow`, [left, right as Operand]);
  }

  /** Atomic update; the old value. */
  atomicUpdate<T extends Type>(
    operation: AtomicOperation,
    pointer: Expression<T>,
    value: Operand<PointeeOf<T>>,
    ordering: Ordering = 'seq_cst',
  ): Expression<PointeeOf<T>> {
    const { maker } = this;
    const number = ATOMIC_OPERATIONS.indexOf(operation);
    if (number < 0) fail('VCT0307', { what: 'atomic operation', found: String(operation) }, callSite());
    const { typeId } = maker.dereference(pointer);
    const operand = maker.typed(value as Operand, typeId, 'atomicUpdate');
    const aux = orderingNumber(ordering) | (number << Aux.operationShift);
    return this.#statementOrValue(
      maker.operation(Opcode.atomicrmw, typeId, aux, [pointer, operand]),
    ) as Expression<PointeeOf<T>>;
  }

  /** Atomic compare and exchange: `{ T, i1 }` of the old value and whether the new one was written. */
  compareExchange<T extends Type>(
    pointer: Expression<T>,
    expected: Operand<PointeeOf<T>>,
    value: Operand<PointeeOf<T>>,
    options: { readonly success?: Ordering; readonly failure?: Ordering; readonly weak?: boolean } = {},
  ): Expression {
    const { maker } = this;
    const { success = 'seq_cst', failure = 'seq_cst', weak = false } = options;
    const { typeId } = maker.dereference(pointer);
    const aux =
      orderingNumber(success) | (orderingNumber(failure) << Aux.failureOrderingShift) | (weak ? Aux.weak : 0);
    return this.#statementOrValue(
      maker.operation(Opcode.cmpxchg, NONE as TypeId, aux, [
        pointer,
        maker.typed(expected as Operand, typeId, 'compareExchange'),
        maker.typed(value as Operand, typeId, 'compareExchange'),
      ]),
    );
  }

  /** Orders memory accesses. A statement. */
  fence(ordering: Ordering = 'seq_cst'): void {
    this.#statementOrValue(this.maker.operation(Opcode.fence, NONE as TypeId, orderingNumber(ordering), []));
  }

  /** Copies bytes between objects that do not overlap. A statement. */
  memcpy(destination: Expression, source: Expression, length: Operand<IntegerType>): void {
    this.#copy(Opcode.memcpy, destination, source, length);
  }

  /** Copies bytes; the ranges may overlap. A statement. */
  memmove(destination: Expression, source: Expression, length: Operand<IntegerType>): void {
    this.#copy(Opcode.memmove, destination, source, length);
  }

  /** Sets bytes. A statement. */
  memset(destination: Expression, byte: Operand<IntegerType>, length: Operand<IntegerType>): void {
    const { types } = this.maker.tables;
    const { maker } = this;
    const value = maker.expression(byte as Operand, types.u8);
    const count = maker.expression(length as Operand, types.i64);
    this.#statementOrValue(maker.operation(Opcode.memset, NONE as TypeId, 0, [destination, value, count]));
  }

  /** States that the condition is true. A statement. */
  assume(condition: Operand<I1>): void {
    const { maker } = this;
    const operand = maker.typed(condition as Operand, maker.tables.types.i1, 'assume');
    this.#statementOrValue(maker.operation(Opcode.assume, NONE as TypeId, NONE, [operand]));
  }

  #copy(opcode: number, destination: Expression, source: Expression, length: Operand<IntegerType>): void {
    const { maker } = this;
    const count = maker.expression(length as Operand, maker.tables.types.i64);
    this.#statementOrValue(maker.operation(opcode, NONE as TypeId, 0, [destination, source, count]));
  }

  /** What has no value can only be a statement; what has effects must be placed somewhere. */
  #statementOrValue(expression: Expression): Expression {
    const { maker } = this;
    if (expression.typeId === maker.tables.types.void) maker.place(expression);
    else maker.expectPlacement(expression);
    return expression;
  }
}

function orderingNumber(ordering: Ordering): number {
  const number = ORDERINGS.indexOf(ordering);
  if (number < 0) fail('VCT0307', { what: 'memory ordering', found: String(ordering) }, callSite());
  return number;
}
