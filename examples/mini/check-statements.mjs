// @ts-check
/** Statements: scopes, jumps, and whether control can reach the end of a function. */

import { ExpressionChecker } from './check-expressions.mjs';
import { MiniError } from './errors.mjs';
import { BOOL, isInteger, VOID } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').Expression} Expression
 * @typedef {import('./tree.mjs').Statement} Statement
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 * @typedef {import('./tree.mjs').TypedStatement} TypedStatement
 * @typedef {import('./tree.mjs').VariableSymbol} VariableSymbol
 *
 * What `break` and `continue` can leave. A defer is a wall that neither may cross.
 * @typedef {{ kind: 'loop' | 'switch' | 'defer', label: string | undefined, isLeft: boolean }} Target
 */

/** @template {Statement['kind']} Kind @typedef {Extract<Statement, { kind: Kind }>} Of */

export class StatementChecker extends ExpressionChecker {
  /** @type {Target[]} */
  #targets = [];
  /** Whether control can come to the statement that is checked next. */
  #isReachable = true;
  /** @type {Type} */
  #result = VOID;

  /**
   * The body of a function, whose parameters are in scope.
   * @param {Of<'block'>} body @param {Type} result
   */
  functionBody(body, result) {
    this.#targets = [];
    this.#isReachable = true;
    this.#result = result;
    const block = this.#block(body.statements, body.at);
    if (this.#isReachable && result !== VOID) {
      throw new MiniError('M018', `the function can end here without returning ${result.name}`, body.end);
    }
    return block;
  }

  /** @param {Statement} node @returns {TypedStatement} */
  statement(node) {
    const { at } = node;
    switch (node.kind) {
      case 'block':
        return this.#block(node.statements, at);
      case 'variable':
        return this.#variable(node);
      case 'expression':
        return { kind: 'expression', value: this.effect(node.value), at };
      case 'assign':
        return this.#assign(node);
      case 'if':
        return this.#if(node);
      case 'while':
      case 'doWhile':
        return this.#while(node);
      case 'for':
        return this.#for(node);
      case 'switch':
        return this.#switch(node);
      case 'break':
      case 'continue':
        return this.#jump(node);
      case 'return':
        return this.#return(node);
      case 'defer': {
        const { body } = this.#within('defer', undefined, () => this.statement(node.body));
        return { kind: 'defer', body, at };
      }
    }
  }

  /** @param {Statement[]} statements @param {Place} at @returns {TypedStatement} */
  #block(statements, at) {
    this.names.enter();
    const checked = statements.map((node) => this.statement(node));
    this.names.leave();
    return { kind: 'block', statements: checked, at };
  }

  /** @param {Of<'variable'>} node @returns {TypedStatement} */
  #variable({ name, isConstant, type: written, value: initial, at }) {
    if (!written && !initial) throw new MiniError('M019', `${name} needs a type or a value`, at);
    if (isConstant && !initial) throw new MiniError('M014', `the constant ${name} needs a value`, at);
    const wanted = written && this.names.valueType(written);
    /** @type {TypedExpression} */
    let value;
    if (!initial) value = { kind: 'zero', type: /** @type {Type} */ (wanted), at };
    else value = wanted ? this.value(initial, wanted) : this.expression(initial);
    if (value.type === VOID) throw new MiniError('M012', 'a call of a void function has no value', value.at);
    /** @type {VariableSymbol} */
    const symbol = { kind: 'local', name, type: value.type, isConstant, at };
    this.names.define(name, symbol);
    return { kind: 'declare', symbol, value, at };
  }

  /** @param {Of<'assign'>} node @returns {TypedStatement} */
  #assign({ operator, place: target, value, at }) {
    const place = this.place(target);
    if (operator === '') return { kind: 'assign', place, value: this.value(value, place.type), at };
    // The operation is checked as a whole, then taken apart: the back end computes the place only once.
    const computed = this.arithmetic(operator, place, value, at);
    if (computed.type !== place.type) {
      throw new MiniError(
        'M012',
        `${operator}= would turn ${place.type.name} into ${computed.type.name}`,
        at,
      );
    }
    if (computed.kind === 'offset')
      return { kind: 'update', place, operator: '+', value: computed.index, at };
    if (computed.kind === 'binary') return { kind: 'update', place, operator, value: computed.right, at };
    throw new MiniError('M012', `${operator}= does not work on ${place.type.name}`, at);
  }

  /** @param {Of<'if'>} node @returns {TypedStatement} */
  #if(node) {
    const condition = this.value(node.condition, BOOL);
    const isReachable = this.#isReachable;
    const then = this.statement(node.then);
    const isThenOpen = this.#isReachable;
    this.#isReachable = isReachable;
    const otherwise = node.otherwise && this.statement(node.otherwise);
    this.#isReachable ||= isThenOpen;
    return { kind: 'if', condition, then, otherwise, at: node.at };
  }

  /** @param {Of<'while'> | Of<'doWhile'>} node @returns {TypedStatement} */
  #while(node) {
    const { kind, label, at } = node;
    const condition = this.value(node.condition, BOOL);
    const { body, target } = this.#within('loop', label, () => this.statement(node.body));
    this.#isReachable = !isTrue(condition) || target.isLeft;
    return { kind, label, condition, body, at };
  }

  /** @param {Of<'for'>} node @returns {TypedStatement} */
  #for(node) {
    const { label, at } = node;
    this.names.enter();
    const first = node.first && this.statement(node.first);
    /** @type {TypedExpression} */
    const always = { kind: 'constant', value: true, type: BOOL, at };
    const condition = node.condition ? this.value(node.condition, BOOL) : always;
    const step = node.step && this.statement(node.step);
    const { body, target } = this.#within('loop', label, () => this.statement(node.body));
    this.#isReachable = !isTrue(condition) || target.isLeft;
    this.names.leave();
    return { kind: 'for', label, first, condition, step, body, at };
  }

  /** @param {Of<'switch'>} node @returns {TypedStatement} */
  #switch(node) {
    const { at } = node;
    const value = this.expression(node.value);
    if (!isInteger(value.type)) {
      throw new MiniError('M012', `switch wants an integer, not ${value.type.name}`, value.at);
    }
    const seen = new Set();
    const isReachable = this.#isReachable;
    const { body: arms, target } = this.#within('switch', undefined, () =>
      node.arms.map((arm, index) => {
        const values = arm.values?.map((item) => this.#caseValue(item, value.type, seen));
        if (!values && seen.has('default')) throw new MiniError('M011', 'a second default', arm.at);
        if (!values) seen.add('default');
        this.#isReachable = isReachable;
        const last = arm.statements.at(-1);
        const endsWithBreak = last?.kind === 'break' && last.label === undefined;
        // The break that ends an arm is its form; no statement is made of it.
        const statements = endsWithBreak ? arm.statements.slice(0, -1) : arm.statements;
        const block = this.#block(statements, arm.at);
        if (endsWithBreak) this.#leave(at, undefined, this.#isReachable);
        const fallsThrough = this.#isReachable && !endsWithBreak && index < node.arms.length - 1;
        const isOpen = this.#isReachable;
        if (endsWithBreak) this.#isReachable = false;
        return { values, statements: [block], fallsThrough: fallsThrough && isOpen, at: arm.at };
      }),
    );
    this.#isReachable ||= !seen.has('default') || target.isLeft;
    return { kind: 'switch', value, arms, at };
  }

  /** @param {Expression} node @param {Type} type @param {Set<unknown>} seen */
  #caseValue(node, type, seen) {
    const converted = this.value(node, type);
    const value =
      converted.kind === 'constant' ? /** @type {bigint} */ (converted.value) : this.constantInteger(node);
    if (seen.has(value)) throw new MiniError('M011', `a second case ${value}`, node.at);
    seen.add(value);
    return value;
  }

  /** @param {Extract<Statement, { label: string | undefined }> & { kind: 'break' | 'continue' }} node @returns {TypedStatement} */
  #jump({ kind, label, at }) {
    if (kind === 'break') this.#leave(at, label, true);
    else this.#find(at, label, 'continue');
    this.#isReachable = false;
    return { kind, label, at };
  }

  /** @param {Place} at @param {string | undefined} label @param {boolean} isReachable */
  #leave(at, label, isReachable) {
    const target = this.#find(at, label, 'break');
    target.isLeft ||= isReachable;
  }

  /** What a break or continue at this place leaves. @param {Place} at @param {string | undefined} label @param {string} kind */
  #find(at, label, kind) {
    for (let index = this.#targets.length - 1; index >= 0; index--) {
      const target = this.#targets[index];
      if (target.kind === 'defer') break;
      if (target.kind === 'switch' && kind === 'continue') continue;
      if (label === undefined || target.label === label) return target;
    }
    const what = label === undefined ? (kind === 'break' ? 'loop or switch' : 'loop') : `loop ${label}`;
    throw new MiniError('M017', `${kind} outside of any ${what}`, at);
  }

  /** @param {Of<'return'>} node @returns {TypedStatement} */
  #return(node) {
    if (this.#targets.some((target) => target.kind === 'defer')) {
      throw new MiniError('M017', 'return inside defer', node.at);
    }
    const result = this.#result;
    if (node.value && result === VOID) {
      throw new MiniError('M015', 'this function returns nothing', node.value.at);
    }
    if (!node.value && result !== VOID) {
      throw new MiniError('M015', `this function returns ${result.name}`, node.at);
    }
    const value = node.value && this.value(node.value, result);
    this.#isReachable = false;
    return { kind: 'return', value, at: node.at };
  }

  /**
   * Checks a body within which `break` and `continue` have a new target.
   * @template T
   * @param {Target['kind']} kind @param {string | undefined} label @param {() => T} check
   */
  #within(kind, label, check) {
    /** @type {Target} */
    const target = { kind, label, isLeft: false };
    this.#targets.push(target);
    const body = check();
    this.#targets.pop();
    return { body, target };
  }
}

/** @param {TypedExpression} node */
const isTrue = (node) => node.kind === 'constant' && node.value === true;
