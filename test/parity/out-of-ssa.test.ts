/** Both cores leave SSA with the same bytes, and find the same fault in tables that are not what they should be. */

import { describe, expect, it } from 'vitest';
import { newHeader } from '../../src/core/border.js';
import { coreEntry } from '../../src/core/native.js';
import { outOfSsaInputs, outOfSsaTwin, runOutOfSsa } from '../../src/core/run-out-of-ssa.js';
import { CoreHeader, CoreStatus } from '../../src/ir/schema.js';
import type { VirModule } from '../../src/ir/vir-module.js';
import { parseVir } from '../../src/vir/parser.js';
import { Random, runSeed } from '../harness/random.js';
import { randomFunction } from '../harness/random-vir.js';

const seed = runSeed();
const native = coreEntry('native', 'outOfSsa', outOfSsaTwin);

function randomModule(first: number, count: number, maximumBlocks: number): VirModule {
  const names = Array.from({ length: count }, (_, index) => `f${index}`);
  const functions = names.map((name, index) => randomFunction(name, first + index, maximumBlocks));
  return parseVir(`module "random"\ndeclare @d(i32) -> i32\n${functions.join('')}`);
}

/** Calls an entry with outputs of fixed sizes, filled so that what is not written shows. */
function call(entry: typeof native, inputs: readonly Int32Array[], sizes: readonly number[]): Int32Array[] {
  const outputs = sizes.map((size) => new Int32Array(size).fill(-77));
  const header = newHeader();
  entry(inputs, outputs, header);
  return [header, ...outputs];
}

describe(`008/R6 out-of-SSA in C++ and TypeScript (seed ${seed})`, () => {
  it('is really native on one side', () => {
    expect(native).not.toBe(outOfSsaTwin);
  });

  for (const maximumBlocks of [4, 10, 40]) {
    it(`gives the same bytes, with up to ${maximumBlocks} blocks`, () => {
      const vir = randomModule(seed, 200, maximumBlocks);
      const expected = runOutOfSsa(vir, 'ts');
      const found = runOutOfSsa(vir, 'native');
      for (const table of ['variables', 'copies', 'functions'] as const)
        expect([...found[table]], table).toEqual([...expected[table]]);
      expect(expected.copies.length).toBeGreaterThan(100);
    });
  }

  it('asks for the same room', () => {
    const vir = randomModule(seed, 20, 8);
    const inputs = outOfSsaInputs(vir);
    for (const sizes of [
      [0, 0, 0],
      [vir.instructions.length, 0, 1000],
      [0, 100_000, 1000],
    ]) {
      const [header] = call(outOfSsaTwin, inputs, sizes);
      expect(header?.[CoreHeader.status]).toBe(CoreStatus.capacity);
      expect(call(native, inputs, sizes)).toEqual(call(outOfSsaTwin, inputs, sizes));
    }
  });

  it('finds the same in tables with words changed at random, and ends', () => {
    const random = new Random(seed);
    const statuses = new Set<number>();
    for (let round = 0; round < 1000; round++) {
      const vir = randomModule(random.below(1 << 30), 2, 6);
      const inputs: Int32Array[] = outOfSsaInputs(vir).map((table) => new Int32Array(table));
      for (let changes = 1 + random.below(3); changes > 0; changes--) {
        const table = inputs[random.below(4)] as Int32Array;
        if (table.length > 0) table[random.below(table.length)] = strangeWord(random);
      }
      if (random.chance(5)) inputs[random.below(4)] = (inputs[0] as Int32Array).subarray(0, random.below(30));
      const sizes = [vir.instructions.length, 4 * vir.operands.length, 3 * vir.functions.length];
      const expected = call(outOfSsaTwin, inputs, sizes);
      statuses.add(expected[0]?.[CoreHeader.status] as number);
      expect(call(native, inputs, sizes)).toEqual(expected);
    }
    expect([...statuses].sort()).toContain(CoreStatus.malformed);
    expect([...statuses].sort()).toContain(CoreStatus.ok);
  });
});

function strangeWord(random: Random): number {
  const kind = random.below(4);
  if (kind === 0) return random.below(12);
  if (kind === 1) return -1 - random.below(4);
  if (kind === 2) return random.word() | 0;
  return random.pick([0x7fffffff, -0x80000000, 0, 35, 64, 65, 66, 68]);
}
