/** The step of each instruction that neither calls nor ends a block. */

import { type Inst, isConstantOperand, operandConstant, type TypeId } from '../../ir/entities.js';
import { Opcode, opcodeRow } from '../../ir/opcodes.js';
import { Aux, ConstantKind, TypeKind } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import { atomicUpdateStep, compareExchangeStep } from './atomic-steps.js';
import { castStep } from './cast-steps.js';
import { integerCompareStep } from './compare-steps.js';
import type { FunctionDecoder } from './decode.js';
import { floatBinaryStep, floatCompareStep, floatUnaryStep } from './float-steps.js';
import { funnelShiftStep, integerBinaryStep, overflowStep, populationCountStep } from './integer-steps.js';
import {
  type AccessShape,
  addressStep,
  allocaStep,
  copyStep,
  extractStep,
  fillStep,
  insertStep,
  loadStep,
  type ScaledIndex,
  storeStep,
} from './memory-steps.js';
import type { Step } from './step.js';
import { trap, trapUndef } from './trap.js';

/** The step of an instruction, or undefined when there is nothing to do at run time. */
export function decodeStep(decoder: FunctionDecoder, inst: Inst): Step | undefined {
  const { code, program } = decoder;
  const { types } = program.tables;
  const opcode = code.opcode(inst);
  const row = opcodeRow(opcode);
  switch (row.class) {
    case 'alloca':
      return decodeAlloca(decoder, inst);
    case 'load':
    case 'store':
    case 'compareExchange':
    case 'atomicUpdate':
      return decodeAccess(decoder, inst);
    case 'address':
      return decodeAddress(decoder, inst);
    case 'extract':
    case 'insert':
      return decodeMember(decoder, inst);
    case 'memoryCopy':
      return copyStep(opcode === Opcode.memmove, decoder.places(inst), alignmentTrait(decoder, inst) ?? 1);
    case 'memorySet':
      return fillStep(decoder.places(inst), alignmentTrait(decoder, inst) ?? 1);
    case 'fence':
      return undefined;
    default:
      break;
  }
  const places = decoder.places(inst);
  const type = decoder.operandType(inst, 0);
  const width = types.isPointer(type) ? 0 : types.width(type);
  switch (row.class) {
    case 'integerBinary':
      return integerBinaryStep(opcode, width, types.text(type), places);
    case 'integerUnary':
      return populationCountStep(width, places);
    case 'integerTernary':
      return funnelShiftStep(width, places);
    case 'integerOverflow':
      return overflowStep(opcode, width, places, pairLayout(decoder, code.instructionType(inst), type));
    case 'floatBinary':
      return floatBinaryStep(opcode, width, places);
    case 'floatUnary':
      return floatUnaryStep(opcode, width, places);
    case 'integerCompare':
      return integerCompareStep(code.aux(inst), width, places);
    case 'floatCompare':
      return floatCompareStep(code.aux(inst), places);
    case 'cast':
      return castStep(opcode, type, code.instructionType(inst), types, program.memory, places);
    case 'select':
      return selectStep(places.result, places.operands);
    case 'assume':
      return assumeStep(places.operands[0] as number);
    default:
      return () => trap('VCT0646', { instruction: inst, name: code.name, detail: `${row.name} in a block` });
  }
}

/** An undef condition gives undef: no branch depends on it yet. */
function selectStep(result: number, operands: readonly number[]): Step {
  const [condition, then, otherwise] = operands as [number, number, number];
  return (registers) => {
    const value = registers[condition];
    if (value === undefined) registers[result] = undefined;
    else registers[result] = value === 0 ? registers[otherwise] : registers[then];
  };
}

/** The step of assume. */
function assumeStep(condition: number): Step {
  return (registers) => {
    const value = registers[condition];
    if (value === undefined) trapUndef('an assumption');
    if (value === 0) trap('VCT0617');
  };
}

function alignmentTrait(decoder: FunctionDecoder, inst: Inst): number | undefined {
  const traits = decoder.code.instructionTraits(inst);
  return decoder.program.tables.traitSets.find(traits, Trait.Align)?.a;
}

function decodeAlloca(decoder: FunctionDecoder, inst: Inst): Step {
  const { code, program } = decoder;
  const type = code.aux(inst) as TypeId;
  const name = program.tables.names.text(code.instructionName(inst));
  const label = `%${name === '' ? inst : name}`;
  const alignment = Math.max(program.layout.alignment(type), alignmentTrait(decoder, inst) ?? 1);
  const { machine, memory } = program;
  return allocaStep(
    memory,
    label,
    program.layout.size(type),
    alignment,
    decoder.resultRegister(inst),
    (object) => machine.own(object),
  );
}

function accessShape(decoder: FunctionDecoder, inst: Inst, type: TypeId): AccessShape {
  const { accesses, layout } = decoder.program;
  return {
    size: accesses.accessSize(type),
    alignment: alignmentTrait(decoder, inst) ?? layout.alignment(type),
    load: accesses.loader(type),
    store: accesses.storer(type),
  };
}

function decodeAccess(decoder: FunctionDecoder, inst: Inst): Step {
  const { code, program } = decoder;
  const { types } = program.tables;
  const places = decoder.places(inst);
  switch (code.opcode(inst)) {
    case Opcode.load:
      return loadStep(accessShape(decoder, inst, code.instructionType(inst)), places);
    case Opcode.store:
      return storeStep(accessShape(decoder, inst, decoder.operandType(inst, 0)), places);
    default: {
      const type = decoder.operandType(inst, 1);
      const shape = accessShape(decoder, inst, type);
      if (code.opcode(inst) === Opcode.cmpxchg)
        return compareExchangeStep(shape, places, pairLayout(decoder, code.instructionType(inst), type));
      const operation = (code.aux(inst) >> Aux.operationShift) & 15;
      return atomicUpdateStep(operation, types.isInteger(type) ? types.width(type) : 0, shape, places);
    }
  }
}

function pairLayout(decoder: FunctionDecoder, pair: TypeId, value: TypeId) {
  const { accesses, layout } = decoder.program;
  return { size: layout.size(pair), flagOffset: layout.offset(pair, 1), storeValue: accesses.storer(value) };
}

/** Constant indices are added up here; the others are left to run time. */
function decodeAddress(decoder: FunctionDecoder, inst: Inst): Step {
  const { code, program } = decoder;
  const { types, constants } = program.tables;
  let type = code.aux(inst) as TypeId;
  let offset = 0;
  const indices: ScaledIndex[] = [];
  for (let index = 1; index < code.operandCount(inst); index++) {
    const operand = code.operand(inst, index);
    const kind = types.kind(type);
    if (index > 1 && kind !== TypeKind.array) {
      const member = memberIndex(decoder, inst, index);
      offset += program.layout.offset(type, member);
      type = types.memberType(type, member);
      continue;
    }
    if (index > 1) type = types.element(type);
    const scale = program.layout.size(type);
    if (isConstantOperand(operand) && constants.kind(operandConstant(operand)) === ConstantKind.integer)
      offset += Number(constants.integerValue(operandConstant(operand))) * scale;
    else indices.push(scaledIndex(decoder, inst, index, scale));
  }
  const base = decoder.register(code.operand(inst, 0));
  return addressStep(decoder.resultRegister(inst), base, offset, indices);
}

function scaledIndex(decoder: FunctionDecoder, inst: Inst, index: number, scale: number): ScaledIndex {
  const { types } = decoder.program.tables;
  const type = decoder.operandType(inst, index);
  const width = types.width(type);
  const isSigned = types.isSigned(type) && width > 1;
  return {
    register: decoder.register(decoder.code.operand(inst, index)),
    scale,
    spare: isSigned && width < 32 ? 32 - width : 0,
    span: isSigned ? 0 : 2 ** width,
  };
}

function memberIndex(decoder: FunctionDecoder, inst: Inst, index: number): number {
  const { constants } = decoder.program.tables;
  return Number(constants.integerBits(operandConstant(decoder.code.operand(inst, index))));
}

function decodeMember(decoder: FunctionDecoder, inst: Inst): Step {
  const { code, program } = decoder;
  const { types } = program.tables;
  const isInsert = code.opcode(inst) === Opcode.insertvalue;
  const first = isInsert ? 2 : 1;
  const whole = decoder.operandType(inst, 0);
  let type = whole;
  let offset = 0;
  for (let index = first; index < code.operandCount(inst); index++) {
    const member = memberIndex(decoder, inst, index);
    const isArray = types.kind(type) === TypeKind.array;
    offset += isArray
      ? member * program.layout.size(types.element(type))
      : program.layout.offset(type, member);
    type = isArray ? types.element(type) : types.memberType(type, member);
  }
  const places = decoder.places(inst);
  return isInsert
    ? insertStep(program.accesses.storer(type), offset, program.layout.size(whole), places)
    : extractStep(program.accesses.loader(type), offset, places);
}
