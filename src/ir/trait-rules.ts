/** What is asked of every trait set, in HIR and VIR alike (002 §2): where a trait may sit, its payload, and what contradicts it. */

import { type DiagnosticPosition, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { type TraitHost, type TraitName, traitRow } from '../traits/trait-table.js';
import { type ConstantId, NONE, type TraitSetId, type TypeId } from './entities.js';
import type { ModuleTables } from './module-tables.js';
import { TypeKind } from './schema.js';

/** Traits that speak of where a pointer leads. */
const OF_POINTERS: ReadonlySet<TraitName> = new Set<TraitName>([
  'Restrict',
  'NoAlias',
  'ReadOnly',
  'WriteOnly',
  'NonNull',
]);

/** What carries a trait set. */
export interface TraitBearer {
  /** What it counts as; the first names it in a message where `what` does not. */
  readonly hosts: readonly TraitHost[];
  readonly what?: string;
  /** The type of its value; NONE where none is meant. */
  readonly type?: TypeId;
}

/** Checks the traits of one entity. */
export function verifyTraits(
  tables: ModuleTables,
  set: TraitSetId,
  bearer: TraitBearer,
  position: DiagnosticPosition | undefined,
  sink: DiagnosticSink,
): void {
  if (set <= 0) return;
  verifyContents(tables, set, position, sink);
  for (const { trait, a, b } of tables.traitSets.list(set)) {
    const { name, hosts, payload } = traitRow(trait);
    if (!hosts.some((host) => bearer.hosts.includes(host))) {
      const host = bearer.what ?? bearer.hosts[0] ?? 'part';
      const article = /^[aeiou]/.test(host) ? 'an' : 'a';
      sink.add(diagnostic('VCT0240', { trait: name, host: `${article} ${host}` }, position));
      continue;
    }
    const type = bearer.type ?? NONE;
    if (type === NONE) continue;
    const expected = wantedType(tables, type as TypeId, name, payload === 'range' ? [a, b] : undefined);
    if (expected === undefined) continue;
    const found = tables.types.text(type as TypeId);
    sink.add(diagnostic('VCT0241', { trait: name, expected, found: found.slice(0, 100) }, position));
  }
}

/** What the trait wants instead of a value of the type, or undefined when it can be said of one. */
function wantedType(
  tables: ModuleTables,
  type: TypeId,
  name: TraitName,
  range: readonly [number, number] | undefined,
): string | undefined {
  const { constants, types } = tables;
  if (OF_POINTERS.has(name)) return types.kind(type) === TypeKind.pointer ? undefined : 'a pointer';
  if (range === undefined) return undefined;
  if (types.kind(type) !== TypeKind.integer) return 'an integer';
  const width = BigInt(types.width(type));
  const isSigned = types.isSigned(type);
  const lowest = isSigned ? -(1n << (width - 1n)) : 0n;
  const end = isSigned ? 1n << (width - 1n) : 1n << width;
  const fits =
    constants.integerValue(range[0] as ConstantId) < end &&
    constants.integerValue(range[1] as ConstantId) > lowest;
  return fits ? undefined : 'a type that has some of its values';
}

/** The traits of a set do not contradict each other, and their payloads say something possible. */
function verifyContents(
  tables: ModuleTables,
  set: TraitSetId,
  position: DiagnosticPosition | undefined,
  sink: DiagnosticSink,
): void {
  const entries = tables.traitSets.list(set);
  const names = new Set<string>(entries.map((entry) => traitRow(entry.trait).name));
  for (const { trait, a, b } of entries) {
    const { name, payload, contradicts } = traitRow(trait);
    for (const other of contradicts) {
      if (names.has(other) && name < other)
        sink.add(diagnostic('VCT0223', { first: name, second: other }, position));
    }
    const { constants } = tables;
    const wrong = (detail: string) => sink.add(diagnostic('VCT0224', { trait: name, detail }, position));
    if (payload === 'count' && a < 1) wrong('the count is below 1');
    else if (name === 'Align' && (a & (a - 1)) !== 0) sink.add(diagnostic('VCT0253', { count: a }, position));
    if (payload === 'ordering' && a < 1) wrong('not_atomic is no ordering of an atomic access');
    if (payload === 'range') {
      const [low, high] = [a, b].map((bound) => constants.integerValue(bound as ConstantId)) as [
        bigint,
        bigint,
      ];
      if (low >= high) sink.add(diagnostic('VCT0252', { low: String(low), high: String(high) }, position));
    }
  }
}
