/**
 * The loader of the native core: finds the addon through node-gyp-build, compares schema version and layout hash, and
 * says why where the TypeScript core is used instead. No module of Node is imported by name, so that a browser bundle
 * holds nothing of this but the reason.
 */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import { layoutHash } from '../ir/generate-layout.js';
import { SCHEMA_VERSION } from '../ir/schema.js';
import type { CoreEntry } from './border.js';

/** The entries of the addon, by the name that they have in both languages. */
export interface NativeEntries {
  readonly lower: CoreEntry;
  readonly outOfSsa: CoreEntry;
  readonly analyseGraph: CoreEntry;
  readonly orderCopies: CoreEntry;
  readonly liveSets: CoreEntry;
}

/** The entries that an addon must have. */
const ENTRY_NAMES: readonly (keyof NativeEntries)[] = [
  'lower',
  'outOfSsa',
  'analyseGraph',
  'orderCopies',
  'liveSets',
];

/** The addon's exports. */
export interface NativeAddon extends NativeEntries {
  readonly schemaVersion: number;
  readonly layoutHash: number;
  /** Which compiler built it. */
  readonly compiler: string;
}

/** Which core runs, and why that one. */
export interface CoreInfo {
  readonly active: 'native' | 'ts';
  readonly reason: string;
  /** Where the addon is, when one was found. */
  readonly path?: string;
  /** Version of the tables that both cores read. */
  readonly schemaVersion: number;
  /** Hash of the layout of those tables, as eight hex digits. */
  readonly layoutHash: string;
  /** Which compiler built the active native core. */
  readonly compiler?: string;
}

/** The addon and where it is, or why there is none. */
export type NativeSearch =
  | { readonly addon: NativeAddon; readonly path: string }
  | { readonly addon?: undefined; readonly path?: string; readonly reason: string };

/** The little of Node's module system that finding the addon needs. */
interface AddonFinder {
  path(folder: string): string;
}
type Require = (id: string) => unknown;
interface NodeProcess {
  readonly env: Readonly<Record<string, string | undefined>>;
  getBuiltinModule?(id: string): unknown;
}

/** Which core counts, from the Config and, where that says `auto`, the environment's VCT_CORE. */
export function effectiveChoice(choice: CoreChoice, variable: string | undefined): CoreChoice {
  if (choice !== 'auto' || variable === undefined || variable === '') return choice;
  if (variable === 'auto' || variable === 'native' || variable === 'ts') return variable;
  return fail('VCT0502', { value: JSON.stringify(variable) });
}

/** Why an object that was loaded as the addon cannot be used; undefined when it can. */
export function addonFault(exports: unknown): string | undefined {
  if (typeof exports !== 'object' || exports === null) return 'it exports nothing';
  const addon = exports as Partial<NativeAddon>;
  if (addon.schemaVersion !== SCHEMA_VERSION)
    return `it was built for schema version ${addon.schemaVersion}, not ${SCHEMA_VERSION}`;
  if (addon.layoutHash !== layoutHash())
    return `its layout hash is ${hashText(Number(addon.layoutHash))}, not ${hashText(layoutHash())}: rebuild it`;
  for (const entry of ENTRY_NAMES) if (typeof addon[entry] !== 'function') return `it has no entry ${entry}`;
  return undefined;
}

/** Loads the addon through `require`, from the package's folder. Never throws. */
export function searchNative(require: Require | undefined, folder: string): NativeSearch {
  if (require === undefined) return { reason: 'no native addon can be loaded here' };
  let path: string | undefined;
  try {
    path = (require('node-gyp-build') as AddonFinder).path(folder);
    const exports = require(path);
    const fault = addonFault(exports);
    if (fault === undefined) return { addon: exports as NativeAddon, path };
    return { path, reason: `the addon cannot be used: ${fault}` };
  } catch (error) {
    const reason = `the addon does not load: ${firstLine(error)}`;
    return path === undefined ? { reason } : { path, reason };
  }
}

/** Which core runs for a choice and the result of the search. Fails with VCT0501 when `native` cannot be had. */
export function decide(choice: CoreChoice, search: () => NativeSearch): CoreInfo {
  const common = { schemaVersion: SCHEMA_VERSION, layoutHash: hashText(layoutHash()) };
  if (choice === 'ts') return { active: 'ts', reason: 'the core was set to ts', ...common };
  const found = search();
  if (found.addon !== undefined) {
    const reason = choice === 'native' ? 'the core was set to native' : 'the addon loads';
    return { active: 'native', reason, path: found.path, compiler: found.addon.compiler, ...common };
  }
  if (choice === 'native') fail('VCT0501', { reason: found.reason });
  return {
    active: 'ts',
    reason: found.reason,
    ...(found.path !== undefined && { path: found.path }),
    ...common,
  };
}

let remembered: NativeSearch | undefined;

/** The search, done once in each thread. */
function search(): NativeSearch {
  remembered ??= searchNative(nodeRequire(), packageFolder());
  return remembered;
}

/** Which core runs for a choice of the Config, and why. Fails with VCT0501 when `native` is asked for and does not load. */
export function coreInfo(choice: CoreChoice = 'auto'): CoreInfo {
  return decide(effectiveChoice(choice, nodeProcess()?.env.VCT_CORE), search);
}

/** The native entry of a name when the native core runs for this choice, else the TypeScript one. */
export function coreEntry(choice: CoreChoice, name: keyof NativeEntries, twin: CoreEntry): CoreEntry {
  if (coreInfo(choice).active === 'ts') return twin;
  return search().addon?.[name] ?? twin;
}

function nodeProcess(): NodeProcess | undefined {
  const { process } = globalThis as { process?: Partial<NodeProcess> };
  return typeof process?.env === 'object' ? (process as NodeProcess) : undefined;
}

function nodeRequire(): Require | undefined {
  const module = nodeProcess()?.getBuiltinModule?.('module') as
    | { createRequire(place: string): Require }
    | undefined;
  return module?.createRequire(import.meta.url);
}

/** The package's own folder: two above this file, in `src` as in `dist`. */
function packageFolder(): string {
  const url = nodeProcess()?.getBuiltinModule?.('url') as { fileURLToPath(place: URL): string } | undefined;
  return url === undefined ? '.' : url.fileURLToPath(new URL('../..', import.meta.url));
}

function hashText(hash: number): string {
  return hash.toString(16).padStart(8, '0');
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] as string;
}
