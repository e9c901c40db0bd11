/** Lowering gives the same bytes and the same fault on any number of threads, on both cores. */

import { existsSync } from 'node:fs';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { callCore, guarded } from '../../src/core/border.js';
import { lowerModule } from '../../src/core/index.js';
import { LowerOutput } from '../../src/core/lower.js';
import { Control, type PoolAnswer, type PoolMessage, runOnPool } from '../../src/core/lower-pool.js';
import { type LowerJob, lower, lowerChunk } from '../../src/core/lower-threads.js';
import { coreEntry } from '../../src/core/native.js';
import { LowerInput } from '../../src/core/validate-hir.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { NONE } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { HIR_NODE, VIR_FUNCTION } from '../../src/ir/schema.js';
import { comparedCore } from '../harness/native-core.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';
import { expectSameTables } from '../harness/same-tables.js';

const seed = runSeed();
const cores = [...new Set([comparedCore, 'ts'] as const)];

function inputsOf(hir: HirModule): Int32Array<SharedArrayBuffer>[] {
  hir.completeFunctions();
  const { tables } = hir;
  return [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
}

function shared(words: number): Int32Array {
  return new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT));
}

function jobOf(hir: HirModule, chunkCount: number): LowerJob {
  const functionCount = hir.functions.length;
  const functions = shared(functionCount * VIR_FUNCTION.stride);
  const values = shared(hir.nodes.length).fill(NONE);
  return { inputs: inputsOf(hir), functions, values, functionCount, chunkCount };
}

describe.each(cores)('005/L-5, 005/L-6, 000/G-6: threads, core %s', (core) => {
  test(`1, 2, 3, 4, 8 and 64 threads give the same bytes (seed ${seed})`, () => {
    const random = new Random(seed);
    for (const functionCount of [1, 2, 7, 60]) {
      const hir = randomModule(random, functionCount);
      const expected = lowerModule(hir, core);
      for (const threads of [1, 2, 3, 4, 8, 64]) expectSameTables(lowerModule(hir, core, threads), expected);
    }
  });

  test('outputs without room are asked for, and then filled', () => {
    const hir = randomModule(new Random(5), 20);
    const expected = lowerModule(hir, core);
    const entry = coreEntry(core, 'lower', guarded(lower, LowerInput.count, LowerOutput.count));
    const sizes = [0, 0, 0, expected.functions.view().length, hir.nodes.length];
    for (const given of [sizes, [0, 0, 0, 0, 0]]) {
      const { outputs } = callCore(entry, [], inputsOf(hir), given, 4);
      expect(outputs[LowerOutput.instructions]).toEqual(expected.instructions.view());
      expect(outputs[LowerOutput.functions]).toEqual(expected.functions.view());
    }
  });

  test('of several faults the first one counts', () => {
    const faultOf = (threads: number): string => {
      const hir = randomModule(new Random(11), 40);
      // Operand types of arithmetic are no business of the core; a jump that has no target is.
      for (let node = 0; node < hir.nodes.length; node++)
        if (hir.nodes.get(node, HIR_NODE.kind) === NodeKind.break) hir.nodes.set(node, HIR_NODE.a, 0);
      try {
        lowerModule(hir, core, threads);
      } catch (error) {
        if (error instanceof DiagnosticError) return error.message;
      }
      return 'no fault';
    };
    expect(faultOf(1)).toContain('VCT0500');
    for (const threads of [2, 8]) expect(faultOf(threads)).toBe(faultOf(1));
  });

  test('a number of threads that nobody has is no more than many', () => {
    const hir = randomModule(new Random(3), 10);
    expectSameTables(lowerModule(hir, core, 0x7fffffff), lowerModule(hir, core));
    expectSameTables(lowerModule(hir, core, -5), lowerModule(hir, core));
  });
});

describe('the pool of the TypeScript core', () => {
  const file = new URL('../../dist/core/lower-worker.js', import.meta.url);

  test.skipIf(!existsSync(file) && process.env.CI === undefined)(
    'a worker brings what the caller would have made',
    async () => {
      const hir = randomModule(new Random(seed ^ 0x77), 24);
      const job = jobOf(hir, 6);
      const control = shared(Control.length);
      const { port1, port2 } = new MessageChannel();
      const worker = new Worker(file, { workerData: port2, transferList: [port2] });
      const message: PoolMessage = { id: 1, job, control };
      port1.postMessage(message);
      const answers = new Map<number, PoolAnswer>();
      while (answers.size < job.chunkCount) {
        const seen = Atomics.load(control, Control.done);
        const received = receiveMessageOnPort(port1) as { message: PoolAnswer } | undefined;
        if (received !== undefined) answers.set(received.message.chunk, received.message);
        else expect(Atomics.wait(control, Control.done, seen, 20_000)).not.toBe('timed-out');
      }
      await worker.terminate();
      const again = jobOf(hir, 6);
      for (let chunk = 0; chunk < job.chunkCount; chunk++) {
        const { output, ...faults } = lowerChunk(again, chunk);
        expect(answers.get(chunk)?.lowered).toEqual({
          ...faults,
          output: { ...output, functions: job.functions },
        });
      }
      expect(job.values).toEqual(again.values);
      expect(job.functions).toEqual(again.functions);
    },
  );

  test('what is thrown by a run is thrown to the caller, and nobody goes on', () => {
    const job = jobOf(randomModule(new Random(1), 8), 4);
    let count = 0;
    const broken = () => {
      count++;
      throw new RangeError('no memory');
    };
    expect(() => runOnPool(job, 1, broken)).toThrow('no memory');
    expect(count).toBe(1);
  });
});
