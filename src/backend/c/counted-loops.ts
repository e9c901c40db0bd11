/**
 * Loops that end because they count (008/X5). What that is good for: see testable-loops, and the bounds of the counter.
 *
 * A loop counts when every way back to its header adds 1 to (or takes 1 from) one variable, and its header, or its only block that
 * leads back, goes on only while the variable is below (above) a bound that does not change in the loop. The same comparison
 * bounds the variable within the loop. Linear in the number of loops and phis.
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
import { rootOf, valueOperandCount } from './plan.js';

/** How deep the expression of a bound is looked into. */
const DEEPEST_BOUND = 4;

/** What was found in one function. */
export interface CountedLoops {
  /** Per block: 1 when it heads a loop that counts. */
  readonly isCounted: Uint8Array;
  /** For the phi of a counter: where its value has which bounds. */
  readonly counters: ReadonlyMap<number, readonly CounterFact[]>;
}

/** The bounds of a counter in every block that `inside` dominates, in the sign of its type. */
export interface CounterFact {
  readonly inside: number;
  readonly range: { readonly low: bigint; readonly high: bigint };
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
  readonly counters = new Map<number, CounterFact[]>();
  readonly #blockOf: Int32Array;
  #writersOf: ReadonlyMap<number, readonly number[]> | undefined;

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
    if (row.class === 'load') return this.#isFixedLoad(header, value as number as Inst);
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

  /** Whether a load reads a local object whose address stays here and that the loop does not write. */
  #isFixedLoad(header: Block, load: Inst): boolean {
    if (this.view.aux(load) > 0) return false;
    const root = rootOf(this.view, this.view.operand(load, 0));
    if (root < 0 || this.view.opcode(root as number as Inst) !== Opcode.alloca) return false;
    const writers = this.#writers().get(root);
    return writers?.every((block) => !dominates(this.dominators, header, block)) ?? false;
  }

  /** For each local object that only loads and stores reach: the blocks that store to it. */
  #writers(): ReadonlyMap<number, readonly number[]> {
    if (this.#writersOf !== undefined) return this.#writersOf;
    const { view } = this;
    const writers = new Map<number, number[]>();
    for (let inst = 0; inst < view.instructionCount; inst++)
      if (view.opcode(inst as Inst) === Opcode.alloca) writers.set(inst, []);
    for (let inst = 0; inst < view.instructionCount; inst++) {
      const opcode = view.opcode(inst as Inst);
      if (opcode === Opcode.br || opcode === Opcode.alloca) continue;
      const isPhi = opcode === Opcode.phi;
      const count = isPhi ? view.operandCount(inst as Inst) : valueOperandCount(view, inst as Inst);
      for (let index = 0; index < count; index += isPhi ? 2 : 1) {
        const operand = view.operand(inst as Inst, index);
        if (operand < 0 || !view.tables.types.isPointer(view.valueType(operand))) continue;
        const root = rootOf(view, operand);
        const known = writers.get(root);
        if (known === undefined) continue;
        const isLink =
          (opcode === Opcode.gep || opcode === Opcode.load || opcode === Opcode.bitcast) && index === 0;
        if (opcode === Opcode.store && index === 1) known.push(this.#blockOf[inst] as number);
        else if (!isLink) writers.delete(root);
      }
    }
    this.#writersOf = writers;
    return writers;
  }

  /**
   * The bounds of a counter where the condition holds, or of one that it has held for in the round before (`isNext`). The counter
   * moves away from its first values and, as long as the condition holds, does not pass the end of its type.
   */
  #bounds(condition: Condition, counter: Counter, isNext: boolean): CounterFact['range'] | undefined {
    const { types } = this.view.tables;
    const type = this.view.instructionType(counter.phi);
    const signed = types.isSigned(type);
    const width = types.width(type);
    const least = signed ? -(1n << BigInt(width - 1)) : 0n;
    const most = signed ? (1n << BigInt(width - 1)) - 1n : (1n << BigInt(width)) - 1n;
    const bits = this.#constant(condition.bound);
    const bound = bits === undefined ? undefined : signed ? BigInt.asIntN(width, bits) : bits;
    const { predicate } = condition;
    const isUnsigned = predicate.startsWith('u');
    // Compared unsigned, a signed counter below a bound that is not negative is not negative either.
    if (isUnsigned === signed && !(signed && predicate === 'ult' && bound !== undefined && bound >= 0n))
      return undefined;
    const first = this.#firstValues(counter, signed, width);
    if (isNext && first === undefined) return undefined;
    if (counter.by === 1) {
      if (!['slt', 'sle', 'ult', 'ule'].includes(predicate)) return undefined;
      const isStrict = predicate.endsWith('t');
      const high = (bound ?? most) - (isStrict ? 1n : 0n);
      const low = first?.low ?? (isUnsigned ? 0n : least);
      const floor = isUnsigned && low < 0n && !isNext ? 0n : low;
      return { low: floor, high: isNext && first !== undefined && first.high > high ? first.high : high };
    }
    if (!['sgt', 'sge', 'ugt', 'uge'].includes(predicate)) return undefined;
    const low = (bound ?? least) + (predicate.endsWith('t') ? 1n : 0n);
    return {
      low: isNext && first !== undefined && first.low < low ? first.low : low,
      high: first?.high ?? most,
    };
  }

  /** The bounds of what the counter begins with, when all of it is constant. */
  #firstValues(counter: Counter, signed: boolean, width: number): CounterFact['range'] | undefined {
    const { view } = this;
    let low: bigint | undefined;
    let high: bigint | undefined;
    for (let index = 0; index < view.operandCount(counter.phi); index += 2) {
      const value = view.operand(counter.phi, index);
      if (counter.steps.includes(value as number as Inst)) continue;
      const bits = this.#constant(value);
      if (bits === undefined) return undefined;
      const number = signed ? BigInt.asIntN(width, bits) : bits;
      low = low === undefined || number < low ? number : low;
      high = high === undefined || number > high ? number : high;
    }
    return low === undefined || high === undefined ? undefined : { low, high };
  }

  #note(counter: Counter, inside: number, range: CounterFact['range'] | undefined): void {
    if (range === undefined) return;
    const known = this.counters.get(counter.phi);
    if (known === undefined) this.counters.set(counter.phi, [{ inside, range }]);
    else known.push({ inside, range });
  }

  #testAtHeader(header: Block, counter: Counter): void {
    const { view } = this;
    // In the loop is what the header dominates and what leads back to it; the branch that stays leads to a block of the loop.
    const isInside = (target: Block) => this.#leadsBack(header, target);
    const condition = this.#condition(header, header, isInside);
    if (condition === undefined || (condition.subject as number) !== counter.phi) return;
    if (!this.#ends(condition, counter.by)) return;
    this.isCounted[header] = 1;
    const terminator = view.terminator(header);
    const first = view.blockOperand(terminator, 1);
    const inside = isInside(first) ? first : view.blockOperand(terminator, 2);
    if (this.#predecessorCount(inside) === 1)
      this.#note(counter, inside, this.#bounds(condition, counter, false));
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

  /** `do … while (next < bound)`. */
  #testAtLatch(header: Block, latch: Block, counter: Counter): void {
    const condition = this.#condition(header, latch, (target) => target === header);
    if (condition === undefined) return;
    const [step] = counter.steps as [Inst];
    const isNext = (condition.subject as number) === step;
    if (!isNext && (condition.subject as number) !== counter.phi) return;
    if (!this.#ends(condition, counter.by)) return;
    this.isCounted[header] = 1;
    if (isNext) this.#note(counter, header, this.#bounds(condition, counter, true));
  }
}
