/** Traits as LLVM attributes and metadata (009 Table 3): nothing is written that no trait asks for (009/R13). */

import type { ConstantId, TraitSetId, TypeId } from '../../ir/entities.js';
import { Strength } from '../../ir/schema.js';
import { Trait } from '../../traits/trait-table.js';
import type { ModuleState } from './module-state.js';

/** Attributes of a parameter, each followed by a space. */
export function parameterAttributes(state: ModuleState, type: TypeId, set: TraitSetId): string {
  const { traitSets, types } = state.tables;
  const has = (trait: number) => traitSets.has(set, trait);
  const words: string[] = [];
  if (types.isPointer(type)) {
    if (has(Trait.Restrict) || has(Trait.NoAlias)) words.push('noalias');
    const noWrite = has(Trait.ReadOnly) || has(Trait.NoWrite);
    const noRead = has(Trait.WriteOnly) || has(Trait.NoRead);
    if (noWrite || noRead) words.push(noWrite && noRead ? 'readnone' : noWrite ? 'readonly' : 'writeonly');
    if (has(Trait.NonNull)) words.push('nonnull');
    const align = traitSets.find(set, Trait.Align);
    if (align !== undefined) words.push(`align ${align.a}`);
  }
  const range = rangeBounds(state, type, set);
  if (range !== undefined && state.llvm >= 19)
    words.push(`range(${state.types.text(type)} ${range.low}, ${range.high})`);
  if (has(Trait.NoUndef)) words.push('noundef');
  return words.map((word) => `${word} `).join('');
}

/** Attributes of a function, each after a space, and its metadata. */
export function functionAttributes(state: ModuleState, set: TraitSetId): string {
  const { traitSets } = state.tables;
  const has = (trait: number) => traitSets.has(set, trait);
  const words = callBehaviour(state, set);
  if (has(Trait.NoRead) || has(Trait.NoWrite)) {
    const memory = has(Trait.NoRead) && has(Trait.NoWrite) ? 'none' : has(Trait.NoRead) ? 'write' : 'read';
    words.push(`memory(${memory})`);
  }
  if (has(Trait.HotPath)) words.push('hot');
  else if (has(Trait.ColdPath)) words.push('cold');
  return words.map((word) => ` ${word}`).join('');
}

/** The `!prof` of a function definition: how often it is entered, relative to the others. */
export function functionProfile(state: ModuleState, set: TraitSetId): string {
  const { traitSets } = state.tables;
  const isHot = traitSets.has(set, Trait.HotPath);
  if (!isHot && !traitSets.has(set, Trait.ColdPath)) return '';
  return ` !prof ${state.metadata.node(`!{!"function_entry_count", i64 ${isHot ? HOT_ENTRIES : 1}}`)}`;
}

const HOT_ENTRIES = 1_000_000;

/** Attributes of a call, each after a space. */
export function callAttributes(state: ModuleState, set: TraitSetId): string {
  const words = callBehaviour(state, set);
  if (state.tables.traitSets.has(set, Trait.ColdCall)) words.push('cold');
  return words.map((word) => ` ${word}`).join('');
}

/** What functions and calls have in common. Of contradicting requests, not to inline wins. */
function callBehaviour(state: ModuleState, set: TraitSetId): string[] {
  const has = (trait: number) => state.tables.traitSets.has(set, trait);
  const words: string[] = [];
  if (has(Trait.NoInline)) words.push('noinline');
  else if (has(Trait.AlwaysInline)) words.push('alwaysinline');
  else if (has(Trait.Inline)) words.push('inlinehint');
  if (has(Trait.NoReturn)) words.push('noreturn');
  else if (has(Trait.WillReturn)) words.push('willreturn');
  if (has(Trait.NoThrow)) words.push('nounwind');
  return words;
}

/** Attributes of what a call returns, each followed by a space. */
export function resultAttributes(state: ModuleState, type: TypeId, set: TraitSetId): string {
  const { traitSets, types } = state.tables;
  const words: string[] = [];
  if (types.isPointer(type)) {
    if (traitSets.has(set, Trait.NonNull)) words.push('nonnull');
    const align = traitSets.find(set, Trait.Align);
    if (align !== undefined) words.push(`align ${align.a}`);
  }
  if (traitSets.has(set, Trait.NoUndef)) words.push('noundef');
  return words.map((word) => `${word} `).join('');
}

/** `!range` of a load or call, after a comma; '' when the trait is absent or says nothing. */
export function rangeMetadata(state: ModuleState, type: TypeId, set: TraitSetId): string {
  const range = rangeBounds(state, type, set);
  if (range === undefined) return '';
  const text = state.types.text(type);
  return `, !range ${state.metadata.node(`!{${text} ${range.low}, ${text} ${range.high}}`)}`;
}

/** `!nonnull` and `!noundef` of a load, each after a comma. */
export function loadMetadata(state: ModuleState, type: TypeId, set: TraitSetId): string {
  const { traitSets, types } = state.tables;
  let text = rangeMetadata(state, type, set);
  if (types.isPointer(type) && traitSets.has(set, Trait.NonNull))
    text += `, !nonnull ${state.metadata.node('!{}')}`;
  if (traitSets.has(set, Trait.NoUndef)) text += `, !noundef ${state.metadata.node('!{}')}`;
  return text;
}

/**
 * The bounds within what the type can hold, as LLVM writes them: `high` wraps to the lowest value where it is one past the
 * highest. Undefined where the trait is absent or leaves everything or nothing, which LLVM cannot write.
 */
function rangeBounds(
  state: ModuleState,
  type: TypeId,
  set: TraitSetId,
): { readonly low: bigint; readonly high: bigint } | undefined {
  const { traitSets, types, constants } = state.tables;
  const entry = traitSets.find(set, Trait.Range);
  if (entry === undefined || !types.isInteger(type)) return undefined;
  const width = types.width(type);
  const isSigned = types.isSigned(type) && width > 1;
  const lowest = isSigned ? -(1n << BigInt(width - 1)) : 0n;
  const past = lowest + (1n << BigInt(width));
  const low = larger(constants.integerValue(entry.a as ConstantId), lowest);
  const high = smaller(constants.integerValue(entry.b as ConstantId), past);
  if (low >= high || (low === lowest && high === past)) return undefined;
  const signed = (value: bigint) => (width === 1 ? value & 1n : BigInt.asIntN(width, value));
  return { low: signed(low), high: signed(high) };
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

/** `!prof` of a conditional branch, after a comma. */
export function branchWeights(state: ModuleState, set: TraitSetId): string {
  const has = (trait: number) => state.tables.traitSets.has(set, trait);
  const isLikely = has(Trait.LikelyCall) || has(Trait.HotPath);
  const isUnlikely = has(Trait.UnlikelyCall) || has(Trait.ColdCall) || has(Trait.ColdPath);
  if (isLikely === isUnlikely) return '';
  const weights = isLikely ? 'i32 2000, i32 1' : 'i32 1, i32 2000';
  return `, !prof ${state.metadata.node(`!{!"branch_weights", ${weights}}`)}`;
}

/** A new loop node for the requests on a loop, or '' when there are none. `mayVectorize` decides whether that one is passed on. */
export function loopNode(
  state: ModuleState,
  set: TraitSetId,
  mayVectorize: (isStrong: boolean) => boolean,
): string {
  const { metadata } = state;
  const { traitSets } = state.tables;
  const hints: string[] = [];
  const vectorize = traitSets.find(set, Trait.Vectorize);
  if (vectorize !== undefined && mayVectorize(vectorize.strength === Strength.strong))
    hints.push(metadata.node('!{!"llvm.loop.vectorize.enable", i1 true}'));
  const unroll = traitSets.find(set, Trait.Unroll);
  if (unroll !== undefined) hints.push(metadata.node(`!{!"llvm.loop.unroll.count", i32 ${unroll.a}}`));
  return hints.length === 0 ? '' : metadata.distinct(hints);
}

/** The alignment of an access or object: what the trait says, else that of the type (009/R13). */
export function alignmentOf(state: ModuleState, type: TypeId, set: TraitSetId): number {
  return state.tables.traitSets.find(set, Trait.Align)?.a ?? state.layout.alignment(type);
}

/** The strongest tail-call request on a call. */
export function tailRequest(
  state: ModuleState,
  set: TraitSetId,
): { readonly word: 'tail' | 'musttail' | 'notail'; readonly isStrong: boolean } | undefined {
  const { traitSets } = state.tables;
  if (traitSets.has(set, Trait.NoTail)) return { word: 'notail', isStrong: true };
  const must = traitSets.find(set, Trait.MustTail);
  if (must !== undefined) return { word: 'musttail', isStrong: must.strength === Strength.strong };
  return traitSets.has(set, Trait.TailCall) ? { word: 'tail', isStrong: false } : undefined;
}
