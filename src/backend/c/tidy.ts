/**
 * The statement tree as a C programmer would leave it, with the same meaning: no `else` after an arm that never comes back, no empty
 * arm, no unreachable statement, `a || b` for two tests with one outcome, `c ? a : b` for two assignments to one variable.
 *
 * Nesting is bounded by `function-writer`, so recursion is.
 */

import { NONE } from '../../ir/entities.js';
import { at, binary, Level } from './expression.js';
import {
  type Condition,
  endsInJump,
  type IfStatement,
  innerLists,
  mayCall,
  ownReads,
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
export function tidy(root: Statement[]): Statement[] {
  for (let round = 0; round < 2; round++) tidyList(root, jumpTargets(root));
  return root;
}

/** How often assignments that nobody reads are looked for: what one of them read may be the next. */
const UNREAD_ROUNDS = 8;

/**
 * Drops assignments to variables that only assignments to themselves read. Leaving SSA shares variables, so that a value which
 * nothing needs may stay because another one of its variable is needed. What calls is kept.
 */
export function dropUnread(root: Statement[]): Statement[] {
  for (let round = 0; round < UNREAD_ROUNDS; round++) {
    const read = new Set<number>();
    noteReads(root, read);
    if (!dropIn(root, read)) break;
  }
  return root;
}

function noteReads(list: readonly Statement[], read: Set<number>): void {
  for (const statement of list) {
    // An assignment that stays for its call reads its own variable like any other.
    const own = statement.kind === 'text' && !mayCall(statement.text) ? statement.variable : NONE;
    for (const variable of ownReads(statement)) if (variable !== own) read.add(variable);
    for (const inner of innerLists(statement)) noteReads(inner, read);
  }
}

function dropIn(list: Statement[], read: ReadonlySet<number>): boolean {
  let kept = 0;
  let isChanged = false;
  for (const statement of list) {
    for (const inner of innerLists(statement)) if (dropIn(inner, read)) isChanged = true;
    const isUnread =
      statement.kind === 'text' &&
      statement.variable !== NONE &&
      !read.has(statement.variable) &&
      !mayCall(statement.text);
    if (isUnread) isChanged = true;
    else list[kept++] = statement;
  }
  list.length = kept;
  return isChanged;
}

/** Statements that are still to be looked at: lists, the innermost last, each from some place on. */
class Pending {
  readonly #lists: { readonly items: readonly Statement[]; at: number }[] = [];

  push(items: readonly Statement[], at = 0): void {
    if (at < items.length) this.#lists.push({ items, at });
  }

  next(): Statement | undefined {
    const list = this.#lists[this.#lists.length - 1];
    if (list === undefined) return undefined;
    const statement = list.items[list.at++];
    if (list.at === list.items.length) this.#lists.pop();
    return statement;
  }

  /** Everything behind a statement that never comes back, up to a label or to what holds one. */
  dropUnreachable(): void {
    for (;;) {
      const list = this.#lists[this.#lists.length - 1];
      if (list === undefined || hasLabel(list.items[list.at] as Statement)) return;
      this.next();
    }
  }
}

function tidyList(list: Statement[], targets: ReadonlySet<number>): void {
  dropLabels(list, targets);
  const pending = new Pending();
  pending.push(list.slice());
  // The list is written anew from its beginning, so that its length costs no more than itself.
  list.length = 0;
  for (let statement = pending.next(); statement !== undefined; statement = pending.next()) {
    for (const inner of innerLists(statement)) tidyList(inner, targets);
    if (statement.kind === 'if') {
      const simpler = tidyIf(statement);
      if (simpler.length === 0) continue;
      pending.push(simpler, 1);
      statement = simpler[0] as Statement;
    }
    list.push(statement);
    joinLast(list);
    if (endsInJump([list[list.length - 1] as Statement])) pending.dropUnreachable();
  }
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

/** Labels that no jump names are nothing; the printer needs none of them. */
function dropLabels(list: Statement[], targets: ReadonlySet<number>): void {
  let kept = 0;
  for (const statement of list)
    if (statement.kind !== 'label' || targets.has(statement.block)) list[kept++] = statement;
  list.length = kept;
}

function hasLabel(statement: Statement): boolean {
  if (statement.kind === 'label') return true;
  return innerLists(statement).some((inner) => inner.some(hasLabel));
}

/** What an `if` becomes: nothing, itself turned around, itself and what was its `else`, or an assignment. */
function tidyIf(statement: IfStatement): Statement[] {
  let { condition, negated, taken, otherwise } = statement;
  if (taken.length === 0 || (otherwise.length > 0 && !endsInJump(taken) && endsInJump(otherwise))) {
    [taken, otherwise] = [otherwise, taken];
    [condition, negated] = [negated, condition];
  }
  if (taken.length === 0) return condition.hasCall === true ? [evaluated(statement, condition)] : [];
  const turned: IfStatement = { ...statement, condition, negated, taken, otherwise };
  const choice = asChoice(turned);
  if (choice !== undefined) return [choice];
  if (otherwise.length === 0) return [joinedWithInner(turned)];
  if (endsInJump(taken)) return [{ ...turned, otherwise: [] }, ...otherwise];
  return [turned];
}

function evaluated(statement: IfStatement, condition: Condition): Statement {
  const { reads, position } = statement;
  return { kind: 'text', text: `(void)${at(condition, Level.unary)}`, variable: NONE, reads, position };
}

/** `if (c) x = a; else x = b;` as `x = c ? a : b`, when both have the type of x: else C would convert one to the other's. */
function asChoice(statement: IfStatement): TextStatement | undefined {
  const [first] = statement.taken;
  const [second] = statement.otherwise;
  if (statement.taken.length !== 1 || statement.otherwise.length !== 1) return undefined;
  if (first?.kind !== 'text' || second?.kind !== 'text') return undefined;
  if (first.variable === NONE || first.variable !== second.variable) return undefined;
  if (first.exactLevel === undefined || second.exactLevel === undefined) return undefined;
  const { condition } = statement;
  const arm = (text: TextStatement) =>
    at({ text: text.text, level: text.exactLevel as Level }, Level.logicalOr);
  const text = `${at(condition, Level.logicalOr)} ? ${arm(first)} : ${arm(second)}`;
  if (text.length > LONGEST_JOINED || /[{\n]/.test(text)) return undefined;
  return {
    kind: 'text',
    text,
    exactLevel: Level.conditional,
    variable: first.variable,
    reads: [...statement.reads, ...first.reads, ...second.reads],
    position: statement.position,
  };
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
  const hasCall = left.hasCall === true || right.hasCall === true;
  return { text, level: level as Level, ...(hasCall && { hasCall }) };
}

const COMPARISON = /^(.+) (<|<=|>|>=|==|!=) (-?\d+)u?$/;

/**
 * Whether two comparisons of one thing with constants are, joined, always true or always false: `x < 3 && x > 7`. Compilers
 * complain about such a condition, and not about two tests.
 */
function isDecided(left: Condition, operator: '&&' | '||', right: Condition): boolean {
  const first = COMPARISON.exec(left.text);
  const second = COMPARISON.exec(right.text);
  if (first === null || second === null || first[1] !== second[1]) return false;
  const bounds = [BigInt(first[3] as string), BigInt(second[3] as string)] as const;
  const points = bounds.flatMap((bound) => [bound - 1n, bound, bound + 1n]);
  const outcomes = points.map((point) => {
    const one = compare(point, first[2] as string, bounds[0]);
    const other = compare(point, second[2] as string, bounds[1]);
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

/** Joins the last statement with the one before it, where they can be joined. */
function joinLast(list: Statement[]): void {
  const previous = list[list.length - 2];
  const statement = list[list.length - 1] as Statement;
  if (previous === undefined) return;
  const made =
    previous.kind === 'if' && statement.kind === 'if'
      ? joinedTests(previous, statement)
      : previous.kind === 'text' && statement.kind === 'text'
        ? returnedAtOnce(previous, statement)
        : undefined;
  if (made === undefined) return;
  list.length -= 2;
  list.push(made);
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
  if (returns === undefined || returns !== assignment.variable || assignment.update !== undefined)
    return undefined;
  return {
    kind: 'text',
    text: `return ${assignment.text}`,
    variable: NONE,
    reads: assignment.reads,
    position: assignment.position,
    isEnd: true,
  };
}
