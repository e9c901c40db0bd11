// @ts-check
/**
 * Expressions: names resolved, types found, conversions made nodes of their own.
 *
 * A constant without a type (see constants.mjs) takes the type that the place wants, `expected`; everything else has one
 * type and is converted only where no value can be lost.
 */

import { OperatorChecker } from './check-operators.mjs';
import { castConstant, compute, defaultType, fold, typedConstant } from './constants.mjs';
import { convert, decay, explicitCast, isPlace } from './conversions.mjs';
import { MiniError } from './errors.mjs';
import { arrayOf, BOOL, F64, I32, isInteger, layout, pointerTo, U8, VOID } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').Expression} Expression
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 */

/** @template {Expression['kind']} Kind @typedef {Extract<Expression, { kind: Kind }>} Of */

export class ExpressionChecker extends OperatorChecker {
  /** @type {Map<Expression, bigint | number | undefined>} */
  #untyped = new Map();

  /**
   * @override
   * @param {Expression} node @param {Type} [expected] the type that a constant without a type takes
   * @returns {TypedExpression}
   */
  expression(node, expected) {
    const { at } = node;
    const constant = this.untyped(node);
    if (constant !== undefined) {
      const fallback = defaultType(constant);
      const wanted = expected?.kind === 'float' || (expected?.kind === 'integer' && fallback !== F64);
      return typedConstant(constant, wanted ? /** @type {Type} */ (expected) : fallback, at);
    }
    switch (node.kind) {
      case 'boolean':
        return { kind: 'constant', value: node.value, type: BOOL, at };
      case 'null': {
        const isPointer = expected?.kind === 'pointer' || expected?.kind === 'function';
        return { kind: 'constant', value: null, type: isPointer ? expected : pointerTo(VOID), at };
      }
      case 'string':
        return { kind: 'string', bytes: node.bytes, type: pointerTo(U8), at };
      case 'name':
        return this.#name(node);
      case 'array':
        return this.#array(node, expected);
      case 'structure':
        return this.#structure(node);
      case 'unary':
        return this.unary(node, expected);
      case 'binary':
        return this.binary(node, expected);
      case 'conditional': {
        const condition = this.value(node.condition, BOOL);
        const [then, otherwise] = this.alike(node.then, node.otherwise, expected, at);
        return { kind: 'conditional', condition, then, otherwise, type: then.type, at };
      }
      case 'cast':
        return this.#cast(node);
      case 'call':
        return this.#call(node);
      case 'field':
        return this.#field(node);
      case 'index':
        return this.#index(node);
      default:
        throw new Error(`no rule for ${node.kind}`);
    }
  }

  /** The expression as a value of the type. @param {Expression} node @param {Type} type */
  value(node, type) {
    return convert(this.expression(node, type), type);
  }

  /** The expression as a place that may be written. @param {Expression} node */
  place(node) {
    const place = this.expression(node);
    if (!isPlace(place)) throw new MiniError('M013', 'this is a value, not a place to assign to', node.at);
    let root = place;
    while (root.kind === 'field' || root.kind === 'element') root = root.base;
    if (root.kind === 'variable' && root.symbol.isConstant) {
      throw new MiniError('M013', `${root.symbol.name} is constant`, node.at);
    }
    return place;
  }

  /** An expression that stands for its effect: its value, if any, is dropped. @param {Expression} node */
  effect(node) {
    if (node.kind !== 'call') {
      throw new MiniError('M017', 'this has no effect: expected a call or an assignment', node.at);
    }
    return this.expression(node);
  }

  /**
   * The value of a constant that has no type yet.
   * @override
   * @param {Expression} node
   * @returns {bigint | number | undefined}
   */
  untyped(node) {
    if (!this.#untyped.has(node)) this.#untyped.set(node, this.#evaluate(node));
    return this.#untyped.get(node);
  }

  /** @param {Expression} node @returns {bigint | number | undefined} */
  #evaluate(node) {
    switch (node.kind) {
      case 'integer':
      case 'float':
        return node.value;
      case 'sizeof':
        return BigInt(layout(this.names.valueType(node.of)).size);
      case 'name': {
        const symbol = this.names.lookup(node.name, node.at);
        if (symbol.kind !== 'value' || symbol.type || typeof symbol.value === 'boolean') return undefined;
        return symbol.value;
      }
      case 'unary': {
        if (node.operator !== '-' && node.operator !== '~') return undefined;
        const value = this.untyped(node.operand);
        if (typeof value === 'bigint') return node.operator === '-' ? -value : ~value;
        return value === undefined || node.operator === '~' ? undefined : -value;
      }
      case 'binary': {
        const left = this.untyped(node.left);
        const right = left === undefined ? undefined : this.untyped(node.right);
        if (left === undefined || right === undefined) return undefined;
        return compute(node.operator, left, right, node.at);
      }
    }
    return undefined;
  }

  /** @param {Of<'name'>} node @returns {TypedExpression} */
  #name({ name, at }) {
    const symbol = this.names.lookup(name, at);
    if (symbol.kind === 'function') return { kind: 'function', symbol, type: symbol.type, at };
    if (symbol.kind !== 'value') return { kind: 'variable', symbol, type: symbol.type, at };
    return { kind: 'constant', value: symbol.value, type: symbol.type ?? BOOL, at };
  }

  /** @param {Of<'array'>} node @param {Type} [expected] @returns {TypedExpression} */
  #array({ elements, at }, expected) {
    const wanted = expected?.kind === 'array' ? expected : undefined;
    if (elements.length === 0 && !wanted) {
      throw new MiniError('M012', 'an empty array literal needs a type', at);
    }
    if (wanted && elements.length > wanted.count) {
      throw new MiniError('M015', `${elements.length} elements for ${wanted.name}`, at);
    }
    let element = wanted?.element;
    const members = elements.map((node) => {
      const member = element ? this.value(node, element) : this.expression(node);
      element = member.type;
      return member;
    });
    const type = wanted ?? arrayOf(/** @type {Type} */ (element), members.length);
    return { kind: 'aggregate', members, type, at };
  }

  /** @param {Of<'structure'>} node @returns {TypedExpression} */
  #structure({ name, fields, at }) {
    const type = this.names.valueType({ kind: 'named', name, at });
    if (type.kind !== 'struct') throw new MiniError('M012', `${name} is not a struct`, at);
    /** @type {TypedExpression[]} */
    const members = type.fields.map((field) => ({ kind: 'zero', type: field.type, at }));
    const seen = new Set();
    for (const field of fields) {
      const index = fieldIndex(type, field.name, field.at);
      if (seen.has(index)) throw new MiniError('M011', `${field.name} is given twice`, field.at);
      seen.add(index);
      members[index] = this.value(field.value, type.fields[index].type);
    }
    return { kind: 'aggregate', members, type, at };
  }

  /** @param {Of<'cast'>} node @returns {TypedExpression} */
  #cast({ operand, to, at }) {
    const type = this.names.type(to);
    const constant = this.untyped(operand);
    if (constant !== undefined && (type.kind === 'integer' || type.kind === 'float')) {
      return castConstant(constant, type, at);
    }
    return explicitCast(this.expression(operand, type), type, at);
  }

  /** @param {Of<'call'>} node @returns {TypedExpression} */
  #call({ callee, values, at }) {
    const target = this.expression(callee);
    const { type } = target;
    if (type.kind !== 'function') {
      throw new MiniError('M012', `cannot call a value of type ${type.name}`, callee.at);
    }
    const count = type.parameters.length;
    if (type.varargs ? values.length < count : values.length !== count) {
      const wanted = `${type.varargs ? 'at least ' : ''}${count}`;
      throw new MiniError('M015', `expected ${wanted} arguments, found ${values.length}`, at);
    }
    const checked = values.map((node, index) =>
      index < count ? this.value(node, type.parameters[index]) : this.#promoted(node),
    );
    return { kind: 'call', callee: target, values: checked, type: type.result, at };
  }

  /** A variable argument, widened as C's default argument promotions do. @param {Expression} node */
  #promoted(node) {
    const value = decay(this.expression(node));
    const { type } = value;
    if (type.kind === 'struct') {
      throw new MiniError('M012', 'a struct cannot be a variable argument', node.at);
    }
    if (type === BOOL) return explicitCast(value, I32, node.at);
    if (type.kind === 'integer' && type.bits < 32) return convert(value, I32);
    return type.kind === 'float' ? convert(value, F64) : value;
  }

  /** @param {Of<'field'>} node @returns {TypedExpression} */
  #field({ base, name, at }) {
    let value = this.expression(base);
    if (value.type.kind === 'pointer') {
      value = { kind: 'deref', pointer: value, type: value.type.to, at: value.at };
    }
    const { type } = value;
    if (type.kind !== 'struct') throw new MiniError('M012', `${type.name} has no fields`, base.at);
    const index = fieldIndex(type, name, at);
    return { kind: 'field', base: value, index, type: type.fields[index].type, at };
  }

  /** @param {Of<'index'>} node @returns {TypedExpression} */
  #index({ base, index, at }) {
    const value = this.expression(base);
    const position = this.position(index);
    if (value.type.kind === 'array') {
      if (!isPlace(value)) {
        throw new MiniError('M013', 'put this array into a variable to index it', base.at);
      }
      return { kind: 'element', base: value, index: position, type: value.type.element, at };
    }
    if (value.type.kind !== 'pointer' || value.type.to === VOID) {
      throw new MiniError('M012', `cannot index a value of type ${value.type.name}`, base.at);
    }
    const { to } = value.type;
    const pointer = {
      kind: /** @type {const} */ ('offset'),
      pointer: value,
      index: position,
      type: value.type,
      at,
    };
    return { kind: 'deref', pointer, type: to, at };
  }

  /** An expression that must be known now, such as the count of an array. @param {Expression} node */
  constantInteger(node) {
    const value = fold(this.expression(node));
    if (value.kind === 'constant' && typeof value.value === 'bigint' && isInteger(value.type))
      return value.value;
    throw new MiniError('M014', 'expected a constant integer', node.at);
  }
}

/** @param {Type & { kind: 'struct' }} type @param {string} name @param {Place} at */
function fieldIndex(type, name, at) {
  const index = type.fields.findIndex((field) => field.name === name);
  if (index < 0) throw new MiniError('M010', `${type.name} has no field ${name}`, at);
  return index;
}
