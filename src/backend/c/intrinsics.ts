/** The integer intrinsics of 009 Table 4: builtins where GCC and Clang have them, else small helper functions (008/R22, R23). */

import type { Inst, TypeId } from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { type Expression, Level } from './expression.js';
import { signedType, unsignedType } from './integers.js';
import type { ValueWriter } from './value-writer.js';

/** ctpop, fshl and the saturating operations. */
export function intrinsicExpression(writer: ValueWriter, inst: Inst): Expression {
  const opcode = writer.view.opcode(inst);
  if (opcode === Opcode.ctpop) return countOnes(writer, inst);
  if (opcode === Opcode.fshl) return funnelShift(writer, inst);
  return saturating(writer, inst);
}

function mangled(writer: ValueWriter, type: TypeId): string {
  return writer.module.symbols.typeNames.mangled(type);
}

/** A call of a helper whose parameters all have the type. */
function helperCall(writer: ValueWriter, inst: Inst, helper: string, type: TypeId): Expression {
  const texts: string[] = [];
  let hasEffect = false;
  for (let index = 0; index < writer.view.operandCount(inst); index++) {
    const operand = writer.assignable(writer.operand(inst, index), type);
    hasEffect ||= operand.hasEffect === true;
    texts.push(operand.text);
  }
  return {
    text: `${helper}(${texts.join(', ')})`,
    level: Level.postfix,
    type,
    ...(hasEffect && { hasEffect }),
  };
}

function countOnes(writer: ValueWriter, inst: Inst): Expression {
  const type = writer.view.instructionType(inst);
  const width = writer.tables.types.width(type);
  const unsigned = unsignedType(writer, type);
  const name = writer.typeName(unsigned);
  if (width === 1) return writer.operand(inst, 0);
  if (width <= 64 && writer.dialect !== 'c17') {
    const operand = writer.exact(writer.operand(inst, 0), unsigned);
    return {
      text: `__builtin_popcount${width === 64 ? 'll' : ''}(${operand.text})`,
      level: Level.postfix,
      type: writer.tables.types.i32,
      isConstant: operand.isConstant,
      hasEffect: operand.hasEffect,
    };
  }
  const helper = `vct_ctpop_${mangled(writer, unsigned)}`;
  writer.unit.helpers.set(
    helper,
    width === 128
      ? `static inline int ${helper}(${name} value)\n{\n    return __builtin_popcountll((uint64_t)value) + __builtin_popcountll((uint64_t)(value >> 64));\n}`
      : `static inline int ${helper}(${name} value)\n{\n    int count = 0;\n    for (; value != 0; value = (${name})(value & (value - 1)))\n        count++;\n    return count;\n}`,
  );
  return { ...helperCall(writer, inst, helper, unsigned), type: writer.tables.types.i32 };
}

function funnelShift(writer: ValueWriter, inst: Inst): Expression {
  const type = writer.view.instructionType(inst);
  const width = writer.tables.types.width(type);
  if (width === 1) {
    const helper = 'vct_fshl_i1';
    writer.unit.helpers.set(
      helper,
      `static inline bool ${helper}(bool high, bool low, bool amount)\n{\n    (void)low;\n    (void)amount;\n    return high;\n}`,
    );
    return helperCall(writer, inst, helper, type);
  }
  const unsigned = unsignedType(writer, type);
  const name = writer.typeName(unsigned);
  const helper = `vct_fshl_${mangled(writer, unsigned)}`;
  writer.unit.helpers.set(
    helper,
    `static inline ${name} ${helper}(${name} high, ${name} low, ${name} amount)
{
    amount %= ${width};
    return amount == 0 ? high : (${name})(high << amount | low >> (${width} - amount));
}`,
  );
  return helperCall(writer, inst, helper, unsigned);
}

/** Where the builtins that report overflow do not exist, the sum is compared with its operands. */
function saturating(writer: ValueWriter, inst: Inst): Expression {
  const type = writer.view.instructionType(inst);
  const opcode = writer.view.opcode(inst);
  const { name: operation } = opcodeRow(opcode);
  const signed = opcode === Opcode.sadd_sat || opcode === Opcode.ssub_sat;
  const kind = signed ? signedType(writer, type) : unsignedType(writer, type);
  if (writer.tables.types.width(type) === 1) return saturatingBit(writer, inst);
  const helper = `vct_${operation}_${mangled(writer, kind)}`;
  const builtin = operation.slice(1, 4);
  writer.unit.helpers.set(
    helper,
    signed
      ? signedSaturating(writer, helper, builtin, kind)
      : unsignedSaturating(writer, helper, builtin, kind),
  );
  return helperCall(writer, inst, helper, kind);
}

/** i1: unsigned, true + true stays true; signed, -1 + -1 stays -1; a difference is true only for true - false. */
function saturatingBit(writer: ValueWriter, inst: Inst): Expression {
  const opcode = writer.view.opcode(inst);
  const isSum = opcode === Opcode.sadd_sat || opcode === Opcode.uadd_sat;
  const helper = isSum ? 'vct_add_sat_i1' : 'vct_sub_sat_i1';
  writer.unit.helpers.set(
    helper,
    `static inline bool ${helper}(bool left, bool right)\n{\n    return left ${isSum ? '|| right' : '&& !right'};\n}`,
  );
  return helperCall(writer, inst, helper, writer.view.instructionType(inst));
}

function signedSaturating(writer: ValueWriter, helper: string, operation: string, type: TypeId): string {
  const name = writer.typeName(type);
  const width = writer.tables.types.width(type);
  const unsigned = writer.typeName(unsignedType(writer, type));
  const maximum = width === 128 ? `(${name})(((${unsigned})1 << 127) - 1)` : `INT${width}_MAX`;
  const minimum = width === 128 ? `(-${maximum} - 1)` : `INT${width}_MIN`;
  const head = `static inline ${name} ${helper}(${name} left, ${name} right)\n{\n`;
  const isLow = operation === 'add' ? 'right < 0' : 'right > 0';
  if (writer.dialect !== 'c17')
    return `${head}    ${name} result;\n    if (__builtin_${operation}_overflow(left, right, &result))\n        return ${isLow} ? ${minimum} : ${maximum};\n    return result;\n}`;
  const sign = operation === 'add' ? '+' : '-';
  const low = operation === 'add' ? `left < ${minimum} - right` : `left < ${minimum} + right`;
  const high = operation === 'add' ? `left > ${maximum} - right` : `left > ${maximum} + right`;
  return `${head}    if (${isLow} && ${low})\n        return ${minimum};\n    if (${operation === 'add' ? 'right > 0' : 'right < 0'} && ${high})\n        return ${maximum};\n    return (${name})(left ${sign} right);\n}`;
}

function unsignedSaturating(writer: ValueWriter, helper: string, operation: string, type: TypeId): string {
  const name = writer.typeName(type);
  const head = `static inline ${name} ${helper}(${name} left, ${name} right)\n{\n`;
  if (operation === 'sub') return `${head}    return left > right ? (${name})(left - right) : 0;\n}`;
  return `${head}    ${name} sum = (${name})(left + right);\n    return sum < left ? (${name})-1 : sum;\n}`;
}

/** sadd_overflow and its kin into the variable that holds the result, as one statement without its semicolon. */
export function overflowAssignment(
  writer: ValueWriter,
  inst: Inst,
  result: string,
): { readonly text: string; readonly hasEffect: boolean } {
  const { view, tables } = writer;
  const { name: operation } = opcodeRow(view.opcode(inst));
  const type = view.valueType(view.operand(inst, 0));
  const isSigned = operation.startsWith('s');
  const kind = isSigned ? signedType(writer, type) : unsignedType(writer, type);
  const [value, flag] = writer.unit.definitions.memberNames(view.instructionType(inst)) as readonly [
    string,
    string,
  ];
  const left = writer.sized(writer.operand(inst, 0), kind);
  const right = writer.sized(writer.operand(inst, 1), kind);
  const hasEffect = left.hasEffect === true || right.hasEffect === true;
  const place = kind === type ? `&${result}.${value}` : `(${writer.typeName(kind)} *)&${result}.${value}`;
  const short = operation.slice(1, 4);
  if (tables.types.width(type) === 1) {
    const helper = overflowOfBits(writer, inst, short, isSigned);
    return { text: `${result} = ${helper}(${left.text}, ${right.text})`, hasEffect };
  }
  const helper =
    writer.dialect === 'c17'
      ? portableOverflow(writer, operation, short, kind)
      : `__builtin_${short}_overflow`;
  return { text: `${result}.${flag} = ${helper}(${left.text}, ${right.text}, ${place})`, hasEffect };
}

/** Of two bits, signed: -1 + -1 and 0 - -1 and -1 * -1 overflow. */
function overflowOfBits(writer: ValueWriter, inst: Inst, operation: string, isSigned: boolean): string {
  const { view } = writer;
  const pair = writer.typeName(view.instructionType(inst));
  const [value, flag] = writer.unit.definitions.memberNames(view.instructionType(inst)) as readonly [
    string,
    string,
  ];
  const helper = `vct_${isSigned ? 's' : 'u'}${operation}_overflow_i1`;
  const wrapped = operation === 'mul' ? 'left && right' : 'left != right';
  const both = operation === 'sub' ? '!left && right' : 'left && right';
  const overflows = operation === 'mul' && !isSigned ? 'false' : both;
  writer.unit.helpers.set(
    helper,
    `static inline ${pair} ${helper}(bool left, bool right)\n{\n    ${pair} result;\n    result.${value} = ${wrapped};\n    result.${flag} = ${overflows};\n    return result;\n}`,
  );
  return helper;
}

function portableOverflow(writer: ValueWriter, operation: string, short: string, type: TypeId): string {
  const { types } = writer.tables;
  const name = writer.typeName(type);
  const width = types.width(type);
  const unsigned = writer.typeName(unsignedType(writer, type));
  const helper = `vct_${operation}_${mangled(writer, type)}`;
  const sign = { add: '+', sub: '-', mul: '*' }[short] as string;
  const wide = width < 32 ? 'uint32_t' : unsigned;
  const wrapped = `(${name})((${wide})left ${sign} (${wide})right)`;
  writer.unit.helpers.set(
    helper,
    `static inline bool ${helper}(${name} left, ${name} right, ${name} *result)\n{\n    *result = ${wrapped};\n    return ${overflowTest(short, types.isSigned(type), width)};\n}`,
  );
  return helper;
}

/** Whether the operation overflows, without any overflow. */
function overflowTest(short: string, isSigned: boolean, width: number): string {
  const maximum = `${isSigned ? '' : 'U'}INT${width}_MAX`;
  const minimum = `INT${width}_MIN`;
  if (!isSigned) {
    if (short === 'add') return `left > ${maximum} - right`;
    return short === 'sub' ? 'left < right' : `right != 0 && left > ${maximum} / right`;
  }
  if (short === 'add') return `right > 0 ? left > ${maximum} - right : left < ${minimum} - right`;
  if (short === 'sub') return `right < 0 ? left > ${maximum} + right : left < ${minimum} + right`;
  return `left > 0 ? (right > 0 ? left > ${maximum} / right : right < ${minimum} / left)
        : (right > 0 ? left < ${minimum} / right : left != 0 && right < ${maximum} / left)`;
}
