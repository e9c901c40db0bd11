/**
 * Operations that are defined for every operand, made of guarded ones (design §8): masked shifts, division with an answer for zero,
 * conversion of floats that clamps. An operand that is needed twice is kept in a variable first, before the statement that uses
 * the result.
 */

import { fail } from '../../diag/diagnostic.js';
import { NONE, type TypeId } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { callSite } from './call-site.js';
import { type Expression, LeafExpression, type Operand } from './expression.js';
import { ExpressionOperations } from './expression-operations.js';
import { comparesSigned } from './operator-table.js';
import type { FloatType, I1, IntegerType, Type } from './types.js';

/** What `checked` gives. */
export interface CheckedResult<T extends Type> {
  readonly value: Expression<T>;
  readonly overflowed: Expression<I1>;
}

/** The total operations of a function builder. */
export abstract class TotalOperations extends ExpressionOperations {
  /** Keeps a value that is used more than once. */
  abstract let<T extends Type>(name: string, value: Expression<T>): Expression<T>;

  /** Ends the program, as by `abort`, when the condition is true. A statement. */
  abstract trapIf(condition: Operand<I1>): void;

  /**
   * The sum, difference or product, wrapped, and whether the exact one does not fit the type; both may be used many times. The sign of
   * the type says what fits.
   */
  checked<T extends IntegerType>(
    name: 'add' | 'sub' | 'mul',
    left: Expression<T>,
    right: Operand<T>,
  ): CheckedResult<T> {
    const { maker } = this;
    if (!maker.tables.types.isInteger(left.typeId))
      maker.operandsFault(`checked ${name}`, 'an integer', left.typeId);
    const sign = comparesSigned(maker.tables, left.typeId) ? 's' : 'u';
    const a = this.#kept('left', left);
    const b = this.#kept('right', maker.typed(right as Operand, left.typeId, `checked ${name}`));
    // The pair would be a variable in memory; of the two operations compilers make one.
    const overflowed = this.withOverflow(`${sign}${name}`, a, b).extract(1);
    return {
      value: this.let('value', maker.binary(name, a, b)) as Expression<T>,
      overflowed: this.let('overflowed', overflowed) as Expression<I1>,
    };
  }

  /** The quotient; ends the program when the divisor is 0, or when the lowest value is divided by -1. */
  divideOrTrap<T extends IntegerType>(left: Expression<T>, right: Operand<T>): Expression<T> {
    const [a, b] = this.#division(left, right as Operand);
    this.trapIf(this.#equals(b, 0n));
    if (comparesSigned(this.maker.tables, a.typeId)) {
      const lowest = -(1n << BigInt(this.maker.tables.types.width(a.typeId) - 1));
      this.trapIf(this.maker.logical('logicalAnd', this.#equals(b, -1n), this.#equals(a, lowest)));
    }
    return a.div(b) as Expression<T>;
  }

  /** The remainder; ends the program when the divisor is 0. That of the lowest value and -1 is 0. */
  remainderOrTrap<T extends IntegerType>(left: Expression<T>, right: Operand<T>): Expression<T> {
    const [a, b] = this.#division(left, right as Operand);
    this.trapIf(this.#equals(b, 0n));
    const usual = a.rem(b);
    if (!comparesSigned(this.maker.tables, a.typeId)) return usual as Expression<T>;
    return this.maker.conditional(this.#equals(b, -1n), this.zero(a.type), usual) as Expression<T>;
  }

  /** Shift left by the amount modulo the width. */
  shlMasked<T extends Type>(value: Expression<T>, amount: Operand<T>): Expression<T> {
    return value.shl(this.#masked(value, amount as Operand) as Operand<T>);
  }

  /** Shift right by the amount modulo the width: copies of the sign bit for `iN`, zeros for `uN`. */
  shrMasked<T extends Type>(value: Expression<T>, amount: Operand<T>): Expression<T> {
    return value.shr(this.#masked(value, amount as Operand) as Operand<T>);
  }

  /** The quotient, or `otherwise` when the divisor is 0; the lowest value divided by -1 wraps to itself. */
  divideOr<T extends IntegerType>(
    left: Expression<T>,
    right: Operand<T>,
    otherwise: Operand<T>,
  ): Expression<T> {
    return this.#guarded(
      left,
      right as Operand,
      otherwise as Operand,
      (a, b) => a.div(b),
      (a) => a.neg(),
    ) as Expression<T>;
  }

  /** The remainder, or `otherwise` when the divisor is 0; that of the lowest value and -1 is 0. */
  remainderOr<T extends IntegerType>(
    left: Expression<T>,
    right: Operand<T>,
    otherwise: Operand<T>,
  ): Expression<T> {
    return this.#guarded(
      left,
      right as Operand,
      otherwise as Operand,
      (a, b) => a.rem(b),
      (a) => this.zero(a.type),
    ) as Expression<T>;
  }

  /** The float as an integer, rounded to zero; NaN gives 0, and what does not fit the nearest value that does. */
  convertSaturating<Target extends IntegerType>(
    value: Expression<FloatType>,
    type: Target,
  ): Expression<Target> {
    const { maker } = this;
    const { types, constants } = maker.tables;
    const target = maker.types.id(type);
    if (!types.isFloat(value.typeId)) maker.operandsFault('convertSaturating', 'a float', value.typeId);
    if (!types.isInteger(target)) maker.operandsFault('convertSaturating', 'an integer type', target);
    const isSigned = comparesSigned(maker.tables, target);
    const width = types.width(target);
    const float = (bound: number) => maker.constant(constants.float(value.typeId, bound));
    const integer = (bound: bigint) => maker.constant(constants.integer(target, bound));
    const above = 2 ** (isSigned ? width - 1 : width);
    const highest = integer(isSigned ? (1n << BigInt(width - 1)) - 1n : -1n);
    const lowest = integer(isSigned ? -(1n << BigInt(width - 1)) : 0n);
    const kept = this.#kept('converted', value);
    const opcode = isSigned ? Opcode.fptosi : Opcode.fptoui;
    const inside = maker.operation(opcode, target, NONE, [kept]);
    // Both bounds are powers of two, so that they are exact in either float type, or infinite.
    const low = maker.conditional(maker.compare('le', kept, float(isSigned ? -above : 0)), lowest, inside);
    const high = maker.conditional(maker.compare('ge', kept, float(above)), highest, low);
    const isNumber = this.fcmp('ord', kept, kept);
    return maker.conditional(isNumber, high, integer(0n)) as Expression<Target>;
  }

  #masked(value: Expression, amount: Operand): Operand {
    const { maker } = this;
    const { types } = maker.tables;
    if (!types.isInteger(value.typeId)) maker.operandsFault('a masked shift', 'an integer', value.typeId);
    const width = types.width(value.typeId);
    const operand = maker.typed(amount, value.typeId, 'a masked shift');
    const isPower = (width & (width - 1)) === 0;
    const limit = maker.constant(
      maker.tables.constants.integer(value.typeId, BigInt(isPower ? width - 1 : width)),
    );
    return maker.operation(isPower ? Opcode.and : Opcode.urem, value.typeId, NONE, [operand, limit]);
  }

  #guarded(
    left: Expression,
    right: Operand,
    otherwise: Operand,
    operate: (a: Expression, b: Expression) => Expression,
    byMinusOne: (a: Expression) => Expression,
  ): Expression {
    const { maker } = this;
    const [a, b] = this.#division(left, right);
    const usual = operate(a, b);
    const guarded = comparesSigned(maker.tables, a.typeId)
      ? maker.conditional(this.#equals(b, -1n), byMinusOne(a), usual)
      : usual;
    const answer = maker.typed(otherwise, a.typeId, 'a checked division');
    return maker.conditional(this.#equals(b, 0n), answer, guarded);
  }

  /** Dividend and divisor, which may be used many times. */
  #division(left: Expression, right: Operand): readonly [Expression, Expression] {
    const { maker } = this;
    const type: TypeId = left.typeId;
    if (!maker.tables.types.isInteger(type)) maker.operandsFault('a checked division', 'an integer', type);
    const a = this.#kept('dividend', left);
    return [a, this.#kept('divisor', maker.typed(right, type, 'a checked division'))];
  }

  #equals(left: Expression, value: bigint): Expression<I1> {
    const { maker } = this;
    return maker.compare('eq', left, maker.constant(maker.tables.constants.integer(left.typeId, value)));
  }

  #kept(name: string, value: Expression): Expression {
    if (value instanceof LeafExpression) return value;
    if (this.maker.sink !== (this as unknown))
      fail('VCT0312', { what: this.maker.describe(value) }, callSite());
    return this.let(name, value);
  }
}
