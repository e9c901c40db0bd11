/** What traits and requests become in C (008 §5, Table 1), and which strong requests are refused. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DiagnosticError, type Dialect, emitC, emitLlvm, lowerModule, parseHir } from '../../src/index.js';
import { findTool, run } from '../harness/tools.js';

function textOf(source: string, dialect: Dialect): string {
  return emitC(lowerModule(parseHir(`module "m"\n\n${source}\n`)), { dialect }).text;
}

/** Compiles the text with every warning an error. */
async function compiles(text: string, tool: 'gcc' | 'clang'): Promise<void> {
  const compiler = findTool(tool);
  if (compiler === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), 'libvct-traits-'));
  try {
    writeFileSync(join(folder, 'a.c'), text);
    const flags = ['-std=c17', '-O2', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];
    const { stderr, status } = await run(compiler, [
      ...flags,
      '-c',
      '-o',
      join(folder, 'a.o'),
      join(folder, 'a.c'),
    ]);
    expect(status, `${stderr}\n${text}`).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
  return undefined;
}

/** A loop with these traits that stores `value` to `place`. */
function loop(traits: string, value: string, place: string): string {
  return `func @g(%x: f32) -> f32 #[NoWrite] {
  return %x
}

func @h(%x: f32) -> f32 {
  return %x
}

func @f(%a: ptr<f32>, %b: ptr<f32>, %n: i32) -> f32 export {
  var %s: f32 = 0.0
  for #[${traits}] {
    var %i: i32 = 0
  } while (icmp slt i32 (%i, %n)) step {
    %i = add i32 (%i, 1)
  } do {
    store f32 (${value}, ${place})
  }
  return %s
}`;
}

const MAP = loop('Vectorize', 'fmul f32 (load f32 (gep f32 (%b, %i)), 2.0)', 'gep f32 (%a, %i)');

describe('008/R12 requests on loops', () => {
  const counted = loop('Unroll(4)', '1.0', 'gep f32 (%a, %i)');

  test('Unroll is a pragma of either compiler, right before the loop, and nothing in plain C', () => {
    expect(textOf(counted, 'gcc')).toMatch(/\n {4}#pragma GCC unroll 4\n {4}for \(/);
    expect(textOf(counted, 'clang')).toMatch(/\n {4}#pragma clang loop unroll_count\(4\)\n {4}for \(/);
    expect(textOf(counted, 'c17')).not.toContain('#pragma');
  });

  test('a loop that may not end, and one that is tested last, keep theirs', () => {
    const forever = `func @f(%p: ptr<i32>) -> void export {
  while (icmp ne i32 (load i32 (%p), 0)) #[Unroll(3)] {
    store i32 (1, %p)
  }
  var %i: i32 = 0
  do #[Unroll(2)] {
    %i = add i32 (%i, 1)
    store i32 (%i, %p)
  } while (icmp slt i32 (%i, 9))
}`;
    const text = textOf(forever, 'gcc');
    expect(text).toMatch(/#pragma GCC unroll 3\n {4}while \(1\)/);
    expect(text).toMatch(/#pragma GCC unroll 2\n {4}do \{/);
  });

  test('GCC has no word for Vectorize, and never gets ivdep', () => {
    expect(textOf(MAP, 'clang')).toContain('#pragma clang loop vectorize(enable)');
    for (const dialect of ['gcc', 'c17'] as const)
      expect(textOf(MAP, dialect)).not.toMatch(/unroll|vectorize|ivdep/);
  });

  test('without requests there is no pragma', () => {
    expect(textOf(loop('NoOptimize', '1.0', 'gep f32 (%a, %i)'), 'clang')).not.toContain('pragma');
  });
});

describe('002/T-15 Vectorize does not change results', () => {
  const load = 'load f32 (gep f32 (%b, %i))';
  test.each([
    ['a map', MAP, true],
    ['stores without arithmetic to one place', loop('Vectorize', load, '%a'), true],
    ['a sum in memory', loop('Vectorize', `fadd f32 (load f32 (%a), ${load})`, '%a'), false],
    ['a sum behind a fixed step', loop('Vectorize', `fadd f32 (1.0, ${load})`, 'gep f32 (%a, %n)'), false],
    ['a call that may write', loop('Vectorize', `call @h (${load})`, 'gep f32 (%a, %i)'), false],
    ['a call that does not', loop('Vectorize', `call @g (${load})`, 'gep f32 (%a, %i)'), true],
  ])('%s', (_, source, isAsked) => {
    expect(textOf(source, 'clang').includes('vectorize(enable)')).toBe(isAsked);
    const vir = lowerModule(parseHir(`module "m"\n\n${source}\n`));
    expect(emitLlvm(vir).includes('llvm.loop.vectorize.enable')).toBe(isAsked);
    const strong = source.replace('Vectorize', 'Vectorize!');
    expect(codeOf(() => textOf(strong, 'clang'))).toBe(isAsked ? undefined : 'VCT0254');
    expect(codeOf(() => emitLlvm(lowerModule(parseHir(`module "m"\n\n${strong}\n`))))).toBe(
      isAsked ? undefined : 'VCT0254',
    );
  });

  const SUM = `func @f(%b: ptr<f32>, %n: i32) -> f32 export {
  var %s: f32 = 0.0
  for #[Vectorize] {
    var %i: i32 = 0
  } while (icmp slt i32 (%i, %n)) step {
    %i = add i32 (%i, 1)
  } do {
    %s = fadd f32 (%s, load f32 (gep f32 (%b, %i)))
  }
  return %s
}`;

  test('a sum in a register, and a loop around another', () => {
    expect(textOf(SUM, 'clang')).not.toContain('pragma');
    const outer = `func @f(%a: ptr<f32>) -> void export {
  var %i: i32 = 0
  while (icmp slt i32 (%i, 9)) #[Vectorize] {
    var %j: i32 = 0
    while (icmp slt i32 (%j, 9)) {
      store f32 (fadd f32 (load f32 (gep f32 (%a, %j)), 1.0), gep f32 (%a, %j))
      %j = add i32 (%j, 1)
    }
    %i = add i32 (%i, 1)
  }
}`;
    expect(textOf(outer, 'clang')).not.toContain('pragma');
  });

  test('a sum of integers may be', () => {
    const integers = SUM.replaceAll('f32', 'i32').replace('0.0', '0').replace('fadd', 'add');
    expect(textOf(integers, 'clang')).toContain('vectorize(enable)');
  });
});

describe('008/R12 promises of parameters', () => {
  const head = (text: string) => /^int32_t f\(.*;$/m.exec(text)?.[0] ?? '';

  test('NonNull is nonnull, and Align above that of the type an assumption', () => {
    const source = `func @f(%n: i32, %p: ptr<i32> #[NonNull, Align(32)], %q: ptr<i32> #[Align(4)]) -> i32 export {
  return add i32 (load i32 (%p), load i32 (%q))
}`;
    for (const dialect of ['gcc', 'clang'] as const) {
      const text = textOf(source, dialect);
      expect(head(text)).toContain('nonnull(2)');
      expect(text).toContain('    p = __builtin_assume_aligned(p, 32);\n    return');
      expect(text).not.toContain('(q,');
    }
    expect(textOf(source, 'c17')).not.toMatch(/nonnull|__builtin/);
  });

  test('NonNull stays unsaid where the body asks, by a cast too, or a call gives null', () => {
    const asks = (test: string) => `func @f(%p: ptr<i32> #[NonNull]) -> i32 export {
  if (${test}) {
    return 1
  }
  return 0
}`;
    expect(head(textOf(asks('icmp eq ptr<i32> (%p, null)'), 'gcc'))).not.toContain('nonnull');
    expect(head(textOf(asks('icmp eq ptr<i8> (null, bitcast (%p) to ptr<i8>)'), 'gcc'))).not.toContain(
      'nonnull',
    );
    expect(head(textOf(asks('true'), 'gcc'))).toContain('nonnull(1)');
    const called = `${asks('true')}\n\nfunc @g() -> i32 export {\n  return call @f (null)\n}`;
    expect(head(textOf(called, 'gcc'))).not.toContain('nonnull');
  });

  test('HotPath and ColdPath of a branch are expectations', () => {
    const source = (trait: string) => `func @f(%c: i1) -> i32 export {
  if (%c) #[${trait}] {
    return 1
  }
  return 0
}`;
    expect(textOf(source('HotPath'), 'gcc')).toContain('__builtin_expect(c, 1)');
    expect(textOf(source('ColdPath'), 'clang')).toContain('__builtin_expect(c, 0)');
    expect(textOf(source('ColdPath'), 'c17')).not.toContain('__builtin');
  });
});

describe('008/R12 ReadOnly and NoWrite are const where nothing but reads is done', () => {
  const source = (
    body: string,
    traits = 'ReadOnly',
    rest = '',
    type = 'i32',
  ) => `type %Pair = { a: i32, b: i32 }
declare @sink(%p: ptr<i32>) -> void

func @f(%p: ptr<${type}> #[${traits}], %i: i32) -> i32 export {
${body}
}
${rest}`;
  const READ = '  return load i32 (gep i32 (%p, %i))';
  const isConst = (text: string, dialect: Dialect) => /\(const \w+ \*, int32_t\)/.test(textOf(text, dialect));

  test.each([
    ['reads', source(READ), true],
    ['reads, with NoWrite', source(READ, 'NoWrite'), true],
    ['no trait', source(READ, 'NonNull'), false],
    ['a parameter that is not used', source('  return %i'), true],
    ['a member', source('  return load i32 (gep %Pair (%p, 0, 1))', 'ReadOnly', '', '%Pair'), true],
    [
      'a whole struct',
      source(
        '  var %x: %Pair = load %Pair (%p)\n  return load i32 (gep %Pair (&%x, 0, 1))',
        'ReadOnly',
        '',
        '%Pair',
      ),
      true,
    ],
    [
      'a comparison',
      source('  if (icmp eq ptr<i32> (%p, null)) {\n    return 0\n  }\n  return load i32 (%p)'),
      true,
    ],
    ['a volatile read', source('  return load volatile i32 (%p)'), false],
    ['a call that gets it', source('  call @sink (%p)\n  return 1'), false],
    [
      'a variable that moves',
      source('  while (icmp ne i32 (load i32 (%p), %i)) {\n    %p = gep i32 (%p, 1)\n  }\n  return 1'),
      false,
    ],
    [
      'a pointer to pointers',
      source('  return load i32 (load ptr<i32> (%p))', 'ReadOnly', '', 'ptr<i32>'),
      false,
    ],
    [
      'its address in a table',
      source(
        READ,
        'ReadOnly',
        '\nconstant @t: [1 x ptr<fn(ptr<i32>, i32) -> i32>] export = [ ptr<fn(ptr<i32>, i32) -> i32> @f ]',
      ),
      false,
    ],
    [
      'its address in a global',
      source(READ, 'ReadOnly', '\nglobal @t: ptr<fn(ptr<i32>, i32) -> i32> export = @f'),
      false,
    ],
    [
      'its address as a value',
      source(READ, 'ReadOnly', '\nfunc @g() -> ptr<fn(ptr<i32>, i32) -> i32> export {\n  return @f\n}'),
      false,
    ],
    [
      'a call of it',
      source(READ, 'ReadOnly', '\nfunc @g(%p: ptr<i32>) -> i32 export {\n  return call @f (%p, 1)\n}'),
      true,
    ],
  ])('%s', async (_, text, wanted) => {
    for (const dialect of ['gcc', 'clang', 'c17'] as const) {
      expect(isConst(text, dialect), dialect).toBe(wanted);
      await compiles(textOf(text, dialect), dialect === 'clang' ? 'clang' : 'gcc');
    }
  });
});

describe('002/T-16, 008/R13 strong requests that the dialect has no words for', () => {
  const onFunction = (traits: string, linkage = ' export') =>
    `func @f(%x: i32) -> i32${linkage} #[${traits}] {\n  return %x\n}${linkage === '' ? '\n\nfunc @g() -> i32 export {\n  return call @f (1)\n}' : ''}`;
  const onCall = (traits: string) =>
    `declare @g() -> i32\n\nfunc @f() -> i32 export {\n  return call @g () #[${traits}]\n}`;
  const onBranch = (traits: string) =>
    `func @f(%c: i1) -> i32 export {\n  if (%c) #[${traits}] {\n    return 1\n  }\n  return 0\n}`;

  test.each([
    ['NoInline!', onFunction('NoInline!'), { c17: true }],
    ['HotPath!', onFunction('HotPath!'), { c17: true }],
    ['ColdPath!', onFunction('ColdPath!'), { c17: true }],
    [
      'AlwaysInline! of an exported function',
      onFunction('AlwaysInline!'),
      { c17: true, gcc: true, clang: true },
    ],
    ['AlwaysInline! of an internal one', onFunction('AlwaysInline!', ''), { c17: true }],
    ['Inline! of an exported function', onFunction('Inline!'), { c17: true, gcc: true, clang: true }],
    ['Inline! of an internal one', onFunction('Inline!', ''), {}],
    ['NoInline! of a call', onCall('NoInline!'), { c17: true, gcc: true, clang: true }],
    ['TailCall!', onCall('TailCall!'), { c17: true, gcc: true, clang: true }],
    ['NoTail!', onCall('NoTail!'), { c17: true, gcc: true, clang: true }],
    ['TailCall', onCall('TailCall'), {}],
    ['LikelyCall!', onBranch('LikelyCall!'), { c17: true }],
    ['ColdPath! of a branch', onBranch('ColdPath!'), { c17: true }],
    ['LikelyCall', onBranch('LikelyCall'), {}],
    ['Unroll!', loop('Unroll(4)!', '1.0', 'gep f32 (%a, %i)'), { c17: true }],
    [
      'Unroll! beyond what GCC takes',
      loop('Unroll(70000)!', '1.0', 'gep f32 (%a, %i)'),
      { c17: true, gcc: true },
    ],
    ['Vectorize!', MAP.replace('Vectorize', 'Vectorize!'), { c17: true, gcc: true }],
  ] as [string, string, Partial<Record<Dialect, boolean>>][])('%s', (_, source, refused) => {
    for (const dialect of ['gcc', 'clang', 'c17'] as const)
      expect(
        codeOf(() => textOf(source, dialect)),
        dialect,
      ).toBe(refused[dialect] ? 'VCT0705' : undefined);
  });
});
