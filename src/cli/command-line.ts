/** Takes a command line apart: the options of the Config, those of the command line itself, and what is left. */

import { type ParseArgsConfig, parseArgs } from 'node:util';

import { type Config, OPTION_ROWS, type OptionRow } from '../ir/config.js';
import { flagOf, SHORT_FLAGS, UsageError } from './usage.js';

/** A command line that was understood. Values of options are not checked yet. */
export interface CommandLine {
  /** Words that are no options, up to `--`. */
  readonly words: readonly string[];
  /** What stands after `--`. */
  readonly rest: readonly string[];
  readonly config: Partial<Config>;
  readonly output: string | undefined;
  readonly format: string | undefined;
  readonly json: boolean;
  readonly sarif: boolean;
  /** Where the bundle of an internal error goes. */
  readonly repro: string | undefined;
  readonly stack: boolean;
  readonly help: boolean;
  readonly version: boolean;
}

const OWN_OPTIONS = {
  output: { type: 'string', short: 'o' },
  format: { type: 'string' },
  json: { type: 'boolean' },
  sarif: { type: 'boolean' },
  repro: { type: 'string' },
  stack: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

/** Throws a UsageError for an option that does not exist or lacks its value. */
export function readCommandLine(given: readonly string[]): CommandLine {
  const end = given.indexOf('--');
  const rest = end < 0 ? [] : given.slice(end + 1);
  const values = parsed(end < 0 ? given : given.slice(0, end));
  const text = (name: string) => values.values[name] as string | undefined;
  return {
    words: values.positionals,
    rest,
    config: configOf(values.values),
    output: text('output'),
    format: text('format'),
    json: values.values.json === true,
    sarif: values.values.sarif === true,
    repro: text('repro'),
    stack: values.values.stack === true,
    help: values.values.help === true,
    version: values.values.version === true,
  };
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parsed(args: readonly string[]): { readonly values: Values; readonly positionals: string[] } {
  const options: NonNullable<ParseArgsConfig['options']> = { ...OWN_OPTIONS };
  for (const row of OPTION_ROWS) {
    const short = SHORT_FLAGS[row.name];
    options[flagOf(row.name)] = {
      type: row.kind === 'boolean' ? 'boolean' : 'string',
      multiple: row.kind === 'list',
      ...(short !== undefined && { short }),
    };
  }
  try {
    return parseArgs({ args: args.map(asFlag), options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\s*\n\s*/g, ' '));
  }
}

/** An option may also be written as the Config has it: `--callDepth`. */
function asFlag(word: string): string {
  const row = OPTION_ROWS.find(({ name }) => word === `--${name}` || word.startsWith(`--${name}=`));
  return row === undefined ? word : `--${flagOf(row.name)}${word.slice(2 + row.name.length)}`;
}

function configOf(values: Values): Partial<Config> {
  const config: Record<string, unknown> = {};
  for (const row of OPTION_ROWS) {
    const value = values[flagOf(row.name)];
    if (value !== undefined) config[row.name] = row.kind === 'integer' ? integer(row, value) : value;
  }
  return config as Partial<Config>;
}

function integer(row: OptionRow, value: unknown): number {
  const text = String(value);
  if (!/^\d{1,16}$/.test(text))
    throw new UsageError(`--${flagOf(row.name)} wants an integer, not ${JSON.stringify(text)}`);
  return Number(text);
}
