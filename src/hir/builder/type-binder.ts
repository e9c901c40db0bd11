/** From type descriptors to the type ids of one module, and back. */

import { fail } from '../../diag/diagnostic.js';
import { type NameId, NONE, type TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { TypeKind } from '../../ir/schema.js';
import { MAXIMUM_INTEGER_WIDTH, type PinnedLayout, type TypeMember } from '../../types/type-table.js';
import { callSite } from './call-site.js';
import { shownValue } from './given.js';
import {
  type AnyType,
  ArrayType,
  FloatType,
  FunctionType,
  IntegerType,
  i1,
  PointerType,
  type RecordType,
  StructType,
  type Type,
  UnionType,
  voidType,
} from './types.js';

/** The types of one module under construction. */
export class TypeBinder {
  readonly #ids = new Map<Type, TypeId>();
  readonly #descriptors: (Type | undefined)[] = [];
  /** Named records whose members are not in the table yet. */
  readonly #undefinedRecords: { readonly descriptor: RecordType; readonly id: TypeId }[] = [];

  constructor(readonly tables: ModuleTables) {}

  /** The id of a type. Post-order with an explicit stack: a type may nest as deep as its author likes. */
  id(type: Type): TypeId {
    const known = this.#ids.get(type);
    if (known !== undefined) return known;
    const id = this.#bind(type);
    this.#defineRecords();
    return id;
  }

  /** The descriptor of an id: the author's own where there is one. */
  descriptor(id: TypeId): Type {
    const known = this.#descriptors[id];
    if (known !== undefined) return known;
    const work: TypeId[] = [id];
    while (work.length > 0) {
      const current = work[work.length - 1] as TypeId;
      const missing = this.#parts(current).filter((part) => this.#descriptors[part] === undefined);
      if (missing.length > 0) {
        work.push(...missing);
        continue;
      }
      work.pop();
      this.#descriptors[current] ??= this.#describe(current);
    }
    return this.#descriptors[id] as Type;
  }

  /** Members that were defined after the type was first used. Called whenever members are needed. */
  refresh(): void {
    this.#defineRecords();
  }

  #bind(type: Type): TypeId {
    const work: Type[] = [type];
    while (work.length > 0) {
      const current = work[work.length - 1] as AnyType;
      if (!isDescriptor(current)) fail('VCT0303', { detail: shownValue(current) }, callSite());
      const missing = partsOf(current).filter((part) => !this.#ids.has(part));
      if (missing.length > 0) {
        work.push(...missing);
        continue;
      }
      work.pop();
      if (!this.#ids.has(current)) this.#record(current, this.#make(current));
    }
    return this.#ids.get(type) as TypeId;
  }

  #record(type: Type, id: TypeId): void {
    this.#ids.set(type, id);
    this.#descriptors[id] ??= type;
  }

  #make(type: AnyType): TypeId {
    const { types } = this.tables;
    switch (type.kind) {
      case 'void':
        return types.void;
      case 'integer':
        if (!(Number.isInteger(type.width) && type.width >= 1 && type.width <= MAXIMUM_INTEGER_WIDTH))
          fail(
            'VCT0303',
            { detail: `an integer of ${type.width} bits; 1 to ${MAXIMUM_INTEGER_WIDTH} exist` },
            callSite(),
          );
        return types.integer(type.width, type.signed);
      case 'float':
        if (type.width !== 32 && type.width !== 64)
          fail('VCT0303', { detail: 'a float that is not 32 or 64 bits wide' }, callSite());
        return types.float(type.width);
      case 'pointer':
        return types.pointer(this.#known(type.pointee));
      case 'array':
        if (!(Number.isInteger(type.count) && type.count >= 0 && type.count < 2 ** 31))
          fail('VCT0303', { detail: `an array of ${type.count} elements` }, callSite());
        return types.array(this.#known(type.element), type.count);
      case 'function':
        return types.function(
          type.parameters.map((part) => this.#known(part)),
          this.#known(type.result),
          type.varargs,
        );
      case 'struct':
      case 'union':
        return this.#makeRecord(type);
      default:
        return fail('VCT0303', { detail: String(type) }, callSite());
    }
  }

  #makeRecord(type: StructType | UnionType): TypeId {
    const { types, names } = this.tables;
    if (type.name === undefined) {
      const members = this.#memberRows(type);
      return type.kind === 'struct' ? types.struct(members) : types.union(members);
    }
    const kind = type.kind === 'struct' ? TypeKind.struct : TypeKind.union;
    const id = types.declareNamed(kind, names.intern(type.name));
    if (id === NONE)
      fail(
        'VCT0302',
        { kind: type.kind, name: type.name, detail: 'is a type of the other kind already' },
        callSite(),
      );
    this.#undefinedRecords.push({ descriptor: type, id });
    return id;
  }

  /** Members may mention records that are new themselves: the list grows while it is worked through. */
  #defineRecords(): void {
    const waiting: { readonly descriptor: RecordType; readonly id: TypeId }[] = [];
    while (this.#undefinedRecords.length > 0) {
      const next = this.#undefinedRecords.pop() as { descriptor: RecordType; id: TypeId };
      if (next.descriptor.members === undefined) {
        waiting.push(next);
        continue;
      }
      for (const member of next.descriptor.members) if (!this.#ids.has(member.type)) this.#bind(member.type);
      this.#defineRecord(next.descriptor, next.id);
    }
    this.#undefinedRecords.push(...waiting);
  }

  #defineRecord(descriptor: RecordType, id: TypeId): void {
    const { types } = this.tables;
    const members = this.#memberRows(descriptor);
    const layout = descriptor instanceof StructType ? descriptor.layout : undefined;
    if (types.defineNamed(id, members)) {
      if (layout !== undefined) types.pin(id, layout);
      return;
    }
    const pinned = types.isPinned(id) ? types.pinnedLayout(id) : undefined;
    const same =
      JSON.stringify(layoutWords(layout)) === JSON.stringify(layoutWords(pinned)) &&
      types.memberCount(id) === members.length &&
      members.every(
        (member, index) =>
          types.memberType(id, index) === member.type && types.memberName(id, index) === member.name,
      );
    if (!same)
      fail(
        'VCT0302',
        { kind: descriptor.kind, name: descriptor.name ?? '', detail: 'has other members already' },
        callSite(),
      );
  }

  #memberRows(type: RecordType): TypeMember[] {
    return (type.members ?? []).map((member) => ({
      type: this.#known(member.type),
      name: member.name === undefined ? (NONE as NameId) : this.tables.names.intern(member.name),
    }));
  }

  #known(type: Type): TypeId {
    return this.#ids.get(type) as TypeId;
  }

  /** What a type is made of; a named record stands for itself, or the walk would go round through its pointers. */
  #parts(id: TypeId): TypeId[] {
    const { types } = this.tables;
    switch (types.kind(id)) {
      case TypeKind.pointer:
        return [types.pointee(id)];
      case TypeKind.array:
        return [types.element(id)];
      case TypeKind.function:
        return [...this.#memberTypes(id), types.result(id)];
      case TypeKind.struct:
      case TypeKind.union:
        return types.nameOf(id) === NONE ? this.#memberTypes(id) : [];
      default:
        return [];
    }
  }

  #memberTypes(id: TypeId): TypeId[] {
    const { types } = this.tables;
    return Array.from({ length: types.memberCount(id) }, (_, index) => types.memberType(id, index));
  }

  /** A descriptor for an id that no author wrote: the result of an operation. Its parts have theirs. */
  #describe(id: TypeId): Type {
    const { types, names } = this.tables;
    const part = (type: TypeId) => this.#descriptors[type] as Type;
    switch (types.kind(id)) {
      case TypeKind.void:
        return voidType;
      case TypeKind.integer:
        return id === types.i1 ? i1 : new IntegerType(types.width(id), types.isSigned(id));
      case TypeKind.float:
        return new FloatType(types.width(id) === 32 ? 32 : 64);
      case TypeKind.pointer:
        return new PointerType(part(types.pointee(id)));
      case TypeKind.array:
        return new ArrayType(part(types.element(id)), types.count(id));
      case TypeKind.function: {
        const parameters = this.#parts(id).slice(0, -1);
        return new FunctionType(parameters.map(part), part(types.result(id)), types.isVarargs(id));
      }
      default: {
        const members = this.#memberTypes(id).map((type, index) => {
          const name = types.memberName(id, index);
          return { name: name === NONE ? undefined : names.text(name), type: part(type) };
        });
        return types.kind(id) === TypeKind.struct
          ? new StructType(undefined, members)
          : new UnionType(undefined, members);
      }
    }
  }
}

/** What the functions of `types.ts` make, or could have made. */
function isDescriptor(value: unknown): boolean {
  return typeof value === 'object' && value !== null && typeof (value as Type).kind === 'string';
}

/** The types that must have ids before this one can; a named record needs none, so that recursion ends there. */
function partsOf(type: AnyType): readonly Type[] {
  switch (type.kind) {
    case 'pointer':
      return [type.pointee];
    case 'array':
      return [type.element];
    case 'function':
      return [...type.parameters, type.result];
    case 'struct':
    case 'union':
      return type.name === undefined ? (type.members ?? []).map((member) => member.type) : [];
    default:
      return [];
  }
}

/** A layout as numbers, so that two can be compared. */
function layoutWords(layout: PinnedLayout | undefined): readonly number[] {
  return layout === undefined ? [] : [layout.size, layout.alignment, ...layout.offsets];
}
