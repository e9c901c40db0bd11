/** What the tables cost in memory: the shapes of the benchmark, lowered by the package as it is built. */

import { expect, test } from 'vitest';
import type { HirModule, VirModule } from '../../src/index.js';

interface Shape {
  readonly name: string;
  build(size: number): HirModule;
}

const load = async (path: string) => (await import(new URL(path, import.meta.url).href)) as unknown;

test('000/G-9 at most 64 bytes a node and 64 an instruction, traits and map included, on every shape of the benchmark', async () => {
  const { SHAPES } = (await load('../../bench/shapes.mjs')) as { SHAPES: readonly Shape[] };
  const { bytesOf } = (await load('../../bench/memory.mjs')) as {
    bytesOf(hir: HirModule, vir: VirModule): { bytesANode: number; bytesAnInstruction: number };
  };
  const { lowerModule } = (await load('../../dist/index.js')) as { lowerModule(hir: HirModule): VirModule };
  for (const { name, build } of SHAPES) {
    const hir = build(2_000);
    const { bytesANode, bytesAnInstruction } = bytesOf(hir, lowerModule(hir));
    expect(bytesANode, name).toBeLessThanOrEqual(64);
    expect(bytesAnInstruction, name).toBeLessThanOrEqual(64);
  }
});
