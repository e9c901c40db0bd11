/**
 * Appends functions to a VIR module: parameters first, then blocks in order, each with its instructions in order.
 *
 * It checks nothing but the order of its own calls; `verifyVir` checks the result. Operands may name instructions and blocks that
 * are appended later, since both are numbers that count within the function.
 */

import { fail } from '../diag/diagnostic.js';
import {
  type Block,
  constantOperand,
  type FunctionId,
  type Inst,
  instructionOperand,
  NONE,
  type TypeId,
  type Value,
} from '../ir/entities.js';
import { Opcode, type OpcodeName } from '../ir/opcodes.js';
import {
  FUNCTION,
  FunctionFlag,
  OpcodeAndRegion,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../ir/schema.js';
import type { VirModule } from '../ir/vir-module.js';

/** What a block or an instruction may carry beside its meaning; each defaults to none. */
export interface VirAnnotations {
  /** A row of the name table. */
  readonly name?: number;
  /** A row of the trait-set table. */
  readonly traits?: number;
  /** A row of the position table. */
  readonly position?: number;
  /** The optimization barrier that it stands in (005/L-35). */
  readonly region?: number;
}

/** Builds the functions of one module in ascending order of their ids. */
export class VirBuilder {
  #function = NONE;

  constructor(readonly module: VirModule) {}

  /** Begins the body of a function; functions between the last one and this stay without body. */
  beginFunction(id: FunctionId): void {
    const { module } = this;
    if (this.#function !== NONE || id < module.functions.length || id >= module.functionCount) {
      fail('VCT0001', { detail: `VIR function ${id} begun out of order` });
    }
    this.#padTo(id + 1);
    this.#function = id;
  }

  /** Appends the next parameter. Requires that the function has no block yet. */
  parameter(type: TypeId, annotations: VirAnnotations = {}): Value {
    const inst = this.#append(Opcode.param, type, [], NONE, annotations);
    this.#count(VIR_FUNCTION.parameterCount);
    return instructionOperand(inst);
  }

  /** Begins the next block and returns its number: 0 for the entry. */
  block(annotations: VirAnnotations = {}): Block {
    const { blocks } = this.module;
    const row = blocks.append();
    blocks.set(row, VIR_BLOCK.firstInstruction, this.#value(VIR_FUNCTION.instructionCount));
    blocks.set(row, VIR_BLOCK.instructionCount, 0);
    blocks.set(row, VIR_BLOCK.name, annotations.name ?? NONE);
    blocks.set(row, VIR_BLOCK.position, annotations.position ?? NONE);
    blocks.set(row, VIR_BLOCK.traits, annotations.traits ?? 0);
    const { functions } = this.module.tables;
    const flags = functions.get(this.#function, FUNCTION.flags);
    functions.set(this.#function, FUNCTION.flags, flags | FunctionFlag.hasBody);
    return this.#count(VIR_FUNCTION.blockCount) as Block;
  }

  /**
   * Appends an instruction to the last block; `operands` as `src/ir/entities.ts` encodes them. Returns its result, which is no
   * value when `type` is void.
   */
  instruction(
    opcode: number | OpcodeName,
    type: TypeId,
    operands: readonly number[],
    aux: number = NONE,
    annotations: VirAnnotations = {},
  ): Value {
    const { blocks } = this.module;
    if (this.#value(VIR_FUNCTION.blockCount) === 0) {
      fail('VCT0001', { detail: 'VIR instruction before the first block' });
    }
    const number = typeof opcode === 'string' ? Opcode[opcode] : opcode;
    const inst = this.#append(number, type, operands, aux, annotations);
    const row = blocks.length - 1;
    blocks.set(row, VIR_BLOCK.instructionCount, blocks.get(row, VIR_BLOCK.instructionCount) + 1);
    return instructionOperand(inst);
  }

  /** An integer constant as an operand. */
  integer(type: TypeId, value: bigint | number): Value {
    return constantOperand(this.module.tables.constants.integer(type, BigInt(value)));
  }

  /** How many instructions the function has so far: the number of the next one. */
  get nextInstruction(): Inst {
    return this.#value(VIR_FUNCTION.instructionCount) as Inst;
  }

  /** The type of a result of this function. */
  resultType(value: Value): TypeId {
    const row = this.#value(VIR_FUNCTION.firstInstruction) + value;
    return this.module.instructions.get(row, VIR_INSTRUCTION.type) as TypeId;
  }

  /** Writes an operand of an instruction of this function again, as a parser does once a name is known. */
  patchOperand(inst: Inst, index: number, operand: number): void {
    const { instructions, operands } = this.module;
    const row = this.#value(VIR_FUNCTION.firstInstruction) + inst;
    const start =
      this.#value(VIR_FUNCTION.firstOperand) + instructions.get(row, VIR_INSTRUCTION.operandStart);
    operands.set(start + index, 0, operand);
  }

  /** Ends the function that was begun last. */
  endFunction(): void {
    this.#function = NONE;
  }

  /** Gives the functions after the last one built their empty rows. Call it once, at the end. */
  finish(): VirModule {
    this.#padTo(this.module.functionCount);
    return this.module;
  }

  #append(
    opcode: number,
    type: TypeId,
    operands: readonly number[],
    aux: number,
    annotations: VirAnnotations,
  ): Inst {
    const { module } = this;
    const row = module.instructions.append();
    const { data } = module.instructions;
    const at = row * VIR_INSTRUCTION.stride;
    data[at + VIR_INSTRUCTION.opcodeAndRegion] =
      opcode | (((annotations.region ?? NONE) + 1) << OpcodeAndRegion.regionShift);
    data[at + VIR_INSTRUCTION.type] = type;
    data[at + VIR_INSTRUCTION.operandStart] = this.#value(VIR_FUNCTION.operandCount);
    data[at + VIR_INSTRUCTION.operandCount] = operands.length;
    data[at + VIR_INSTRUCTION.aux] = aux;
    data[at + VIR_INSTRUCTION.name] = annotations.name ?? NONE;
    data[at + VIR_INSTRUCTION.position] = annotations.position ?? NONE;
    data[at + VIR_INSTRUCTION.traits] = annotations.traits ?? 0;
    for (const operand of operands) module.operands.push(operand);
    this.#count(VIR_FUNCTION.operandCount, operands.length);
    return this.#count(VIR_FUNCTION.instructionCount) as Inst;
  }

  #value(column: number): number {
    if (this.#function === NONE) fail('VCT0001', { detail: 'no VIR function has been begun' });
    return this.module.functions.get(this.#function, column);
  }

  /** Adds to a count of the function's row and returns what it was. */
  #count(column: number, by = 1): number {
    const before = this.#value(column);
    this.module.functions.set(this.#function, column, before + by);
    return before;
  }

  #padTo(length: number): void {
    const { functions, instructions, blocks, operands } = this.module;
    while (functions.length < length) {
      const row = functions.append(0);
      functions.set(row, VIR_FUNCTION.firstInstruction, instructions.length);
      functions.set(row, VIR_FUNCTION.firstBlock, blocks.length);
      functions.set(row, VIR_FUNCTION.firstOperand, operands.length);
    }
  }
}
