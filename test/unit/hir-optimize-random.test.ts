/** The HIR optimizer on random programs and on every case: the same meaning, no defer left, nothing else in the given module. */

import { describe, expect, test } from 'vitest';
import { lowerModule, optimizeHir, parseHir, printHir, verifyHir, verifyVir } from '../../src/index.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { readCases } from '../harness/case-file.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { runInterpreted } from '../harness/ways.js';

const seed = runSeed();
const NO_INPUT = { stdin: '', programArguments: [] };

test(`004/H-3 random programs do the same, optimized and not (seed ${seed})`, () => {
  for (let index = 0; index < 40; index++) {
    const moduleSeed = (seed + 15_485_863 * index) >>> 0;
    const hir = randomModule(new Random(moduleSeed), 30);
    const before = printHir(hir);
    const optimized = optimizeHir(hir);
    const where = `seed ${moduleSeed}`;
    expect(printHir(hir), where).toBe(before);
    expect(verifyHir(optimized), where).toEqual([]);
    const vir = lowerModule(optimized, 'auto');
    expect(verifyVir(vir), where).toEqual([]);
    expect(runInterpreted(vir, NO_INPUT), where).toBe(runInterpreted(lowerModule(hir, 'auto'), NO_INPUT));
  }
});

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
  });
});
