/** The names of values and blocks within one function: found by the parser, made unique by the printer. */

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
