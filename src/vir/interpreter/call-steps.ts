/** Calls. Of a function that has a body: an exit of the segment. Of an external: a step like any other. */

import {
  type FunctionId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type TypeId,
} from '../../ir/entities.js';
import { ConstantKind } from '../../ir/schema.js';
import type { FunctionDecoder } from './decode.js';
import { addressText, Life, type Pointer } from './memory.js';
import type { ExternalCaller, Program } from './program.js';
import type { DecodedFunction, Exit, Segment } from './segments.js';
import type { Registers, Step } from './step.js';
import { trap, trapUndef } from './trap.js';
import type { Slot } from './values.js';

/** The step of a call that is known to be of an external; undefined for every other call. */
export function callStep(decoder: FunctionDecoder, inst: Inst): Step | undefined {
  const { program } = decoder;
  const callee = knownCallee(decoder, inst);
  if (callee === NONE || program.hasBody(callee) || !hasOwnType(decoder, inst, callee)) return undefined;
  const { operands, result } = decoder.places(inst, 1);
  const types = operands.map((_, index) => decoder.operandType(inst, index + 1));
  const resultType = decoder.code.instructionType(inst);
  let external: ExternalCaller | undefined;
  return (registers) => {
    external ??= program.external(callee);
    const value = external(
      operands.map((register) => registers[register]),
      types,
      resultType,
    );
    if (result >= 0) registers[result] = value;
  };
}

/** The exit of any other call; `resume` is the segment after it. */
export function callExit(decoder: FunctionDecoder, inst: Inst, resume: Segment, isTail: boolean): Exit {
  const { program } = decoder;
  const callee = knownCallee(decoder, inst);
  if (callee !== NONE && hasOwnType(decoder, inst, callee))
    return directExit(decoder, inst, callee, resume, isTail);
  return indirectExit(program, decoder, inst, resume, isTail);
}

/** The function that a call names, or NONE. */
function knownCallee(decoder: FunctionDecoder, inst: Inst): FunctionId {
  const { constants } = decoder.program.tables;
  const operand = decoder.code.operand(inst, 0);
  if (!isConstantOperand(operand)) return NONE as FunctionId;
  const constant = operandConstant(operand);
  if (constants.kind(constant) !== ConstantKind.functionAddress) return NONE as FunctionId;
  return constants.addressee(constant) as FunctionId;
}

function hasOwnType(decoder: FunctionDecoder, inst: Inst, callee: FunctionId): boolean {
  return decoder.program.tables.functionType(callee) === decoder.code.aux(inst);
}

function directExit(
  decoder: FunctionDecoder,
  inst: Inst,
  callee: FunctionId,
  resume: Segment,
  isTail: boolean,
): Exit {
  const { program } = decoder;
  const { machine } = program;
  const { operands, result } = decoder.places(inst, 1);
  const parameterCount = program.tables.types.memberCount(program.tables.functionType(callee));
  let decoded: DecodedFunction | undefined;
  return (registers) => {
    decoded ??= program.decoded(callee);
    const fresh = decoded.template.slice();
    for (let index = 0; index < parameterCount; index++)
      fresh[index + 1] = registers[operands[index] as number];
    return isTail ? machine.enterTail(decoded, fresh) : machine.enter(decoded, fresh, resume, result, inst);
  };
}

function indirectExit(
  program: Program,
  decoder: FunctionDecoder,
  inst: Inst,
  resume: Segment,
  isTail: boolean,
): Exit {
  const { machine, tables } = program;
  const address = decoder.register(decoder.code.operand(inst, 0));
  const type = decoder.code.aux(inst) as TypeId;
  const resultType = decoder.code.instructionType(inst);
  const { operands, result } = decoder.places(inst, 1);
  const types = operands.map((_, index) => decoder.operandType(inst, index + 1));
  const parameterCount = tables.types.memberCount(type);
  return (registers: Registers) => {
    const callee = calledFunction(program, registers[address], type);
    if (!program.hasBody(callee)) {
      const values = operands.map((register) => registers[register]);
      const value = program.external(callee)(values, types, resultType);
      if (result >= 0) registers[result] = value;
      return resume;
    }
    const decoded = program.decoded(callee);
    const fresh = decoded.template.slice();
    for (let index = 0; index < parameterCount; index++)
      fresh[index + 1] = registers[operands[index] as number];
    return isTail ? machine.enterTail(decoded, fresh) : machine.enter(decoded, fresh, resume, result, inst);
  };
}

/** The function behind a pointer, which must have the type that the call says. */
function calledFunction(program: Program, value: Slot, type: TypeId): FunctionId {
  if (value === undefined) trapUndef('the callee of a call');
  const { object, offset } = value as Pointer;
  if (object.life === Life.nowhere && object.base === 0) trap('VCT0604', { access: 'call' });
  if (object.life === Life.nowhere)
    trap('VCT0612', { access: 'call', address: addressText(value as Pointer) });
  if (object.function === undefined || offset !== 0) trap('VCT0619', { object: object.label });
  const { tables } = program;
  const found = tables.functionType(object.function);
  if (found !== type)
    trap('VCT0620', {
      name: tables.functionName(object.function),
      found: tables.types.text(found),
      expected: tables.types.text(type),
    });
  return object.function;
}
