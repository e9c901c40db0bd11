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

/** Works in place. Variables are counted from 0 to before `variableCount`. */
export function dropUnread(root: Statement[], variableCount: number): void {
  const reads = new Int32Array(variableCount);
  const isWritten = new Uint8Array(variableCount);
  count(root, reads, isWritten);
  const work: number[] = [];
  for (let variable = 0; variable < variableCount; variable++)
    if (isWritten[variable] === 1 && reads[variable] === 0) work.push(variable);
  if (work.length === 0) return;
  const writes = new Map<number, TextStatement[]>();
  collectWrites(root, writes);
  const dropped = new Set<Statement>();
  while (work.length > 0) {
    const target = work.pop() as number;
    for (const statement of writes.get(target) as TextStatement[]) {
      dropped.add(statement);
      if (statement.hasEffect) continue;
      for (const variable of statement.reads) {
        if (variable === target) continue;
        const left = (reads[variable] as number) - 1;
        reads[variable] = left;
        if (left === 0 && isWritten[variable] === 1) work.push(variable);
      }
    }
  }
  drop(root, dropped);
}

function count(list: readonly Statement[], reads: Int32Array, isWritten: Uint8Array): void {
  for (const statement of list) {
    let own = NONE;
    if (statement.kind === 'text') {
      const target = written(statement);
      if (target !== NONE) isWritten[target] = 1;
      // What is read to be written to itself alone is not read; but what has an effect stays, and reads like any other.
      if (!statement.hasEffect) own = target;
    }
    for (const variable of ownReads(statement)) if (variable !== own) (reads[variable] as number)++;
    for (const inner of innerLists(statement)) count(inner, reads, isWritten);
  }
}

function collectWrites(list: readonly Statement[], writes: Map<number, TextStatement[]>): void {
  for (const statement of list) {
    if (statement.kind === 'text' && written(statement) !== NONE) {
      const known = writes.get(written(statement));
      if (known === undefined) writes.set(written(statement), [statement]);
      else known.push(statement);
    }
    for (const inner of innerLists(statement)) collectWrites(inner, writes);
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
