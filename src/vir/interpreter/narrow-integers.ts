/**
 * Integer arithmetic up to 32 bits. With `mask` the bits of the type (-1 at 32 bits) and `spare = 32 - width`, `& mask` brings a
 * result to its one form, `(x << spare) >> spare` is the signed value and `x >>> 0` the unsigned one, at every width.
 */

import { Opcode } from '../../ir/opcodes.js';
import type { Registers, Step } from './step.js';
import { trap, trapUndef } from './trap.js';
import type { Slot } from './values.js';

/** The step of an integerBinary opcode, saturating ones apart. */
export function narrowBinaryStep(
  opcode: number,
  width: number,
  type: string,
  result: number,
  left: number,
  right: number,
): Step {
  const mask = narrowMask(width);
  switch (opcode) {
    case Opcode.add:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? (x + y) & mask : undefined;
      };
    case Opcode.sub:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? (x - y) & mask : undefined;
      };
    case Opcode.mul:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] =
          typeof x === 'number' && typeof y === 'number' ? Math.imul(x, y) & mask : undefined;
      };
    case Opcode.and:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x & y : undefined;
      };
    case Opcode.or:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x | y : undefined;
      };
    case Opcode.xor:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x ^ y : undefined;
      };
    case Opcode.shl:
    case Opcode.lshr:
    case Opcode.ashr:
      return shiftStep(opcode, width, type, result, left, right);
    default:
      return divisionStep(opcode, width, type, result, left, right);
  }
}

/** All bits of a type of up to 32 bits. */
export function narrowMask(width: number): number {
  return width === 32 ? -1 : (1 << width) - 1;
}

function shiftAmount(amount: Slot, width: number, type: string): number {
  if (amount === undefined) trapUndef('the amount of a shift');
  const unsigned = (amount as number) >>> 0;
  if (unsigned >= width) trap('VCT0602', { amount: unsigned, type });
  return unsigned;
}

function shiftStep(
  opcode: number,
  width: number,
  type: string,
  result: number,
  left: number,
  right: number,
): Step {
  const mask = narrowMask(width);
  const spare = 32 - width;
  if (opcode === Opcode.shl)
    return (registers) => {
      const amount = shiftAmount(registers[right], width, type);
      const x = registers[left];
      registers[result] = typeof x === 'number' ? (x << amount) & mask : undefined;
    };
  if (opcode === Opcode.lshr)
    return (registers) => {
      const amount = shiftAmount(registers[right], width, type);
      const x = registers[left];
      registers[result] = typeof x === 'number' ? (x >>> amount) & mask : undefined;
    };
  return (registers) => {
    const amount = shiftAmount(registers[right], width, type);
    const x = registers[left];
    registers[result] = typeof x === 'number' ? ((x << spare) >> (spare + amount)) & mask : undefined;
  };
}

function divisor(value: Slot): number {
  if (value === undefined) trapUndef('a divisor');
  if (value === 0) trap('VCT0600');
  return value as number;
}

function divisionStep(
  opcode: number,
  width: number,
  type: string,
  result: number,
  left: number,
  right: number,
): Step {
  const mask = narrowMask(width);
  const spare = 32 - width;
  if (opcode === Opcode.udiv || opcode === Opcode.urem) {
    const isQuotient = opcode === Opcode.udiv;
    return (registers) => {
      const y = divisor(registers[right]) >>> 0;
      const x = registers[left];
      if (typeof x !== 'number') registers[result] = undefined;
      else registers[result] = (isQuotient ? (x >>> 0) / y : (x >>> 0) % y) & mask;
    };
  }
  const isQuotient = opcode === Opcode.sdiv;
  const lowest = -(2 ** (width - 1));
  return (registers) => {
    const y = (divisor(registers[right]) << spare) >> spare;
    const bits = registers[left];
    if (typeof bits !== 'number') {
      registers[result] = undefined;
      return;
    }
    const x = (bits << spare) >> spare;
    if (y === -1 && x === lowest) trap('VCT0601', { type });
    registers[result] = (isQuotient ? x / y : x % y) & mask;
  };
}

/** Clamped sum or difference. */
export function narrowSaturatingStep(
  opcode: number,
  width: number,
  result: number,
  left: number,
  right: number,
): Step {
  const mask = narrowMask(width);
  const isSigned = opcode === Opcode.sadd_sat || opcode === Opcode.ssub_sat;
  const sign = opcode === Opcode.ssub_sat || opcode === Opcode.usub_sat ? -1 : 1;
  const view = isSigned ? signedView(width) : unsignedView;
  const lowest = isSigned ? -(2 ** (width - 1)) : 0;
  const highest = isSigned ? 2 ** (width - 1) - 1 : 2 ** width - 1;
  return (registers: Registers) => {
    const x = registers[left];
    const y = registers[right];
    if (typeof x !== 'number' || typeof y !== 'number') registers[result] = undefined;
    else registers[result] = Math.min(highest, Math.max(lowest, view(x) + sign * view(y))) & mask;
  };
}

/** The wrapped result of an overflow opcode, and whether it differs from the exact one. */
export function narrowOverflow(
  opcode: number,
  width: number,
): (x: number, y: number) => { value: number; overflowed: boolean } {
  const mask = narrowMask(width);
  const isSigned =
    opcode === Opcode.sadd_overflow || opcode === Opcode.ssub_overflow || opcode === Opcode.smul_overflow;
  const isProduct = opcode === Opcode.smul_overflow || opcode === Opcode.umul_overflow;
  const sign = opcode === Opcode.ssub_overflow || opcode === Opcode.usub_overflow ? -1 : 1;
  const view = isSigned ? signedView(width) : unsignedView;
  const lowest = isSigned ? -(2 ** (width - 1)) : 0;
  const highest = isSigned ? 2 ** (width - 1) - 1 : 2 ** width - 1;
  return (x, y) => {
    // A product beyond 2^53 is rounded here, and far out of range either way.
    const exact = isProduct ? view(x) * view(y) : view(x) + sign * view(y);
    const value = (isProduct ? Math.imul(x, y) : x + sign * y) & mask;
    return { value, overflowed: exact < lowest || exact > highest };
  };
}

function signedView(width: number): (x: number) => number {
  const spare = 32 - width;
  return (x) => (x << spare) >> spare;
}

function unsignedView(x: number): number {
  return x >>> 0;
}
