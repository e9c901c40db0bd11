/**
 * Integer arithmetic (008/X1, 008/X2). VIR wraps; C's signed arithmetic may not overflow, and operands narrower than int become int
 * first. So sums, differences, products and left shifts are computed unsigned, of at least 32 bits. Their C type then differs from
 * the value's; who needs the exact value casts, and assignment converts by itself.
 */

import type { Inst, TypeId, Value } from '../../ir/entities.js';
import { isConstantOperand, operandConstant } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind } from '../../ir/schema.js';
import { isDivisionByZero, isShiftTooFar, writtenOperandCount } from './decided.js';
import { at, basis, binary, type Expression, Level, not, prefix } from './expression.js';
import type { ValueWriter } from './value-writer.js';

/** An instruction of class integerBinary that C has an operator for. */
export function integerBinary(writer: ValueWriter, inst: Inst): Expression {
  const opcode = writer.view.opcode(inst);
  const type = writer.view.instructionType(inst);
  if (writer.tables.types.width(type) === 1) return booleanBinary(writer, inst);
  switch (opcode) {
    case Opcode.add:
    case Opcode.sub:
    case Opcode.mul:
      return wrapping(writer, inst);
    case Opcode.and:
    case Opcode.or:
    case Opcode.xor:
      return bitwise(writer, inst);
    case Opcode.shl:
      return shiftLeft(writer, inst);
    case Opcode.lshr:
      return shiftRight(writer, inst, unsignedType(writer, type));
    case Opcode.ashr:
      return shiftRight(writer, inst, signedType(writer, type));
    case Opcode.sdiv:
    case Opcode.srem:
      return divide(writer, inst, signedType(writer, type));
    default:
      return divide(writer, inst, unsignedType(writer, type));
  }
}

/** The unsigned type of the same width. */
export function unsignedType(writer: ValueWriter, type: TypeId): TypeId {
  const { types } = writer.tables;
  return types.integer(types.width(type), false);
}

/** The signed type of the same width. */
export function signedType(writer: ValueWriter, type: TypeId): TypeId {
  const { types } = writer.tables;
  return types.integer(types.width(type), true);
}

/** The value of a constant operand, or undefined. */
export function constantBits(writer: ValueWriter, value: Value): bigint | undefined {
  if (!isConstantOperand(value)) return undefined;
  const { constants } = writer.tables;
  const constant = operandConstant(value);
  // A literal has its bits, but for true and false.
  const known = writer.module.literals[constant]?.bits;
  if (known !== undefined) return known;
  return constants.kind(constant) === ConstantKind.integer ? constants.integerBits(constant) : undefined;
}

function join(left: Expression, operator: string, right: Expression, type: TypeId): Expression {
  const { text, level } = binary(left, operator, right);
  return {
    text,
    level,
    type,
    isConstant: left.isConstant === true && right.isConstant === true,
    hasEffect: left.hasEffect === true || right.hasEffect === true,
    parts: { left, operator, right },
  };
}

const OPERATORS: Readonly<Record<number, string>> = {
  [Opcode.add]: '+',
  [Opcode.sub]: '-',
  [Opcode.mul]: '*',
  [Opcode.and]: '&',
  [Opcode.or]: '|',
  [Opcode.xor]: '^',
  [Opcode.sdiv]: '/',
  [Opcode.udiv]: '/',
  [Opcode.srem]: '%',
  [Opcode.urem]: '%',
};

/** The unsigned type in which arithmetic on the type is done: 32 bits at least, for narrower ones become int. */
function arithmeticType(writer: ValueWriter, type: TypeId): TypeId {
  const { types } = writer.tables;
  return types.width(type) < 32 ? types.u32 : unsignedType(writer, type);
}

/** `(uint32_t)a + b`: one unsigned operand makes the operation unsigned. */
function wrapping(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const type = view.instructionType(inst);
  const opcode = view.opcode(inst);
  const operator = OPERATORS[opcode] as string;
  const wide = arithmeticType(writer, type);
  const left = writer.operand(inst, 0);
  const right = writer.operand(inst, 1);
  const bits = constantBits(writer, view.operand(inst, 1));
  const width = tables.types.width(type);
  // Exact narrow operands cannot overflow an int in a sum or difference.
  const isPlain = tables.types.isSigned(type) && width >= 32 && width <= 64;
  if (isPlain && writer.ranges.unwrapped(inst, writer.ranges.blockOf[inst] as number) !== undefined)
    return join(sizedFirst(writer, left, right, type), operator, writer.exact(right, type), type);
  if (width < 32 && opcode !== Opcode.mul)
    return join(writer.exact(left, type), operator, writer.exact(right, type), tables.types.i32);
  if (
    opcode === Opcode.sub &&
    constantBits(writer, view.operand(inst, 0)) === 0n &&
    left.isConstant === true
  ) {
    const operand = right.type === wide && right.isLiteral !== true ? right : writer.cast(right, wide);
    return { ...basis(operand), text: prefix('-', operand), level: Level.unary, type: wide };
  }
  const unsigned = (expression: Expression) =>
    expression.type === wide && expression.isLiteral !== true ? expression : writer.cast(expression, wide);
  // `x + -3` reads better as a difference.
  if (
    bits !== undefined &&
    opcode === Opcode.add &&
    width <= 64 &&
    isNegativeNumber(writer, right) &&
    left.isConstant !== true
  ) {
    const magnitude = BigInt.asUintN(width, -bits);
    if (width === 32)
      return join(
        left,
        '-',
        { ...right, text: `${magnitude}u`, level: Level.primary, isNumber: false, bits: magnitude },
        wide,
      );
    return join(
      unsigned(left),
      '-',
      { ...right, text: String(magnitude), level: Level.primary, bits: magnitude },
      wide,
    );
  }
  if (right.type === wide && right.isLiteral !== true && opcode !== Opcode.sub)
    return join(left, operator, right, wide);
  // An unsigned literal makes the whole operation unsigned: `x + 1u`.
  if (
    wide === tables.types.u32 &&
    right.isNumber === true &&
    right.level === Level.primary &&
    left.isConstant !== true
  )
    return join(left, operator, { ...right, text: `${right.text}u`, type: wide, isNumber: false }, wide);
  return join(unsigned(left), operator, widthSafe(writer, right, type), wide);
}

/** Whether a literal is written with a minus before it. */
function isNegativeNumber(writer: ValueWriter, literal: Expression): boolean {
  return (
    literal.isNumber === true && literal.level === Level.unary && writer.tables.types.isInteger(literal.type)
  );
}

/** The left operand as the type: cast where both are literals, for those are int. */
function sizedFirst(writer: ValueWriter, left: Expression, right: Expression, type: TypeId): Expression {
  const isOfLiterals = left.isConstant === true && right.isConstant === true;
  return isOfLiterals ? writer.sized(left, type) : writer.exact(left, type);
}

/** An operand whose own width is that of the operation: a congruent one of another width would bring other bits in. */
function widthSafe(writer: ValueWriter, expression: Expression, type: TypeId): Expression {
  const { types } = writer.tables;
  if (types.isInteger(expression.type) && types.width(expression.type) === types.width(type))
    return expression;
  return writer.exact(expression, type);
}

/** Exact operands give an exact result, whatever they were promoted to. */
function bitwise(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const type = view.instructionType(inst);
  const opcode = view.opcode(inst);
  const bits = constantBits(writer, view.operand(inst, 1));
  const width = tables.types.width(type);
  if (opcode === Opcode.xor && bits === (1n << BigInt(width)) - 1n) {
    const operand = writer.sized(writer.operand(inst, 0), type);
    // Compilers take the complement of a comparison for a mistake.
    const isOfTest = operand.castOf?.type === tables.types.i1;
    if (isOfTest) return join(operand, '^', writer.sized(writer.operand(inst, 1), type), type);
    const isNarrowUnsigned = width < 32 && !tables.types.isSigned(type);
    return {
      ...basis(operand),
      text: `~${at(operand, Level.unary)}`,
      level: Level.unary,
      type: isNarrowUnsigned ? tables.types.i32 : type,
    };
  }
  const left = writer.exactOperand(inst, 0);
  const right = writer.exactOperand(inst, 1);
  // Clang takes `2 ^ 7` for a power that went wrong.
  if (opcode === Opcode.xor && left.bits !== undefined && right.bits !== undefined)
    return join(writer.cast(left, type), '^', right, type);
  if (left.isLiteral === true && right.isLiteral === true)
    return join(writer.sized(left, type), OPERATORS[opcode] as string, right, type);
  return join(left, OPERATORS[opcode] as string, right, type);
}

function shiftLeft(writer: ValueWriter, inst: Inst): Expression {
  const { view } = writer;
  const type = view.instructionType(inst);
  const wide = arithmeticType(writer, type);
  if (isShiftTooFar(view, inst)) return zero(writer, type);
  const left = writer.operand(inst, 0);
  const operand = left.type === wide && left.isLiteral !== true ? left : writer.cast(left, wide);
  return join(operand, '<<', writer.exactOperand(inst, 1), wide);
}

function shiftRight(writer: ValueWriter, inst: Inst, operandType: TypeId): Expression {
  const { types } = writer.tables;
  if (isShiftTooFar(writer.view, inst)) return zero(writer, writer.view.instructionType(inst));
  const left = writer.sized(writer.operand(inst, 0), operandType);
  const amount = writer.exactOperand(inst, 1);
  if (writer.dialect === 'c17' && types.isSigned(operandType))
    return portableShift(writer, left, amount, operandType);
  return join(left, '>>', amount, operandType);
}

/** C leaves the right shift of a negative number to the implementation; GCC and Clang document what they do. */
function portableShift(writer: ValueWriter, left: Expression, amount: Expression, type: TypeId): Expression {
  const name = writer.typeName(type);
  const helper = `vct_ashr_${writer.module.symbols.typeNames.mangled(type)}`;
  writer.unit.helpers.set(
    helper,
    `static inline ${name} ${helper}(${name} value, int amount)\n{\n    return (${name})(value < 0 ? ~(~value >> amount) : value >> amount);\n}`,
  );
  return { text: `${helper}(${left.text}, ${amount.text})`, level: Level.postfix, type };
}

function zero(writer: ValueWriter, type: TypeId): Expression {
  return {
    text: '0',
    level: Level.primary,
    type,
    isConstant: true,
    isNumber: true,
    isLiteral: writer.tables.types.width(type) >= 64,
  };
}

function divide(writer: ValueWriter, inst: Inst, type: TypeId): Expression {
  const { view } = writer;
  if (isDivisionByZero(view, inst)) return zero(writer, view.instructionType(inst));
  const left = writer.exact(writer.operand(inst, 0), type);
  const right = writer.exact(writer.operand(inst, 1), type);
  // Both literals: `-7 / 2` would be an int division of the same value, but INT64_MIN / -1 must not be folded as int.
  const dividend = left.isLiteral === true && right.isLiteral === true ? writer.sized(left, type) : left;
  return join(dividend, OPERATORS[view.opcode(inst)] as string, right, type);
}

/** i1 has two values: sum and difference are exclusive or, the product is and. What is decided is written as such. */
function booleanBinary(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const type = tables.types.i1;
  const written = writtenOperandCount(view, inst);
  if (written === 0) return { text: 'false', level: Level.primary, type };
  const left = writer.exactOperand(inst, 0);
  // Divided by one, shifted by nothing: all else is erroneous.
  if (written === 1) return left;
  const right = writer.exactOperand(inst, 1);
  const hasEffect = left.hasEffect === true || right.hasEffect === true;
  const make = (operator: string): Expression => ({ ...binary(left, operator, right), type, hasEffect });
  switch (view.opcode(inst)) {
    case Opcode.mul:
    case Opcode.and:
      if (left.text === 'true') return right;
      return right.text === 'true' ? left : make(hasEffect ? '&' : '&&');
    case Opcode.or:
      if (left.text === 'false') return right;
      return right.text === 'false' ? left : make(hasEffect ? '|' : '||');
    default:
      return right.text === 'true' ? not(left) : make('!=');
  }
}
