/**
 * The bundle of an internal error (011 §6): what one needs to see it again, as JSON, and the run that tries.
 *
 * Whoever gets a bundle runs it without fear: nothing in it names a program or a file to write. It holds no environment and no folder
 * of the machine, except for what the author put into the name of the input.
 */

import { homedir, tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

import { coreInfo } from '../core/index.js';
import type { DiagnosticCode } from '../diag/catalogue.js';
import { type Diagnostic, DiagnosticError, diagnostic, fail } from '../diag/diagnostic.js';
import { parseHir } from '../hir/parser.js';
import type { Config } from '../ir/config.js';
import { interpret } from '../vir/interpreter/index.js';
import { parseVir } from '../vir/parser.js';
import { type EmitKind, textOf } from './compile.js';
import { completeConfig } from './config.js';
import { type AnyModule, prepare } from './prepare.js';

/** The program that was at work. */
export interface ReproInput {
  /** As the author named it. */
  readonly file: string;
  readonly format: 'hir' | 'vir';
  readonly text: string;
}

/** What was done with it: `emit` also stands for building, which goes on with the C compiler. */
export type ReproTask =
  | { readonly kind: 'verify' }
  | { readonly kind: 'emit'; readonly form: Exclude<EmitKind, 'executable'> }
  | { readonly kind: 'run'; readonly args: readonly string[] };

/** The options of the Config that bear on an internal error; the C compiler has no part in one. */
const REPRO_OPTIONS = [
  'core',
  'target',
  'llvm',
  'dialect',
  'optimize',
  'debug',
  'fuel',
  'callDepth',
] as const satisfies readonly (keyof Config)[];

/** The Config as far as a bundle has it. */
export type ReproConfig = Partial<Pick<Config, (typeof REPRO_OPTIONS)[number]>>;

/** Everything of a bundle. */
export interface ReproBundle {
  readonly kind: 'libvct-repro';
  readonly format: 1;
  readonly versions: { readonly libvct: string; readonly node: string; readonly core: string };
  readonly task: ReproTask;
  readonly config: ReproConfig;
  readonly diagnostic: { readonly code: string; readonly message: string };
  readonly input: ReproInput;
}

/** The bundle of an internal error. `version` is that of the package. */
export function reproBundle(
  input: ReproInput,
  task: ReproTask,
  config: Partial<Config>,
  fault: Diagnostic,
  version: string,
): ReproBundle {
  const { active, schemaVersion, layoutHash } = coreInfo(config.core);
  return {
    kind: 'libvct-repro',
    format: 1,
    versions: {
      libvct: version,
      node: `${process.version} ${process.platform}-${process.arch}`,
      core: `${active}, schema ${schemaVersion}, layout ${layoutHash}`,
    },
    task,
    config: Object.fromEntries(
      REPRO_OPTIONS.filter((name) => config[name] !== undefined).map((name) => [name, config[name]]),
    ),
    diagnostic: { code: fault.code, message: withoutFolders(fault.message) },
    input,
  };
}

/** A message without the folders of this machine. */
function withoutFolders(message: string): string {
  const folders: [string, string][] = [
    [fileURLToPath(new URL('../../', import.meta.url)), '<libvct>/'],
    [process.cwd(), '.'],
    [homedir(), '~'],
    [tmpdir(), '<tmp>'],
  ];
  return folders
    .filter(([folder]) => folder.length > 1)
    .sort(([left], [right]) => right.length - left.length)
    .reduce((text, [folder, sign]) => text.replaceAll(folder, () => sign), message);
}

/** Reads a bundle. Fails with VCT0914 for anything else. */
export function readRepro(text: string, file: string): ReproBundle {
  let bundle: unknown;
  try {
    bundle = JSON.parse(text);
  } catch {
    return fail('VCT0914', { file, reason: 'it is no JSON' });
  }
  if (!isRecord(bundle) || bundle.kind !== 'libvct-repro')
    return fail('VCT0914', { file, reason: 'its kind is not libvct-repro' });
  if (bundle.format !== 1) return fail('VCT0914', { file, reason: 'its format is not 1' });
  const wrong = [
    ['versions', hasTexts(bundle.versions, ['libvct', 'node', 'core'])],
    ['task', isTask(bundle.task)],
    ['config', isConfig(bundle.config)],
    ['diagnostic', hasTexts(bundle.diagnostic, ['code', 'message'])],
    ['input', isInput(bundle.input)],
  ].find(([, isRight]) => isRight === false);
  if (wrong !== undefined) return fail('VCT0914', { file, reason: `its ${wrong[0]} is malformed` });
  return bundle as unknown as ReproBundle;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasTexts(value: unknown, names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => typeof value[name] === 'string');
}

function isTask(task: unknown): boolean {
  if (!isRecord(task)) return false;
  switch (task.kind) {
    case 'verify':
      return true;
    case 'emit':
      return ['hir', 'vir', 'c', 'llvm'].includes(task.form as string);
    case 'run':
      return Array.isArray(task.args) && task.args.every((word) => typeof word === 'string');
    default:
      return false;
  }
}

/** The values are looked at by `completeConfig`. */
function isConfig(config: unknown): boolean {
  const known: readonly string[] = REPRO_OPTIONS;
  return isRecord(config) && Object.keys(config).every((name) => known.includes(name));
}

function isInput(input: unknown): boolean {
  return (
    hasTexts(input, ['file', 'text', 'format']) &&
    ['hir', 'vir'].includes((input as { format: string }).format)
  );
}

/** again: the same internal error. other: something else is wrong. gone: nothing is. */
export interface ReproOutcome {
  readonly kind: 'again' | 'other' | 'gone';
  readonly diagnostics: readonly Diagnostic[];
}

/** Does what the bundle says, in this process and without any output, and tells whether its error happens again. */
export function reproduce(bundle: ReproBundle): ReproOutcome {
  try {
    perform(bundle, completeConfig(bundle.config));
    return { kind: 'gone', diagnostics: [] };
  } catch (thrown) {
    const diagnostics = diagnosticsOf(thrown);
    const isAgain = diagnostics.some(
      (item) =>
        item.severity === 'internal' &&
        item.code === bundle.diagnostic.code &&
        withoutFolders(item.message) === bundle.diagnostic.message,
    );
    return { kind: isAgain ? 'again' : 'other', diagnostics };
  }
}

/** What was thrown, as diagnostics: an exception that is none is a fault of libVCT. */
export function diagnosticsOf(thrown: unknown): readonly Diagnostic[] {
  if (thrown instanceof DiagnosticError) return thrown.diagnostics;
  const detail = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return [diagnostic('VCT0001' satisfies DiagnosticCode, { detail })];
}

function perform({ input, task }: ReproBundle, config: Config): void {
  const { file, text } = input;
  const module: AnyModule = input.format === 'hir' ? parseHir(text, { file }) : parseVir(text, { file });
  const { vir } = prepare(module, config);
  if (task.kind === 'emit') textOf(task.form, module, vir, config);
  if (task.kind !== 'run') return;
  const silent = () => undefined;
  interpret(vir, {
    args: task.args,
    stdin: '',
    stdout: silent,
    stderr: silent,
    fuel: config.fuel,
    callDepth: config.callDepth,
    isVerified: true,
  });
}
