/** `vct run FILE [-- ARGUMENTS]`: the program in the interpreter, on the process's own streams. */

import { run } from '../driver/index.js';
import type { CommandLine } from './command-line.js';
import { oneFile } from './one-file.js';
import { readModule, readStandardInput } from './read-input.js';
import { writeStandard } from './streams.js';

/** Ends with the exit code of the program. */
export function runCommand(line: CommandLine): number {
  const file = oneFile(line, 'run');
  const module = readModule(file, line.format);
  const { core, fuel, callDepth } = line.config;
  const result = run(module, {
    args: line.rest,
    // The program text has used up standard input when it came from there.
    stdin: file === '-' ? '' : readStandardInput,
    stdout: (bytes) => writeStandard(1, bytes),
    stderr: (bytes) => writeStandard(2, bytes),
    ...(core !== undefined && { core }),
    ...(fuel !== undefined && { fuel }),
    ...(callDepth !== undefined && { callDepth }),
  });
  return result.exitCode;
}
