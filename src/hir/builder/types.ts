/**
 * Types as a language author writes them: immutable objects that exist before any module and may be used in many. Two
 * descriptors with the same structure are the same type; a named struct or union is told apart by its name.
 *
 * The classes carry the type in TypeScript too, so that `Expression<I32>` and `Expression<F64>` do not mix.
 */

import { fail } from '../../diag/diagnostic.js';
import type { PinnedLayout } from '../../types/type-table.js';
import { callSite } from './call-site.js';

/** Any type. `kind` tells the classes below apart; the other members exist only for the type checker. */
export interface Type {
  readonly kind: 'void' | 'integer' | 'float' | 'pointer' | 'array' | 'struct' | 'union' | 'function';
  /** What may be written for a value without an expression. */
  readonly literal: number | bigint | boolean | null;
  /** What a pointer points to. */
  readonly target: Type;
  /** What an index reaches: past a pointer, or an element of an array. */
  readonly indexed: Type;
  /** The members of a record, or of the record that a pointer points to. */
  readonly memberTypes: { readonly [member: string]: Type; readonly [index: number]: Type };
}

/** Member types by name. */
export type Members = Readonly<Record<string, Type>>;

type NoMembers = Readonly<Record<never, never>>;

/** The type of what has no value. */
export class VoidType implements Type {
  readonly kind = 'void';
  declare readonly literal: never;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: NoMembers;
}

/** `i1`: true or false. */
export class BooleanType implements Type {
  readonly kind = 'integer';
  readonly width = 1;
  readonly signed = true;
  declare readonly literal: boolean;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: NoMembers;
}

/** `iN` or `uN`. */
export class IntegerType<Width extends number = number, Signed extends boolean = boolean> implements Type {
  readonly kind = 'integer';
  declare readonly literal: number | bigint;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: NoMembers;

  constructor(
    readonly width: Width,
    readonly signed: Signed,
  ) {}
}

/** `f32` or `f64`. */
export class FloatType<Width extends 32 | 64 = 32 | 64> implements Type {
  readonly kind = 'float';
  declare readonly literal: number;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: NoMembers;

  constructor(readonly width: Width) {}
}

/** `ptr<pointee>`. */
export class PointerType<Pointee extends Type = Type> implements Type {
  readonly kind = 'pointer';
  declare readonly literal: null;
  declare readonly target: Pointee;
  declare readonly indexed: Pointee;
  declare readonly memberTypes: Pointee['memberTypes'];

  constructor(readonly pointee: Pointee) {}
}

/** `[count x element]`. */
export class ArrayType<Element extends Type = Type> implements Type {
  readonly kind = 'array';
  declare readonly literal: never;
  declare readonly target: never;
  declare readonly indexed: Element;
  declare readonly memberTypes: { readonly [index: number]: Element };

  constructor(
    readonly element: Element,
    readonly count: number,
  ) {}
}

/** One member of a struct or union; `name` is undefined where members are reached by index only. */
export interface Member {
  readonly name: string | undefined;
  readonly type: Type;
}

/** What structs and unions share. A declared one has no members until it is defined. */
export abstract class RecordType<Fields extends Members = Members> implements Type {
  abstract readonly kind: 'struct' | 'union';
  declare readonly literal: never;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: Fields;
  #members: readonly Member[] | undefined;

  constructor(
    readonly name: string | undefined,
    members: readonly Member[] | undefined,
  ) {
    this.#members = members;
  }

  /** The members, or undefined while the type is only declared. */
  get members(): readonly Member[] | undefined {
    return this.#members;
  }

  /** Gives a declared type its members, once. Use `struct.define` and `union.define`. */
  setMembers(members: readonly Member[]): void {
    if (this.#members !== undefined)
      fail(
        'VCT0302',
        { kind: this.kind, name: this.name ?? '', detail: 'has its members already' },
        callSite(),
      );
    this.#members = members;
  }
}

/** `{ lo: i32, hi: i64 }`, or `%Name`. */
export class StructType<Fields extends Members = Members> extends RecordType<Fields> {
  readonly kind = 'struct';
  #layout: PinnedLayout | undefined;

  /** The layout that `struct.pin` has given the type. */
  get layout(): PinnedLayout | undefined {
    return this.#layout;
  }

  /** Pins the layout; see `struct.pin`. */
  setLayout(layout: PinnedLayout): void {
    this.#layout = layout;
  }
}

/** `union { a: i32, b: f64 }`, or `%Name`. */
export class UnionType<Fields extends Members = Members> extends RecordType<Fields> {
  readonly kind = 'union';
}

/** `fn(parameters) -> result`. */
export class FunctionType<
  Parameters extends readonly Type[] = readonly Type[],
  Result extends Type = Type,
  Varargs extends boolean = boolean,
> implements Type
{
  readonly kind = 'function';
  declare readonly literal: never;
  declare readonly target: never;
  declare readonly indexed: never;
  declare readonly memberTypes: NoMembers;

  constructor(
    readonly parameters: Parameters,
    readonly result: Result,
    readonly varargs: Varargs,
  ) {}
}

/** Every class of type, for code that switches over `kind`. */
export type AnyType =
  | VoidType
  | BooleanType
  | IntegerType
  | FloatType
  | PointerType
  | ArrayType
  | StructType
  | UnionType
  | FunctionType;

/** No value. */
export const voidType = new VoidType();
export const i1 = new BooleanType();
export const i8 = new IntegerType(8 as const, true as const);
export const i16 = new IntegerType(16 as const, true as const);
export const i32 = new IntegerType(32 as const, true as const);
export const i64 = new IntegerType(64 as const, true as const);
export const i128 = new IntegerType(128 as const, true as const);
export const u8 = new IntegerType(8 as const, false as const);
export const u16 = new IntegerType(16 as const, false as const);
export const u32 = new IntegerType(32 as const, false as const);
export const u64 = new IntegerType(64 as const, false as const);
export const u128 = new IntegerType(128 as const, false as const);
export const f32 = new FloatType(32 as const);
export const f64 = new FloatType(64 as const);

export type I1 = typeof i1;
export type I8 = typeof i8;
export type I16 = typeof i16;
export type I32 = typeof i32;
export type I64 = typeof i64;
export type U8 = typeof u8;
export type U16 = typeof u16;
export type U32 = typeof u32;
export type U64 = typeof u64;
export type F32 = typeof f32;
export type F64 = typeof f64;

/** An integer type of any width from 1 to 1024 bits; signed unless said otherwise. */
export function integer<const Width extends number>(width: Width): IntegerType<Width, true>;
export function integer<const Width extends number, const Signed extends boolean>(
  width: Width,
  signed: Signed,
): IntegerType<Width, Signed>;
export function integer(width: number, signed = true): IntegerType {
  return new IntegerType(width, signed || width === 1);
}

/** A pointer to a value of the type; `ptr(voidType)` points to anything. */
export function ptr<Pointee extends Type>(pointee: Pointee): PointerType<Pointee> {
  return new PointerType(pointee);
}

/** An array of `count` elements. */
export function array<Element extends Type>(element: Element, count: number): ArrayType<Element> {
  return new ArrayType(element, count);
}

/** A function type. */
export function fn<const Parameters extends readonly Type[], Result extends Type>(
  parameters: Parameters,
  result: Result,
): FunctionType<Parameters, Result, false>;
export function fn<
  const Parameters extends readonly Type[],
  Result extends Type,
  const Varargs extends boolean,
>(
  parameters: Parameters,
  result: Result,
  options: { readonly varargs: Varargs },
): FunctionType<Parameters, Result, Varargs>;
export function fn(
  parameters: readonly Type[],
  result: Type,
  options: { readonly varargs: boolean } = { varargs: false },
): FunctionType {
  return new FunctionType(parameters, result, options.varargs);
}

/** Members in order: an object with their names, or a list of types without names. */
export type MemberList = Members | readonly Type[];

/** Member types by name, or by index as text for a list. */
export type FieldsOf<List extends MemberList> = List extends readonly Type[]
  ? Members
  : List extends Members
    ? List
    : never;

interface RecordConstructor<Kind extends 'struct' | 'union'> {
  /** A type with a name of its own. */
  <const List extends MemberList>(name: string, members: List): RecordOf<Kind, FieldsOf<List>>;
  /** A type without name: equal members, equal type. */
  <const List extends MemberList>(members: List): RecordOf<Kind, FieldsOf<List>>;
  /** Only the name, so that the members may point to the type itself. */
  declare(name: string): RecordOf<Kind, Members>;
  /** Gives a declared type its members; returns the same object, which now knows them in TypeScript too. */
  define<const List extends MemberList>(
    type: RecordOf<Kind, Members>,
    members: List,
  ): RecordOf<Kind, FieldsOf<List>>;
}

type RecordOf<Kind extends 'struct' | 'union', Fields extends Members> = Kind extends 'struct'
  ? StructType<Fields>
  : UnionType<Fields>;

interface StructConstructor extends RecordConstructor<'struct'> {
  /**
   * Pins the ABI of a named struct, which must not have been used yet: its size and alignment, and an offset a member, all in bytes
   * (the trait `layout`; 008/R18). What is impossible is refused where the module is finished (VCT0248).
   */
  pin<Fields extends Members>(type: StructType<Fields>, layout: PinnedLayout): StructType<Fields>;
}

/** Makes struct types: `struct('Pair', { lo: i32, hi: i64 })`. */
export const struct: StructConstructor = Object.assign(recordConstructor('struct'), {
  pin: <Fields extends Members>(type: StructType<Fields>, layout: PinnedLayout) => {
    checkLayout(type, layout);
    type.setLayout({ ...layout, offsets: [...layout.offsets] });
    return type;
  },
});
/** Makes union types: `union('Number', { whole: i64, real: f64 })`. */
export const union = recordConstructor('union');

/** Whole numbers that a column holds, and an offset a member; the rest is a matter of the members' sizes. */
function checkLayout(type: StructType, layout: PinnedLayout): void {
  const isBytes = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 31;
  const wrong = (detail: string) =>
    fail('VCT0248', { type: type.name === undefined ? 'the struct' : `%${type.name}`, detail }, callSite());
  if (type.name === undefined) wrong('a type without name, which is the same as any with equal members');
  const count = type.members?.length;
  if (count === undefined) wrong('it has no members yet');
  if (!Array.isArray(layout?.offsets) || layout.offsets.length !== count)
    wrong(`${layout?.offsets?.length ?? 'no'} offsets for ${count} members`);
  for (const value of [layout.size, layout.alignment, ...layout.offsets])
    if (!isBytes(value)) wrong(`${String(value)} is no number of bytes`);
}

function recordConstructor<Kind extends 'struct' | 'union'>(kind: Kind): RecordConstructor<Kind> {
  const make = (name: string | undefined, members: readonly Member[] | undefined) =>
    kind === 'struct' ? new StructType(name, members) : new UnionType(name, members);
  const construct = (first: string | MemberList, second?: MemberList) =>
    typeof first === 'string'
      ? make(first, memberList(kind, first, second ?? []))
      : make(undefined, memberList(kind, '', first));
  return Object.assign(construct, {
    declare: (name: string) => make(name, undefined),
    define: (type: RecordType, members: MemberList) => {
      type.setMembers(memberList(kind, type.name ?? '', members));
      return type;
    },
  }) as unknown as RecordConstructor<Kind>;
}

function memberList(kind: string, name: string, members: MemberList): readonly Member[] {
  if (Array.isArray(members)) return members.map((type: Type) => ({ name: undefined, type }));
  return Object.entries(members as Members).map(([member, type]) => {
    // JavaScript moves keys that look like indices to the front: the order would not be the author's.
    if (/^(0|[1-9][0-9]*)$/.test(member))
      fail('VCT0302', { kind, name, detail: `cannot order a member called ${member}` }, callSite());
    return { name: member, type };
  });
}
