/** Pieces of C expressions with what is needed to join them: how tightly they bind and of which C type they are. */

import type { TypeId } from '../../ir/entities.js';

/** How tightly an expression binds: its operator's level in C17 §6.5. Higher binds tighter. */
export const Level = {
  comma: 1,
  assignment: 2,
  conditional: 3,
  logicalOr: 4,
  logicalAnd: 5,
  bitOr: 6,
  bitXor: 7,
  bitAnd: 8,
  equality: 9,
  relational: 10,
  shift: 11,
  additive: 12,
  multiplicative: 13,
  unary: 14,
  postfix: 15,
  primary: 16,
} as const;
export type Level = (typeof Level)[keyof typeof Level];

/**
 * A C expression that stands for a VIR value.
 *
 * `type` is the VIR type whose C type the text has. For a value of type `iN` it may be another integer type: then the two are
 * only equal modulo 2^N, and `exact` casts. A plain number literal has C type int or wider whatever `type` says; it is always
 * exact, and `isLiteral` tells.
 */
export interface Expression {
  readonly text: string;
  readonly level: Level;
  readonly type: TypeId;
  readonly isLiteral?: boolean;
  /** The bits of an integer literal. */
  readonly bits?: bigint;
  /** Decimal digits without a suffix, perhaps with a minus before them: an int to C. */
  readonly isNumber?: boolean;
  /** The macro NULL, whose C type may be that of an integer: nothing can be read or called through it without a cast. */
  readonly isNull?: boolean;
  /** No variable in it: compilers evaluate it and complain about what they find. */
  readonly isConstant?: boolean;
  /** For a binary operation: what it joins. */
  readonly parts?: { readonly left: Expression; readonly operator: string; readonly right: Expression };
  /** What a cast casts. */
  readonly castOf?: Expression;
  /** For `!x`: x. */
  readonly negationOf?: Expression;
  /** For a comparison of something with a number: the three. */
  readonly compared?: Compared;
  /** Calls, or makes an access that must happen: must not be evaluated twice, or not at all. */
  readonly hasEffect?: boolean;
  /** Nothing but a call, which may stand as a statement. */
  readonly isCall?: boolean;
  /** For an address: the object that it is the address of, so that `*&x` is never written. */
  readonly place?: Place;
  /** For `p + i`: the two, and how large i may become without another C type. */
  readonly offset?: { readonly base: Operand; readonly index: Expression; readonly room: bigint };
  /** For the address of an array's first element: the array, whose elements are written `table[i]`. */
  readonly elements?: Place;
}

/** `left operator number`. */
export interface Compared {
  readonly left: string;
  readonly operator: string;
  readonly number: bigint;
}

/** An lvalue. */
export interface Place {
  readonly text: string;
  readonly level: Level;
  /** The variable of the local object that the place is, or is a part of. */
  readonly object?: number;
  /** Finding the place calls, or makes an access that must happen. */
  readonly hasEffect?: boolean;
  /** The only effect is that each access must happen: `x += 1` reads and writes it once, as `x = x + 1` does. */
  readonly isVolatile?: boolean;
  /** A whole global or local array: an index outside it is outside its object, so C may know its bounds. */
  readonly isWholeObject?: boolean;
  /** The array whose first element the place is: its name is the address. */
  readonly firstOf?: Place;
  /** The pointer that the place is the target of. */
  readonly pointer?: { readonly text: string; readonly level: Level };
  /** A constant: C refuses to write it, VIR calls it erroneous when it happens. */
  readonly isReadOnly?: boolean;
  /** Part of a declared object, whose type C knows. */
  readonly isDeclared?: boolean;
}

/** What an expression made of one operand takes over from it: its type and effects, not how it was made or where it points. */
export function basis(expression: Expression): Pick<Expression, 'type' | 'isConstant' | 'hasEffect'> {
  return {
    type: expression.type,
    ...(expression.isConstant === true && { isConstant: true }),
    ...(expression.hasEffect === true && { hasEffect: true }),
  };
}

/** `!x`, and `x` for `!!x`: what is negated is true or false. */
export function not(expression: Expression): Expression {
  const { text, level, type, isConstant, hasEffect, negationOf } = expression;
  if (negationOf !== undefined) return negationOf;
  return {
    text: level >= Level.unary ? `!${text}` : `!(${text})`,
    level: Level.unary,
    type,
    isConstant,
    hasEffect,
    negationOf: expression,
  };
}

/** The text in parentheses unless it binds at least as tightly as asked. */
export function at(expression: { readonly text: string; readonly level: Level }, level: Level): string {
  return expression.level >= level ? expression.text : `(${expression.text})`;
}

/** `operator operand`; `- -x` keeps its space. */
export function prefix(operator: string, operand: { readonly text: string; readonly level: Level }): string {
  const text = at(operand, Level.unary);
  const clash = (operator === '-' || operator === '+' || operator === '&') && text.startsWith(operator);
  return clash ? `${operator}(${text})` : `${operator}${text}`;
}

const LEVEL_OF: Readonly<Record<string, Level>> = {
  '*': Level.multiplicative,
  '/': Level.multiplicative,
  '%': Level.multiplicative,
  '+': Level.additive,
  '-': Level.additive,
  '<<': Level.shift,
  '>>': Level.shift,
  '<': Level.relational,
  '>': Level.relational,
  '<=': Level.relational,
  '>=': Level.relational,
  '==': Level.equality,
  '!=': Level.equality,
  '&': Level.bitAnd,
  '^': Level.bitXor,
  '|': Level.bitOr,
  '&&': Level.logicalAnd,
  '||': Level.logicalOr,
};

export interface Operand {
  readonly text: string;
  readonly level: Level;
}

/**
 * Two operands joined, with the parentheses that C needs and those that its readers need: compilers warn about `a << b + c`,
 * `a & b == c` and `a < b == c`, and they are right.
 */
export function binary(left: Operand, operator: string, right: Operand): Operand {
  const level = LEVEL_OF[operator] as Level;
  return {
    text: `${at(left, leftLevel(left, operator, level))} ${operator} ${at(right, rightLevel(right, level))}`,
    level,
  };
}

function leftLevel(left: Operand, operator: string, level: Level): Level {
  if (level >= Level.additive) return level;
  // A chain of one associative operator needs none: `a | b | c`.
  if (
    (level <= Level.bitAnd || level === Level.shift) &&
    left.level === level &&
    operator !== '<<' &&
    operator !== '>>'
  )
    return level;
  if (level <= Level.logicalAnd) return Level.bitOr;
  if (level >= Level.equality && level <= Level.relational) return Level.additive;
  return Level.unary;
}

function rightLevel(right: Operand, level: Level): Level {
  if (level >= Level.additive) return (level + 1) as Level;
  // Both sides of `||` may be another `||`: it means the same, and needs no parentheses.
  if (level <= Level.logicalAnd) return right.level === level ? level : Level.bitOr;
  if (level >= Level.equality && level <= Level.relational) return Level.additive;
  return Level.unary;
}
