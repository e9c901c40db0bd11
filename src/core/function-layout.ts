/**
 * Writes a finished function into the output tables. Twin: native/core/function-layout.cc.
 *
 * Blocks come in the order in which they were started. In each, the phis that are left come first: those of expressions, then those
 * of variables in the order of the variables; then the other instructions. Rows get their final numbers, forwarded values are resolved, and the operands of phis are put in
 * ascending order of their predecessors (005/L-22). Linear in the function.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { OpcodeAndRegion, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import {
  appendPhi,
  BufferBlock,
  BufferEdge,
  BufferRow,
  type FunctionBuffer,
  getBlock,
  getEdge,
  getRow,
  resolve,
  setBlock,
  setRow,
} from './function-buffer.js';
import { Words } from './words.js';

/** The output tables of a module, and how far they are filled; all counts are in rows. */
export interface ModuleOutput {
  instructions: Int32Array;
  operands: Int32Array;
  blocks: Int32Array;
  readonly functions: Int32Array;
  /** Whether the three above are the core's own and grow; else they are the caller's. */
  readonly isGrowing: boolean;
  instructionCount: number;
  operandCount: number;
  blockCount: number;
  /** Whether some function did not fit: from then on rows are counted and no longer written. */
  isOverflow: boolean;
}

/** Scratch of the layout, reused from function to function. */
export class LayoutScratch {
  /** The phis that are left with their blocks, and the same sorted by variable. */
  readonly phis = new Words();
  readonly phiBlocks = new Words();
  readonly firstOfVariable = new Words();
  readonly sortedPhis = new Words();
  /** Per node of the tree, its region, or empty when the module has none; and the region of the function's body. */
  regionOfNode: Int32Array = new Int32Array(0);
  bodyRegion: number = NONE;
  /** Totals of the function. */
  rowCount = 0;
  operandCount = 0;
}

/** Lists the phis that are left, block after block, and counts them by variable; the lists of the blocks are empty then. */
function collectPhis(buffer: FunctionBuffer, scratch: LayoutScratch, variableCount: number): void {
  scratch.phis.length = 0;
  scratch.phiBlocks.length = 0;
  scratch.firstOfVariable.length = 0;
  scratch.firstOfVariable.resize(variableCount + 2, 0);
  for (let index = 0; index < buffer.startedBlocks.length; index++) {
    const block = buffer.startedBlocks.data[index] as number;
    let phi = getBlock(buffer, block, BufferBlock.firstPhi);
    while (phi !== NONE) {
      if (getRow(buffer, phi, BufferRow.forward) === NONE) {
        scratch.phis.push(phi);
        scratch.phiBlocks.push(block);
        (scratch.firstOfVariable.data[getRow(buffer, phi, BufferRow.aux) + 2] as number)++;
      }
      phi = getRow(buffer, phi, BufferRow.nextPhi);
    }
    setBlock(buffer, block, BufferBlock.firstPhi, NONE);
  }
}

/**
 * Puts the phis of each block in the order of their variables, whatever the order of their making; those of expressions, which
 * have none, come first (005/L-7). One counting sort for the function.
 */
function orderPhis(buffer: FunctionBuffer, scratch: LayoutScratch, variableCount: number): void {
  collectPhis(buffer, scratch, variableCount);
  const first = scratch.firstOfVariable.data;
  for (let variable = 1; variable < variableCount + 2; variable++) {
    (first[variable] as number) += first[variable - 1] as number;
  }
  scratch.sortedPhis.resize(scratch.phis.length, NONE);
  for (let index = 0; index < scratch.phis.length; index++) {
    const variable = getRow(buffer, scratch.phis.data[index] as number, BufferRow.aux);
    scratch.sortedPhis.data[first[variable + 1] as number] = index;
    (first[variable + 1] as number)++;
  }
  for (let place = 0; place < scratch.phis.length; place++) {
    const index = scratch.sortedPhis.data[place] as number;
    appendPhi(buffer, scratch.phiBlocks.data[index] as number, scratch.phis.data[index] as number);
  }
}

/** Gives rows and blocks their final numbers and counts what the function needs. Parameters are the first rows. */
function numberRows(buffer: FunctionBuffer, scratch: LayoutScratch, parameterCount: number): void {
  scratch.operandCount = 0;
  let next = 0;
  for (let row = 0; row < parameterCount; row++) setRow(buffer, row, BufferRow.final, next++);
  for (let index = 0; index < buffer.startedBlocks.length; index++) {
    const block = buffer.startedBlocks.data[index] as number;
    setBlock(buffer, block, BufferBlock.final, index);
    let phi = getBlock(buffer, block, BufferBlock.firstPhi);
    while (phi !== NONE) {
      setRow(buffer, phi, BufferRow.final, next++);
      scratch.operandCount += 2 * getRow(buffer, phi, BufferRow.operandCount);
      phi = getRow(buffer, phi, BufferRow.nextPhi);
    }
    const end = getBlock(buffer, block, BufferBlock.endRow);
    for (let row = getBlock(buffer, block, BufferBlock.firstRow); row < end; row++) {
      if (getRow(buffer, row, BufferRow.opcode) === Opcode.phi) continue;
      setRow(buffer, row, BufferRow.final, next++);
      scratch.operandCount += getRow(buffer, row, BufferRow.operandCount);
    }
  }
  scratch.rowCount = next;
}

/** The final operand of a value: a constant as it is, a row by its final number. */
export function finalValue(buffer: FunctionBuffer, value: number): number {
  const end = resolve(buffer, value);
  return end < 0 ? end : getRow(buffer, end, BufferRow.final);
}

/**
 * Writes the operands of a phi as pairs, in ascending order of the predecessors (005/L-22): blocks are filled one after the other, and
 * their edges are made when they end, so that the edges into a block stand in that order.
 */
function writePhiOperands(buffer: FunctionBuffer, output: ModuleOutput, block: number, phi: number): void {
  const count = getRow(buffer, phi, BufferRow.operandCount);
  const start = getRow(buffer, phi, BufferRow.operandStart);
  let edge = getBlock(buffer, block, BufferBlock.firstIn);
  for (let index = 0; index < count; index++) {
    const from = getEdge(buffer, edge, BufferEdge.from);
    output.operands[output.operandCount++] = finalValue(
      buffer,
      buffer.operands.data[start + index] as number,
    );
    output.operands[output.operandCount++] = getBlock(buffer, from, BufferBlock.final);
    edge = getEdge(buffer, edge, BufferEdge.nextIn);
  }
}

/** Which operands of a terminator are blocks: all, all but the first, or every second from the second on. */
function isBlockOperand(opcode: number, index: number): boolean {
  if (opcode === Opcode.br) return true;
  if (opcode === Opcode.condbr) return index > 0;
  return opcode === Opcode.switch && index % 2 === 1;
}

/** Writes the operands of an instruction that is no phi. */
function writeOperands(buffer: FunctionBuffer, output: ModuleOutput, row: number): void {
  const opcode = getRow(buffer, row, BufferRow.opcode);
  const start = getRow(buffer, row, BufferRow.operandStart);
  const count = getRow(buffer, row, BufferRow.operandCount);
  for (let index = 0; index < count; index++) {
    const operand = buffer.operands.data[start + index] as number;
    const isBlock = opcode >= Opcode.br && isBlockOperand(opcode, index);
    output.operands[output.operandCount++] = isBlock
      ? getBlock(buffer, operand, BufferBlock.final)
      : finalValue(buffer, operand);
  }
}

/** The region of a row that stands in a block: that of its node, and for a slot, which the whole function has, that of the body. */
function regionOf(buffer: FunctionBuffer, scratch: LayoutScratch, row: number): number {
  if (scratch.regionOfNode.length === 0) return NONE;
  if (getRow(buffer, row, BufferRow.opcode) === Opcode.alloca) return scratch.bodyRegion;
  return scratch.regionOfNode[getRow(buffer, row, BufferRow.node)] as number;
}

/** The region of the phis of a block: that of its first row that is none. */
function blockRegion(buffer: FunctionBuffer, scratch: LayoutScratch, block: number): number {
  let row = getBlock(buffer, block, BufferBlock.firstRow);
  while (getRow(buffer, row, BufferRow.opcode) === Opcode.phi) row++;
  return regionOf(buffer, scratch, row);
}

/** Writes the columns of a row; its operands come next. `firstOperand` is where those of the function begin. */
function writeRow(
  buffer: FunctionBuffer,
  output: ModuleOutput,
  firstOperand: number,
  row: number,
  region: number,
): void {
  const at = output.instructionCount * VIR_INSTRUCTION.stride;
  const opcode = getRow(buffer, row, BufferRow.opcode);
  const count = getRow(buffer, row, BufferRow.operandCount);
  output.instructions[at + VIR_INSTRUCTION.opcodeAndRegion] =
    opcode | ((region + 1) << OpcodeAndRegion.regionShift);
  output.instructions[at + VIR_INSTRUCTION.type] = getRow(buffer, row, BufferRow.type);
  output.instructions[at + VIR_INSTRUCTION.operandStart] = output.operandCount - firstOperand;
  output.instructions[at + VIR_INSTRUCTION.operandCount] = opcode === Opcode.phi ? 2 * count : count;
  output.instructions[at + VIR_INSTRUCTION.aux] =
    opcode === Opcode.phi ? 0 : getRow(buffer, row, BufferRow.aux);
  output.instructions[at + VIR_INSTRUCTION.name] = getRow(buffer, row, BufferRow.name);
  output.instructions[at + VIR_INSTRUCTION.position] = getRow(buffer, row, BufferRow.position);
  output.instructions[at + VIR_INSTRUCTION.traits] = getRow(buffer, row, BufferRow.traits);
  output.instructions[at + VIR_INSTRUCTION.node] = getRow(buffer, row, BufferRow.node);
  output.instructionCount++;
}

/** Writes one block with its instructions. `firstRow` is where the rows of the function begin in the output. */
function writeBlock(
  buffer: FunctionBuffer,
  scratch: LayoutScratch,
  output: ModuleOutput,
  block: number,
  firstRow: number,
  firstOperand: number,
): void {
  const blockStart = output.instructionCount;
  const region = blockRegion(buffer, scratch, block);
  let phi = getBlock(buffer, block, BufferBlock.firstPhi);
  while (phi !== NONE) {
    writeRow(buffer, output, firstOperand, phi, region);
    writePhiOperands(buffer, output, block, phi);
    phi = getRow(buffer, phi, BufferRow.nextPhi);
  }
  const end = getBlock(buffer, block, BufferBlock.endRow);
  for (let row = getBlock(buffer, block, BufferBlock.firstRow); row < end; row++) {
    if (getRow(buffer, row, BufferRow.opcode) === Opcode.phi) continue;
    writeRow(buffer, output, firstOperand, row, regionOf(buffer, scratch, row));
    writeOperands(buffer, output, row);
  }
  const at = output.blockCount * VIR_BLOCK.stride;
  output.blocks[at + VIR_BLOCK.firstInstruction] = blockStart - firstRow;
  output.blocks[at + VIR_BLOCK.instructionCount] = output.instructionCount - blockStart;
  output.blocks[at + VIR_BLOCK.name] = getBlock(buffer, block, BufferBlock.name);
  output.blocks[at + VIR_BLOCK.position] = getBlock(buffer, block, BufferBlock.position);
  output.blocks[at + VIR_BLOCK.traits] = 0;
  output.blocks[at + VIR_BLOCK.node] = getBlock(buffer, block, BufferBlock.node);
  output.blockCount++;
}

/** Whether the function that was just numbered still fits into the outputs. */
function fits(buffer: FunctionBuffer, scratch: LayoutScratch, output: ModuleOutput): boolean {
  const { instructions, operands, blocks } = output;
  return (
    (output.instructionCount + scratch.rowCount) * VIR_INSTRUCTION.stride <= instructions.length &&
    output.operandCount + scratch.operandCount <= operands.length &&
    (output.blockCount + buffer.startedBlocks.length) * VIR_BLOCK.stride <= blocks.length
  );
}

/** A longer array with the same content, in memory that threads may share. */
function grown(rows: Int32Array, length: number): Int32Array {
  if (length <= rows.length) return rows;
  const words = Math.max(length, 2 * rows.length, 1024);
  const result = new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
  result.set(rows);
  return result;
}

/** Makes room for the function that was just numbered. */
function growOutput(buffer: FunctionBuffer, scratch: LayoutScratch, output: ModuleOutput): void {
  const instructions = (output.instructionCount + scratch.rowCount) * VIR_INSTRUCTION.stride;
  const blocks = (output.blockCount + buffer.startedBlocks.length) * VIR_BLOCK.stride;
  output.instructions = grown(output.instructions, instructions);
  output.operands = grown(output.operands, output.operandCount + scratch.operandCount);
  output.blocks = grown(output.blocks, blocks);
}

/** Writes the function's own row; its rows in the other tables come next. */
function writeFunctionRow(
  buffer: FunctionBuffer,
  scratch: LayoutScratch,
  output: ModuleOutput,
  id: number,
  parameterCount: number,
): void {
  const at = id * VIR_FUNCTION.stride;
  output.functions[at + VIR_FUNCTION.firstInstruction] = output.instructionCount;
  output.functions[at + VIR_FUNCTION.instructionCount] = scratch.rowCount;
  output.functions[at + VIR_FUNCTION.firstBlock] = output.blockCount;
  output.functions[at + VIR_FUNCTION.blockCount] = buffer.startedBlocks.length;
  output.functions[at + VIR_FUNCTION.firstOperand] = output.operandCount;
  output.functions[at + VIR_FUNCTION.operandCount] = scratch.operandCount;
  output.functions[at + VIR_FUNCTION.parameterCount] = parameterCount;
}

/**
 * Appends the function in the buffer to the outputs as function `id`. Leaves the final number of each row in
 * `scratch.finalRow`. Where it does not fit, only the counts grow.
 */
export function writeFunction(
  buffer: FunctionBuffer,
  scratch: LayoutScratch,
  output: ModuleOutput,
  id: number,
  parameterCount: number,
  variableCount: number,
): void {
  orderPhis(buffer, scratch, variableCount);
  numberRows(buffer, scratch, parameterCount);
  if (output.isGrowing) growOutput(buffer, scratch, output);
  if (output.isOverflow || !fits(buffer, scratch, output)) {
    output.isOverflow = true;
    output.instructionCount += scratch.rowCount;
    output.operandCount += scratch.operandCount;
    output.blockCount += buffer.startedBlocks.length;
    return;
  }
  writeFunctionRow(buffer, scratch, output, id, parameterCount);
  const firstRow = output.instructionCount;
  const firstOperand = output.operandCount;
  for (let row = 0; row < parameterCount; row++) writeRow(buffer, output, firstOperand, row, NONE);
  for (let index = 0; index < buffer.startedBlocks.length; index++) {
    const block = buffer.startedBlocks.data[index] as number;
    writeBlock(buffer, scratch, output, block, firstRow, firstOperand);
  }
}
