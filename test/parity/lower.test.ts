/** Both cores lower random modules to the same bytes, also when the outputs have to be made larger first. */

import { expect, test } from 'vitest';
import { callCore, guarded } from '../../src/core/border.js';
import { lowerModule } from '../../src/core/index.js';
import { LowerOutput } from '../../src/core/lower.js';
import { lower } from '../../src/core/lower-threads.js';
import { coreEntry } from '../../src/core/native.js';
import { LowerInput } from '../../src/core/validate-hir.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { expectSameTables } from '../harness/same-tables.js';

const seed = runSeed();

test(`005/L-5, 000/G-6 native and TypeScript give the same bytes (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let index = 0; index < 30; index++) {
    const hir = randomModule(random, 10);
    expectSameTables(lowerModule(hir, 'native'), lowerModule(hir, 'ts'));
  }
});

test('001/A-15 an entry that is given too little room asks for what it needs, and then gives the same', () => {
  const hir = randomModule(new Random(7), 5);
  const expected = lowerModule(hir, 'ts');
  const { tables } = hir;
  const inputs = [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
  for (const choice of ['native', 'ts'] as const) {
    const entry = coreEntry(choice, 'lower', guarded(lower, LowerInput.count, LowerOutput.count));
    const { outputs } = callCore(entry, [], inputs, [0, 0, 0, 0, 0]);
    expect([...(outputs[LowerOutput.instructions] as Int32Array)]).toEqual([...expected.instructions.view()]);
    expect([...(outputs[LowerOutput.operands] as Int32Array)]).toEqual([...expected.operands.view()]);
  }
});
