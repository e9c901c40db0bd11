/** Two lowered modules, table by table. */

import { expect } from 'vitest';
import type { VirModule } from '../../src/ir/vir-module.js';

/** Fails unless both modules have the same rows in every table. */
export function expectSameTables(left: VirModule, right: VirModule): void {
  for (const table of ['instructions', 'operands', 'blocks', 'functions'] as const) {
    expect(Buffer.compare(bytes(left[table].view()), bytes(right[table].view())), table).toBe(0);
  }
  const leftValues = left.loweringMap?.values ?? new Int32Array();
  const rightValues = right.loweringMap?.values ?? new Int32Array();
  expect(Buffer.compare(bytes(leftValues), bytes(rightValues)), 'values').toBe(0);
}

function bytes(view: Int32Array): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
