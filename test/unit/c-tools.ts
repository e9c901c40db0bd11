/** The C compilers that prove what the C back end writes. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type CModule, type COptions, emitC } from '../../src/backend/c/index.js';
import type { Dialect } from '../../src/ir/config.js';
import { parseVir } from '../../src/vir/parser.js';

/** The C of a `.vir` text. */
export function cOf(vir: string, options: Partial<COptions> = {}): CModule {
  return emitC(parseVir(vir), { dialect: 'gcc', debug: false, core: 'ts', ...options });
}

/** The definition of one function in C text. */
export function functionText(text: string, name: string): string {
  const from = text.search(new RegExp(`^[^\\n;{}#]*\\b${name}\\([^;]*\\)\\n\\{`, 'm'));
  return text.slice(from, text.indexOf('\n}', from) + 2);
}

export interface CompilerRun {
  readonly messages: string;
  readonly stdout: string;
  readonly status: number | null;
}

const WARNINGS = ['-std=c17', '-Wall', '-Wextra', '-Wpedantic'];

/** Every compiler with every set of flags that the text must be right and silent with. */
export const BUILDS: readonly {
  readonly compiler: string;
  readonly dialect: Dialect;
  readonly flags: readonly string[];
}[] = [
  {
    compiler: 'gcc',
    dialect: 'gcc',
    flags: ['-O0', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  },
  { compiler: 'gcc', dialect: 'gcc', flags: ['-O2'] },
  {
    compiler: 'clang-19',
    dialect: 'clang',
    flags: ['-O0', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  },
  { compiler: 'clang-19', dialect: 'clang', flags: ['-O2'] },
];

/** Compiles C text with all warnings and runs the program. */
export function compileAndRun(
  text: string,
  compiler: string,
  flags: readonly string[],
  extra = '',
): CompilerRun {
  const folder = mkdtempSync(join(tmpdir(), 'vct-c-'));
  try {
    const source = join(folder, 'program.c');
    const program = join(folder, 'program');
    writeFileSync(source, text);
    const sources = [source];
    if (extra !== '') {
      writeFileSync(join(folder, 'extra.c'), `${extra}\n`);
      sources.push(join(folder, 'extra.c'));
    }
    const built = spawnSync(compiler, [...WARNINGS, ...flags, ...sources, '-o', program, '-lm'], {
      encoding: 'utf8',
    });
    if (built.status !== 0) return { messages: built.stderr, stdout: '', status: null };
    const run = spawnSync(program, [], { encoding: 'utf8', maxBuffer: 1 << 28, timeout: 50_000 });
    return { messages: built.stderr + run.stderr, stdout: run.stdout, status: run.status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Compiles C text without linking; gives the messages. */
export function compileOnly(text: string, compiler: string, flags: readonly string[] = ['-O2']): string {
  const built = spawnSync(compiler, [...WARNINGS, ...flags, '-x', 'c', '-c', '-o', '/dev/null', '-'], {
    input: text,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return built.stderr;
}
