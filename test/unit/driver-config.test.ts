import { describe, expect, test } from 'vitest';
import type { DiagnosticError } from '../../src/diag/diagnostic.js';
import { completeConfig } from '../../src/driver/config.js';
import { DEFAULT_CONFIG, OPTION_ROWS } from '../../src/ir/config.js';

function codes(given: object): string[] {
  try {
    completeConfig(given);
    return [];
  } catch (error) {
    return (error as DiagnosticError).diagnostics.map((item) => item.code);
  }
}

describe('010 §3: the Config', () => {
  test('every field has a row in the option table, and a default that the row accepts', () => {
    expect(OPTION_ROWS.map((row) => row.name).sort()).toEqual(Object.keys(DEFAULT_CONFIG).sort());
    expect(completeConfig({})).toEqual(DEFAULT_CONFIG);
    expect(completeConfig(DEFAULT_CONFIG)).toEqual(DEFAULT_CONFIG);
  });

  test('what is given counts, what is undefined does not', () => {
    const given = { optimize: 0, libraries: ['z'], target: undefined } as object;
    expect(completeConfig(given)).toEqual({ ...DEFAULT_CONFIG, optimize: 0, libraries: ['z'] });
  });

  test('an option that does not exist is a diagnostic, inherited names too', () => {
    expect(codes({ optimise: 2, toString: 1 })).toEqual(['VCT0903', 'VCT0903']);
  });

  test.each([
    { core: 'fast' },
    { optimize: 4 },
    { optimize: 1.5 },
    { optimize: '2' },
    { fuel: Number.NaN },
    { callDepth: 0 },
    { debug: 'yes' },
    { target: '' },
    { compiler: 'gcc\0' },
    { libraries: 'm' },
    { libraries: ['m', 3] },
    { compilerArguments: [''] },
    { llvm: 17 },
    { dialect: null },
  ])('a value that an option cannot have is a diagnostic: %o', (given) => {
    expect(codes(given)).toEqual(['VCT0904']);
  });

  test('all faults are told at once', () => {
    expect(codes({ core: 1, nope: 1, llvm: 1 })).toEqual(['VCT0904', 'VCT0903', 'VCT0904']);
  });
});
