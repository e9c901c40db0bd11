/**
 * Lowering of very large functions, on both cores in a worker, whose stack is small: linear, without recursion, byte for byte alike.
 * The worker runs what was built, so `npm run build:ts` comes first.
 */

import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HirModule } from '../../src/ir/hir-module.js';
import { VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../../src/ir/schema.js';
import { comparedCore } from '../harness/native-core.js';
import { SCALE_SHAPES } from '../harness/scale-shapes.js';

const built = new URL('../../dist/core/', import.meta.url);

/** Milliseconds that the slowest shape may take on a busy machine; one that is quadratic takes hours. */
const PATIENCE = 120_000;

const LOWERING = `
const { parentPort, workerData } = require('node:worker_threads');
const load = (name) => import(workerData + name);
Promise.all(['border.js', 'lower.js', 'lower-threads.js', 'native.js', 'validate-hir.js'].map(load)).then(
  ([{ callCore, guarded }, { LowerOutput }, { lower }, { coreEntry }, { LowerInput }]) => {
    const twin = guarded(lower, LowerInput.count, LowerOutput.count);
    const run = (core, inputs, sizes) => {
      const start = performance.now();
      const { outputs } = callCore(coreEntry(core, 'lower', twin), [], inputs, sizes);
      return { outputs, time: performance.now() - start };
    };
    parentPort.on('message', ({ cores, inputs, sizes }) => {
      try {
        parentPort.postMessage({ lowered: cores.map((core) => run(core, inputs, sizes)) });
      } catch (error) {
        parentPort.postMessage({ failure: String(error) });
      }
    });
  },
);`;

interface Lowered {
  readonly outputs: readonly Int32Array[];
  readonly time: number;
}

interface Answer {
  readonly lowered?: readonly Lowered[];
  readonly failure?: string;
}

function request(hir: HirModule) {
  const { tables } = hir;
  hir.completeFunctions();
  const rows = hir.nodes.length + hir.variables.length + 16;
  return {
    cores: ['ts', comparedCore],
    inputs: [
      hir.nodes.view(),
      hir.variables.view(),
      hir.functions.view(),
      tables.types.rows.view(),
      tables.constants.rows.view(),
      tables.traitSets.rows.view(),
      tables.functions.view(),
    ],
    sizes: [
      rows * VIR_INSTRUCTION.stride,
      rows * 2,
      rows * VIR_BLOCK.stride,
      hir.functions.length * VIR_FUNCTION.stride,
      hir.nodes.length,
    ],
  };
}

describe.skipIf(!existsSync(built) && process.env.CI === undefined)(
  '005/L-5 000/G-7 000/G-8 in a worker',
  () => {
    let worker: Worker;
    beforeAll(() => {
      worker = new Worker(LOWERING, { eval: true, workerData: built.href });
    });
    afterAll(() => worker.terminate());

    test.each(Object.entries(SCALE_SHAPES))(
      '%s',
      async (_, make) => {
        const hir = make();
        const answer = await new Promise<Answer>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
          worker.postMessage(request(hir));
        });
        worker.removeAllListeners('error');
        expect(answer.failure).toBeUndefined();
        const [left, right] = answer.lowered as [Lowered, Lowered];
        console.log(`ts ${Math.round(left.time)} ms, ${comparedCore} ${Math.round(right.time)} ms`);
        expect(left.outputs[0]?.length).toBeGreaterThan(100_000);
        for (const [table, words] of left.outputs.entries()) {
          const other = right.outputs[table] as Int32Array;
          expect(other.length).toBe(words.length);
          expect(words.every((word, at) => word === other[at])).toBe(true);
        }
      },
      PATIENCE,
    );
  },
);
