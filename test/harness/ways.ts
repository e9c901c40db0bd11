/** Every way to run a module; all must agree (design: "Three ways to run, one answer"). */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitC, emitLlvm, interpret } from '../../src/index.js';
import type { VirModule } from '../../src/ir/vir-module.js';
import { findTool, type RunResult, run } from './tools.js';

/** What a program is given. */
export interface ProgramInput {
  readonly stdin: string;
  readonly programArguments: readonly string[];
}

/** How the C text is compiled. Every warning is an error: the text must be clean for anybody who compiles it. */
export const C_WAYS = [
  {
    tool: 'gcc',
    dialect: 'gcc',
    flags: ['-O0', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  },
  { tool: 'gcc', dialect: 'gcc', flags: ['-O2'] },
  {
    tool: 'clang',
    dialect: 'clang',
    flags: ['-O0', '-fsanitize=address,undefined', '-fno-sanitize-recover=all'],
  },
  { tool: 'clang', dialect: 'clang', flags: ['-O2'] },
] as const;

const WARNINGS = ['-std=c17', '-Wall', '-Wextra', '-Wpedantic', '-Werror'];

/** Standard output, then the exit code on a line of its own. */
export function outcome(stdout: Uint8Array | string, exitCode: number | null): string {
  const text = typeof stdout === 'string' ? stdout : Buffer.from(stdout).toString('utf8');
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}exit: ${exitCode}\n`;
}

/** The outcome by the interpreter. */
export function runInterpreted(module: VirModule, input: ProgramInput): string {
  const result = interpret(module, { args: input.programArguments, stdin: input.stdin });
  return outcome(result.stdout, result.exitCode);
}

/**
 * The outcomes by C compilers, each with the name of its way. `isOdd` takes programs that nobody would write: compilers warn of
 * comparisons that always come out the same and the like, which says nothing against the text. `ways` picks some of them.
 */
export async function runCompiled(
  module: VirModule,
  input: ProgramInput,
  isOdd = false,
  ways: readonly (typeof C_WAYS)[number][] = C_WAYS,
): Promise<[way: string, outcome: string][]> {
  const folder = mkdtempSync(join(tmpdir(), 'libvct-case-'));
  try {
    return await Promise.all(
      ways.flatMap(({ tool, dialect, flags }, index) => {
        const compiler = findTool(tool);
        if (compiler === undefined) return [];
        const way = `${tool} ${flags[0]}`;
        const source = join(folder, `${index}.c`);
        const target = join(folder, `${index}.out`);
        writeFileSync(source, emitC(module, { dialect }).text);
        return [
          run(compiler, [
            ...(isOdd ? ['-std=c17', '-w'] : WARNINGS),
            ...flags,
            '-o',
            target,
            source,
            '-lm',
          ]).then(
            async (compiled): Promise<[string, string]> =>
              compiled.status === 0
                ? [way, describe(await run(target, input.programArguments, input.stdin))]
                : [way, `does not compile:\n${compiled.stderr}`],
          ),
        ];
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The outcome by LLVM's verifier and lli. */
export async function runLlvm(
  module: VirModule,
  input: ProgramInput,
): Promise<[way: string, outcome: string][]> {
  const opt = findTool('opt');
  const lli = findTool('lli');
  if (opt === undefined || lli === undefined) return [];
  const folder = mkdtempSync(join(tmpdir(), 'libvct-case-'));
  try {
    const source = join(folder, 'case.ll');
    writeFileSync(source, emitLlvm(module));
    const verified = await run(opt, ['-passes=verify', '-disable-output', source]);
    if (verified.status !== 0) return [['llvm verify', verified.stderr]];
    return [['lli', describe(await run(lli, [source, ...input.programArguments], input.stdin))]];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The outcome of a process; what it wrote to standard error belongs to it, since a sanitizer reports there. */
function describe(result: RunResult): string {
  // What a shell says of abort, and the interpreter too: 128 + SIGABRT. lli writes its own stack then.
  if (result.signal === 'SIGABRT') return outcome(result.stdout, 134);
  if (result.status === null) return `ended by ${result.signal}\n${result.stderr}`;
  return outcome(result.stdout, result.status) + result.stderr;
}
