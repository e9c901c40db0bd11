/** The file that a command is about. */

import type { CommandLine } from './command-line.js';
import { UsageError } from './usage.js';

/** The word at `index`, which must be there and be the last. Only `run` takes arguments after `--`. */
export function oneFile(line: CommandLine, command: string, index = 1): string {
  const file = line.words[index];
  if (file === undefined) throw new UsageError(`vct ${command} wants a file, or - for standard input`);
  const extra = line.words[index + 1];
  if (extra !== undefined) {
    const hint = command === 'run' ? '; what the program is to get stands after --' : '';
    throw new UsageError(`vct ${command} takes one file, and ${JSON.stringify(extra)} is too much${hint}`);
  }
  if (command !== 'run' && line.rest.length > 0)
    throw new UsageError(`vct ${command} takes nothing after --`);
  return file;
}
