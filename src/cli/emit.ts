/** `vct emit hir|vir|c|llvm|map FILE [-o OUT]`: the program in another form. */

import { compile, type EmitKind } from '../driver/index.js';
import { writeOutput } from '../driver/write-output.js';
import type { CommandLine } from './command-line.js';
import { oneFile } from './one-file.js';
import { readModule } from './read-input.js';
import { writeStandard } from './streams.js';
import { UsageError } from './usage.js';

const KINDS: readonly string[] = ['hir', 'vir', 'c', 'llvm', 'map'] satisfies EmitKind[];

/** Gives the exit code. */
export async function emitCommand(line: CommandLine): Promise<number> {
  const kind = line.words[1];
  if (kind === undefined || !KINDS.includes(kind))
    throw new UsageError(`vct emit wants one of ${KINDS.join(', ')} before the file`);
  const file = oneFile(line, 'emit', 2);
  const { text = '' } = await compile(readModule(file, line.format), {
    ...line.config,
    emit: kind as EmitKind,
  });
  if (line.output === undefined || line.output === '-') writeStandard(1, text);
  else writeOutput(line.output, text);
  return 0;
}
