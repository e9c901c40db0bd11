/**
 * Bytes with what the machine forgets and the reference meaning needs: which are undef, and which belong to a pointer.
 * Both the memory of an object and an aggregate value are a `Content`, so loading and storing aggregates is copying, padding and
 * unions included, and no walk over a type is needed.
 *
 * The content at offset n is byte `start + n` of the view, and its state is byte `start + size + n`. Small contents share one
 * buffer; a part of a buffer is never handed out twice, so that fresh content is zero, that is undef, for free.
 */

import type { Pointer } from './memory.js';
import { trap } from './trap.js';

/** The states of a byte. */
export const ByteState = { undef: 0, plain: 1, pointer: 2 } as const;

const SLAB_BYTES = 1 << 16;
const SMALL_BYTES = 1 << 12;

let slabView = new DataView(new ArrayBuffer(0));
let slabBytes = new Uint8Array(0);
let slabUsed = 0;

/** Bytes, their states, and the pointers among them. */
export class Content {
  readonly view: DataView;
  readonly bytes: Uint8Array;
  readonly start: number;
  /**
   * The pointers that were stored at offsets divisible by 8, by offset / 8. An entry counts only while the states of
   * its bytes say pointer and the bytes are its address.
   */
  pointers: (Pointer | undefined)[] | undefined;

  /** `size` undef bytes. */
  constructor(readonly size: number) {
    const needed = size * 2;
    if (needed > SMALL_BYTES) {
      this.bytes = allocate(needed);
      this.view = new DataView(this.bytes.buffer);
      this.start = 0;
      return;
    }
    if (slabUsed + needed > slabBytes.length) {
      slabBytes = allocate(SLAB_BYTES);
      slabView = new DataView(slabBytes.buffer);
      slabUsed = 0;
    }
    this.view = slabView;
    this.bytes = slabBytes;
    this.start = slabUsed;
    // Starts stay multiples of 8, which keeps wide accesses of the engine aligned.
    slabUsed += (needed + 7) & ~7;
  }

  /** Marks bytes as having the value they hold. */
  define(offset: number, length: number): void {
    const first = this.start + this.size + offset;
    this.bytes.fill(ByteState.plain, first, first + length);
  }

  /** Makes bytes undef. */
  undefine(offset: number, length: number): void {
    const first = this.start + this.size + offset;
    this.bytes.fill(ByteState.undef, first, first + length);
  }

  /** Whether every byte of the range has a value. */
  isDefined(offset: number, length: number): boolean {
    const first = this.start + this.size + offset;
    for (let at = first; at < first + length; at++) if (this.bytes[at] === ByteState.undef) return false;
    return true;
  }

  /** Sets bytes to one value. */
  fill(offset: number, length: number, byte: number): void {
    this.bytes.fill(byte, this.start + offset, this.start + offset + length);
    this.define(offset, length);
  }

  /** Writes plain bytes. */
  write(offset: number, source: Uint8Array): void {
    this.bytes.set(source, this.start + offset);
    this.define(offset, source.length);
  }

  /** The bytes of a range, as a view of the memory itself. */
  range(offset: number, length: number): Uint8Array {
    return this.bytes.subarray(this.start + offset, this.start + offset + length);
  }

  /** Copies bytes with their states and pointers; the ranges may overlap. */
  copy(offset: number, source: Content, sourceOffset: number, length: number): void {
    const from = source.start + sourceOffset;
    const to = this.start + offset;
    // Within one buffer copyWithin costs no view.
    if (source.bytes === this.bytes) {
      this.bytes.copyWithin(to, from, from + length);
      this.bytes.copyWithin(to + this.size, from + source.size, from + source.size + length);
    } else {
      this.bytes.set(source.bytes.subarray(from, from + length), to);
      this.bytes.set(source.bytes.subarray(from + source.size, from + source.size + length), to + this.size);
    }
    if (source.pointers !== undefined)
      this.#copyPointers(offset, source, sourceOffset, length, source.pointers);
  }

  /** Pointers that no longer fall on a multiple of 8 are found again by their address, so they are exposed. */
  #copyPointers(
    offset: number,
    source: Content,
    sourceOffset: number,
    length: number,
    pointers: (Pointer | undefined)[],
  ): void {
    const first = (sourceOffset + 7) >>> 3;
    const end = (sourceOffset + length) >>> 3;
    const moved: [number, Pointer][] = [];
    for (let index = first; index < end && index < pointers.length; index++) {
      const pointer = pointers[index];
      if (pointer !== undefined) moved.push([index * 8 - sourceOffset + offset, pointer]);
    }
    for (const [at, pointer] of moved) {
      if (at % 8 === 0) this.#setPointer(at / 8, pointer);
      else pointer.object.memory?.expose(pointer.object);
    }
    // A pointer that is cut at either end goes on as bytes of an address.
    if (sourceOffset % 8 !== 0) source.exposeAt(sourceOffset);
    if ((sourceOffset + length) % 8 !== 0) source.exposeAt(sourceOffset + length);
  }

  /** Stores a pointer's address and remembers the pointer. */
  storePointer(offset: number, pointer: Pointer): void {
    const { view } = this;
    const at = this.start + offset;
    const base = pointer.object.base;
    if (typeof base === 'number') {
      const address = base + pointer.offset;
      view.setInt32(at, address | 0, true);
      view.setInt32(at + 4, Math.floor(address / 4294967296), true);
    } else view.setBigInt64(at, base + BigInt(pointer.offset), true);
    view.setInt32(at + this.size, 0x02020202);
    view.setInt32(at + this.size + 4, 0x02020202);
    if (offset % 8 === 0) this.#setPointer(offset / 8, pointer);
    else pointer.object.memory?.expose(pointer.object);
  }

  /** The pointer that was stored at exactly this offset and is still there whole. */
  storedPointer(offset: number): Pointer | undefined {
    if (this.pointers === undefined || offset % 8 !== 0) return undefined;
    const pointer = this.pointers[offset / 8];
    if (pointer === undefined) return undefined;
    const at = this.start + offset;
    const states = at + this.size;
    if (this.view.getInt32(states) !== 0x02020202 || this.view.getInt32(states + 4) !== 0x02020202)
      return undefined;
    const base = pointer.object.base;
    if (typeof base === 'bigint') return pointer;
    const address = base + pointer.offset;
    const same =
      this.view.getInt32(at, true) === (address | 0) &&
      this.view.getInt32(at + 4, true) === Math.floor(address / 4294967296);
    return same ? pointer : undefined;
  }

  /** Whoever reads a piece of a pointer as a number has its address: expose the objects of the range. */
  expose(offset: number, length: number): void {
    if (this.pointers === undefined) return;
    for (let at = offset & ~7; at < offset + length; at += 8) this.exposeAt(at);
  }

  /** Exposes the object of the pointer that covers an offset, if there is one. */
  exposeAt(offset: number): void {
    const pointer = this.pointers?.[offset >>> 3];
    if (pointer !== undefined) pointer.object.memory?.expose(pointer.object);
  }

  #setPointer(index: number, pointer: Pointer): void {
    this.pointers ??= [];
    const { pointers } = this;
    // Filling up keeps the array dense; a far store at once into a large object makes it sparse on purpose.
    if (index > pointers.length && index < pointers.length * 2 + 64)
      while (pointers.length < index) pointers.push(undefined);
    pointers[index] = pointer;
  }
}

function allocate(bytes: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(bytes);
  } catch {
    trap('VCT0645', { limit: bytes });
  }
}
