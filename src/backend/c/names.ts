/**
 * Names in C (008/R19-R21): every character that C does not allow becomes `_`, what C or its library already means gets
 * the prefix `vct_`, and a name that is taken gets the first free number. All of it depends on names and their order alone.
 */

import { isIdentifier, isReservedLocalName, isReservedName } from './reserved.js';

/** Longest identifier that we make of a name; C17 promises 63 significant characters. */
const LONGEST_NAME = 60;

/** A C identifier made of any name; `fallback` stands for a name without a single usable character. */
export function sanitize(name: string, fallback: string): string {
  let text = name.length > LONGEST_NAME ? name.slice(0, LONGEST_NAME) : name;
  text = text.replace(/[^A-Za-z0-9_]/g, '_');
  if (!/[A-Za-z0-9]/.test(text)) return fallback;
  if (/^[0-9]/.test(text)) text = `${fallback}${text}`;
  return text;
}

/** A name for a file-scope identifier that C has no other use for (Table 3). */
export function sanitizeGlobalName(name: string, fallback: string): string {
  const text = sanitize(name, fallback);
  return isReservedName(text) ? `vct_${text}` : text;
}

/** A name for a local variable, a parameter, a member or a label. */
export function sanitizeLocalName(name: string, fallback: string): string {
  const text = sanitize(name, fallback);
  return isReservedLocalName(text) ? `vct_${text}` : text;
}

/** A name for a label: labels have a name space of their own, so only keywords are taken. */
export function sanitizeLabel(name: string, fallback: string): string {
  const text = sanitize(name, fallback);
  return isIdentifier(text) && !text.startsWith('_') ? text : `vct_${text}`;
}

/** One scope of identifiers, each used once. */
export class NameScope {
  readonly #taken = new Set<string>();
  /** For each name that was taken again, the next number to try: keeps a thousand equal names linear. */
  readonly #next = new Map<string, number>();

  /** Whether the name is in use. */
  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Marks a name as used. */
  take(name: string): void {
    this.#taken.add(name);
  }

  /** The name itself when it is free, else the name with the first free number from 2 on. */
  unique(name: string): string {
    if (!this.#taken.has(name)) {
      this.#taken.add(name);
      return name;
    }
    const stem = /\d$/.test(name) ? `${name}_` : name;
    let number = this.#next.get(stem) ?? 2;
    while (this.#taken.has(`${stem}${number}`)) number++;
    this.#next.set(stem, number + 1);
    const result = `${stem}${number}`;
    this.#taken.add(result);
    return result;
  }
}
