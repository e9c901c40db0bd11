/** The names of values and blocks within one function: found by the parser, made unique by the printer. */

import { quotedName } from '../types/type-table.js';

/** What a name in the text may stand for: a word, or the number of an entity without a name. */
export type EntityKey = string | number;

/** Names to numbers, for the values or the blocks of one function. */
export class NameScope {
  readonly #numbers = new Map<EntityKey, number>();
  readonly #broken = new Set<EntityKey>();

  /** Gives a key its number. Says false when the key is taken. */
  define(key: EntityKey, number: number): boolean {
    if (this.#numbers.has(key)) return false;
    this.#numbers.set(key, number);
    return true;
  }

  /** Marks a key whose definition has an error of its own, so that its uses report no second one. */
  defineBroken(key: EntityKey): void {
    this.#broken.add(key);
  }

  find(key: EntityKey): number | undefined {
    return this.#numbers.get(key);
  }

  isBroken(key: EntityKey): boolean {
    return this.#broken.has(key);
  }
}

/**
 * The texts of entities in order, each without its sigil and each once: the name; the name with the first free of `.1`,
 * `.2`… where it is taken; the next number where there is no name. Undefined stands for an entity that is never written.
 */
export function uniqueTexts(names: readonly (string | undefined)[]): string[] {
  const taken = new Set<string>();
  for (const name of names) if (name !== undefined && name !== '') taken.add(name);
  const used = new Set<string>();
  const nextSuffix = new Map<string, number>();
  let number = 0;
  return names.map((name) => {
    if (name === undefined) return '';
    if (name === '') return String(number++);
    if (!used.has(name)) {
      used.add(name);
      return quotedName(name);
    }
    let suffix = nextSuffix.get(name) ?? 1;
    while (taken.has(`${name}.${suffix}`)) suffix++;
    nextSuffix.set(name, suffix + 1);
    taken.add(`${name}.${suffix}`);
    return quotedName(`${name}.${suffix}`);
  });
}
