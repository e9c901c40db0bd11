/** Interned strings: every name in a module is one id, so that tables hold numbers only. */

import type { NameId } from './entities.js';
import { WELL_KNOWN_NAMES } from './schema.js';

/** The names of one module. The first ids are `WELL_KNOWN_NAMES`, the same in every module. */
export class NameTable {
  readonly #texts: string[] = [];
  readonly #ids = new Map<string, NameId>();

  constructor() {
    for (const name of WELL_KNOWN_NAMES) this.intern(name);
  }

  /** The id of a string, the same for the same string. */
  intern(text: string): NameId {
    let id = this.#ids.get(text);
    if (id === undefined) {
      id = this.#texts.length as NameId;
      this.#texts.push(text);
      this.#ids.set(text, id);
    }
    return id;
  }

  /** The id of a string that is already there. */
  find(text: string): NameId | undefined {
    return this.#ids.get(text);
  }

  /** The string of an id, or `''` for NONE. */
  text(id: NameId | number): string {
    return this.#texts[id] ?? '';
  }

  get length(): number {
    return this.#texts.length;
  }
}
