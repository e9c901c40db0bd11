/**
 * `while (1)` loops that are known to end, in the forms that C has for them: `while (c)`, `do … while (c)`, `for (…; c; …)` (008/R9).
 *
 * Works on the finished statement tree of a function, from the inside out. Nesting is bounded, so recursion is.
 */

import { NONE } from '../../ir/entities.js';
import {
  type Condition,
  type IfStatement,
  innerLists,
  type LoopStatement,
  ownReads,
  type Statement,
  type TextStatement,
  type WhileStatement,
} from './statements.js';

/** The tree with its loops in their shapes; lists are changed in place. `targets`: blocks that a `goto` names. */
export function shapeLoops(root: Statement[], targets: ReadonlySet<number>): Statement[] {
  shapeList(root, targets, new Mentions(root));
  return root;
}

/** Stands where a statement was taken out of a list, until the list is done. */
const HOLE: Statement = { kind: 'label', block: NONE };

function shapeList(list: Statement[], targets: ReadonlySet<number>, mentions: Mentions): void {
  const end = mentions.endOf(list);
  let hasHole = false;
  for (let index = 0; index < list.length; index++) {
    const statement = list[index] as Statement;
    const after = mentions.after(statement);
    for (const inner of innerLists(statement)) shapeList(inner, targets, mentions);
    if (statement.kind === 'loop') continueAtEnd(statement.body);
    if (statement.kind !== 'loop' || !statement.isCounted) continue;
    const shaped = testedFirst(statement, targets) ?? testedLast(statement, targets);
    if (shaped === undefined) continue;
    list[index] = shaped;
    if (shaped.isTestedLast) continue;
    const isUsedAfter = (variable: number) => mentions.isBetween(variable, after, end);
    if (intoFor(list, index, shaped, targets, isUsedAfter)) hasHole = true;
  }
  if (!hasHole) return;
  let kept = 0;
  for (const statement of list) if (statement !== HOLE) list[kept++] = statement;
  list.length = kept;
}

/** Where the text mentions each variable, in the order of the text before anything is changed. */
class Mentions {
  /** Per variable, the numbers of the statements that mention it, ascending. */
  readonly #places = new Map<number, number[]>();
  /** Per statement, the number of the first one behind all that is in it. */
  readonly #after = new Map<Statement, number>();
  #count = 0;

  constructor(root: readonly Statement[]) {
    this.#number(root);
  }

  after(statement: Statement): number {
    return this.#after.get(statement) as number;
  }

  /** The number of the first statement behind a list. */
  endOf(list: readonly Statement[]): number {
    const last = list[list.length - 1];
    return last === undefined ? 0 : this.after(last);
  }

  /** Whether a statement from number `first` to before `end` mentions the variable. Logarithmic in its mentions. */
  isBetween(variable: number, first: number, end: number): boolean {
    const places = this.#places.get(variable) ?? [];
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] as number) < first) low = middle + 1;
      else high = middle;
    }
    return low < places.length && (places[low] as number) < end;
  }

  #number(list: readonly Statement[]): void {
    for (const statement of list) {
      for (const variable of ownReads(statement)) this.#note(variable);
      if (statement.kind === 'text' && statement.variable !== NONE) this.#note(statement.variable);
      this.#count++;
      for (const inner of innerLists(statement)) this.#number(inner);
      this.#after.set(statement, this.#count);
    }
  }

  #note(variable: number): void {
    const places = this.#places.get(variable);
    if (places === undefined) this.#places.set(variable, [this.#count]);
    else places.push(this.#count);
  }
}

/** A jump to the end of a loop's body, from no deeper loop, is `continue`. */
function continueAtEnd(body: Statement[]): void {
  const last = body[body.length - 1];
  if (last?.kind === 'label') continueAt(body, last.block);
}

function isUsedLabel(statement: Statement, targets: ReadonlySet<number>): boolean {
  return statement.kind === 'label' && targets.has(statement.block);
}

/** Whether the list is a lone `break`. */
function isBreak(list: readonly Statement[]): boolean {
  return list.length === 1 && list[0]?.kind === 'break';
}

/** `while (1) { if (!c) break; … }` as `while (c) { … }`. */
function testedFirst(loop: LoopStatement, targets: ReadonlySet<number>): WhileStatement | undefined {
  const first = loop.body.findIndex(
    (statement) => statement.kind !== 'label' || isUsedLabel(statement, targets),
  );
  const test = loop.body[first];
  if (test?.kind !== 'if') return undefined;
  const stays = stayingArm(test);
  if (stays === undefined) return undefined;
  const body = [...stays.arm, ...loop.body.slice(first + 1)];
  return makeWhile(test, stays.condition, body, false);
}

/** `while (1) { …; if (!c) break; }` as `do { … } while (c)`. There, `continue` would go to the test and not to the start. */
function testedLast(loop: LoopStatement, targets: ReadonlySet<number>): WhileStatement | undefined {
  const test = loop.body[loop.body.length - 1];
  if (test?.kind !== 'if' || loop.body.length < 2 || hasContinue(loop.body)) return undefined;
  const stays = stayingArm(test);
  if (stays === undefined || stays.arm.some((inner) => inner.kind !== 'label' || isUsedLabel(inner, targets)))
    return undefined;
  return makeWhile(test, stays.condition, loop.body.slice(0, -1), true);
}

/** The arm of a test that does not leave the loop, when the other one does nothing else. */
function stayingArm(
  test: IfStatement,
): { readonly arm: Statement[]; readonly condition: Condition } | undefined {
  if (isBreak(test.taken)) return { arm: test.otherwise, condition: test.negated };
  return isBreak(test.otherwise) ? { arm: test.taken, condition: test.condition } : undefined;
}

function makeWhile(
  test: IfStatement,
  condition: Condition,
  body: Statement[],
  isTestedLast: boolean,
): WhileStatement {
  const { reads, position } = test;
  return {
    kind: 'while',
    isTestedLast,
    condition: condition.text,
    reads,
    position,
    start: undefined,
    step: undefined,
    body,
  };
}

/** Whether a `continue` in the list belongs to the loop around the list. */
function hasContinue(list: readonly Statement[]): boolean {
  return list.some((statement) => {
    if (statement.kind === 'continue') return true;
    if (statement.kind === 'loop' || statement.kind === 'while') return false;
    return innerLists(statement).some(hasContinue);
  });
}

/**
 * Makes a `for` of the loop when it ends in a step of a variable of its condition. A simple assignment to that variable shortly before
 * the loop becomes its start; says whether that left a hole in the list. A jump to the step is then a `continue`.
 */
function intoFor(
  list: Statement[],
  index: number,
  loop: WhileStatement,
  targets: ReadonlySet<number>,
  isUsedAfter: (variable: number) => boolean,
): boolean {
  const { body } = loop;
  const at = stepIndex(loop);
  const step = body[at];
  if (step?.kind !== 'text' || hasContinue(body)) return false;
  const stepLabel = at === body.length - 1 ? labelBefore(body, at) : NONE;
  const inner = body.filter((statement) => statement !== step);
  if (stepLabel !== NONE) continueAt(inner, stepLabel);
  const before = startIndex(list, index, step.variable, targets);
  const start = before === NONE ? undefined : (list[before] as TextStatement);
  const isStart = start !== undefined && !isUsedAfter(step.variable);
  list[index] = { ...loop, body: inner, step, start: isStart ? start : undefined };
  if (isStart) list[before] = HOLE;
  return isStart;
}

/** Where the body steps a variable of the condition; what follows may only be assignments that have nothing to do with it. */
function stepIndex(loop: WhileStatement): number {
  const { body, reads } = loop;
  for (let at = body.length - 1; at >= 0; at--) {
    const statement = body[at] as Statement;
    if (statement.kind !== 'text' || statement.variable === NONE) return NONE;
    const isStep = statement.update !== undefined && reads.includes(statement.variable);
    if (isStep && /^\d+u?$/.test(statement.update.right)) {
      const rest = body.slice(at + 1);
      return rest.some((other) => mentions(other, statement.variable)) ? NONE : at;
    }
  }
  return NONE;
}

/** Where a variable is set to something simple before the loop, with nothing in between that minds when; or NONE. */
function startIndex(
  list: readonly Statement[],
  loop: number,
  variable: number,
  targets: ReadonlySet<number>,
): number {
  const written = new Set<number>();
  for (let before = loop - 1; before >= 0; before--) {
    const statement = list[before] as Statement;
    if (statement.kind === 'label' && !isUsedLabel(statement, targets)) continue;
    if (statement.kind !== 'text' || statement.variable === NONE) return NONE;
    if (statement.variable === variable) {
      const isSimple = before === loop - 1 || /^-?\w+$/.test(statement.text);
      const isFree = statement.update === undefined && !statement.reads.some((read) => written.has(read));
      return isSimple && isFree ? before : NONE;
    }
    if (statement.reads.includes(variable)) return NONE;
    written.add(statement.variable);
  }
  return NONE;
}

/** The block whose label stands right before the statement, or NONE. */
function labelBefore(list: readonly Statement[], index: number): number {
  const before = list[index - 1];
  return before?.kind === 'label' ? before.block : NONE;
}

/** Turns every `goto block` that belongs to this loop into `continue`. */
function continueAt(list: Statement[], block: number): void {
  list.forEach((statement, index) => {
    if (statement.kind === 'goto' && statement.block === block) list[index] = { kind: 'continue', block };
    if (statement.kind === 'loop' || statement.kind === 'while') return;
    for (const inner of innerLists(statement)) continueAt(inner, block);
  });
}

function mentions(statement: Statement, variable: number): boolean {
  if (ownReads(statement).includes(variable)) return true;
  if (statement.kind === 'text' && statement.variable === variable) return true;
  return innerLists(statement).some((inner) => inner.some((each) => mentions(each, variable)));
}
