/**
 * One function as C: its blocks in the order of the layout, its jumps as what gets there, the moves of leaving SSA on their edges.
 *
 * An explicit work list, for blocks nest as deep as the author likes; what would nest deeper than compilers take stands at the end of the
 * function instead and is reached by `goto` (008/X6).
 */

import type { Graph } from '../../core/graph.js';
import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import { fail } from '../../diag/diagnostic.js';
import {
  type Block,
  type Inst,
  isConstantOperand,
  NONE,
  operandInstruction,
  type Value,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { Strength } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { directCallee } from './calls.js';
import { integerLiteral } from './constants.js';
import { decidedComparison } from './decided.js';
import { at, basis, type Expression, Level, not } from './expression.js';
import { instructionStatements, isNoReturnCall } from './instruction-statements.js';
import { constantBits } from './integers.js';
import type { Layout } from './layout.js';
import { loopPragmas } from './loop-pragmas.js';
import { shapeLoops } from './loop-shapes.js';
import { conditionExpression, isComparison } from './operations.js';
import { Fate, type Plan } from './plan.js';
import { regionBarrier } from './region-barrier.js';
import {
  assignmentStatement,
  type Condition,
  endStatement,
  evaluation,
  type Statement,
  type SwitchArm,
  type TextStatement,
  textStatement,
} from './statements.js';
import { jumpTargets, tidy } from './tidy.js';
import { dropUnread } from './unread.js';
import type { ValueWriter } from './value-writer.js';

/** How deep statements nest before a block is moved to the end. */
const DEEPEST_NESTING = 40;

/** What is around a list of blocks. */
interface Surroundings {
  /** The block that runs when the list runs out, or NONE. */
  readonly next: number;
  readonly breakTarget: number;
  readonly continueTarget: number;
  readonly depth: number;
}

interface Task {
  readonly list: Statement[];
  readonly blocks: readonly number[];
  readonly around: Surroundings;
  /** Whether the first block's loop is already open around the list. */
  readonly isLoopBody: boolean;
}

/** An extension of an integer. */
interface Widening {
  readonly width: number;
  readonly wide: number;
  readonly isSigned: boolean;
}

/** Whether the extension can give these bits. */
function canWiden({ width, wide, isSigned }: Widening, bits: bigint): boolean {
  const value = isSigned ? BigInt.asIntN(wide, bits) : BigInt.asUintN(wide, bits);
  return value === (isSigned ? BigInt.asIntN(width, value) : BigInt.asUintN(width, value));
}

/** The statements of a function. */
export interface FunctionBody {
  readonly statements: readonly Statement[];
  /** Blocks that some `goto` names. */
  readonly targets: ReadonlySet<number>;
  /** Whether some block was moved to the end because it stood too deep. */
  readonly isCut: boolean;
}

/** Writes the body of one function. */
export class FunctionWriter {
  readonly #tasks: Task[] = [];
  readonly #root: Statement[] = [];
  #isCut = false;

  constructor(
    readonly view: VirFunction,
    readonly values: ValueWriter,
    readonly plan: Plan,
    readonly graph: Graph,
    readonly layout: Layout,
    /** Per block, 1 when it heads a loop that may be tested in its head. */
    readonly testable: Uint8Array,
    readonly variables: OutOfSsaResult,
    /** Of C variables: those of `variables`, and local objects. */
    readonly variableCount: number,
  ) {}

  write(): FunctionBody {
    const around = { next: NONE, breakTarget: NONE, continueTarget: NONE, depth: 0 };
    this.#tasks.push({ list: this.#root, blocks: this.#flatten([0]), around, isLoopBody: false });
    // Tasks for the root list append to its end, so they must come one after the other: first in, first out.
    for (let index = 0; index < this.#tasks.length; index++) this.#run(this.#tasks[index] as Task);
    const statements = this.#root;
    dropUnread(statements, this.variableCount);
    tidy(statements);
    // What was read by a test that is gone, or by a copy that became a return.
    dropUnread(statements, this.variableCount);
    dropLastReturn(statements);
    shapeLoops(statements, jumpTargets(statements));
    return { statements, targets: jumpTargets(statements), isCut: this.#isCut };
  }

  /** The blocks and, after each, those that stand after it at the same level. */
  #flatten(blocks: readonly number[]): number[] {
    const result: number[] = [];
    const work = [...blocks].reverse();
    while (work.length > 0) {
      const block = work.pop() as number;
      result.push(block);
      const following =
        (this.layout.isLoop[block] === 1 ? this.layout.outside : this.layout.after)[block] ?? [];
      for (let index = following.length - 1; index >= 0; index--) work.push(following[index] as number);
    }
    return result;
  }

  #run(task: Task): void {
    const { list, blocks, around } = task;
    blocks.forEach((block, index) => {
      const next = index + 1 < blocks.length ? (blocks[index + 1] as number) : around.next;
      const here = { ...around, next };
      const isOpen = task.isLoopBody && index === 0;
      if (!isOpen) list.push({ kind: 'label', block });
      if (this.layout.isLoop[block] === 1 && !isOpen) this.#loop(list, block, here);
      else this.#block(list, block as Block, here);
    });
  }

  #loop(list: Statement[], header: number, around: Surroundings): void {
    if (around.depth >= DEEPEST_NESTING) {
      this.#defer(header);
      list.push(this.#goto(header));
      return;
    }
    const body: Statement[] = [];
    const pragma = loopPragmas(this.values, this.graph, header as Block);
    list.push({ kind: 'loop', pragma, isTestable: this.testable[header] === 1, body });
    const blocks = [header, ...this.#flatten(this.layout.after[header] as number[])];
    const inside = {
      next: header,
      breakTarget: around.next,
      continueTarget: header,
      depth: around.depth + 1,
    };
    this.#tasks.push({ list: body, blocks, around: inside, isLoopBody: true });
  }

  /** Moves a block, or a loop, to the end of the function. */
  #defer(block: number): void {
    const around = { next: NONE, breakTarget: NONE, continueTarget: NONE, depth: 0 };
    this.#isCut = true;
    this.#tasks.push({ list: this.#root, blocks: [block], around, isLoopBody: false });
  }

  #goto(block: number): Statement {
    return { kind: 'goto', block };
  }

  #block(list: Statement[], block: Block, around: Surroundings): void {
    const { view } = this;
    this.#copies(list, this.variables.headCopies(view.id, block), view.blockStart(block));
    const terminator = view.terminator(block);
    for (let inst = view.blockStart(block); inst < terminator; inst++) {
      this.#barrier(list, inst as Inst);
      if (this.plan.isLive[inst] === 0 || this.plan.fate[inst] !== Fate.variable) continue;
      this.#refuseTail(inst as Inst);
      list.push(...instructionStatements(this.values, inst as Inst));
    }
    this.#barrier(list, terminator);
    this.#terminator(list, block, terminator, around);
  }

  /** The barrier of a region, where one stands before the instruction. */
  #barrier(list: Statement[], inst: Inst): void {
    if (this.plan.barriers?.[inst] !== 1) return;
    for (const text of regionBarrier(this.values)) list.push(this.#text(inst, text));
  }

  /** A call that stands for itself is no tail call in C, whatever follows. */
  #refuseTail(inst: Inst): void {
    const { view } = this;
    const request = view.tables.traitSets.find(view.instructionTraits(inst), Trait.MustTail);
    if (view.opcode(inst) === Opcode.call && request?.strength === Strength.strong) this.#mustTail(inst);
  }

  #terminator(list: Statement[], block: Block, inst: Inst, around: Surroundings): void {
    const { view } = this;
    switch (view.opcode(inst)) {
      case Opcode.br:
        this.#edge(list, block, view.blockOperand(inst, 0), around);
        break;
      case Opcode.condbr:
        this.#conditional(list, block, inst, around);
        break;
      case Opcode.switch:
        this.#switch(list, block, inst, around);
        break;
      case Opcode.ret:
        list.push(this.#return(inst));
        break;
      default:
        this.#unreachable(list, inst);
    }
  }

  #text(inst: Inst, text: string, isEnd = false): TextStatement {
    const reads = this.values.takeReads();
    const position = this.view.instructionPosition(inst);
    return isEnd ? endStatement(text, reads, position) : textStatement(text, reads, position);
  }

  #return(inst: Inst): Statement {
    const { view, values } = this;
    if (view.operandCount(inst) === 0) return this.#text(inst, 'return', true);
    const operand = view.operand(inst, 0);
    const value = values.assignable(values.value(operand), view.resultType);
    const isTail = operand >= 0 && this.#mustTail(operand as number as Inst);
    const text = `${isTail ? '__attribute__((musttail)) ' : ''}return ${value.text}`;
    const isVariable = operand >= 0 && this.plan.fate[operand] === Fate.variable;
    const returns = isVariable ? values.variableOf(operand as number as Inst) : NONE;
    return endStatement(text, values.takeReads(), view.instructionPosition(inst), returns);
  }

  /**
   * Whether a call must be a tail call (008/R28). GCC cannot promise that: a strong request is an error there, a weak one is
   * denied. Requires that the call's result is returned where it is written.
   */
  #mustTail(call: Inst): boolean {
    const { view, values } = this;
    if (view.opcode(call) !== Opcode.call) return false;
    const request = view.tables.traitSets.find(view.instructionTraits(call), Trait.MustTail);
    if (request === undefined) return false;
    if (values.dialect === 'clang' && this.plan.fate[call] !== Fate.variable) return true;
    if (request.strength !== Strength.strong) return false;
    const callee = directCallee(values, call);
    const name = callee === NONE ? 'a pointer' : view.tables.functionName(callee);
    const code = values.dialect === 'clang' ? 'VCT0704' : 'VCT0703';
    return fail(code, { name }, view.module.positionOf(view.id, call));
  }

  #unreachable(list: Statement[], inst: Inst): void {
    const last = list[list.length - 1];
    if (last?.kind === 'text' && last.isEnd) return;
    if (inst > 0 && isNoReturnCall(this.values, (inst - 1) as Inst) && last?.kind === 'text') {
      list[list.length - 1] = { ...last, isEnd: true };
      return;
    }
    if (this.values.dialect === 'c17') this.values.unit.headers.add('stdlib.h');
    list.push(this.#text(inst, this.values.dialect === 'c17' ? 'abort()' : '__builtin_unreachable()', true));
  }

  /** The moves of an edge, then its target: in the branch, or by a jump. */
  #edge(list: Statement[], block: Block, target: Block, around: Surroundings): void {
    const { view } = this;
    this.#copies(list, this.variables.edgeCopies(view.id, block, target), view.terminator(block));
    if (this.layout.isArm[target] !== 1 || this.#isBack(block, target)) {
      this.#jump(list, target, around);
      return;
    }
    if (around.depth >= DEEPEST_NESTING) {
      const blocks = this.#flatten([target]);
      this.#isCut = true;
      const outermost = { next: NONE, breakTarget: NONE, continueTarget: NONE, depth: 0 };
      this.#tasks.push({ list: this.#root, blocks, around: outermost, isLoopBody: false });
      list.push(this.#goto(target));
      return;
    }
    this.#tasks.push({ list, blocks: this.#flatten([target]), around, isLoopBody: false });
  }

  /** An edge back to a loop's header is no way into it. */
  #isBack(block: Block, target: Block): boolean {
    const { reversePostorderIndex } = this.graph;
    return (reversePostorderIndex[target] as number) <= (reversePostorderIndex[block] as number);
  }

  #jump(list: Statement[], target: number, around: Surroundings): void {
    if (target === around.next) return;
    if (target === around.continueTarget) list.push({ kind: 'continue', block: target });
    else if (target === around.breakTarget) list.push({ kind: 'break', block: target });
    else if (this.#isReturn(target as Block)) list.push(this.#return(this.view.terminator(target as Block)));
    else list.push(this.#goto(target));
  }

  /** Whether a block does nothing but return: then a copy of it is better than a jump to it. */
  #isReturn(block: Block): boolean {
    const { view, plan } = this;
    const terminator = view.terminator(block);
    if (plan.barriers?.[terminator] === 1) return false;
    if (view.opcode(terminator) !== Opcode.ret || this.variables.headCopies(view.id, block).length > 0)
      return false;
    for (let inst = view.blockStart(block); inst < terminator; inst++)
      if (plan.isLive[inst] === 1 && view.opcode(inst) !== Opcode.phi) return false;
    return true;
  }

  #conditional(list: Statement[], block: Block, inst: Inst, around: Surroundings): void {
    const { view, values } = this;
    const thenBlock = view.blockOperand(inst, 1);
    const elseBlock = view.blockOperand(inst, 2);
    const value = view.operand(inst, 0);
    if (thenBlock === elseBlock) {
      this.#evaluate(list, inst, values.value(value));
      this.#edge(list, block, thenBlock, around);
      return;
    }
    const [condition, negated] = this.#expected(inst, this.#condition(value));
    // Both ways of writing it read the same.
    const reads = values.takeReads();
    const inner = { ...around, depth: around.depth + 1 };
    const taken: Statement[] = [];
    const otherwise: Statement[] = [];
    const position = view.instructionPosition(inst);
    const known = this.#known(value);
    list.push({
      kind: 'if',
      condition: asCondition(condition, known),
      negated: asCondition(negated, known === undefined ? undefined : !known),
      reads,
      position,
      taken,
      otherwise,
    });
    this.#edge(taken, block, thenBlock, inner);
    this.#edge(otherwise, block, elseBlock, inner);
  }

  /** The author's hint about the branch, on the condition (008 Table 1). */
  #expected(
    inst: Inst,
    [condition, negated]: readonly [Expression, Expression],
  ): readonly [Expression, Expression] {
    const { view, values } = this;
    const has = (trait: number) => view.tables.traitSets.has(view.instructionTraits(inst), trait);
    const isLikely = has(Trait.LikelyCall) || has(Trait.HotPath);
    const isUnlikely = has(Trait.UnlikelyCall) || has(Trait.ColdCall) || has(Trait.ColdPath);
    if (values.dialect === 'c17' || isLikely === isUnlikely) return [condition, negated];
    const expecting = (expression: Expression, outcome: boolean): Expression => ({
      ...basis(expression),
      text: `__builtin_expect(${expression.text}, ${outcome ? 1 : 0})`,
      level: Level.postfix,
    });
    return [expecting(condition, !isUnlikely), expecting(negated, isUnlikely)];
  }

  /** The condition and its negation; the reads of one of them are noted. */
  #condition(value: Value): readonly [Expression, Expression] {
    const { values } = this;
    const isInlined = !isConstantOperand(value) && this.plan.fate[value] === Fate.inline;
    const inst = isInlined ? operandInstruction(value) : undefined;
    if (inst === undefined || !isComparison(this.view.opcode(inst))) {
      const plain = values.value(value);
      return [plain, not(plain)];
    }
    const condition = conditionExpression(values, inst, false);
    values.takeReads();
    return [condition, conditionExpression(values, inst, true)];
  }

  /** What a condition always is: a constant, or a comparison that is decided. */
  #known(value: Value): boolean | undefined {
    if (isConstantOperand(value)) {
      const bits = constantBits(this.values, value);
      return bits === undefined ? undefined : bits !== 0n;
    }
    const inst = operandInstruction(value);
    const isDecided = this.plan.fate[inst] === Fate.inline && this.view.opcode(inst) === Opcode.icmp;
    return isDecided ? decidedComparison(this.view, inst) : undefined;
  }

  /** What is computed and not wanted: only its effects stay. */
  #evaluate(list: Statement[], inst: Inst, expression: Expression): void {
    const reads = this.values.takeReads();
    if (expression.hasEffect !== true) return;
    list.push(evaluation(expression, reads, this.view.instructionPosition(inst)));
  }

  #switch(list: Statement[], block: Block, inst: Inst, around: Surroundings): void {
    const { view, values } = this;
    const selector = view.operand(inst, 0);
    const type = view.valueType(selector);
    const fallback = view.blockOperand(inst, 1);
    const known = constantBits(values, selector);
    const only = known === undefined ? NONE : this.#caseOf(inst, known);
    // What stands in an arm is written later, so it must have a list of its own: then the switch stays.
    if (only !== NONE && this.layout.isArm[only] !== 1) {
      this.#edge(list, block, only as Block, around);
      return;
    }
    const widened = this.#widenedFrom(selector);
    const labels = new Map<number, string[]>();
    for (let index = 2; index < view.operandCount(inst); index += 2) {
      const target = view.blockOperand(inst, index + 1);
      const bits = constantBits(values, view.operand(inst, index)) ?? 0n;
      if (widened !== undefined && !canWiden(widened, bits)) continue;
      if (known !== undefined && bits !== known) continue;
      const others = labels.get(target);
      const label = `case ${integerLiteral(values.tables, type, bits).text}`;
      if (others === undefined) labels.set(target, [label]);
      else others.push(label);
    }
    // A target that the default shares needs no case of its own.
    labels.delete(fallback);
    const value = values.exactOperand(inst, 0);
    if (labels.size === 0 && this.layout.isArm[fallback] !== 1) {
      this.#evaluate(list, inst, value);
      this.#edge(list, block, fallback, around);
      return;
    }
    const isBoolean = values.tables.types.width(type) === 1 || widened?.width === 1;
    const text = isBoolean ? `(int)${at(value, Level.unary)}` : value.text;
    const reads = values.takeReads();
    const arms: SwitchArm[] = [];
    list.push({
      kind: 'switch',
      value: text,
      reads,
      position: view.instructionPosition(inst),
      arms,
      isConstant: value.isConstant === true,
    });
    const inner = { ...around, breakTarget: around.next, depth: around.depth + 2 };
    for (const [target, texts] of labels) {
      const body: Statement[] = [];
      arms.push({ labels: texts, body });
      this.#edge(body, block, target as Block, inner);
    }
    const body: Statement[] = [];
    this.#edge(body, block, fallback, inner);
    arms.push({ labels: ['default'], body });
  }

  /** Where a switch goes for the bits. */
  #caseOf(inst: Inst, bits: bigint): Block {
    const { view, values } = this;
    for (let index = 2; index < view.operandCount(inst); index += 2)
      if (constantBits(values, view.operand(inst, index)) === bits) return view.blockOperand(inst, index + 1);
    return view.blockOperand(inst, 1);
  }

  /** What an inlined extension extends: compilers see through it, and warn of cases that it never gives. */
  #widenedFrom(value: Value): Widening | undefined {
    const { view, values } = this;
    if (isConstantOperand(value) || this.plan.fate[value] !== Fate.inline) return undefined;
    const inst = operandInstruction(value);
    const opcode = view.opcode(inst);
    if (opcode !== Opcode.zext && opcode !== Opcode.sext) return undefined;
    const { types } = values.tables;
    const width = types.width(view.valueType(view.operand(inst, 0)));
    return { width, wide: types.width(view.instructionType(inst)), isSigned: opcode === Opcode.sext };
  }

  #copies(
    list: Statement[],
    copies: readonly { readonly destination: number; readonly source: number }[],
    inst: Inst,
  ): void {
    const { values } = this;
    for (const { destination, source } of copies) {
      if (this.plan.isNeeded[destination] === 0 || destination === source) continue;
      const type = values.variableType(destination);
      const value: Expression =
        source < NONE
          ? values.assignable(values.constant(source as Value), type)
          : { text: values.variableName(source), level: Level.primary, type };
      const position = this.view.instructionPosition(inst);
      list.push(assignmentStatement(destination, value, values.takeReads(), position, true, undefined));
    }
  }
}

function asCondition(expression: Expression, known: boolean | undefined): Condition {
  const { text, level, compared } = expression;
  return {
    text,
    level,
    hasEffect: expression.hasEffect === true,
    isCall: expression.isCall === true,
    known,
    compared,
  };
}

/** A `return` without a value at the end of the function says nothing; after a label C wants a statement all the same. */
function dropLastReturn(list: Statement[]): void {
  const last = list[list.length - 1];
  if (last?.kind === 'text' && last.text === 'return') list.pop();
}
