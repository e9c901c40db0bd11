/**
 * Leaves out assignments to what nothing reads: variables, and local objects of which only parts are ever set. What only such an
 * assignment reads goes as well, and what reads nothing but itself. An effect stays, without the assignment.
 *
 * The plan keeps what instructions use. But leaving SSA shares variables, so that a value which nothing needs may stay because another
 * one of its variable is needed; and what reads a value may go when the statements are tidied. Compilers warn of a variable that is set
 * and never read. Cost: linear, and a statement is looked at again only when another that it feeds is dropped.
 */

import { NONE } from '../../ir/entities.js';
import {
  evaluation,
  innerLists,
  ownReads,
  type Statement,
  type TextStatement,
  written,
} from './statements.js';

/** What becomes of the statements of a function: its reads, counted, and its assignments by variable. */
interface Uses {
  readonly reads: Map<number, number>;
  readonly writes: Map<number, TextStatement[]>;
}

/** Works in place. */
export function dropUnread(root: Statement[]): void {
  const uses: Uses = { reads: new Map(), writes: new Map() };
  note(root, uses);
  const { reads, writes } = uses;
  const work: number[] = [];
  for (const variable of writes.keys()) if (!reads.has(variable)) work.push(variable);
  if (work.length === 0) return;
  const dropped = new Set<Statement>();
  while (work.length > 0) {
    const target = work.pop() as number;
    for (const statement of writes.get(target) as TextStatement[]) {
      dropped.add(statement);
      if (statement.hasEffect) continue;
      for (const variable of statement.reads) {
        if (variable === target) continue;
        const left = (reads.get(variable) as number) - 1;
        reads.set(variable, left);
        if (left === 0 && writes.has(variable)) work.push(variable);
      }
    }
  }
  drop(root, dropped);
}

function note(list: readonly Statement[], uses: Uses): void {
  const { reads, writes } = uses;
  for (const statement of list) {
    const target = statement.kind === 'text' ? written(statement) : NONE;
    if (target !== NONE) {
      const known = writes.get(target);
      if (known === undefined) writes.set(target, [statement as TextStatement]);
      else known.push(statement as TextStatement);
    }
    // What is read to be written to itself alone is not read; but what has an effect stays, and reads like any other.
    const own = target !== NONE && !(statement as TextStatement).hasEffect ? target : NONE;
    for (const variable of ownReads(statement))
      if (variable !== own) reads.set(variable, (reads.get(variable) ?? 0) + 1);
    for (const inner of innerLists(statement)) note(inner, uses);
  }
}

function drop(list: Statement[], dropped: ReadonlySet<Statement>): void {
  let kept = 0;
  for (const statement of list) {
    for (const inner of innerLists(statement)) drop(inner, dropped);
    if (!dropped.has(statement)) list[kept++] = statement;
    else if ((statement as TextStatement).hasEffect) list[kept++] = asEffect(statement as TextStatement);
  }
  list.length = kept;
}

/** The right-hand side for what it does alone; a part that is set to an effect stays as it is. */
function asEffect(statement: TextStatement): TextStatement {
  const { reads, position, variable } = statement;
  return variable === NONE ? statement : evaluation(statement, reads, position);
}
