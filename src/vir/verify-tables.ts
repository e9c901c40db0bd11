/**
 * Whether the tables of a VIR module can be read at all (006/WF-1): every index in range, every row of a known kind, and no type
 * or constant within itself. Everything behind this check may follow any index without asking. Linear in the tables.
 */

import { type Diagnostic, DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { NONE } from '../ir/entities.js';
import { OPCODES, Opcode, opcodeRow } from '../ir/opcodes.js';
import { virEndRules } from '../ir/relationship-ends.js';
import { relationshipTableFaults } from '../ir/relationship-rules.js';
import { OpcodeAndRegion, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import { isRange, isWhole, type ReportTableFault, sharedTableFaults } from '../ir/shared-table-faults.js';
import type { Table } from '../ir/table.js';
import type { VirModule } from '../ir/vir-module.js';

/** How many faults of the tables are reported: one forged row often makes many. */
export const TABLE_FAULT_LIMIT = 20;

/** What is wrong with the tables; empty when they can be read. */
export function tableFaults(module: VirModule): readonly Diagnostic[] {
  const sink = new DiagnosticSink(TABLE_FAULT_LIMIT);
  const report = (table: string, row: number, detail: string) =>
    sink.add(diagnostic('VCT0201', { table, row, detail }));
  for (const [name, table] of Object.entries(ownTables(module))) {
    if (!isWhole(table)) report(name, table.length, 'it ends inside a row');
  }
  if (sink.hasErrors) return sink.diagnostics;
  sharedTableFaults(module.tables, report);
  if (!sink.hasErrors) new FunctionTables(module, report).check();
  if (!sink.hasErrors)
    relationshipTableFaults(module.tables, module.relationships, virEndRules(module), report);
  return sink.diagnostics;
}

function ownTables(module: VirModule): Readonly<Record<string, Table>> {
  const { instructions, operands, blocks, functions } = module;
  return { instruction: instructions, operand: operands, block: blocks, function: functions };
}

/** The rows of one function. */
interface FunctionRange {
  readonly firstInstruction: number;
  readonly instructionCount: number;
  readonly firstBlock: number;
  readonly blockCount: number;
  readonly firstOperand: number;
  readonly operandCount: number;
  readonly parameterCount: number;
}

/** Checks the four tables that only VIR has. */
class FunctionTables {
  constructor(
    readonly module: VirModule,
    readonly report: ReportTableFault,
  ) {}

  check(): void {
    const { module } = this;
    const free = {
      instructions: module.instructions.length,
      blocks: module.blocks.length,
      operands: module.operands.length,
    };
    if (module.functions.length > module.functionCount) {
      this.report('function', module.functionCount, 'there is no function of that number');
      return;
    }
    for (let id = 0; id < module.functions.length; id++) {
      const range = this.#range(id);
      if (!this.#isPlausible(range)) {
        if (!this.report('function', id, 'its rows lie outside the tables')) return;
        continue;
      }
      // Functions share no rows, or a small forged module could claim endless work.
      free.instructions -= range.instructionCount;
      free.blocks -= range.blockCount;
      free.operands -= range.operandCount;
      if (free.instructions < 0 || free.blocks < 0 || free.operands < 0) {
        this.report('function', id, 'it shares rows with another function');
        return;
      }
      this.#checkInstructions(range);
      this.#checkBlocks(range);
    }
  }

  #range(id: number): FunctionRange {
    const { functions } = this.module;
    const column = (offset: number) => functions.get(id, offset);
    return {
      firstInstruction: column(VIR_FUNCTION.firstInstruction),
      instructionCount: column(VIR_FUNCTION.instructionCount),
      firstBlock: column(VIR_FUNCTION.firstBlock),
      blockCount: column(VIR_FUNCTION.blockCount),
      firstOperand: column(VIR_FUNCTION.firstOperand),
      operandCount: column(VIR_FUNCTION.operandCount),
      parameterCount: column(VIR_FUNCTION.parameterCount),
    };
  }

  #isPlausible(range: FunctionRange): boolean {
    const { module } = this;
    return (
      isRange(range.firstInstruction, range.instructionCount, module.instructions.length) &&
      isRange(range.firstBlock, range.blockCount, module.blocks.length) &&
      isRange(range.firstOperand, range.operandCount, module.operands.length) &&
      isRange(0, range.parameterCount, range.instructionCount)
    );
  }

  #checkInstructions(range: FunctionRange): void {
    let operands = 0;
    for (let inst = 0; inst < range.instructionCount; inst++) {
      let fault = this.#instructionFault(range, inst);
      if (fault === undefined) {
        operands += this.module.instructions.get(range.firstInstruction + inst, VIR_INSTRUCTION.operandCount);
        // Else the size of the operand table would bound no work that is done for each operand.
        if (operands > range.operandCount) fault = 'operands that other instructions have too';
      }
      if (fault !== undefined && !this.report('instruction', range.firstInstruction + inst, fault)) return;
    }
  }

  #instructionFault(range: FunctionRange, inst: number): string | undefined {
    const { module } = this;
    const { tables } = module;
    const row = range.firstInstruction + inst;
    const column = (offset: number) => module.instructions.get(row, offset);
    const word = column(VIR_INSTRUCTION.opcodeAndRegion);
    const opcode = word & OpcodeAndRegion.opcodeMask;
    if (opcode >= OPCODES.length) return `opcode ${opcode}`;
    if (word < 0) return `region ${(word >>> OpcodeAndRegion.regionShift) - 1}`;
    if ((opcode === Opcode.param) !== inst < range.parameterCount) return 'a param among other instructions';
    const type = column(VIR_INSTRUCTION.type);
    if (type < 0 || type >= tables.types.length) return `type ${type}`;
    const name = column(VIR_INSTRUCTION.name);
    if (name < NONE || name >= tables.names.length) return `name ${name}`;
    const position = column(VIR_INSTRUCTION.position);
    if (position < NONE || position >= tables.positions.length) return `position ${position}`;
    const traits = column(VIR_INSTRUCTION.traits);
    if (traits < NONE || traits >= tables.traitSets.length) return `trait set ${traits}`;
    const kind = opcodeRow(opcode).aux;
    const aux = column(VIR_INSTRUCTION.aux);
    if ((kind === 'type' || kind === 'functionType') && (aux < 0 || aux >= tables.types.length)) {
      return `type ${aux} in aux`;
    }
    return this.#operandFault(
      range,
      opcode,
      column(VIR_INSTRUCTION.operandStart),
      column(VIR_INSTRUCTION.operandCount),
    );
  }

  #operandFault(range: FunctionRange, opcode: number, start: number, count: number): string | undefined {
    if (!isRange(start, count, range.operandCount)) return 'operands outside the table';
    if (!isArity(opcode, count)) return `${count} operands`;
    const { module } = this;
    for (let index = 0; index < count; index++) {
      const operand = module.operands.get(range.firstOperand + start + index, 0);
      if (isBlockOperand(opcode, index)) {
        if (operand < 0 || operand >= range.blockCount) return `block ${operand} as operand ${index}`;
      } else if (operand >= range.instructionCount || -2 - operand >= module.tables.constants.length) {
        return `value ${operand} as operand ${index}`;
      }
    }
    return undefined;
  }

  /** Every instruction but the parameters stands in one block. */
  #checkBlocks(range: FunctionRange): void {
    const { blocks, tables } = this.module;
    let next = range.parameterCount;
    for (let block = 0; block < range.blockCount; block++) {
      const row = range.firstBlock + block;
      const first = blocks.get(row, VIR_BLOCK.firstInstruction);
      const count = blocks.get(row, VIR_BLOCK.instructionCount);
      if (first !== next || !isRange(first, count, range.instructionCount)) {
        this.report('block', row, 'its instructions do not follow those of the block before');
        return;
      }
      next += count;
      const name = blocks.get(row, VIR_BLOCK.name);
      const position = blocks.get(row, VIR_BLOCK.position);
      const traits = blocks.get(row, VIR_BLOCK.traits);
      const isGood =
        name >= NONE &&
        name < tables.names.length &&
        position >= NONE &&
        position < tables.positions.length &&
        traits >= NONE &&
        traits < tables.traitSets.length;
      if (!isGood && !this.report('block', row, 'a name, position or trait set that is not there')) return;
    }
    if (next !== range.instructionCount) {
      this.report('instruction', range.firstInstruction + next, 'it stands in no block');
    }
  }
}

/** Whether an opcode whose operands have different meanings has a possible number of them. */
function isArity(opcode: number, count: number): boolean {
  switch (opcode) {
    case Opcode.param:
      return count === 0;
    case Opcode.phi:
      return count % 2 === 0;
    case Opcode.br:
      return count === 1;
    case Opcode.condbr:
      return count === 3;
    case Opcode.switch:
      return count >= 2 && count % 2 === 0;
    case Opcode.ret:
      return count <= 1;
    case Opcode.unreachable:
      return count === 0;
    default:
      return true;
  }
}

/** Whether the operand at that place names a block. */
export function isBlockOperand(opcode: number, index: number): boolean {
  switch (opcode) {
    case Opcode.phi:
      return index % 2 === 1;
    case Opcode.br:
      return true;
    case Opcode.condbr:
      return index > 0;
    case Opcode.switch:
      return index % 2 === 1;
    default:
      return false;
  }
}
