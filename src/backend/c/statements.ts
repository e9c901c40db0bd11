/** C statements of one function as a tree, and what printing needs to know of it. Nesting is bounded by `function-writer`. */

import type { Level } from './expression.js';

/** What a compound assignment does to its variable. */
export interface Update {
  readonly operator: string;
  readonly right: string;
}

/** A simple statement, or an assignment to a variable whose declaration may be joined with it. */
export interface TextStatement {
  readonly kind: 'text';
  /** The statement without its semicolon; the right-hand side when there is a variable. */
  readonly text: string;
  /** `+` and what is added, when the right-hand side is the variable itself and something joined to it. */
  readonly update?: Update;
  /** The variable that it assigns, or NONE. */
  readonly variable: number;
  readonly reads: readonly number[];
  /** A row of the position table, or NONE. */
  readonly position: number;
  /** How tightly the right-hand side binds, when it has exactly the C type of the variable. */
  readonly exactLevel?: Level;
  /** Whether it is a `return` of the value of this variable. */
  readonly returns?: number;
  /** Whether control does not go on behind it. */
  readonly isEnd?: boolean;
}

/** A condition and how tightly it binds. */
export interface Condition {
  readonly text: string;
  readonly level: Level;
  readonly hasCall?: boolean;
}

export interface IfStatement {
  readonly kind: 'if';
  readonly condition: Condition;
  readonly negated: Condition;
  readonly reads: readonly number[];
  readonly position: number;
  readonly taken: Statement[];
  readonly otherwise: Statement[];
}

export interface LoopStatement {
  readonly kind: 'loop';
  /** Whether it is known to end, so that its condition may stand in its head. */
  readonly isCounted: boolean;
  readonly body: Statement[];
}

/** `while (condition)`, `do … while (condition)`, or, with a step, `for (start; condition; step)`. */
export interface WhileStatement {
  readonly kind: 'while';
  readonly isTestedLast: boolean;
  readonly condition: string;
  readonly reads: readonly number[];
  readonly position: number;
  readonly start: TextStatement | undefined;
  readonly step: TextStatement | undefined;
  readonly body: Statement[];
}

export interface SwitchArm {
  /** `case 3`, `default`. */
  readonly labels: readonly string[];
  readonly body: Statement[];
}

export interface SwitchStatement {
  readonly kind: 'switch';
  readonly value: string;
  readonly reads: readonly number[];
  readonly position: number;
  readonly arms: readonly SwitchArm[];
  /** Whether the value is a constant: then Clang wants to see where it goes. */
  readonly isConstant: boolean;
}

/** A place to jump to; printed only when something does. */
export interface LabelStatement {
  readonly kind: 'label';
  readonly block: number;
}

export interface JumpStatement {
  readonly kind: 'break' | 'continue' | 'goto';
  readonly block: number;
}

export type Statement =
  | TextStatement
  | IfStatement
  | LoopStatement
  | WhileStatement
  | SwitchStatement
  | LabelStatement
  | JumpStatement;

/** Whether control never reaches the end of the list. */
export function endsInJump(list: readonly Statement[]): boolean {
  const last = list[list.length - 1];
  if (last === undefined) return false;
  switch (last.kind) {
    case 'text':
      return last.isEnd === true;
    case 'if':
      return endsInJump(last.taken) && endsInJump(last.otherwise);
    case 'loop':
      return !hasBreak(last.body);
    case 'switch':
      return (
        last.arms.some((arm) => arm.labels.includes('default')) &&
        last.arms.every((arm) => endsInJump(arm.body) && !hasBreak(arm.body))
      );
    case 'label':
    case 'while':
      return false;
    default:
      return true;
  }
}

/** Whether a `break` in the list leaves what is around the list. */
function hasBreak(list: readonly Statement[]): boolean {
  return list.some((statement) => {
    if (statement.kind === 'break') return true;
    return statement.kind === 'if' && (hasBreak(statement.taken) || hasBreak(statement.otherwise));
  });
}

/** The lists directly inside a statement. */
export function innerLists(statement: Statement): readonly Statement[][] {
  switch (statement.kind) {
    case 'if':
      return [statement.taken, statement.otherwise];
    case 'loop':
    case 'while':
      return [statement.body];
    case 'switch':
      return statement.arms.map((arm) => arm.body);
    default:
      return [];
  }
}

/** The variables that the statement itself reads, not those of the lists inside it. */
export function ownReads(statement: Statement): readonly number[] {
  return statement.kind === 'text' ||
    statement.kind === 'if' ||
    statement.kind === 'switch' ||
    statement.kind === 'while'
    ? statement.reads
    : [];
}

/** `i++`, `i += 2`, `i = n`: as C programmers write it. */
export function assignment(name: string, statement: Pick<TextStatement, 'text' | 'update'>): string {
  const { update, text } = statement;
  if (update === undefined) return `${name} = ${text}`;
  const isStep = (update.operator === '+' || update.operator === '-') && update.right === '1';
  return isStep
    ? `${name}${update.operator}${update.operator}`
    : `${name} ${update.operator}= ${update.right}`;
}

const CAST = /\((?:const |volatile )*[A-Za-z_]\w*(?: \*+)?\)(?=\()/g;

/** Whether the text calls something: a name, an element of a table or a function in parentheses has arguments behind it. */
export function mayCall(text: string): boolean {
  return /[\w\])]\(/.test(text.replace(CAST, ''));
}
