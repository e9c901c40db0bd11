// @ts-check
/** Tokens to expressions and types, by precedence climbing. */

import { MiniError } from './errors.mjs';

/**
 * @typedef {import('./tree.mjs').Expression} Expression
 * @typedef {import('./tree.mjs').TypeNode} TypeNode
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./lexer.mjs').Token} Token
 */

/** Binding strength of the binary operators: as in C, but bitwise ones bind tighter than comparisons. */
const PRECEDENCE = new Map(
  [
    ['||'],
    ['&&'],
    ['==', '!=', '<', '<=', '>', '>='],
    ['|'],
    ['^'],
    ['&'],
    ['<<', '>>'],
    ['+', '-'],
    ['*', '/', '%'],
  ].flatMap((operators, level) => operators.map((operator) => [operator, level + 1])),
);

const PREFIXES = new Set(['-', '!', '~', '*', '&']);

/** Deep enough for every program that a person writes, and shallow enough for the stack of Node. */
const MAXIMUM_NESTING = 400;
/** How many operators may stand in one row, such as `a + b + c + …`. */
const MAXIMUM_OPERATORS = 1000;

export class ExpressionParser {
  #position = 0;
  #depth = 0;

  /** @param {Token[]} tokens */
  constructor(tokens) {
    this.tokens = tokens;
  }

  // ---- tokens

  get token() {
    return this.tokens[this.#position];
  }

  peek() {
    return this.tokens[Math.min(this.#position + 1, this.tokens.length - 1)];
  }

  next() {
    const { token } = this;
    if (token.kind !== 'end') this.#position++;
    return token;
  }

  /** @param {string} text */
  is(text) {
    return this.token.text === text && (this.token.kind === 'symbol' || this.token.kind === 'keyword');
  }

  /** @param {string} text */
  accept(text) {
    if (!this.is(text)) return false;
    this.#position++;
    return true;
  }

  /** @param {string} text */
  expect(text) {
    if (!this.accept(text)) throw this.expected(text);
  }

  /** @param {string} what */
  expected(what) {
    const { kind, text } = this.token;
    const found = kind === 'end' ? 'the end of the program' : text;
    return new MiniError('M003', `expected ${what}, found ${found}`, this.token);
  }

  /** @param {string} what */
  name(what) {
    if (this.token.kind !== 'name') throw this.expected(what);
    return this.next().text;
  }

  /** The place from a token to the one just read, or to the end of its own line. @param {Token} start @returns {Place} */
  since(start) {
    const last = this.tokens[Math.max(0, this.#position - 1)];
    const length = last.line === start.line ? last.column + last.length - start.column : start.length;
    return { line: start.line, column: start.column, length };
  }

  /** `( item, item )`. @param {string} open @param {string} close @param {() => void} item */
  list(open, close, item) {
    this.expect(open);
    while (!this.accept(close)) {
      item();
      if (!this.is(close)) this.expect(',');
    }
  }

  /** @template T @param {Token} at @param {() => T} parse @returns {T} */
  nested(at, parse) {
    if (++this.#depth > MAXIMUM_NESTING) {
      throw new MiniError('M004', `nested deeper than ${MAXIMUM_NESTING} levels`, at);
    }
    const result = parse();
    this.#depth--;
    return result;
  }

  // ---- types

  /** @returns {TypeNode} */
  type() {
    const start = this.token;
    return this.nested(start, () => {
      if (this.accept('*')) return { kind: 'pointer', to: this.type(), at: this.since(start) };
      if (this.accept('[')) {
        const count = this.expression();
        this.expect(']');
        return { kind: 'array', count, element: this.type(), at: this.since(start) };
      }
      if (this.accept('fn')) {
        /** @type {TypeNode[]} */
        const parameters = [];
        this.list('(', ')', () => parameters.push(this.type()));
        const result = this.accept(':') ? this.type() : undefined;
        return { kind: 'function', parameters, result, at: this.since(start) };
      }
      return { kind: 'named', name: this.name('a type'), at: this.since(start) };
    });
  }

  // ---- expressions

  /** @returns {Expression} */
  expression() {
    const start = this.token;
    return this.nested(start, () => {
      const condition = this.binary(1);
      if (!this.accept('?')) return condition;
      const then = this.expression();
      this.expect(':');
      const otherwise = this.expression();
      return { kind: 'conditional', condition, then, otherwise, at: this.since(start) };
    });
  }

  /** A row of operators is as deep a tree as nesting is, so it has a limit too. @param {number} count */
  #limitRow(count) {
    if (count < MAXIMUM_OPERATORS) return;
    throw new MiniError('M004', `more than ${MAXIMUM_OPERATORS} operators in a row`, this.token);
  }

  /** @param {number} minimum @returns {Expression} */
  binary(minimum) {
    const start = this.token;
    let left = this.unary();
    for (let count = 0; ; count++) {
      const precedence = this.token.kind === 'symbol' ? (PRECEDENCE.get(this.token.text) ?? 0) : 0;
      if (precedence < minimum) return left;
      this.#limitRow(count);
      const operator = this.next().text;
      const right = this.binary(precedence + 1);
      left = { kind: 'binary', operator, left, right, at: this.since(start) };
    }
  }

  /** A prefix expression and its casts: `-x as i64` is `(-x) as i64`. @returns {Expression} */
  unary() {
    const start = this.token;
    let operand = this.prefix();
    for (let count = 0; this.accept('as'); count++) {
      this.#limitRow(count);
      const to = this.type();
      operand = { kind: 'cast', operand, to, at: this.since(start) };
    }
    return operand;
  }

  /** @returns {Expression} */
  prefix() {
    const start = this.token;
    if (start.kind !== 'symbol' || !PREFIXES.has(start.text)) return this.postfix();
    this.next();
    const operand = this.nested(start, () => this.prefix());
    return { kind: 'unary', operator: start.text, operand, at: this.since(start) };
  }

  /** @returns {Expression} */
  postfix() {
    const start = this.token;
    let base = this.primary();
    for (let count = 0; ; count++) {
      this.#limitRow(count);
      if (this.accept('.')) {
        const name = this.name('a field name');
        base = { kind: 'field', base, name, at: this.since(start) };
      } else if (this.accept('[')) {
        const index = this.expression();
        this.expect(']');
        base = { kind: 'index', base, index, at: this.since(start) };
      } else if (this.is('(')) {
        /** @type {Expression[]} */
        const values = [];
        this.list('(', ')', () => values.push(this.expression()));
        base = { kind: 'call', callee: base, values, at: this.since(start) };
      } else return base;
    }
  }

  /** @returns {Expression} */
  primary() {
    const { token } = this;
    const { line, column, length } = token;
    const at = { line, column, length };
    if (token.kind === 'integer') {
      this.next();
      return { kind: 'integer', value: /** @type {bigint} */ (token.value), at };
    }
    if (token.kind === 'float') {
      this.next();
      return { kind: 'float', value: /** @type {number} */ (token.value), at };
    }
    if (token.kind === 'string') return this.string();
    if (token.kind === 'name') {
      const name = this.next().text;
      return this.is('{') ? this.structure(token, name) : { kind: 'name', name, at };
    }
    if (this.accept('true')) return { kind: 'boolean', value: true, at };
    if (this.accept('false')) return { kind: 'boolean', value: false, at };
    if (this.accept('null')) return { kind: 'null', at };
    if (this.accept('sizeof')) {
      this.expect('(');
      const of = this.type();
      this.expect(')');
      return { kind: 'sizeof', of, at: this.since(token) };
    }
    if (this.accept('(')) {
      const inner = this.expression();
      this.expect(')');
      return inner;
    }
    if (this.is('[')) {
      /** @type {Expression[]} */
      const elements = [];
      this.list('[', ']', () => elements.push(this.expression()));
      return { kind: 'array', elements, at: this.since(token) };
    }
    throw this.expected('an expression');
  }

  /** String literals that follow one another are one string. @returns {Expression} */
  string() {
    const start = this.token;
    let bytes = /** @type {Uint8Array} */ (this.next().value);
    while (this.token.kind === 'string') {
      const more = /** @type {Uint8Array} */ (this.next().value);
      const joined = new Uint8Array(bytes.length + more.length);
      joined.set(bytes);
      joined.set(more, bytes.length);
      bytes = joined;
    }
    return { kind: 'string', bytes, at: this.since(start) };
  }

  /** `Name { field: value, … }`. @param {Token} start @param {string} name @returns {Expression} */
  structure(start, name) {
    /** @type {{ name: string, value: Expression, at: Place }[]} */
    const fields = [];
    this.list('{', '}', () => {
      const fieldStart = this.token;
      const fieldName = this.name('a field name');
      this.expect(':');
      const value = this.expression();
      fields.push({ name: fieldName, value, at: this.since(fieldStart) });
    });
    return { kind: 'structure', name, fields, at: this.since(start) };
  }
}
