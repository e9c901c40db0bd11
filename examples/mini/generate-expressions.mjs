// @ts-check
/** Expressions of the typed tree to expressions of libVCT. */

import { i1, u8 } from 'libvct';
import { isPlace } from './conversions.mjs';

/**
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 * @typedef {import('./tree.mjs').VariableSymbol} VariableSymbol
 * @typedef {import('./generate.mjs').ModuleGenerator} ModuleGenerator
 * @typedef {import('libvct').Expression} Expression
 * @typedef {import('libvct').FunctionBuilder} FunctionBuilder
 * @typedef {import('libvct').Place} Place
 * @typedef {import('libvct').Variable} Variable
 */

/** @template {TypedExpression['kind']} Kind @typedef {Extract<TypedExpression, { kind: Kind }>} Of */

/** libVCT chooses the signed, unsigned or float operation by the type of the operands. */
const OPERATIONS = /** @type {const} */ ({
  '+': 'add',
  '-': 'sub',
  '*': 'mul',
  '/': 'div',
  '%': 'rem',
  '&': 'and',
  '|': 'or',
  '^': 'xor',
  '<<': 'shl',
  '>>': 'shr',
  '==': 'eq',
  '!=': 'ne',
  '<': 'lt',
  '<=': 'le',
  '>': 'gt',
  '>=': 'ge',
});

export class ExpressionGenerator {
  /** The variables in scope. @type {Map<VariableSymbol, Variable>} */
  variables = new Map();

  /** @param {ModuleGenerator} program @param {FunctionBuilder} f */
  constructor(program, f) {
    this.program = program;
    this.f = f;
  }

  /** What is built next stems from this place of the program. @param {import('./errors.mjs').Place} place */
  at({ line, column }) {
    this.f.at(line, column);
  }

  /** The value of an expression. @param {TypedExpression} node @returns {Expression} */
  value(node) {
    const { f, program } = this;
    switch (node.kind) {
      case 'constant':
        return f.constant(program.types.of(node.type), node.value);
      case 'zero':
        return f.zero(program.types.of(node.type));
      case 'string':
        return program.module.string(node.bytes, u8);
      case 'function':
        return /** @type {Expression} */ (program.functions.get(node.symbol));
      case 'aggregate':
        return this.#aggregate(node);
      case 'unary': {
        const operand = this.value(node.operand);
        this.at(node.at);
        return node.operator === '-' ? operand.neg() : operand.not();
      }
      case 'binary':
        return this.binary(node.operator, this.value(node.left), node.right, node.at);
      case 'logical': {
        const left = this.condition(node.left);
        const right = this.condition(node.right);
        this.at(node.at);
        return node.operator === '&&' ? f.logicalAnd(left, right) : f.logicalOr(left, right);
      }
      case 'conditional': {
        const condition = this.condition(node.condition);
        const then = this.value(node.then);
        const otherwise = this.value(node.otherwise);
        this.at(node.at);
        return f.conditional(condition, then, otherwise);
      }
      case 'cast': {
        const operand = this.value(node.operand);
        this.at(node.at);
        return f.convert(operand, program.types.of(node.type));
      }
      case 'call':
        return this.#call(node);
      case 'address':
        return this.#address(node);
      case 'offset': {
        const pointer = this.value(node.pointer);
        const index = this.value(node.index);
        this.at(node.at);
        return pointer.at(index).address();
      }
      case 'distance':
        return this.#distance(node);
      default:
        return this.#read(node);
    }
  }

  /** A value that the checker knows to be a bool; `as` tells the type checker of this file. @param {TypedExpression} node */
  condition(node) {
    return this.value(node).as(i1);
  }

  /**
   * `left operator right`; the left side is built already.
   * @param {string} operator @param {Expression} left @param {TypedExpression} right
   * @param {import('./errors.mjs').Place} at
   */
  binary(operator, left, right, at) {
    const operand = this.value(right);
    this.at(at);
    return this.f.binary(OPERATIONS[/** @type {keyof typeof OPERATIONS} */ (operator)], left, operand);
  }

  /**
   * The place that an expression names: a variable, or a place in memory, which libVCT makes one address of.
   * @param {TypedExpression} node
   * @returns {Variable | Place}
   */
  place(node) {
    const { program } = this;
    switch (node.kind) {
      case 'variable':
        return node.symbol.kind === 'local'
          ? /** @type {Variable} */ (this.variables.get(node.symbol))
          : /** @type {Place} */ (program.globals.get(node.symbol));
      case 'deref': {
        const { pointer } = node;
        if (pointer.kind !== 'offset') return this.value(pointer).deref();
        return this.value(pointer.pointer).at(this.value(pointer.index));
      }
      case 'field': {
        const { fields } = /** @type {import('./types.mjs').StructType} */ (node.base.type);
        return this.place(node.base).field(fields[node.index].name);
      }
      case 'element':
        return this.place(node.base).at(this.value(node.index));
      default:
        throw new Error(`${node.kind} is no place`);
    }
  }

  /** The value that a place holds, or a field of a value. @param {TypedExpression} node */
  #read(node) {
    if (node.kind === 'variable' && node.symbol.kind === 'local') {
      return /** @type {Variable} */ (this.variables.get(node.symbol));
    }
    if (node.kind === 'field' && !isPlace(node)) {
      const whole = this.value(node.base);
      this.at(node.at);
      return whole.extract(node.index);
    }
    const place = /** @type {Place} */ (this.place(node));
    this.at(node.at);
    return place.load();
  }

  /** @param {Of<'address'>} node */
  #address(node) {
    const place = this.place(node.place);
    this.at(node.at);
    return place.address();
  }

  /** @param {Of<'aggregate'>} node @returns {Expression} */
  #aggregate(node) {
    const { f, program } = this;
    const type = program.types.of(node.type);
    if (isConstant(node)) return f.constant(type, program.literal(node));
    /** @type {Expression} */
    let whole = f.zero(type);
    for (const [index, member] of node.members.entries()) {
      if (member.kind === 'zero') continue;
      const value = this.value(member);
      this.at(node.at);
      whole = whole.insert(index, value);
    }
    return whole;
  }

  /** @param {Of<'call'>} node */
  #call({ callee, values, at }) {
    const target = this.value(callee);
    const given = values.map((value) => this.value(value));
    this.at(at);
    return this.f.call(target, ...given);
  }

  /** The addresses' difference in elements. @param {Of<'distance'>} node */
  #distance({ left, right, type, at }) {
    const { f, program } = this;
    const { to } = /** @type {import('./types.mjs').PointerType} */ (left.type);
    const result = program.types.of(type);
    const [from, end] = [right, left].map((node) => this.value(node));
    this.at(at);
    const bytes = f.convert(end, result).sub(f.convert(from, result));
    return bytes.div(f.sizeOf(program.types.of(to)));
  }
}

/** Whether an aggregate holds nothing but constants. @param {TypedExpression} node @returns {boolean} */
export function isConstant(node) {
  if (node.kind === 'aggregate') return node.members.every(isConstant);
  return (
    node.kind === 'constant' || node.kind === 'string' || node.kind === 'function' || node.kind === 'zero'
  );
}
