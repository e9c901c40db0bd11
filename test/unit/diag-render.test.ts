import { describe, expect, test } from 'vitest';
import { diagnostic } from '../../src/diag/diagnostic.js';
import { diagnosticsToJson, renderDiagnostics } from '../../src/diag/render.js';

const place = (line: number, column: number, length?: number) => ({
  file: 'demo.vir',
  line,
  column,
  ...(length !== undefined && { length }),
});
const source = (text: string) => (file: string) => (file === 'demo.vir' ? text : undefined);

describe('011: rendering of diagnostics', () => {
  test('011/D-4 shows the line and carets under the whole place', () => {
    const item = diagnostic('VCT0100', { found: "'b'", expected: 'a type' }, place(2, 5, 3));
    const text = renderDiagnostics([item], { source: source('first\n\tabcdef\r\nlast') });
    expect(text).toBe(
      [
        "demo.vir:2:5: error VCT0100: unexpected 'b', expected a type",
        '  2 |  abcdef',
        '    |     ^^^',
        '  help: See the grammar in spec/003-hir.md or spec/006-vir.md.',
        '',
      ].join('\n'),
    );
  });

  test('points one past the end of a line, and says nothing of a line that is not there', () => {
    const at = (line: number, column: number) =>
      renderDiagnostics([diagnostic('VCT0001', { detail: 'x' }, place(line, column))], {
        source: source('ab'),
      });
    expect(at(1, 3)).toContain('  1 | ab\n    |   ^\n');
    expect(at(1, 9)).not.toContain('|');
    expect(at(7, 1)).not.toContain('|');
  });

  test('cuts a long line around the place', () => {
    const text = renderDiagnostics([diagnostic('VCT0001', { detail: 'x' }, place(1, 5001, 2))], {
      source: source(`${'a'.repeat(5000)}XY${'b'.repeat(5000)}`),
    });
    const [, line, carets] = text.split('\n') as [string, string, string];
    expect(line.length).toBeLessThan(130);
    expect(line.slice(carets.indexOf('^'), carets.indexOf('^') + 2)).toBe('XY');
    expect(carets.endsWith('^^')).toBe(true);
  });

  test('011/D-7 does not pass terminal escapes on', () => {
    const item = diagnostic('VCT0001', { detail: 'a\u001b[31m' }, place(1, 1), [], 'out\u001b]0;t\u0007');
    const text = renderDiagnostics([item], { source: source('\u001b[2Jx') });
    expect(text).not.toContain('\u001b');
    expect(text).not.toContain('\u0007');
    expect(text).toContain('a\\u{1b}[31m');
  });

  test('colours only when asked', () => {
    const item = diagnostic('VCT0001', { detail: 'x' });
    expect(renderDiagnostics([item])).not.toContain('\u001b');
    expect(renderDiagnostics([item], { colour: true })).toContain('\u001b');
  });

  test('shows notes with their places, and what another program said', () => {
    const note = { message: 'first defined here', position: place(1, 1) };
    const item = diagnostic('VCT0001', { detail: 'x' }, undefined, [note], 'cc: no\nmore\n');
    const text = renderDiagnostics([item], { source: source('one') });
    expect(text).toContain('  note: demo.vir:1:1: first defined here\n  1 | one\n    | ^\n');
    expect(text.endsWith('  | cc: no\n  | more\n')).toBe(true);
  });

  test('gives tools everything in JSON', () => {
    const item = diagnostic('VCT0200', { block: 'b' }, place(1, 2));
    expect(JSON.parse(diagnosticsToJson([item]))).toEqual({
      diagnostics: [
        {
          code: 'VCT0200',
          severity: 'error',
          message: 'block %b has no terminator',
          help: expect.any(String),
          rule: '005/L-8',
          position: { file: 'demo.vir', line: 1, column: 2 },
          notes: [],
        },
      ],
    });
  });
});
