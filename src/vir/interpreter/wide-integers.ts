/**
 * Integer arithmetic above 32 bits. Where both operands are numbers and the exact result is a safe integer of the type, no
 * bigint is made: that is the case of counters, indices and sizes.
 */

import { Opcode } from '../../ir/opcodes.js';
import type { Step } from './step.js';
import { trap, trapUndef } from './trap.js';
import { fromHalves, integerBits, narrowed, type Slot, type Wide, wrapWide } from './values.js';

/** The step of an integerBinary opcode on a type of more than 32 bits. */
export function wideBinaryStep(
  opcode: number,
  width: number,
  type: string,
  result: number,
  left: number,
  right: number,
): Step {
  const highest = Math.min(Number.MAX_SAFE_INTEGER, 2 ** (width - 1) - 1);
  const lowest = -highest;
  switch (opcode) {
    case Opcode.add:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        const sum = typeof x === 'number' && typeof y === 'number' ? x + y : Number.NaN;
        if (sum <= highest && sum >= lowest) registers[result] = sum;
        else registers[result] = bigResult(width, x, y, (a, b) => a + b);
      };
    case Opcode.sub:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        const difference = typeof x === 'number' && typeof y === 'number' ? x - y : Number.NaN;
        if (difference <= highest && difference >= lowest) registers[result] = difference;
        else registers[result] = bigResult(width, x, y, (a, b) => a - b);
      };
    case Opcode.mul:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        const product = typeof x === 'number' && typeof y === 'number' ? x * y : Number.NaN;
        // Adding zero turns -0, which is no integer, into 0.
        if (product <= highest && product >= lowest) registers[result] = product + 0;
        else registers[result] = bigResult(width, x, y, (a, b) => a * b);
      };
    default: {
      const operation = wideOperation(opcode, width, type);
      const neededRight = divisionOrShift(opcode);
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        if (y === undefined && neededRight !== undefined) trapUndef(neededRight);
        registers[result] = x === undefined || y === undefined ? undefined : operation(x as Wide, y as Wide);
      };
    }
  }
}

function divisionOrShift(opcode: number): string | undefined {
  if (opcode >= Opcode.sdiv && opcode <= Opcode.urem) return 'a divisor';
  if (opcode >= Opcode.shl && opcode <= Opcode.ashr) return 'the amount of a shift';
  return undefined;
}

function bigResult(width: number, x: Slot, y: Slot, operation: (a: bigint, b: bigint) => bigint): Slot {
  if (x === undefined || y === undefined) return undefined;
  return wrapWide(width, operation(BigInt(x as Wide), BigInt(y as Wide)));
}

/** The function of an opcode other than add, sub and mul. */
function wideOperation(opcode: number, width: number, type: string): (x: Wide, y: Wide) => Wide {
  switch (opcode) {
    case Opcode.and:
      return bitwise(
        (a, b) => a & b,
        (a, b) => a & b,
      );
    case Opcode.or:
      return bitwise(
        (a, b) => a | b,
        (a, b) => a | b,
      );
    case Opcode.xor:
      return bitwise(
        (a, b) => a ^ b,
        (a, b) => a ^ b,
      );
    case Opcode.shl:
    case Opcode.lshr:
    case Opcode.ashr:
      return shift(opcode, width, type);
    case Opcode.sdiv:
    case Opcode.srem:
      return signedDivision(opcode === Opcode.sdiv, width, type);
    default:
      return unsignedDivision(opcode === Opcode.udiv, width);
  }
}

/** Operands are sign-extended, so the results are too, and 64 bits of two numbers are all that differ. */
function bitwise(
  halves: (a: number, b: number) => number,
  whole: (a: bigint, b: bigint) => bigint,
): (x: Wide, y: Wide) => Wide {
  return (x, y) => {
    if (typeof x !== 'number' || typeof y !== 'number') return narrowed(whole(BigInt(x), BigInt(y)));
    const high = halves(Math.floor(x / 4294967296), Math.floor(y / 4294967296));
    return fromHalves(high, halves(x, y));
  };
}

function shift(opcode: number, width: number, type: string): (x: Wide, y: Wide) => Wide {
  const highest = Math.min(Number.MAX_SAFE_INTEGER, 2 ** (width - 1) - 1);
  const apply = shiftBy(opcode, width, highest);
  return (x, y) => {
    if (y < 0 || y >= width) trap('VCT0602', { amount: integerBits(width, y), type });
    return apply(x, Number(y));
  };
}

function shiftBy(opcode: number, width: number, highest: number): (x: Wide, amount: number) => Wide {
  if (opcode === Opcode.shl)
    return (x, amount) => {
      if (typeof x === 'number') {
        const shifted = x * 2 ** amount;
        if (shifted <= highest && shifted >= -highest) return shifted;
      }
      return wrapWide(width, BigInt(x) << BigInt(amount));
    };
  if (opcode === Opcode.lshr)
    return (x, amount) => {
      if (typeof x === 'number' && x >= 0) return Math.floor(x / 2 ** amount);
      return wrapWide(width, integerBits(width, x) >> BigInt(amount));
    };
  return (x, amount) => {
    if (typeof x === 'number') return Math.floor(x / 2 ** amount);
    return narrowed(x >> BigInt(amount));
  };
}

function signedDivision(isQuotient: boolean, width: number, type: string): (x: Wide, y: Wide) => Wide {
  const lowest = narrowed(-(1n << BigInt(width - 1)));
  return (x, y) => {
    if (y === 0) trap('VCT0600');
    if (y === -1 && x === lowest) trap('VCT0601', { type });
    if (typeof x === 'number' && typeof y === 'number') return (isQuotient ? Math.trunc(x / y) : x % y) + 0;
    return narrowed(isQuotient ? BigInt(x) / BigInt(y) : BigInt(x) % BigInt(y));
  };
}

function unsignedDivision(isQuotient: boolean, width: number): (x: Wide, y: Wide) => Wide {
  return (x, y) => {
    if (y === 0) trap('VCT0600');
    if (typeof x === 'number' && typeof y === 'number' && x >= 0 && y > 0)
      return isQuotient ? Math.floor(x / y) : x % y;
    const a = integerBits(width, x);
    const b = integerBits(width, y);
    return wrapWide(width, isQuotient ? a / b : a % b);
  };
}

/** Clamped sum or difference. */
export function wideSaturating(opcode: number, width: number): (x: Wide, y: Wide) => Wide {
  const isSigned = opcode === Opcode.sadd_sat || opcode === Opcode.ssub_sat;
  const isSum = opcode === Opcode.sadd_sat || opcode === Opcode.uadd_sat;
  const lowest = isSigned ? -(1n << BigInt(width - 1)) : 0n;
  const highest = isSigned ? -lowest - 1n : (1n << BigInt(width)) - 1n;
  const exact = (value: Wide) => (isSigned ? BigInt(value) : integerBits(width, value));
  return (x, y) => {
    const value = isSum ? exact(x) + exact(y) : exact(x) - exact(y);
    return wrapWide(width, value < lowest ? lowest : value > highest ? highest : value);
  };
}

/** The wrapped result of an overflow opcode, and whether it differs from the exact one. */
export function wideOverflow(
  opcode: number,
  width: number,
): (x: Wide, y: Wide) => { value: Wide; overflowed: boolean } {
  const isSigned =
    opcode === Opcode.sadd_overflow || opcode === Opcode.ssub_overflow || opcode === Opcode.smul_overflow;
  const operation = exactOperation(opcode);
  return (x, y) => {
    const exact = isSigned
      ? operation(BigInt(x), BigInt(y))
      : operation(integerBits(width, x), integerBits(width, y));
    const wrapped = isSigned ? BigInt.asIntN(width, exact) : BigInt.asUintN(width, exact);
    return { value: wrapWide(width, exact), overflowed: wrapped !== exact };
  };
}

function exactOperation(opcode: number): (x: bigint, y: bigint) => bigint {
  switch (opcode) {
    case Opcode.sadd_overflow:
    case Opcode.uadd_overflow:
      return (x, y) => x + y;
    case Opcode.ssub_overflow:
    case Opcode.usub_overflow:
      return (x, y) => x - y;
    default:
      return (x, y) => x * y;
  }
}
