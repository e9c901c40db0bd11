/**
 * Between which bounds an integer value lies, where that is plain to see: from constants, masks, remainders and the counters of loops.
 *
 * Used for what only makes the text simpler: a sum that cannot overflow is written as a plain sum, an index that stays in its array as a
 * plain index. Each question looks at a few instructions.
 */

import { type Dominators, dominates } from '../../core/dominators.js';
import { type Block, type Inst, isConstantOperand, operandConstant, type Value } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import type { CounterFact } from './counted-loops.js';

/** How many instructions deep a question goes. */
const DEEPEST_QUESTION = 5;

/** Inclusive bounds of a value in the sign of its type. */
export interface Range {
  readonly low: bigint;
  readonly high: bigint;
}

/** Answers for one function. */
export class Ranges {
  constructor(
    readonly view: VirFunction,
    readonly dominators: Dominators,
    readonly blockOf: Int32Array,
    readonly counters: ReadonlyMap<number, readonly CounterFact[]>,
  ) {}

  /** The bounds of a value whenever control is in the block, or undefined when nothing better than its type is known. */
  of(value: Value, block: number, depth = 0): Range | undefined {
    const { view } = this;
    const { types, constants } = view.tables;
    if (isConstantOperand(value)) {
      const constant = operandConstant(value);
      if (constants.kind(constant) !== ConstantKind.integer) return undefined;
      const number = constants.integerValue(constant);
      return { low: number, high: number };
    }
    const type = view.valueType(value);
    if (!types.isInteger(type) || types.width(type) > 64 || types.width(type) === 1) return undefined;
    const narrow = types.width(type) < 32 ? this.#ofType(value) : undefined;
    if (depth > DEEPEST_QUESTION) return narrow;
    return this.#ofInstruction(value as number as Inst, block, depth + 1) ?? narrow;
  }

  /** The bounds of a sum, difference or product when it cannot leave its type, else undefined. */
  unwrapped(inst: Inst, block: number, depth = 0): Range | undefined {
    const { view } = this;
    const left = this.of(view.operand(inst, 0), block, depth);
    const right = left && this.of(view.operand(inst, 1), block, depth);
    if (left === undefined || right === undefined) return undefined;
    const opcode = view.opcode(inst);
    const result =
      opcode === Opcode.add
        ? { low: left.low + right.low, high: left.high + right.high }
        : opcode === Opcode.sub
          ? { low: left.low - right.high, high: left.high - right.low }
          : product(left, right);
    const full = this.#ofType(inst as number as Value);
    return result.low >= full.low && result.high <= full.high ? result : undefined;
  }

  #ofType(value: Value): Range {
    const { types } = this.view.tables;
    const type = this.view.valueType(value);
    const width = BigInt(types.width(type));
    return types.isSigned(type)
      ? { low: -(1n << (width - 1n)), high: (1n << (width - 1n)) - 1n }
      : { low: 0n, high: (1n << width) - 1n };
  }

  #ofInstruction(inst: Inst, block: number, depth: number): Range | undefined {
    const { view } = this;
    switch (view.opcode(inst)) {
      case Opcode.add:
      case Opcode.sub:
      case Opcode.mul:
        return this.unwrapped(inst, block, depth);
      case Opcode.and:
        return this.#mask(inst, block, depth);
      case Opcode.srem:
      case Opcode.urem:
      case Opcode.sdiv:
      case Opcode.udiv:
        return this.#division(inst, block, depth);
      case Opcode.sext:
      case Opcode.zext:
        return this.#widened(inst, block, depth);
      case Opcode.phi:
        return this.#counter(inst, block);
      default:
        return undefined;
    }
  }

  #mask(inst: Inst, block: number, depth: number): Range | undefined {
    for (const index of [1, 0]) {
      const mask = this.of(this.view.operand(inst, index), block, depth);
      if (mask !== undefined && mask.low >= 0n) return { low: 0n, high: mask.high };
    }
    return undefined;
  }

  /** Of a dividend that is not negative by a constant that is positive in the operation's sign. */
  #division(inst: Inst, block: number, depth: number): Range | undefined {
    const { view } = this;
    const divisor = this.of(view.operand(inst, 1), block, depth);
    if (divisor === undefined || divisor.low !== divisor.high || divisor.low <= 0n) return undefined;
    const isRemainder = view.opcode(inst) === Opcode.srem || view.opcode(inst) === Opcode.urem;
    const isUnsigned = view.opcode(inst) === Opcode.urem || view.opcode(inst) === Opcode.udiv;
    if (isUnsigned && isRemainder) return { low: 0n, high: divisor.high - 1n };
    const dividend = this.of(view.operand(inst, 0), block, depth);
    if (dividend === undefined || dividend.low < 0n) return undefined;
    if (!isRemainder) return { low: dividend.low / divisor.low, high: dividend.high / divisor.low };
    const largest = divisor.high - 1n;
    return { low: 0n, high: dividend.high < largest ? dividend.high : largest };
  }

  #widened(inst: Inst, block: number, depth: number): Range | undefined {
    const { view } = this;
    const source = view.operand(inst, 0);
    const type = view.valueType(source);
    const { types } = view.tables;
    if (types.width(type) === 1) return view.opcode(inst) === Opcode.zext ? { low: 0n, high: 1n } : undefined;
    const inner = this.of(source, block, depth);
    const keepsSign = (view.opcode(inst) === Opcode.sext) === types.isSigned(type);
    if (inner === undefined) return undefined;
    return inner.low >= 0n || (keepsSign && types.isSigned(view.instructionType(inst))) ? inner : undefined;
  }

  #counter(phi: Inst, block: number): Range | undefined {
    for (const fact of this.counters.get(phi) ?? [])
      if (dominates(this.dominators, fact.inside, block as Block)) return fact.range;
    return undefined;
  }
}

function product(left: Range, right: Range): Range {
  const corners = [
    left.low * right.low,
    left.low * right.high,
    left.high * right.low,
    left.high * right.high,
  ];
  corners.sort((one, other) => (one < other ? -1 : one > other ? 1 : 0));
  return { low: corners[0] as bigint, high: corners[3] as bigint };
}
