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
    const types = mentionedOnly(this.definitions.list(this.types, this.memory), texts);
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

const WORD = /[A-Za-z_]\w*/g;

/**
 * The helpers that the texts mention, and those that these mention: what a text asked for may have been left out of it again, and
 * Clang warns of a helper that nothing uses. Macros are kept.
 */
function mentionedHelpers(
  helpers: ReadonlyMap<string, string>,
  texts: readonly string[],
): (readonly [name: string, text: string])[] {
  const kept = new Set<string>();
  const work = [...texts];
  for (const [name, text] of helpers) {
    if (name.startsWith('vct_')) continue;
    kept.add(name);
    work.push(text);
  }
  while (helpers.size > kept.size && work.length > 0) {
    for (const [word] of (work.pop() as string).matchAll(WORD)) {
      if (!helpers.has(word) || kept.has(word)) continue;
      kept.add(word);
      work.push(helpers.get(word) as string);
    }
  }
  return [...helpers].filter(([name]) => kept.has(name));
}

/** The definitions whose names the texts mention, and those that these mention in turn. */
function mentionedOnly(definitions: readonly TypeDefinition[], texts: readonly string[]): TypeDefinition[] {
  const byName = new Map<string, TypeDefinition[]>();
  for (const definition of definitions) {
    const name = definition.key.slice(definition.key.indexOf(' ') + 1);
    const known = byName.get(name);
    if (known === undefined) byName.set(name, [definition]);
    else known.push(definition);
  }
  const kept = new Set<TypeDefinition>();
  const work = [...texts];
  while (work.length > 0) {
    for (const [word] of (work.pop() as string).matchAll(WORD)) {
      for (const definition of byName.get(word) ?? []) {
        if (kept.has(definition)) continue;
        kept.add(definition);
        work.push(definition.text);
      }
    }
  }
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
