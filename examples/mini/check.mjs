// @ts-check
/** The checker: a syntax tree to a typed one, in which nothing is left to decide. */

import { StatementChecker } from './check-statements.mjs';
import { fold } from './constants.mjs';
import { MiniError } from './errors.mjs';
import { Names } from './names.mjs';
import { functionType, I32, isAggregate, pointerTo, U8, VOID } from './types.mjs';

/**
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./tree.mjs').Declaration} Declaration
 * @typedef {import('./tree.mjs').FunctionDeclaration} FunctionDeclaration
 * @typedef {import('./tree.mjs').VariableDeclaration} VariableDeclaration
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 * @typedef {import('./tree.mjs').TypedProgram} TypedProgram
 * @typedef {import('./tree.mjs').VariableSymbol} VariableSymbol
 * @typedef {import('./tree.mjs').FunctionSymbol} FunctionSymbol
 */

/** The longest array that a program may have. */
const MAXIMUM_COUNT = 1n << 30n;

/**
 * Checks a program.
 * @param {Declaration[]} declarations
 * @returns {TypedProgram}
 */
export function check(declarations) {
  return new ProgramChecker(declarations).program();
}

class ProgramChecker extends StatementChecker {
  /** @type {VariableSymbol[]} */
  #globals = [];
  /** @type {FunctionSymbol[]} */
  #functions = [];

  /** @param {Declaration[]} declarations */
  constructor(declarations) {
    const names = new Names((count) => {
      const value = this.constantInteger(count);
      if (value > 0n && value <= MAXIMUM_COUNT) return Number(value);
      throw new MiniError('M016', `an array cannot have ${value} elements`, count.at);
    });
    super(names);
    this.declarations = declarations;
  }

  program() {
    const { names } = this;
    const functions = this.declarations.filter((node) => node.kind === 'function');
    const variables = this.declarations.filter((node) => node.kind === 'variable');
    for (const node of this.declarations) if (node.kind === 'struct') names.declareStruct(node);
    // Each constant and global is checked on its first use, so that their order does not matter.
    for (const node of variables) {
      names.define(node.name, { kind: 'pending', define: () => this.#variable(node), at: node.at });
    }
    names.completeStructs();
    const symbols = functions.map((node) => this.#signature(node));
    for (const node of variables) names.lookup(node.name, node.at);
    for (const [index, node] of functions.entries()) this.#body(node, symbols[index]);
    this.#main();
    return { structs: names.structs, globals: this.#globals, functions: this.#functions };
  }

  /** @param {FunctionDeclaration} node @returns {FunctionSymbol} */
  #signature(node) {
    /** @type {VariableSymbol[]} */
    const parameters = node.parameters.map(({ name, type, at }) => ({
      kind: 'local',
      name,
      type: this.names.parameterType(type),
      isConstant: false,
      at,
    }));
    const result = node.result ? this.names.resultType(node.result) : VOID;
    if (node.varargs && node.body) {
      throw new MiniError('M017', 'only an extern function takes variable arguments', node.at);
    }
    const type = functionType(
      parameters.map((parameter) => parameter.type),
      result,
      node.varargs,
    );
    /** @type {FunctionSymbol} */
    const symbol = { kind: 'function', name: node.name, type, parameters, at: node.at };
    this.names.define(node.name, symbol);
    this.#functions.push(symbol);
    return symbol;
  }

  /** @param {FunctionDeclaration} node @param {FunctionSymbol} symbol */
  #body(node, symbol) {
    if (!node.body) return;
    this.names.enter();
    for (const parameter of symbol.parameters) this.names.define(parameter.name, parameter);
    symbol.body = this.functionBody(node.body, symbol.type.result);
    this.names.leave();
  }

  /** A constant or global of the program. @param {VariableDeclaration} node */
  #variable({ name, isConstant, type: written, value: initial, at }) {
    if (!written && !initial) throw new MiniError('M019', `${name} needs a type or a value`, at);
    if (isConstant && !initial) throw new MiniError('M014', `the constant ${name} needs a value`, at);
    const wanted = written && this.names.valueType(written);
    const open = initial && !wanted ? this.untyped(initial) : undefined;
    if (isConstant && open !== undefined) {
      return { kind: /** @type {const} */ ('value'), value: open, type: undefined, at };
    }
    /** @type {TypedExpression} */
    let value = { kind: 'zero', type: /** @type {Type} */ (wanted), at };
    if (initial) value = fold(wanted ? this.value(initial, wanted) : this.expression(initial));
    if (isConstant && value.kind === 'constant' && value.value !== null && !isAggregate(value.type)) {
      return { kind: /** @type {const} */ ('value'), value: value.value, type: value.type, at };
    }
    /** @type {VariableSymbol} */
    const symbol = { kind: 'global', name, type: value.type, isConstant, value, at };
    this.#globals.push(symbol);
    return symbol;
  }

  /** A program starts in `main`, which is as in C. */
  #main() {
    const main = this.#functions.find((symbol) => symbol.name === 'main');
    const start = { line: 1, column: 1 };
    if (!main?.body) throw new MiniError('M010', 'the program has no function main', start);
    const shapes = [functionType([], I32), functionType([I32, pointerTo(pointerTo(U8))], I32)];
    if (shapes.includes(main.type)) return;
    throw new MiniError('M012', 'main is fn main(): i32 or fn main(argc: i32, argv: **u8): i32', main.at);
  }
}
