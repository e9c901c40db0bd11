/** One VIR instruction, one LLVM instruction (009 Table 1). */

import { type Block, type Inst, operandConstant, type Value } from '../../ir/entities.js';
import { Opcode, type OpcodeClass, opcodeRow } from '../../ir/opcodes.js';
import { FLOAT_PREDICATES, INTEGER_PREDICATES } from '../../ir/schema.js';
import { writeAddress, writeExtract, writeInsert } from './address.js';
import { writeAssume, writeCall, writeIntrinsic } from './calls.js';
import type { ControlFlow } from './control-flow.js';
import type { FunctionWriter } from './function-writer.js';
import {
  writeAlloca,
  writeAtomicUpdate,
  writeCompareExchange,
  writeFence,
  writeLoad,
  writeMemoryCopy,
  writeMemorySet,
  writeStore,
} from './memory.js';
import { branchWeights } from './traits.js';

/** Where an instruction stands. */
interface Place {
  readonly flow: ControlFlow;
  readonly block: Block;
}

/** How the instructions of each class are written. */
const WRITERS: Readonly<Record<OpcodeClass, (writer: FunctionWriter, inst: Inst, place: Place) => void>> = {
  parameter: () => {},
  integerBinary: writeArithmetic,
  floatBinary: writeArithmetic,
  integerUnary: writeArithmetic,
  floatUnary: writeArithmetic,
  integerTernary: writeArithmetic,
  integerOverflow: writeArithmetic,
  integerCompare: (writer, inst) =>
    writeBinary(writer, inst, `icmp ${INTEGER_PREDICATES[writer.code.aux(inst)]}`),
  floatCompare: (writer, inst) =>
    writeBinary(writer, inst, `fcmp ${FLOAT_PREDICATES[writer.code.aux(inst)]}`),
  cast: writeCast,
  select: writeSelect,
  phi: writePhi,
  alloca: writeAlloca,
  load: writeLoad,
  store: writeStore,
  address: writeAddress,
  extract: writeExtract,
  insert: writeInsert,
  call: (writer, inst, place) => writeCall(writer, inst, place.block),
  compareExchange: writeCompareExchange,
  atomicUpdate: writeAtomicUpdate,
  fence: writeFence,
  memoryCopy: writeMemoryCopy,
  memorySet: writeMemorySet,
  assume: writeAssume,
  terminator: writeTerminator,
};

/** Writes the instruction, which stands in `block`. */
export function writeInstruction(writer: FunctionWriter, flow: ControlFlow, inst: Inst, block: Block): void {
  WRITERS[opcodeRow(writer.code.opcode(inst)).class](writer, inst, { flow, block });
}

/** An operator of LLVM, or an intrinsic where LLVM has no operator. */
function writeArithmetic(writer: FunctionWriter, inst: Inst): void {
  const row = opcodeRow(writer.code.opcode(inst));
  if (row.llvm.startsWith('llvm.')) writeIntrinsic(writer, inst);
  else if (row.class === 'floatUnary') writer.define(inst, `${row.llvm} ${writer.typedOperand(inst, 0)}`);
  else writeBinary(writer, inst, row.llvm);
}

function writeBinary(writer: FunctionWriter, inst: Inst, mnemonic: string): void {
  writer.define(inst, `${mnemonic} ${writer.typedOperand(inst, 0)}, ${writer.operand(inst, 1)}`);
}

function writeCast(writer: FunctionWriter, inst: Inst): void {
  const row = opcodeRow(writer.code.opcode(inst));
  const to = writer.typeText(writer.code.instructionType(inst));
  writer.define(inst, `${row.llvm} ${writer.typedOperand(inst, 0)} to ${to}`);
}

function writeSelect(writer: FunctionWriter, inst: Inst): void {
  const operands = [0, 1, 2].map((index) => writer.typedOperand(inst, index)).join(', ');
  writer.define(inst, `select ${operands}`);
}

/** LLVM wants an incoming pair for each edge, VIR has one for each predecessor. */
function writePhi(writer: FunctionWriter, inst: Inst, { flow, block }: Place): void {
  const { code, names } = writer;
  const pairs: string[] = [];
  for (let index = 0; index < code.operandCount(inst); index += 2) {
    const predecessor = code.blockOperand(inst, index + 1);
    const pair = `[ ${writer.operand(inst, index)}, %${names.block(predecessor)} ]`;
    for (let edge = flow.edgeCount(predecessor, block); edge > 0; edge--) pairs.push(pair);
  }
  writer.define(inst, `phi ${writer.typeText(code.instructionType(inst))} ${pairs.join(', ')}`);
}

function writeTerminator(writer: FunctionWriter, inst: Inst, { flow, block }: Place): void {
  const { code } = writer;
  const loop = flow.loopMetadata(block);
  switch (code.opcode(inst)) {
    case Opcode.br:
      writer.write(`br ${writer.label(code.blockOperand(inst, 0))}${loop}`);
      break;
    case Opcode.condbr: {
      const targets = `${writer.label(code.blockOperand(inst, 1))}, ${writer.label(code.blockOperand(inst, 2))}`;
      const weights = branchWeights(writer.state, code.instructionTraits(inst));
      writer.write(`br ${writer.typedOperand(inst, 0)}, ${targets}${weights}${loop}`);
      break;
    }
    case Opcode.switch:
      writeSwitch(writer, inst, loop);
      break;
    case Opcode.ret:
      writer.write(code.operandCount(inst) === 0 ? 'ret void' : `ret ${writer.typedOperand(inst, 0)}`);
      break;
    default:
      writer.write('unreachable');
  }
}

function writeSwitch(writer: FunctionWriter, inst: Inst, loop: string): void {
  const { code } = writer;
  writer.write(`switch ${writer.typedOperand(inst, 0)}, ${writer.label(code.blockOperand(inst, 1))} [`);
  for (let index = 2; index < code.operandCount(inst); index += 2) {
    const constant = writer.state.constants.typed(operandConstant(code.rawOperand(inst, index) as Value));
    const target = code.blockOperand(inst, index + 1);
    writer.write(`  ${constant.type} ${constant.text}, ${writer.label(target)}`);
  }
  writer.write(`]${loop}`);
}
