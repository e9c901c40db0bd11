/**
 * The border of out-of-SSA: checks every index of the VIR tables once, so that the algorithms need not (design: "The
 * buffers"). Twin: native/core/validate-vir.cc. Linear in the tables whatever they claim.
 *
 * Input numbers in the header: 0 virInstruction, 1 operands, 2 virBlock, 3 virFunction. A function without blocks is a
 * declaration, and its other columns are not read.
 */

import { NONE } from '../ir/entities.js';
import { OPCODES, Opcode } from '../ir/opcodes.js';
import { CoreFaultNumber, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import { reportFault } from './border.js';
import {
  blockColumn,
  type FunctionRows,
  instructionColumn,
  instructionOpcode,
  operandsOf,
  plainValueCount,
  readFunctionRows,
  type VirTables,
} from './function-rows.js';

const INSTRUCTIONS = 0;
const OPERANDS = 1;
const BLOCKS = 2;
const FUNCTIONS = 3;

/** Whether the tables can be walked; the first fault is reported in the header. */
export function validateVir(tables: VirTables, header: Int32Array): boolean {
  if (!isWhole(tables.instructions, VIR_INSTRUCTION.stride, INSTRUCTIONS, header)) return false;
  if (!isWhole(tables.blocks, VIR_BLOCK.stride, BLOCKS, header)) return false;
  if (!isWhole(tables.functions, VIR_FUNCTION.stride, FUNCTIONS, header)) return false;
  const functionCount = tables.functions.length / VIR_FUNCTION.stride;
  // Functions share no rows, or a forged table could claim the same rows over and over.
  let instructionTotal = tables.instructions.length / VIR_INSTRUCTION.stride;
  let blockTotal = tables.blocks.length / VIR_BLOCK.stride;
  let operandTotal = tables.operands.length;
  for (let id = 0; id < functionCount; id++) {
    const rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    if (!checkRanges(tables, rows, id, header)) return false;
    instructionTotal -= rows.instructionCount;
    blockTotal -= rows.blockCount;
    operandTotal -= rows.operandCount;
    if (instructionTotal < 0 || blockTotal < 0 || operandTotal < 0) {
      reportFault(header, CoreFaultNumber.rowCount, FUNCTIONS, id);
      return false;
    }
  }
  return validateFunctions(tables, functionCount, header);
}

function isWhole(table: Int32Array, stride: number, number: number, header: Int32Array): boolean {
  if (table.length % stride === 0) return true;
  reportFault(header, CoreFaultNumber.partialRow, number);
  return false;
}

/** Whether the ranges of a function's row lie within the tables. */
function checkRanges(tables: VirTables, rows: FunctionRows, id: number, header: Int32Array): boolean {
  const isGood =
    isRange(
      rows.firstInstruction,
      rows.instructionCount,
      tables.instructions.length / VIR_INSTRUCTION.stride,
    ) &&
    isRange(rows.firstBlock, rows.blockCount, tables.blocks.length / VIR_BLOCK.stride) &&
    isRange(rows.firstOperand, rows.operandCount, tables.operands.length) &&
    isRange(0, rows.parameterCount, rows.instructionCount);
  if (!isGood) reportFault(header, CoreFaultNumber.index, FUNCTIONS, id);
  return isGood;
}

function isRange(first: number, count: number, length: number): boolean {
  return first >= 0 && count >= 0 && first <= length && count <= length - first;
}

/** Checks the content of every function that has blocks. */
function validateFunctions(tables: VirTables, functionCount: number, header: Int32Array): boolean {
  let largest = 0;
  for (let id = 0; id < functionCount; id++) {
    const rows = readFunctionRows(tables, id);
    if (rows.blockCount > 0 && rows.instructionCount > largest) largest = rows.instructionCount;
  }
  const isPlaced = new Int32Array(largest);
  for (let id = 0; id < functionCount; id++) {
    const rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    isPlaced.fill(0, 0, rows.instructionCount);
    if (!validateParameters(tables, rows, isPlaced, header)) return false;
    if (!validateBlocks(tables, rows, isPlaced, header)) return false;
    if (!validateOperands(tables, rows, isPlaced, header)) return false;
  }
  return true;
}

/** The parameters are the first rows, and have no operands. */
function validateParameters(
  tables: VirTables,
  rows: FunctionRows,
  isPlaced: Int32Array,
  header: Int32Array,
): boolean {
  for (let inst = 0; inst < rows.parameterCount; inst++) {
    if (
      instructionOpcode(tables, rows, inst) !== Opcode.param ||
      instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount) !== 0
    ) {
      reportFault(header, CoreFaultNumber.shape, INSTRUCTIONS, rows.firstInstruction + inst);
      return false;
    }
    isPlaced[inst] = 1;
  }
  return true;
}

/** Blocks are not empty, share no instructions, begin with their phis and end with their only terminator. */
function validateBlocks(
  tables: VirTables,
  rows: FunctionRows,
  isPlaced: Int32Array,
  header: Int32Array,
): boolean {
  for (let block = 0; block < rows.blockCount; block++) {
    const first = blockColumn(tables, rows, block, VIR_BLOCK.firstInstruction);
    const count = blockColumn(tables, rows, block, VIR_BLOCK.instructionCount);
    if (!isRange(first, count, rows.instructionCount) || first < rows.parameterCount || count === 0) {
      reportFault(header, CoreFaultNumber.index, BLOCKS, rows.firstBlock + block);
      return false;
    }
    let isAfterPhis = false;
    for (let inst = first; inst < first + count; inst++) {
      const opcode = instructionOpcode(tables, rows, inst);
      const isLast = inst === first + count - 1;
      if (opcode < 0 || opcode >= OPCODES.length) {
        reportFault(header, CoreFaultNumber.opcode, INSTRUCTIONS, rows.firstInstruction + inst);
        return false;
      }
      const isEnd = opcode >= Opcode.br && opcode <= Opcode.unreachable;
      if (
        isPlaced[inst] !== 0 ||
        isEnd !== isLast ||
        opcode === Opcode.param ||
        (opcode === Opcode.phi && isAfterPhis)
      ) {
        reportFault(header, CoreFaultNumber.shape, INSTRUCTIONS, rows.firstInstruction + inst);
        return false;
      }
      if (opcode !== Opcode.phi) isAfterPhis = true;
      isPlaced[inst] = 1;
    }
  }
  return true;
}

/** Operand ranges lie within the function and are not shared; operands name values and blocks that exist. */
function validateOperands(
  tables: VirTables,
  rows: FunctionRows,
  isPlaced: Int32Array,
  header: Int32Array,
): boolean {
  let total = rows.operandCount;
  for (let inst = rows.parameterCount; inst < rows.instructionCount; inst++) {
    if (isPlaced[inst] === 0) continue;
    const start = instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandStart);
    const count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount);
    const opcode = instructionOpcode(tables, rows, inst);
    const isGoodRange = isRange(start, count, rows.operandCount);
    total -= isGoodRange ? count : 0;
    if (!isGoodRange || total < 0 || !isArity(opcode, count)) {
      reportFault(header, CoreFaultNumber.arity, INSTRUCTIONS, rows.firstInstruction + inst);
      return false;
    }
    if (count > 0 && !validateOperandsOf(tables, rows, isPlaced, inst, header)) return false;
  }
  return true;
}

/** Whether an instruction whose operands this room must tell apart has a possible number of them. */
function isArity(opcode: number, count: number): boolean {
  if (opcode === Opcode.phi) return count % 2 === 0;
  if (opcode === Opcode.br) return count === 1;
  if (opcode === Opcode.condbr) return count === 3;
  if (opcode === Opcode.switch) return count >= 2 && count % 2 === 0;
  return true;
}

function validateOperandsOf(
  tables: VirTables,
  rows: FunctionRows,
  isPlaced: Int32Array,
  inst: number,
  header: Int32Array,
): boolean {
  const opcode = instructionOpcode(tables, rows, inst);
  const start = operandsOf(tables, rows, inst);
  const count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount);
  const values = plainValueCount(opcode, count);
  for (let index = 0; index < count; index++) {
    const operand = tables.operands[start + index] as number;
    let isGood = true;
    if (opcode === Opcode.phi && index % 2 === 0) isGood = operand < NONE || isValue(rows, isPlaced, operand);
    else if (index < values) isGood = operand < 0 || isValue(rows, isPlaced, operand);
    // What follows a switch's value alternates between blocks and constants, a block first.
    else if (opcode !== Opcode.switch || index % 2 === 1) isGood = operand >= 0 && operand < rows.blockCount;
    if (!isGood) {
      reportFault(header, CoreFaultNumber.index, OPERANDS, start + index);
      return false;
    }
  }
  return true;
}

/** Whether an operand names an instruction that stands somewhere. */
function isValue(rows: FunctionRows, isPlaced: Int32Array, operand: number): boolean {
  return operand >= 0 && operand < rows.instructionCount && isPlaced[operand] !== 0;
}
