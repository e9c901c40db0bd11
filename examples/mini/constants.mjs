// @ts-check
/**
 * Arithmetic at compile time. Literals and what is computed from them alone have no type yet: integers of any size
 * (`bigint`) and floats (`number`). They take the type of the place where they are used.
 */

import { MiniError } from './errors.mjs';
import { F64, I32, I64 } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 */

/** @type {Record<string, (a: bigint, b: bigint) => bigint>} */
const INTEGER_OPERATORS = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '&': (a, b) => a & b,
  '|': (a, b) => a | b,
  '^': (a, b) => a ^ b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
};

/** @type {Record<string, (a: number, b: number) => number>} */
const FLOAT_OPERATORS = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
};

/**
 * The value of `a operator b`, or undefined where the operator is none of arithmetic.
 * @param {string} operator @param {bigint | number} a @param {bigint | number} b @param {Place} at
 * @returns {bigint | number | undefined}
 */
export function compute(operator, a, b, at) {
  if (typeof a === 'number' || typeof b === 'number')
    return FLOAT_OPERATORS[operator]?.(Number(a), Number(b));
  if (b === 0n && (operator === '/' || operator === '%')) throw new MiniError('M016', 'division by zero', at);
  if ((b < 0n || b > 63n) && (operator === '<<' || operator === '>>')) {
    throw new MiniError('M016', `cannot shift by ${b}`, at);
  }
  const result = INTEGER_OPERATORS[operator]?.(a, b);
  if (result !== undefined && (result >= 1n << 128n || result < -(1n << 128n))) {
    throw new MiniError('M016', 'this constant is too large', at);
  }
  return result;
}

/** Whether an integer type holds the value. @param {bigint} value @param {Type & { kind: 'integer' }} type */
export function fits(value, type) {
  return value === wrap(value, type);
}

/** The value modulo the type's range. @param {bigint} value @param {Type & { kind: 'integer' }} type */
export function wrap(value, type) {
  return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
}

/** The type that a constant takes where nothing asks for another. @param {bigint | number} value @returns {Type} */
export function defaultType(value) {
  if (typeof value === 'number') return F64;
  return fits(value, /** @type {Type & { kind: 'integer' }} */ (I32)) ? I32 : I64;
}

/**
 * A constant as a value of the type; out of range is an error.
 * @param {bigint | number} value @param {Type} type @param {Place} at
 * @returns {TypedExpression}
 */
export function typedConstant(value, type, at) {
  if (type.kind === 'float') {
    const exact = Number(value);
    return { kind: 'constant', value: type.bits === 32 ? Math.fround(exact) : exact, type, at };
  }
  if (type.kind === 'integer' && typeof value === 'bigint') {
    if (fits(value, type)) return { kind: 'constant', value, type, at };
    throw new MiniError('M016', `${value} is out of the range of ${type.name}`, at);
  }
  const what = typeof value === 'bigint' ? 'an integer' : 'a float';
  throw new MiniError('M012', `cannot use ${what} as ${type.name}`, at);
}

/**
 * A constant converted by `as`: integers wrap, floats are cut off.
 * @param {bigint | number} value @param {Type} type @param {Place} at
 */
export function castConstant(value, type, at) {
  if (type.kind === 'integer') {
    if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw new MiniError('M016', `${value} is no integer`, at);
      value = BigInt(Math.trunc(value));
      if (!fits(value, type)) {
        throw new MiniError('M016', `${value} is out of the range of ${type.name}`, at);
      }
    }
    value = wrap(value, type);
  }
  return typedConstant(value, type, at);
}

/**
 * A checked expression with its arithmetic on constants done, as an initializer of a global must be.
 * @param {TypedExpression} node
 * @returns {TypedExpression}
 */
export function fold(node) {
  const { type, at } = node;
  switch (node.kind) {
    case 'constant':
    case 'string':
    case 'function':
    case 'zero':
      return node;
    case 'aggregate':
      return { ...node, members: node.members.map(fold) };
    case 'address': {
      if (node.place.kind === 'variable' && node.place.symbol.kind === 'global') return node;
      break;
    }
    case 'cast': {
      const operand = fold(node.operand);
      if (operand.kind === 'constant' && isNumeric(operand.value)) {
        return castConstant(operand.value, type, at);
      }
      if (operand.kind === 'constant' && typeof operand.value === 'boolean') {
        return castConstant(operand.value ? 1n : 0n, type, at);
      }
      break;
    }
    case 'unary': {
      const operand = fold(node.operand);
      if (operand.kind !== 'constant' || !isNumeric(operand.value)) break;
      if (node.operator === '-') return castConstant(-operand.value, type, at);
      if (typeof operand.value === 'bigint') return castConstant(~operand.value, type, at);
      break;
    }
    case 'binary': {
      const left = fold(node.left);
      const right = fold(node.right);
      if (left.kind !== 'constant' || right.kind !== 'constant') break;
      if (!isNumeric(left.value) || !isNumeric(right.value)) break;
      const value = compute(node.operator, left.value, right.value, at);
      if (value !== undefined) return castConstant(value, type, at);
      break;
    }
  }
  throw new MiniError('M014', 'this is not a constant: it must be known when the program is compiled', at);
}

/** @param {unknown} value @returns {value is bigint | number} */
function isNumeric(value) {
  return typeof value === 'bigint' || typeof value === 'number';
}
