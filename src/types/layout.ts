/**
 * Size, alignment and field offsets of types: the rules of the platform's C ABI, which LLVM's datalayout repeats.
 *
 * Sizes and offsets are in bytes. A type's size is a multiple of its alignment, so it is also the stride in an array.
 */

import type { TypeId } from '../ir/entities.js';
import { TypeKind } from '../ir/schema.js';
import type { TypeTable } from './type-table.js';

/** What a target decides about layout. */
export interface DataModel {
  /** Bytes of a pointer. */
  readonly pointerSize: 4 | 8;
  /** Alignment of 64-bit scalars in bytes (4 on 32-bit x86 Linux, else 8). */
  readonly alignment64: 4 | 8;
}

/** The 64-bit targets: x86-64, AArch64, RISC-V 64. */
export const DATA_MODEL_64: DataModel = { pointerSize: 8, alignment64: 8 };

/** The largest alignment that can be pinned: more than the stack of every target has is not for a type to ask. */
const MAXIMUM_PINNED_ALIGNMENT = 16;

interface TypeLayout {
  readonly size: number;
  readonly alignment: number;
  /** What the alignment would be if nothing were pinned, here or within. */
  readonly natural: number;
}

/** Layouts of the types of one module, computed once each. */
export class LayoutTable {
  readonly #layouts: (TypeLayout | undefined)[] = [];
  readonly #offsets: (readonly number[] | undefined)[] = [];

  constructor(
    readonly types: TypeTable,
    readonly model: DataModel = DATA_MODEL_64,
  ) {}

  /** Bytes that a value of the type takes, padding included. Requires a complete type. */
  size(type: TypeId): number {
    return this.#layout(type).size;
  }

  /** Alignment in bytes. Requires a complete type. */
  alignment(type: TypeId): number {
    return this.#layout(type).alignment;
  }

  /** The alignment that the type would have if no layout were pinned: what a compiler that knows of none gives it. */
  naturalAlignment(type: TypeId): number {
    return this.#layout(type).natural;
  }

  /**
   * Why a pinned layout is impossible, or undefined. Members stay in their order, apart from each other, and aligned as their types
   * want: C has no access to a misaligned member (008/R29). Requires complete members.
   */
  pinFault(type: TypeId): string | undefined {
    const { types } = this;
    const { size, alignment, offsets } = types.pinnedLayout(type);
    if (alignment < 1 || alignment > MAXIMUM_PINNED_ALIGNMENT || (alignment & (alignment - 1)) !== 0)
      return `an alignment of ${alignment}, which is no power of two up to ${MAXIMUM_PINNED_ALIGNMENT}`;
    let end = 0;
    for (const [index, offset] of offsets.entries()) {
      const member = this.#layout(types.memberType(type, index));
      const what = `member ${index} at offset ${offset}`;
      if (member.alignment > alignment)
        return `an alignment of ${alignment}, and member ${index} wants ${member.alignment}`;
      if (offset < end) return `${what}, which is not behind the one before, that ends at ${end}`;
      if (offset % member.alignment !== 0)
        return `${what}, which is no multiple of ${member.alignment}, as its type wants`;
      end = offset + member.size;
    }
    if (size < end) return `a size of ${size}, and its members end at ${end}`;
    return size % alignment === 0
      ? undefined
      : `a size of ${size}, no multiple of its alignment ${alignment}`;
  }

  /** Bytes that a load or store of a scalar touches: its size without tail padding. */
  storeSize(type: TypeId): number {
    return this.types.isInteger(type) ? Math.ceil(this.types.width(type) / 8) : this.size(type);
  }

  /** Byte offset of a member of a struct (0 in a union). */
  offset(type: TypeId, index: number): number {
    if (this.types.kind(type) === TypeKind.union) return 0;
    this.#layout(type);
    return (this.#offsets[type] as readonly number[])[index] as number;
  }

  /** Post-order over the members by an explicit stack: types may nest as deep as their author likes. */
  #layout(type: TypeId): TypeLayout {
    const known = this.#layouts[type];
    if (known !== undefined) return known;
    const work: TypeId[] = [type];
    while (work.length > 0) {
      const current = work[work.length - 1] as TypeId;
      const missing = this.#missingParts(current);
      if (missing.length > 0) {
        for (const part of missing) work.push(part);
        continue;
      }
      work.pop();
      this.#layouts[current] ??= this.#compute(current);
    }
    return this.#layouts[type] as TypeLayout;
  }

  #missingParts(type: TypeId): TypeId[] {
    const { types } = this;
    const missing: TypeId[] = [];
    if (types.kind(type) === TypeKind.array) {
      if (this.#layouts[types.element(type)] === undefined) missing.push(types.element(type));
    } else if (types.isAggregate(type)) {
      for (let index = 0; index < types.memberCount(type); index++) {
        const member = types.memberType(type, index);
        if (this.#layouts[member] === undefined) missing.push(member);
      }
    }
    return missing;
  }

  #compute(type: TypeId): TypeLayout {
    const { types, model } = this;
    switch (types.kind(type)) {
      case TypeKind.integer:
        return this.#integer(types.width(type));
      case TypeKind.float:
        return types.width(type) === 32 ? scalar(4, 4) : scalar(8, model.alignment64);
      case TypeKind.pointer:
        return scalar(model.pointerSize, model.pointerSize);
      case TypeKind.array: {
        const element = this.#layouts[types.element(type)] as TypeLayout;
        return { ...element, size: element.size * types.count(type) };
      }
      case TypeKind.struct:
        return this.#struct(type);
      case TypeKind.union:
        return this.#union(type);
      default:
        throw new RangeError(`type ${types.text(type)} has no size`);
    }
  }

  /** An odd width is kept in the next wider standard integer; above 64 bits in 16-byte units, as LLVM 18 aligns i128. */
  #integer(width: number): TypeLayout {
    if (width <= 8) return scalar(1, 1);
    if (width <= 16) return scalar(2, 2);
    if (width <= 32) return scalar(4, 4);
    if (width <= 64) return scalar(8, this.model.alignment64);
    return scalar(roundUp(Math.ceil(width / 8), 16), 16);
  }

  #struct(type: TypeId): TypeLayout {
    const offsets: number[] = [];
    let size = 0;
    let alignment = 1;
    let natural = 1;
    for (let index = 0; index < this.types.memberCount(type); index++) {
      const member = this.#layouts[this.types.memberType(type, index)] as TypeLayout;
      natural = Math.max(natural, member.natural);
      size = roundUp(size, member.alignment);
      offsets.push(size);
      size += member.size;
      alignment = Math.max(alignment, member.alignment);
    }
    const pinned = this.types.isPinned(type) ? this.types.pinnedLayout(type) : undefined;
    this.#offsets[type] = pinned?.offsets ?? offsets;
    if (pinned !== undefined) return { size: pinned.size, alignment: pinned.alignment, natural };
    return { size: roundUp(size, alignment), alignment, natural };
  }

  #union(type: TypeId): TypeLayout {
    let size = 0;
    let alignment = 1;
    for (let index = 0; index < this.types.memberCount(type); index++) {
      const member = this.#layouts[this.types.memberType(type, index)] as TypeLayout;
      size = Math.max(size, member.size);
      alignment = Math.max(alignment, member.alignment);
    }
    // LLVM has a union as integers where a member is aligned by its pinned layout, so that it has this alignment too.
    return { size: roundUp(size, alignment), alignment, natural: alignment };
  }
}

function scalar(size: number, alignment: number): TypeLayout {
  return { size, alignment, natural: alignment };
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple;
}
