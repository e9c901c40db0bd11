/** `vct build FILE -o PROGRAM`: an executable, by the C compiler of the machine. */

import { build } from '../driver/index.js';
import type { CommandLine } from './command-line.js';
import { oneFile } from './one-file.js';
import { readModule } from './read-input.js';
import { UsageError } from './usage.js';

/** Gives the exit code. */
export async function buildCommand(line: CommandLine): Promise<number> {
  const file = oneFile(line, 'build');
  if (line.output === undefined) throw new UsageError('vct build wants -o PROGRAM');
  await build(readModule(file, line.format), line.output, line.config);
  return 0;
}
