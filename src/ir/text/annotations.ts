/** Reads what may follow any item of the two text forms: traits `#[Align(8), AlwaysInline!]` and a position `!12:5`. */

import { type TraitEntry, traitEntry } from '../../traits/trait-sets.js';
import { TRAITS, type TraitName, traitRow } from '../../traits/trait-table.js';
import { type NameId, NONE, type PositionId, type TraitSetId } from '../entities.js';
import type { ModuleTables } from '../module-tables.js';
import { ORDERINGS, Strength } from '../schema.js';
import type { TextCursor } from './cursor.js';
import { TokenKind } from './tokens.js';

const MAXIMUM_INT32 = 2 ** 31 - 1;
const TRAIT_NUMBERS = new Map<string, number>(TRAITS.map((trait, number) => [trait.name, number]));

/**
 * Reads `#[…]` where it stands; the empty set where it does not. With `onStale`, which is called then, it may be `#stale[…]`: traits
 * that a rewrite has made stale (002 §4), none of them too.
 */
export function parseTraits(cursor: TextCursor, tables: ModuleTables, onStale?: () => void): TraitSetId {
  if (!cursor.is('#')) return 0 as TraitSetId;
  cursor.advance();
  const isStale = onStale !== undefined && cursor.accept('stale');
  if (isStale) onStale();
  cursor.expect('[');
  if (isStale && cursor.accept(']')) return 0 as TraitSetId;
  const entries: TraitEntry[] = [];
  do entries.push(parseTrait(cursor, tables));
  while (cursor.accept(','));
  cursor.expect(']');
  return tables.traitSets.intern(entries);
}

function parseTrait(cursor: TextCursor, tables: ModuleTables): TraitEntry {
  const token = cursor.at;
  const name = cursor.word('a trait');
  const trait = TRAIT_NUMBERS.get(name);
  if (trait === undefined) cursor.fail('VCT0113', { name: cursor.excerpt(token) }, token);
  const { a, b } = parsePayload(cursor, tables, trait, token);
  if (!cursor.accept('!')) return traitEntry(trait, a, b);
  if (traitRow(trait).kind !== 'request') cursor.fail('VCT0115', { name }, token);
  return traitEntry(trait, a, b, Strength.strong);
}

function parsePayload(
  cursor: TextCursor,
  tables: ModuleTables,
  trait: number,
  token: number,
): { a: number; b: number } {
  const { name, payload } = traitRow(trait);
  if (payload === 'none') return { a: NONE, b: NONE };
  const expected = {
    count: 'a count, as (8)',
    range: 'two bounds, as (0, 100)',
    ordering: 'a memory ordering',
  };
  if (!cursor.accept('(')) cursor.fail('VCT0114', { name, expected: expected[payload] }, token);
  let a: number;
  let b: number = NONE;
  if (payload === 'count') {
    a = cursor.integer('a count', 1, MAXIMUM_INT32);
  } else if (payload === 'range') {
    a = parseBound(cursor, tables);
    cursor.expect(',');
    b = parseBound(cursor, tables);
  } else {
    a = parseChoice(cursor, 'ordering', ORDERINGS);
  }
  cursor.expect(')');
  return { a, b };
}

function parseBound(cursor: TextCursor, tables: ModuleTables): number {
  const token = cursor.at;
  const value = cursor.bigInteger('a bound');
  if (BigInt.asIntN(64, value) !== value) {
    cursor.fail('VCT0111', { found: cursor.excerpt(token), type: 'i64' }, token);
  }
  return tables.constants.integer(tables.types.i64, value);
}

/** Reads one of the words and returns its place in the list. */
export function parseChoice(cursor: TextCursor, what: string, choices: readonly string[]): number {
  if (cursor.atNextLine) cursor.unexpected(`the ${what}`);
  const token = cursor.at;
  const number = choices.indexOf(cursor.word(`the ${what}`));
  if (number < 0)
    cursor.fail('VCT0122', { what, name: cursor.excerpt(token), choices: choices.join(', ') }, token);
  return number;
}

/** Reads `!line:column` or `!source:line:column` where it stands; NONE where it does not. */
export function parsePosition(
  cursor: TextCursor,
  tables: ModuleTables,
  sources: readonly NameId[],
): PositionId {
  if (!cursor.is('!') || cursor.kind(1) !== TokenKind.integer) return NONE as PositionId;
  const token = cursor.advance();
  const first = cursor.integer('a line', 0, MAXIMUM_INT32);
  cursor.expect(':');
  const second = cursor.integer('a column', 0, MAXIMUM_INT32);
  if (!cursor.is(':')) return addPosition(cursor, tables, sources, token, 0, first, second);
  cursor.advance();
  const third = cursor.integer('a column', 0, MAXIMUM_INT32);
  return addPosition(cursor, tables, sources, token, first, second, third);
}

function addPosition(
  cursor: TextCursor,
  tables: ModuleTables,
  sources: readonly NameId[],
  token: number,
  number: number,
  line: number,
  column: number,
): PositionId {
  const source = sources[number];
  if (source === undefined) cursor.fail('VCT0116', { number, count: sources.length }, token);
  return tables.addPosition(source, line, column);
}

/** A trait set as text: ` #[Align(8), AlwaysInline!]`, or nothing when it is empty; ` #stale[…]` in any case when it is stale. */
export function traitsText(tables: ModuleTables, set: TraitSetId, isStale = false): string {
  const entries = tables.traitSets.list(set);
  if (entries.length === 0 && !isStale) return '';
  return ` #${isStale ? 'stale' : ''}[${entries.map((entry) => traitText(tables, entry)).join(', ')}]`;
}

function traitText(tables: ModuleTables, entry: TraitEntry): string {
  const { name, payload }: { name: TraitName; payload: string } = traitRow(entry.trait);
  const strong = entry.strength === Strength.strong ? '!' : '';
  if (payload === 'none') return `${name}${strong}`;
  if (payload === 'count') return `${name}(${entry.a})${strong}`;
  if (payload === 'ordering') return `${name}(${ORDERINGS[entry.a] ?? ORDERINGS[0]})${strong}`;
  const bound = (constant: number) => tables.constants.integerValue(constant as never);
  return `${name}(${bound(entry.a)}, ${bound(entry.b)})${strong}`;
}
