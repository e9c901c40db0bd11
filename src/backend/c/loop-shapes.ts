/**
 * `while (1)` loops that may be tested in their heads, in the forms that C has for them: `while (c)`, `do … while (c)`, `for (…; c; …)` (008/R9).
 *
 * Works on the tidied statement tree of a function, in one pass from its end to its start. Nesting is bounded, so recursion is.
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
  written,
} from './statements.js';

/** Works in place. `targets`: blocks that a `goto` names. */
export function shapeLoops(root: Statement[], targets: ReadonlySet<number>): void {
  new Shaper(targets).shape(root);
}

/** Goes through the statements from the last to the first, so that it knows what is mentioned behind each. */
class Shaper {
  /** How many statements are behind. */
  #count = 0;
  /** For each variable: the count at the mention of it that is next behind. */
  readonly #mentions = new Map<number, number>();

  constructor(readonly targets: ReadonlySet<number>) {}

  shape(list: Statement[]): void {
    const end = this.#count;
    /** The starts that went into the head of a `for`. */
    const moved = new Set<Statement>();
    for (let index = list.length - 1; index >= 0; index--) {
      let statement = list[index] as Statement;
      if (moved.has(statement)) continue;
      if (statement.kind === 'loop') {
        statement = this.#loop(statement, list, index, end, moved);
        list[index] = statement;
      }
      const inner = innerLists(statement);
      for (let at = inner.length - 1; at >= 0; at--) this.shape(inner[at] as Statement[]);
      this.#note(statement);
    }
    if (moved.size === 0) return;
    let kept = 0;
    for (const statement of list) if (!moved.has(statement)) list[kept++] = statement;
    list.length = kept;
  }

  #loop(
    loop: LoopStatement,
    list: readonly Statement[],
    index: number,
    end: number,
    moved: Set<Statement>,
  ): Statement {
    const { targets } = this;
    continueAtEnd(loop.body);
    if (!loop.isTestable) return loop;
    const shaped = testedFirst(loop, targets) ?? testedLast(loop, targets);
    if (shaped === undefined || shaped.isTestedLast) return shaped ?? loop;
    const stepped = withStep(shaped);
    if (stepped.step === undefined) return stepped;
    // Behind the loop in this list: then the variable must live longer than the loop.
    const { variable } = stepped.step;
    if ((this.#mentions.get(variable) ?? -1) >= end) return stepped;
    const before = startIndex(list, index, variable, targets);
    if (before === NONE) return stepped;
    const start = list[before] as TextStatement;
    moved.add(start);
    return { ...stepped, start };
  }

  #note(statement: Statement): void {
    const mention = (variable: number) => this.#mentions.set(variable, this.#count);
    for (const variable of ownReads(statement)) mention(variable);
    if (statement.kind === 'text' && written(statement) !== NONE) mention(written(statement));
    if (statement.kind === 'while') {
      for (const part of [statement.start, statement.step]) {
        if (part === undefined) continue;
        mention(part.variable);
        for (const variable of part.reads) mention(variable);
      }
    }
    this.#count++;
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
  return makeWhile(loop.pragma, test, stays.condition, body, false);
}

/** `while (1) { …; if (!c) break; }` as `do { … } while (c)`. There, `continue` would go to the test and not to the start. */
function testedLast(loop: LoopStatement, targets: ReadonlySet<number>): WhileStatement | undefined {
  const test = loop.body[loop.body.length - 1];
  if (test?.kind !== 'if' || loop.body.length < 2 || hasContinue(loop.body)) return undefined;
  const stays = stayingArm(test);
  if (stays === undefined || stays.arm.some((inner) => inner.kind !== 'label' || isUsedLabel(inner, targets)))
    return undefined;
  return makeWhile(loop.pragma, test, stays.condition, loop.body.slice(0, -1), true);
}

/** The arm of a test that does not leave the loop, when the other one does nothing else. */
function stayingArm(
  test: IfStatement,
): { readonly arm: Statement[]; readonly condition: Condition } | undefined {
  if (isBreak(test.taken)) return { arm: test.otherwise, condition: test.negated };
  return isBreak(test.otherwise) ? { arm: test.taken, condition: test.condition } : undefined;
}

function makeWhile(
  pragma: string,
  test: IfStatement,
  condition: Condition,
  body: Statement[],
  isTestedLast: boolean,
): WhileStatement {
  const { reads, position } = test;
  return {
    kind: 'while',
    pragma,
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
 * Makes a `for` of the loop when it ends in a step of a variable of its condition. A jump to the step is then a `continue`.
 */
function withStep(loop: WhileStatement): WhileStatement {
  const { body } = loop;
  const at = stepIndex(loop);
  const step = body[at];
  if (step?.kind !== 'text' || hasContinue(body)) return loop;
  const stepLabel = at === body.length - 1 ? labelBefore(body, at) : NONE;
  const inner = body.filter((statement) => statement !== step);
  if (stepLabel !== NONE) continueAt(inner, stepLabel);
  return { ...loop, body: inner, step };
}

/** Where the body steps a variable of the condition; what follows may only be assignments that have nothing to do with it. */
function stepIndex(loop: WhileStatement): number {
  const { body, reads } = loop;
  const behind = new Set<number>();
  for (let at = body.length - 1; at >= 0; at--) {
    const statement = body[at] as Statement;
    if (statement.kind !== 'text' || statement.variable === NONE) return NONE;
    const { variable, update } = statement;
    const isCounter = reads.includes(variable);
    if (isCounter && update?.isNumber === true) return behind.has(variable) ? NONE : at;
    behind.add(variable);
    for (const read of statement.reads) behind.add(read);
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
      const isSimple = before === loop - 1 || statement.isSimple;
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
