// @ts-check
/** Conversions between types: the silent ones, which lose nothing, and those of `as`. */

import { MiniError } from './errors.mjs';
import { BOOL, I32, isNumber, pointerTo, widens } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 */

/** Whether the expression names a place in memory or a variable. @param {TypedExpression} node @returns {boolean} */
export function isPlace(node) {
  let root = node;
  while (root.kind === 'field' || root.kind === 'element') root = root.base;
  return root.kind === 'variable' || root.kind === 'deref';
}

/** An array as a pointer to its first element; anything else as it is. @param {TypedExpression} node */
export function decay(node) {
  if (node.type.kind !== 'array' || !isPlace(node)) return node;
  const { at } = node;
  const { element } = node.type;
  /** @type {TypedExpression} */
  const zero = { kind: 'constant', value: 0n, type: I32, at };
  /** @type {TypedExpression} */
  const first = { kind: 'element', base: node, index: zero, type: element, at };
  return /** @type {TypedExpression} */ ({ kind: 'address', place: first, type: pointerTo(element), at });
}

/**
 * The expression as a value of the type, where that needs no `as`.
 * @param {TypedExpression} node @param {Type} type
 * @returns {TypedExpression}
 */
export function convert(node, type) {
  if (node.type === type) return node;
  const value = type.kind === 'pointer' ? decay(node) : node;
  if (value.type === type) return value;
  if (isNull(value) && type.kind === 'function') return { ...value, type };
  if (widens(value.type, type)) return cast(value, type, node.at);
  const hint = canCast(value.type, type) ? `; write \`as ${type.name}\` to convert it` : '';
  throw new MiniError('M012', `cannot use a value of type ${node.type.name} as ${type.name}${hint}`, node.at);
}

/**
 * `node as type`.
 * @param {TypedExpression} node @param {Type} type @param {Place} at
 * @returns {TypedExpression}
 */
export function explicitCast(node, type, at) {
  const value = type.kind === 'array' ? node : decay(node);
  if (value.type === type) return value;
  if (canCast(value.type, type)) return cast(value, type, at);
  throw new MiniError('M012', `cannot convert a value of type ${node.type.name} to ${type.name}`, at);
}

/** @param {TypedExpression} operand @param {Type} type @param {Place} at @returns {TypedExpression} */
function cast(operand, type, at) {
  if (operand.kind === 'constant' && operand.value === null) return { ...operand, type };
  if (operand.kind === 'constant' && type.kind === 'integer' && typeof operand.value === 'bigint') {
    const value = type.signed
      ? BigInt.asIntN(type.bits, operand.value)
      : BigInt.asUintN(type.bits, operand.value);
    return { kind: 'constant', value, type, at };
  }
  return { kind: 'cast', operand, type, at };
}

/** @param {TypedExpression} node */
const isNull = (node) => node.kind === 'constant' && node.value === null;

/** Whether `as` converts one type to the other. @param {Type} from @param {Type} to */
function canCast(from, to) {
  if (isNumber(from) && isNumber(to)) return true;
  if (from === BOOL) return to.kind === 'integer';
  const isAddress = (/** @type {Type} */ type) => type.kind === 'pointer' || type.kind === 'function';
  if (isAddress(from)) return isAddress(to) || (to.kind === 'integer' && to.bits === 64);
  return isAddress(to) && from.kind === 'integer' && from.bits === 64;
}
