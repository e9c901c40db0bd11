/**
 * Leaves out what nothing reads: assignments to variables that no text mentions, and stores to local objects that nothing looks at.
 *
 * The plan keeps what instructions use, but an instruction need not write all that it uses: a comparison with a bound of the type
 * or a select of two equal values is written without its operands. Compilers warn of a variable that is set and never read.
 * Input: the tidied statements. Cost: linear, and a statement is looked at again only when another that it feeds is dropped.
 */

import { NONE } from '../../ir/entities.js';
import { innerLists, mayCall, type Statement, type TextStatement } from './statements.js';

const WORD = /[A-Za-z_]\w*/g;
/** Calls that do nothing but compute. */
const PURE_CALL =
  /\b(?:__builtin_(?:popcount|inf|nan|fabs|sqrt|is)\w*|vct_bits_\w+|vct_[su](?:add|sub)_sat_\w+)\(/g;
/** A call and nothing else. */
const CALL = /^(?!__builtin_)[A-Za-z_]\w*\([^()]*\)$/;

/** A member of a struct or union that is set, and an element of an array. */
const MEMBER = /^([A-Za-z_]\w*)(?:\.\w+)+ (?:[-+*/%&|^]|<<|>>)?= /;
const ELEMENT = /^([A-Za-z_]\w*)(?:\.e)?\[[^\]]*\] (?:[-+*/%&|^]|<<|>>)?= /;

/** What must be known of variables. */
export interface VariableFacts {
  name(variable: number): string;
  /** Whether its C type is a struct, union or array: then a part of it is a part of the variable. */
  kind(variable: number): 'array' | 'struct' | 'scalar';
}

interface Write {
  readonly list: Statement[];
  readonly statement: TextStatement;
}

/** Works in place. */
export function dropUnmentioned(root: Statement[], facts: VariableFacts): void {
  const reads = new Map<number, number>();
  const writes = new Map<number, Write[]>();
  const count = (variables: readonly number[]) => {
    for (const variable of variables) reads.set(variable, (reads.get(variable) ?? 0) + 1);
  };
  const work: Statement[][] = [root];
  while (work.length > 0) {
    const list = work.pop() as Statement[];
    for (let index = 0; index < list.length; index++) {
      const statement = withTrueReads(list[index] as Statement, facts);
      list[index] = statement;
      if (statement.kind === 'while')
        for (const part of [statement.start, statement.step])
          if (part !== undefined) count([...part.reads, part.variable]);
      if ('reads' in statement) count(statement.reads);
      if (statement.kind === 'text' && statement.returns !== undefined) count([statement.returns]);
      if (statement.kind === 'text') {
        const variable = statement.variable === NONE ? partOf(statement, facts) : statement.variable;
        if (variable !== NONE) {
          // The name on the left is no read.
          if (statement.variable === NONE) reads.set(variable, (reads.get(variable) ?? 0) - 1);
          const known = writes.get(variable);
          if (known === undefined) writes.set(variable, [{ list, statement }]);
          else known.push({ list, statement });
        }
      }
      work.push(...innerLists(statement));
    }
  }
  drop(reads, writes);
}

/** Whether the text calls what may have an effect, or makes an access that must happen. */
function hasEffect(text: string): boolean {
  return /\bvolatile\b/.test(text) || mayCall(text.replace(PURE_CALL, ' ('));
}

/** Reads that the text does not mention are none. */
function withTrueReads(statement: Statement, facts: VariableFacts): Statement {
  if (statement.kind !== 'text' && statement.kind !== 'if' && statement.kind !== 'switch') return statement;
  if (statement.reads.length === 0) return statement;
  const text =
    statement.kind === 'text'
      ? statement.text
      : statement.kind === 'if'
        ? statement.condition.text
        : statement.value;
  const words = new Set(text.match(WORD));
  const reads = statement.reads.filter((variable) => words.has(facts.name(variable)));
  return reads.length === statement.reads.length ? statement : { ...statement, reads };
}

/** The variable of which the statement sets a part, and which it does not mention otherwise; or NONE. */
function partOf({ text, reads }: TextStatement, facts: VariableFacts): number {
  const member = MEMBER.exec(text);
  const head = (member ?? ELEMENT.exec(text))?.[1];
  if (head === undefined || hasEffect(text)) return NONE;
  const own = reads.filter((variable) => facts.name(variable) === head);
  const [variable] = own;
  if (variable === undefined || own.length > 1) return NONE;
  const kind = facts.kind(variable);
  const isPart = member === null ? kind === 'array' : kind !== 'scalar';
  return isPart ? variable : NONE;
}

function drop(reads: Map<number, number>, writes: ReadonlyMap<number, readonly Write[]>): void {
  /** Per list, what becomes of statements: another, or nothing. */
  const changed = new Map<Statement[], Map<Statement, Statement | undefined>>();
  const change = (list: Statement[], statement: Statement, made: Statement | undefined) => {
    const known = changed.get(list);
    if (known === undefined) changed.set(list, new Map([[statement, made]]));
    else known.set(statement, made);
  };
  const work = [...writes.keys()].filter((variable) => (reads.get(variable) ?? 0) === 0);
  while (work.length > 0) {
    for (const { list, statement } of writes.get(work.pop() as number) ?? []) {
      if (hasEffect(statement.text)) {
        if (statement.variable !== NONE) change(list, statement, asEffect(statement));
        continue;
      }
      change(list, statement, undefined);
      for (const variable of statement.reads) {
        const left = (reads.get(variable) ?? 0) - 1;
        reads.set(variable, left);
        if (left === 0 && writes.has(variable)) work.push(variable);
      }
    }
  }
  for (const [list, made] of changed) {
    let kept = 0;
    for (const statement of list) {
      const instead = made.has(statement) ? made.get(statement) : statement;
      if (instead !== undefined) list[kept++] = instead;
    }
    list.length = kept;
  }
}

/** The right-hand side for what it does alone. */
function asEffect({ text, reads, position }: TextStatement): TextStatement {
  return { kind: 'text', text: CALL.test(text) ? text : `(void)(${text})`, variable: NONE, reads, position };
}
