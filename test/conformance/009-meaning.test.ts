/** What no LLVM text may hold (009 §6), over every case that is well-formed. */

import { describe, expect, test } from 'vitest';
import { emitLlvm, lowerModule, parseHir, parseVir } from '../../src/index.js';
import { readCases } from '../harness/case-file.js';

/** The LLVM text of every case, without strings and comments. */
const TEXTS = readCases(`${import.meta.dirname}/../cases`)
  .filter((item) => item.errors.length === 0 && !item.without.includes('llvm'))
  .flatMap(({ name, format, text }) => {
    try {
      const vir = format === 'hir' ? lowerModule(parseHir(text), 'ts') : parseVir(text);
      return [
        {
          name,
          text: emitLlvm(vir)
            .replace(/"[^"\n]*"/g, '""')
            .replace(/;.*/g, ''),
        },
      ];
    } catch {
      // What LLVM cannot express is a diagnostic, which other tests hold against its case.
      return [];
    }
  });

describe('009 §6: every case as LLVM text', () => {
  test('there are many', () => {
    expect(TEXTS.length).toBeGreaterThan(150);
  });

  test('009/LX-1 no operation carries a flag that makes it poison, and addresses are inbounds', () => {
    for (const { name, text } of TEXTS) {
      expect(text, name).not.toMatch(
        / = (?:add|sub|mul|shl|[su]div|[al]shr|trunc|zext|fadd|fsub|fmul|fdiv|f(?:neg|cmp)) (?:nsw|nuw|exact|nneg|fast|nnan|ninf|nsz|arcp|contract|afn|reassoc)/,
      );
      expect(text, name).not.toMatch(/getelementptr (?!inbounds)/);
    }
  });

  test('009/LX-2 nothing promises that loops make progress', () => {
    for (const { name, text } of TEXTS) expect(text, name).not.toMatch(/mustprogress|willreturn(?= *\{)/);
  });
});
