/**
 * The VIR of one module: instructions, blocks and operands over the shared tables (006), and a view of one function
 * that reads them by the function's own numbers.
 */

import type { DiagnosticPosition } from '../diag/diagnostic.js';
import {
  type Block,
  type FunctionId,
  type GlobalId,
  type Inst,
  type NameId,
  NONE,
  type RelationshipId,
  type TraitSetId,
  type TypeId,
  type Value,
} from './entities.js';
import type { LoweringMap } from './lowering-map.js';
import type { ModuleTables } from './module-tables.js';
import { Relationships } from './relationships.js';
import { FUNCTION, GLOBAL, OpcodeAndRegion, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from './schema.js';
import { Table } from './table.js';
import type { TextPlaces } from './text-places.js';

/** The tables of one VIR module. Row n of `functions` belongs to row n of `tables.functions`. */
export class VirModule {
  readonly instructions = new Table(VIR_INSTRUCTION.stride, 256);
  readonly operands = new Table(1, 512);
  readonly blocks = new Table(VIR_BLOCK.stride, 64);
  readonly functions = new Table(VIR_FUNCTION.stride);
  /** What joins values and globals to each other (002 §5). A pass that moves a function's instructions moves its ends too. */
  relationships = new Relationships();
  /** Where each entity came from, when the module was lowered from HIR. */
  loweringMap: LoweringMap | undefined;
  /** Where each entity stands in the `.vir` text, when the module was read from one. */
  textPlaces: TextPlaces | undefined;

  constructor(readonly tables: ModuleTables) {}

  get functionCount(): number {
    return this.tables.functions.length;
  }

  /** A view of one function; valid until the module's tables grow. */
  function(id: FunctionId): VirFunction {
    return new VirFunction(this, id);
  }

  /** Whether a function is defined here. */
  hasBody(id: FunctionId): boolean {
    return id < this.functions.length && this.functions.get(id, VIR_FUNCTION.blockCount) > 0;
  }

  /** Where an instruction came from: in the author's source where that is known, else in the text that was read. */
  positionOf(id: FunctionId, inst: Inst): DiagnosticPosition | undefined {
    const row = this.functions.get(id, VIR_FUNCTION.firstInstruction) + inst;
    return (
      this.tables.position(this.instructions.get(row, VIR_INSTRUCTION.position) ?? NONE) ??
      this.textPlaces?.get(this.textPlaces.instructions, row) ??
      this.textPlaces?.get(this.textPlaces.nodes, this.instructions.get(row, VIR_INSTRUCTION.node) ?? NONE) ??
      this.functionPositionOf(id)
    );
  }

  /** Where a block came from, as `positionOf`. */
  blockPositionOf(id: FunctionId, block: Block): DiagnosticPosition | undefined {
    const row = this.functions.get(id, VIR_FUNCTION.firstBlock) + block;
    return (
      this.tables.position(this.blocks.get(row, VIR_BLOCK.position) ?? NONE) ??
      this.textPlaces?.get(this.textPlaces.blocks, row) ??
      this.textPlaces?.get(this.textPlaces.nodes, this.blocks.get(row, VIR_BLOCK.node) ?? NONE) ??
      this.functionPositionOf(id)
    );
  }

  /** Where a function came from, as `positionOf`. */
  functionPositionOf(id: FunctionId): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.tables.functions.get(id, FUNCTION.position) ?? NONE) ??
      this.textPlaces?.get(this.textPlaces.functions, id)
    );
  }

  /** Where a global came from, as `positionOf`. */
  globalPositionOf(id: GlobalId): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.tables.globals.get(id, GLOBAL.position) ?? NONE) ??
      this.textPlaces?.get(this.textPlaces.globals, id)
    );
  }

  /** Where a type was first written in the `.vir` text; a named one, where its line is. */
  typePositionOf(type: TypeId): DiagnosticPosition | undefined {
    return this.textPlaces?.get(this.textPlaces.types, type);
  }

  /** Where a relationship was stated, as `positionOf`. */
  relationshipPositionOf(id: RelationshipId): DiagnosticPosition | undefined {
    // The rows of a lowered module are not those of the text: HIR has relationships that leave none.
    const places = this.loweringMap === undefined ? this.textPlaces : undefined;
    return this.tables.position(this.relationships.position(id)) ?? places?.get(places.relationships, id);
  }

  /** Views of the functions that have a body, in the order of the module. */
  definedFunctions(): VirFunction[] {
    const result: VirFunction[] = [];
    for (let id = 0; id < this.functions.length; id++) {
      if (this.functions.get(id, VIR_FUNCTION.blockCount) > 0) result.push(this.function(id as FunctionId));
    }
    return result;
  }
}

/** One function of a VIR module, read by its own instruction, block and operand numbers. */
export class VirFunction {
  readonly tables: ModuleTables;
  readonly instructionCount: number;
  readonly blockCount: number;
  /** The first `parameterCount` instructions are the parameters. */
  readonly parameterCount: number;
  readonly #instructions: Int32Array;
  readonly #operands: Int32Array;
  readonly #blocks: Int32Array;
  readonly #firstInstruction: number;
  readonly #firstBlock: number;
  readonly #firstOperand: number;

  constructor(
    readonly module: VirModule,
    readonly id: FunctionId,
  ) {
    const exists = id < module.functions.length;
    const column = (offset: number) => (exists ? Math.max(0, module.functions.get(id, offset)) : 0);
    this.tables = module.tables;
    this.#firstInstruction = column(VIR_FUNCTION.firstInstruction);
    this.instructionCount = column(VIR_FUNCTION.instructionCount);
    this.#firstBlock = column(VIR_FUNCTION.firstBlock);
    this.blockCount = column(VIR_FUNCTION.blockCount);
    this.#firstOperand = column(VIR_FUNCTION.firstOperand);
    this.parameterCount = column(VIR_FUNCTION.parameterCount);
    this.#instructions = module.instructions.data;
    this.#operands = module.operands.data;
    this.#blocks = module.blocks.data;
  }

  get name(): string {
    return this.tables.functionName(this.id);
  }

  /** The function's own type. */
  get type(): TypeId {
    return this.tables.functionType(this.id);
  }

  get resultType(): TypeId {
    return this.tables.types.result(this.type);
  }

  opcode(inst: Inst): number {
    return this.#instruction(inst, VIR_INSTRUCTION.opcodeAndRegion) & OpcodeAndRegion.opcodeMask;
  }

  /** The type of an instruction's result; void when it has none. */
  instructionType(inst: Inst): TypeId {
    return this.#instruction(inst, VIR_INSTRUCTION.type) as TypeId;
  }

  aux(inst: Inst): number {
    return this.#instruction(inst, VIR_INSTRUCTION.aux);
  }

  operandCount(inst: Inst): number {
    return this.#instruction(inst, VIR_INSTRUCTION.operandCount);
  }

  /** An operand that is a value. */
  operand(inst: Inst, index: number): Value {
    return this.rawOperand(inst, index) as Value;
  }

  /** An operand that is a block: of phi, br, condbr or switch. */
  blockOperand(inst: Inst, index: number): Block {
    return this.rawOperand(inst, index) as Block;
  }

  /** An operand as the table stores it. */
  rawOperand(inst: Inst, index: number): number {
    return this.#operands[
      this.#firstOperand + this.#instruction(inst, VIR_INSTRUCTION.operandStart) + index
    ] as number;
  }

  instructionName(inst: Inst): NameId {
    return this.#instruction(inst, VIR_INSTRUCTION.name) as NameId;
  }

  instructionTraits(inst: Inst): TraitSetId {
    return this.#instruction(inst, VIR_INSTRUCTION.traits) as TraitSetId;
  }

  /** A row of the position table, or NONE. */
  instructionPosition(inst: Inst): number {
    return this.#instruction(inst, VIR_INSTRUCTION.position);
  }

  /** The HIR node that the instruction came from, or NONE. */
  instructionNode(inst: Inst): number {
    return this.#instruction(inst, VIR_INSTRUCTION.node);
  }

  /** The optimization barrier that an instruction stands in, or NONE. */
  instructionRegion(inst: Inst): number {
    return (this.#instruction(inst, VIR_INSTRUCTION.opcodeAndRegion) >>> OpcodeAndRegion.regionShift) - 1;
  }

  /** The first instruction of a block. */
  blockStart(block: Block): Inst {
    return this.#block(block, VIR_BLOCK.firstInstruction) as Inst;
  }

  /** One past the last instruction of a block. */
  blockEnd(block: Block): Inst {
    return (this.#block(block, VIR_BLOCK.firstInstruction) +
      this.#block(block, VIR_BLOCK.instructionCount)) as Inst;
  }

  /** The terminator of a block. Requires a block that is not empty. */
  terminator(block: Block): Inst {
    return (this.blockEnd(block) - 1) as Inst;
  }

  blockName(block: Block): NameId {
    return this.#block(block, VIR_BLOCK.name) as NameId;
  }

  blockPosition(block: Block): number {
    return this.#block(block, VIR_BLOCK.position);
  }

  blockTraits(block: Block): TraitSetId {
    return this.#block(block, VIR_BLOCK.traits) as TraitSetId;
  }

  blockNode(block: Block): number {
    return this.#block(block, VIR_BLOCK.node);
  }

  /** The type of an operand: of a constant or of an instruction's result. */
  valueType(value: Value): TypeId {
    if (value < NONE) return this.tables.constants.type((-2 - value) as never);
    return this.instructionType(value as number as Inst);
  }

  #instruction(inst: Inst, column: number): number {
    return this.#instructions[(this.#firstInstruction + inst) * VIR_INSTRUCTION.stride + column] as number;
  }

  #block(block: Block, column: number): number {
    return this.#blocks[(this.#firstBlock + block) * VIR_BLOCK.stride + column] as number;
  }
}
