/** Regions: what lowering records (005 §4.8), and the barriers of both back ends (008/R14). */

import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import type { TraitUse } from '../../src/hir/builder/traits.js';
import {
  createModule,
  type DiagnosticError,
  emitC,
  emitLlvm,
  i32,
  parseHir,
  parseVir,
  printVir,
  traits,
} from '../../src/index.js';
import { HIR_NODE } from '../../src/ir/schema.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait } from '../../src/traits/trait-table.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { expectSameTables } from '../harness/same-tables.js';

const LLVM_BARRIER = 'call void asm sideeffect "", "~{memory}"()';
const C_BARRIER = 'vct_opaque_barrier();';
const C_FENCE = '__asm__ __volatile__("" ::: "memory");';

const lines = (text: string) => text.split('\n').map((line) => line.trim());
const count = (text: string, line: string) => lines(text).filter((other) => other === line).length;

const llvm = (text: string) => emitLlvm(parseHir(text));
const cText = (text: string) => emitC(parseHir(text), { dialect: 'gcc' }).text;
const vir = (text: string) => printVir(lowerModule(parseHir(text), 'ts'));

const CASE = readFileSync(new URL('../cases/hir/regions.hir', import.meta.url), 'utf8').split(
  ';---',
)[0] as string;

test('005/L-35 a region covers its node and all below it, and the innermost counts', () => {
  const text = vir(`global @g: i32 = 0
func @f(%x: i32) -> void {
  store i32 (%x, @g)
  { #[NoOptimize]
    store i32 (1, @g)
    { #[complex]
      store i32 (2, @g)
    }
    store i32 (3, @g)
  }
  store i32 (4, @g)
}`);
  expect(lines(text).filter((line) => /store|ret/.test(line))).toEqual([
    'store i32 %x, @g',
    'store i32 1, @g region 0',
    'store i32 2, @g region 1',
    'store i32 3, @g region 0',
    'store i32 4, @g',
    'ret void',
  ]);
});

test('005/L-35 a trait of the function makes its body a region, whichever of the two it is', () => {
  for (const name of ['complex', 'NoOptimize'])
    expect(vir(`func @f() -> i32 #[${name}] {\n  return 1\n}`)).toContain('ret i32 1 region 0');
});

test('005/L-35 what a defer registered outside a region is outside it on the way out', () => {
  const text = vir(`global @g: i32 = 0
func @f() -> void {
  defer {
    store i32 (1, @g)
  }
  { #[NoOptimize]
    store i32 (2, @g)
    return
  }
}`);
  expect(text).toContain('store i32 2, @g region 0');
  expect(lines(text)).toContain('store i32 1, @g');
});

test('005/L-35 002/T-1 the bits of the traits that make a region are in the mask that the core reads', () => {
  expect(Trait.complex).toBeLessThan(32);
  expect(Trait.NoOptimize).toBeLessThan(32);
});

test('005/L-35 005/L-5 both cores give the same bytes', () => {
  expectSameTables(lowerModule(parseHir(CASE), 'native'), lowerModule(parseHir(CASE), 'ts'));
});

const seed = runSeed();
test(`005/L-35 005/L-5 and so they do with regions put anywhere (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let index = 0; index < 20; index++) {
    const hir = randomModule(random, 5);
    const { traitSets } = hir.tables;
    for (let node = random.below(20); node < hir.nodes.length; node += 1 + random.below(20)) {
      const trait = random.below(2) === 0 ? Trait.complex : Trait.NoOptimize;
      hir.nodes.set(node, HIR_NODE.traits, traitSets.intern([traitEntry(trait)]));
    }
    const native = lowerModule(hir, 'native');
    expect(printVir(native)).toContain('region 1');
    expectSameTables(native, lowerModule(hir, 'ts'));
  }
});

test('005/L-35 regions survive the text of VIR', () => {
  const text = printVir(lowerModule(parseHir(CASE), 'ts'));
  expect(printVir(parseVir(text))).toBe(text);
});

const BLOCK = `global @g: i32 = 0
func @f(%x: i32) -> i32 {
  var %a: i32 = load i32 (@g)
  { #[NoOptimize]
    store i32 (%x, @g)
  }
  return add i32 (%a, load i32 (@g))
}`;

test('005/L-36 008/R14 C has a fence and an opaque call at each way in and out, and no load passes them', () => {
  const text = cText(BLOCK);
  const body = lines(text.slice(text.lastIndexOf('{')));
  const barriers = body.flatMap((line, index) => (line === C_BARRIER ? [index] : []));
  expect(barriers.length).toBe(2);
  for (const index of barriers) expect(body[index - 1]).toBe(C_FENCE);
  const [first, last] = barriers as [number, number];
  expect(body.findIndex((line) => /= g;/.test(line))).toBeLessThan(first);
  expect(body[first + 1]).toBe('g = x;');
  expect(body.findIndex((line) => /\+.* g\b|\bg \+/.test(line))).toBeGreaterThan(last);
});

test('005/L-36 008/R14 what a region works out is worked out in it, also where it touches no memory', () => {
  const text = cText(`func @f(%x: i32) -> i32 {
  var %a: i32 = 0
  { #[NoOptimize]
    %a = mul i32 (%x, %x)
  }
  return %a
}`);
  const body = lines(text.slice(text.lastIndexOf('{')));
  const product = body.findIndex((line) => line.includes('*'));
  expect(body.indexOf(C_BARRIER)).toBeLessThan(product);
  expect(body.lastIndexOf(C_BARRIER)).toBeGreaterThan(product);
});

test('008/R14 the opaque function is a real one that is never inlined, for every compiler', () => {
  expect(cText(BLOCK)).toContain('__attribute__((noinline)) static void vct_opaque_barrier(void)');
  const plain = emitC(parseHir(BLOCK), { dialect: 'c17' }).text;
  expect(plain).toContain('atomic_signal_fence(memory_order_seq_cst);');
  expect(plain).not.toContain('asm');
});

test('005/L-36 009/R13 LLVM has a barrier at the same places', () => {
  const text = lines(llvm(BLOCK)).filter((line) => /load|store|asm|ret/.test(line));
  expect(
    text.map((line) => (line === LLVM_BARRIER ? 'barrier' : line.replace(/^%\S+ = /, '').slice(0, 4))),
  ).toEqual(['load', 'barrier', 'stor', 'barrier', 'load', 'ret ']);
});

test('008/R14 a loop has its barriers before and behind it, not in every round', () => {
  const text = `global @g: i32 = 0
func @f(%n: i32) -> void {
  while (icmp slt i32 (load i32 (@g), %n)) #[NoOptimize] {
    store i32 (add i32 (load i32 (@g), 1), @g)
  }
}`;
  expect(count(llvm(text), LLVM_BARRIER)).toBe(2);
  expect(count(cText(text), C_BARRIER)).toBe(2);
  expect(llvm(text)).toMatch(/entry:\n {2}call void asm/);
  expect(llvm(text)).toMatch(/loop\.exit:\n {2}call void asm/);
});

test('008/R14 a return within a region is a way out, and a tail call is not parted from its return', () => {
  const body = (call: string) => `declare @g() -> i32\nfunc @f() -> i32 #[complex] {\n  return ${call}\n}`;
  expect(llvm(body('call @g ()'))).toMatch(/call i32 @g\(\)\n {2}call void asm.*\n {2}ret/);
  expect(llvm(body('call @g () #[MustTail!]'))).toMatch(
    /call void asm.*\n {2}%\S+ = musttail call i32 @g\(\)\n {2}ret/,
  );
});

test('002/T-4 without regions there is no barrier', () => {
  const text = BLOCK.replace(' #[NoOptimize]', '');
  expect(llvm(text)).not.toContain('asm');
  expect(cText(text)).not.toContain('barrier');
  expect(vir(text)).not.toContain('region');
});

test('005/L-36 a region 100,000 blocks deep is found without recursion', () => {
  const depth = 100_000;
  const text = `func @f() -> i32 {\n${'{\n'.repeat(depth)}{ #[complex]\nreturn 1\n}\n${'}\n'.repeat(depth)}return 2\n}`;
  expect(vir(text)).toContain('ret i32 1 region 0');
});

const codeOf = (use: () => unknown): string | undefined => {
  try {
    use();
  } catch (error) {
    return (error as DiagnosticError).diagnostics[0]?.code;
  }
  return undefined;
};

test('002/T-6 the builder tells of a wrong trait at the call', () => {
  const build = (use: TraitUse) =>
    codeOf(() => createModule('m').function('f', [], i32, undefined, { traits: [use] }));
  expect(build(traits.NoThrow)).toBeUndefined();
  expect(build(traits.NonNull)).toBe('VCT0304');
  const global = (use: TraitUse) => codeOf(() => createModule('m').global('g', i32, 0, { traits: [use] }));
  expect(global(traits.Align(8))).toBeUndefined();
  expect(global(traits.Align(3))).toBe('VCT0253');
  const loaded = (use: TraitUse) =>
    codeOf(() => {
      const m = createModule('m');
      const g = m.global('g', i32, 0);
      m.function('f', [], i32, (f) => f.return(g.load().with(use)));
    });
  expect(loaded(traits.Range(0, 5))).toBeUndefined();
  expect(loaded(traits.Range(5, 5))).toBe('VCT0252');
  expect(loaded(traits.Range(0.5, 5))).toBe('VCT0224');
});
