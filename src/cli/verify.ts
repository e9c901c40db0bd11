/** `vct verify FILE`: checks the program, and the VIR that it is lowered to. */

import type { Diagnostic } from '../diag/diagnostic.js';
import { completeConfig } from '../driver/index.js';
import { prepare } from '../driver/prepare.js';
import type { CommandLine } from './command-line.js';
import { oneFile } from './one-file.js';
import { readModule } from './read-input.js';

/** Gives the warnings and notes; errors are thrown. */
export function verifyCommand(line: CommandLine): readonly Diagnostic[] {
  const file = oneFile(line, 'verify');
  return prepare(readModule(file, line.format), completeConfig(line.config)).remarks;
}
