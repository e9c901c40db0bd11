// @ts-check
/**
 * The typed tree to a libVCT module. This is all that a language needs to do for its programs to run at once, to become C,
 * LLVM text or an executable.
 */

import { createModule, param, u8 } from 'libvct';
import { isConstant } from './generate-expressions.mjs';
import { generateFunction } from './generate-statements.mjs';
import { TypeGenerator } from './generate-types.mjs';

/**
 * @typedef {import('./tree.mjs').TypedProgram} TypedProgram
 * @typedef {import('./tree.mjs').TypedExpression} TypedExpression
 * @typedef {import('./tree.mjs').FunctionSymbol} FunctionSymbol
 * @typedef {import('./tree.mjs').VariableSymbol} VariableSymbol
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('libvct').HirModule} HirModule
 */

/**
 * Builds the module of a checked program.
 * @param {TypedProgram} program
 * @param {string} name the module's name
 * @param {string} file the source file, for positions
 * @returns {HirModule}
 */
export function generate(program, name, file) {
  return new ModuleGenerator(name, file).program(program);
}

/** What the functions of one program share. */
export class ModuleGenerator {
  /** @type {Map<FunctionSymbol, import('libvct').FunctionReference>} */
  functions = new Map();
  /** @type {Map<VariableSymbol, import('libvct').Global>} */
  globals = new Map();

  /** @param {string} name @param {string} file */
  constructor(name, file) {
    // Positions come from the program (`f.at`), not from the lines of this compiler.
    this.module = createModule(name, { file, positions: 'none' });
    this.types = new TypeGenerator();
  }

  /** @param {TypedProgram} program */
  program({ structs, globals, functions }) {
    this.types.defineStructs(structs);
    // Functions are named before any body is built, so that they can call each other.
    for (const symbol of functions) this.functions.set(symbol, this.#declare(symbol));
    for (const symbol of globals) this.globals.set(symbol, this.#global(symbol));
    for (const symbol of functions) {
      if (symbol.body) generateFunction(this, symbol);
    }
    return this.module.finish();
  }

  /** @param {FunctionSymbol} symbol */
  #declare({ name, type, parameters, body }) {
    if (!body) return this.module.declare(name, this.types.function(type));
    const linkage = name === 'main' ? 'export' : 'internal';
    const list = parameters.map((symbol) => param(symbol.name, this.types.of(symbol.type)));
    return this.module.function(name, list, this.types.of(type.result), undefined, { linkage });
  }

  /** @param {VariableSymbol} symbol */
  #global({ name, type, isConstant, value }) {
    const initial = value && this.literal(value);
    const given = this.types.of(type);
    return isConstant && initial !== undefined
      ? this.module.constant(name, given, initial)
      : this.module.global(name, given, initial);
  }

  /**
   * A constant expression as the literal that libVCT takes for it; members that are not constant count as zero.
   * @param {TypedExpression} node
   * @returns {import('libvct').LiteralValue}
   */
  literal(node) {
    switch (node.kind) {
      case 'constant':
        return node.value;
      case 'aggregate':
        return this.#members(node.type, node.members);
      case 'zero':
        return zero(node.type);
      case 'string':
        return this.module.string(node.bytes, u8);
      case 'function':
        return /** @type {import('libvct').FunctionReference} */ (this.functions.get(node.symbol));
      default:
        throw new Error(`${node.kind} is no constant`);
    }
  }

  /**
   * Members that are left out are zero.
   * @param {Type} type @param {TypedExpression[]} members
   * @returns {import('libvct').LiteralValue}
   */
  #members(type, members) {
    const literals = members.map((member) =>
      member.kind === 'aggregate' || isConstant(member) ? this.literal(member) : zero(member.type),
    );
    if (type.kind !== 'struct') return literals;
    return Object.fromEntries(type.fields.map(({ name }, index) => [name, literals[index]]));
  }
}

/** The literal of a type's zero. @param {Type} type @returns {import('libvct').LiteralValue} */
function zero({ kind }) {
  if (kind === 'struct' || kind === 'array') return [];
  if (kind === 'pointer' || kind === 'function') return null;
  return kind === 'bool' ? false : 0;
}
