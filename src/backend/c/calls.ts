/** Calls: of functions of the module, of the C library through its own headers, and through pointers. */

import {
  type FunctionId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, Linkage, TypeKind } from '../../ir/schema.js';
import { stringLiteral } from './constants.js';
import { at, basis, type Expression, Level } from './expression.js';
import { constantBits } from './integers.js';
import { type LibraryFunction, libraryIntegerWidth } from './library.js';
import { Fate } from './plan.js';
import { formatArguments } from './printf-format.js';
import type { ValueWriter } from './value-writer.js';

/** The function that a call names, or NONE for a call through a pointer. */
export function directCallee(writer: ValueWriter, inst: Inst): FunctionId {
  const { view, tables } = writer;
  const value = view.operand(inst, 0);
  if (!isConstantOperand(value)) return NONE as FunctionId;
  const constant = operandConstant(value);
  if (tables.constants.kind(constant) !== ConstantKind.functionAddress) return NONE as FunctionId;
  const callee = tables.constants.addressee(constant) as FunctionId;
  return tables.functionType(callee) === view.aux(inst) ? callee : (NONE as FunctionId);
}

/** call, as an expression. */
export function callExpression(writer: ValueWriter, inst: Inst): Expression {
  const { view, module, tables } = writer;
  const signature = view.aux(inst) as TypeId;
  const type = tables.types.result(signature);
  const callee = directCallee(writer, inst);
  const library = callee === NONE ? undefined : module.symbols.library(callee);
  writer.unit.requireType(type);
  if (library !== undefined) return libraryCall(writer, inst, callee, library);
  const parts = argumentTexts(writer, inst, signature);
  if (callee !== NONE) {
    module.declarations.requireFunction(writer.unit, callee);
    return {
      text: `${module.symbols.functionName(callee)}(${parts.join(', ')})`,
      level: Level.postfix,
      type,
      hasEffect: true,
      isCall: true,
    };
  }
  const pointer = writer.pointer(view.operand(inst, 0));
  return {
    text: `${at(pointer, Level.postfix)}(${parts.join(', ')})`,
    level: Level.postfix,
    type,
    hasEffect: true,
    isCall: true,
  };
}

function argumentTexts(writer: ValueWriter, inst: Inst, signature: TypeId): string[] {
  const { view, tables } = writer;
  const fixed = tables.types.memberCount(signature);
  const texts: string[] = [];
  for (let index = 1; index < view.operandCount(inst); index++) {
    const type = view.valueType(view.operand(inst, index));
    const value = writer.operand(inst, index);
    texts.push((index <= fixed ? writer.assignable(value, type) : variadic(writer, value, type)).text);
  }
  return texts;
}

/** What stands in `...` must have its exact type, and a null pointer must be a pointer. */
function variadic(writer: ValueWriter, value: Expression, type: TypeId): Expression {
  if (value.isNull === true) return { ...basis(value), text: '(void *)NULL', level: Level.unary };
  return writer.sized(value, type);
}

function libraryCall(
  writer: ValueWriter,
  inst: Inst,
  callee: FunctionId,
  library: LibraryFunction,
): Expression {
  const { view, module, tables } = writer;
  const { types } = tables;
  module.declarations.requireFunction(writer.unit, callee);
  const type = types.result(view.aux(inst) as TypeId);
  const fixed = library.parameters.length;
  const texts: string[] = [];
  for (let index = 0; index < fixed; index++)
    texts.push(libraryArgument(writer, inst, index + 1, library.parameters[index] as string));
  texts.push(...variadicArguments(writer, inst, library));
  const name = tables.functionName(callee);
  const prototype = `(${library.result} (*)(${[...library.parameters, '...'].join(', ')}))`;
  const called = isOddFormat(writer, inst, library) ? `(${prototype}${name})` : name;
  const call: Expression = {
    text: `${called}(${texts.join(', ')})`,
    level: Level.postfix,
    type,
    hasEffect: true,
    isCall: true,
  };
  return libraryResult(writer, call, library.result, type);
}

/** Pointers of the library to `char` and `void` come back as pointers of ours. */
function libraryResult(writer: ValueWriter, call: Expression, result: string, type: TypeId): Expression {
  const { types } = writer.tables;
  if (types.isPointer(type)) {
    const wanted = writer.typeName(type);
    if (wanted === result) return call;
    return { ...call, text: `(${wanted})${call.text}`, level: Level.unary, isCall: false, castOf: call };
  }
  if (!types.isInteger(type)) return call;
  const isUnsigned = result === 'size_t' || result.startsWith('unsigned');
  return { ...call, type: types.integer(libraryIntegerWidth(result), !isUnsigned) };
}

/**
 * Compilers warn about a format that is no literal when nothing follows it, or when it is an array of another character type. By way
 * of another function type they are silent.
 */
function isOddFormat(writer: ValueWriter, inst: Inst, library: LibraryFunction): boolean {
  if (library.format < 0 || constantText(writer, inst, library.format + 1) !== undefined) return false;
  const isBare = writer.view.operandCount(inst) === library.parameters.length + 1;
  const format = writer.view.operand(inst, library.format + 1);
  const isVariable = !isConstantOperand(format) && writer.plan.fate[format] === Fate.variable;
  return isBare || !isVariable;
}

function libraryArgument(writer: ValueWriter, inst: Inst, index: number, wanted: string): string {
  const { view, tables } = writer;
  const type = view.valueType(view.operand(inst, index));
  if (!tables.types.isPointer(type)) return writer.assignable(writer.operand(inst, index), type).text;
  if (wanted === 'const char *') {
    const literal = constantText(writer, inst, index);
    if (literal !== undefined) return stringLiteral(literal);
  }
  const value = writer.operand(inst, index);
  const isVoid = wanted === 'void *' || wanted === 'const void *';
  const isObject = tables.types.kind(tables.types.pointee(type)) !== TypeKind.function;
  if (value.isNull === true) return value.text;
  const bare = value.castOf ?? value;
  const isConst =
    value.place?.isReadOnly === true || value.elements?.isReadOnly === true || value.isConstant === true;
  if (isVoid && isObject) return isConst && wanted === 'void *' ? value.text : bare.text;
  return `(${wanted})${at(bare, Level.unary)}`;
}

/**
 * The text without its final zero when the operand is the address of a constant string. The library only reads it, so a
 * literal of the same content does as well.
 */
function constantText(writer: ValueWriter, inst: Inst, index: number): Uint8Array | undefined {
  const { view, tables } = writer;
  const { constants } = tables;
  const value = firstByte(writer, view.operand(inst, index));
  if (!isConstantOperand(value)) return undefined;
  const address = operandConstant(value);
  if (constants.kind(address) !== ConstantKind.globalAddress) return undefined;
  const global = constants.addressee(address) as never;
  const content = tables.globalInitializer(global);
  // The content of a weak one may be that of another file.
  const isKnown = tables.isConstantGlobal(global) && tables.globalLinkage(global) !== Linkage.weak;
  if (!isKnown || content < 0 || constants.kind(content) !== ConstantKind.bytes) return undefined;
  const bytes = constants.byteContent(content);
  const end = bytes.indexOf(0);
  return end === bytes.length - 1 && end < 500 ? bytes.subarray(0, end) : undefined;
}

/** The value without casts and zero indices: the address that it is. */
function firstByte(writer: ValueWriter, value: Value): Value {
  const { view } = writer;
  let at = value;
  for (let steps = 0; !isConstantOperand(at) && steps < 4; steps++) {
    const inst = at as number as Inst;
    const opcode = view.opcode(inst);
    if (opcode !== Opcode.gep && opcode !== Opcode.bitcast) return value;
    for (let index = 1; opcode === Opcode.gep && index < view.operandCount(inst); index++)
      if (constantBits(writer, view.operand(inst, index)) !== 0n) return value;
    at = view.operand(inst, 0);
  }
  return at;
}

function variadicArguments(writer: ValueWriter, inst: Inst, library: LibraryFunction): string[] {
  const { view } = writer;
  const first = library.parameters.length + 1;
  const format = library.format < 0 ? undefined : constantText(writer, inst, library.format + 1);
  const wanted = format === undefined ? undefined : formatArguments(new TextDecoder().decode(format));
  const texts: string[] = [];
  for (let index = first; index < view.operandCount(inst); index++) {
    const type = view.valueType(view.operand(inst, index));
    const value = writer.operand(inst, index);
    const expected = wanted?.[index - first];
    texts.push(
      expected === undefined ? variadic(writer, value, type).text : formatted(writer, value, type, expected),
    );
  }
  return texts;
}

/** The argument in the C type that the format names: `int64_t` is a `long` here and a `long long` there. */
function formatted(writer: ValueWriter, value: Expression, type: TypeId, expected: string): string {
  const { types } = writer.tables;
  if (expected.endsWith('*') !== types.isPointer(type)) return variadic(writer, value, type).text;
  if ((expected === 'double') !== types.isFloat(type)) return variadic(writer, value, type).text;
  if (types.isFloat(type)) return value.text;
  const width = expected === 'int' || expected === 'unsigned' ? 32 : 64;
  const exact = writer.sized(value, type);
  if (types.isInteger(type) && types.width(type) === 32 && width === 32)
    return value.isLiteral === true ? value.text : exact.text;
  const exactValue = types.isInteger(type) ? writer.exact(value, type) : value;
  const isSame = types.isPointer(type) || (types.isInteger(type) && types.width(type) === width);
  const inner = isSame ? (exactValue.castOf ?? exactValue) : exactValue;
  return `(${expected})${at(inner, Level.unary)}`;
}
