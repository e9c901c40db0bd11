/** The words of `vct --help`, made from the option table so that they cannot be out of date. */

import { KNOWN_TARGETS } from '../backend/llvm/index.js';
import { type Config, DEFAULT_CONFIG, OPTION_ROWS, type OptionRow } from '../ir/config.js';

/** A command line that cannot be understood: exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The name of an option on the command line: `callDepth` is `--call-depth`. */
export function flagOf(name: keyof Config): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** One-letter names of the options that C compilers have them for. */
export const SHORT_FLAGS: Readonly<Partial<Record<keyof Config, string>>> = {
  optimize: 'O',
  debug: 'g',
  libraries: 'l',
};

/** The text of `vct --help`. */
export function helpText(): string {
  const options: [string, string][] = [
    ['-o, --output FILE', 'where to write; standard output when absent'],
    ['--format hir|vir', 'what the input is; by the file name, else by its words'],
    ['--json', 'diagnostics as JSON'],
    ['--sarif', 'diagnostics as SARIF 2.1.0'],
    ['--repro FILE', 'where to keep what one needs to see an internal error again'],
    ['--stack', 'the stack of an internal error'],
    ...OPTION_ROWS.map((row): [string, string] => [optionWords(row), `${row.help}${defaultWords(row)}`]),
  ];
  const width = Math.max(...options.map(([words]) => words.length));
  return `vct: run and compile .hir and .vir programs

usage:
  vct run FILE [-- ARGUMENTS]         run it in the interpreter; no compiler is needed
  vct build FILE -o PROGRAM           build an executable with the C compiler of the machine
  vct emit hir|vir|c|llvm|map FILE    write it in another form
  vct verify FILE                     check it and say nothing when all is well
  vct repro FILE                      run what --repro has kept, and say whether it happens again
  vct --version                       version, and which core runs and why
  vct --help                          this text

FILE is a .hir or .vir file, or - for standard input.

options:
${options.map(([words, help]) => `  ${words.padEnd(width)}  ${help}`).join('\n')}

exit codes:
  0 all is well    1 diagnostics    2 wrong usage    70 a fault of libVCT itself
  \`vct run\` ends with the exit code of the program, when the program runs to its end.

targets of LLVM text:
${KNOWN_TARGETS.map((target) => `  ${target}`).join('\n')}
`;
}

function optionWords(row: OptionRow): string {
  const short = SHORT_FLAGS[row.name];
  const long = `--${flagOf(row.name)}`;
  const names = short === undefined ? long : `-${short}, ${long}`;
  switch (row.kind) {
    case 'choice':
      return `${names} ${(row.choices ?? []).join('|')}`;
    case 'integer':
      return `${names} N`;
    case 'boolean':
      return names;
    default:
      return `${names} TEXT`;
  }
}

function defaultWords(row: OptionRow): string {
  const value = DEFAULT_CONFIG[row.name];
  return row.kind === 'boolean' || row.kind === 'list' ? '' : ` (${String(value)})`;
}
