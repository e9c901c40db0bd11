/** From verified VIR to an executable, by the C compiler of the machine (010 §4, §5). */

import { chmodSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { fail } from '../diag/diagnostic.js';
import type { Config } from '../ir/config.js';
import type { VirModule } from '../ir/vir-module.js';
import { cOf } from './emit.js';
import { type CompilerInfo, probeCompiler } from './probe-compiler.js';
import { requireMain } from './program.js';
import type { ProgressCounter } from './progress.js';
import { endText, runProcess } from './run-process.js';
import { Scratch } from './scratch.js';
import { outputPlace, reasonText } from './write-output.js';

/**
 * Builds `output`, in the phases probe, emit, compile and write. The output is replaced in one step once all has gone well, and
 * stays as it was otherwise. A compiler that fails becomes one diagnostic with its output attached (VCT0907).
 */
export async function buildExecutable(
  vir: VirModule,
  output: string,
  config: Config,
  progress: ProgressCounter,
  signal?: AbortSignal,
): Promise<CompilerInfo> {
  const place = outputPlace(output);
  if (place.kind !== 'file') fail('VCT0901', { file: output, reason: 'it is no regular file' });
  // The linker's message would name no place; but arguments for it may make a library, or bring a main.
  if (config.compilerArguments.length === 0 && config.libraries.length === 0) requireMain(vir);
  progress.begin('probe');
  const compiler = await probeCompiler(config.compiler);
  progress.begin('emit');
  const text = cOf(vir, config, config.dialect === 'auto' ? compiler.dialect : config.dialect).text;
  const scratch = new Scratch();
  try {
    progress.begin('compile');
    const folder = scratch.folder();
    const source = join(folder, 'module.c');
    const temporary = scratch.beside(place.path);
    writeFileSync(source, text);
    const stop = new AbortController();
    scratch.onInterrupt(() => stop.abort());
    const either = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
    const given = compilerArguments(compiler, config, folder, source, temporary);
    await callCompiler(compiler, given, output, either);
    progress.begin('write');
    if (place.mode !== undefined) chmodSync(temporary, (statSync(temporary).mode | place.mode) & 0o7777);
    renameSync(temporary, place.path);
  } catch (error) {
    if (isSystemError(error)) fail('VCT0901', { file: output, reason: reasonText(error) });
    throw error;
  } finally {
    scratch.release();
  }
  return compiler;
}

/** The arguments of the compiler. Every path is absolute, so that none can be read as an option. */
export function compilerArguments(
  compiler: CompilerInfo,
  config: Config,
  folder: string,
  source: string,
  target: string,
): string[] {
  const exact = compiler.dialect === 'c17' ? [] : ['-ffp-contract=off', '-fno-strict-aliasing'];
  const debug = config.debug ? ['-g', `-fdebug-prefix-map=${folder}=.`] : [];
  return [
    '-std=c17',
    `-O${config.optimize}`,
    ...exact,
    ...debug,
    '-o',
    target,
    source,
    ...config.compilerArguments,
    ...config.libraries.map((library) => `-l${library}`),
    ...(process.platform === 'win32' ? [] : ['-lm']),
  ];
}

async function callCompiler(
  compiler: CompilerInfo,
  given: readonly string[],
  output: string,
  signal: AbortSignal,
): Promise<void> {
  if (signal.aborted) fail('VCT0910');
  const result = await runProcess(compiler.command, given, { signal });
  if (signal.aborted) fail('VCT0910');
  if (result.status === 0) return;
  fail(
    'VCT0907',
    { compiler: compiler.command, file: output, reason: endText(result) },
    undefined,
    [],
    `${result.stderr}${result.stdout}`,
  );
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && typeof (error as NodeJS.ErrnoException).syscall === 'string';
}
