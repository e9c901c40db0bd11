/**
 * Which loops may be asked to be vectorized (002 §6): those whose results do not depend on the order of their rounds.
 *
 * LLVM takes the request for a licence to sum floats in another order, and so gives another sum. So a loop is asked only when it has no
 * float arithmetic, or none of it can reach the next round: no float or aggregate phi at its head, no store to an address that is the same
 * in every round, no float taken for an integer, and no call that might write. Loops around others are not asked: nobody vectorizes
 * them. Linear in the function, once.
 */

import { fail } from '../diag/diagnostic.js';
import {
  type Block,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
  type Value,
} from '../ir/entities.js';
import { Opcode, opcodeRow } from '../ir/opcodes.js';
import { ConstantKind } from '../ir/schema.js';
import type { VirFunction } from '../ir/vir-module.js';
import { Trait } from '../traits/trait-table.js';
import { readFunctionRows } from './function-rows.js';
import { buildGraph, type Graph, makeGraph } from './graph.js';
import { computeLoops, type Loops, makeLoops } from './loops.js';

/** The loops of one function; nothing is computed before the first question. */
export class VectorizableLoops {
  #loops: Loops | undefined;
  /** The blocks of the innermost loops, by header. */
  #blocks = new Map<number, Block[]>();

  constructor(readonly view: VirFunction) {}

  /** Whether the loop of the header gives the same in whatever order its rounds are summed. */
  keepsResults(header: Block): boolean {
    this.#loops ??= this.#findLoops();
    const blocks = this.#blocks.get(header);
    return blocks !== undefined && isFreeOfOrder(this.view, header, blocks);
  }

  #findLoops(): Loops {
    const { view } = this;
    const { instructions, operands, blocks, functions } = view.module;
    const tables = {
      instructions: instructions.data,
      operands: operands.data,
      blocks: blocks.data,
      functions: functions.data,
    };
    const rows = readFunctionRows(tables, view.id);
    const graph: Graph = makeGraph(rows.blockCount, rows.operandCount + 1);
    buildGraph(graph, tables, rows);
    const loops = makeLoops(rows.blockCount);
    computeLoops(loops, graph);
    const holdsLoop = new Uint8Array(rows.blockCount);
    for (let block = 0; block < rows.blockCount; block++) {
      const outer = loops.outer[block] as number;
      if (loops.isHeader[block] === 1 && outer !== NONE) holdsLoop[outer] = 1;
    }
    for (let block = 0 as Block; block < rows.blockCount; block++) {
      const header = loops.isHeader[block] === 1 ? block : (loops.outer[block] as number);
      if (header === NONE || holdsLoop[header] === 1 || loops.isIrreducible[header] === 1) continue;
      const known = this.#blocks.get(header);
      if (known === undefined) this.#blocks.set(header, [block]);
      else known.push(block);
    }
    return loops;
  }
}

/** Says that a strong request to vectorize is denied. */
export function refuseVectorize(view: VirFunction, header: Block): never {
  return fail('VCT0254', {}, view.module.blockPositionOf(view.id, header));
}

/** Whether no float that the loop computes can reach its next round. */
function isFreeOfOrder(view: VirFunction, header: Block, blocks: readonly Block[]): boolean {
  const { types } = view.tables;
  let hasFloats = false;
  let carries = false;
  const changing = changingValues(view, header, blocks);
  for (const block of blocks) {
    for (let inst = view.blockStart(block) as Inst; inst < view.blockEnd(block); inst++) {
      const type = view.instructionType(inst);
      const opcode = view.opcode(inst);
      if (types.isFloat(type) && opcodeRow(opcode).class.startsWith('float')) hasFloats = true;
      switch (opcode) {
        case Opcode.call:
          if (!isSilent(view, view.operand(inst, 0))) return false;
          break;
        case Opcode.phi:
          if (block === header && !types.isInteger(type) && !types.isPointer(type)) carries = true;
          break;
        case Opcode.bitcast:
          if (types.isFloat(view.valueType(view.operand(inst, 0)))) carries = true;
          break;
        case Opcode.store:
          if (!changing.has(view.operand(inst, 1))) carries = true;
          break;
        default:
      }
    }
  }
  return !(hasFloats && carries);
}

/**
 * The values of a loop that differ from round to round: the phis at its head, and what is made from them. One pass in the order of
 * the blocks; what a later block defines is taken for the same in every round, and then the loop is not asked.
 */
function changingValues(view: VirFunction, header: Block, blocks: readonly Block[]): ReadonlySet<Value> {
  const changing = new Set<Value>();
  for (const block of blocks) {
    for (let inst = view.blockStart(block) as Inst; inst < view.blockEnd(block); inst++) {
      const isCounter = block === header && view.opcode(inst) === Opcode.phi;
      if (isCounter || usesOne(view, inst, changing)) changing.add(inst as number as Value);
    }
  }
  return changing;
}

function usesOne(view: VirFunction, inst: Inst, values: ReadonlySet<Value>): boolean {
  for (let index = 0; index < view.operandCount(inst); index++)
    if (values.has(view.operand(inst, index))) return true;
  return false;
}

/** Whether a callee is known to write nothing that its caller can see. */
function isSilent(view: VirFunction, callee: Value): boolean {
  if (!isConstantOperand(callee)) return false;
  const { constants, traitSets } = view.tables;
  const constant = operandConstant(callee);
  if (constants.kind(constant) !== ConstantKind.functionAddress) return false;
  return traitSets.has(view.tables.functionTraits(constants.addressee(constant) as never), Trait.NoWrite);
}
