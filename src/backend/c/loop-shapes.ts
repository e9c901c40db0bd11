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

/** The list with its loops in their shapes; lists inside are changed in place. `targets`: blocks that a `goto` names. */
export function shapeLoops(list: Statement[], targets: ReadonlySet<number>): Statement[] {
  for (let index = 0; index < list.length; index++) {
    const statement = list[index] as Statement;
    for (const inner of innerLists(statement)) shapeLoops(inner, targets);
    if (statement.kind === 'loop') continueAtEnd(statement.body);
    if (statement.kind !== 'loop' || !statement.isCounted) continue;
    const shaped = testedFirst(statement, targets) ?? testedLast(statement, targets);
    if (shaped === undefined) continue;
    list[index] = shaped;
    if (!shaped.isTestedLast) index -= intoFor(list, index, shaped, targets);
  }
  return list;
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
 * the loop becomes its start; returns 1 when that took a statement out of the list. A jump to the step is then a `continue`.
 */
function intoFor(
  list: Statement[],
  index: number,
  loop: WhileStatement,
  targets: ReadonlySet<number>,
): number {
  const { body } = loop;
  const at = stepIndex(loop);
  const step = body[at];
  if (step?.kind !== 'text' || hasContinue(body)) return 0;
  const stepLabel = at === body.length - 1 ? labelBefore(body, at) : NONE;
  const inner = body.filter((statement) => statement !== step);
  if (stepLabel !== NONE) continueAt(inner, stepLabel);
  const before = startIndex(list, index, step.variable, targets);
  const start = before === NONE ? undefined : (list[before] as TextStatement);
  const isStart = start !== undefined && !isUsedAfter(list, index + 1, step.variable);
  list[index] = { ...loop, body: inner, step, start: isStart ? start : undefined };
  if (!isStart) return 0;
  list.splice(before, 1);
  return 1;
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

/** Whether a statement from `from` on mentions the variable: then it must live longer than the loop. */
function isUsedAfter(list: readonly Statement[], from: number, variable: number): boolean {
  for (let index = from; index < list.length; index++)
    if (mentions(list[index] as Statement, variable)) return true;
  return false;
}

function mentions(statement: Statement, variable: number): boolean {
  if (ownReads(statement).includes(variable)) return true;
  if (statement.kind === 'text' && statement.variable === variable) return true;
  return innerLists(statement).some((inner) => inner.some((each) => mentions(each, variable)));
}
