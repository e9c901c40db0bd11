/**
 * C statements of one function as a tree, with what each reads, writes and does, so that nobody need look into a text. Nesting is
 * bounded by `function-writer`.
 */

import { NONE } from '../../ir/entities.js';
import { at, type Compared, type Expression, Level } from './expression.js';

/** What a compound assignment does to its variable. */
export interface Update {
  readonly operator: string;
  readonly right: string;
  /** Whether what stands on the right is a number. */
  readonly isNumber: boolean;
}

/** A simple statement, or an assignment to a variable whose declaration may be joined with it. */
export interface TextStatement {
  readonly kind: 'text';
  /** The statement without its semicolon; the right-hand side when there is a variable. */
  readonly text: string;
  /** How tightly the text binds, when it is an expression. */
  readonly level: Level;
  /** The variable that it assigns, or NONE. */
  readonly variable: number;
  /** The variable of which it sets a part, and does nothing else, or NONE. */
  readonly partOf: number;
  /** The variables that its text mentions otherwise, some perhaps twice. */
  readonly reads: readonly number[];
  /** A row of the position table, or NONE. */
  readonly position: number;
  /** Whether it does more than to set `variable` or `partOf`. */
  readonly hasEffect: boolean;
  /** Whether the right-hand side has exactly the C type of the variable. */
  readonly isExact: boolean;
  /** Whether the right-hand side is a name or a number. */
  readonly isSimple: boolean;
  /** Whether the right-hand side may stand as a statement. */
  readonly isCall: boolean;
  /** `+` and what is added, when the right-hand side is the variable itself and something joined to it. */
  readonly update: Update | undefined;
  /** The variable whose value it returns, or NONE. */
  readonly returns: number;
  /** Whether control does not go on behind it. */
  readonly isEnd: boolean;
  /** Whether it declares the variable that it assigns; known when all statements are. */
  isDeclaration: boolean;
}

/** A statement that sets no variable, or a part of one: then it may have no other effect. */
export function textStatement(
  text: string,
  reads: readonly number[],
  position: number,
  partOf: number = NONE,
  hasEffect = true,
): TextStatement {
  return makeStatement(text, Level.comma, NONE, partOf, reads, position, hasEffect);
}

/** `variable = value`. */
export function assignmentStatement(
  variable: number,
  value: Pick<Expression, 'text' | 'level' | 'hasEffect' | 'isNumber' | 'isCall'>,
  reads: readonly number[],
  position: number,
  isExact: boolean,
  update: Update | undefined,
): TextStatement {
  const { text, level } = value;
  const hasEffect = value.hasEffect === true;
  const isSimple = level === Level.primary || value.isNumber === true;
  const isCall = value.isCall === true;
  return makeStatement(
    text,
    level,
    variable,
    NONE,
    reads,
    position,
    hasEffect,
    isExact,
    isSimple,
    isCall,
    update,
  );
}

/** A `return`: of the value of a variable, of something else, or of nothing; or what ends the program. */
export function endStatement(
  text: string,
  reads: readonly number[],
  position: number,
  returns: number = NONE,
): TextStatement {
  return makeStatement(
    text,
    Level.comma,
    NONE,
    NONE,
    reads,
    position,
    true,
    false,
    false,
    false,
    undefined,
    returns,
    true,
  );
}

/** One shape for all, which is quick to make and to look at. */
function makeStatement(
  text: string,
  level: Level,
  variable: number,
  partOf: number,
  reads: readonly number[],
  position: number,
  hasEffect: boolean,
  isExact = false,
  isSimple = false,
  isCall = false,
  update: Update | undefined = undefined,
  returns: number = NONE,
  isEnd = false,
): TextStatement {
  return {
    kind: 'text',
    text,
    level,
    variable,
    partOf,
    reads,
    position,
    hasEffect,
    isExact,
    isSimple,
    isCall,
    update,
    returns,
    isEnd,
    isDeclaration: false,
  };
}

/** An expression that is evaluated for what it does alone: a call as it is, anything else marked as meant. */
export function evaluation(
  expression: { readonly text: string; readonly level: Level; readonly isCall?: boolean },
  reads: readonly number[],
  position: number,
): TextStatement {
  const isCall = expression.isCall === true;
  return textStatement(isCall ? expression.text : `(void)${at(expression, Level.unary)}`, reads, position);
}

/** A condition and how tightly it binds. */
export interface Condition {
  readonly text: string;
  readonly level: Level;
  readonly hasEffect: boolean;
  readonly isCall: boolean;
  /** What it always is, where that is known. */
  readonly known: boolean | undefined;
  /** For a comparison of something with a number: the three. */
  readonly compared: Compared | undefined;
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
  /** Lines that stand right before it; '' for none. */
  readonly pragma: string;
  /** Whether its condition may stand in its head: see testable-loops. */
  readonly isTestable: boolean;
  readonly body: Statement[];
}

/** `while (condition)`, `do … while (condition)`, or, with a step, `for (start; condition; step)`. */
export interface WhileStatement {
  readonly kind: 'while';
  readonly pragma: string;
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
      return last.isEnd;
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

const NO_LISTS: readonly Statement[][] = [];
const NO_READS: readonly number[] = [];

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
      return NO_LISTS;
  }
}

/** The variables that the statement itself reads, not those of the lists inside it. */
export function ownReads(statement: Statement): readonly number[] {
  switch (statement.kind) {
    case 'text':
    case 'if':
    case 'switch':
    case 'while':
      return statement.reads;
    default:
      return NO_READS;
  }
}

/** The variable that the statement writes, or writes a part of; or NONE. */
export function written(statement: TextStatement): number {
  return statement.variable === NONE ? statement.partOf : statement.variable;
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
