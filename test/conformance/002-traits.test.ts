/** The trait table and the sets of traits (002). */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseVir, printVir } from '../../src/index.js';
import { Strength } from '../../src/ir/schema.js';
import { NO_TRAITS, TraitSetTable, traitEntry } from '../../src/traits/trait-sets.js';
import { STRUCTURAL_TRAITS, TRAITS, Trait, type TraitRow } from '../../src/traits/trait-table.js';

const ROWS: readonly TraitRow[] = TRAITS;

/** A trait as the text forms write it. */
function written(row: TraitRow): string {
  const payload = { none: '', count: '(8)', range: '(0, 100)', ordering: '(seq_cst)' }[row.payload];
  return row.name + payload;
}

test('002/T-1 the table lists each trait once, and what it contradicts is in the table', () => {
  const names = ROWS.map((row) => row.name);
  expect(new Set(names).size).toBe(names.length);
  for (const row of ROWS) {
    for (const other of row.contradicts) expect(names, row.name).toContain(other);
    expect(row.summary, row.name).not.toBe('');
    expect(row.hosts.length, row.name).toBeGreaterThan(0);
  }
});

/** What 005, 008 and 009 name. */
const NAMED =
  `ty isAddressed escapes isRuntimeMutable mayChangeAtRuntime isVolatile isAtomic comptime complex layout Restrict NoAlias
  ReadOnly WriteOnly NoRead NoWrite NonNull Align Range Assume NoReturn Unreachable NoUndef WillReturn NoThrow Inline AlwaysInline
  NoInline TailCall MustTail NoTail ColdCall LikelyCall UnlikelyCall HotPath ColdPath Vectorize Unroll NoOptimize`.split(
    /\s+/,
  );

test('002/T-1 every trait that the documents name has a row, and no row is a trait that they do not name', () => {
  const rows = [...ROWS.map((row) => row.name), ...STRUCTURAL_TRAITS.map((row) => row.name)];
  expect(rows.sort()).toEqual([...NAMED].sort());
});

test('002/T-1 no other file of the source has a list of traits', () => {
  const source = join(import.meta.dirname, '../../src');
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts') || name.endsWith('trait-table.ts')) continue;
    const text = readFileSync(join(source, name), 'utf8');
    const quoted = ROWS.filter((row) => text.includes(`'${row.name}'`));
    expect(quoted.length, name).toBeLessThan(ROWS.length / 2);
  }
});

test('002/T-2 equal sets are one row, in whatever order they were stated, and the empty set is row 0', () => {
  const sets = new TraitSetTable();
  const [first, second] = [traitEntry(Trait.NonNull), traitEntry(Trait.Align, 8)];
  expect(sets.intern([])).toBe(NO_TRAITS);
  expect(NO_TRAITS).toBe(0);
  const both = sets.intern([first, second]);
  expect(sets.intern([second, first])).toBe(both);
  expect(sets.with(sets.intern([second]), first)).toBe(both);
  expect(sets.intern([first, traitEntry(Trait.Align, 16)])).not.toBe(both);
  const strong = (strength: Strength) => sets.intern([traitEntry(Trait.AlwaysInline, -1, -1, strength)]);
  expect(strong(Strength.weak)).not.toBe(strong(Strength.strong));
});

test('002/T-5 every trait is written as #[Name], with its payload, and a strong request with !', () => {
  for (const row of ROWS) {
    const forms = row.kind === 'request' ? [written(row), `${written(row)}!`] : [written(row)];
    for (const form of forms) {
      const text = `module "m"\n\nfunc @f(%x: i32) -> i32 {\nentry:\n  %y = add i32 %x, 1 #[${form}]\n  ret i32 %y\n}\n`;
      expect(printVir(parseVir(text)), form).toBe(text);
    }
  }
});
