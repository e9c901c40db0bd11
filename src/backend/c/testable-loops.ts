/**
 * Loops whose test may stand in the head of a C loop (008/X5).
 *
 * C lets a compiler assume that a loop ends whose condition is no constant, unless it reads, writes, or touches something volatile or
 * atomic (C17 6.8.5 §6). So such a head is for loops that count towards a bound, for those of a function that comes back (`WillReturn`), and
 * for those that do one of these things in every round. All others are `while (1)` with a `break`. Linear.
 */

import { type Dominators, dominates } from '../../core/dominators.js';
import type { Graph } from '../../core/graph.js';
import {
  type Block,
  type FunctionId,
  type Inst,
  isConstantOperand,
  NONE,
  operandConstant,
} from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { Aux, ConstantKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import type { ModuleSymbols } from './symbols.js';

/** How many blocks of a loop are looked at: deep nests would be gone through once for each level. */
const MOST_BLOCKS = 64;

/** Functions of stdio.h that only work on strings. */
const WITHOUT_FILE = new Set(['sprintf', 'snprintf', 'sscanf']);

/** Per block, 1 when it heads a loop that may be tested in its head. `isCounted` says of which it is known that they end. */
export function findTestableLoops(
  view: VirFunction,
  graph: Graph,
  dominators: Dominators,
  isLoop: Uint8Array,
  isCounted: Uint8Array,
  symbols: ModuleSymbols,
): Uint8Array {
  const { tables } = view;
  if (tables.traitSets.has(tables.functionTraits(view.id), Trait.WillReturn)) return isLoop;
  const acts = actingBlocks(view, graph, symbols);
  const result = Uint8Array.from(isCounted);
  for (let header = 0; header < graph.blockCount; header++) {
    if (isLoop[header] !== 1 || result[header] === 1) continue;
    let block = lastOfEveryRound(graph, dominators, header);
    for (let left = MOST_BLOCKS; left > 0 && block !== NONE && result[header] !== 1; left--) {
      if (acts[block] === 1) result[header] = 1;
      block = block === header ? NONE : (dominators.immediate[block] as number);
    }
  }
  return result;
}

/** The last block that every round of a loop goes through: what dominates all that lead back. NONE where there are too many. */
function lastOfEveryRound(graph: Graph, dominators: Dominators, header: number): number {
  let common = NONE;
  let left = MOST_BLOCKS;
  const end = graph.predecessorStart[header + 1] as number;
  for (let edge = graph.predecessorStart[header] as number; edge < end; edge++) {
    const latch = graph.predecessors[edge] as number;
    if (!dominates(dominators, header, latch)) continue;
    if (common === NONE) common = latch;
    while (!dominates(dominators, common, latch)) {
      if (left-- === 0) return NONE;
      common = dominators.immediate[common] as number;
    }
  }
  return common;
}

/** Per block, 1 when it reads or writes a file, or touches something volatile or atomic. */
function actingBlocks(view: VirFunction, graph: Graph, symbols: ModuleSymbols): Uint8Array {
  const acts = new Uint8Array(graph.blockCount);
  for (let index = 0; index < graph.reachableCount; index++) {
    const block = graph.reversePostorder[index] as Block;
    for (let inst = view.blockStart(block); inst < view.blockEnd(block); inst++)
      if (isAction(view, inst as Inst, symbols)) acts[block] = 1;
  }
  return acts;
}

function isAction(view: VirFunction, inst: Inst, symbols: ModuleSymbols): boolean {
  switch (view.opcode(inst)) {
    case Opcode.load:
    case Opcode.store:
      return (view.aux(inst) & (Aux.orderingMask | Aux.volatile)) !== 0;
    case Opcode.atomicrmw:
    case Opcode.cmpxchg:
    case Opcode.fence:
      return true;
    case Opcode.call:
      return usesFile(view, inst, symbols);
    default:
      return false;
  }
}

/** Whether a call is of a library function that reads or writes a file. */
function usesFile(view: VirFunction, inst: Inst, symbols: ModuleSymbols): boolean {
  const callee = view.operand(inst, 0);
  const { constants } = view.tables;
  if (!isConstantOperand(callee)) return false;
  const constant = operandConstant(callee);
  if (constants.kind(constant) !== ConstantKind.functionAddress) return false;
  const id = constants.addressee(constant) as FunctionId;
  const isFile = symbols.library(id)?.header === 'stdio.h';
  return isFile && !WITHOUT_FILE.has(view.tables.functionName(id));
}
