/** `vct repro FILE` runs the bundle of an internal error again; `--repro FILE` of the other commands writes one (011 §6). */

import type { Diagnostic } from '../diag/diagnostic.js';
import { type ReproTask, readRepro, reproBundle, reproduce } from '../driver/repro.js';
import { writeOutput } from '../driver/write-output.js';
import type { CommandLine } from './command-line.js';
import { oneFile } from './one-file.js';
import { inputs, readText } from './read-input.js';
import { writeStandard } from './streams.js';
import { packageVersion } from './version.js';

/** Tells whether the error happens again. Gives what happened, for the exit code and for standard error. */
export function reproCommand(line: CommandLine): readonly Diagnostic[] {
  const file = oneFile(line, 'repro');
  const bundle = readRepro(readText(file).text, file);
  const { kind, diagnostics } = reproduce(bundle);
  const words = {
    again: 'it happens again',
    other: 'something else happens',
    gone: 'it does not happen here',
  }[kind];
  writeStandard(1, `${words}: ${bundle.diagnostic.code}: ${bundle.diagnostic.message}\n`);
  writeStandard(1, `kept by libvct ${bundle.versions.libvct}, run by ${packageVersion()}\n`);
  return diagnostics;
}

/** Writes the bundle of an internal error and gives the words about it; undefined when no program was read yet. */
export function keepRepro(line: CommandLine, fault: Diagnostic): string | undefined {
  const input = inputs.at(-1);
  const task = taskOf(line);
  if (input === undefined || task === undefined) return undefined;
  if (line.repro === undefined)
    return 'vct: the same command with --repro FILE keeps what one needs to see this again\n';
  const bundle = reproBundle(input, task, line.config, fault, packageVersion());
  writeOutput(line.repro, `${JSON.stringify(bundle, null, 2)}\n`);
  return `vct: what one needs to see this again is in ${line.repro}; look through it, and attach it to a report\n`;
}

function taskOf({ words, rest }: CommandLine): ReproTask | undefined {
  switch (words[0]) {
    case 'verify':
      return { kind: 'verify' };
    case 'run':
      return { kind: 'run', args: rest };
    case 'build':
      return { kind: 'emit', form: 'c' };
    case 'emit':
      return { kind: 'emit', form: words[1] as 'hir' | 'vir' | 'c' | 'llvm' };
    default:
      return undefined;
  }
}
