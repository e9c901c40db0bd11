/** The programs that the tests call: found once, run without a shell, at most a few at a time. */

import { execFile, spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';

/** A program's name in the tests, and the names under which it may be installed. */
const CANDIDATES = {
  gcc: ['gcc'],
  clang: ['clang-19', 'clang'],
  opt: ['opt-19', 'opt'],
  lli: ['lli-19', 'lli'],
  llc: ['llc-19', 'llc'],
} as const;

/** A program that the tests use. */
export type Tool = keyof typeof CANDIDATES;

/** What a program did. */
export interface RunResult {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const found = new Map<Tool, string | undefined>();

function search(tool: Tool): string | undefined {
  for (const name of CANDIDATES[tool]) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not in this folder.
      }
    }
  }
  return undefined;
}

/** The path of a program, or undefined after saying that its checks are skipped. In CI a missing one is an error. */
export function findTool(tool: Tool): string | undefined {
  if (!found.has(tool)) {
    const path = search(tool);
    found.set(tool, path);
    if (path === undefined) {
      if (process.env.CI) throw new Error(`${tool} is not installed, and CI skips nothing`);
      console.warn(`SKIPPED: every check that needs ${tool}, which is not installed`);
    }
  }
  return found.get(tool);
}

let running = 0;
const waiting: (() => void)[] = [];

/** Runs one job at a time for each processor. */
async function inTurn<Result>(job: () => Promise<Result>): Promise<Result> {
  if (running >= Math.max(2, cpus().length)) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    return await job();
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** Runs a program to its end, with `input` as standard input. Stops it after `seconds`. */
export function run(
  path: string,
  programArguments: readonly string[],
  input: string | Uint8Array = '',
  seconds = 60,
): Promise<RunResult> {
  return inTurn(
    () =>
      new Promise((resolve, reject) => {
        const child = spawn(path, programArguments, {
          timeout: seconds * 1000,
          killSignal: 'SIGKILL',
          // Whether a program frees all it allocated is its own business.
          env: { ...process.env, ASAN_OPTIONS: 'detect_leaks=0' },
        });
        const stdout: Buffer[] = [];
        const stderr: Buffer[] = [];
        child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
        child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
        child.stdin.on('error', () => {
          // The program ended without reading its input.
        });
        child.on('error', reject);
        child.on('close', (status, signal) =>
          resolve({
            status,
            signal,
            stdout: Buffer.concat(stdout),
            stderr: Buffer.concat(stderr).toString(),
          }),
        );
        child.stdin.end(input);
      }),
  );
}

/** The version line of a program, for the head of a report. */
export function version(path: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], (_error, stdout) => resolve(stdout.split('\n', 1)[0] ?? ''));
  });
}
