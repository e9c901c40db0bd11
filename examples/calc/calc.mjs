#!/usr/bin/env node
// @ts-check
/**
 * calc: a whole compiler in one file. It turns lines of arithmetic into a program that prints their values.
 *
 *     node examples/calc/calc.mjs run 'r = 2; 3.14159 * r ^ 2'         12.56636
 *     node examples/calc/calc.mjs c   'r = 2; 3.14159 * r ^ 2'         the same program in C
 *
 * The parser asks libVCT's builder for each piece of the program as it reads it: there is no tree in between.
 */

import { createModule, emitC, f64, fn, i8, i32, ptr, run } from 'libvct';

/** @typedef {import('libvct').Expression<import('libvct').F64>} Value */

/** How tightly each operator binds, and the expression that it makes. */
const OPERATORS = new Map(
  /** @type {[string, { strength: number, build: (a: Value, b: Value) => Value }][]} */ ([
    ['+', { strength: 1, build: (a, b) => a.add(b) }],
    ['-', { strength: 1, build: (a, b) => a.sub(b) }],
    ['*', { strength: 2, build: (a, b) => a.mul(b) }],
    ['/', { strength: 2, build: (a, b) => a.div(b) }],
  ]),
);

/**
 * Compiles `name = expression` and `expression`, separated by `;` or line ends, to a module. Its main prints each value
 * that gets no name.
 * @param {string} source
 */
export function compile(source) {
  const module = createModule('calc', { file: 'calc', positions: 'none' });
  const printf = module.declare('printf', fn([ptr(i8)], i32, { varargs: true }));
  const pow = module.declare('pow', fn([f64, f64], f64));

  module.function('main', [], i32, { linkage: 'export' }, (f) => {
    const tokens = new Tokens(source);
    /** @type {Map<string, import('libvct').Variable<import('libvct').F64>>} */
    const variables = new Map();

    /** A number, a variable, `-value` or `(expression)`. @returns {Value} */
    function value() {
      const token = tokens.next();
      f.at(token.line, token.column);
      if (token.kind === 'number') return f.constant(f64, Number(token.text));
      if (token.text === '-') return power().neg();
      if (token.text === '(') {
        const inner = expression();
        tokens.expect(')');
        return inner;
      }
      if (token.kind !== 'name') throw new CalcError(`expected a value, found ${token.text}`, token);
      const variable = variables.get(token.text);
      if (variable === undefined) throw new CalcError(`${token.text} has no value yet`, token);
      return variable;
    }

    /** `value ^ power`, from right to left. @returns {Value} */
    function power() {
      const base = value();
      return tokens.accept('^') ? f.call(pow, base, power()) : base;
    }

    /** A row of operators that bind at least this tightly. @returns {Value} */
    function expression(strength = 1) {
      let left = power();
      for (;;) {
        const operator = OPERATORS.get(tokens.current.text);
        if (!operator || operator.strength < strength) return left;
        tokens.next();
        left = operator.build(left, expression(operator.strength + 1));
      }
    }

    while (!tokens.isAtEnd) {
      const start = tokens.current;
      const name = tokens.assignedName();
      const result = expression();
      f.at(start.line, start.column);
      if (name === undefined) f.evaluate(f.call(printf, module.string('%.10g\n'), result));
      else if (variables.has(name)) variables.get(name)?.set(result);
      else variables.set(name, f.variable(name, f64, result));
      tokens.expectEndOfStatement();
    }
    f.return(0);
  });
  return module.finish();
}

/** What is wrong with a text, and where. */
export class CalcError extends Error {
  /** @param {string} message @param {{ line: number, column: number }} place */
  constructor(message, { line, column }) {
    super(`calc:${line}:${column}: ${message}`);
  }
}

/**
 * The words of a text, one after the other.
 * @typedef {{ kind: 'number' | 'name' | 'symbol' | 'separator' | 'end', text: string, line: number, column: number }} Token
 */
class Tokens {
  /** @type {Token[]} */
  #tokens = [];
  #position = 0;

  /** @param {string} source */
  constructor(source) {
    let line = 1;
    let lineStart = 0;
    for (const match of source.matchAll(/(\d+\.?\d*|\.\d+)|([A-Za-z_]\w*)|([;\n])|#.*|\S/g)) {
      const [text, number, name, separator] = match;
      if (text[0] === '#') continue;
      const kind = number ? 'number' : name ? 'name' : separator ? 'separator' : 'symbol';
      const shown = text === '\n' ? 'the end of the line' : text;
      this.#tokens.push({ kind, text: shown, line, column: match.index - lineStart + 1 });
      if (text !== '\n') continue;
      line++;
      lineStart = match.index + 1;
    }
    this.#tokens.push({ kind: 'end', text: 'the end', line, column: source.length - lineStart + 1 });
    this.#skipSeparators();
  }

  get current() {
    return this.#tokens[this.#position];
  }

  get isAtEnd() {
    return this.current.kind === 'end';
  }

  next() {
    const { current } = this;
    if (!this.isAtEnd) this.#position++;
    return current;
  }

  /** @param {string} text */
  accept(text) {
    if (this.current.text !== text) return false;
    this.next();
    return true;
  }

  /** @param {string} text */
  expect(text) {
    if (!this.accept(text)) throw new CalcError(`expected ${text}, found ${this.current.text}`, this.current);
  }

  /** The name of a statement `name = …`, up to its expression. */
  assignedName() {
    const { kind, text } = this.current;
    if (kind !== 'name' || this.#tokens[this.#position + 1].text !== '=') return undefined;
    this.#position += 2;
    return text;
  }

  expectEndOfStatement() {
    if (!this.isAtEnd && this.current.kind !== 'separator') this.expect('an operator');
    this.#skipSeparators();
  }

  #skipSeparators() {
    while (this.current.kind === 'separator') this.next();
  }
}

if (process.argv[1]?.endsWith('calc.mjs')) {
  const [command, source = ''] = process.argv.slice(2);
  try {
    if (command === 'run') process.stdout.write(run(compile(source)).stdout);
    else if (command === 'c') process.stdout.write(emitC(compile(source)).text);
    else throw new Error("usage: calc.mjs run|c 'r = 2; 3.14159 * r ^ 2'");
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
