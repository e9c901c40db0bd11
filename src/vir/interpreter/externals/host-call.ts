/** One call of a built-in external: its arguments, read as C reads them, and what it may reach. */

import type { TypeId } from '../../../ir/entities.js';
import type { TypeTable } from '../../../types/type-table.js';
import type { Memory, Pointer } from '../memory.js';
import { readRange, writeRange } from '../memory-steps.js';
import type { InputStream, OutputStream } from '../streams.js';
import { trap, trapUndef } from '../trap.js';
import { type OddNan, type Slot, signedValue, unsignedValue, type Wide } from '../values.js';

/** What the externals share in one run. */
export interface Host {
  readonly types: TypeTable;
  readonly memory: Memory;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
}

/** What a built-in gives: an integer of any size, a float, a pointer, or nothing. */
export type HostResult = number | bigint | OddNan | Pointer | undefined;

/** A built-in external. */
export type HostFunction = (call: HostCall) => HostResult;

/** A call of an external; every argument has a value. */
export class HostCall {
  constructor(
    readonly host: Host,
    readonly name: string,
    readonly values: readonly Slot[],
    readonly types: readonly TypeId[],
  ) {
    const missing = values.indexOf(undefined);
    if (missing >= 0) trapUndef(`argument ${missing + 1} of @${name}`);
  }

  get count(): number {
    return this.values.length;
  }

  /** An integer argument in the sign of its type. */
  integer(index: number): Wide {
    const { types } = this.host;
    const type = this.#typeOf(index, 'an integer');
    if (!types.isInteger(type)) this.fail(`a ${types.text(type)} where an integer is expected`);
    const width = types.width(type);
    const value = this.values[index] as Wide;
    return types.isSigned(type) && width > 1 ? signedValue(width, value) : unsignedValue(width, value);
  }

  /** An integer argument as C's int. */
  int(index: number): number {
    return Number(BigInt.asIntN(32, BigInt(this.integer(index))));
  }

  /** An integer argument as a size_t, for which a number is exact enough: no object is larger. */
  size(index: number): number {
    const value = this.integer(index);
    return value < 0 ? 2 ** 64 + Number(value) : Number(value);
  }

  /** A float argument; all NaNs are one. */
  float(index: number): number {
    const value = this.floatSlot(index);
    return typeof value === 'number' ? value : Number.NaN;
  }

  /** A float argument with the bits of its NaN. */
  floatSlot(index: number): number | OddNan {
    const { types } = this.host;
    const type = this.#typeOf(index, 'a float');
    if (!types.isFloat(type)) this.fail(`a ${types.text(type)} where a float is expected`);
    return this.values[index] as number | OddNan;
  }

  pointer(index: number): Pointer {
    const { types } = this.host;
    const type = this.#typeOf(index, 'a pointer');
    if (!types.isPointer(type)) this.fail(`a ${types.text(type)} where a pointer is expected`);
    return this.values[index] as Pointer;
  }

  /** The bytes of a string argument, without the zero that ends it; at most `limit` are looked at. */
  string(index: number, limit = Number.POSITIVE_INFINITY): Uint8Array {
    return readString(this.pointer(index), limit);
  }

  bytes(index: number, length: number): Uint8Array {
    return length === 0 ? new Uint8Array(0) : readRange(this.pointer(index), length);
  }

  write(index: number, bytes: Uint8Array): void {
    writeRange(this.pointer(index), bytes);
  }

  /** Ends the program with a diagnostic: the call breaks the contract of the function. */
  fail(detail: string): never {
    return trap('VCT0648', { name: this.name, detail });
  }

  #typeOf(index: number, expected: string): TypeId {
    const type = this.types[index];
    if (type === undefined)
      return this.fail(`${this.count} arguments, where one more, ${expected}, is expected`);
    return type;
  }
}

/** The bytes up to the zero that ends a string; at most `limit`. */
export function readString(pointer: Pointer, limit = Number.POSITIVE_INFINITY): Uint8Array {
  if (limit === 0) return new Uint8Array(0);
  // The first byte makes every test of the pointer; the rest is within the object.
  readRange(pointer, 1);
  const { object, offset } = pointer;
  const room = object.range(offset, object.size - offset);
  const end = room.indexOf(0);
  const length = Math.min(end < 0 ? room.length : end, limit);
  // The zero that ends the string is read as well: it must be there, and have a value.
  return readRange(pointer, length < limit ? length + 1 : length).subarray(0, length);
}
