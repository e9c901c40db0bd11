// @ts-check
/** Unary and binary operators: which types they take, and which they give. */

import { defaultType } from './constants.mjs';
import { convert, decay, explicitCast, isPlace } from './conversions.mjs';
import { MiniError } from './errors.mjs';
import { BOOL, F64, I64, isNumber, pointerTo, VOID, widens } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').Expression} Expression
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 */

const COMPARISONS = new Set(['==', '!=', '<', '<=', '>', '>=']);
const INTEGER_ONLY = new Set(['&', '|', '^', '<<', '>>']);

/**
 * The half of the expression checker that deals with operators.
 * @abstract
 */
export class OperatorChecker {
  /** @param {import('./names.mjs').Names} names */
  constructor(names) {
    this.names = names;
  }

  /** @abstract @param {Expression} node @param {Type} [_expected] @returns {TypedExpression} */
  expression(node, _expected) {
    throw new Error(`no rule for ${node.kind}`);
  }

  /** @abstract @param {Expression} _node @returns {bigint | number | undefined} */
  untyped(_node) {
    return undefined;
  }

  /** @param {Extract<Expression, { kind: 'unary' }>} node @param {Type} [expected] @returns {TypedExpression} */
  unary({ operator, operand: inner, at }, expected) {
    const operand = this.expression(inner, expected);
    const { type } = operand;
    switch (operator) {
      case '&':
        if (operand.kind === 'function') return operand;
        if (!isPlace(operand)) throw new MiniError('M013', 'only a place has an address', at);
        return { kind: 'address', place: operand, type: pointerTo(type), at };
      case '*':
        if (type.kind !== 'pointer' || type.to === VOID) break;
        return { kind: 'deref', pointer: operand, type: type.to, at };
      case '!':
        if (type !== BOOL) break;
        return { kind: 'unary', operator, operand, type, at };
      case '~':
        if (type.kind !== 'integer') break;
        return { kind: 'unary', operator, operand, type, at };
      case '-':
        if (!isNumber(type)) break;
        return { kind: 'unary', operator, operand, type, at };
    }
    throw new MiniError('M012', `${operator} does not work on ${type.name}`, at);
  }

  /** @param {Extract<Expression, { kind: 'binary' }>} node @param {Type} [expected] @returns {TypedExpression} */
  binary({ operator, left, right, at }, expected) {
    if (operator === '&&' || operator === '||') {
      const condition = this.#condition(left);
      return { kind: 'logical', operator, left: condition, right: this.#condition(right), type: BOOL, at };
    }
    if (COMPARISONS.has(operator)) {
      const operands = this.alike(left, right, undefined, at);
      const { type } = operands[0];
      const isOrdered = isNumber(type) || type.kind === 'pointer';
      const isEquality = operator === '==' || operator === '!=';
      if (!isOrdered && !(isEquality && (type === BOOL || type.kind === 'function'))) {
        throw new MiniError('M012', `${operator} does not work on ${type.name}`, at);
      }
      return { kind: 'binary', operator, left: operands[0], right: operands[1], type: BOOL, at };
    }
    if (operator === '<<' || operator === '>>') {
      return this.arithmetic(operator, this.expression(left, expected), right, at);
    }
    if (this.untyped(left) === undefined) {
      return this.arithmetic(operator, this.expression(left, expected), right, at);
    }
    const [first, second] = this.alike(left, right, expected, at);
    return this.#operation(operator, first, second, at);
  }

  /**
   * `left operator right` for a checked left side: also what `left operator= right` computes.
   * @param {string} operator @param {TypedExpression} left @param {Expression} right @param {Place} at
   * @returns {TypedExpression}
   */
  arithmetic(operator, left, right, at) {
    left = decay(left);
    if (left.type.kind === 'pointer') return this.#pointerArithmetic(operator, left, right, at);
    if (operator === '<<' || operator === '>>') {
      const amount = this.expression(right, left.type);
      if (left.type.kind !== 'integer' || amount.type.kind !== 'integer') {
        const wrong = left.type.kind !== 'integer' ? left.type : amount.type;
        throw new MiniError('M012', `${operator} does not work on ${wrong.name}`, at);
      }
      return this.#operation(operator, left, explicitCast(amount, left.type, at), at);
    }
    const [first, second] = this.#unified(left, this.expression(right, left.type), at);
    return this.#operation(operator, first, second, at);
  }

  /** @param {string} operator @param {TypedExpression} left @param {TypedExpression} right @param {Place} at */
  #operation(operator, left, right, at) {
    const { type } = left;
    if (!isNumber(type) || (type.kind === 'float' && INTEGER_ONLY.has(operator))) {
      throw new MiniError('M012', `${operator} does not work on ${type.name}`, at);
    }
    return /** @type {TypedExpression} */ ({ kind: 'binary', operator, left, right, type, at });
  }

  /**
   * @param {string} operator @param {TypedExpression} left @param {Expression} right @param {Place} at
   * @returns {TypedExpression}
   */
  #pointerArithmetic(operator, left, right, at) {
    const { type } = left;
    if (type.kind !== 'pointer' || type.to === VOID || (operator !== '+' && operator !== '-')) {
      throw new MiniError('M012', `${operator} does not work on ${type.name}`, at);
    }
    const index = decay(this.expression(right, I64));
    if (operator === '-' && index.type === type)
      return { kind: 'distance', left, right: index, type: I64, at };
    const steps = this.steps(index);
    /** @type {TypedExpression} */
    const moved =
      operator === '+'
        ? steps
        : { kind: 'unary', operator: '-', operand: convert(steps, I64), type: I64, at };
    return { kind: 'offset', pointer: left, index: moved, type, at };
  }

  /** An index: signed, of any width. @param {Expression} node */
  position(node) {
    return this.steps(this.expression(node, I64));
  }

  /** @param {TypedExpression} index @returns {TypedExpression} */
  steps(index) {
    if (index.type.kind !== 'integer') {
      throw new MiniError('M012', `an index must be an integer, not ${index.type.name}`, index.at);
    }
    return index.type.signed ? index : explicitCast(index, I64, index.at);
  }

  /** @param {Expression} node */
  #condition(node) {
    return convert(this.expression(node, BOOL), BOOL);
  }

  /**
   * Both expressions as values of one type.
   * @param {Expression} left @param {Expression} right @param {Type | undefined} expected @param {Place} at
   * @returns {[TypedExpression, TypedExpression]}
   */
  alike(left, right, expected, at) {
    const isLeftOpen = this.untyped(left) !== undefined || left.kind === 'null';
    const isRightOpen = this.untyped(right) !== undefined || right.kind === 'null';
    if (isLeftOpen && !isRightOpen) {
      const second = decay(this.expression(right, expected));
      return this.#unified(this.expression(left, second.type), second, at);
    }
    if (isLeftOpen && isRightOpen) expected ??= this.#openType(left, right);
    const first = decay(this.expression(left, expected));
    return this.#unified(first, decay(this.expression(right, first.type)), at);
  }

  /** A type that holds two constants without a type. @param {Expression} left @param {Expression} right */
  #openType(left, right) {
    const types = [left, right].map((node) => defaultType(this.untyped(node) ?? 0n));
    return types.includes(F64) ? F64 : types.includes(I64) ? I64 : types[0];
  }

  /**
   * @param {TypedExpression} left @param {TypedExpression} right @param {Place} at
   * @returns {[TypedExpression, TypedExpression]}
   */
  #unified(left, right, at) {
    if (widens(right.type, left.type)) return [left, convert(right, left.type)];
    if (widens(left.type, right.type)) return [convert(left, right.type), right];
    const message = `${left.type.name} and ${right.type.name} do not mix; convert one of them with \`as\``;
    throw new MiniError('M012', message, at);
  }
}
