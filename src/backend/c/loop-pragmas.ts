/**
 * What the requests on a loop become in C (008 Table 1): lines right before it.
 *
 * GCC has no word for "worth vectorizing": `ivdep` promises that iterations are independent, which no trait says. Plain C17 has no words
 * at all. A weak request is then denied in silence, a strong one is VCT0705 (008/R13).
 */

import type { Graph } from '../../core/graph.js';
import { refuseVectorize } from '../../core/vectorizable-loops.js';
import { fail } from '../../diag/diagnostic.js';
import { type Block, NONE, type TraitSetId } from '../../ir/entities.js';
import { Strength } from '../../ir/schema.js';
import type { VirFunction } from '../../ir/vir-module.js';
import type { TraitEntry } from '../../traits/trait-sets.js';
import { Trait, traitRow } from '../../traits/trait-table.js';
import type { Unit } from './unit.js';
import type { ValueWriter } from './value-writer.js';

/** GCC takes no larger number. */
const MOST_ROUNDS = 65534;

/** Clang warns, even of what it was only asked, when a loop cannot be changed; guarded, so that other compilers read past it. */
const SILENCE = `#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#endif`;

/** The lines before the loop of a header; '' where nothing is asked. */
export function loopPragmas(values: ValueWriter, graph: Graph, header: Block): string {
  const { view, dialect, unit } = values;
  const requests = [Trait.Vectorize, Trait.Unroll]
    .flatMap((trait) => requestOf(view, graph, header, trait))
    .filter((request) => request.trait !== Trait.Vectorize || mayVectorize(values, header, request));
  if (dialect === 'clang') return clangPragma(unit, requests);
  const lines: string[] = [];
  for (const request of requests) {
    const isSaid = dialect === 'gcc' && request.trait === Trait.Unroll && request.a <= MOST_ROUNDS;
    if (isSaid) lines.push(`#pragma GCC unroll ${request.a}`);
    else if (request.strength === Strength.strong) refuse(view, header, request.trait, dialect);
  }
  return lines.join('\n');
}

/** Whether the loop may be asked to be vectorized without that its results change. */
function mayVectorize(values: ValueWriter, header: Block, { strength }: TraitEntry): boolean {
  if (values.vectorizable.keepsResults(header)) return true;
  return strength === Strength.strong ? refuseVectorize(values.view, header) : false;
}

function clangPragma(unit: Unit, requests: readonly TraitEntry[]): string {
  if (requests.length === 0) return '';
  unit.helpers.set('silence', SILENCE);
  const words = requests.map(({ trait, a }) =>
    trait === Trait.Vectorize ? 'vectorize(enable)' : `unroll_count(${a})`,
  );
  return `#pragma clang loop ${words.join(' ')}`;
}

/** The request as it stands on the header, or on a branch back to it. */
function requestOf(view: VirFunction, graph: Graph, header: Block, trait: number): readonly TraitEntry[] {
  const { traitSets } = view.tables;
  const find = (set: TraitSetId) => traitSets.find(set, trait);
  const own = find(view.blockTraits(header));
  if (own !== undefined) return [own];
  const { predecessors, predecessorStart, reversePostorderIndex } = graph;
  const end = predecessorStart[header + 1] as number;
  for (let at = predecessorStart[header] as number; at < end; at++) {
    const block = predecessors[at] as Block;
    const place = reversePostorderIndex[block] as number;
    if (place === NONE || place < (reversePostorderIndex[header] as number)) continue;
    const found = find(view.instructionTraits(view.terminator(block)));
    if (found !== undefined) return [found];
  }
  return [];
}

function refuse(view: VirFunction, header: Block, trait: number, dialect: string): never {
  const values = { trait: traitRow(trait).name, what: 'this loop', dialect };
  return fail('VCT0705', values, view.module.blockPositionOf(view.id, header));
}
