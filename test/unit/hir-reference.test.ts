import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, type DiagnosticRow } from '../../src/diag/catalogue.js';
import { withSection } from '../../src/diag/reference.js';
import { nodeKindReference } from '../../src/hir/reference.js';

const PAGE = readFileSync(new URL('../../spec/003-hir.md', import.meta.url), 'utf8');

describe('spec/003-hir.md', () => {
  it('its section node-kinds is up to date (else run `npm run generate`)', () => {
    expect(withSection(PAGE, 'node-kinds', nodeKindReference())).toBe(PAGE);
  });

  it('003 lists every rule that a diagnostic enforces', () => {
    const rules = new Set(
      Object.values<DiagnosticRow>(CATALOGUE)
        .map((row) => /^003\/([HT]-\d+)$/.exec(row.rule)?.[1])
        .filter((rule) => rule !== undefined),
    );
    expect(rules.size).toBeGreaterThan(5);
    for (const rule of rules) expect(PAGE).toContain(`**${rule}.**`);
  });
});
