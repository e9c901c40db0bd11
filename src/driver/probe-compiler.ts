/** Finds out which C compiler there is and what it understands; asked once in a process for each name (010 §4). */

import { fail } from '../diag/diagnostic.js';
import type { Dialect } from '../ir/config.js';
import { endText, runProcess } from './run-process.js';

/** A C compiler of this machine. */
export interface CompilerInfo {
  /** The command, as it is called. */
  readonly command: string;
  /** Its own first line about itself. */
  readonly version: string;
  /** For which compiler C text is best written. */
  readonly dialect: Dialect;
  /** Major version of gcc or clang; 0 for any other compiler. */
  readonly major: number;
}

/** What `auto` tries, in this order. */
export const COMPILER_CANDIDATES: readonly string[] = ['cc', 'gcc', 'clang'];

/** A compiler that says nothing for so long, in milliseconds, is none. */
const PROBE_TIMEOUT = 30_000;

const probes = new Map<string, Promise<CompilerInfo | string>>();

/**
 * The compiler of a Config: that of the name, or for `auto` the first candidate that works. Fails with VCT0905 when there is none,
 * and with VCT0906 when the one that was named does not work.
 */
export async function probeCompiler(choice: string): Promise<CompilerInfo> {
  if (choice !== 'auto') {
    const found = await probeOnce(choice);
    return typeof found === 'string' ? fail('VCT0906', { compiler: choice, reason: found }) : found;
  }
  for (const candidate of COMPILER_CANDIDATES) {
    const found = await probeOnce(candidate);
    if (typeof found !== 'string') return found;
  }
  return fail('VCT0905', { tried: COMPILER_CANDIDATES.join(', ') });
}

/** Forgets what was found, for a process whose PATH changes. */
export function forgetCompilers(): void {
  probes.clear();
}

function probeOnce(command: string): Promise<CompilerInfo | string> {
  const key = `${process.env.PATH ?? ''}\0${command}`;
  let probe = probes.get(key);
  if (probe === undefined) {
    probe = ask(command);
    probes.set(key, probe);
  }
  return probe;
}

/** What the compiler is, or why it cannot be used. */
async function ask(command: string): Promise<CompilerInfo | string> {
  const version = await runProcess(command, ['--version'], { timeout: PROBE_TIMEOUT });
  if (version.startError !== undefined || version.signal !== undefined) return endText(version);
  const asked = ['-std=c17', '-dM', '-E', '-x', 'c', process.platform === 'win32' ? 'NUL' : '/dev/null'];
  const predefined = await runProcess(command, asked, { timeout: PROBE_TIMEOUT });
  const macros = predefined.status === 0 ? predefinedMacros(predefined.stdout) : new Map<string, string>();
  const isClang = macros.has('__clang__');
  const isGcc = !isClang && macros.has('__GNUC__') && !macros.has('__TINYC__');
  if (version.status !== 0 && macros.size === 0) return endText(version);
  return {
    command,
    version: (version.stdout.trim().split('\n', 1)[0] ?? '').trim(),
    dialect: isClang ? 'clang' : isGcc ? 'gcc' : 'c17',
    major: Number(macros.get(isClang ? '__clang_major__' : '__GNUC__') ?? 0),
  };
}

/** `#define NAME VALUE` lines. */
function predefinedMacros(text: string): Map<string, string> {
  const macros = new Map<string, string>();
  for (const line of text.split('\n')) {
    const found = /^#define (\w+) ?(.*)$/.exec(line);
    if (found !== null) macros.set(found[1] as string, found[2] as string);
  }
  return macros;
}
