/**
 * The threads of the TypeScript core: what `std::thread` is to the C++ one. Workers stay for the next module and keep no process alive.
 *
 * The calling thread takes runs like every worker and waits only for what others have taken, so it also ends where no worker
 * starts: in a browser, or where the file of the worker is missing.
 */

import { fail } from '../diag/diagnostic.js';
import type { LoweredChunk, LowerJob } from './lower-threads.js';

/** Words of the control array: the next run to take, and how many were brought back. */
export const Control = { next: 0, done: 1, length: 2 } as const;

/** What a worker is told. */
export interface PoolMessage {
  readonly id: number;
  readonly job: LowerJob;
  readonly control: Int32Array;
}

/** What a worker brings back: the run, or what it met instead. */
export interface PoolAnswer {
  readonly id: number;
  readonly chunk: number;
  readonly lowered?: LoweredChunk;
  readonly failure?: { readonly message: string; readonly isRange: boolean };
}

/** Milliseconds without any answer after which a worker counts as gone: no run of functions takes so long. */
const PATIENCE = 300_000;

interface Port {
  postMessage(message: unknown): void;
}

interface Threads {
  readonly Worker: new (
    file: URL,
    options: { readonly workerData: unknown; readonly transferList: readonly unknown[] },
  ) => { on(event: 'error', listener: () => void): void; unref(): void };
  readonly MessageChannel: new () => { readonly port1: Port; readonly port2: Port };
  receiveMessageOnPort(port: Port): { readonly message: PoolAnswer } | undefined;
}

/** One end of the channel to each worker that was started. */
const ports: Port[] = [];
let lastJob = 0;

function threadsOfNode(): Threads | undefined {
  const { process } = globalThis as { process?: { getBuiltinModule?(id: string): unknown } };
  return process?.getBuiltinModule?.('worker_threads') as Threads | undefined;
}

/** Starts workers until there are `count`. */
function startWorkers(threads: Threads, count: number): void {
  while (ports.length < count) {
    const { port1, port2 } = new threads.MessageChannel();
    const worker = new threads.Worker(new URL('./lower-worker.js', import.meta.url), {
      workerData: port2,
      transferList: [port2],
    });
    // A worker that does not start takes nothing.
    worker.on('error', () => {});
    worker.unref();
    ports.push(port1);
  }
}

function isShared(array: Int32Array): boolean {
  return typeof SharedArrayBuffer === 'function' && array.buffer instanceof SharedArrayBuffer;
}

/** Every run of a job, each lowered by `lowerHere` or by a worker in the same way. Throws what `lowerHere` throws. */
export function runOnPool(
  job: LowerJob,
  threadCount: number,
  lowerHere: (chunk: number) => LoweredChunk,
): LoweredChunk[] {
  const results: (LoweredChunk | undefined)[] = Array.from({ length: job.chunkCount });
  const threads = isShared(job.functions) && isShared(job.values) ? threadsOfNode() : undefined;
  const control = new Int32Array(new SharedArrayBuffer(Control.length * Int32Array.BYTES_PER_ELEMENT));
  const id = ++lastJob;
  const used = threads === undefined ? [] : ports;
  if (threads !== undefined) {
    startWorkers(threads, threadCount - 1);
    const message: PoolMessage = { id, job, control };
    for (const port of ports.slice(0, threadCount - 1)) port.postMessage(message);
  }
  try {
    takeChunks(control, job.chunkCount, (chunk) => {
      results[chunk] = lowerHere(chunk);
    });
    if (threads !== undefined) awaitWorkers(threads, used, id, control, results);
  } finally {
    // After a throw nobody is to go on.
    Atomics.store(control, Control.next, job.chunkCount);
  }
  return results as LoweredChunk[];
}

/** Takes runs until none is left. */
export function takeChunks(control: Int32Array, chunkCount: number, lowerOne: (chunk: number) => void): void {
  for (;;) {
    const chunk = Atomics.add(control, Control.next, 1);
    if (chunk >= chunkCount) return;
    lowerOne(chunk);
  }
}

/** Collects what the workers bring, until nothing is missing. */
function awaitWorkers(
  threads: Threads,
  used: readonly Port[],
  id: number,
  control: Int32Array,
  results: (LoweredChunk | undefined)[],
): void {
  let missing = results.filter((result) => result === undefined).length;
  for (;;) {
    const seen = Atomics.load(control, Control.done);
    for (const port of used) {
      let received = threads.receiveMessageOnPort(port);
      while (received !== undefined) {
        const { message } = received;
        if (message.id === id) {
          results[message.chunk] = accepted(message);
          missing--;
        }
        received = threads.receiveMessageOnPort(port);
      }
    }
    if (missing <= 0) return;
    if (Atomics.wait(control, Control.done, seen, PATIENCE) === 'timed-out')
      fail('VCT0001', { detail: 'a worker of the core does not answer' });
  }
}

/** A RangeError is a failed allocation, on a worker as here. */
function accepted({ lowered, failure }: PoolAnswer): LoweredChunk {
  if (lowered !== undefined) return lowered;
  const message = failure?.message ?? 'a worker of the core brought nothing';
  throw failure?.isRange === true ? new RangeError(message) : new Error(message);
}
