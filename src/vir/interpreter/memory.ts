/**
 * The memory of a program: objects with bounds, an address and a life (006 §4.4). A pointer is an object and an offset,
 * so that leaving the object is noticed however near the next one lies.
 *
 * Addresses are a plain count upwards, never used twice: the same program has the same addresses in every run. An object of
 * alignment A gets an odd multiple of A, so that no access is aligned by luck.
 */

import type { FunctionId } from '../../ir/entities.js';
import { Content } from './content.js';
import { trap } from './trap.js';
import { type Wide, wrapWide } from './values.js';

/** Where an object comes from. */
export type ObjectKind = 'global' | 'stack' | 'heap' | 'function' | 'nowhere';

/** What may be done with an object. Up to `writable` it may be written, up to `constant` read. */
export const Life = {
  writable: 0,
  constant: 1,
  freed: 2,
  returned: 3,
  code: 4,
  nowhere: 5,
  /** Declared, and defined outside of the module. */
  elsewhere: 6,
} as const;
export type Life = (typeof Life)[keyof typeof Life];

const PAGE_BYTES = 4096;
const FIRST_ADDRESS = 0x10000;
/** The gap keeps one past the end of an object and the start of the next apart. */
const GAP = 16;

/** One object. Its bounds, address and states are all that an access looks at. */
export class MemoryObject extends Content {
  life: Life;
  /** The address modulo 2^30, for the test of alignment. */
  readonly phase: number;
  isExposed = false;
  /** For an object of kind function. */
  function: FunctionId | undefined;

  constructor(
    readonly memory: Memory | undefined,
    readonly kind: ObjectKind,
    readonly label: string,
    size: number,
    readonly base: Wide,
    life: Life,
  ) {
    super(size);
    this.life = life;
    this.phase = typeof base === 'number' && base >= 0 ? base % 0x40000000 : 0;
  }
}

/** A pointer; never changed once made. */
export class Pointer {
  constructor(
    readonly object: MemoryObject,
    readonly offset: number,
  ) {}
}

/** The object that null and made-up addresses point to: it has no bytes. */
const NOWHERE = new MemoryObject(undefined, 'nowhere', 'no object', 0, 0, Life.nowhere);

/** The null pointer: the only one with address 0. */
export const NULL_POINTER = new Pointer(NOWHERE, 0);

/** All objects of a running program. */
export class Memory {
  #next = FIRST_ADDRESS;
  #bytesInUse = 0;
  /** Exposed objects by each page that they touch. */
  readonly #pages = new Map<number, MemoryObject[]>();

  constructor(readonly limit: number) {}

  /** A new object of undef bytes. */
  allocate(
    kind: ObjectKind,
    label: string,
    size: number,
    alignment: number,
    life: Life = Life.writable,
  ): MemoryObject {
    this.#bytesInUse += size;
    if (this.#bytesInUse > this.limit) trap('VCT0645', { limit: this.limit });
    const base = (Math.floor(this.#next / (2 * alignment)) * 2 + 1) * alignment;
    const address = base >= this.#next ? base : base + 2 * alignment;
    this.#next = address + size + GAP;
    return new MemoryObject(this, kind, label, size, address, life);
  }

  /** Whether that many more bytes are within the limit. */
  hasRoom(size: number): boolean {
    return this.#bytesInUse + size <= this.limit;
  }

  /** Ends the life of an object; its bytes go to the garbage collector with the last pointer to it. */
  release(object: MemoryObject, life: Life): void {
    object.life = life;
    this.#bytesInUse -= object.size;
  }

  /** Lets inttoptr find the object from now on. */
  expose(object: MemoryObject): void {
    if (object.isExposed || typeof object.base !== 'number') return;
    object.isExposed = true;
    const last = Math.floor((object.base + object.size) / PAGE_BYTES);
    for (let page = Math.floor(object.base / PAGE_BYTES); page <= last; page++) {
      const objects = this.#pages.get(page);
      if (objects === undefined) this.#pages.set(page, [object]);
      else objects.push(object);
    }
  }

  /** The address of a pointer; whoever has it may make the pointer again. */
  addressOf(pointer: Pointer): Wide {
    this.expose(pointer.object);
    const { base } = pointer.object;
    return typeof base === 'number' ? base + pointer.offset : wrapWide(64, base + BigInt(pointer.offset));
  }

  /** The pointer with an address: into an exposed object, or to nowhere. */
  pointerAt(address: Wide): Pointer {
    if (address === 0) return NULL_POINTER;
    if (typeof address === 'number' && address > 0) {
      for (const object of this.#pages.get(Math.floor(address / PAGE_BYTES)) ?? []) {
        const offset = address - (object.base as number);
        if (offset >= 0 && offset <= object.size) return new Pointer(object, offset);
      }
    }
    return new Pointer(new MemoryObject(undefined, 'nowhere', 'no object', 0, address, Life.nowhere), 0);
  }
}

/** Orders two pointers: by offset in one object, else by address. Negative, zero or positive. */
export function comparePointers(left: Pointer, right: Pointer): number {
  if (left.object === right.object) return left.offset - right.offset;
  const a = unsignedAddress(left);
  const b = unsignedAddress(right);
  return a < b ? -1 : a > b ? 1 : 0;
}

function unsignedAddress(pointer: Pointer): Wide {
  const { base } = pointer.object;
  const address = typeof base === 'number' ? base + pointer.offset : base + BigInt(pointer.offset);
  return address < 0 ? BigInt.asUintN(64, BigInt(address)) : address;
}

/**
 * Says why an access is erroneous, or returns when it is not. Called where the quick test of a load or store fails.
 * `alignment` is in bytes, a power of two.
 */
export function checkAccess(pointer: Pointer, size: number, alignment: number, isWrite: boolean): void {
  const { object, offset } = pointer;
  const access = isWrite ? 'write' : 'read';
  if (object.life > Life.constant) trapLifeless(pointer, access);
  if (offset < 0 || offset + size > object.size)
    trap('VCT0605', { access, size, offset, object: object.label, limit: object.size });
  if (((object.phase + offset) & (alignment - 1)) !== 0)
    trap('VCT0606', { access, alignment, offset, object: object.label });
  if (isWrite && object.life === Life.constant) trap('VCT0609', { object: object.label });
}

/** Says why an object has no bytes to access. */
function trapLifeless(pointer: Pointer, access: string): never {
  const { object } = pointer;
  const name = object.label.replace(/^@/, '');
  switch (object.life) {
    case Life.freed:
      return trap('VCT0607', { access, object: object.label });
    case Life.returned:
      return trap('VCT0608', { access, object: object.label });
    case Life.code:
      return trap('VCT0613', { access, name });
    case Life.elsewhere:
      return trap('VCT0647', { name });
    default:
      if (object === NOWHERE && pointer.offset === 0) return trap('VCT0604', { access });
      return trap('VCT0612', { access, address: addressText(pointer) });
  }
}

/** An address as %p prints it. */
export function addressText(pointer: Pointer): string {
  return `0x${BigInt.asUintN(64, BigInt(unsignedAddress(pointer))).toString(16)}`;
}
