/** Collecting diagnostics (011 §2). */

import { expect, test } from 'vitest';
import { DiagnosticSink, diagnostic } from '../../src/diag/diagnostic.js';
import { diagnosticsToJson, parseHir, parseVir, renderDiagnostics, verifyVir } from '../../src/index.js';

test('011/D-5 a sink says when it is full, and takes no more', () => {
  const sink = new DiagnosticSink(3);
  const said = [1, 2, 3, 4].map((number) => sink.add(diagnostic('VCT0001', { detail: String(number) })));
  expect(said).toEqual([true, true, false, false]);
  expect(sink.diagnostics).toHaveLength(3);
});

test.each([
  ['vir', (text: string) => parseVir(text), 'func @f$() -> i32 {\nentry:\n  ret i32 %x\n}\n'],
  ['hir', (text: string) => parseHir(text), 'func @f$() -> i32 {\n  return %x\n}\n'],
])('011/D-5 a .%s text with 500 errors ends in 100 diagnostics', (_, parse, one) => {
  const text = Array.from({ length: 500 }, (_, index) => one.replace('$', String(index))).join('');
  expect(() => parse(text)).toThrow(
    expect.objectContaining({ diagnostics: expect.objectContaining({ length: 100 }) }),
  );
});

test('011/D-6 the same input gives the same diagnostics, byte for byte and in the order of the text', () => {
  const text =
    'func @f() -> i32 {\nentry:\n  %a = add i32 1, 2\n}\nfunc @g() -> i32 {\nentry:\n  ret void\n}\n';
  const shown = () => {
    const found = verifyVir(parseVir(text, { file: 'x.vir' }));
    return renderDiagnostics(found, { source: () => text }) + diagnosticsToJson(found);
  };
  expect(shown()).toBe(shown());
  const lines = [...shown().matchAll(/^x\.vir:(\d+)/gm)].map(([, line]) => Number(line));
  expect(lines.length).toBeGreaterThan(1);
  expect(lines).toEqual([...lines].sort((left, right) => left - right));
});
