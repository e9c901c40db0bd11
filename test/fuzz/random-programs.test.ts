/**
 * Random structured programs: both cores give the same bytes, the verifiers accept them, and every way of running them agrees.
 * `VCT_SEED` repeats a run; `VCT_MODULES` and `VCT_PROGRAMS` make more of them.
 */

import { expect, test } from 'vitest';
import { lowerModule, printVir, verifyHir, verifyVir } from '../../src/index.js';
import { NODE_KINDS, NodeKind } from '../../src/ir/node-kinds.js';
import { comparedCore } from '../harness/native-core.js';
import { Random, runSeed } from '../harness/random.js';
import { countKinds, randomModule } from '../harness/random-program.js';
import { expectSameTables } from '../harness/same-tables.js';
import { runTree } from '../harness/tree-oracle.js';
import { C_WAYS, outcome, runCompiled, runInterpreted, runLlvm } from '../harness/ways.js';

const seed = runSeed();
const moduleCount = Number(process.env.VCT_MODULES ?? 6);
/** Each function of a random module is a program of its own; `main` runs them all. */
const FUNCTIONS = 30;
/** How many of them the tree, the interpreter, C and LLVM are asked about. */
const programCount = Number(process.env.VCT_PROGRAMS ?? 2_000);
/** What operations that answer for every operand are made of. */
const TOTAL = [
  'sadd_overflow',
  'uadd_overflow',
  'ssub_overflow',
  'usub_overflow',
  'smul_overflow',
  'umul_overflow',
  'sadd_sat',
  'usub_sat',
  'sdiv',
  'urem',
  'shl',
  'ashr',
  'fptosi',
  'fptoui',
  'fcmp',
];
const NO_INPUT = { stdin: '', programArguments: [] };

test(`005/L-5 lowering of random programs: native and TypeScript agree (seed ${seed})`, () => {
  console.log(`seed ${seed}`);
  const random = new Random(seed);
  const counts = new Map<string, number>();
  for (let index = 0; index < 40; index++) {
    const hir = randomModule(random, FUNCTIONS);
    countKinds(hir, counts);
    expect(verifyHir(hir)).toEqual([]);
    const vir = lowerModule(hir, 'ts');
    expectSameTables(lowerModule(hir, comparedCore), vir);
    // 005 §5, invariant 8.
    expectSameTables(lowerModule(hir, 'ts'), vir);
    expect(verifyVir(vir)).toEqual([]);
  }
  console.log([...counts].map(([name, count]) => `${name} ${count}`).join(', '));
  expect(counts.get('range') ?? 0).toBeGreaterThan(50);
  for (const name of TOTAL) expect(counts.get(name) ?? 0, name).toBeGreaterThan(50);
  for (const { name } of NODE_KINDS) {
    if (NodeKind[name] !== NodeKind.unreachable) expect(counts.get(name) ?? 0, name).toBeGreaterThan(50);
  }
});

/** One module, by the tree, the interpreter, one C compiler after the other, and LLVM. */
async function expectAgreement(index: number, counts: Map<string, number>): Promise<void> {
  const moduleSeed = (seed + 104_729 * index) >>> 0;
  const hir = randomModule(new Random(moduleSeed), FUNCTIONS);
  countKinds(hir, counts);
  const vir = lowerModule(hir, 'auto');
  const expected = outcome(runTree(hir), 0);
  expect(runInterpreted(vir, NO_INPUT), `seed ${moduleSeed}`).toBe(expected);
  const way = C_WAYS[index % C_WAYS.length] as (typeof C_WAYS)[number];
  const outcomes = [...(await runCompiled(vir, NO_INPUT, true, [way])), ...(await runLlvm(vir, NO_INPUT))];
  for (const [name, found] of outcomes) expect(found, `${name}, seed ${moduleSeed}`).toBe(expected);
}

test(`000/G-2 005/L-21 the tree, the interpreter, C and LLVM agree on ${programCount} programs (seed ${seed})`, async () => {
  const counts = new Map<string, number>();
  const moduleCount = Math.ceil(programCount / FUNCTIONS);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < moduleCount) await expectAgreement(next++, counts);
  };
  await Promise.all([work(), work()]);
  console.log(
    `${moduleCount * FUNCTIONS} programs: ${[...counts].map(([name, count]) => `${name} ${count}`).join(', ')}`,
  );
}, 20_000_000);

test(`000/G-2 random programs give one answer every way (seed ${seed})`, async () => {
  for (let index = 0; index < moduleCount; index++) {
    const moduleSeed = (seed + 7919 * index) >>> 0;
    const vir = lowerModule(randomModule(new Random(moduleSeed), FUNCTIONS), 'auto');
    const expected = runInterpreted(vir, NO_INPUT);
    const outcomes = [...(await runCompiled(vir, NO_INPUT, true)), ...(await runLlvm(vir, NO_INPUT))];
    for (const [way, outcome] of outcomes) {
      expect(outcome, `${way}, seed ${moduleSeed}\n${printVir(vir)}`.slice(0, 200)).toBe(expected);
    }
  }
}, 300_000);
