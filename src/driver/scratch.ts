/**
 * Temporary files that are gone when their work is done, when it fails, and when the process is ended by a signal.
 *
 * While any exist, the process listens for its end. A signal that nobody else listens for then ends it as it would have.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const live = new Set<Scratch>();
let count = 0;

/** The temporary files of one piece of work. */
export class Scratch {
  readonly #paths: string[] = [];
  readonly #interrupts: (() => void)[] = [];

  constructor() {
    if (live.size === 0) listen();
    live.add(this);
  }

  /** A new folder that only this user can read. */
  folder(): string {
    const path = mkdtempSync(join(tmpdir(), 'vct-'));
    this.#paths.push(path);
    return path;
  }

  /** A path in the folder of `target`, from where a rename to it is one step. Nothing is created. */
  beside(target: string): string {
    const path = join(dirname(target), `.vct-${process.pid}-${++count}.tmp`);
    this.#paths.push(path);
    return path;
  }

  /** Asks to be called when the process ends before the work does. */
  onInterrupt(callback: () => void): void {
    this.#interrupts.push(callback);
  }

  /** The process ends: stops the work, then removes what is there. */
  interrupt(): void {
    for (const callback of this.#interrupts) callback();
    this.release();
  }

  /** Removes what is still there. */
  release(): void {
    for (const path of this.#paths) rmSync(path, { recursive: true, force: true });
    live.delete(this);
    if (live.size === 0) stopListening();
  }
}

function releaseAll(): void {
  for (const scratch of [...live]) {
    try {
      scratch.interrupt();
    } catch {
      // The process is ending; what cannot be removed stays.
    }
  }
}

function onSignal(signal: NodeJS.Signals): void {
  const othersListen = process.listenerCount(signal) > 1;
  releaseAll();
  if (!othersListen) process.kill(process.pid, signal);
}

function listen(): void {
  process.on('exit', releaseAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function stopListening(): void {
  process.off('exit', releaseAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
