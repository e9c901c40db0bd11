// @ts-check
/** What every name means: nested scopes for locals, one scope for the whole program, and the types that are written. */

import { MiniError } from './errors.mjs';
import { arrayOf, functionType, NAMED_TYPES, pointerTo, VOID } from './types.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {import('./types.mjs').Type} Type
 * @typedef {import('./types.mjs').StructType} StructType
 * @typedef {import('./tree.mjs').TypeNode} TypeNode
 * @typedef {import('./tree.mjs').Expression} Expression
 * @typedef {import('./tree.mjs').StructDeclaration} StructDeclaration
 * @typedef {{ kind: 'value', value: bigint | number | boolean, type: Type | undefined, at: Place }} ConstantSymbol
 * @typedef {import('./tree.mjs').VariableSymbol | import('./tree.mjs').FunctionSymbol | ConstantSymbol} NamedSymbol
 *
 * A constant of the program may be used above its definition, so that it is checked on first use: `pending`.
 * @typedef {{ kind: 'pending', define: () => NamedSymbol, at: Place }} PendingSymbol
 */

export class Names {
  /** @type {Map<string, NamedSymbol | PendingSymbol>[]} */
  #scopes = [new Map()];
  /** @type {Map<string, { type: StructType, declaration: StructDeclaration, state: 'new' | 'open' | 'done' }>} */
  #structs = new Map();
  /** Structs in an order in which each stands after those that it contains. @type {StructType[]} */
  structs = [];

  /** @param {(count: Expression) => number} arrayCount evaluates the count of an array type */
  constructor(arrayCount) {
    this.arrayCount = arrayCount;
  }

  // ---- scopes

  enter() {
    this.#scopes.push(new Map());
  }

  leave() {
    this.#scopes.pop();
  }

  /** @param {string} name @param {NamedSymbol | PendingSymbol} symbol */
  define(name, symbol) {
    const scope = this.#scopes[this.#scopes.length - 1];
    const other = scope.get(name);
    if (other) {
      throw new MiniError('M011', `${name} is already defined in line ${other.at.line}`, symbol.at);
    }
    scope.set(name, symbol);
  }

  /** @param {string} name @param {Place} at @returns {NamedSymbol} */
  lookup(name, at) {
    for (let level = this.#scopes.length - 1; level >= 0; level--) {
      const symbol = this.#scopes[level].get(name);
      if (symbol === undefined) continue;
      return symbol.kind === 'pending' ? this.#resolve(name, symbol) : symbol;
    }
    throw new MiniError('M010', `unknown name ${name}`, at);
  }

  /** @param {string} name @param {PendingSymbol} pending @returns {NamedSymbol} */
  #resolve(name, pending) {
    const cyclic = () => {
      throw new MiniError('M014', `${name} is defined by itself`, pending.at);
    };
    this.#scopes[0].set(name, { ...pending, define: cyclic });
    const symbol = pending.define();
    this.#scopes[0].set(name, symbol);
    return symbol;
  }

  // ---- types

  /** @param {StructDeclaration} declaration */
  declareStruct(declaration) {
    const { name, at } = declaration;
    const other = this.#structs.get(name);
    if (other) {
      throw new MiniError('M011', `${name} is already defined in line ${other.declaration.at.line}`, at);
    }
    if (NAMED_TYPES.has(name)) throw new MiniError('M011', `${name} is a type of the language`, at);
    this.#structs.set(name, { type: { kind: 'struct', name, fields: [] }, declaration, state: 'new' });
  }

  /** Gives every struct its fields. */
  completeStructs() {
    for (const name of this.#structs.keys()) this.#complete(name);
  }

  /** @param {string} name */
  #complete(name) {
    const entry = this.#structs.get(name);
    if (!entry || entry.state === 'done') return;
    const { type, declaration } = entry;
    if (entry.state === 'open') {
      throw new MiniError('M019', `${name} contains itself; use a pointer *${name}`, declaration.at);
    }
    if (declaration.fields.length === 0) {
      throw new MiniError('M019', 'a struct has at least one field', declaration.at);
    }
    entry.state = 'open';
    for (const field of declaration.fields) {
      if (type.fields.some((other) => other.name === field.name)) {
        throw new MiniError('M011', `${name} has two fields ${field.name}`, field.at);
      }
      type.fields.push({ name: field.name, type: this.valueType(field.type) });
    }
    entry.state = 'done';
    this.structs.push(type);
  }

  /** The type that a type node writes. @param {TypeNode} node @returns {Type} */
  type(node) {
    switch (node.kind) {
      case 'named': {
        const type = NAMED_TYPES.get(node.name) ?? this.#structs.get(node.name)?.type;
        if (type) return type;
        throw new MiniError('M010', `unknown type ${node.name}`, node.at);
      }
      case 'pointer':
        return pointerTo(this.type(node.to));
      case 'array':
        return arrayOf(this.valueType(node.element), this.arrayCount(node.count));
      case 'function': {
        const result = node.result ? this.resultType(node.result) : VOID;
        return functionType(
          node.parameters.map((parameter) => this.parameterType(parameter)),
          result,
        );
      }
    }
  }

  /** A type of which there can be a variable: complete, and not void. @param {TypeNode} node */
  valueType(node) {
    const type = this.type(node);
    if (type === VOID) throw new MiniError('M019', 'void is not the type of a value', node.at);
    let inner = type;
    while (inner.kind === 'array') inner = inner.element;
    if (inner.kind === 'struct') this.#complete(inner.name);
    return type;
  }

  /** @param {TypeNode} node */
  parameterType(node) {
    const type = this.valueType(node);
    if (type.kind !== 'array') return type;
    throw new MiniError('M012', `an array cannot be passed by value; use *${type.element.name}`, node.at);
  }

  /** @param {TypeNode} node */
  resultType(node) {
    const type = this.type(node);
    if (type.kind !== 'array') return type;
    throw new MiniError('M012', 'an array cannot be returned; wrap it in a struct', node.at);
  }
}
