/** Writes to the standard streams at once, so that nothing is lost when the process ends. */

import { writeSync } from 'node:fs';

import { fail } from '../diag/diagnostic.js';
import { reasonText } from '../driver/write-output.js';

/** Whoever read our output has gone; there is nobody to tell. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

const pause = new Int32Array(new SharedArrayBuffer(4));

/** Writes all of it. Throws BrokenPipe when the reader has gone, and a DiagnosticError when the place cannot be written. */
export function writeStandard(stream: 1 | 2, content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  let at = 0;
  while (at < bytes.length) {
    try {
      at += writeSync(stream, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EPIPE') throw new BrokenPipe();
      if (code !== 'EAGAIN')
        fail('VCT0901', { file: stream === 1 ? '<stdout>' : '<stderr>', reason: reasonText(error) });
      // The pipe is full and was set not to wait.
      Atomics.wait(pause, 0, 0, 5);
    }
  }
}
