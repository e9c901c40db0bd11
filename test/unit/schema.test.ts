import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { generateLayout, layoutHash } from '../../src/ir/generate-layout.js';
import { NODE_KINDS } from '../../src/ir/node-kinds.js';
import { OPCODES } from '../../src/ir/opcodes.js';
import { SCHEMA } from '../../src/ir/schema.js';
import { TRAITS } from '../../src/traits/trait-table.js';

const header = readFileSync(new URL('../../native/generated/layout.h', import.meta.url), 'utf8');

/** The constants of one namespace of the header, read as C++ would. */
function namespaceOf(name: string): Map<string, number> {
  const body = new RegExp(`^namespace ${name} \\{\\n([^}]*)\\}`, 'm').exec(header)?.[1] ?? '';
  const entries = [...body.matchAll(/^constexpr int32_t (\w+) = (-?\d+);$/gm)];
  return new Map(entries.map((entry) => [entry[1] as string, Number(entry[2])]));
}

describe('the generated C++ header', () => {
  it('is what `npm run generate` writes from the tables (001/A-6)', () => {
    expect(header, 'stale: run `npm run generate`').toBe(generateLayout());
  });

  it('states the hash that the loader compares', () => {
    expect(header).toContain(`LAYOUT_HASH = ${layoutHash()}u;`);
  });

  it('has every column of every table at its place, and the length of a row', () => {
    for (const [table, columns] of Object.entries(SCHEMA)) {
      const layout = namespaceOf(table.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase());
      expect([...layout.values()]).toEqual([...columns.keys(), columns.length]);
    }
  });

  it('001/A-3 numbers opcodes, node kinds and mask traits as TypeScript does', () => {
    const names = (rows: readonly { readonly name: string }[]) => rows.map((row) => row.name);
    const bare = (name: string) => [...namespaceOf(name).keys()].map((word) => word.replace(/_$/, ''));
    expect(bare('Opcode')).toEqual(names(OPCODES));
    expect(bare('NodeKind')).toEqual(names(NODE_KINDS));
    expect(bare('Trait')).toEqual(names(TRAITS.slice(0, 32)));
    expect(namespaceOf('Opcode').get('xor_')).toBe(OPCODES.findIndex((row) => row.name === 'xor'));
  });
});
