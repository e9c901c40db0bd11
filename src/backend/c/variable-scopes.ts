/**
 * Where each C variable is declared: with its first assignment where that stands in the scope that holds all its uses, else at the
 * top of the function.
 *
 * A declaration in a loop's body makes a new variable in each round. That is right when the assignment comes before every use in the
 * text of its scope, for then every round passes it first, unless a `goto` leads into the scope. With one it is right only for a
 * variable that is assigned once, which as a value of SSA dominates its uses.
 */

import { NONE } from '../../ir/entities.js';
import {
  innerLists,
  ownReads,
  type Statement,
  type TextStatement,
  type WhileStatement,
  written,
} from './statements.js';

interface Scope {
  readonly parent: Scope | undefined;
  readonly depth: number;
  /** Whether some jump leads into the middle of the scope. */
  hasLabel: boolean;
}

interface Occurrence {
  first: Statement;
  firstScope: Scope;
  isFirstWrite: boolean;
  scope: Scope;
  writes: number;
}

type Occurrences = (Occurrence | undefined)[];

/** What was found about the variables of a function. */
export interface VariableScopes {
  /** Variables to declare at the top, ascending. */
  readonly atTop: readonly number[];
  /** Whether the text mentions a variable. */
  isMentioned(variable: number): boolean;
}

/** Finds the declarations, and marks the statements that declare what they assign. `mustBeOutermost` tells the variables that live as long as the function: local objects. */
export function findScopes(
  root: readonly Statement[],
  targets: ReadonlySet<number>,
  isCut: boolean,
  mustBeOutermost: (variable: number) => boolean,
  isParameter: (variable: number) => boolean,
): VariableScopes {
  const occurrences: Occurrences = [];
  const outermost: Scope = { parent: undefined, depth: 0, hasLabel: false };
  walk(root, outermost, occurrences, targets);
  const atTop: number[] = [];
  for (let variable = 0; variable < occurrences.length; variable++) {
    const found = occurrences[variable];
    if (found === undefined || isParameter(variable)) continue;
    const isFirst = found.isFirstWrite && found.firstScope === found.scope;
    // The outermost scope is entered once, so nothing is lost there whatever jumps.
    const isOutermost = found.scope === outermost;
    const isSafe = mustBeOutermost(variable)
      ? isOutermost
      : isOutermost || !found.scope.hasLabel || (found.writes === 1 && !isCut);
    if (isFirst && isSafe) (found.first as TextStatement).isDeclaration = true;
    else atTop.push(variable);
  }
  return { atTop, isMentioned: (variable) => occurrences[variable] !== undefined };
}

function walk(
  list: readonly Statement[],
  scope: Scope,
  occurrences: Occurrences,
  targets: ReadonlySet<number>,
): void {
  for (const statement of list) {
    if (statement.kind === 'label' && targets.has(statement.block)) markLabel(scope);
    if (statement.kind !== 'while')
      for (const variable of ownReads(statement)) note(occurrences, variable, statement, scope, false);
    if (statement.kind === 'text' && written(statement) !== NONE)
      note(occurrences, written(statement), statement, scope, statement.variable !== NONE);
    if (statement.kind === 'while') {
      walkWhile(statement, scope, occurrences, targets);
      continue;
    }
    for (const inner of innerLists(statement)) walk(inner, innerScope(scope), occurrences, targets);
  }
}

function innerScope(parent: Scope): Scope {
  return { parent, depth: parent.depth + 1, hasLabel: false };
}

function markLabel(scope: Scope): void {
  for (let at: Scope | undefined = scope; at !== undefined && !at.hasLabel; at = at.parent)
    at.hasLabel = true;
}

/** A `for` is a scope of its own around its body; the condition of `do … while` is outside the body. */
function walkWhile(
  statement: WhileStatement,
  scope: Scope,
  occurrences: Occurrences,
  targets: ReadonlySet<number>,
): void {
  const { start, step, body, reads, isTestedLast } = statement;
  const head = start === undefined ? scope : innerScope(scope);
  if (start !== undefined) walk([start], head, occurrences, targets);
  const noteCondition = () => {
    for (const variable of reads) note(occurrences, variable, statement, head, false);
  };
  if (!isTestedLast) noteCondition();
  walk(body, innerScope(head), occurrences, targets);
  if (isTestedLast) noteCondition();
  if (step !== undefined) walk([step], head, occurrences, targets);
}

function note(
  occurrences: Occurrences,
  variable: number,
  statement: Statement,
  scope: Scope,
  isWrite: boolean,
): void {
  const known = occurrences[variable];
  if (known === undefined) {
    occurrences[variable] = {
      first: statement,
      firstScope: scope,
      isFirstWrite: isWrite,
      scope,
      writes: isWrite ? 1 : 0,
    };
    return;
  }
  if (isWrite) known.writes++;
  known.scope = commonScope(known.scope, scope);
}

function commonScope(left: Scope, right: Scope): Scope {
  while (left !== right) {
    if (left.depth >= right.depth) left = left.parent as Scope;
    else right = right.parent as Scope;
  }
  return left;
}
