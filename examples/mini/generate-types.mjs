// @ts-check
/** The types of mini as those of libVCT: one descriptor for each. */

import { array, f32, f64, fn, i1, integer, ptr, struct, voidType } from 'libvct';

/** @typedef {import('./types.mjs').Type} Type */

export class TypeGenerator {
  /** @type {Map<Type, import('libvct').Type>} */
  #types = new Map();

  /** Structs may point to each other: all are named first, and get their fields then. @param {import('./types.mjs').StructType[]} structs */
  defineStructs(structs) {
    const declared = structs.map((type) => struct.declare(type.name));
    for (const [index, type] of structs.entries()) this.#types.set(type, declared[index]);
    for (const [index, type] of structs.entries()) {
      const members = Object.fromEntries(type.fields.map((field) => [field.name, this.of(field.type)]));
      struct.define(declared[index], members);
    }
  }

  /** @param {Type} type */
  of(type) {
    const known = this.#types.get(type) ?? this.#make(type);
    this.#types.set(type, known);
    return known;
  }

  /** The function itself, of which a value of the type is a pointer to. @param {import('./types.mjs').FunctionType} type */
  function({ parameters, result, varargs }) {
    const given = parameters.map((parameter) => this.of(parameter));
    return fn(given, this.of(result), { varargs });
  }

  /** @param {Type} type @returns {import('libvct').Type} */
  #make(type) {
    switch (type.kind) {
      case 'void':
        return voidType;
      case 'bool':
        return i1;
      case 'integer':
        return integer(type.bits, type.signed);
      case 'float':
        return type.bits === 32 ? f32 : f64;
      case 'pointer':
        return ptr(this.of(type.to));
      case 'array':
        return array(this.of(type.element), type.count);
      case 'function':
        return ptr(this.function(type));
      case 'struct':
        throw new Error(`the struct ${type.name} was never declared`);
    }
  }
}
