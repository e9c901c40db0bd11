// @ts-check
/** Tokens to a syntax tree: declarations, statements and types. Expressions are in parse-expressions.mjs. */

import { MiniError } from './errors.mjs';
import { tokenize } from './lexer.mjs';
import { ExpressionParser } from './parse-expressions.mjs';

/**
 * @typedef {import('./tree.mjs').Declaration} Declaration
 * @typedef {import('./tree.mjs').Statement} Statement
 * @typedef {import('./tree.mjs').Parameter} Parameter
 * @typedef {import('./tree.mjs').TypeNode} TypeNode
 */

const ASSIGNMENTS = new Set(['=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '<<=', '>>=']);

/**
 * The declarations of a program.
 * @param {string} source
 * @returns {Declaration[]}
 */
export function parse(source) {
  return new Parser(tokenize(source)).program();
}

class Parser extends ExpressionParser {
  program() {
    /** @type {Declaration[]} */
    const declarations = [];
    while (this.token.kind !== 'end') declarations.push(this.declaration());
    return declarations;
  }

  /** @returns {Declaration} */
  declaration() {
    switch (this.token.text) {
      case 'fn':
      case 'extern':
        return this.functionDeclaration();
      case 'struct':
        return this.structDeclaration();
      case 'let':
      case 'const':
        return this.variable();
      default:
        throw this.expected('a declaration: fn, extern fn, struct, let or const');
    }
  }

  /** @returns {Declaration} */
  functionDeclaration() {
    const isExtern = this.accept('extern');
    this.expect('fn');
    const start = this.token;
    const name = this.name('a function name');
    const { parameters, varargs } = this.parameters();
    const result = this.accept(':') ? this.type() : undefined;
    const at = this.since(start);
    if (!isExtern) return { kind: 'function', name, parameters, result, body: this.block(), varargs, at };
    this.expect(';');
    return { kind: 'function', name, parameters, result, body: undefined, varargs, at };
  }

  parameters() {
    /** @type {Parameter[]} */
    const parameters = [];
    let varargs = false;
    this.list('(', ')', () => {
      if (this.accept('...')) {
        varargs = true;
        return;
      }
      const start = this.token;
      if (varargs) throw this.expected(') after ...');
      const name = this.name('a parameter name');
      this.expect(':');
      const type = this.type();
      parameters.push({ name, type, at: this.since(start) });
    });
    return { parameters, varargs };
  }

  /** @returns {Declaration} */
  structDeclaration() {
    this.expect('struct');
    const start = this.token;
    const name = this.name('a struct name');
    const at = this.since(start);
    this.expect('{');
    /** @type {Parameter[]} */
    const fields = [];
    while (!this.accept('}')) {
      const fieldStart = this.token;
      const fieldName = this.name('a field name');
      this.expect(':');
      const type = this.type();
      fields.push({ name: fieldName, type, at: this.since(fieldStart) });
      if (!this.is('}')) this.expect(';');
    }
    return { kind: 'struct', name, fields, at };
  }

  /** `let name: type = value;` or `const …`, inside and outside functions. @returns {import('./tree.mjs').VariableDeclaration} */
  variable() {
    const isConstant = this.next().text === 'const';
    const start = this.token;
    const name = this.name('a variable name');
    const type = this.accept(':') ? this.type() : undefined;
    const at = this.since(start);
    const value = this.accept('=') ? this.expression() : undefined;
    this.expect(';');
    return { kind: 'variable', name, isConstant, type, value, at };
  }

  // ---- statements

  /** @returns {Statement & { kind: 'block' }} */
  block() {
    const start = this.token;
    this.expect('{');
    return this.nested(start, () => {
      /** @type {Statement[]} */
      const statements = [];
      while (!this.is('}')) {
        if (this.token.kind === 'end') throw new MiniError('M003', 'this { is never closed', start);
        statements.push(this.statement());
      }
      const end = this.next();
      return { kind: 'block', statements, at: start, end };
    });
  }

  /** @returns {Statement} */
  statement() {
    const start = this.token;
    switch (start.text) {
      case '{':
        return this.block();
      case 'let':
      case 'const':
        return this.variable();
      case 'if':
        return this.ifStatement();
      case 'while':
      case 'do':
      case 'for':
        return this.loop(undefined);
      case 'switch':
        return this.switchStatement();
      case 'break':
      case 'continue': {
        const kind = /** @type {'break' | 'continue'} */ (this.next().text);
        const label = this.token.kind === 'name' ? this.next().text : undefined;
        const at = this.since(start);
        this.expect(';');
        return { kind, label, at };
      }
      case 'return': {
        this.next();
        const value = this.is(';') ? undefined : this.expression();
        const at = this.since(start);
        this.expect(';');
        return { kind: 'return', value, at };
      }
      case 'defer': {
        this.next();
        return { kind: 'defer', body: this.nested(start, () => this.statement()), at: start };
      }
      case ';':
        throw this.expected('a statement (write {} for an empty one)');
    }
    if (start.kind === 'name' && this.peek().text === ':') {
      const label = this.next().text;
      this.next();
      return this.loop(label);
    }
    const statement = this.simpleStatement();
    this.expect(';');
    return statement;
  }

  /** An assignment, `++`, `--` or a call: what may also stand as the step of a `for`. @returns {Statement} */
  simpleStatement() {
    const start = this.token;
    const place = this.expression();
    const operator = this.token.text;
    if (this.token.kind === 'symbol' && ASSIGNMENTS.has(operator)) {
      this.next();
      const value = this.expression();
      const at = this.since(start);
      return { kind: 'assign', operator: operator.slice(0, -1), place, value, at };
    }
    if (this.is('++') || this.is('--')) {
      const { line, column, length } = this.next();
      const at = this.since(start);
      /** @type {import('./tree.mjs').Expression} */
      const value = { kind: 'integer', value: 1n, at: { line, column, length } };
      return { kind: 'assign', operator: operator[0], place, value, at };
    }
    return { kind: 'expression', value: place, at: place.at };
  }

  /** @returns {Statement} */
  ifStatement() {
    const start = this.next();
    const condition = this.condition();
    const then = this.block();
    if (!this.accept('else')) return { kind: 'if', condition, then, otherwise: undefined, at: start };
    const otherwise = this.is('if') ? this.nested(start, () => this.ifStatement()) : this.block();
    return { kind: 'if', condition, then, otherwise, at: start };
  }

  /** @param {string | undefined} label @returns {Statement} */
  loop(label) {
    const start = this.next();
    switch (start.text) {
      case 'while': {
        const condition = this.condition();
        return { kind: 'while', label, condition, body: this.block(), at: start };
      }
      case 'do': {
        const body = this.block();
        this.expect('while');
        const condition = this.condition();
        this.expect(';');
        return { kind: 'doWhile', label, body, condition, at: start };
      }
      case 'for': {
        this.expect('(');
        const first = this.is(';') ? undefined : this.is('let') ? this.variable() : this.simpleStatement();
        if (first?.kind !== 'variable') this.expect(';');
        const condition = this.is(';') ? undefined : this.expression();
        this.expect(';');
        const step = this.is(')') ? undefined : this.simpleStatement();
        this.expect(')');
        return { kind: 'for', label, first, condition, step, body: this.block(), at: start };
      }
      default:
        throw new MiniError('M003', 'expected a loop after a label', start);
    }
  }

  /** @returns {Statement} */
  switchStatement() {
    const start = this.next();
    const value = this.condition();
    this.expect('{');
    /** @type {import('./tree.mjs').Arm[]} */
    const arms = [];
    while (!this.accept('}')) arms.push(this.arm());
    return { kind: 'switch', value, arms, at: start };
  }

  /** `case 1, 2: …` or `default: …`, up to the next arm. @returns {import('./tree.mjs').Arm} */
  arm() {
    const start = this.token;
    /** @type {import('./tree.mjs').Expression[] | undefined} */
    let values;
    if (this.accept('case')) {
      values = [];
      do values.push(this.expression());
      while (this.accept(','));
    } else if (!this.accept('default')) throw this.expected('case or default');
    this.expect(':');
    /** @type {Statement[]} */
    const statements = [];
    while (!this.is('case') && !this.is('default') && !this.is('}')) {
      statements.push(this.nested(start, () => this.statement()));
    }
    return { values, statements, at: start };
  }

  condition() {
    this.expect('(');
    const condition = this.expression();
    this.expect(')');
    return condition;
  }
}
