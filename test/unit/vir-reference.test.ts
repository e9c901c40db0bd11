import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CATALOGUE, type DiagnosticRow } from '../../src/diag/catalogue.js';
import { withSection } from '../../src/diag/reference.js';
import { erroneousReference, opcodeReference } from '../../src/vir/reference.js';

const PAGE = readFileSync(new URL('../../spec/006-vir.md', import.meta.url), 'utf8');
const VERIFIER = readFileSync(new URL('../../src/vir/verifier.ts', import.meta.url), 'utf8');

describe('spec/006-vir.md', () => {
  it.each([
    ['instructions', opcodeReference],
    ['erroneous', erroneousReference],
  ] as const)('its section %s is up to date (else run `npm run generate`)', (section, content) => {
    expect(withSection(PAGE, section, content())).toBe(PAGE);
  });

  it('006 lists every rule that a diagnostic enforces, and the verifier lists the same', () => {
    const rules = new Set(
      Object.values<DiagnosticRow>(CATALOGUE)
        .map((row) => /^006\/(WF-\d+)$/.exec(row.rule)?.[1])
        .filter((rule) => rule !== undefined),
    );
    expect(rules.size).toBeGreaterThan(5);
    for (const rule of rules) {
      expect(PAGE).toContain(`| ${rule} |`);
      expect(VERIFIER).toContain(`006/${rule} `);
    }
  });
});
