/**
 * The statement tree as a C programmer would leave it, with the same meaning: no `else` after an arm that never comes back, no empty
 * arm, no unreachable statement, `a || b` for two tests with one outcome, `c ? a : b` for two assignments to one variable.
 *
 * Nesting is bounded by `function-writer`, so recursion is.
 */

import { NONE } from '../../ir/entities.js';
import { at, binary, Level } from './expression.js';
import {
  assignmentStatement,
  type Condition,
  endStatement,
  endsInJump,
  evaluation,
  type IfStatement,
  innerLists,
  type Statement,
  type TextStatement,
} from './statements.js';

/** Longest condition that two tests are joined to, and longest conditional expression. */
const LONGEST_JOINED = 100;

/** The blocks that some `goto` of the tree names. */
export function jumpTargets(list: readonly Statement[], found = new Set<number>()): Set<number> {
  for (const statement of list) {
    if (statement.kind === 'goto') found.add(statement.block);
    for (const inner of innerLists(statement)) jumpTargets(inner, found);
  }
  return found;
}

/** Tidies the statements of a function, twice: what the first round joins may join once more. Works in place. */
export function tidy(root: Statement[]): void {
  for (let round = 0; round < 2; round++) tidyList(root, jumpTargets(root));
}

/** Tidies a list in one pass over it: each statement comes out as what it becomes, and is joined with the one before. */
function tidyList(list: Statement[], targets: ReadonlySet<number>): void {
  const made: Statement[] = [];
  let isUnreachable = false;
  for (const statement of list) {
    if (isUnreachable && !hasLabel(statement, targets)) continue;
    isUnreachable = false;
    if (statement.kind === 'label' && !targets.has(statement.block)) continue;
    for (const inner of innerLists(statement)) tidyList(inner, targets);
    for (const part of statement.kind === 'if' ? tidyIf(statement, targets) : [statement]) {
      if (isUnreachable && !hasLabel(part, targets)) continue;
      made.push(part);
      joinLast(made);
      isUnreachable = endsInJump(made);
    }
  }
  list.length = 0;
  for (const statement of made) list.push(statement);
  guardFirst(list);
}

/** `if (c) { much; return x; } return y;` as `if (!c) return y; much; return x;`. */
function guardFirst(list: Statement[]): void {
  const last = list[list.length - 1];
  const before = list[list.length - 2];
  if (last === undefined || before?.kind !== 'if' || before.otherwise.length > 0) return;
  if (before.taken.length < 2 || !endsInJump(before.taken) || !endsInJump([last])) return;
  if (last.kind !== 'text' && last.kind !== 'goto' && last.kind !== 'break' && last.kind !== 'continue')
    return;
  const { condition, negated, taken } = before;
  list.length -= 2;
  list.push({ ...before, condition: negated, negated: condition, taken: [last] });
  for (const statement of taken) list.push(statement);
}

/** Whether some jump leads to the statement or into it. */
function hasLabel(statement: Statement, targets: ReadonlySet<number>): boolean {
  if (statement.kind === 'label') return targets.has(statement.block);
  return innerLists(statement).some((inner) => inner.some((each) => hasLabel(each, targets)));
}

/** What an `if` becomes: nothing, itself turned around, itself and what was its `else`, or an assignment. */
function tidyIf(statement: IfStatement, targets: ReadonlySet<number>): readonly Statement[] {
  let { condition, negated, taken, otherwise } = statement;
  if (condition.known !== undefined) {
    const [stays, goes] = condition.known ? [taken, otherwise] : [otherwise, taken];
    if (!goes.some((each) => hasLabel(each, targets))) return stays;
  }
  if (taken.length === 0 || (otherwise.length > 0 && !endsInJump(taken) && endsInJump(otherwise))) {
    [taken, otherwise] = [otherwise, taken];
    [condition, negated] = [negated, condition];
  }
  if (taken.length === 0)
    return condition.hasEffect ? [evaluation(condition, statement.reads, statement.position)] : [];
  const turned: IfStatement = { ...statement, condition, negated, taken, otherwise };
  const choice = asChoice(turned);
  if (choice !== undefined) return [choice];
  if (otherwise.length === 0) return [joinedWithInner(turned)];
  if (endsInJump(taken)) return [{ ...turned, otherwise: [] }, ...otherwise];
  return [turned];
}

/** `if (c) x = a; else x = b;` as `x = c ? a : b`, when both have the type of x: else C would convert one to the other's. */
function asChoice(statement: IfStatement): TextStatement | undefined {
  const [first] = statement.taken;
  const [second] = statement.otherwise;
  if (statement.taken.length !== 1 || statement.otherwise.length !== 1) return undefined;
  if (first?.kind !== 'text' || second?.kind !== 'text') return undefined;
  if (first.variable === NONE || first.variable !== second.variable) return undefined;
  if (!first.isExact || !second.isExact) return undefined;
  const { condition } = statement;
  const text = `${at(condition, Level.logicalOr)} ? ${at(first, Level.logicalOr)} : ${at(second, Level.logicalOr)}`;
  if (text.length > LONGEST_JOINED || text.includes('{') || text.includes('\n')) return undefined;
  const hasEffect = condition.hasEffect || first.hasEffect || second.hasEffect;
  const reads = [...statement.reads, ...first.reads, ...second.reads];
  return assignmentStatement(
    first.variable,
    { text, level: Level.conditional, hasEffect },
    reads,
    statement.position,
    true,
    undefined,
  );
}

/** `if (a) { if (b) … }` as `if (a && b) …`. */
function joinedWithInner(statement: IfStatement): IfStatement {
  const [inner] = statement.taken;
  if (statement.taken.length !== 1 || inner?.kind !== 'if' || inner.otherwise.length > 0) return statement;
  const condition = joined(statement.condition, '&&', inner.condition);
  const negated = joined(statement.negated, '||', inner.negated);
  if (condition.text.length > LONGEST_JOINED || isDecided(statement.condition, '&&', inner.condition))
    return statement;
  return {
    ...statement,
    condition,
    negated,
    reads: [...statement.reads, ...inner.reads],
    taken: inner.taken,
  };
}

function joined(left: Condition, operator: '&&' | '||', right: Condition): Condition {
  const { text, level } = binary(left, operator, right);
  const hasEffect = left.hasEffect || right.hasEffect;
  return { text, level, hasEffect, isCall: false, known: undefined, compared: undefined };
}

/**
 * Whether two comparisons of one thing with constants are, joined, always true or always false: `x < 3 && x > 7`. Compilers
 * complain about such a condition, and not about two tests.
 */
function isDecided(left: Condition, operator: '&&' | '||', right: Condition): boolean {
  const first = left.compared;
  const second = right.compared;
  if (first === undefined || second === undefined || first.left !== second.left) return false;
  const bounds = [first.number, second.number] as const;
  const points = bounds.flatMap((bound) => [bound - 1n, bound, bound + 1n]);
  const outcomes = points.map((point) => {
    const one = compare(point, first.operator, bounds[0]);
    const other = compare(point, second.operator, bounds[1]);
    return operator === '&&' ? one && other : one || other;
  });
  return outcomes.every((outcome) => outcome === outcomes[0]);
}

function compare(left: bigint, operator: string, right: bigint): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '==':
      return left === right;
    default:
      return left !== right;
  }
}

/** Joins the last statement with the one before it, where they say less together. */
function joinLast(list: Statement[]): void {
  const previous = list[list.length - 2];
  const statement = list[list.length - 1];
  const made =
    previous?.kind === 'if' && statement?.kind === 'if'
      ? joinedTests(previous, statement)
      : previous?.kind === 'text' && statement?.kind === 'text'
        ? returnedAtOnce(previous, statement)
        : undefined;
  if (made === undefined) return;
  list.pop();
  list[list.length - 1] = made;
}

/** `if (a) return 0; if (b) return 0;` as `if (a || b) return 0;`. */
function joinedTests(first: IfStatement, second: IfStatement): IfStatement | undefined {
  const [outcome] = first.taken;
  const [other] = second.taken;
  const isOne = first.taken.length === 1 && second.taken.length === 1;
  if (!isOne || first.otherwise.length > 0 || second.otherwise.length > 0) return undefined;
  if (outcome === undefined || other === undefined || !endsInJump([outcome]) || !isSame(outcome, other))
    return undefined;
  const condition = joined(first.condition, '||', second.condition);
  if (condition.text.length > LONGEST_JOINED || isDecided(first.condition, '||', second.condition))
    return undefined;
  const negated = joined(first.negated, '&&', second.negated);
  return { ...first, condition, negated, reads: [...first.reads, ...second.reads] };
}

function isSame(left: Statement, right: Statement): boolean {
  if (left.kind === 'text' && right.kind === 'text')
    return left.text === right.text && left.variable === NONE && right.variable === NONE;
  const isJump = left.kind === 'goto' || left.kind === 'break' || left.kind === 'continue';
  return isJump && left.kind === right.kind && left.block === (right as typeof left).block;
}

/** `x = a; return x;` as `return a;`. */
function returnedAtOnce(assignment: TextStatement, statement: TextStatement): TextStatement | undefined {
  const { returns } = statement;
  if (returns === NONE || returns !== assignment.variable || assignment.update !== undefined)
    return undefined;
  return endStatement(`return ${assignment.text}`, assignment.reads, assignment.position);
}
