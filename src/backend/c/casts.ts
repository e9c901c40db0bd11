/** Conversions between types (006 §3, casts). */

import { type Inst, isConstantOperand, operandInstruction, type TypeId } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { TypeKind } from '../../ir/schema.js';
import { at, basis, binary, type Expression, Level } from './expression.js';
import { signedType, unsignedType } from './integers.js';
import { Fate } from './plan.js';
import type { ValueWriter } from './value-writer.js';

/** A cast instruction. */
export function castExpression(writer: ValueWriter, inst: Inst): Expression {
  const { view, tables } = writer;
  const { types } = tables;
  const to = view.instructionType(inst);
  const from = view.valueType(view.operand(inst, 0));
  const operand = writer.operand(inst, 0);
  switch (view.opcode(inst)) {
    case Opcode.trunc:
      if (types.width(to) === 1) return lowBit(writer, operand, to);
      return writer.cast(operand, to);
    case Opcode.zext:
      if (types.width(from) === 1) return promoted(writer, operand, to);
      return promoted(writer, writer.exact(operand, unsignedType(writer, from)), to);
    case Opcode.sext:
      if (types.width(from) === 1) return spread(writer, operand, to);
      return promoted(writer, writer.exact(operand, signedType(writer, from)), to);
    case Opcode.fptrunc:
    case Opcode.fpext:
      return writer.cast(operand, to);
    case Opcode.fptosi:
    case Opcode.fptoui:
      return fromFloat(writer, operand, to, view.opcode(inst) === Opcode.fptosi);
    case Opcode.sitofp:
      // Negated as an integer: as a float, false would become -0.
      if (types.width(from) === 1) return writer.cast(spread(writer, operand, types.i32), to);
      return writer.cast(writer.exact(operand, signedType(writer, from)), to);
    case Opcode.uitofp:
      return writer.cast(
        writer.exact(operand, types.width(from) === 1 ? from : unsignedType(writer, from)),
        to,
      );
    case Opcode.ptrtoint:
      return addressAsInteger(writer, operand, to);
    case Opcode.inttoptr:
      return toPointer(
        writer,
        writer.exact(operand, types.width(from) === 1 ? from : unsignedType(writer, from)),
        to,
      );
    default:
      return bitcast(writer, inst, operand, from, to);
  }
}

/** All bits of an integer as the boolean. Negated before it is narrowed: C's minus of a narrow unsigned number is a negative int. */
function spread(writer: ValueWriter, operand: Expression, to: TypeId): Expression {
  const { types } = writer.tables;
  const negative = (text: string, type: TypeId): Expression => ({
    ...basis(operand),
    text: `-${text}`,
    level: Level.unary,
    type,
  });
  const plain = at(operand, Level.unary);
  if (types.width(to) >= 32 && to !== types.i32) return negative(`(${writer.typeName(to)})${plain}`, to);
  const number = negative(plain.startsWith('-') ? `(${plain})` : plain, types.i32);
  return to === types.i32 ? number : writer.cast(number, to);
}

/** C makes an int of everything narrower by itself, wherever it is used as a value. */
function promoted(writer: ValueWriter, operand: Expression, to: TypeId): Expression {
  const { types } = writer.tables;
  if (to !== types.i32 || types.width(operand.type) > 16 || operand.isConstant === true)
    return writer.cast(operand, to);
  return { ...basis(operand), text: operand.text, level: operand.level, type: to };
}

function lowBit(writer: ValueWriter, operand: Expression, to: TypeId): Expression {
  const { types } = writer.tables;
  const one: Expression = { text: '1', level: Level.primary, type: operand.type };
  const bit = types.width(operand.type) === 1 ? operand : { ...basis(operand), ...binary(operand, '&', one) };
  return { ...basis(operand), ...binary(bit, '!=', { text: '0', level: Level.primary }), type: to };
}

/** The range of an i1 is -1 to 0 when signed; `(bool)x` would take 0.5 for true. */
function fromFloat(writer: ValueWriter, operand: Expression, to: TypeId, signed: boolean): Expression {
  const { types } = writer.tables;
  if (types.width(to) === 1) {
    const whole = writer.cast(operand, types.i32);
    return { ...basis(operand), ...binary(whole, '!=', { text: '0', level: Level.primary }), type: to };
  }
  return writer.cast(operand, signed ? signedType(writer, to) : unsignedType(writer, to));
}

function addressAsInteger(writer: ValueWriter, operand: Expression, to: TypeId): Expression {
  const { types } = writer.tables;
  const address: Expression = {
    ...basis(operand),
    text: `(uintptr_t)${at(operand, Level.unary)}`,
    level: Level.unary,
    type: types.u64,
  };
  if (types.width(to) === 1) return lowBit(writer, address, to);
  return writer.cast(plain(address), to);
}

function toPointer(writer: ValueWriter, operand: Expression, to: TypeId): Expression {
  return {
    text: `(${writer.typeName(to)})(uintptr_t)${at(operand, Level.unary)}`,
    level: Level.unary,
    type: to,
    ...(operand.hasEffect === true && { hasEffect: true }),
  };
}

/** Without what only holds for an address. */
function plain(expression: Expression): Expression {
  const { place: _place, elements: _elements, ...rest } = expression;
  return rest;
}

function bitcast(writer: ValueWriter, inst: Inst, operand: Expression, from: TypeId, to: TypeId): Expression {
  const { types } = writer.tables;
  if (from === to) return operand;
  if (types.isPointer(from)) return pointerCast(writer, inst, operand, from, to);
  if (types.isInteger(from) && types.isInteger(to)) return writer.cast(operand, to);
  const { typeNames } = writer.module.symbols;
  const fromName = writer.typeName(from);
  const toName = writer.typeName(to);
  const helper = `vct_bits_${typeNames.mangled(from)}_to_${typeNames.mangled(to)}`;
  writer.unit.headers.add('string.h');
  writer.unit.helpers.set(
    helper,
    `static inline ${toName} ${helper}(${fromName} value)\n{\n    ${toName} result;\n    memcpy(&result, &value, sizeof result);\n    return result;\n}`,
  );
  return {
    text: `${helper}(${writer.assignable(operand, from).text})`,
    level: Level.postfix,
    type: to,
    ...(operand.hasEffect === true && { hasEffect: true }),
  };
}

/** Compilers warn about casts between function types, and ISO C knows none between those and objects. */
function pointerCast(
  writer: ValueWriter,
  inst: Inst,
  operand: Expression,
  from: TypeId,
  to: TypeId,
): Expression {
  const { types } = writer.tables;
  const isFunction = (type: TypeId) => types.kind(types.pointee(type)) === TypeKind.function;
  if (isFunction(from) && isFunction(to))
    return plain({
      ...basis(operand),
      text: `(${writer.typeName(to)})(void (*)(void))${at(operand, Level.unary)}`,
      level: Level.unary,
      type: to,
    });
  if (isFunction(from) !== isFunction(to)) return toPointer(writer, operand, to);
  return { ...plain(writer.cast(operand, to)), ...backCast(writer, inst, to) };
}

/** A cast of a cast back to the first type is the first pointer again, with the place that it names. */
function backCast(writer: ValueWriter, inst: Inst, to: TypeId): Partial<Expression> {
  const { view } = writer;
  const value = view.operand(inst, 0);
  if (isConstantOperand(value)) return {};
  const inner = operandInstruction(value);
  if (view.opcode(inner) !== Opcode.bitcast || writer.plan.fate[inner] === Fate.variable) return {};
  const source = view.operand(inner, 0);
  return view.valueType(source) === to ? writer.value(source) : {};
}
