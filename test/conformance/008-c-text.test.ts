/** What the C text of any program holds and does not hold (008): one small program to the letter, and every case for the rest. */

import { describe, expect, test } from 'vitest';
import { type Dialect, emitC, lowerModule, parseHir, parseVir } from '../../src/index.js';
import { readCases } from '../harness/case-file.js';

/** The C text of every case that this dialect can express, without comments and literals. */
function everyText(dialect: Dialect): { readonly name: string; readonly text: string }[] {
  return readCases(`${import.meta.dirname}/../cases`)
    .filter((item) => item.errors.length === 0 && item.tests.includes('run') && !item.without.includes('c'))
    .flatMap(({ name, format, text }) => {
      try {
        const vir = format === 'hir' ? lowerModule(parseHir(text), 'ts') : parseVir(text);
        const c = emitC(vir, { dialect }).text;
        return [{ name, text: c.replace(/\/\*[\s\S]*?\*\//g, '').replace(/"(?:\\.|[^"\\\n])*"/g, '""') }];
      } catch {
        // What a dialect cannot express is a diagnostic, which other tests hold against its case.
        return [];
      }
    });
}

const PROGRAM = `declare @puts(ptr<i8>) -> i32
func @inner(%a: i8, %b: u16, %c: i64, %d: f32, %e: f64, %f: ptr<i8>, %g: i1) -> i32 {
entry:
  %s = sadd_overflow i32 1, 2
  %x = extractvalue { i32, i1 } %s, 0
  %y = ashr i32 %x, 3
  ret i32 %y
}
func @f(%p: ptr<i8>, %l: i64) -> i32 export {
entry:
  memcpy ptr<i8> %p, ptr<i8> null, i64 %l
  %q = call i32 @puts(ptr<i8> %p)
  ret i32 %q
}
`;
const text = (dialect: Dialect) => emitC(parseVir(PROGRAM), { dialect }).text;

describe('008: one program', () => {
  test('008/R15, R26 types are those of the table, internal functions are static and exported ones are not', () => {
    const head = 'inner(int8_t a, uint16_t b, int64_t c, float d, double e, int8_t *f, bool g)\n';
    expect(text('gcc')).toContain(`\nstatic int32_t ${head}`);
    expect(text('gcc')).toContain('\nint32_t f(int8_t *p, int64_t l)\n');
  });

  test('008/R22 an intrinsic is a builtin where the compiler has one, and a helper elsewhere', () => {
    for (const dialect of ['gcc', 'clang'] as const) {
      expect(text(dialect), dialect).toContain('__builtin_add_overflow(1, 2, &');
    }
    expect(text('c17')).toContain('vct_sadd_overflow_i32(1, 2, &');
  });

  test('008/R29 the shift of a negative number is >> for gcc and clang, and a helper in plain C17', () => {
    expect(text('gcc')).toMatch(/return \w+\.f0 >> 3;/);
    expect(text('c17')).toMatch(/return vct_ashr_i32\(\w+\.f0, 3\);/);
  });

  test('008/X9, X10 the library is called through its header, and copies where the length may be zero by a helper', () => {
    for (const line of ['#include <stdio.h>', '#include <string.h>']) expect(text('gcc')).toContain(line);
    expect(text('gcc')).not.toMatch(/^(?:extern )?int\w* puts\(/m);
    expect(text('gcc')).toContain('    vct_memcpy(p, NULL, l);\n');
    expect(text('gcc')).toContain('    if (length != 0)\n        memcpy(destination, source, length);\n');
  });
});

describe('008: every case that runs', () => {
  test('008/R13 plain C17 has no spelling of gcc or clang', () => {
    const texts = everyText('c17');
    expect(texts.length).toBeGreaterThan(80);
    for (const { name, text: c } of texts) {
      expect(c, name).not.toMatch(/__attribute__|__builtin_|__atomic_|__int128|\basm\b|__asm/);
    }
  });

  test('008/R11 a goto back is only where control flow is irreducible, and gotos forward are few', () => {
    const texts = everyText('gcc');
    expect(texts.length).toBeGreaterThan(100);
    const withGoto = texts.filter(({ text: c }) => /\bgoto \w+;/.test(c));
    expect(withGoto.length).toBeLessThan(texts.length / 10);
    const goesBack = ({ text: c }: { readonly text: string }) =>
      /\b(\w+):[^\n]*\n(?:(?!^}).*\n)*.*\bgoto \1;/m.test(c);
    // Cases of labels and gotos are called `goto-`: the tree itself is irreducible.
    const names = withGoto.filter(goesBack).map(({ name }) => name);
    expect(names.filter((name) => !name.startsWith('hir/goto-'))).toEqual(['run/irreducible.vir']);
  });
});
