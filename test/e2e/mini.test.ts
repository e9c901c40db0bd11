/**
 * The mini language from end to end, as its users call it: every program through the interpreter, as an executable and as
 * LLVM text, each with the output that is known to be right.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;
const MINI = join(ROOT, 'examples/mini/main.mjs');
const VCT = join(ROOT, 'dist/cli/main.js');
const PROGRAMS = join(ROOT, 'examples/mini/programs');
const folder = mkdtempSync(join(tmpdir(), 'vct-mini-'));
/** The programs of the example, and those that try each construct of the language. */
const files = [PROGRAMS, join(ROOT, 'test/e2e/mini')].flatMap((place) =>
  readdirSync(place)
    .filter((name) => name.endsWith('.mini'))
    .map((name) => ({ name: name.slice(0, -'.mini'.length), place })),
);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Outcome {
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

function call(command: string, parameters: readonly string[], input: Uint8Array, core = 'auto'): Outcome {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    input,
    env: { ...process.env, VCT_CORE: core },
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, output: stdout?.toString('latin1') ?? '', errors: stderr?.toString() ?? '' };
}

function mini(parameters: readonly string[], input: Uint8Array = new Uint8Array(), core = 'auto'): Outcome {
  return call(process.execPath, [MINI, ...parameters], input, core);
}

/** What a command is missing on this machine is no fault of ours. */
function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version']).status === 0;
}

describe.each(files)('mini program $name', ({ name, place }) => {
  const file = join(place, `${name}.mini`);
  const expected = readFileSync(join(place, `${name}.expected`), 'latin1');
  const inputFile = join(place, `${name}.stdin`);
  const input = existsSync(inputFile) ? readFileSync(inputFile) : new Uint8Array();
  const right = { status: 0, output: expected, errors: '' };

  test('in the interpreter', () => {
    expect(mini(['run', file], input)).toEqual(right);
  });

  test('000/G-2 as an executable', () => {
    const executable = join(folder, name);
    expect(mini(['build', file, '-o', executable])).toMatchObject({ status: 0, errors: '' });
    expect(call(executable, [], input)).toEqual(right);
  });

  test.runIf(isInstalled('lli-19'))('as LLVM text', () => {
    const text = mini(['emit-llvm', file]);
    expect(text).toMatchObject({ status: 0, errors: '' });
    const module = join(folder, `${name}.ll`);
    writeFileSync(module, text.output, 'latin1');
    expect(call('opt-19', ['-passes=verify', '-disable-output', module], input).errors).toBe('');
    expect(call('lli-19', [module], input)).toEqual(right);
  });

  test('as HIR text that vct reads back and runs', () => {
    const text = mini(['emit-hir', file]);
    expect(text).toMatchObject({ status: 0, errors: '' });
    const module = join(folder, `${name}.hir`);
    writeFileSync(module, text.output, 'latin1');
    expect(call(process.execPath, [VCT, 'run', module], input)).toEqual(right);
    expect(call(process.execPath, [VCT, 'emit', 'hir', module], input).output).toBe(text.output);
  });

  test('000/G-4, G-6 as the same C from both cores, without a warning', () => {
    const [native, typescript] = ['auto', 'ts'].map((core) => mini(['emit-c', file], undefined, core));
    expect(native).toMatchObject({ status: 0, errors: '' });
    expect(typescript).toEqual(native);
    const source = join(folder, `${name}.c`);
    writeFileSync(source, native?.output ?? '', 'latin1');
    for (const compiler of ['gcc', 'clang-19'].filter(isInstalled)) {
      const flags = ['-std=c17', '-Wall', '-Wextra', '-Wpedantic', '-O2', '-c', '-o', '/dev/null'];
      expect(call(compiler, [...flags, source], input)).toEqual({ status: 0, output: '', errors: '' });
    }
  });
});

describe('mini', () => {
  test('sorts a million numbers in an executable', () => {
    const executable = join(folder, 'sort-million');
    expect(mini(['build', join(PROGRAMS, 'sort.mini'), '-o', executable]).status).toBe(0);
    // Computed by a program in another language, as sort.expected was.
    const lines = [
      'quicksort 1000000: 1921 1075151029 2147481861 2013e28442240c55',
      'heapsort 1000000: 1921 1075151029 2147481861 2013e28442240c55',
      'descending 1000000: 2147481861 1075147323 1921 02977c46f4063041',
    ];
    expect(call(executable, ['1000000'], new Uint8Array()).output).toBe(`${lines.join('\n')}\n`);
  });

  test('hands arguments to a program in the interpreter', () => {
    const file = join(PROGRAMS, 'queens.mini');
    expect(mini(['run', file, '6']).output).toBe(
      '6 queens: 4 ways\n.Q....\n...Q..\n.....Q\nQ.....\n..Q...\n....Q.\n',
    );
  });

  test('does what its README says', () => {
    const page = readFileSync(join(ROOT, 'examples/mini/README.md'), 'utf8');
    const file = join(folder, 'tour.mini');
    writeFileSync(file, /```c\n([\s\S]*?)```/.exec(page)?.[1] ?? '');
    const output = '10 5.25\nthree\ntwo\none\nbye\n';
    expect(mini(['run', file])).toEqual({ status: 0, output, errors: '' });
    const executable = join(folder, 'tour');
    expect(mini(['build', file, '-o', executable]).status).toBe(0);
    expect(call(executable, [], new Uint8Array()).output).toBe(output);
  });

  test('exits as its program does', () => {
    expect(run('fn main(): i32 { return 42; }').status).toBe(42);
  });
});

function run(program: string): Outcome {
  const file = join(folder, 'program.mini');
  writeFileSync(file, program);
  return mini(['run', file]);
}

describe('errors of mini programs', () => {
  const wrong: readonly (readonly [code: string, place: string, program: string])[] = [
    ['M001', '1:19', 'fn main(): i32 {  @ }'],
    ['M002', '2:11', 'fn main(): i32 {\n  let s = "open;\n}'],
    ['M003', '1:24', 'fn main(): i32 { return}'],
    ['M004', '1:414', `let x: i32 = ${'('.repeat(100_000)}`],
    ['M010', '1:25', 'fn main(): i32 { return missing; }'],
    ['M011', '1:33', 'fn main(): i32 { let a = 1; let a = 2; return a; }'],
    ['M012', '1:31', 'fn main(): i32 { let x: i32 = 1.5; return x; }'],
    ['M013', '1:18', 'fn main(): i32 { 1 = 2; return 0; }'],
    ['M014', '1:14', 'let a: i32 = main(); fn main(): i32 { return 0; }'],
    ['M015', '1:25', 'fn main(): i32 { return main(1); }'],
    ['M016', '1:30', 'fn main(): i32 { let x: u8 = 256; return 0; }'],
    ['M017', '1:18', 'fn main(): i32 { break; }'],
    ['M018', '1:18', 'fn main(): i32 { }'],
    ['M019', '1:8', 'struct A { a: A; } fn main(): i32 { return 0; }'],
  ];

  test.each(wrong)('%s at %s', (code, place, program) => {
    const { status, output, errors } = run(program);
    expect({ status, output }).toEqual({ status: 1, output: '' });
    expect(errors).toMatch(new RegExp(`^\\S+program\\.mini:${place}: error ${code}: `));
    expect(errors).toContain('^');
    expect(errors).not.toContain('    at ');
  });

  test('stop a program that does what it may not, at its line', () => {
    const { status, errors } = run('fn main(): i32 {\n  let zero = 0;\n  return 1 / zero;\n}\n');
    expect(status).toBe(1);
    expect(errors).toContain('program.mini:3:');
    expect(errors).not.toContain('    at ');
  });

  test('name a file that is not there', () => {
    const { status, errors } = mini(['run', join(folder, 'missing.mini')]);
    expect(status).toBe(1);
    expect(errors).toContain('missing.mini');
    expect(errors).not.toContain('    at ');
  });

  test('show how to call it', () => {
    const { status, errors } = mini(['fly']);
    expect(status).toBe(2);
    expect(errors).toContain('usage');
  });
});
