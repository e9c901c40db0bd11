/** Runs another program: an argument array and no shell, its output kept up to a limit. */

import { spawn } from 'node:child_process';

/** How a program ended. */
export interface ProcessResult {
  /** Exit status, or undefined when it did not start or a signal ended it. */
  readonly status: number | undefined;
  /** The signal that ended it. */
  readonly signal: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** The system's name of the error that kept it from starting, such as ENOENT. */
  readonly startError: string | undefined;
}

export interface ProcessOptions {
  /** Milliseconds after which the program is ended; none when absent. */
  readonly timeout?: number;
  /** Ends the program when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Bytes of each output stream that are kept. */
const OUTPUT_LIMIT = 1 << 20;

/** Runs the program to its end, with nothing to read. Never rejects. */
export function runProcess(
  command: string,
  programArguments: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  return new Promise((resolve) => {
    const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = (status: number | null, signal: string | null, startError?: string) => {
      clearTimeout(timer);
      resolve({
        status: status ?? undefined,
        signal: signal ?? undefined,
        stdout: Buffer.concat(output.stdout).toString(),
        stderr: Buffer.concat(output.stderr).toString(),
        startError,
      });
    };
    let child: ReturnType<typeof spawn>;
    try {
      child = spawn(command, programArguments, {
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        ...(options.signal !== undefined && { signal: options.signal }),
      });
    } catch (error) {
      // A command with a NUL, or one that the system refuses at once.
      finish(null, null, (error as { code?: string }).code ?? 'EINVAL');
      return;
    }
    // The timeout of spawn itself would outlive a program that does not start, and Node with it.
    if (options.timeout !== undefined) timer = setTimeout(() => child.kill(), options.timeout);
    for (const name of ['stdout', 'stderr'] as const) {
      let kept = 0;
      child[name]?.on('data', (chunk: Buffer) => {
        if (kept < OUTPUT_LIMIT) output[name].push(chunk.subarray(0, OUTPUT_LIMIT - kept));
        kept += chunk.length;
      });
    }
    child.on('error', (error: NodeJS.ErrnoException) => finish(null, null, error.code ?? error.name));
    child.on('close', (status, signal) => finish(status, signal));
  });
}

/** How a program ended, in words: `it ended with status 1`. */
export function endText(result: ProcessResult): string {
  if (result.startError !== undefined) {
    if (result.startError === 'ENOENT') return 'there is no such program';
    return result.startError === 'EACCES'
      ? 'it may not be executed'
      : `it did not start (${result.startError})`;
  }
  return result.signal !== undefined
    ? `signal ${result.signal} ended it`
    : `it ended with status ${result.status}`;
}
