/** Memory, process and number functions of <stdlib.h>. */

import { addressText, Life, NULL_POINTER, Pointer } from '../memory.js';
import { ProgramExit, trap } from '../trap.js';
import type { HostCall, HostFunction } from './host-call.js';
import { parseFloatPrefix, parseInteger } from './parse-number.js';

/** What malloc aligns to on the 64-bit targets. */
const HEAP_ALIGNMENT = 16;
/** What a shell reports of a process that abort ended: 128 + SIGABRT. */
const ABORT_EXIT_CODE = 134;

/** The built-ins of this file, by name. */
export const STDLIB: Readonly<Record<string, HostFunction>> = {
  malloc: (call) => allocated(call, call.size(0), false),
  calloc: (call) => allocated(call, call.size(0) * call.size(1), true),
  aligned_alloc(call) {
    const alignment = call.size(0);
    const isPower = alignment > 0 && alignment <= 2 ** 30 && (alignment & (alignment - 1)) === 0;
    if (!isPower) call.fail(`the alignment ${alignment}, which is no power of two`);
    return allocated(call, call.size(1), false, Math.max(HEAP_ALIGNMENT, alignment));
  },
  realloc(call) {
    const old = call.pointer(0);
    const size = call.size(1);
    if (isNull(old)) return allocated(call, size, false);
    checkHeap(old);
    const fresh = allocated(call, size, false);
    if (isNull(fresh)) return fresh;
    fresh.object.copy(0, old.object, 0, Math.min(size, old.object.size));
    call.host.memory.release(old.object, Life.freed);
    return fresh;
  },
  free(call) {
    const pointer = call.pointer(0);
    if (isNull(pointer)) return undefined;
    checkHeap(pointer);
    call.host.memory.release(pointer.object, Life.freed);
    return undefined;
  },
  exit(call) {
    throw new ProgramExit(call.int(0) & 255);
  },
  _Exit(call) {
    throw new ProgramExit(call.int(0) & 255);
  },
  abort() {
    throw new ProgramExit(ABORT_EXIT_CODE);
  },
  abs: (call) => Math.abs(call.int(0)),
  labs: (call) => absolute(call),
  llabs: (call) => absolute(call),
  atoi: (call) => BigInt.asIntN(32, parseInteger(call.string(0), 10).value),
  atol: (call) => parseInteger(call.string(0), 10).value,
  atoll: (call) => parseInteger(call.string(0), 10).value,
  atof: (call) => parseFloatPrefix(call.string(0)).value,
  strtol: (call) => converted(call, true),
  strtoll: (call) => converted(call, true),
  strtoul: (call) => converted(call, false),
  strtoull: (call) => converted(call, false),
  strtod(call) {
    const { value, length } = parseFloatPrefix(call.string(0));
    storeEnd(call, length);
    return value;
  },
};

function isNull(pointer: Pointer): boolean {
  return pointer === NULL_POINTER || (pointer.object.base === 0 && pointer.offset === 0);
}

function absolute(call: HostCall): bigint {
  const value = BigInt(call.integer(0));
  return value < 0n ? -value : value;
}

/** A heap object; null where the memory limit is met, as in C. */
function allocated(call: HostCall, size: number, isZeroed: boolean, alignment = HEAP_ALIGNMENT): Pointer {
  const { memory } = call.host;
  if (!memory.hasRoom(size)) return NULL_POINTER;
  const object = memory.allocate('heap', `the heap object of ${size} bytes`, size, alignment);
  if (isZeroed) object.define(0, size);
  return new Pointer(object, 0);
}

function checkHeap(pointer: Pointer): void {
  const { object, offset } = pointer;
  if (object.life === Life.freed) trap('VCT0610', { object: object.label });
  if (object.kind === 'nowhere') trap('VCT0612', { access: 'free', address: addressText(pointer) });
  if (object.kind !== 'heap' || offset !== 0) {
    const place = offset === 0 ? object.label : `offset ${offset} of ${object.label}`;
    trap('VCT0611', { object: place });
  }
}

/** strtol and its relatives, clamped to the 64-bit type. */
function converted(call: HostCall, isSigned: boolean): bigint {
  const base = call.int(2);
  if (base !== 0 && (base < 2 || base > 36)) call.fail(`the base ${base}`);
  const { value, length } = parseInteger(call.string(0), base);
  storeEnd(call, length);
  const highest = isSigned ? (1n << 63n) - 1n : (1n << 64n) - 1n;
  const lowest = isSigned ? -(1n << 63n) : -highest;
  return value > highest ? highest : value < lowest ? (isSigned ? lowest : highest) : value;
}

/** Stores where the number ended, if the caller wants to know. */
function storeEnd(call: HostCall, length: number): void {
  const end = call.pointer(1);
  if (isNull(end)) return;
  const start = call.pointer(0);
  call.write(1, new Uint8Array(8));
  end.object.storePointer(end.offset, new Pointer(start.object, start.offset + length));
}
