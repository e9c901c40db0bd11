/** What one text needs before its definitions: headers, types, helpers, globals and functions, each once, in a fixed order. */

import type { TypeId } from '../../ir/entities.js';
import type { TypeDefinition, TypeDefinitions } from './type-definitions.js';

/** A piece of text with the name under which it is known, so that it is written once a file. */
export interface Piece {
  readonly key: string;
  readonly text: string;
}

/** The needs of one text. Filled while its definitions are written. */
export class Unit {
  readonly headers = new Set<string>();
  readonly types = new Set<TypeId>();
  /** Types that pointers point to. */
  readonly memory = new Set<TypeId>();
  /** Helper functions by name, each after those that it calls. */
  readonly helpers = new Map<string, string>();
  /** Declarations of globals, then of functions, by symbol. */
  readonly globals = new Map<string, string>();
  readonly functions = new Map<string, string>();
  /** Whether a product is added to something: then the compiler must be told not to fuse them. */
  needsExactProducts = false;

  constructor(readonly definitions: TypeDefinitions) {
    this.headers.add('stdbool.h');
    this.headers.add('stdint.h');
  }

  /** Makes the C type of a value of this type available. */
  requireType(type: TypeId): void {
    this.definitions.require(type, this.types, this.memory);
  }

  /** Makes the name of the type as a place in memory available. */
  requireMemory(type: TypeId): void {
    this.requireType(type);
    this.memory.add(type);
  }

  /** Takes over the needs of another text. */
  merge(other: Unit): void {
    for (const header of other.headers) this.headers.add(header);
    for (const type of other.types) this.types.add(type);
    for (const type of other.memory) this.memory.add(type);
    for (const [name, text] of other.helpers) this.helpers.set(name, text);
    for (const [name, text] of other.globals) this.globals.set(name, text);
    for (const [name, text] of other.functions) this.functions.set(name, text);
    this.needsExactProducts ||= other.needsExactProducts;
  }

  /** Everything that stands before the definitions. Guarded, it may stand several times in one file. */
  prelude(isGuarded: boolean, body: string, extraGlobals?: readonly string[]): string {
    const globals = extraGlobals ?? [...this.globals.values()];
    const helpers = mentionedHelpers(this.helpers, [body, ...globals]);
    const texts = [body, ...helpers.map(([, text]) => text), ...this.functions.values(), ...globals];
    const types = mentionedTypes(this.definitions.list(this.types, this.memory), texts);
    const checksLayout = types.some((definition) => definition.text.includes('offsetof('));
    const headers = checksLayout ? [...this.headers, 'stddef.h'] : [...this.headers];
    const sections = [
      [...new Set(headers)].sort().map((header) => `#include <${header}>`),
      this.needsExactProducts ? [EXACT_PRODUCTS] : [],
      types.map((definition) => guardType(definition, isGuarded)),
      helpers.map(([name, text]) => (isGuarded ? guard(`VCT_HELPER_${name}`, text) : text)),
      [...this.functions.values()],
      globals,
    ];
    return sections
      .filter((section) => section.length > 0)
      .map((section) => `${joinPieces(section)}\n`)
      .join('\n');
  }
}

/** A piece that stands where something mentions its name. */
interface Named<Item> {
  readonly name: string;
  readonly item: Item;
  readonly text: string;
}

/** The pieces whose names the texts mention, and those that these mention in turn. */
function mentionedOnly<Item>(pieces: readonly Named<Item>[], texts: readonly string[]): Set<Item> {
  const byName = new Map<string, Named<Item>[]>();
  const lengths = new Set<number>();
  for (const piece of pieces) {
    const known = byName.get(piece.name);
    if (known === undefined) byName.set(piece.name, [piece]);
    else known.push(piece);
    lengths.add(piece.name.length);
  }
  const kept = new Set<Item>();
  const work = [...texts];
  while (byName.size > 0 && work.length > 0) {
    eachWord(work.pop() as string, lengths, (word) => {
      const found = byName.get(word);
      if (found === undefined) return true;
      // Once is enough, so that the texts need not be read to their end.
      byName.delete(word);
      for (const { item, text } of found) {
        kept.add(item);
        work.push(text);
      }
      return byName.size > 0;
    });
  }
  return kept;
}

/** Calls `visit` for the identifiers of certain lengths in a text, until it says that it has seen enough. */
function eachWord(text: string, lengths: ReadonlySet<number>, visit: (word: string) => boolean): void {
  const end = text.length;
  let at = 0;
  while (at < end) {
    const from = at;
    while (at < end && IS_WORD[text.charCodeAt(at)] === 1) at++;
    if (at > from && lengths.has(at - from) && !visit(text.slice(from, at))) return;
    at++;
  }
}

/** For each ASCII character: 1 when identifiers have it. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/\w/.test(String.fromCharCode(code)) ? 1 : 0));

/** Helpers that something uses: what a statement asked for may be gone with it, and Clang warns of a helper that nothing uses. */
function mentionedHelpers(
  helpers: ReadonlyMap<string, string>,
  texts: readonly string[],
): (readonly [name: string, text: string])[] {
  if (helpers.size === 0) return [];
  const pieces = [...helpers].map(([name, text]) => ({ name, item: name, text }));
  // Macros are kept.
  const macros = pieces.filter(({ name }) => !name.startsWith('vct_'));
  const functions = pieces.filter(({ name }) => name.startsWith('vct_'));
  const kept = mentionedOnly(functions, [...texts, ...macros.map(({ text }) => text)]);
  return [...helpers].filter(([name]) => !name.startsWith('vct_') || kept.has(name));
}

function mentionedTypes(definitions: readonly TypeDefinition[], texts: readonly string[]): TypeDefinition[] {
  const pieces = definitions.map((item) => ({
    name: item.key.slice(item.key.indexOf(' ') + 1),
    item,
    text: item.text,
  }));
  const kept = mentionedOnly(pieces, texts);
  return definitions.filter((definition) => kept.has(definition));
}

/** One-line pieces stand together, longer ones apart. */
function joinPieces(pieces: readonly string[]): string {
  let text = '';
  let previousIsLong = false;
  for (const piece of pieces) {
    const isLong = piece.includes('\n');
    if (text !== '') text += isLong || previousIsLong ? '\n\n' : '\n';
    text += piece;
    previousIsLong = isLong;
  }
  return text;
}

function guardType(definition: TypeDefinition, isGuarded: boolean): string {
  if (!isGuarded || !definition.needsGuard) return definition.text;
  return guard(`VCT_TYPE_${definition.key.replace(/[^A-Za-z0-9_]/g, '_')}`, definition.text);
}

function guard(macro: string, text: string): string {
  return `#ifndef ${macro}\n#define ${macro}\n${text}\n#endif`;
}

/** 008/X4: a * b + c is two roundings. GCC does not know the standard pragma; in its ISO modes it does not fuse anyway. */
const EXACT_PRODUCTS = `#if defined(__clang__) || !defined(__GNUC__)
#pragma STDC FP_CONTRACT OFF
#elif !defined(__STRICT_ANSI__) && (defined(__FP_FAST_FMA) || defined(__FP_FAST_FMAF))
#pragma GCC optimize("fp-contract=off")
#endif`;
