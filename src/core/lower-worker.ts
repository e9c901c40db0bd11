/** A worker of the TypeScript core's pool: takes runs of functions of one module after the other (src/core/lower-pool.ts). */

import { type MessagePort, workerData } from 'node:worker_threads';
import { Control, type PoolAnswer, type PoolMessage, takeChunks } from './lower-pool.js';
import { type LoweredChunk, lowerChunk } from './lower-threads.js';

const port = workerData as MessagePort;

function work({ id, job, control }: PoolMessage): void {
  takeChunks(control, job.chunkCount, (chunk) => {
    port.postMessage(attempt(id, chunk, () => lowerChunk(job, chunk)));
    Atomics.add(control, Control.done, 1);
    Atomics.notify(control, Control.done);
  });
}

/** What is thrown goes to the caller, where somebody can see it. */
function attempt(id: number, chunk: number, lower: () => LoweredChunk): PoolAnswer {
  try {
    return { id, chunk, lowered: lower() };
  } catch (error) {
    return { id, chunk, failure: { message: String(error), isRange: error instanceof RangeError } };
  }
}

port.on('message', work);
