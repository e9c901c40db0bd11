/** How the core's analyses reach the VIR tables. Twin: native/core/function-rows.h. */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { OpcodeAndRegion, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';

/** The four tables of a VIR module, borrowed for one call. */
export interface VirTables {
  readonly instructions: Int32Array;
  readonly operands: Int32Array;
  readonly blocks: Int32Array;
  readonly functions: Int32Array;
}

/** Where the rows of one function are. */
export interface FunctionRows {
  readonly firstInstruction: number;
  readonly instructionCount: number;
  readonly firstBlock: number;
  readonly blockCount: number;
  readonly firstOperand: number;
  readonly operandCount: number;
  readonly parameterCount: number;
}

/** Reads one row of the function table. Requires `id` to be a row. */
export function readFunctionRows(tables: VirTables, id: number): FunctionRows {
  const at = id * VIR_FUNCTION.stride;
  const row = tables.functions;
  return {
    firstInstruction: row[at + VIR_FUNCTION.firstInstruction] as number,
    instructionCount: row[at + VIR_FUNCTION.instructionCount] as number,
    firstBlock: row[at + VIR_FUNCTION.firstBlock] as number,
    blockCount: row[at + VIR_FUNCTION.blockCount] as number,
    firstOperand: row[at + VIR_FUNCTION.firstOperand] as number,
    operandCount: row[at + VIR_FUNCTION.operandCount] as number,
    parameterCount: row[at + VIR_FUNCTION.parameterCount] as number,
  };
}

/** A column of an instruction, by the function's own number. */
export function instructionColumn(
  tables: VirTables,
  rows: FunctionRows,
  inst: number,
  column: number,
): number {
  return tables.instructions[(rows.firstInstruction + inst) * VIR_INSTRUCTION.stride + column] as number;
}

/** The opcode of an instruction, by the function's own number. */
export function instructionOpcode(tables: VirTables, rows: FunctionRows, inst: number): number {
  return instructionColumn(tables, rows, inst, VIR_INSTRUCTION.opcodeAndRegion) & OpcodeAndRegion.opcodeMask;
}

/** A column of a block, by the function's own number. */
export function blockColumn(tables: VirTables, rows: FunctionRows, block: number, column: number): number {
  return tables.blocks[(rows.firstBlock + block) * VIR_BLOCK.stride + column] as number;
}

/** Where the operands of an instruction begin in the operand table. */
export function operandsOf(tables: VirTables, rows: FunctionRows, inst: number): number {
  return rows.firstOperand + instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandStart);
}

/** How many of the first operands of an instruction are values; those of a phi are pairs, and it has none here. */
export function plainValueCount(opcode: number, operandCount: number): number {
  if (opcode === Opcode.phi || opcode === Opcode.br) return 0;
  if (opcode === Opcode.condbr || opcode === Opcode.switch) return 1;
  return operandCount;
}

/** Writes for each instruction the block it stands in: the entry for parameters, NONE for rows in no block. */
export function placeInstructions(tables: VirTables, rows: FunctionRows, blockOf: Int32Array): void {
  blockOf.fill(NONE, 0, rows.instructionCount);
  blockOf.fill(0, 0, rows.parameterCount);
  for (let block = 0; block < rows.blockCount; block++) {
    const first = blockColumn(tables, rows, block, VIR_BLOCK.firstInstruction);
    blockOf.fill(block, first, first + blockColumn(tables, rows, block, VIR_BLOCK.instructionCount));
  }
}
