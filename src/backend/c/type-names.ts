/**
 * The C names of VIR types (008 Table 2), the same in every function's text.
 *
 * A value of type `ptr<T>` is written `M *`, where M is the name of T as a place in memory. VIR knows no type-based aliasing:
 * bytes may be read as any type. C does, so M is a typedef with `may_alias` where T is a scalar, and structs and unions carry
 * the attribute (008/X3). Character types may alias anyway and keep their plain names.
 */

import { NONE, type TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { TypeTable } from '../../types/type-table.js';
import { type NameScope, sanitizeGlobalName } from './names.js';

/** A mangled name longer than this is replaced by its hash. */
const LONGEST_MANGLED = 40;

/** Names of types. Struct-like types (structs, unions, arrays) are named once for the module. */
export class TypeNames {
  readonly #mangled: (string | undefined)[] = [];
  readonly #structNames: (string | undefined)[] = [];

  /** Names every struct-like type in the order of the table; `scope` holds the file-scope names that are taken. */
  constructor(
    readonly types: TypeTable,
    scope: NameScope,
  ) {
    for (let type = 0 as TypeId; type < types.length; type++) {
      const name = types.kind(type) >= TypeKind.array && types.kind(type) <= TypeKind.union;
      if (!name) continue;
      const given = types.kind(type) === TypeKind.array ? NONE : types.nameOf(type);
      this.#structNames[type] = scope.unique(
        given === NONE ? `vct_${this.mangled(type)}` : sanitizeGlobalName(types.names.text(given), 'type'),
      );
    }
  }

  /** The type of a value: `int32_t`, `vct_i32 *`, `Node`. */
  value(type: TypeId): string {
    const { types } = this;
    switch (types.kind(type)) {
      case TypeKind.void:
        return 'void';
      case TypeKind.integer:
        return integerName(types.width(type), types.isSigned(type));
      case TypeKind.float:
        return types.width(type) === 32 ? 'float' : 'double';
      case TypeKind.pointer:
        return `${this.memory(types.pointee(type))} *`;
      case TypeKind.function:
        return this.memory(type);
      default:
        return this.#structNames[type] as string;
    }
  }

  /** The type of a place in memory, as a pointer to it names it. */
  memory(type: TypeId): string {
    const { types } = this;
    switch (types.kind(type)) {
      case TypeKind.integer:
        return types.width(type) === 8 ? this.value(type) : `vct_${this.mangled(type)}`;
      case TypeKind.float:
      case TypeKind.pointer:
      case TypeKind.function:
        return `vct_${this.mangled(type)}`;
      default:
        return this.value(type);
    }
  }

  /** The name of a struct-like type. */
  structName(type: TypeId): string {
    return this.#structNames[type] as string;
  }

  /** `type name`, with the star against the name and the dimensions of an array after it, as C writes them. */
  declare(type: TypeId, name: string): string {
    const text = this.value(type);
    return text.endsWith('*') ? `${text}${name}` : `${text} ${name}`;
  }

  /** As `declare`, but an array is a C array and no struct around one: for members, globals and locals in memory. */
  declarePlace(type: TypeId, name: string): string {
    let element = type;
    let dimensions = '';
    while (this.types.kind(element) === TypeKind.array) {
      dimensions += `[${this.types.count(element)}]`;
      element = this.types.element(element);
    }
    return this.declare(element, `${name}${dimensions}`);
  }

  /** The type in letters and digits. Post-order by an explicit stack: types may nest deep. */
  mangled(type: TypeId): string {
    const known = this.#mangled[type];
    if (known !== undefined) return known;
    const work: TypeId[] = [type];
    while (work.length > 0) {
      const current = work[work.length - 1] as TypeId;
      const missing = this.#parts(current).filter((part) => this.#mangled[part] === undefined);
      if (missing.length > 0) {
        work.push(...missing);
        continue;
      }
      work.pop();
      this.#mangled[current] ??= this.#mangle(current);
    }
    return this.#mangled[type] as string;
  }

  /** The types whose mangled names the one of `type` is made of. */
  #parts(type: TypeId): TypeId[] {
    const { types } = this;
    switch (types.kind(type)) {
      case TypeKind.pointer:
        return [types.pointee(type)];
      case TypeKind.array:
        return [types.element(type)];
      case TypeKind.function:
        return [...memberTypes(types, type), types.result(type)];
      case TypeKind.struct:
      case TypeKind.union:
        return types.nameOf(type) === NONE ? memberTypes(types, type) : [];
      default:
        return [];
    }
  }

  #mangle(type: TypeId): string {
    const { types } = this;
    const part = (of: TypeId) => this.#mangled[of] as string;
    switch (types.kind(type)) {
      case TypeKind.void:
        return 'void';
      case TypeKind.integer:
        return `${types.isSigned(type) ? 'i' : 'u'}${types.width(type)}`;
      case TypeKind.float:
        return `f${types.width(type)}`;
      case TypeKind.pointer:
        return shortened('ptr', `_${part(types.pointee(type))}`);
      case TypeKind.array:
        return shortened('array', `${types.count(type)}_${part(types.element(type))}`);
      case TypeKind.function: {
        const pieces = memberTypes(types, type).map(part);
        if (types.isVarargs(type)) pieces.push('etc');
        return shortened('fn', `_${[...pieces, 'to', part(types.result(type))].join('_')}`);
      }
      default:
        break;
    }
    const name = types.nameOf(type);
    const kind = types.kind(type) === TypeKind.union ? 'union' : 'struct';
    if (name !== NONE) {
      const text = types.names.text(name);
      return /^[A-Za-z0-9_]{1,30}$/.test(text) ? text : `${kind}_${hashText(text)}`;
    }
    return shortened(kind, `_${memberTypes(types, type).map(part).join('_')}`).replace(/^struct_(?=.*_)/, '');
  }
}

/** The types of the members of a struct or union, or of the parameters of a function type. */
export function memberTypes(types: TypeTable, type: TypeId): TypeId[] {
  return Array.from({ length: types.memberCount(type) }, (_, index) => types.memberType(type, index));
}

/** Whether the type is a struct, a union or an array: what a C struct stands for. */
export function isStructLike(types: TypeTable, type: TypeId): boolean {
  return types.isAggregate(type);
}

/** `int32_t`, `uint8_t`, `bool`, `vct_i128`. */
function integerName(width: number, signed: boolean): string {
  if (width === 1) return 'bool';
  if (width === 128) return signed ? 'vct_int128' : 'vct_uint128';
  return `${signed ? 'int' : 'uint'}${width}_t`;
}

function shortened(kind: string, rest: string): string {
  const text = `${kind}${rest}`;
  return text.length <= LONGEST_MANGLED ? text : `${kind}_${hashText(text)}`;
}

/** FNV-1a, 53 bits of two 32-bit halves: enough that two types of one module do not meet. */
function hashText(text: string): string {
  let low = 0x811c9dc5;
  let high = 0x1b873593;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x85ebca6b) ^ (low >>> 15);
  }
  return `${(high >>> 0).toString(16).padStart(8, '0')}${(low >>> 0).toString(16).padStart(8, '0')}`;
}
