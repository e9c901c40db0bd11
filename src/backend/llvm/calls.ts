/** Calls: of functions, through pointers, and of the intrinsics that compute (009 Table 4). */

import { fail } from '../../diag/diagnostic.js';
import {
  type Block,
  type FunctionId,
  type Inst,
  isConstantOperand,
  operandConstant,
  type TypeId,
  type Value,
} from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import type { FunctionWriter } from './function-writer.js';
import { callAttributes, rangeMetadata, resultAttributes, tailRequest } from './traits.js';

/** Writes a call. `block` is where it stands. */
export function writeCall(writer: FunctionWriter, inst: Inst, block: Block): void {
  const { code, state, tables } = writer;
  const signature = code.aux(inst) as TypeId;
  const result = tables.types.result(signature);
  const traits = code.instructionTraits(inst);
  const returned = `${state.extension(result)}${resultAttributes(state, result, traits)}`;
  const type = tables.types.isVarargs(signature) ? writer.typeText(signature) : writer.typeText(result);
  const operands: string[] = [];
  for (let index = 1; index < code.operandCount(inst); index++)
    operands.push(argument(writer, code.operand(inst, index)));
  const text =
    `${tailWord(writer, inst, block)}call ${returned}${type} ${writer.operand(inst, 0)}(${operands.join(', ')})` +
    `${callAttributes(state, traits)}${rangeMetadata(state, result, traits)}`;
  if (tables.types.kind(result) === TypeKind.void) writer.write(text);
  else writer.define(inst, text);
}

function argument(writer: FunctionWriter, value: Value): string {
  const type = writer.code.valueType(value);
  return `${writer.typeText(type)} ${writer.state.extension(type)}${writer.text(value)}`;
}

/**
 * `tail` is a promise that the callee sees no object of the caller, so it is written only where there is none. `musttail`
 * must be followed by its return, and both functions must have one type: a strong request that cannot be kept is an error.
 */
function tailWord(writer: FunctionWriter, inst: Inst, block: Block): string {
  const request = tailRequest(writer.state, writer.code.instructionTraits(inst));
  if (request === undefined) return '';
  if (request.word === 'notail') return 'notail ';
  if (request.word === 'musttail') {
    const obstacle = tailObstacle(writer, inst, block);
    if (obstacle === undefined) return 'musttail ';
    if (request.isStrong) {
      fail(
        'VCT0803',
        { callee: calleeName(writer, inst), reason: obstacle },
        writer.code.module.positionOf(writer.code.id, inst),
      );
    }
  }
  return writer.hasObjects ? '' : 'tail ';
}

function tailObstacle(writer: FunctionWriter, inst: Inst, block: Block): string | undefined {
  const { code } = writer;
  const next = (inst + 1) as Inst;
  if (next >= code.blockEnd(block) || code.opcode(next) !== Opcode.ret) return 'no return follows it';
  if (code.operandCount(next) === 1 && code.operand(next, 0) !== (inst as number as Value))
    return 'the return gives another value';
  return code.aux(inst) === code.type ? undefined : 'caller and callee have different types';
}

function calleeName(writer: FunctionWriter, inst: Inst): string {
  const callee = writer.code.operand(inst, 0);
  const { constants } = writer.tables;
  if (!isConstantOperand(callee) || constants.kind(operandConstant(callee)) !== ConstantKind.functionAddress)
    return 'a function pointer';
  return `@${writer.tables.functionName(constants.addressee(operandConstant(callee)) as FunctionId)}`;
}

/** Writes an instruction that is a call of an intrinsic of its operands' type. */
export function writeIntrinsic(writer: FunctionWriter, inst: Inst): void {
  const { code } = writer;
  const operandType = code.valueType(code.operand(inst, 0));
  const text = writer.typeText(operandType);
  const result = writer.typeText(code.instructionType(inst));
  const suffix = writer.tables.types.text(operandType).replace('u', 'i');
  const count = code.operandCount(inst);
  const symbol = writer.state.intrinsic(
    opcodeRow(code.opcode(inst)).llvm.replace('$', suffix),
    result,
    Array.from({ length: count }, () => text),
  );
  const operands = Array.from({ length: count }, (_, index) => writer.typedOperand(inst, index)).join(', ');
  writer.define(inst, `call ${result} ${symbol}(${operands})`);
}

/** Writes an assume. */
export function writeAssume(writer: FunctionWriter, inst: Inst): void {
  const symbol = writer.state.intrinsic('llvm.assume', 'void', ['i1 noundef']);
  writer.write(`call void ${symbol}(${writer.typedOperand(inst, 0)})`);
}
