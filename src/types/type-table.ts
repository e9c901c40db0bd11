/**
 * Interned VIR types (005 §4.10): equal structure, equal id. Named structs and unions are nominal and may refer to
 * themselves through pointers: declare the name first, define the members later.
 */

import { type NameId, NONE, type TypeId } from '../ir/entities.js';
import type { NameTable } from '../ir/names.js';
import { TYPE, TYPE_MEMBER, TypeKind } from '../ir/schema.js';
import { Table } from '../ir/table.js';

/** A member of a struct or union, or a parameter of a function type (whose name is NONE). */
export interface TypeMember {
  readonly type: TypeId;
  readonly name: NameId;
}

/** What the trait `layout` says of a struct; all in bytes. */
export interface PinnedLayout {
  readonly size: number;
  readonly alignment: number;
  /** One a member, in their order. */
  readonly offsets: readonly number[];
}

/** The widest integer type. */
export const MAXIMUM_INTEGER_WIDTH = 1024;

/** The types of one module. The scalar types below have the same id in every module. */
export class TypeTable {
  readonly rows = new Table(TYPE.stride, 64);
  readonly members = new Table(TYPE_MEMBER.stride, 64);
  readonly #ids = new Map<string, TypeId>();
  readonly #named = new Map<NameId, TypeId>();
  /** Types that were found complete: members are never taken away, so they stay so. */
  readonly #complete: boolean[] = [];
  readonly #innermost: (TypeId | undefined)[] = [];

  readonly void: TypeId;
  readonly i1: TypeId;
  readonly i8: TypeId;
  readonly i16: TypeId;
  readonly i32: TypeId;
  readonly i64: TypeId;
  readonly u8: TypeId;
  readonly u16: TypeId;
  readonly u32: TypeId;
  readonly u64: TypeId;
  readonly f32: TypeId;
  readonly f64: TypeId;

  constructor(readonly names: NameTable) {
    this.void = this.#intern('v', TypeKind.void);
    this.i1 = this.integer(1, true);
    this.i8 = this.integer(8, true);
    this.i16 = this.integer(16, true);
    this.i32 = this.integer(32, true);
    this.i64 = this.integer(64, true);
    this.u8 = this.integer(8, false);
    this.u16 = this.integer(16, false);
    this.u32 = this.integer(32, false);
    this.u64 = this.integer(64, false);
    this.f32 = this.float(32);
    this.f64 = this.float(64);
  }

  /** `iN` or `uN`. Requires 1 <= width <= MAXIMUM_INTEGER_WIDTH. `u1` is `i1`: there is one boolean type. */
  integer(width: number, signed: boolean): TypeId {
    const sign = signed || width === 1 ? 1 : 0;
    return this.#intern(`i${width},${sign}`, TypeKind.integer, width, sign);
  }

  /** f32 or f64. Requires width 32 or 64. */
  float(width: number): TypeId {
    return this.#intern(`f${width}`, TypeKind.float, width);
  }

  /** `ptr<pointee>`; the pointee may be void. */
  pointer(pointee: TypeId): TypeId {
    return this.#intern(`p${pointee}`, TypeKind.pointer, pointee);
  }

  /** `[count x element]`. Requires 0 <= count < 2^31. */
  array(element: TypeId, count: number): TypeId {
    return this.#intern(`a${element},${count}`, TypeKind.array, element, count);
  }

  /** An anonymous struct: equal member types and names, equal type. */
  struct(members: readonly TypeMember[]): TypeId {
    return this.#anonymous('s', TypeKind.struct, members);
  }

  /** An anonymous union. */
  union(members: readonly TypeMember[]): TypeId {
    return this.#anonymous('u', TypeKind.union, members);
  }

  /** `fn(parameters) -> result`, with `...` when varargs. */
  function(parameters: readonly TypeId[], result: TypeId, varargs = false): TypeId {
    const key = `f${parameters.join(',')}>${result}${varargs ? '.' : ''}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const first = this.#appendMembers(parameters.map((type) => ({ type, name: NONE as NameId })));
    return this.#intern(key, TypeKind.function, first, parameters.length, result, varargs ? 1 : 0);
  }

  /**
   * The struct or union with that name, made without members when it is new. `defineNamed` gives it members. Returns
   * NONE when the name belongs to a type of the other kind.
   */
  declareNamed(kind: typeof TypeKind.struct | typeof TypeKind.union, name: NameId): TypeId {
    const known = this.#named.get(name);
    if (known !== undefined) return this.kind(known) === kind ? known : (NONE as TypeId);
    const id = this.#append(kind, NONE, 0, name, 0);
    this.#named.set(name, id);
    return id;
  }

  /** Gives a named struct or union its members. Returns false when it has them already. */
  defineNamed(type: TypeId, members: readonly TypeMember[]): boolean {
    if (this.isDefined(type)) return false;
    this.rows.set(type, TYPE.a, this.#appendMembers(members));
    this.rows.set(type, TYPE.b, members.length);
    this.rows.set(type, TYPE.d, 1);
    return true;
  }

  /** The named struct or union called that, if there is one. */
  findNamed(name: NameId): TypeId | undefined {
    return this.#named.get(name);
  }

  get length(): number {
    return this.rows.length;
  }

  kind(type: TypeId): TypeKind {
    return this.rows.get(type, TYPE.kind) as TypeKind;
  }

  /** Bits of an integer or float type. */
  width(type: TypeId): number {
    return this.rows.get(type, TYPE.a);
  }

  /** Whether an integer type is `iN`. */
  isSigned(type: TypeId): boolean {
    return this.rows.get(type, TYPE.b) === 1;
  }

  pointee(type: TypeId): TypeId {
    return this.rows.get(type, TYPE.a) as TypeId;
  }

  /** The element type of an array. */
  element(type: TypeId): TypeId {
    return this.rows.get(type, TYPE.a) as TypeId;
  }

  /** The type inside all the arrays around it; the type itself when it is no array. Amortized constant time. */
  innermostElement(type: TypeId): TypeId {
    const path: TypeId[] = [];
    let element = type;
    while (this.kind(element) === TypeKind.array) {
      const known = this.#innermost[element];
      if (known === undefined) path.push(element);
      element = known ?? this.element(element);
    }
    for (const array of path) this.#innermost[array] = element;
    return element;
  }

  /** The element count of an array. */
  count(type: TypeId): number {
    return this.rows.get(type, TYPE.b);
  }

  /** How many members a struct or union, or parameters a function type, has. */
  memberCount(type: TypeId): number {
    return this.rows.get(type, TYPE.b);
  }

  /** The type of a member or parameter. Requires 0 <= index < memberCount(type). */
  memberType(type: TypeId, index: number): TypeId {
    return this.members.get(this.rows.get(type, TYPE.a) + index, TYPE_MEMBER.type) as TypeId;
  }

  /** The name of a member, or NONE. */
  memberName(type: TypeId, index: number): NameId {
    return this.members.get(this.rows.get(type, TYPE.a) + index, TYPE_MEMBER.name) as NameId;
  }

  /** The index of the member with that name, or -1. */
  memberIndex(type: TypeId, name: NameId): number {
    for (let index = 0; index < this.memberCount(type); index++) {
      if (this.memberName(type, index) === name) return index;
    }
    return -1;
  }

  /** The name of a named struct or union, or NONE. */
  nameOf(type: TypeId): NameId {
    return this.rows.get(type, TYPE.c) as NameId;
  }

  /** Whether a struct or union has its members. */
  isDefined(type: TypeId): boolean {
    return this.rows.get(type, TYPE.d) === 1;
  }

  /**
   * Pins the layout of a named struct that has its members: with it, the type has these offsets and this size on every target
   * (008/R18). `LayoutTable.pinFault` says whether a pinned layout is possible.
   */
  pin(type: TypeId, layout: PinnedLayout): void {
    this.rows.set(type, TYPE.size, layout.size);
    this.rows.set(type, TYPE.alignment, layout.alignment);
    layout.offsets.forEach((offset, index) => {
      this.members.set(this.rows.get(type, TYPE.a) + index, TYPE_MEMBER.offset, offset);
    });
  }

  /** Whether the layout of a type is pinned. */
  isPinned(type: TypeId): boolean {
    return this.kind(type) === TypeKind.struct && this.rows.get(type, TYPE.size) !== NONE;
  }

  /** The layout of a type that is pinned. */
  pinnedLayout(type: TypeId): PinnedLayout {
    const first = this.rows.get(type, TYPE.a);
    return {
      size: this.rows.get(type, TYPE.size),
      alignment: this.rows.get(type, TYPE.alignment),
      offsets: Array.from({ length: this.memberCount(type) }, (_, index) =>
        this.members.get(first + index, TYPE_MEMBER.offset),
      ),
    };
  }

  /** The result type of a function type. */
  result(type: TypeId): TypeId {
    return this.rows.get(type, TYPE.c) as TypeId;
  }

  isVarargs(type: TypeId): boolean {
    return this.rows.get(type, TYPE.d) === 1;
  }

  isInteger(type: TypeId): boolean {
    return this.kind(type) === TypeKind.integer;
  }

  isFloat(type: TypeId): boolean {
    return this.kind(type) === TypeKind.float;
  }

  isPointer(type: TypeId): boolean {
    return this.kind(type) === TypeKind.pointer;
  }

  /** Array, struct or union. */
  isAggregate(type: TypeId): boolean {
    const kind = this.kind(type);
    return kind === TypeKind.array || kind === TypeKind.struct || kind === TypeKind.union;
  }

  /** Integer, float or pointer: what a register can hold. */
  isScalar(type: TypeId): boolean {
    const kind = this.kind(type);
    return kind === TypeKind.integer || kind === TypeKind.float || kind === TypeKind.pointer;
  }

  /** Whether a value of the type can exist: scalars, and aggregates whose members are known. */
  isFirstClass(type: TypeId): boolean {
    return this.isScalar(type) || (this.isAggregate(type) && this.isComplete(type));
  }

  /** Whether the type has a size: not void, no function, no struct without members or within itself. */
  isComplete(type: TypeId): boolean {
    return this.#complete[type] === true || completeWithin(this, type, this.#complete);
  }

  /** The type as `.hir` and `.vir` write it: `ptr<[4 x i32]>`, `%Pair`. */
  text(type: TypeId): string {
    return typeText(this, type);
  }

  #anonymous(prefix: string, kind: TypeKind, members: readonly TypeMember[]): TypeId {
    const key = `${prefix}${members.map((member) => `${member.type}:${member.name}`).join(',')}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    return this.#intern(key, kind, this.#appendMembers(members), members.length, NONE, 1);
  }

  #appendMembers(members: readonly TypeMember[]): number {
    const first = this.members.length;
    for (const member of members) {
      const row = this.members.append();
      this.members.set(row, TYPE_MEMBER.type, member.type);
      this.members.set(row, TYPE_MEMBER.name, member.name);
    }
    return first;
  }

  #intern(
    key: string,
    kind: TypeKind,
    a = NONE,
    b: number = NONE,
    c: number = NONE,
    d: number = NONE,
  ): TypeId {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#append(kind, a, b, c, d);
    this.#ids.set(key, id);
    return id;
  }

  #append(kind: TypeKind, a: number, b: number, c: number, d: number): TypeId {
    const row = this.rows.append();
    this.rows.data.set([kind, a, b, c, d, NONE, NONE], row * TYPE.stride);
    return row as TypeId;
  }
}

/** Types nest as deep as their author wrote them; the work list keeps the walk off the call stack. */
function completeWithin(types: TypeTable, type: TypeId, known: boolean[]): boolean {
  // Each entry is a type to enter, or the complement of a type to leave.
  const work: number[] = [type];
  const onPath = new Set<TypeId>();
  while (work.length > 0) {
    const next = work.pop() as number;
    if (next < 0) {
      onPath.delete(~next as TypeId);
      known[~next] = true;
      continue;
    }
    const current = next as TypeId;
    const kind = types.kind(current);
    if (kind === TypeKind.void || kind === TypeKind.function) return false;
    if (known[current] === true || !types.isAggregate(current)) continue;
    if (onPath.has(current)) return false;
    if (kind !== TypeKind.array && !types.isDefined(current)) return false;
    onPath.add(current);
    work.push(~current);
    if (kind === TypeKind.array) work.push(types.element(current));
    else
      for (let index = 0; index < types.memberCount(current); index++)
        work.push(types.memberType(current, index));
  }
  return true;
}

function typeText(types: TypeTable, type: TypeId): string {
  const parts: string[] = [];
  const work: (TypeId | string)[] = [type];
  while (work.length > 0) {
    const next = work.pop() as TypeId | string;
    if (typeof next === 'string') parts.push(next);
    else for (const piece of pieces(types, next).reverse()) work.push(piece);
  }
  return parts.join('');
}

/** One level of a type's text: literal pieces and the types between them, in order. */
function pieces(types: TypeTable, type: TypeId): (TypeId | string)[] {
  switch (types.kind(type)) {
    case TypeKind.void:
      return ['void'];
    case TypeKind.integer:
      return [`${types.isSigned(type) ? 'i' : 'u'}${types.width(type)}`];
    case TypeKind.float:
      return [`f${types.width(type)}`];
    case TypeKind.pointer:
      return ['ptr<', types.pointee(type), '>'];
    case TypeKind.array:
      return [`[${types.count(type)} x `, types.element(type), ']'];
    case TypeKind.function:
      return functionPieces(types, type);
    default:
      return types.nameOf(type) !== NONE
        ? [`%${quotedName(types.names.text(types.nameOf(type)))}`]
        : [types.kind(type) === TypeKind.union ? 'union ' : '', ...memberPieces(types, type)];
  }
}

/** `{ lo: i32, i64 }`: the members of a struct or union, as its definition writes them. */
export function memberPieces(types: TypeTable, type: TypeId): (TypeId | string)[] {
  const result: (TypeId | string)[] = ['{'];
  for (let index = 0; index < types.memberCount(type); index++) {
    const name = types.memberName(type, index);
    result.push(index === 0 ? ' ' : ', ');
    if (name !== NONE) result.push(`${quotedName(types.names.text(name))}: `);
    result.push(types.memberType(type, index));
  }
  result.push(types.memberCount(type) === 0 ? '}' : ' }');
  return result;
}

function functionPieces(types: TypeTable, type: TypeId): (TypeId | string)[] {
  const result: (TypeId | string)[] = ['fn('];
  const count = types.memberCount(type);
  for (let index = 0; index < count; index++) {
    if (index > 0) result.push(', ');
    result.push(types.memberType(type, index));
  }
  if (types.isVarargs(type)) result.push(count > 0 ? ', ...' : '...');
  result.push(') -> ', types.result(type));
  return result;
}

/** A name as both text forms write it: bare when it is a plain word, else quoted with `\xx` escapes. */
export function quotedName(name: string): string {
  return /^[A-Za-z_.$][A-Za-z0-9_.$-]*$/.test(name) ? name : quotedText(name);
}

/** A string in double quotes; bytes outside printable ASCII, `"` and `\` are written as two hex digits of UTF-8. */
export function quotedText(text: string): string {
  return quotedBytes(new TextEncoder().encode(text));
}

/** Bytes in double quotes, escaped as by `quotedText`. */
export function quotedBytes(bytes: Uint8Array): string {
  let result = '"';
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c;
    result += plain ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`;
  }
  return `${result}"`;
}
