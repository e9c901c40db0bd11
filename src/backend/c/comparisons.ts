/** Comparisons, with their negations, so that a condition turned around reads `a >= b` and not `!(a < b)`. */

import type { Inst, TypeId } from '../../ir/entities.js';
import {
  FLOAT_PREDICATES,
  type FloatPredicate,
  INTEGER_PREDICATES,
  type IntegerPredicate,
} from '../../ir/schema.js';
import { integerLiteral } from './constants.js';
import { decidedComparison } from './decided.js';
import { at, binary, type Expression, Level, not } from './expression.js';
import { constantBits, signedType, unsignedType } from './integers.js';
import type { ValueWriter } from './value-writer.js';

const OPERATORS: Readonly<Record<IntegerPredicate, string>> = {
  eq: '==',
  ne: '!=',
  slt: '<',
  sle: '<=',
  sgt: '>',
  sge: '>=',
  ult: '<',
  ule: '<=',
  ugt: '>',
  uge: '>=',
};

const INVERSE: Readonly<Record<IntegerPredicate, IntegerPredicate>> = {
  eq: 'ne',
  ne: 'eq',
  slt: 'sge',
  sle: 'sgt',
  sgt: 'sle',
  sge: 'slt',
  ult: 'uge',
  ule: 'ugt',
  ugt: 'ule',
  uge: 'ult',
};

const MIRRORED: Readonly<Record<string, string>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};

/** icmp, or its negation. */
export function integerCompare(writer: ValueWriter, inst: Inst, negated: boolean): Expression {
  const { view, tables } = writer;
  const { types } = tables;
  const given = INTEGER_PREDICATES[view.aux(inst)] as IntegerPredicate;
  const predicate = negated ? INVERSE[given] : given;
  const type = view.valueType(view.operand(inst, 0));
  const known = decidedComparison(view, inst);
  if (known !== undefined)
    return {
      text: known !== negated ? 'true' : 'false',
      level: Level.primary,
      type: types.i1,
      isConstant: true,
    };
  if (types.isPointer(type)) return comparePointers(writer, inst, predicate);
  if (types.width(type) === 1) return compareBooleans(writer, inst, predicate);
  const isOrder = predicate !== 'eq' && predicate !== 'ne';
  const wanted = !isOrder
    ? type
    : predicate.startsWith('s')
      ? signedType(writer, type)
      : unsignedType(writer, type);
  const left = comparand(writer, inst, 0, type, wanted);
  const right = comparand(writer, inst, 1, type, wanted);
  const isConstant = left.isConstant === true && right.isConstant === true;
  // `x > 3` and not `3 < x`.
  if (left.bits !== undefined && right.bits === undefined)
    return join(writer, right, MIRRORED[OPERATORS[predicate]] as string, left, isConstant);
  return join(writer, left, OPERATORS[predicate], right, isConstant);
}

/** Constants of another sign are written as literals of that sign. */
function comparand(writer: ValueWriter, inst: Inst, index: number, type: TypeId, wanted: TypeId): Expression {
  if (type !== wanted) {
    const bits = constantBits(writer, writer.view.operand(inst, index));
    if (bits !== undefined) return integerLiteral(writer.tables, wanted, bits);
  }
  return writer.exact(writer.operand(inst, index), wanted);
}

function join(
  writer: ValueWriter,
  left: Expression,
  operator: string,
  right: Expression,
  isConstant = false,
): Expression {
  const { text, level } = binary(left, operator, right);
  const { types } = writer.tables;
  const number = right.bits;
  const isSigned = number !== undefined && types.isSigned(right.type);
  const compared =
    number === undefined
      ? undefined
      : {
          left: left.text,
          operator,
          number: isSigned ? BigInt.asIntN(types.width(right.type), number) : number,
        };
  return {
    text,
    level,
    type: types.i1,
    isConstant,
    hasEffect: left.hasEffect === true || right.hasEffect === true,
    compared,
  };
}

/** C orders only pointers into one object, and compilers warn when an object's address is compared with NULL. */
function comparePointers(writer: ValueWriter, inst: Inst, predicate: IntegerPredicate): Expression {
  const left = writer.operand(inst, 0);
  const right = writer.operand(inst, 1);
  const isObject = (expression: Expression) =>
    expression.place !== undefined ||
    expression.elements !== undefined ||
    (expression.isConstant === true && expression.isNull !== true);
  const isEquality = predicate === 'eq' || predicate === 'ne';
  if (isEquality && !isObject(left) && !isObject(right) && left.isNull !== true)
    return join(writer, left, OPERATORS[predicate], right);
  const type = predicate.startsWith('s') ? 'intptr_t' : 'uintptr_t';
  const address = (expression: Expression): Expression => ({
    text: `(${type})${at(expression, Level.unary)}`,
    level: Level.unary,
    type: expression.type,
    ...(expression.hasEffect === true && { hasEffect: true }),
  });
  return join(writer, address(left), OPERATORS[predicate], address(right));
}

/** Unsigned, true is more than false; signed, it is -1 and less. */
function compareBooleans(writer: ValueWriter, inst: Inst, predicate: IntegerPredicate): Expression {
  const left = writer.exactOperand(inst, 0);
  const right = writer.exactOperand(inst, 1);
  const hasEffect = left.hasEffect === true || right.hasEffect === true;
  const both = (first: Expression, second: Expression) => join(writer, first, hasEffect ? '&' : '&&', second);
  const either = (first: Expression, second: Expression) =>
    join(writer, first, hasEffect ? '|' : '||', second);
  switch (predicate) {
    case 'eq':
      return right.text === 'true'
        ? left
        : right.text === 'false'
          ? not(left)
          : join(writer, left, '==', right);
    case 'ne':
      return right.text === 'false'
        ? left
        : right.text === 'true'
          ? not(left)
          : join(writer, left, '!=', right);
    case 'ult':
    case 'sgt':
      return both(not(left), right);
    case 'ugt':
    case 'slt':
      return both(left, not(right));
    case 'ule':
    case 'sge':
      return either(not(left), right);
    default:
      return either(left, not(right));
  }
}

const INVERSE_FLOAT: Readonly<Record<FloatPredicate, FloatPredicate>> = {
  oeq: 'une',
  ogt: 'ule',
  oge: 'ult',
  olt: 'uge',
  ole: 'ugt',
  one: 'ueq',
  ord: 'uno',
  ueq: 'one',
  ugt: 'ole',
  uge: 'olt',
  ult: 'oge',
  ule: 'ogt',
  une: 'oeq',
  uno: 'ord',
};

/** fcmp, or its negation. C's operators are the ordered ones, and `!=` the unordered. */
export function floatCompare(writer: ValueWriter, inst: Inst, negated: boolean): Expression {
  const { view } = writer;
  const given = FLOAT_PREDICATES[view.aux(inst)] as FloatPredicate;
  const predicate = negated ? INVERSE_FLOAT[given] : given;
  const left = writer.operand(inst, 0);
  const right = writer.operand(inst, 1);
  const operator: Partial<Record<FloatPredicate, string>> = {
    oeq: '==',
    ogt: '>',
    oge: '>=',
    olt: '<',
    ole: '<=',
    une: '!=',
  };
  const plain = operator[predicate];
  if (plain !== undefined) return join(writer, left, plain, right);
  const inverse = operator[INVERSE_FLOAT[predicate]];
  if (inverse !== undefined && inverse !== '!=' && inverse !== '==')
    return not(join(writer, left, inverse, right));
  const isNegated = predicate === 'ord' || predicate === 'ueq';
  const name = predicate === 'ord' || predicate === 'uno' ? 'isunordered' : 'islessgreater';
  if (writer.dialect === 'c17') writer.unit.headers.add('math.h');
  const call: Expression = {
    text: `${writer.dialect === 'c17' ? '' : '__builtin_'}${name}(${left.text}, ${right.text})`,
    level: Level.postfix,
    type: writer.tables.types.i1,
    ...((left.hasEffect === true || right.hasEffect === true) && { hasEffect: true }),
  };
  // The macros give an int that need not be 1.
  return isNegated ? not(call) : { ...call, ...binary(call, '!=', { text: '0', level: Level.primary }) };
}
