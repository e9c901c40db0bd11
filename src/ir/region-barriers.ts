/**
 * Where a back end puts the barriers of regions (005/L-35, 008/R14). Each instruction has the number of its region; where control goes from
 * one number to another, in a block or over an edge, there is a barrier. So a region has one at every way in and out, and so has one within
 * another: a barrier between two regions serves both, and nobody needs to know which region is around which.
 *
 * On an edge the barrier stands at the head of the block that it leads to; other edges into that block then pass it too. Linear.
 */

import { Trait } from '../traits/trait-table.js';
import { type Block, type Inst, NONE } from './entities.js';
import { Opcode } from './opcodes.js';
import type { VirFunction } from './vir-module.js';

/** Per instruction, 1 when a barrier stands before it; undefined when the function has no region. */
export function regionBarriers(view: VirFunction): Uint8Array | undefined {
  if (!hasRegions(view)) return undefined;
  const barriers = new Uint8Array(view.instructionCount);
  const heads = new Int32Array(view.blockCount);
  for (let index = 0; index < view.blockCount; index++) {
    const block = index as Block;
    heads[block] = firstOrdinary(view, block);
    let region = view.instructionRegion(heads[block] as Inst);
    for (let inst = (heads[block] as number) + 1; inst < view.blockEnd(block); inst++) {
      const next = view.instructionRegion(inst as Inst);
      if (next !== region) barriers[inst] = 1;
      region = next;
    }
  }
  if (view.instructionRegion(heads[0] as Inst) !== NONE) barriers[heads[0] as number] = 1;
  for (let index = 0; index < view.blockCount; index++) markWaysOut(view, index as Block, heads, barriers);
  return barriers;
}

function hasRegions(view: VirFunction): boolean {
  for (let inst = 0; inst < view.instructionCount; inst++)
    if (view.instructionRegion(inst as Inst) !== NONE) return true;
  return false;
}

/** The first instruction of a block that is neither a phi nor a slot. */
function firstOrdinary(view: VirFunction, block: Block): number {
  let inst = view.blockStart(block) as number;
  while (view.opcode(inst as Inst) === Opcode.phi || view.opcode(inst as Inst) === Opcode.alloca) inst++;
  return inst;
}

/** The barriers of the edges out of a block, and that of a return within a region. */
function markWaysOut(view: VirFunction, block: Block, heads: Int32Array, barriers: Uint8Array): void {
  const terminator = view.terminator(block);
  const region = view.instructionRegion(terminator);
  const opcode = view.opcode(terminator);
  if (opcode === Opcode.ret) {
    const isWayOut = region !== NONE || barriers[terminator] === 1;
    if (!isWayOut) return;
    barriers[terminator] = 1;
    // A tail call and its return must not be parted.
    const before = (terminator - 1) as Inst;
    if (terminator > (heads[block] as number) && isTailCall(view, before)) {
      barriers[terminator] = 0;
      barriers[before] = 1;
    }
    return;
  }
  const first = opcode === Opcode.br ? 0 : 1;
  const step = opcode === Opcode.switch ? 2 : 1;
  if (opcode === Opcode.unreachable) return;
  for (let index = first; index < view.operandCount(terminator); index += step) {
    const head = heads[view.blockOperand(terminator, index)] as number;
    if (view.instructionRegion(head as Inst) !== region) barriers[head] = 1;
  }
}

function isTailCall(view: VirFunction, inst: Inst): boolean {
  if (view.opcode(inst) !== Opcode.call) return false;
  const { traitSets } = view.tables;
  const traits = view.instructionTraits(inst);
  return traitSets.has(traits, Trait.MustTail) || traitSets.has(traits, Trait.TailCall);
}
