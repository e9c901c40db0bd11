/** Interned sets of traits: an entity carries one number, and equal sets are the same number. */

import type { TraitSetId } from '../ir/entities.js';
import { Strength, TRAIT_ENTRY, TRAIT_SET } from '../ir/schema.js';
import { Table } from '../ir/table.js';
import { traitRow } from './trait-table.js';

/** One trait of a set. */
export interface TraitEntry {
  /** A number of the trait table. */
  readonly trait: number;
  /** Payload, as the trait's payload kind lays it out; NONE where it has none. */
  readonly a: number;
  readonly b: number;
  readonly strength: Strength;
}

/** The empty set. */
export const NO_TRAITS = 0 as TraitSetId;

/** An entry with its payload; a request is weak unless it says otherwise. */
export function traitEntry(trait: number, a = -1, b = -1, strength?: Strength): TraitEntry {
  const usual = traitRow(trait).kind === 'request' ? Strength.weak : Strength.fact;
  return { trait, a, b, strength: strength ?? usual };
}

/** The trait sets of one module. */
export class TraitSetTable {
  readonly rows = new Table(TRAIT_SET.stride, 16);
  readonly entries = new Table(TRAIT_ENTRY.stride, 16);
  readonly #ids = new Map<string, TraitSetId>();

  constructor() {
    this.intern([]);
  }

  get length(): number {
    return this.rows.length;
  }

  /** The set of these entries, in the order of the trait table; of two entries of one trait the later one counts. */
  intern(entries: readonly TraitEntry[]): TraitSetId {
    const byTrait = new Map<number, TraitEntry>();
    for (const entry of entries) byTrait.set(entry.trait, entry);
    const sorted = [...byTrait.values()].sort((left, right) => left.trait - right.trait);
    const key = sorted.map((entry) => `${entry.trait},${entry.a},${entry.b},${entry.strength}`).join(';');
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const id = this.#append(sorted);
    this.#ids.set(key, id);
    return id;
  }

  /** The set with one entry added or replaced. */
  with(set: TraitSetId, entry: TraitEntry): TraitSetId {
    return this.intern([...this.list(set), entry]);
  }

  /** Whether the set holds the trait. */
  has(set: TraitSetId, trait: number): boolean {
    return this.find(set, trait) !== undefined;
  }

  /** The entry of a trait in the set. */
  find(set: TraitSetId, trait: number): TraitEntry | undefined {
    if (set <= 0) return undefined;
    return this.list(set).find((entry) => entry.trait === trait);
  }

  /** The entries of a set, in the order of the trait table. NONE counts as the empty set. */
  list(set: TraitSetId): readonly TraitEntry[] {
    if (set <= 0) return [];
    const first = this.rows.get(set, TRAIT_SET.firstEntry);
    const count = this.rows.get(set, TRAIT_SET.entryCount);
    const result: TraitEntry[] = [];
    // A forged set may name rows that are not there; who prints or explains it must come to an end all the same.
    const end = Math.min(first + count, this.entries.length);
    for (let row = Math.max(first, 0); row < end; row++) {
      result.push({
        trait: this.entries.get(row, TRAIT_ENTRY.trait),
        a: this.entries.get(row, TRAIT_ENTRY.a),
        b: this.entries.get(row, TRAIT_ENTRY.b),
        strength: this.entries.get(row, TRAIT_ENTRY.strength) as Strength,
      });
    }
    return result;
  }

  #append(entries: readonly TraitEntry[]): TraitSetId {
    const first = this.entries.length;
    let mask = 0;
    for (const entry of entries) {
      const row = this.entries.append();
      this.entries.data.set([entry.trait, entry.a, entry.b, entry.strength], row * TRAIT_ENTRY.stride);
      if (entry.trait < 32) mask |= 1 << entry.trait;
    }
    const set = this.rows.append();
    this.rows.data.set([mask, first, entries.length], set * TRAIT_SET.stride);
    return set as TraitSetId;
  }
}
