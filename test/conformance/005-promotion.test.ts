/** 005/L-26: what lowering puts in memory, a later pass may take out again, unless it is volatile or atomic. */

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { lowerModule, parseHir, parseVir, printVir, verifyVir } from '../../src/index.js';
import type { Variable } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait } from '../../src/traits/trait-table.js';
import { readCases } from '../harness/case-file.js';
import { promoteSlots } from '../harness/promote-slots.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { runTree } from '../harness/tree-oracle.js';
import { outcome, type ProgramInput, runInterpreted } from '../harness/ways.js';

const seed = runSeed();
const CASES = fileURLToPath(new URL('../cases', import.meta.url));
const NO_INPUT: ProgramInput = { stdin: '', programArguments: [] };

/** States of every variable that its address is taken, so that lowering keeps it in memory. */
function keepInMemory(hir: HirModule): void {
  for (let row = 0; row < hir.variables.length; row++) {
    const variable = row as Variable;
    const { traitSets } = hir.tables;
    const addressed = traitSets.with(hir.epochs.read('variable', variable), traitEntry(Trait.isAddressed));
    hir.epochs.restate('variable', variable, addressed);
  }
}

/** The outcome of the module with its variables in memory, and with those slots promoted. */
function bothOutcomes(hir: HirModule, input: ProgramInput): { count: number; found: string; vir: string } {
  keepInMemory(hir);
  const lowered = lowerModule(hir, 'ts');
  const { text, count } = promoteSlots(printVir(lowered));
  const promoted = parseVir(text);
  expect(verifyVir(promoted), text).toEqual([]);
  return { count, found: runInterpreted(promoted, input), vir: text };
}

test('005/L-26 every case prints the same when the slots of its variables are promoted', () => {
  let total = 0;
  for (const item of readCases(CASES)) {
    const expected = item.expected.get('run');
    if (item.format !== 'hir' || expected === undefined) continue;
    const input = { stdin: item.stdin, programArguments: item.programArguments };
    const { count, found } = bothOutcomes(parseHir(item.text), input);
    expect(found, item.name).toBe(expected);
    total += count;
  }
  expect(total).toBeGreaterThan(250);
});

test(`005/L-26 random programs print the same when the slots of their variables are promoted (seed ${seed})`, () => {
  let total = 0;
  for (let index = 0; index < 4; index++) {
    const moduleSeed = (seed + 86_028_121 * index) >>> 0;
    const hir = randomModule(new Random(moduleSeed), 8);
    const expected = outcome(runTree(hir), 0);
    const { count, found } = bothOutcomes(hir, NO_INPUT);
    expect(found, `seed ${moduleSeed}`).toBe(expected);
    total += count;
  }
  expect(total).toBeGreaterThan(250);
});

test('005/L-25 005/L-26 what is volatile or atomic is loaded and stored as such, and its slot says so', () => {
  const { text, count } = promoteSlots(
    printVir(
      lowerModule(
        parseHir(`func @f() -> i32 export {
  var %v: i32 #[isVolatile] = 1
  var %a: i32 #[isAtomic(seq_cst)] = 2
  var %m: i32 #[isRuntimeMutable] = 3
  %v = add i32 (%v, %a)
  return add i32 (%v, %m)
}`),
        'ts',
      ),
    ),
  );
  expect(count).toBe(1);
  expect(text.split('\n').filter((line) => /alloca|load|store/.test(line))).toEqual([
    '  %v = alloca i32 #[isVolatile]',
    '  %a = alloca i32 #[isAtomic(seq_cst)]',
    '  store volatile i32 1, %v',
    '  store atomic i32 2, %a seq_cst',
    '  %0 = load volatile i32 %v',
    '  %1 = load atomic i32 %a seq_cst',
    '  store volatile i32 %2, %v',
    '  %3 = load volatile i32 %v',
  ]);
});
