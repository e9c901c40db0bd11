/**
 * Where each C variable is declared: with its first assignment where that stands in the scope that holds all its uses, else at the
 * top of the function.
 *
 * A declaration in a loop's body makes a new variable in each round. That is right when the assignment comes before every use in the
 * text of its scope, for without `goto` every round then passes it first. With `goto` that holds only for a variable that is
 * assigned once: as a value of SSA it dominates its uses.
 */

import { NONE } from '../../ir/entities.js';
import { innerLists, ownReads, type Statement, type WhileStatement } from './statements.js';

interface Scope {
  readonly parent: Scope | undefined;
  readonly depth: number;
}

interface Occurrence {
  first: Statement;
  firstScope: Scope;
  isFirstWrite: boolean;
  scope: Scope;
  writes: number;
}

/** What was found about the variables of a function. */
export interface VariableScopes {
  /** Statements that declare the variable that they assign. */
  readonly declaring: ReadonlySet<Statement>;
  /** Variables to declare at the top, ascending. */
  readonly atTop: readonly number[];
}

/** Finds the declarations. `mustBeOutermost` tells the variables that live as long as the function: local objects. */
export function findScopes(
  root: readonly Statement[],
  hasGoto: boolean,
  mustBeOutermost: (variable: number) => boolean,
  isParameter: (variable: number) => boolean,
): VariableScopes {
  const occurrences = new Map<number, Occurrence>();
  const outermost: Scope = { parent: undefined, depth: 0 };
  walk(root, outermost, occurrences);
  const declaring = new Set<Statement>();
  const atTop: number[] = [];
  for (const [variable, found] of [...occurrences].sort(([left], [right]) => left - right)) {
    if (isParameter(variable)) continue;
    const isFirst = found.isFirstWrite && found.firstScope === found.scope;
    const isSafe = mustBeOutermost(variable) ? found.scope === outermost : !hasGoto || found.writes === 1;
    if (isFirst && isSafe) declaring.add(found.first);
    else atTop.push(variable);
  }
  return { declaring, atTop };
}

function walk(list: readonly Statement[], scope: Scope, occurrences: Map<number, Occurrence>): void {
  for (const statement of list) {
    if (statement.kind !== 'while')
      for (const variable of ownReads(statement)) note(occurrences, variable, statement, scope, false);
    if (statement.kind === 'text' && statement.variable !== NONE)
      note(occurrences, statement.variable, statement, scope, true);
    if (statement.kind === 'while') {
      walkWhile(statement, scope, occurrences);
      continue;
    }
    for (const inner of innerLists(statement))
      walk(inner, { parent: scope, depth: scope.depth + 1 }, occurrences);
  }
}

/** A `for` is a scope of its own around its body; the condition of `do … while` is outside the body. */
function walkWhile(statement: WhileStatement, scope: Scope, occurrences: Map<number, Occurrence>): void {
  const { start, step, body, reads, isTestedLast } = statement;
  const head = start === undefined ? scope : { parent: scope, depth: scope.depth + 1 };
  if (start !== undefined) walk([start], head, occurrences);
  const noteCondition = () => {
    for (const variable of reads) note(occurrences, variable, statement, head, false);
  };
  if (!isTestedLast) noteCondition();
  walk(body, { parent: head, depth: head.depth + 1 }, occurrences);
  if (isTestedLast) noteCondition();
  if (step !== undefined) walk([step], head, occurrences);
}

function note(
  occurrences: Map<number, Occurrence>,
  variable: number,
  statement: Statement,
  scope: Scope,
  isWrite: boolean,
): void {
  const known = occurrences.get(variable);
  if (known === undefined) {
    occurrences.set(variable, {
      first: statement,
      firstScope: scope,
      isFirstWrite: isWrite,
      scope,
      writes: isWrite ? 1 : 0,
    });
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
