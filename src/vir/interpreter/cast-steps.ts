/** The conversions. Each makes one function of a value that is not undef; undef stays undef. */

import type { TypeId } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import type { TypeTable } from '../../types/type-table.js';
import type { Places } from './integer-steps.js';
import type { Memory, Pointer } from './memory.js';
import { narrowMask } from './narrow-integers.js';
import type { Step } from './step.js';
import { trap } from './trap.js';
import {
  floatBits,
  floatFromBits,
  integerBits,
  integerFromBits,
  type OddNan,
  plainFloat,
  type Slot,
  signedValue,
  unsignedValue,
  type Wide,
  wrapWide,
} from './values.js';

type Conversion = (value: Slot) => Slot;

/** A cast instruction. */
export function castStep(
  opcode: number,
  from: TypeId,
  to: TypeId,
  types: TypeTable,
  memory: Memory,
  places: Places,
): Step {
  const [operand] = places.operands as [number];
  const { result } = places;
  const convert = conversion(opcode, from, to, types, memory);
  return (registers) => {
    const value = registers[operand];
    registers[result] = value === undefined ? undefined : convert(value);
  };
}

function conversion(opcode: number, from: TypeId, to: TypeId, types: TypeTable, memory: Memory): Conversion {
  const source = types.width(from);
  const target = types.width(to);
  switch (opcode) {
    case Opcode.trunc:
      return truncation(target);
    case Opcode.zext:
      return (value) => resized(target, unsignedValue(source, value as Wide));
    case Opcode.sext:
      return (value) => resized(target, signedValue(source, value as Wide));
    case Opcode.fptrunc:
      return (value) => (typeof value === 'number' ? roundedTo(32, value) : narrowNan(value as OddNan));
    case Opcode.fpext:
      return (value) => (typeof value === 'number' ? value : widenNan(value as OddNan));
    case Opcode.fptosi:
      return floatToInteger(target, true, types.text(to));
    case Opcode.fptoui:
      return floatToInteger(target, false, types.text(to));
    case Opcode.sitofp:
      return (value) => integerToFloat(target, signedValue(source, value as Wide));
    case Opcode.uitofp:
      return (value) => integerToFloat(target, unsignedValue(source, value as Wide));
    case Opcode.ptrtoint:
      return (value) => integerFromBits(target, integerBits(64, memory.addressOf(value as Pointer)));
    case Opcode.inttoptr:
      return (value) => memory.pointerAt(wrapWide(64, integerBits(source, value as Wide)));
    default:
      return bitcast(from, to, types);
  }
}

function truncation(target: number): Conversion {
  if (target > 32) return (value) => wrapWide(target, BigInt(value as Wide));
  const mask = narrowMask(target);
  return (value) =>
    typeof value === 'number' ? value & mask : Number(BigInt.asIntN(32, value as bigint)) & mask;
}

/** A value that fits, in the form that its new width has. */
function resized(target: number, value: Wide): Wide {
  return target <= 32 ? (value as number) & narrowMask(target) : value;
}

function roundedTo(width: number, value: number): number {
  return width === 32 ? Math.fround(value) : value;
}

/** As the hardware does: sign and the high bits of the payload stay, and the NaN becomes quiet. */
function narrowNan(value: OddNan): Slot {
  const sign = (value.bits >> 63n) << 31n;
  return floatFromBits(32, sign | 0x7fc00000n | ((value.bits >> 29n) & 0x3fffffn));
}

function widenNan(value: OddNan): Slot {
  const sign = (value.bits >> 31n) << 63n;
  return floatFromBits(64, sign | 0x7ff8000000000000n | ((value.bits & 0x3fffffn) << 29n));
}

function floatToInteger(width: number, isSigned: boolean, type: string): Conversion {
  // 2^1024 is beyond the floats, so that bound holds of every finite one.
  const lowest = isSigned ? -(2 ** (width - 1)) : 0;
  const limit = 2 ** (isSigned ? width - 1 : width);
  return (value) => {
    const whole = Math.trunc(plainFloat(value as number | OddNan));
    if (!(whole >= lowest && whole < limit) || !Number.isFinite(whole))
      trap('VCT0603', { value: String(plainFloat(value as number | OddNan)), type });
    if (width <= 32) return whole & narrowMask(width);
    return Number.isSafeInteger(whole) && width > 53 ? whole + 0 : wrapWide(width, BigInt(whole));
  };
}

function integerToFloat(width: number, value: Wide): number {
  if (typeof value === 'number') return roundedTo(width, value);
  return width === 32 ? bigToFloat32(value) : Number(value);
}

/** Keeps 30 leading bits, the last one also standing for all that were dropped, so that there is one rounding. */
function bigToFloat32(value: bigint): number {
  const magnitude = value < 0n ? -value : value;
  const dropped = magnitude.toString(16).length * 4 - 30;
  const kept = magnitude >> BigInt(dropped);
  const sticky = kept << BigInt(dropped) === magnitude ? 0n : 1n;
  const rounded = Math.fround(Number(kept | sticky)) * 2 ** dropped;
  return Math.fround(value < 0n ? -rounded : rounded);
}

function bitcast(from: TypeId, to: TypeId, types: TypeTable): Conversion {
  if (types.isInteger(from) && types.isFloat(to))
    return (value) => floatFromBits(types.width(to), integerBits(types.width(to), value as Wide));
  if (types.isFloat(from) && types.isInteger(to))
    return (value) =>
      integerFromBits(types.width(to), floatBits(types.width(from), value as number | OddNan));
  return (value) => value;
}
