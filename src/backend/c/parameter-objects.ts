/**
 * Local objects that are nothing but a parameter: C's parameters are objects of their own, so `int32_t x2 = x; g(&x2);` is `g(&x);`.
 *
 * Such an object is set first of all, in the entry block, to a parameter of the same C type that nothing else uses and that shares its
 * variable with no other value. Linear, and nothing at all in functions without local objects or without parameters.
 */

import type { Graph } from '../../core/graph.js';
import type { OutOfSsaResult } from '../../core/leave-ssa.js';
import { type Block, type Inst, NONE } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { TypeKind } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait } from '../../traits/trait-table.js';
import { type Plan, valueOperandCount } from './plan.js';

/** For each alloca that is a parameter: the parameter. The store that set it is no longer needed in the plan. */
export function takeParameterObjects(
  view: VirFunction,
  graph: Graph,
  plan: Plan,
  variables: OutOfSsaResult,
): ReadonlyMap<number, Inst> {
  const taken = new Map<number, Inst>();
  const entry = 0 as Block;
  // Where control comes back to the entry, the object would be set anew.
  if (view.parameterCount === 0 || graph.predecessorStart[1] !== graph.predecessorStart[0]) return taken;
  const uses = countUses(view);
  const seen = new Set<number>();
  for (let inst = view.blockStart(entry); inst < view.blockEnd(entry); inst++) {
    if (isSetToParameter(view, inst) && plan.isLive[inst] === 1) {
      const parameter = view.operand(inst, 0) as number as Inst;
      const object = view.operand(inst, 1) as number;
      const variable = variables.variable(view.id, parameter);
      const isAlone = uses[parameter] === 1 && variable !== NONE && plan.writes[variable] === 1;
      if (isAlone && !seen.has(object) && !hasPromise(view, parameter)) {
        taken.set(object, parameter);
        plan.isLive[inst] = 0;
      }
    }
    for (let index = valueOperandCount(view, inst) - 1; index >= 0; index--)
      seen.add(view.operand(inst, index));
  }
  return taken;
}

/** Per parameter: how many operands it is, of phis too. */
function countUses(view: VirFunction): Int32Array {
  const uses = new Int32Array(view.parameterCount);
  for (let inst = view.parameterCount; inst < view.instructionCount; inst++) {
    const isPhi = view.opcode(inst as Inst) === Opcode.phi;
    const count = isPhi ? view.operandCount(inst as Inst) : valueOperandCount(view, inst as Inst);
    for (let index = 0; index < count; index += isPhi ? 2 : 1) {
      const operand = view.operand(inst as Inst, index) as number;
      if (operand >= 0 && operand < uses.length) (uses[operand] as number)++;
    }
  }
  return uses;
}

/** Whether the instruction is a plain store of a parameter to a whole local object of its type, that is no array. */
function isSetToParameter(view: VirFunction, inst: Inst): boolean {
  if (view.opcode(inst) !== Opcode.store || view.aux(inst) > 0) return false;
  const value = view.operand(inst, 0) as number;
  const object = view.operand(inst, 1) as number;
  if (value < 0 || value >= view.parameterCount || object < 0) return false;
  if (view.opcode(object as Inst) !== Opcode.alloca) return false;
  const type = view.instructionType(value as Inst);
  return view.aux(object as Inst) === type && view.tables.types.kind(type) !== TypeKind.array;
}

/** Whether C is told something of the parameter that need not hold for what the object becomes. */
function hasPromise(view: VirFunction, parameter: Inst): boolean {
  const traits = view.instructionTraits(parameter);
  const { traitSets } = view.tables;
  return traitSets.has(traits, Trait.Restrict) || traitSets.has(traits, Trait.NoAlias);
}
