/** The integer instructions: picks the arithmetic of the width, and adds the intrinsics that are the same at all widths. */

import { Opcode } from '../../ir/opcodes.js';
import type { Storer } from './access.js';
import { Content } from './content.js';
import { narrowBinaryStep, narrowMask, narrowOverflow, narrowSaturatingStep } from './narrow-integers.js';
import type { Step } from './step.js';
import { integerBits, integerFromBits, type Slot, type Wide } from './values.js';
import { wideBinaryStep, wideOverflow, wideSaturating } from './wide-integers.js';

/** The registers of an instruction: its result, and its operands in order. */
export interface Places {
  readonly result: number;
  readonly operands: readonly number[];
}

/** An integerBinary instruction. */
export function integerBinaryStep(opcode: number, width: number, type: string, places: Places): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const isSaturating = opcode >= Opcode.sadd_sat && opcode <= Opcode.usub_sat;
  if (width <= 32)
    return isSaturating
      ? narrowSaturatingStep(opcode, width, result, left, right)
      : narrowBinaryStep(opcode, width, type, result, left, right);
  if (!isSaturating) return wideBinaryStep(opcode, width, type, result, left, right);
  const operation = wideSaturating(opcode, width);
  return (registers) => {
    const x = registers[left];
    const y = registers[right];
    registers[result] = x === undefined || y === undefined ? undefined : operation(x as Wide, y as Wide);
  };
}

/** What an integerOverflow instruction computes. */
export function overflowOperation(
  opcode: number,
  width: number,
): (x: Slot, y: Slot) => { value: Wide; overflowed: boolean } {
  return (width <= 32 ? narrowOverflow(opcode, width) : wideOverflow(opcode, width)) as (
    x: Slot,
    y: Slot,
  ) => { value: Wide; overflowed: boolean };
}

/** An integerOverflow instruction that makes the pair {T, i1}. */
export function overflowStep(
  opcode: number,
  width: number,
  places: Places,
  pair: { readonly size: number; readonly flagOffset: number; readonly storeValue: Storer },
): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const operation = overflowOperation(opcode, width);
  return (registers) => {
    const x = registers[left];
    const y = registers[right];
    if (x === undefined || y === undefined) {
      registers[result] = undefined;
      return;
    }
    const { value, overflowed } = operation(x, y);
    const image = new Content(pair.size);
    pair.storeValue(image, 0, value);
    image.fill(pair.flagOffset, 1, overflowed ? 1 : 0);
    registers[result] = image;
  };
}

/** ctpop. */
export function populationCountStep(width: number, places: Places): Step {
  const [operand] = places.operands as [number];
  const { result } = places;
  return (registers) => {
    const value = registers[operand];
    registers[result] =
      value === undefined
        ? undefined
        : integerFromBits(width, populationCount(integerBits(width, value as Wide)));
  };
}

function populationCount(bits: bigint): bigint {
  let count = 0;
  for (let rest = bits; rest > 0n; rest >>= 32n) {
    let word = Number(rest & 0xffffffffn);
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return BigInt(count);
}

/** fshl: a rotation to the left when both halves are the same. */
export function funnelShiftStep(width: number, places: Places): Step {
  const [high, low, by] = places.operands as [number, number, number];
  const { result } = places;
  if (width === 32)
    return (registers) => {
      const x = registers[high];
      const y = registers[low];
      const amount = registers[by];
      if (typeof x !== 'number' || typeof y !== 'number' || typeof amount !== 'number')
        registers[result] = undefined;
      else if ((amount & 31) === 0) registers[result] = x;
      else registers[result] = (x << (amount & 31)) | (y >>> (32 - (amount & 31)));
    };
  const bitCount = BigInt(width);
  const mask = width < 32 ? BigInt(narrowMask(width)) : (1n << bitCount) - 1n;
  return (registers) => {
    const x = registers[high];
    const y = registers[low];
    const amount = registers[by];
    if (x === undefined || y === undefined || amount === undefined) {
      registers[result] = undefined;
      return;
    }
    const shift = integerBits(width, amount as Wide) % bitCount;
    const joined = (integerBits(width, x as Wide) << bitCount) | integerBits(width, y as Wide);
    registers[result] = integerFromBits(width, (joined >> (bitCount - shift)) & mask);
  };
}
