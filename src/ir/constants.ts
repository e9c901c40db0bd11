/** Interned constants, shared by HIR and VIR so that lowering copies ids and makes none (005/L-13). */

import type { TypeTable } from '../types/type-table.js';
import type { ConstantId, FunctionId, GlobalId, TypeId } from './entities.js';
import { CONSTANT, ConstantKind, TypeKind } from './schema.js';
import { Table } from './table.js';

const floatView = new DataView(new ArrayBuffer(8));

/** The constants of one module: equal type and value, equal id. Ids 0 and 1 are `false` and `true` of i1. */
export class ConstantTable {
  readonly rows = new Table(CONSTANT.stride, 64);
  /** Words of wide integers and members of aggregates. */
  readonly pool = new Table(1, 64);
  /** Content of byte strings. */
  bytes = new Uint8Array(64);
  #byteCount = 0;
  readonly #ids = new Map<string, ConstantId>();

  constructor(readonly types: TypeTable) {
    this.integer(types.i1, 0n);
    this.integer(types.i1, 1n);
  }

  get length(): number {
    return this.rows.length;
  }

  kind(constant: ConstantId): ConstantKind {
    return this.rows.get(constant, CONSTANT.kind) as ConstantKind;
  }

  type(constant: ConstantId): TypeId {
    return this.rows.get(constant, CONSTANT.type) as TypeId;
  }

  /** An integer constant: `value` modulo 2^width, so that -1n and 255n are the same i8. */
  integer(type: TypeId, value: bigint): ConstantId {
    const width = this.types.width(type);
    const bits = BigInt.asUintN(width, value);
    const key = `i${type},${bits}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    if (width <= 64) {
      return this.#append(
        key,
        ConstantKind.integer,
        type,
        Number(BigInt.asIntN(32, bits)),
        Number(BigInt.asIntN(32, bits >> 32n)),
      );
    }
    const first = this.pool.length;
    const words = Math.ceil(width / 32);
    for (let word = 0; word < words; word++)
      this.pool.push(Number(BigInt.asIntN(32, bits >> BigInt(32 * word))));
    return this.#append(key, ConstantKind.integer, type, first, words);
  }

  /** The bits of an integer constant, zero-extended. */
  integerBits(constant: ConstantId): bigint {
    const a = this.rows.get(constant, CONSTANT.a);
    const b = this.rows.get(constant, CONSTANT.b);
    if (this.types.width(this.type(constant)) <= 64) return (BigInt(b >>> 0) << 32n) | BigInt(a >>> 0);
    let bits = 0n;
    for (let word = b - 1; word >= 0; word--)
      bits = (bits << 32n) | BigInt((this.pool.data[a + word] as number) >>> 0);
    return bits;
  }

  /** The value of an integer constant in its type's own sign. */
  integerValue(constant: ConstantId): bigint {
    const type = this.type(constant);
    const bits = this.integerBits(constant);
    return this.types.isSigned(type) && this.types.width(type) > 1
      ? BigInt.asIntN(this.types.width(type), bits)
      : bits;
  }

  /** A float constant: the value rounded to the type. NaN becomes the quiet NaN; use `floatBits` for others. */
  float(type: TypeId, value: number): ConstantId {
    if (this.types.width(type) === 32) {
      floatView.setFloat32(0, value);
      return this.floatFromBits(type, BigInt(floatView.getUint32(0)));
    }
    floatView.setFloat64(0, value);
    return this.floatFromBits(type, floatView.getBigUint64(0));
  }

  /** A float constant from its IEEE-754 bits. */
  floatFromBits(type: TypeId, bits: bigint): ConstantId {
    const high = this.types.width(type) === 32 ? 0 : Number(BigInt.asIntN(32, bits >> 32n));
    return this.#append(`f${type},${bits}`, ConstantKind.float, type, Number(BigInt.asIntN(32, bits)), high);
  }

  /** The IEEE-754 bits of a float constant. */
  floatBits(constant: ConstantId): bigint {
    const low = BigInt(this.rows.get(constant, CONSTANT.a) >>> 0);
    if (this.types.width(this.type(constant)) === 32) return low;
    return (BigInt(this.rows.get(constant, CONSTANT.b) >>> 0) << 32n) | low;
  }

  /** The value of a float constant; the payload of a NaN may be lost, `floatBits` keeps it. */
  floatValue(constant: ConstantId): number {
    const bits = this.floatBits(constant);
    if (this.types.width(this.type(constant)) === 32) {
      floatView.setUint32(0, Number(bits));
      return floatView.getFloat32(0);
    }
    floatView.setBigUint64(0, bits);
    return floatView.getFloat64(0);
  }

  /** The null pointer of a pointer type. */
  null(type: TypeId): ConstantId {
    return this.#append(`n${type}`, ConstantKind.null, type, 0, 0);
  }

  /** No particular value of the type; reading it where it matters is erroneous (006 §5). */
  undef(type: TypeId): ConstantId {
    return this.#append(`u${type}`, ConstantKind.undef, type, 0, 0);
  }

  /** The aggregate whose every byte is zero; for a scalar type, its zero. */
  zero(type: TypeId): ConstantId {
    switch (this.types.kind(type)) {
      case TypeKind.integer:
        return this.integer(type, 0n);
      case TypeKind.float:
        return this.float(type, 0);
      case TypeKind.pointer:
        return this.null(type);
      default:
        return this.#append(`z${type}`, ConstantKind.zero, type, 0, 0);
    }
  }

  /** The address of a global, as a value of the pointer type `type` (whatever its pointee). */
  globalAddress(type: TypeId, global: GlobalId): ConstantId {
    return this.#append(`g${type},${global}`, ConstantKind.globalAddress, type, global, 0);
  }

  /** The address of a function, as a value of the pointer type `type`. */
  functionAddress(type: TypeId, callee: FunctionId): ConstantId {
    return this.#append(`c${type},${callee}`, ConstantKind.functionAddress, type, callee, 0);
  }

  /**
   * The address of an element or member within a global, as a value of the pointer type `type`. The path has one index for each array,
   * struct or union it goes into (`elementType` of element-address.ts says whether it leads anywhere); none is the global itself.
   */
  elementAddress(type: TypeId, global: GlobalId, path: readonly number[]): ConstantId {
    if (path.length === 0) return this.globalAddress(type, global);
    const key = `e${type},${global}:${path.join(',')}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const first = this.pool.length;
    this.pool.push(path.length);
    for (const index of path) this.pool.push(index);
    return this.#append(key, ConstantKind.elementAddress, type, global, first);
  }

  /** The path of an element address; empty for every other constant. */
  elementPath(constant: ConstantId): readonly number[] {
    if (this.kind(constant) !== ConstantKind.elementAddress) return [];
    const first = this.rows.get(constant, CONSTANT.b);
    const count = this.pool.data[first] as number;
    return Array.from(this.pool.data.subarray(first + 1, first + 1 + count));
  }

  /** Whether a constant points to a global or into one. */
  isWithinGlobal(constant: ConstantId): boolean {
    const kind = this.kind(constant);
    return kind === ConstantKind.globalAddress || kind === ConstantKind.elementAddress;
  }

  /** An array or struct of constants, or a union whose first member has the value (one member). */
  aggregate(type: TypeId, members: readonly ConstantId[]): ConstantId {
    const key = `a${type}:${members.join(',')}`;
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const first = this.pool.length;
    for (const member of members) this.pool.push(member);
    return this.#append(key, ConstantKind.aggregate, type, first, members.length);
  }

  /** How many members an aggregate constant has. */
  memberCount(constant: ConstantId): number {
    return this.rows.get(constant, CONSTANT.b);
  }

  /** A member of an aggregate constant. */
  member(constant: ConstantId, index: number): ConstantId {
    return this.pool.data[this.rows.get(constant, CONSTANT.a) + index] as ConstantId;
  }

  /** An array of i8 or u8 with this content, whose length must be the array's count. Not interned. */
  byteString(type: TypeId, content: Uint8Array): ConstantId {
    const first = this.#byteCount;
    if (first + content.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(first + content.length, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, first));
      this.bytes = grown;
    }
    this.bytes.set(content, first);
    this.#byteCount = first + content.length;
    return this.#append(undefined, ConstantKind.bytes, type, first, content.length);
  }

  /** The content of a byte string, as a view that is valid until the next one is made. */
  byteContent(constant: ConstantId): Uint8Array {
    const first = this.rows.get(constant, CONSTANT.a);
    return this.bytes.subarray(first, first + this.rows.get(constant, CONSTANT.b));
  }

  /** The global or function of an address constant, also of an address within a global. */
  addressee(constant: ConstantId): number {
    return this.rows.get(constant, CONSTANT.a);
  }

  #append(key: string | undefined, kind: ConstantKind, type: TypeId, a: number, b: number): ConstantId {
    if (key !== undefined) {
      const known = this.#ids.get(key);
      if (known !== undefined) return known;
    }
    const row = this.rows.append();
    this.rows.data.set([kind, type, a, b], row * CONSTANT.stride);
    const id = row as ConstantId;
    if (key !== undefined) this.#ids.set(key, id);
    return id;
  }
}
