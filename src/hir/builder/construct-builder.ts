/**
 * Opens and closes structured statements: `beginWhile(c)` … `end()`. A compiler that walks its tree with a stack of its own uses these;
 * the closures of `FunctionBuilder` do no more than that.
 */

import { type DiagnosticPosition, fail } from '../../diag/diagnostic.js';
import { type ConstantId, NONE, type Node, type TypeId } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { typeText } from '../../ir/operation-rules.js';
import { HIR_NODE } from '../../ir/schema.js';
import { type CaseInterval, intervalText, overlappingCases, rangeColumns } from '../case-values.js';
import { callSite } from './call-site.js';
import { constantOf, type LiteralValue } from './constant-literals.js';
import type { Expression, Operand } from './expression.js';
import { type Frame, FunctionBody } from './function-body.js';
import { build as buildClause } from './given.js';
import { type TraitUse, traitSet } from './traits.js';
import type { I1 } from './types.js';

/** A condition, or a closure that builds it; the closure may place statements, which then run at each test. */
export type Condition = Operand<I1> | (() => Operand<I1>);

/** What a loop, switch or block may be given. */
export interface ConstructOptions {
  /** The name that `break` and `continue` may give. */
  readonly label?: string;
  readonly traits?: readonly TraitUse[];
}

/** The three clauses of a `for`. */
export interface ForClauses {
  readonly init?: () => void;
  /** Runs for ever where there is none. */
  readonly condition?: Condition;
  readonly step?: () => void;
}

/** What a case may be given. */
export interface CaseOptions {
  /** Whether control goes on into the next arm. */
  readonly fallthrough?: boolean;
}

/** The values from `first` to `last`, both included. */
export class CaseRange {
  constructor(
    readonly first: LiteralValue,
    readonly last: LiteralValue,
  ) {}
}

/** A range of values for a case: `s.case([0, range(10, 99)], () => …)`. */
export function range(first: number | bigint, last: number | bigint): CaseRange {
  return new CaseRange(first, last);
}

/** What a case may name. */
export type CaseValue = LiteralValue | CaseRange;

/** What the arms of an open switch name so far. */
interface SwitchState {
  readonly type: TypeId;
  readonly values: Set<ConstantId>;
  /** Ranges that are compared, each with the line that made it. */
  readonly ranges: CaseInterval<DiagnosticPosition | undefined>[];
  hasDefault: boolean;
}

/** A function builder with constructs that are opened and closed. */
export abstract class ConstructBuilder extends FunctionBody {
  readonly #arms = new Map<Frame, SwitchState>();

  /** Opens the then side of an `if`. */
  beginIf(condition: Operand<I1>, options: ConstructOptions = {}): void {
    const test = this.maker.typed(condition as Operand, this.maker.tables.types.i1, 'if');
    const node = this.#construct(NodeKind.if, options, ['branch']);
    this.checkOrder(test);
    const children = [test.take()];
    this.noteEffects(test);
    this.settle(this.#positionOf(node));
    this.append(node);
    this.open('if', node, this.newNode(NodeKind.block), children);
  }

  /** Closes the then side and opens the else side. */
  beginElse(): void {
    if (this.top.kind !== 'if') this.#misplaced('else', 'It belongs right after the then side of an if.');
    const { node, block, children } = this.close();
    this.open('else', node, this.newNode(NodeKind.block), [...children, block]);
  }

  /** Opens the body of a `while`. */
  beginWhile(condition: Condition, options: ConstructOptions = {}): void {
    const node = this.#construct(NodeKind.while, options, ['loop']);
    const test = this.#condition(condition, true);
    this.append(node);
    const loop = this.open('while', node, this.newNode(NodeKind.block), [test.node], options.label);
    this.#openWith(loop, test);
  }

  /** Opens the body of a `do`. */
  beginDoWhile(options: ConstructOptions = {}): void {
    const node = this.#construct(NodeKind.doWhile, options, ['loop']);
    this.append(node);
    this.open('doWhile', node, this.newNode(NodeKind.block), [], options.label);
  }

  /** Closes the body of a `do` with its condition. */
  endDoWhile(condition: Condition): void {
    if (this.top.kind !== 'doWhile')
      this.#misplaced('the condition of a do', 'Close what is open within it.');
    const { node, block } = this.close();
    const test = this.#condition(condition, false);
    if (test.before === undefined) this.maker.hir.setChildren(node, [block, test.node]);
    else this.#testLast(node, block, test.node, test.before);
  }

  /**
   * A `do` whose test needs statements becomes `for { var isFirst = true } while (true) step { isFirst = false } do { if (isFirst) {}
   * else { statements; if (test) {} else { break } } body }`, where `continue` comes to the test too.
   */
  #testLast(node: Node, body: Node, test: Node, before: Node): void {
    const { hir, tables } = this.maker;
    const { i1 } = tables.types;
    const truth = (value: bigint) => this.maker.constant(tables.constants.integer(i1, value)).take();
    const block = (...statements: Node[]) => {
      const result = this.newNode(NodeKind.block);
      hir.setChildren(result, statements);
      return result;
    };
    const write = (kind: number, value: bigint) => {
      const result = this.newNode(kind, isFirst.row);
      hir.setChildren(result, [truth(value)]);
      return result;
    };
    const isFirst = this.newVariable<I1>('isFirst', i1, {}, 'variable');
    isFirst.state.declaration = write(NodeKind.declare, 1n);
    const leave = this.newNode(NodeKind.if);
    hir.setChildren(leave, [test, block(), block(this.newNode(NodeKind.break))]);
    const tests = block(...hir.children(before), leave);
    hir.nodes.set(before, HIR_NODE.firstChild, NONE);
    const again = this.newNode(NodeKind.if);
    hir.setChildren(again, [isFirst.take(), block(), tests]);
    const step = block(write(NodeKind.assign, 0n));
    const init = block(isFirst.state.declaration as Node);
    hir.nodes.set(node, HIR_NODE.kind, NodeKind.for);
    hir.setChildren(node, [init, truth(1n), step, block(again, body)]);
    this.settle(this.here());
  }

  /** Opens the body of a `for`; the clauses are built now. */
  beginFor(clauses: ForClauses, options: ConstructOptions = {}): void {
    const node = this.#construct(NodeKind.for, options, ['loop']);
    const init = this.#clause(clauses.init);
    const test = this.#condition(clauses.condition ?? true, false);
    const step = this.#clause(clauses.step);
    this.append(node);
    const children = [init, test.node, step];
    const loop = this.open('for', node, this.newNode(NodeKind.block), children, options.label);
    this.#openWith(loop, test);
  }

  /** Opens a `switch`; only cases may follow. */
  beginSwitch(value: Operand, options: ConstructOptions = {}): void {
    const operand = this.maker.expression(value, NONE as TypeId, 'switch');
    if (!this.maker.tables.types.isInteger(operand.typeId))
      this.maker.operandsFault('switch', 'an integer', operand.typeId);
    const node = this.#construct(NodeKind.switch, options, ['branch']);
    this.checkOrder(operand);
    const children = [operand.take()];
    this.noteEffects(operand);
    this.settle(this.#positionOf(node));
    this.append(node);
    const opened = this.open('switch', node, NONE as Node, children, options.label);
    this.#arms.set(opened, { type: operand.typeId, values: new Set(), ranges: [], hasDefault: false });
  }

  /** Opens an arm for these values and ranges. */
  beginCase(values: CaseValue | readonly CaseValue[], options: CaseOptions = {}): void {
    const state = this.#switchState('case');
    const list = Array.isArray(values) ? (values as readonly CaseValue[]) : [values as CaseValue];
    if (list.length === 0) this.#misplaced('a case without values', 'Give it one, or use default.');
    const children = list.flatMap((value) => this.#caseNodes(state, value));
    this.#openArm(NodeKind.case, children, options);
  }

  /** The nodes of one value or range. Wide ranges are compared with the rest where the switch ends. */
  #caseNodes(state: SwitchState, value: CaseValue): Node[] {
    const { constants } = this.maker.tables;
    if (!(value instanceof CaseRange))
      return [this.#caseNode(state, constantOf(this.maker, state.type, value))];
    const [first, last] = [value.first, value.last].map((bound) => this.#bound(state.type, bound)) as [
      ConstantId,
      ConstantId,
    ];
    const [low, high] = [constants.integerValue(first), constants.integerValue(last)];
    if (low > high) fail('VCT0340', { range: `${low}..${high}` }, callSite());
    return rangeColumns(constants, first, last).map(({ a, b }) => {
      if (b === NONE) return this.#caseNode(state, a);
      state.ranges.push({ low, high, owner: callSite() });
      const node = this.maker.constant(a).take();
      this.maker.hir.nodes.set(node, HIR_NODE.b, b);
      return node;
    });
  }

  #caseNode(state: SwitchState, constant: ConstantId): Node {
    if (state.values.has(constant))
      fail('VCT0322', { value: this.maker.tables.constants.integerValue(constant) }, callSite());
    state.values.add(constant);
    return this.maker.constant(constant).take();
  }

  #bound(type: TypeId, value: LiteralValue): ConstantId {
    const { types } = this.maker.tables;
    const isNumber = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
    if (!isNumber) fail('VCT0344', { found: String(value) }, callSite());
    const width = types.width(type);
    const exact = BigInt(value);
    if (exact < -(1n << BigInt(width - 1)) || exact >= 1n << BigInt(width))
      fail('VCT0342', { value: exact, type: typeText(this.maker.tables, type) }, callSite());
    return this.maker.tables.constants.integer(type, exact);
  }

  /** Refuses a switch with a range that has a value in common with another case. */
  #checkRanges(state: SwitchState): void {
    if (state.ranges.length === 0) return;
    const { constants } = this.maker.tables;
    const values = [...state.values].map((constant) => {
      const value = constants.integerValue(constant);
      return { low: value, high: value, owner: undefined };
    });
    const overlap = overlappingCases<DiagnosticPosition | undefined>([...values, ...state.ranges]);
    if (overlap === undefined) return;
    const [other, blamed] = overlap[1].low === overlap[1].high ? [overlap[1], overlap[0]] : overlap;
    fail('VCT0341', { value: intervalText(blamed), other: intervalText(other) }, blamed.owner);
  }

  /** Opens the arm for every other value. */
  beginDefault(options: CaseOptions = {}): void {
    const state = this.#switchState('default');
    if (state.hasDefault) this.#misplaced('a second default', 'A switch has one.');
    state.hasDefault = true;
    this.#openArm(NodeKind.default, [], options);
  }

  /** Opens a block. */
  beginBlock(options: ConstructOptions = {}): void {
    const node = this.#construct(NodeKind.block, options, ['region']);
    this.append(node);
    this.open('block', node, node, [], options.label);
  }

  /** Opens a deferred block. */
  beginDefer(): void {
    const node = this.newNode(NodeKind.defer);
    this.append(node);
    this.open('defer', node, this.newNode(NodeKind.block));
  }

  /** Closes the innermost construct. */
  end(): void {
    const { kind, node, block, children } = this.top;
    if (kind === 'body' || kind === 'condition' || kind === 'doWhile')
      this.#misplaced('end', kind === 'doWhile' ? 'Close it with endDoWhile.' : 'Nothing is open.');
    const closed = this.close();
    this.settle(this.#positionOf(node));
    if (kind === 'block') return;
    this.maker.hir.setChildren(node, block === NONE ? children : [...children, block]);
    const state = this.#arms.get(closed);
    if (state !== undefined) this.#checkRanges(state);
    this.#arms.delete(closed);
    if (kind === 'case') this.top.children.push(node);
  }

  #switchState(what: string): SwitchState {
    const state = this.#arms.get(this.top);
    if (state === undefined) this.#misplaced(what, 'It belongs directly into a switch.');
    return state;
  }

  #openArm(kind: number, children: Node[], options: CaseOptions): void {
    const node = this.newNode(kind, options.fallthrough === true ? 1 : NONE);
    this.settle(this.#positionOf(node));
    this.open('case', node, this.newNode(NodeKind.block), children);
  }

  #construct(kind: number, options: ConstructOptions, hosts: Parameters<typeof traitSet>[2]): Node {
    const node = this.newNode(kind);
    const { hir, tables } = this.maker;
    if (options.label !== undefined) hir.nodes.set(node, HIR_NODE.name, tables.names.intern(options.label));
    const set = traitSet(tables, options.traits, [...hosts, 'region']);
    if (set !== 0) hir.nodes.set(node, HIR_NODE.traits, set);
    return node;
  }

  /** Builds a condition. Statements that its closure places are gathered in `before`. */
  #condition(
    condition: Condition,
    inOrder: boolean,
  ): { readonly node: Node; readonly before: Node | undefined; readonly test: Expression } {
    const collector = this.open('condition', NONE as Node, NONE as Node);
    const built = typeof condition === 'function' ? condition() : condition;
    const test = this.maker.typed(built as Operand, this.maker.tables.types.i1, 'condition');
    if (this.top !== collector) this.#misplaced('an open construct', 'Close it within the condition.');
    if (inOrder || typeof condition === 'function') this.checkOrder(test);
    this.close();
    const node = test.take();
    this.noteEffects(test);
    this.settle(this.here());
    return { node, before: collector.block === NONE ? undefined : collector.block, test };
  }

  /** A test that needs statements moves into the body: `while (true) { statements; if (test) {} else { break } … }`. */
  #openWith(loop: Frame, condition: { readonly node: Node; readonly before: Node | undefined }): void {
    if (condition.before === undefined) return;
    const { hir, tables } = this.maker;
    loop.children[loop.children.indexOf(condition.node)] = this.maker
      .constant(tables.constants.integer(tables.types.i1, 1n))
      .take();
    // The statements stand in the body itself, since the test may use the variables that they declare.
    for (let next = hir.firstChild(condition.before); next !== NONE; ) {
      const statement = next;
      next = hir.nextSibling(statement);
      this.append(statement);
    }
    hir.nodes.set(condition.before, HIR_NODE.firstChild, NONE);
    const leave = this.newNode(NodeKind.if);
    const otherwise = this.newNode(NodeKind.block);
    hir.setChildren(otherwise, [this.newNode(NodeKind.break)]);
    hir.setChildren(leave, [condition.node, this.newNode(NodeKind.block), otherwise]);
    this.append(leave);
    this.settle(this.here());
  }

  #clause(build: (() => void) | undefined): Node {
    const block = this.newNode(NodeKind.block);
    this.open('block', block, block);
    if (build !== undefined) buildClause('for', build);
    if (this.top.block !== block) this.#misplaced('an open construct', 'Close it within its clause.');
    this.close();
    return block;
  }

  #positionOf(node: Node): number {
    return this.maker.hir.nodes.get(node, HIR_NODE.position);
  }

  #misplaced(what: string, hint: string): never {
    fail('VCT0320', { what, hint }, callSite());
  }
}
