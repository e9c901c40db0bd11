/**
 * What a register of the interpreter holds.
 *
 * - An integer of up to 32 bits is a JavaScript number: the signed value at 32 bits, the zero-extended bits below. Both are
 *   small integers to the engine, and operations need one mask at most.
 * - A wider integer is its signed value: a number while that is a safe integer, else a bigint. Loop counters and sizes stay
 *   numbers, and nothing is ever rounded. Each value has one form only, so `===` compares.
 * - A float is a number; a NaN other than the quiet positive one is an `OddNan`, so that its bits survive (006 §4.2).
 * - A pointer is an object and an offset; an aggregate is an image of its bytes.
 * - `undefined` is undef.
 */

import type { Content } from './content.js';
import type { Pointer } from './memory.js';

/** A NaN whose bits are not those of the quiet positive one. The width is that of its type. */
export class OddNan {
  constructor(readonly bits: bigint) {}
}

/** A value: see the head of the file. */
export type Slot = number | bigint | OddNan | Pointer | Content | undefined;

/** A wide integer in its one form. */
export type Wide = number | bigint;

const MAXIMUM = Number.MAX_SAFE_INTEGER;
const BIG_MAXIMUM = BigInt(MAXIMUM);

/** The one form of a wide integer that is in range of its type. */
export function narrowed(value: bigint): Wide {
  return value <= BIG_MAXIMUM && value >= -BIG_MAXIMUM ? Number(value) : value;
}

/** `value` modulo 2^width as a signed wide integer. */
export function wrapWide(width: number, value: bigint): Wide {
  return narrowed(BigInt.asIntN(width, value));
}

/** The wide integer with these halves; `high` is signed, `low` any int32. */
export function fromHalves(high: number, low: number): Wide {
  if (high < 0x200000 && high > -0x200000) return high * 4294967296 + (low >>> 0);
  return narrowed((BigInt(high) << 32n) | BigInt(low >>> 0));
}

/** The bits of an integer of any width, zero-extended. */
export function integerBits(width: number, value: Wide): bigint {
  return BigInt.asUintN(width, BigInt(value));
}

/** The integer of that width whose low bits are `bits`. */
export function integerFromBits(width: number, bits: bigint): Wide {
  if (width > 32) return wrapWide(width, bits);
  return width === 32 ? Number(BigInt.asIntN(32, bits)) : Number(BigInt.asUintN(width, bits));
}

/** The signed value of an integer of any width. */
export function signedValue(width: number, value: Wide): Wide {
  if (width >= 32) return value;
  const shift = 32 - width;
  return ((value as number) << shift) >> shift;
}

/** The unsigned value of an integer of any width. */
export function unsignedValue(width: number, value: Wide): Wide {
  if (width < 32) return value;
  if (width === 32) return (value as number) >>> 0;
  return value >= 0 ? value : narrowed(integerBits(width, value));
}

const scratch = new DataView(new ArrayBuffer(8));

/** The bits of the quiet positive NaN of a float width. */
export function quietNanBits(width: number): bigint {
  return width === 32 ? 0x7fc00000n : 0x7ff8000000000000n;
}

/** The IEEE-754 bits of a float. */
export function floatBits(width: number, value: number | OddNan): bigint {
  if (typeof value !== 'number') return value.bits;
  if (Number.isNaN(value)) return quietNanBits(width);
  if (width === 32) {
    scratch.setFloat32(0, value);
    return BigInt(scratch.getUint32(0));
  }
  scratch.setFloat64(0, value);
  return scratch.getBigUint64(0);
}

/** The float with these IEEE-754 bits. */
export function floatFromBits(width: number, bits: bigint): number | OddNan {
  let value: number;
  if (width === 32) {
    scratch.setUint32(0, Number(bits));
    value = scratch.getFloat32(0);
  } else {
    scratch.setBigUint64(0, bits);
    value = scratch.getFloat64(0);
  }
  return !Number.isNaN(value) || bits === quietNanBits(width) ? value : new OddNan(bits);
}

/** The number that a float is in arithmetic, where all NaNs are one. */
export function plainFloat(value: number | OddNan): number {
  return typeof value === 'number' ? value : Number.NaN;
}
