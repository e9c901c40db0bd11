/** Weak symbols: another file may replace them, and nothing that the module knows of them is taken for granted. */

import { describe, expect, test } from 'vitest';
import {
  createModule,
  DiagnosticError,
  emitLlvm,
  fn,
  i8,
  i32,
  lower,
  param,
  ptr,
  run,
} from '../../src/index.js';
import { BUILDS, cOf, compileAndRun } from './c-tools.js';

const TEXT = `module "weak"
constant @format: [4 x i8] weak = "%d\\0A\\00"
constant @answer: i32 weak = 1
global @limit: i32 weak = 10
declare @printf(ptr<i8>, ...) -> i32
func @twice(%x: i32) -> i32 weak {
entry:
  %r = mul i32 %x, 2
  ret i32 %r
}
func @main() -> i32 export {
entry:
  %limit = load i32 @limit
  %answer = load i32 @answer
  %twice = call i32 @twice(i32 %limit)
  %sum = add i32 %twice, %answer
  %0 = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i32 %sum)
  ret i32 0
}
`;

const STRONG = `#include <stdint.h>
int32_t twice(int32_t x) { return x + 1000; }
int32_t limit = 20;
const int32_t answer = 3;
const int8_t format[4] = "%d!";
`;

describe('006/WF-9 weak symbols', () => {
  test.each(BUILDS)('008/R26 are those of another file where it has them: $compiler $flags', (build) => {
    const { text } = cOf(TEXT, { dialect: build.dialect });
    expect(compileAndRun(text, build.compiler, build.flags)).toMatchObject({ stdout: '21\n', messages: '' });
    const replaced = compileAndRun(text, build.compiler, build.flags, STRONG);
    expect(replaced).toMatchObject({ stdout: '1023!', messages: '' });
  });

  test('008/R29 are refused in plain C17, at their own place', () => {
    const refusals = [TEXT, TEXT.replace(/ weak \{/, ' {')].map((text) => {
      try {
        cOf(text, { dialect: 'c17' });
        return 'nothing';
      } catch (error) {
        const [first] = (error as DiagnosticError).diagnostics;
        expect(error).toBeInstanceOf(DiagnosticError);
        return `${first?.code} ${first?.position?.line}:${first?.position?.column}`;
      }
    });
    expect(refusals).toEqual(['VCT0702 6:6', 'VCT0702 2:10']);
  });

  test('the builder makes them, and thread-local ones', async () => {
    const m = createModule('weak');
    const counter = m.global('counter', i32, 5, { linkage: 'weak', threadLocal: true });
    const own = m.global('own', i32, 6, { threadLocal: true });
    const bump = m.function(
      'bump',
      [param('p', ptr(i32))],
      i32,
      (f, p) => {
        p.deref().set(p.deref().load().add(1));
        f.return(p.deref());
      },
      { linkage: 'weak' },
    );
    m.declare('puts', fn([ptr(i8)], i32));
    m.function(
      'main',
      [],
      i32,
      (f) => {
        const sum = f.let('sum', f.call(bump, counter.address()));
        f.return(sum.mul(10).add(f.call(bump, own.address())));
      },
      { linkage: 'export' },
    );
    const hir = m.finish();
    expect((await run(hir)).exitCode).toBe(67);
    const text = await emitLlvm(hir);
    expect(text).toContain('@counter = weak thread_local global i32 5');
    expect(text).toContain('@own = internal thread_local global i32 6');
    expect(text).toContain('define weak i32 @bump(');
    expect(await lower(hir)).toBeDefined();
  });
});
