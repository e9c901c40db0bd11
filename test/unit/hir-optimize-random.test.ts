/** The HIR optimizer on random programs and on every case: the same meaning, no defer left, nothing else in the given module. */

import { describe, expect, test } from 'vitest';
import {
  type HirModule,
  lowerModule,
  optimizeHir,
  parseHir,
  printHir,
  printVir,
  verifyHir,
  verifyVir,
} from '../../src/index.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { readCases } from '../harness/case-file.js';
import { knowMore } from '../harness/known-conditions.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { runTree } from '../harness/tree-oracle.js';
import { outcome, runCompiled, runInterpreted } from '../harness/ways.js';

const seed = runSeed();
const rounds = Number(process.env.VCT_MODULES ?? 8);
const NO_INPUT = { stdin: '', programArguments: [] };

/** What must hold of the optimized form of any program that runs. */
function check(hir: HirModule, where: string): void {
  const before = printHir(hir);
  const optimized = optimizeHir(hir);
  expect(printHir(hir), where).toBe(before);
  expect(verifyHir(optimized), where).toEqual([]);
  const vir = lowerModule(optimized, 'auto');
  expect(verifyVir(vir), where).toEqual([]);
  // The tree itself says what is right, and lowering without the optimizer.
  const expected = outcome(runTree(hir), 0);
  expect(runInterpreted(lowerModule(hir, 'auto'), NO_INPUT), where).toBe(expected);
  expect(runInterpreted(vir, NO_INPUT), where).toBe(expected);
  expect(outcome(runTree(optimized), 0), where).toBe(expected);
  const text = printHir(optimized);
  expect(printHir(parseHir(text)), where).toBe(text);
  expect(printHir(optimizeHir(optimized)), where).toBe(text);
  expect(printHir(optimizeHir(parseHir(text))), where).toBe(text);
}

test(`004/H-3 004/H-6 random programs do the same, optimized once and twice (seed ${seed})`, () => {
  for (let index = 0; index < rounds; index++) {
    const moduleSeed = (seed + 15_485_863 * index) >>> 0;
    check(randomModule(new Random(moduleSeed), 20), `seed ${moduleSeed}`);
  }
}, 300_000);

test(`004/H-3 004/H-6 so do those in which much is known (seed ${seed})`, () => {
  for (let index = 0; index < rounds * 2; index++) {
    const moduleSeed = (seed + 32_452_843 * index) >>> 0;
    const random = new Random(moduleSeed);
    const hir = randomModule(random, 20);
    knowMore(hir, random, index % 2 === 0);
    expect(verifyHir(hir), `seed ${moduleSeed}`).toEqual([]);
    check(hir, `seed ${moduleSeed}`);
  }
}, 300_000);

test(`004/H-3 and in C (seed ${seed})`, async () => {
  const random = new Random(seed);
  const hir = randomModule(random, 12);
  knowMore(hir, random, false);
  const vir = lowerModule(optimizeHir(hir), 'auto');
  const expected = outcome(runTree(hir), 0);
  for (const [way, found] of await runCompiled(vir, NO_INPUT, true))
    expect(found, `${way}, seed ${seed}\n${printVir(vir)}`.slice(0, 200)).toBe(expected);
}, 300_000);

describe('004/H-2 005/L-38: cases', () => {
  const cases = readCases(`${import.meta.dirname}/../cases`).filter(
    (item) => item.format === 'hir' && item.tests.includes('run'),
  );
  test.each(cases.map((item) => [item.name, item] as const))('%s', (_, item) => {
    const optimized = optimizeHir(parseHir(item.text, { file: item.name }));
    for (let node = 0; node < optimized.nodes.length; node++)
      expect(optimized.kind(node as never)).not.toBe(NodeKind.defer);
    expect(verifyHir(optimized)).toEqual([]);
    expect(runInterpreted(lowerModule(optimized, 'auto'), item)).toBe(item.expected.get('run'));
    // The text of it is a program like any other.
    expect(printHir(parseHir(printHir(optimized)))).toBe(printHir(optimized));
    expect(printHir(optimizeHir(optimized))).toBe(printHir(optimized));
  });
});
