/**
 * Float instructions. An f32 result is the f64 result rounded once more, which is exact rounding for + - * / and the square
 * root (Figueroa 1995: twice the bits and two more suffice). The NaN of arithmetic is the quiet positive one.
 */

import { Opcode } from '../../ir/opcodes.js';
import { FLOAT_PREDICATES, type FloatPredicate } from '../../ir/schema.js';
import type { Places } from './integer-steps.js';
import type { Step } from './step.js';
import { floatBits, floatFromBits, type OddNan, plainFloat, type Slot } from './values.js';

/** A floatBinary instruction. */
export function floatBinaryStep(opcode: number, width: number, places: Places): Step {
  return width === 32 ? narrowStep(opcode, places) : doubleStep(opcode, places);
}

function doubleStep(opcode: number, places: Places): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  switch (opcode) {
    case Opcode.fadd:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x + y : noNumber(x, y);
      };
    case Opcode.fsub:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x - y : noNumber(x, y);
      };
    case Opcode.fmul:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x * y : noNumber(x, y);
      };
    case Opcode.fdiv:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x / y : noNumber(x, y);
      };
    default:
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? x % y : noNumber(x, y);
      };
  }
}

function narrowStep(opcode: number, places: Places): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const operation = floatOperation(opcode);
  return (registers) => {
    const x = registers[left];
    const y = registers[right];
    registers[result] =
      typeof x === 'number' && typeof y === 'number' ? Math.fround(operation(x, y)) : noNumber(x, y);
  };
}

function floatOperation(opcode: number): (x: number, y: number) => number {
  switch (opcode) {
    case Opcode.fadd:
      return (x, y) => x + y;
    case Opcode.fsub:
      return (x, y) => x - y;
    case Opcode.fmul:
      return (x, y) => x * y;
    case Opcode.fdiv:
      return (x, y) => x / y;
    default:
      return (x, y) => x % y;
  }
}

/** The result where an operand is undef or an odd NaN. */
function noNumber(x: Slot, y: Slot): Slot {
  return x === undefined || y === undefined ? undefined : Number.NaN;
}

/** fneg, fabs and sqrt. The first two change the sign bit and nothing else. */
export function floatUnaryStep(opcode: number, width: number, places: Places): Step {
  const [operand] = places.operands as [number];
  const { result } = places;
  const signBit = 1n << BigInt(width - 1);
  if (opcode === Opcode.sqrt)
    return (registers) => {
      const x = registers[operand];
      if (x === undefined) registers[result] = undefined;
      else {
        const root = Math.sqrt(plainFloat(x as number | OddNan));
        registers[result] = width === 32 ? Math.fround(root) : root;
      }
    };
  const isNegation = opcode === Opcode.fneg;
  return (registers) => {
    const x = registers[operand];
    if (typeof x === 'number' && !Number.isNaN(x)) registers[result] = isNegation ? -x : Math.abs(x);
    else if (x === undefined) registers[result] = undefined;
    else {
      const bits = floatBits(width, x as number | OddNan);
      registers[result] = floatFromBits(width, isNegation ? bits ^ signBit : bits & ~signBit);
    }
  };
}

/** The function of a float predicate, where a NaN of any kind is a NaN. */
function floatPredicate(predicate: FloatPredicate): (x: number, y: number) => boolean {
  switch (predicate) {
    case 'oeq':
      return (x, y) => x === y;
    case 'ogt':
      return (x, y) => x > y;
    case 'oge':
      return (x, y) => x >= y;
    case 'olt':
      return (x, y) => x < y;
    case 'ole':
      return (x, y) => x <= y;
    case 'one':
      return (x, y) => x < y || x > y;
    case 'ord':
      return (x, y) => !Number.isNaN(x) && !Number.isNaN(y);
    case 'ueq':
      return (x, y) => !(x < y || x > y);
    case 'ugt':
      return (x, y) => !(x <= y);
    case 'uge':
      return (x, y) => !(x < y);
    case 'ult':
      return (x, y) => !(x >= y);
    case 'ule':
      return (x, y) => !(x > y);
    case 'une':
      return (x, y) => x !== y;
    case 'uno':
      return (x, y) => Number.isNaN(x) || Number.isNaN(y);
  }
}

/** fcmp; `predicate` is a number of `FLOAT_PREDICATES`. */
export function floatCompareStep(predicate: number, places: Places): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const holds = floatPredicate(FLOAT_PREDICATES[predicate] as FloatPredicate);
  return (registers) => {
    const x = registers[left];
    const y = registers[right];
    if (x === undefined || y === undefined) registers[result] = undefined;
    else
      registers[result] = holds(plainFloat(x as number | OddNan), plainFloat(y as number | OddNan)) ? 1 : 0;
  };
}
