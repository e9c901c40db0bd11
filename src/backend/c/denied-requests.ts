/**
 * Strong requests that the dialect has no words for (008/R13): an error where they stand, for a strong request is never denied in
 * silence. Those on loops are refused where the loop is written, and `MustTail!` where the call is (008/R28).
 */

import { fail } from '../../diag/diagnostic.js';
import type { Dialect } from '../../ir/config.js';
import type { Inst, TraitSetId } from '../../ir/entities.js';
import { Opcode } from '../../ir/opcodes.js';
import { Linkage, Strength } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import { Trait, traitRow } from '../../traits/trait-table.js';

/** Requests that a call has no construct for: what a callee is, its definition says. */
const OF_CALLS: readonly number[] = [
  Trait.Inline,
  Trait.AlwaysInline,
  Trait.NoInline,
  Trait.TailCall,
  Trait.NoTail,
  Trait.ColdCall,
  Trait.LikelyCall,
  Trait.UnlikelyCall,
];

/** Requests that are attributes of functions, and those that are hints of branches. */
const OF_FUNCTIONS: readonly number[] = [Trait.AlwaysInline, Trait.NoInline, Trait.HotPath, Trait.ColdPath];
const OF_BRANCHES: readonly number[] = [
  Trait.LikelyCall,
  Trait.UnlikelyCall,
  Trait.ColdCall,
  Trait.HotPath,
  Trait.ColdPath,
];

/** Fails with VCT0705 at the first strong request of a function that the dialect cannot express. Linear in its instructions. */
export function refuseDeniedRequests(view: VirFunction, dialect: Dialect): void {
  const { tables } = view;
  const isInternal = tables.functionLinkage(view.id) === Linkage.internal;
  const ofFunction = dialect === 'c17' ? OF_FUNCTIONS : isInternal ? [] : [Trait.AlwaysInline];
  const denied = [...ofFunction, ...(isInternal ? [] : [Trait.Inline])];
  const own = strongRequest(view, tables.functionTraits(view.id), denied);
  if (own !== undefined)
    refuse(own, `function @${view.name}`, dialect, view.module.functionPositionOf(view.id));
  for (let inst = view.parameterCount as Inst; inst < view.instructionCount; inst++) {
    const traits = view.instructionTraits(inst);
    if (traits <= 0) continue;
    const opcode = view.opcode(inst);
    if (opcode !== Opcode.call && (opcode !== Opcode.condbr || dialect !== 'c17')) continue;
    const trait = strongRequest(view, traits, opcode === Opcode.call ? OF_CALLS : OF_BRANCHES);
    if (trait === undefined) continue;
    const what = opcode === Opcode.call ? 'this call' : 'this branch';
    refuse(trait, what, dialect, view.module.positionOf(view.id, inst));
  }
}

function strongRequest(view: VirFunction, set: TraitSetId, denied: readonly number[]): number | undefined {
  if (set <= 0) return undefined;
  const entries = view.tables.traitSets.list(set);
  return entries.find(({ trait, strength }) => strength === Strength.strong && denied.includes(trait))?.trait;
}

function refuse(trait: number, what: string, dialect: Dialect, position: Parameters<typeof fail>[2]): never {
  return fail('VCT0705', { trait: traitRow(trait).name, what, dialect }, position);
}
