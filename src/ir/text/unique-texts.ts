/** Names of entities made unique where two share one, as both text forms write them. */

import { quotedName } from '../../types/type-table.js';

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
