import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { compilerArguments } from '../../src/driver/build.js';
import {
  build,
  type CompileOptions,
  type CompilerInfo,
  compile,
  completeConfig,
  type Progress,
  probeCompiler,
  run,
} from '../../src/driver/index.js';
import { forgetCompilers } from '../../src/driver/probe-compiler.js';
import type { Config } from '../../src/ir/config.js';
import { parseVir } from '../../src/vir/parser.js';

const folder = mkdtempSync(join(tmpdir(), 'vct-test-'));
const scratch = join(folder, 'scratch');
const work = join(folder, 'work');
const oldTemporary = process.env.TMPDIR;
const oldPath = process.env.PATH;

beforeEach(() => {
  for (const place of [scratch, work]) {
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
  }
  process.env.TMPDIR = scratch;
});

afterEach(() => {
  if (oldTemporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = oldTemporary;
  process.env.PATH = oldPath;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = `
module "demo"
declare @puts(ptr<i8>) -> i32
constant @text: [6 x i8] = "hello\\00"
func @main() -> i32 export {
entry:
  %r = call i32 @puts(ptr<i8> @text)
  ret i32 7
}
`;

const module = () => parseVir(PROGRAM, { file: 'demo.vir' });

/** The diagnostics of a compilation that must fail. */
async function failure(work: Promise<unknown>): Promise<DiagnosticError> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(DiagnosticError);
  return thrown as DiagnosticError;
}

/** A program that stands in for a compiler. It answers a probe; `compiling` is what it does else. */
function fakeCompiler(name: string, compiling: string): string {
  const path = join(work, name);
  const text = `#!/bin/sh
echo "$@" >> "${path}.log"
case "$*" in *--version*) echo "fake 1.0"; exit 0;; *-dM*) echo "#define __GNUC__ 12"; exit 0;; esac
while [ $# -gt 0 ]; do [ "$1" = -o ] && out="$2"; shift; done
${compiling}
`;
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

function runProgram(path: string): { readonly status: number | null; readonly stdout: string } {
  const result = spawnSync(path);
  return { status: result.status, stdout: String(result.stdout) };
}

describe('010 §4: an executable', () => {
  test('is built, runs, and leaves nothing else behind', async () => {
    const output = join(work, 'program');
    const result = await build(module(), output);
    expect(runProgram(output)).toEqual({ status: 7, stdout: 'hello\n' });
    expect(result.output).toBe(output);
    expect(result.compiler?.dialect).toMatch(/gcc|clang/);
    expect(readdirSync(work)).toEqual(['program']);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('000/G-5 has the same bytes each time', async () => {
    await build(module(), join(work, 'one'));
    await build(module(), join(work, 'two'));
    expect(readFileSync(join(work, 'one')).equals(readFileSync(join(work, 'two')))).toBe(true);
  });

  test.each(['-o', '-rf', '@file', 'a b', '--', 'ä$(id)'])('010/DR-6 may be called %s', async (name) => {
    const before = process.cwd();
    process.chdir(work);
    try {
      await build(module(), name);
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(work)).toEqual([name]);
    expect(runProgram(join(work, name)).status).toBe(7);
  });

  test('010/DR-11 replaces the file that a symbolic link names, and keeps the link', async () => {
    writeFileSync(join(work, 'real'), 'old');
    symlinkSync('real', join(work, 'link'));
    await build(module(), join(work, 'link'));
    expect(lstatSync(join(work, 'link')).isSymbolicLink()).toBe(true);
    expect(runProgram(join(work, 'real')).status).toBe(7);
  });

  test('010/DR-2 tells its phases in order', async () => {
    const seen: Progress[] = [];
    await build(module(), join(work, 'p'), { onProgress: (progress) => seen.push(progress) });
    expect(seen.map((item) => item.phase)).toEqual([
      'verify',
      'probe',
      'emit',
      'compile',
      'write',
      'finished',
    ]);
    expect(seen.map((item) => item.done)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(new Set(seen.map((item) => item.total))).toEqual(new Set([5]));
  });
});

describe('010 §5: when a build fails', () => {
  test('010/DR-8, 011/D-8 the compiler becomes one diagnostic with its output, and the old file stays', async () => {
    const output = join(work, 'program');
    writeFileSync(output, 'old');
    const compiler = fakeCompiler('cc-broken', 'echo half > "$out"; echo "no such thing" >&2; exit 3');
    const error = await failure(build(module(), output, { compiler }));
    expect(error.diagnostics).toHaveLength(1);
    expect(error.diagnostics[0]).toMatchObject({ code: 'VCT0907', attachment: 'no such thing\n' });
    expect(error.diagnostics[0]?.message).toContain('status 3');
    expect(readFileSync(output, 'utf8')).toBe('old');
    expect(readdirSync(work).sort()).toEqual(['cc-broken', 'cc-broken.log', 'program']);
    expect(readdirSync(scratch)).toEqual([]);
  });

  test('a compiler that says it went well and wrote nothing is not believed', async () => {
    const compiler = fakeCompiler('cc-lazy', 'exit 0');
    expect((await failure(build(module(), join(work, 'p'), { compiler }))).code).toBe('VCT0901');
  });

  test('an argument that the compiler does not know is told in its own words', async () => {
    const error = await failure(
      build(module(), join(work, 'p'), { compilerArguments: ['-fno-such-flag-here'] }),
    );
    expect(error.diagnostics[0]?.attachment).toContain('no-such-flag-here');
    expect(existsSync(join(work, 'p'))).toBe(false);
  });

  test('010/DR-4 a compiler that is not there', async () => {
    expect((await failure(build(module(), join(work, 'p'), { compiler: 'no-such-cc' }))).code).toBe(
      'VCT0906',
    );
    process.env.PATH = work;
    expect((await failure(build(module(), join(work, 'p')))).code).toBe('VCT0905');
  });

  test('a place where nothing can be written, before any compiler is called', async () => {
    const compiler = fakeCompiler('cc-unused', 'exit 0');
    for (const place of [work, join(work, 'no', 'folder', 'p'), '', 'a\0b', '/dev/null'])
      expect((await failure(build(module(), place, { compiler }))).code).toBe('VCT0901');
    expect(existsSync('/dev/null') && statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('010/DR-9 a module without a main that a linker sees', async () => {
    const compiler = fakeCompiler('cc-unused', 'exit 0');
    const without = parseVir('module "x"\nfunc @f() -> void {\nentry:\n  ret void\n}');
    expect((await failure(build(without, join(work, 'p'), { compiler }))).code).toBe('VCT0909');
    const hidden = parseVir(PROGRAM.replace('i32 export {', 'i32 {'), { file: 'demo.vir' });
    const error = await failure(build(hidden, join(work, 'p'), { compiler }));
    expect(error.diagnostics[0]).toMatchObject({ code: 'VCT0911', position: { file: 'demo.vir', line: 5 } });
  });

  test.each([
    ['VCT0909', 'func @f() -> void export {\nentry:\n  ret void\n}'],
    ['VCT0909', 'declare @main() -> i32'],
    ['VCT0911', 'func @main() -> i32 {\nentry:\n  ret i32 0\n}'],
    ['VCT0644', 'func @main() -> void export {\nentry:\n  ret void\n}'],
    ['VCT0644', 'func @main(%n: i32) -> i32 export {\nentry:\n  ret i32 0\n}'],
    ['VCT0644', 'func @main(%n: i64, %list: ptr<ptr<i8>>) -> i32 export {\nentry:\n  ret i32 0\n}'],
  ])('010/DR-9 run and build say %s of one program', async (code, text) => {
    const compiler = fakeCompiler('cc-unused', 'exit 0');
    expect((await failure(build(parseVir(text), join(work, 'p'), { compiler }))).code).toBe(code);
    expect(() => run(parseVir(text))).toThrow(code);
  });

  test('010/DR-3, DR-12 a build that is cancelled ends its compiler and cleans up', async () => {
    const compiler = fakeCompiler('cc-slow', 'exec sleep 60');
    const stop = new AbortController();
    const options: CompileOptions = {
      compiler,
      signal: stop.signal,
      onProgress: ({ phase }) => {
        if (phase === 'compile') setTimeout(() => stop.abort(), 50);
      },
    };
    expect((await failure(build(module(), join(work, 'p'), options))).code).toBe('VCT0910');
    expect(readdirSync(scratch)).toEqual([]);
    expect(existsSync(join(work, 'p'))).toBe(false);
  });

  test('010/DR-3 a compilation that is cancelled ends at its next phase, and writes nothing', async () => {
    const output = join(work, 'text.c');
    expect((await failure(compile(module(), { signal: AbortSignal.abort() }))).code).toBe('VCT0910');
    for (const last of ['verify', 'emit', 'write'] as const) {
      const stop = new AbortController();
      const phases: string[] = [];
      const onProgress: CompileOptions['onProgress'] = ({ phase }) => {
        phases.push(phase);
        if (phase === last) stop.abort();
      };
      const { code } = await failure(
        compile(module(), { emit: 'c', output, signal: stop.signal, onProgress }),
      );
      expect(code).toBe('VCT0910');
      expect(phases.at(-1)).toBe(last);
      expect(existsSync(output)).toBe(false);
    }
  });

  test('what is no module', async () => {
    expect((await failure(compile({} as never))).code).toBe('VCT0908');
    expect((await failure(compile(null as never))).code).toBe('VCT0908');
  });

  test('an option that does not exist, before anything happens', async () => {
    expect((await failure(build(module(), join(work, 'p'), { optimise: 1 } as never))).code).toBe('VCT0903');
  });
});

test('010/DR-7 the arguments of the compiler, in their order', () => {
  const compiler = { command: 'cc', dialect: 'gcc' } as CompilerInfo;
  const given = (dialect: string, options: Partial<Config>) =>
    compilerArguments(
      { ...compiler, dialect } as CompilerInfo,
      completeConfig(options),
      '/folder',
      '/folder/module.c',
      '/out',
    );
  const exact = ['-ffp-contract=off', '-fno-strict-aliasing'];
  const end = process.platform === 'win32' ? [] : ['-lm'];
  const files = ['-o', '/out', '/folder/module.c'];
  expect(given('gcc', {})).toEqual(['-std=c17', '-O2', ...exact, ...files, ...end]);
  expect(given('c17', { optimize: 0 })).toEqual(['-std=c17', '-O0', ...files, ...end]);
  const all = given('clang', { debug: true, compilerArguments: ['-s'], libraries: ['z'] });
  expect(all.slice(4, 6)).toEqual(['-g', '-fdebug-prefix-map=/folder=.']);
  expect(all.slice(6)).toEqual([...files, '-s', '-lz', ...end]);
});

describe('010 §4: probing', () => {
  test('010/DR-5 asks once in a process', async () => {
    const compiler = fakeCompiler('cc-counted', 'exit 1');
    forgetCompilers();
    const first = await probeCompiler(compiler);
    expect(first).toMatchObject({ dialect: 'gcc', major: 12, version: 'fake 1.0' });
    await Promise.all([probeCompiler(compiler), probeCompiler(compiler)]);
    expect(readFileSync(`${compiler}.log`, 'utf8').trim().split('\n')).toHaveLength(2);
  });

  test('010/DR-5 knows gcc and clang by their macros', async () => {
    expect((await probeCompiler('gcc')).dialect).toBe('gcc');
    expect((await probeCompiler('clang-19')).dialect).toBe('clang');
  });
});

describe('compile: texts', () => {
  test('each form of a module', async () => {
    expect((await compile(module(), { emit: 'vir' })).text).toContain('func @main');
    expect((await compile(module(), { emit: 'llvm' })).text).toContain('define i32 @main()');
    expect((await compile(module())).text).toContain('int main(');
    expect((await failure(compile(module(), { emit: 'hir' }))).code).toBe('VCT0912');
    expect((await failure(compile(module(), { emit: 'map' }))).code).toBe('VCT0912');
  });

  test('010/DR-10, DR-13 a file is written whole, keeps its permissions, and is as it was after an error', async () => {
    const output = join(work, 'out.ll');
    writeFileSync(output, 'old', { mode: 0o640 });
    chmodSync(output, 0o640);
    expect((await failure(compile(module(), { emit: 'llvm', output, target: 'vax' }))).code).toBe('VCT0800');
    expect(readFileSync(output, 'utf8')).toBe('old');
    const { text } = await compile(module(), { emit: 'llvm', output });
    expect(readFileSync(output, 'utf8')).toBe(text);
    expect(statSync(output).mode & 0o777).toBe(0o640);
    expect(readdirSync(work)).toEqual(['out.ll']);
  });
});

describe('run', () => {
  test('runs with no compiler', () => {
    process.env.PATH = '';
    const result = run(module());
    expect(result.exitCode).toBe(7);
    expect(Buffer.from(result.stdout).toString()).toBe('hello\n');
  });

  test('010/DR-1 checks what it is given', () => {
    expect(() => run(module(), { fuel: -1 })).toThrow(DiagnosticError);
    expect(() => run({} as never)).toThrow(DiagnosticError);
  });
});

describe('010 §5: a signal', () => {
  test.skipIf(process.platform === 'win32')('010/DR-12 leaves no temporary file behind', async () => {
    const main = new URL('../../dist/cli/main.js', import.meta.url).pathname;
    if (!existsSync(main)) return;
    const compiler = fakeCompiler('cc-slow', `touch "${work}/started"; exec sleep 5`);
    const source = join(work, 'demo.vir');
    writeFileSync(source, PROGRAM);
    const child = spawn(process.execPath, [
      main,
      'build',
      source,
      '-o',
      join(work, 'p'),
      '--compiler',
      compiler,
    ]);
    for (let wait = 0; wait < 400 && !existsSync(join(work, 'started')); wait++)
      await new Promise((resolve) => setTimeout(resolve, 25));
    expect(readdirSync(scratch).length).toBe(1);
    child.kill('SIGTERM');
    const signal = await new Promise((resolve) => child.on('exit', (_, name) => resolve(name)));
    expect(signal).toBe('SIGTERM');
    expect(readdirSync(scratch)).toEqual([]);
    expect(existsSync(join(work, 'p'))).toBe(false);
  });
});
