/**
 * Loops that end because they count (008/X5b). C lets a compiler assume that a loop whose condition is no constant ends, so `while (c)`
 * may be written only for a loop that does; all others are `while (1)` with a `break`.
 *
 * A loop counts when every way back to its header adds 1 to (or takes 1 from) one variable, and its header, or its only block that
 * leads back, goes on only while the variable is below (above) a bound that does not change in the loop. The same comparison
 * shows which steps of the variable cannot overflow. Linear in the number of loops and phis.
 */

import { type Dominators, dominates } from '../../core/dominators.js';
import type { Graph } from '../../core/graph.js';
import {
  type Block,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type Value,
} from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { ConstantKind, INTEGER_PREDICATES, type IntegerPredicate } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';

/** How deep the expression of a bound is looked into. */
const DEEPEST_BOUND = 4;

/** What was found in one function. */
export interface CountedLoops {
  /** Per block: 1 when it heads a loop that counts. */
  readonly isCounted: Uint8Array;
  /** Sums and differences that cannot overflow as signed ones. */
  readonly noWrap: ReadonlySet<number>;
}

const SWAPPED: Partial<Record<IntegerPredicate, IntegerPredicate>> = {
  slt: 'sgt',
  sle: 'sge',
  sgt: 'slt',
  sge: 'sle',
  ult: 'ugt',
  ule: 'uge',
  ugt: 'ult',
  uge: 'ule',
};

const INVERSE: Readonly<Record<IntegerPredicate, IntegerPredicate>> = {
  eq: 'ne',
  ne: 'eq',
  slt: 'sge',
  sle: 'sgt',
  sgt: 'sle',
  sge: 'slt',
  ult: 'uge',
  ule: 'ugt',
  ugt: 'ule',
  uge: 'ult',
};

/** Examines every loop statement of a function. */
export function findCountedLoops(
  view: VirFunction,
  graph: Graph,
  dominators: Dominators,
  isLoop: Uint8Array,
): CountedLoops {
  const finder = new Finder(view, graph, dominators);
  for (let block = 0; block < graph.blockCount; block++)
    if (isLoop[block] === 1) finder.examine(block as Block);
  return finder;
}

/** A variable that a loop steps: its phi, the instructions that step it, and by how much. */
interface Counter {
  readonly phi: Inst;
  readonly steps: readonly Inst[];
  readonly by: 1 | -1;
}

/** The condition under which a loop goes on: `subject predicate bound`. */
interface Condition {
  readonly subject: Value;
  readonly predicate: IntegerPredicate;
  readonly bound: Value;
}

class Finder implements CountedLoops {
  readonly isCounted: Uint8Array;
  readonly noWrap = new Set<number>();
  readonly #blockOf: Int32Array;
  /** For each value, the sums and differences with the constant 1 made of it. */
  readonly #stepsOf = new Map<number, Inst[]>();

  constructor(
    readonly view: VirFunction,
    readonly graph: Graph,
    readonly dominators: Dominators,
  ) {
    this.isCounted = new Uint8Array(graph.blockCount);
    this.#blockOf = new Int32Array(view.instructionCount).fill(NONE);
    for (let index = 0; index < graph.reachableCount; index++) {
      const block = graph.reversePostorder[index] as Block;
      for (let inst = view.blockStart(block); inst < view.blockEnd(block); inst++) {
        this.#blockOf[inst] = block;
        if (this.#stepOf(inst as Inst) === 0) continue;
        const subject = view.operand(inst as Inst, 0);
        const known = this.#stepsOf.get(subject);
        if (known === undefined) this.#stepsOf.set(subject, [inst as Inst]);
        else known.push(inst as Inst);
      }
    }
  }

  examine(header: Block): void {
    const latches = this.#latches(header);
    for (let inst = this.view.blockStart(header); this.view.opcode(inst) === Opcode.phi; inst++) {
      const counter = this.#counter(inst, latches);
      if (counter === undefined) continue;
      this.#testAtHeader(header, counter);
      if (latches.length === 1) this.#testAtLatch(header, latches[0] as Block, counter);
    }
  }

  #latches(header: Block): Block[] {
    const { graph } = this;
    const result: Block[] = [];
    const end = graph.predecessorStart[header + 1] as number;
    for (let edge = graph.predecessorStart[header] as number; edge < end; edge++) {
      const predecessor = graph.predecessors[edge] as Block;
      if (dominates(this.dominators, header, predecessor)) result.push(predecessor);
    }
    return result;
  }

  /** 1 for `x + 1` and `x - -1`, -1 for `x - 1` and `x + -1`, else 0. */
  #stepOf(inst: Inst): 0 | 1 | -1 {
    const { view } = this;
    const opcode = view.opcode(inst);
    if ((opcode !== Opcode.add && opcode !== Opcode.sub) || view.operand(inst, 0) < 0) return 0;
    const width = view.tables.types.width(view.instructionType(inst));
    const bits = this.#constant(view.operand(inst, 1));
    if (bits === undefined || width < 8) return 0;
    const value = BigInt.asIntN(width, bits);
    if (value !== 1n && value !== -1n) return 0;
    return (opcode === Opcode.add) === (value === 1n) ? 1 : -1;
  }

  #constant(value: Value): bigint | undefined {
    if (!isConstantOperand(value)) return undefined;
    const { constants } = this.view.tables;
    const constant = operandConstant(value);
    return constants.kind(constant) === ConstantKind.integer ? constants.integerBits(constant) : undefined;
  }

  #counter(phi: Inst, latches: readonly Block[]): Counter | undefined {
    const { view } = this;
    const steps: Inst[] = [];
    let by: 0 | 1 | -1 = 0;
    for (let index = 0; index < view.operandCount(phi); index += 2) {
      if (!latches.includes(view.blockOperand(phi, index + 1))) continue;
      const value = view.operand(phi, index);
      if (value < 0 || view.operandCount(value as number as Inst) === 0) return undefined;
      const step = this.#stepOf(value as number as Inst);
      if (step === 0 || (view.operand(value as number as Inst, 0) as number) !== phi) return undefined;
      if (by !== 0 && by !== step) return undefined;
      by = step;
      steps.push(value as number as Inst);
    }
    return by === 0 ? undefined : { phi, steps, by };
  }

  /** The condition under which a block's branch stays in the loop, when it leaves it otherwise and the bound is fixed. */
  #condition(header: Block, block: Block, isInside: (target: Block) => boolean): Condition | undefined {
    const { view } = this;
    const terminator = view.terminator(block);
    if (view.opcode(terminator) !== Opcode.condbr) return undefined;
    const thenStays = isInside(view.blockOperand(terminator, 1));
    if (thenStays === isInside(view.blockOperand(terminator, 2))) return undefined;
    const test = view.operand(terminator, 0) as number as Inst;
    if (test < 0 || view.opcode(test) !== Opcode.icmp) return undefined;
    const given = INTEGER_PREDICATES[view.aux(test)] as IntegerPredicate;
    const predicate = thenStays ? given : INVERSE[given];
    const left = view.operand(test, 0);
    const right = view.operand(test, 1);
    if (this.#isFixed(header, right)) return { subject: left, predicate, bound: right };
    if (this.#isFixed(header, left))
      return { subject: right, predicate: SWAPPED[predicate] ?? predicate, bound: left };
    return undefined;
  }

  /** Whether a value is computed before the loop, outside what its header dominates, or from such values alone. */
  #isFixed(header: Block, value: Value, depth = 0): boolean {
    if (value < 0) return true;
    const block = this.#blockOf[value] as number;
    if (block === NONE || !dominates(this.dominators, header, block)) return true;
    const row = opcodeRow(this.view.opcode(value as number as Inst));
    if (depth >= DEEPEST_BOUND || (row.class !== 'integerBinary' && row.class !== 'cast')) return false;
    for (let index = 0; index < this.view.operandCount(value as number as Inst); index++)
      if (!this.#isFixed(header, this.view.operand(value as number as Inst, index), depth + 1)) return false;
    return true;
  }

  /** Whether going on under the condition, one step further each time, comes to an end. */
  #ends(condition: Condition, by: 1 | -1): boolean {
    const { predicate, bound } = condition;
    if (predicate === 'ne') return true;
    const type = this.view.valueType(bound);
    const { types } = this.view.tables;
    if (!types.isInteger(type)) return false;
    if (by === 1 && (predicate === 'slt' || predicate === 'ult')) return true;
    if (by === -1 && (predicate === 'sgt' || predicate === 'ugt')) return true;
    const bits = this.#constant(bound);
    if (bits === undefined) return false;
    const width = types.width(type);
    const signed = BigInt.asIntN(width, bits);
    const top = 1n << BigInt(width - 1);
    if (by === 1)
      return (predicate === 'sle' && signed < top - 1n) || (predicate === 'ule' && bits < 2n * top - 1n);
    return (predicate === 'sge' && signed > -top) || (predicate === 'uge' && bits > 0n);
  }

  /** Whether one more step from a value that meets the condition stays in the signed range. */
  #keepsSign(condition: Condition, by: 1 | -1): boolean {
    const { predicate, bound } = condition;
    const type = this.view.valueType(bound);
    if (!this.view.tables.types.isSigned(type)) return false;
    if (predicate === 'slt' || predicate === 'sle') return by === 1;
    if (predicate === 'sgt' || predicate === 'sge') return by === -1;
    const bits = this.#constant(bound);
    const top = 1n << BigInt(this.view.tables.types.width(type) - 1);
    return predicate === 'ult' && by === 1 && bits !== undefined && bits < top;
  }

  #testAtHeader(header: Block, counter: Counter): void {
    const { view, dominators } = this;
    // In the loop is what the header dominates and what leads back to it; the branch that stays leads to a block of the loop.
    const isInside = (target: Block) => this.#leadsBack(header, target);
    const condition = this.#condition(header, header, isInside);
    if (condition === undefined || (condition.subject as number) !== counter.phi) return;
    if (!this.#ends(condition, counter.by)) return;
    this.isCounted[header] = 1;
    if (!this.#keepsSign(condition, counter.by)) return;
    const terminator = view.terminator(header);
    const first = view.blockOperand(terminator, 1);
    const inside = isInside(first) ? first : view.blockOperand(terminator, 2);
    if (this.#predecessorCount(inside) !== 1) return;
    for (const step of this.#stepsOf.get(counter.phi) ?? [])
      if (this.#stepOf(step) === counter.by && dominates(dominators, inside, this.#blockOf[step] as number))
        this.noWrap.add(step);
  }

  #predecessorCount(block: Block): number {
    const { predecessorStart } = this.graph;
    return (predecessorStart[block + 1] as number) - (predecessorStart[block] as number);
  }

  /** Whether a successor of the header is in its loop: some latch is dominated by it, or it is the header. */
  #leadsBack(header: Block, target: Block): boolean {
    if (target === header) return true;
    return this.#latches(header).some((latch) => dominates(this.dominators, target, latch));
  }

  /** `do … while (next < bound)`. Steps cannot overflow when the first value is a constant below the highest. */
  #testAtLatch(header: Block, latch: Block, counter: Counter): void {
    const condition = this.#condition(header, latch, (target) => target === header);
    if (condition === undefined) return;
    const [step] = counter.steps as [Inst];
    const isNext = (condition.subject as number) === step;
    if (!isNext && (condition.subject as number) !== counter.phi) return;
    if (!this.#ends(condition, counter.by)) return;
    this.isCounted[header] = 1;
    if (!isNext || !this.#keepsSign(condition, counter.by) || !this.#startsInside(counter)) return;
    if (condition.predicate === 'ult' && !this.#startsInside(counter, true)) return;
    for (const other of this.#stepsOf.get(counter.phi) ?? [])
      if (this.#stepOf(other) === counter.by && this.#blockOf[other] === this.#blockOf[step])
        this.noWrap.add(other);
  }

  /** Whether every first value of the counter is a constant from which one step stays in the signed range. */
  #startsInside(counter: Counter, mustBePositive = false): boolean {
    const { view } = this;
    const width = view.tables.types.width(view.instructionType(counter.phi));
    const top = 1n << BigInt(width - 1);
    for (let index = 0; index < view.operandCount(counter.phi); index += 2) {
      const value = view.operand(counter.phi, index);
      if (counter.steps.includes(value as number as Inst)) continue;
      const bits = this.#constant(value);
      if (bits === undefined) return false;
      const signed = BigInt.asIntN(width, bits);
      if (mustBePositive && signed < 0n) return false;
      if (counter.by === 1 ? signed === top - 1n : signed === -top) return false;
    }
    return true;
  }
}
