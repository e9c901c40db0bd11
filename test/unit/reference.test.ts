import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CATALOGUE, type DiagnosticRow } from '../../src/diag/catalogue.js';
import { diagnosticReference, withSection } from '../../src/diag/reference.js';
import { optionReference } from '../../src/driver/reference.js';

const page = (name: string) => readFileSync(new URL(`../../spec/${name}`, import.meta.url), 'utf8');

describe('011: pages made from tables', () => {
  test.each([
    ['010-driver-cli.md', 'options', optionReference],
    ['011-diagnostics.md', 'diagnostics', diagnosticReference],
  ] as const)('spec/%s is up to date (else run `npm run generate`)', (name, section, content) => {
    expect(withSection(page(name), section, content())).toBe(page(name));
  });

  test('a page without the section is an error', () => {
    expect(() => withSection('no marks', 'x', '')).toThrow('no section x');
  });
});

describe('011/D-2: the catalogue', () => {
  const rows = Object.entries<DiagnosticRow>(CATALOGUE);

  test('every row has a code of the right form, a message and help', () => {
    for (const [code, row] of rows) {
      expect(code).toMatch(/^VCT\d{4}$/);
      expect(row.message.length, code).toBeGreaterThan(5);
      expect(row.message, code).toBe(row.message.trim());
      expect(row.help, code).not.toBe('');
    }
  });
});
