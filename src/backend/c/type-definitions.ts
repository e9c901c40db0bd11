/**
 * Definitions of the C types that a text needs, in an order that is the same in every text of a module.
 *
 * First every struct-like type is announced (`typedef struct Node Node;`), then the typedefs of scalars follow, then struct
 * bodies, members by value before the structs that hold them, pointees before pointers to them where the types allow it.
 */

import { type DiagnosticPosition, fail } from '../../diag/diagnostic.js';
import type { Dialect } from '../../ir/config.js';
import { NONE, type TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { LayoutTable } from '../../types/layout.js';
import type { TypeTable } from '../../types/type-table.js';
import { NameScope, sanitizeLocalName } from './names.js';
import { memberTypes, type TypeNames } from './type-names.js';

/** How far a search for a better order of definitions looks, so that it stays linear. */
const SEARCH_LIMIT = 64;

/** 128 bits have no name in C17. A large literal of one sign is written by way of the other, so both stand or fall together. */
const WIDE: readonly TypeDefinition[] = ['', 'unsigned '].map((sign) => {
  const name = sign === '' ? 'vct_int128' : 'vct_uint128';
  return {
    key: `typedef ${name}`,
    text: `__extension__ typedef ${sign}__int128 ${name};`,
    needsGuard: false,
  };
});

/** One definition; texts that are joined keep one of each key. */
export interface TypeDefinition {
  readonly key: string;
  readonly text: string;
  /** Whether C refuses it a second time in one file. */
  readonly needsGuard: boolean;
}

/** The definitions of the types of one module. */
export class TypeDefinitions {
  readonly #memberNames = new Map<TypeId, readonly string[]>();
  /** Struct-like types in the order of their bodies. */
  readonly #bodyOrder: TypeId[] = [];
  readonly #bodyRank: number[] = [];
  /** Pointer and function types that some body mentions, so that their typedefs stand before all bodies. */
  readonly #early = new Set<TypeId>();
  /** Types to which some text makes a pointer before their body is known. */
  readonly #late = new Set<TypeId>();

  constructor(
    readonly types: TypeTable,
    readonly layout: LayoutTable,
    readonly names: TypeNames,
    readonly dialect: Dialect,
  ) {
    for (let type = 0 as TypeId; type < types.length; type++) this.#order(type);
    this.#findLate();
  }

  /** The names of the members of a struct or union. */
  memberNames(type: TypeId): readonly string[] {
    let names = this.#memberNames.get(type);
    if (names === undefined) {
      const scope = new NameScope();
      names = Array.from({ length: this.types.memberCount(type) }, (_, index) => {
        const name = this.types.memberName(type, index);
        return scope.unique(
          name === NONE ? `f${index}` : sanitizeLocalName(this.types.names.text(name), 'f'),
        );
      });
      this.#memberNames.set(type, names);
    }
    return names;
  }

  /**
   * Whether GCC takes a pointer to the type, read from memory, as one that aliases only its own type: it decides when the
   * pointer type is first written, which was before the type's body. Such a pointer must be cast or kept in a variable.
   */
  isLate(type: TypeId): boolean {
    return this.dialect === 'gcc' && this.#late.has(type);
  }

  /** Adds to `needed` all types that the C type of a value of `type` mentions. Fails with VCT0700 for what C has not. */
  require(type: TypeId, needed: Set<TypeId>, memory: Set<TypeId>, position?: DiagnosticPosition): void {
    const { types } = this;
    const work: TypeId[] = [type];
    while (work.length > 0) {
      const current = work.pop() as TypeId;
      if (needed.has(current)) continue;
      needed.add(current);
      this.#check(current, position);
      work.push(...mentioned(types, current));
      if (types.isPointer(current)) memory.add(types.pointee(current));
    }
  }

  #check(type: TypeId, position: DiagnosticPosition | undefined): void {
    const { types } = this;
    if (types.isInteger(type)) {
      const width = types.width(type);
      const known = [1, 8, 16, 32, 64].includes(width) || (width === 128 && this.dialect !== 'c17');
      if (!known) fail('VCT0700', { type: types.text(type) }, position);
    }
    if (types.kind(type) === TypeKind.function && types.isVarargs(type) && types.memberCount(type) === 0)
      fail('VCT0700', { type: types.text(type) }, position);
  }

  /** The definitions of the needed types, in order. */
  list(needed: ReadonlySet<TypeId>, memory: ReadonlySet<TypeId>): TypeDefinition[] {
    const sorted = [...needed].sort((left, right) => left - right);
    const announcements = sorted
      .filter((type) => this.types.isAggregate(type))
      .map((type) => this.#announce(type));
    const isEarly = (type: TypeId) =>
      this.#early.has(type) || this.types.isInteger(type) || this.types.isFloat(type);
    const inMemory = sorted.filter((type) => memory.has(type));
    const wide = sorted.some((type) => this.types.isInteger(type) && this.types.width(type) === 128)
      ? WIDE
      : [];
    const before = inMemory.filter(isEarly).flatMap((type) => this.#scalar(type));
    const after = inMemory.filter((type) => !isEarly(type)).flatMap((type) => this.#scalar(type));
    const bodies = sorted
      .filter((type) => this.types.isAggregate(type) && this.#isDefined(type))
      .sort((left, right) => (this.#bodyRank[left] as number) - (this.#bodyRank[right] as number))
      .map((type) => this.#body(type));
    return [...announcements, ...wide, ...before, ...bodies, ...after];
  }

  #isDefined(type: TypeId): boolean {
    return this.types.kind(type) === TypeKind.array || this.types.isDefined(type);
  }

  #keyword(type: TypeId): string {
    return this.types.kind(type) === TypeKind.union ? 'union' : 'struct';
  }

  #announce(type: TypeId): TypeDefinition {
    const name = this.names.structName(type);
    return {
      key: `announce ${name}`,
      text: `typedef ${this.#keyword(type)} ${name} ${name};`,
      needsGuard: false,
    };
  }

  /** The typedef of a scalar or function type as a place in memory. */
  #scalar(type: TypeId): TypeDefinition[] {
    const { types, names } = this;
    const name = names.memory(type);
    const attribute = this.dialect === 'c17' ? '' : ' __attribute__((may_alias))';
    const make = (text: string): TypeDefinition[] => [{ key: `typedef ${name}`, text, needsGuard: false }];
    switch (types.kind(type)) {
      case TypeKind.integer: {
        const width = types.width(type);
        if (width === 8) return [];
        return make(`typedef ${names.value(type)} ${name}${attribute};`);
      }
      case TypeKind.float:
      case TypeKind.pointer:
        return make(`typedef ${names.declare(type, name)}${attribute};`);
      case TypeKind.function:
        return make(
          `typedef ${names.declare(types.result(type), `${name}(${this.parameterTypes(type).join(', ')})`)};`,
        );
      default:
        return [];
    }
  }

  /** The parameters of a function type, without names. */
  parameterTypes(type: TypeId): string[] {
    const parameters = memberTypes(this.types, type).map((parameter) => this.names.value(parameter));
    if (this.types.isVarargs(type)) parameters.push('...');
    return parameters.length > 0 ? parameters : ['void'];
  }

  #body(type: TypeId): TypeDefinition {
    const { types, names } = this;
    const name = names.structName(type);
    const attribute = this.dialect === 'c17' ? '' : '__attribute__((may_alias)) ';
    const members =
      types.kind(type) === TypeKind.array ? [names.declarePlace(type, 'e')] : this.#members(type);
    const lines = members.map((member) => `    ${member};\n`).join('');
    return {
      key: `body ${name}`,
      text: `${this.#keyword(type)} ${attribute}${name} {\n${lines}};${this.#layoutChecks(type)}`,
      needsGuard: true,
    };
  }

  /** The members of a struct or union; where a layout is pinned, with padding that forces it, and its alignment (008/R18). */
  #members(type: TypeId): string[] {
    const { layout, names, types } = this;
    const memberNames = this.memberNames(type);
    const members = memberNames.map((member, index) =>
      names.declarePlace(types.memberType(type, index), member),
    );
    if (!types.isPinned(type)) return members;
    const { size, alignment } = types.pinnedLayout(type);
    const scope = new NameScope();
    for (const name of memberNames) scope.unique(name);
    const result: string[] = [];
    const pad = (bytes: number) => {
      if (bytes > 0) result.push(`uint8_t ${scope.unique(`vct_pad${result.length}`)}[${bytes}]`);
    };
    let end = 0;
    members.forEach((member, index) => {
      pad(layout.offset(type, index) - end);
      result.push(member);
      end = layout.offset(type, index) + layout.size(types.memberType(type, index));
    });
    pad(size - end);
    const isRaised = members.every((_, index) => layout.alignment(types.memberType(type, index)) < alignment);
    if (isRaised) result[0] = `_Alignas(${alignment}) ${result[0]}`;
    return result;
  }

  /** The assertions that hold the C compiler to a pinned layout (008/R18, I6). */
  #layoutChecks(type: TypeId): string {
    const { layout, types } = this;
    if (!types.isPinned(type)) return '';
    const name = `${this.#keyword(type)} ${this.names.structName(type)}`;
    const { size, alignment } = types.pinnedLayout(type);
    const checks = [
      `sizeof(${name}) == ${size}`,
      `_Alignof(${name}) == ${alignment}`,
      ...this.memberNames(type).map(
        (member, index) => `offsetof(${name}, ${member}) == ${layout.offset(type, index)}`,
      ),
    ];
    return checks.map((check) => `\n_Static_assert(${check}, "layout");`).join('');
  }

  /** Gives the type's body its place in the order, after those that it holds by value. */
  #order(root: TypeId): void {
    const { types } = this;
    const work: TypeId[] = [root];
    const open = new Set<TypeId>();
    while (work.length > 0) {
      const type = work[work.length - 1] as TypeId;
      if (!types.isAggregate(type) || this.#bodyRank[type] !== undefined) {
        work.pop();
        continue;
      }
      if (!open.has(type)) {
        open.add(type);
        for (const pointee of pointees(types, type))
          if (this.#bodyRank[pointee] === undefined && this.#canPrecede(pointee, open)) work.push(pointee);
        for (const member of parts(types, type))
          if (this.#bodyRank[member] === undefined && !open.has(member)) work.push(member);
        continue;
      }
      work.pop();
      this.#bodyRank[type] = this.#bodyOrder.length;
      this.#bodyOrder.push(type);
    }
  }

  /** Whether the body of `type` needs none of the open bodies. Says no when that takes long to find out. */
  #canPrecede(type: TypeId, open: ReadonlySet<TypeId>): boolean {
    const work: TypeId[] = [type];
    for (let steps = 0; work.length > 0; steps++) {
      const current = work.pop() as TypeId;
      if (open.has(current) || steps > SEARCH_LIMIT) return false;
      if (this.#bodyRank[current] === undefined) work.push(...parts(this.types, current));
    }
    return true;
  }

  /** A pointer in a body that comes earlier, or in a typedef that stands before all bodies. */
  #findLate(): void {
    const { types } = this;
    const work: TypeId[] = [];
    for (let type = 0 as TypeId; type < types.length; type++) {
      if (!types.isAggregate(type)) continue;
      for (const part of mentioned(types, type)) if (isTypedef(types, part)) work.push(part);
      for (const pointee of pointees(types, type)) {
        const isLater = (this.#bodyRank[pointee] as number) > (this.#bodyRank[type] as number);
        if (pointee !== type && isLater) this.#late.add(pointee);
      }
    }
    while (work.length > 0) {
      const type = work.pop() as TypeId;
      if (this.#early.has(type)) continue;
      this.#early.add(type);
      for (const part of mentioned(types, type)) {
        if (isTypedef(types, part)) work.push(part);
        if (types.isPointer(part) && types.isAggregate(types.pointee(part)))
          this.#late.add(types.pointee(part));
      }
    }
  }
}

/** Whether the memory name of the type is a typedef made of other types. */
function isTypedef(types: TypeTable, type: TypeId): boolean {
  return types.isPointer(type) || types.kind(type) === TypeKind.function;
}

/** The types that a definition of `type` writes. */
function mentioned(types: TypeTable, type: TypeId): TypeId[] {
  switch (types.kind(type)) {
    case TypeKind.pointer:
      return [types.pointee(type)];
    case TypeKind.array:
      // `int32_t e[3][4]`: the arrays between have no definition of their own there.
      return [types.innermostElement(type)];
    case TypeKind.struct:
    case TypeKind.union:
      return memberTypes(types, type);
    case TypeKind.function:
      return [...memberTypes(types, type), types.result(type)];
    default:
      return [];
  }
}

/** The struct-like types that `type` holds by value. A C array of structs needs the struct. */
function parts(types: TypeTable, type: TypeId): TypeId[] {
  if (!types.isAggregate(type)) return [];
  return mentioned(types, type).filter((part) => types.isAggregate(part));
}

/** The struct-like types that members of `type` point to. */
function pointees(types: TypeTable, type: TypeId): TypeId[] {
  if (!types.isAggregate(type)) return [];
  return mentioned(types, type)
    .filter((part) => types.isPointer(part) && types.isAggregate(types.pointee(part)))
    .map((part) => types.pointee(part));
}
