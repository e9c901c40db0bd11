/** Both algorithms of SSA construction give the same function: the structured one that lowering uses, and the general one. */

import { expect, test } from 'vitest';
import { callCore, guarded } from '../../src/core/border.js';
import { LowerOutput, lowerWith } from '../../src/core/lower.js';
import { lower } from '../../src/core/lower-threads.js';
import { LowerInput } from '../../src/core/validate-hir.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../../src/ir/schema.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';

const seed = runSeed();

function tablesOf(hir: HirModule, isGeneral: boolean): readonly Int32Array[] {
  const { tables } = hir;
  hir.completeFunctions();
  const inputs = [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
  const entry = isGeneral
    ? (given: readonly Int32Array[], out: readonly Int32Array[], header: Int32Array) =>
        lowerWith(given, out, header, true)
    : lower;
  const size = hir.nodes.length * 2 + 100;
  const sizes = [VIR_INSTRUCTION.stride, 3, VIR_BLOCK.stride, VIR_FUNCTION.stride, 1].map(
    (one) => one * size,
  );
  return callCore(guarded(entry, LowerInput.count, LowerOutput.count), [], inputs, sizes).outputs;
}

test(`005/L-16 005/L-18 the phis are those of the general algorithm (seed ${seed})`, () => {
  for (let index = 0; index < 120; index++) {
    const moduleSeed = (seed + 15_485_863 * index) >>> 0;
    const hir = randomModule(new Random(moduleSeed), 8);
    const structured = tablesOf(hir, false);
    const general = tablesOf(hir, true);
    for (let table = 0; table < structured.length; table++) {
      const left = structured[table] as Int32Array;
      const right = general[table] as Int32Array;
      expect(left.length, `seed ${moduleSeed}`).toBe(right.length);
      expect(
        left.findIndex((word, at) => word !== right[at]),
        `seed ${moduleSeed}`,
      ).toBe(-1);
    }
  }
});
