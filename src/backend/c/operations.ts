/** Instructions as C expressions: which file writes which opcode. */

import { type Inst, isConstantOperand } from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { TypeKind } from '../../ir/schema.js';
import { atomicUpdate } from './atomics.js';
import { callExpression } from './calls.js';
import { castExpression } from './casts.js';
import { floatCompare, integerCompare } from './comparisons.js';
import { at, type Expression, Level } from './expression.js';
import { floatBinary, floatUnary } from './floats.js';
import { constantBits, integerBinary } from './integers.js';
import { intrinsicExpression } from './intrinsics.js';
import { elementAddress, loadExpression, memberValue } from './memory.js';
import type { ValueWriter } from './value-writer.js';

/** The result of an instruction, computed where it stands. Requires an instruction whose C form is one expression. */
export function operationExpression(writer: ValueWriter, inst: Inst): Expression {
  const opcode = writer.view.opcode(inst);
  switch (opcodeRow(opcode).class) {
    case 'integerBinary':
      return opcode >= Opcode.sadd_sat && opcode <= Opcode.usub_sat
        ? intrinsicExpression(writer, inst)
        : integerBinary(writer, inst);
    case 'integerUnary':
    case 'integerTernary':
      return intrinsicExpression(writer, inst);
    case 'floatBinary':
      return floatBinary(writer, inst);
    case 'floatUnary':
      return floatUnary(writer, inst);
    case 'integerCompare':
      return integerCompare(writer, inst, false);
    case 'floatCompare':
      return floatCompare(writer, inst, false);
    case 'cast':
      return castExpression(writer, inst);
    case 'select':
      return selectExpression(writer, inst);
    case 'load':
      return loadExpression(writer, inst);
    case 'address':
      return elementAddress(writer, inst);
    case 'extract':
      return memberValue(writer, inst);
    case 'insert':
      return compoundLiteral(writer, inst);
    case 'call':
      return callExpression(writer, inst);
    case 'atomicUpdate':
      return atomicUpdate(writer, inst);
    default:
      throw new RangeError(`${opcodeRow(opcode).name} is no expression`);
  }
}

/** Whether the result is a comparison, which is written as well the other way round. */
export function isComparison(opcode: number): boolean {
  return opcode === Opcode.icmp || opcode === Opcode.fcmp;
}

/** A comparison as C tests it, or its negation. */
export function conditionExpression(writer: ValueWriter, inst: Inst, negated: boolean): Expression {
  return writer.view.opcode(inst) === Opcode.icmp
    ? integerCompare(writer, inst, negated)
    : floatCompare(writer, inst, negated);
}

function selectExpression(writer: ValueWriter, inst: Inst): Expression {
  const type = writer.view.instructionType(inst);
  const condition = writer.operand(inst, 0);
  const first = writer.sized(writer.operand(inst, 1), type);
  const second = writer.sized(writer.operand(inst, 2), type);
  return {
    text: `${at(condition, Level.logicalOr)} ? ${at(first, Level.logicalOr)} : ${at(second, Level.logicalOr)}`,
    level: Level.conditional,
    type,
    isConstant: condition.isConstant === true && first.isConstant === true && second.isConstant === true,
    hasEffect: condition.hasEffect === true || first.hasEffect === true || second.hasEffect === true,
  };
}

/** A chain of insertvalues from zeros as `(Vector){x, y, z}`. Requires a chain that the plan marked. */
function compoundLiteral(writer: ValueWriter, last: Inst): Expression {
  const { view, tables } = writer;
  const { types } = tables;
  const type = view.instructionType(last);
  const isArray = types.kind(type) === TypeKind.array;
  const values = new Map<number, string>();
  let hasEffect = false;
  for (
    let at = view.operand(last, 0), inst = last;
    ;
    inst = at as number as Inst, at = view.operand(inst, 0)
  ) {
    const member = Number(constantBits(writer, view.operand(inst, 2)) ?? 0n);
    const memberType = isArray ? types.element(type) : types.memberType(type, member);
    const value = writer.assignable(writer.operand(inst, 1), memberType);
    hasEffect ||= value.hasEffect === true;
    values.set(member, value.text);
    if (isConstantOperand(at)) break;
  }
  const names = isArray ? [] : writer.unit.definitions.memberNames(type);
  const count = isArray ? types.count(type) : types.memberCount(type);
  // Padding members stand between those of a pinned layout.
  const isWhole = values.size === count && !types.isPinned(type);
  const texts = [...values].sort(([left], [right]) => left - right);
  const parts = texts.map(([member, text]) => {
    if (isWhole) return text;
    return isArray ? `[${member}] = ${text}` : `.${names[member]} = ${text}`;
  });
  const list = `{${parts.join(', ')}}`;
  const text = `(${writer.typeName(type)})${isArray ? `{${list}}` : list}`;
  return { text, level: Level.postfix, type, ...(hasEffect && { hasEffect }) };
}
