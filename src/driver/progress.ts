/** Progress of a compilation, for build scripts that show it, and that may end it between two phases. */

import { fail } from '../diag/diagnostic.js';

/** What a compilation does, in this order; which of them happen depends on the input and on what is asked for. */
export type Phase =
  | 'verify'
  | 'optimize'
  | 'lower'
  | 'verify lowered'
  | 'emit'
  | 'probe'
  | 'compile'
  | 'write'
  | 'finished';

/** One step of a compilation. */
export interface Progress {
  /** The phase that begins now; `finished` at the end. */
  readonly phase: Phase;
  /** Phases that have ended. */
  readonly done: number;
  /** Phases in all. */
  readonly total: number;
}

/** Told about each phase as it begins, and once at the end. An exception that it throws ends the compilation. */
export type ProgressListener = (progress: Progress) => void;

/** Counts the phases of one compilation. */
export class ProgressCounter {
  #done = 0;

  constructor(
    readonly total: number,
    readonly listener: ProgressListener | undefined,
    readonly signal?: AbortSignal,
  ) {}

  /** Begins a phase. Fails with VCT0910 when the compilation has been cancelled, by the listener too. */
  begin(phase: Exclude<Phase, 'finished'>): void {
    if (this.signal?.aborted) fail('VCT0910');
    this.listener?.({ phase, done: this.#done, total: this.total });
    if (this.signal?.aborted) fail('VCT0910');
    this.#done++;
  }

  finish(): void {
    this.listener?.({ phase: 'finished', done: this.total, total: this.total });
  }
}
