/** Traits as a language author writes them: `traits.NonNull`, `traits.Align(8)`, `traits.AlwaysInline.strong`. */

import { fail } from '../../diag/diagnostic.js';
import type { TraitSetId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { ORDERINGS, type Ordering, Strength } from '../../ir/schema.js';
import { NO_TRAITS, traitEntry } from '../../traits/trait-sets.js';
import { TRAITS, type TraitHost, type TraitName, traitRow } from '../../traits/trait-table.js';
import { callSite } from './call-site.js';
import { wanted } from './given.js';

/** A trait with its payload, ready to sit on something. */
export interface TraitUse {
  readonly trait: number;
  readonly strength: Strength | undefined;
  /** A count, an ordering, or the two ends of a range. */
  readonly payload: readonly (number | bigint)[];
}

/** A request: weak as it stands, and `strong` when it may not be denied. */
export interface RequestUse extends TraitUse {
  readonly strong: TraitUse;
}

type RowOf<Name extends TraitName> = Extract<(typeof TRAITS)[number], { readonly name: Name }>;

type UseOf<Name extends TraitName> = RowOf<Name> extends { readonly kind: 'request' } ? RequestUse : TraitUse;

/** Traits with a payload are functions of it; the names are those of the trait table. */
type Traits = {
  readonly [Name in TraitName]: Name extends 'Align' | 'Unroll'
    ? (count: number) => UseOf<Name>
    : Name extends 'Range'
      ? (low: number | bigint, high: number | bigint) => TraitUse
      : Name extends 'isAtomic'
        ? (ordering: Ordering) => TraitUse
        : UseOf<Name>;
};

/** Every trait of the trait table. */
export const traits: Traits = Object.freeze(
  Object.fromEntries(
    TRAITS.map((row, trait) => {
      const use = (...payload: readonly (number | bigint)[]) => traitUse(trait, payload);
      switch (row.payload as string) {
        case 'count':
        case 'range':
          return [row.name, use];
        case 'ordering':
          return [row.name, (ordering: Ordering) => use(ORDERINGS.indexOf(ordering))];
        default:
          return [row.name, use()];
      }
    }),
  ),
) as unknown as Traits;

function traitUse(trait: number, payload: readonly (number | bigint)[]): RequestUse {
  const strong = { trait, strength: Strength.strong, payload };
  return { trait, strength: undefined, payload, strong };
}

/** The set of these traits, each of which must be allowed on one of the hosts. */
export function traitSet(
  tables: ModuleTables,
  uses: readonly TraitUse[] | undefined,
  hosts: readonly TraitHost[],
): TraitSetId {
  if (uses === undefined || uses.length === 0) return NO_TRAITS;
  if (!Array.isArray(uses)) wanted('traits', 'a list such as `[traits.NoThrow]`', uses);
  const entries = uses.map((use) => {
    if (traitRowOf(use) === undefined)
      wanted('traits', 'traits such as `traits.NoThrow` or `traits.Align(8)`', use);
    const row = traitRow(use.trait);
    if (!row.hosts.some((host) => hosts.includes(host)))
      fail('VCT0304', { trait: row.name, host: hosts[0] ?? 'this' }, callSite());
    const clash = uses.find((other) => row.contradicts.includes(traitRow(other.trait).name));
    if (clash !== undefined)
      fail('VCT0305', { trait: row.name, other: traitRow(clash.trait).name }, callSite());
    const [a, b] = payloadWords(tables, use);
    return traitEntry(use.trait, a, b, use.strength);
  });
  return tables.traitSets.intern(entries);
}

/** The row of what may be no trait at all. */
function traitRowOf(use: unknown): unknown {
  return typeof use === 'object' && use !== null ? TRAITS[(use as TraitUse).trait] : undefined;
}

function payloadWords(tables: ModuleTables, use: TraitUse): readonly [number, number] {
  const row = traitRow(use.trait);
  const [first = -1, second = -1] = use.payload;
  if (row.payload === 'range') {
    const { constants, types } = tables;
    const bounds = [first, second].map((bound) => (isWhole(bound) ? BigInt(bound) : undefined));
    const [low, high] = bounds;
    const isWide = low === undefined || high === undefined || BigInt.asIntN(64, low) !== low;
    if (isWide || BigInt.asIntN(64, high) !== high)
      wrongPayload(row.name, `Range(${first}, ${second}) is no range of 64-bit integers`);
    if (low >= high) fail('VCT0252', { low: String(low), high: String(high) }, callSite());
    return [constants.integer(types.i64, low), constants.integer(types.i64, high)];
  }
  if (row.payload === 'count' && !(Number.isInteger(first) && first > 0 && first < 2 ** 31))
    fail('VCT0306', { trait: row.name, found: String(first) }, callSite());
  if (row.name === 'Align' && (Number(first) & (Number(first) - 1)) !== 0)
    fail('VCT0253', { count: Number(first) }, callSite());
  if (row.payload === 'ordering' && !(Number(first) > 0))
    wrongPayload(row.name, 'it wants the ordering of an atomic access, such as seq_cst');
  return [Number(first), -1];
}

function isWhole(value: number | bigint): boolean {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

function wrongPayload(trait: string, detail: string): never {
  fail('VCT0224', { trait, detail }, callSite());
}
