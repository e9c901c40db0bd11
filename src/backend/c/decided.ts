/**
 * Instructions whose result is the same whatever their operands are: `x < 0` unsigned, `x == x`, a remainder by true. C writes them
 * without their operands, for compilers complain about the plain form; so nothing may be inlined into them, and what only they use
 * need not be kept. What is erroneous when it is executed (a shift too far, a division by zero) is written as 0, for the same reason.
 */

import { type Inst, isConstantOperand, NONE, operandConstant, type Value } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, INTEGER_PREDICATES, type IntegerPredicate } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';

/** The predicate that holds when the operands change places. */
const MIRROR: Readonly<Record<IntegerPredicate, IntegerPredicate>> = {
  eq: 'eq',
  ne: 'ne',
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
};

/** How many of the operands, from the first on, the C form of the instruction holds; all but for what is decided. */
export function writtenOperandCount(view: VirFunction, inst: Inst): number {
  const count = view.operandCount(inst);
  switch (view.opcode(inst)) {
    case Opcode.icmp:
      return decidedComparison(view, inst) === undefined ? count : 0;
    case Opcode.shl:
    case Opcode.lshr:
    case Opcode.ashr:
      if (isBoolean(view, inst)) return 1;
      return isShiftTooFar(view, inst) ? 0 : count;
    case Opcode.sdiv:
    case Opcode.udiv:
      if (isBoolean(view, inst)) return 1;
      return isDivisionByZero(view, inst) ? 0 : count;
    case Opcode.srem:
    case Opcode.urem:
      return isBoolean(view, inst) || isDivisionByZero(view, inst) ? 0 : count;
    default:
      return count;
  }
}

function isBoolean(view: VirFunction, inst: Inst): boolean {
  return view.tables.types.width(view.instructionType(inst)) === 1;
}

/** A constant amount that is erroneous. */
export function isShiftTooFar(view: VirFunction, inst: Inst): boolean {
  const amount = bitsOf(view, view.operand(inst, 1));
  return amount !== undefined && amount >= BigInt(view.tables.types.width(view.instructionType(inst)));
}

/** A constant divisor that is erroneous. */
export function isDivisionByZero(view: VirFunction, inst: Inst): boolean {
  return bitsOf(view, view.operand(inst, 1)) === 0n;
}

/** What an icmp always gives, or undefined. */
export function decidedComparison(view: VirFunction, inst: Inst): boolean | undefined {
  const predicate = INTEGER_PREDICATES[view.aux(inst)] as IntegerPredicate;
  const left = view.operand(inst, 0);
  const right = view.operand(inst, 1);
  if (left === right && (left === NONE || left >= 0)) return holdsForEqual(predicate);
  if (!isConstantOperand(left) && !isConstantOperand(right)) return undefined;
  const { types } = view.tables;
  const type = view.valueType(left);
  if (!types.isInteger(type) || types.width(type) === 1) return undefined;
  const bits = bitsOf(view, right);
  if (bits !== undefined) return decidedByBound(predicate, types.width(type), bits);
  const mirrored = bitsOf(view, left);
  return mirrored === undefined ? undefined : decidedByBound(MIRROR[predicate], types.width(type), mirrored);
}

function holdsForEqual(predicate: IntegerPredicate): boolean {
  return predicate === 'eq' || (predicate.endsWith('e') && predicate !== 'ne');
}

/** What a comparison with a bound of the type is for every value. */
function decidedByBound(predicate: IntegerPredicate, width: number, bits: bigint): boolean | undefined {
  switch (predicate) {
    case 'ult':
    case 'uge':
      return bits === 0n ? predicate === 'uge' : undefined;
    case 'ugt':
    case 'ule':
      return bits === BigInt.asUintN(width, -1n) ? predicate === 'ule' : undefined;
    case 'slt':
    case 'sge':
      return bits === 1n << BigInt(width - 1) ? predicate === 'sge' : undefined;
    case 'sgt':
    case 'sle':
      return bits === (1n << BigInt(width - 1)) - 1n ? predicate === 'sle' : undefined;
    default:
      return undefined;
  }
}

function bitsOf(view: VirFunction, value: Value): bigint | undefined {
  if (!isConstantOperand(value)) return undefined;
  const { constants } = view.tables;
  const constant = operandConstant(value);
  return constants.kind(constant) === ConstantKind.integer ? constants.integerBits(constant) : undefined;
}
