/** What a newcomer without type checker does wrong: each mistake is one diagnostic with a code, at the line that made it. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import {
  array,
  createModule,
  DiagnosticError,
  emitC,
  type FunctionBuilder,
  fn,
  i8,
  i32,
  type ModuleBuilder,
  param,
  ptr,
  run,
  struct,
  traits,
} from '../../src/index.js';

const LINES = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');

/** Builds a body in a fresh module. */
function inBody(body: (f: FunctionBuilder, m: ModuleBuilder) => void): void {
  const m = createModule('mistakes');
  m.function('main', [], i32, (f) => body(f as unknown as FunctionBuilder, m), { linkage: 'export' });
}

/** The code and message of what was thrown; its line is marked with `// here`. */
function mistake(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    expect(LINES[(first?.position?.line ?? 0) - 1], `${first?.code} ${first?.message}`).toContain('// here');
    return `${first?.code} ${first?.message}`;
  }
  throw new Error('nothing was thrown');
}

test('003/H-9: a mistake tells the place in the program that is compiled as a note', () => {
  const notesOf = (body: Parameters<typeof inBody>[0]) => {
    try {
      inBody(body);
    } catch (error) {
      return (error as DiagnosticError).diagnostics.map(({ notes }) => notes);
    }
    return [];
  };
  const message = 'while what stands here was built';
  const wrong = (f: FunctionBuilder) => f.constant(i32, 1).add(undefined as never);
  expect(notesOf((f) => wrong(f.at(12, 5, 'demo.calc')))).toEqual([
    [{ message, position: { file: 'demo.calc', line: 12, column: 5 } }],
  ]);
  expect(notesOf(wrong)).toEqual([[]]);
  // The place of the innermost function, once.
  const nested = notesOf((f, m) => {
    f.at(1, 1, 'outer');
    m.function('inner', [], i32, (g) => wrong(g.at(2, 2, 'inner') as unknown as FunctionBuilder));
  });
  expect(nested).toEqual([[{ message, position: { file: 'inner', line: 2, column: 2 } }]]);
});

describe('003/H-9: mistakes that TypeScript would have told', () => {
  const nothing = undefined as never;

  it.each<[string, () => unknown, string]>([
    [
      'an operand that is undefined',
      () => inBody((f) => f.constant(i32, 1).add(nothing)), // here
      'VCT0329 an operand wants a value, not undefined',
    ],
    [
      'a callee that is undefined',
      () => inBody((f) => f.call(nothing)), // here
      'VCT0329 call wants a function or a pointer to one, not undefined',
    ],
    [
      'a statement of a number',
      () => inBody((f) => f.evaluate(5 as never)), // here
      'VCT0329 evaluate wants an expression, not 5',
    ],
    [
      'a type that is undefined',
      () => inBody((f) => f.variable('a', nothing)), // here
      'VCT0303 there is no such type: undefined',
    ],
    [
      'a part of a type that is a name',
      () => inBody((f) => f.variable('a', array('i32' as never, 2))), // here
      'VCT0303 there is no such type: "i32"',
    ],
    [
      'a member of a struct that is undefined',
      () => inBody((f) => f.variable('a', struct('S', { x: nothing }))), // here
      'VCT0303 there is no such type: undefined',
    ],
    [
      'a value of let without type',
      () => inBody((f) => f.let('x', 5 as never)), // here
      'VCT0308 the type of let x is not known',
    ],
    [
      'a construct without closure',
      () => inBody((f) => f.while(true, nothing)), // here
      'VCT0329 while wants a closure, as in `() => { … }`, not undefined',
    ],
    [
      'an operator of JavaScript',
      () => inBody((f) => f.while((f.constant(i32, 1) as never) < 2, () => {})), // here
      'VCT0329 an operator of JavaScript wants numbers; use `.add`, `.lt` and their like for the program, not an object of class Expression',
    ],
    [
      'a place that is no line',
      () => inBody((f) => f.at(-1, 1)), // here
      'VCT0329 at wants a line and a column, counted from 1, not -1',
    ],
    [
      'a parameter that is only a type',
      () => createModule('m').function('f', [i32 as never], i32), // here
      "VCT0329 function f wants as its second argument a list such as `[param('n', i32)]`, not an object of class IntegerType",
    ],
    [
      'no list of parameters',
      () => createModule('m').function('f', i32 as never, i32), // here
      "VCT0329 function f wants as its second argument a list such as `[param('n', i32)]`, not an object of class IntegerType",
    ],
    [
      'a function without name',
      () => createModule('m').function(nothing, [], i32), // here
      'VCT0329 the name of a function wants a text, not undefined',
    ],
    [
      'a linkage that is none',
      () => createModule('m').function('f', [], i32, undefined, { linkage: 'exported' as never }), // here
      'VCT0329 linkage wants one of internal, export, weak, not "exported"',
    ],
    [
      'a declaration without function type',
      () => createModule('m').declare('f', i32 as never), // here
      'VCT0329 declare f wants a type such as `fn([i32], i32)`, not an object of class IntegerType',
    ],
    [
      'a body that is missing',
      () => createModule('m').function('f', [], i32).define(nothing), // here
      'VCT0329 the body of @f wants a closure, as in `() => { … }`, not undefined',
    ],
    [
      'a body that is async',
      () => createModule('m').function('f', [], i32, async () => {}), // here
      'VCT0329 the body of @f wants a closure that is not async, not an object of class Promise',
    ],
    [
      'a trait by its name',
      () => createModule('m').declare('f', fn([ptr(i8)], i32), { traits: ['NoThrow' as never] }), // here
      'VCT0329 traits wants traits such as `traits.NoThrow` or `traits.Align(8)`, not "NoThrow"',
    ],
    [
      'a trait without its payload',
      () => inBody((f) => f.variable('a', i32, 1, { traits: [traits.Align as never] })), // here
      'VCT0329 traits wants traits such as `traits.NoThrow` or `traits.Align(8)`, not a function',
    ],
    [
      'a string of a number',
      () => createModule('m').string(5 as never), // here
      'VCT0329 string wants a text, not 5',
    ],
    [
      'a module without name',
      () => createModule(nothing), // here
      'VCT0329 createModule wants a text, not undefined',
    ],
    [
      'a module that is not finished',
      () => run(createModule('m') as never), // here
      'VCT0908 a module that is not finished is no HIR or VIR module',
    ],
    [
      'a text for a module',
      () => emitC('func @main() -> i32' as never), // here
      'VCT0908 "func @main() -> i32" is no HIR or VIR module',
    ],
  ])('%s', (_, act, message) => {
    expect(mistake(act)).toBe(message);
  });

  it('an option of run that does not exist', () => {
    const m = createModule('m');
    m.function('main', [], i32, (f) => f.return(7), { linkage: 'export' });
    const hir = m.finish();
    expect(() => run(hir, { fule: 1 } as never)).toThrow(/there is no option "fule"/);
    expect(run(hir, { fuel: 100, callDepth: 5, memoryLimit: undefined, core: 'ts' }).exitCode).toBe(7);
  });

  it('an expression of another function', () => {
    const m = createModule('m');
    m.function('f', [param('a', i32)], i32, (f, a) => {
      const sum = a.add(1);
      m.function('g', [], i32, (g) => {
        expect(mistake(() => g.return(sum))).toBe('VCT0330 this add was built in another function'); // here
        g.return(0);
      });
      f.return(sum);
    });
  });

  it('a builder after its function has ended', () => {
    let late: FunctionBuilder | undefined;
    inBody((f) => {
      late = f;
      f.return(0);
    });
    expect(mistake(() => late?.return(1))).toBe('VCT0312 this return stands in no function'); // here
  });
});
