/** The calc example as its users call it: run, and compiled from the C that it prints. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const CALC = new URL('../../examples/calc/calc.mjs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'vct-calc-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function calc(...parameters: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [CALC, ...parameters], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('calc', () => {
  const programs: readonly (readonly [program: string, output: string])[] = [
    ['1 + 2 * 3', '7\n'],
    ['(1 + 2) * 3; 7 / 2 - 1', '9\n2.5\n'],
    ['-2 ^ 2; 2 ^ 3 ^ 2; 2 ^ -1', '-4\n512\n0.5\n'],
    ['r = 2; 3.14159 * r ^ 2', '12.56636\n'],
    ['x = 1 # one\n\nx = x + 1\n\nx * 10', '20\n'],
    ['1 / 0; .5', 'inf\n0.5\n'],
    ['', ''],
  ];

  test.each(programs)('runs %j', (program, output) => {
    expect(calc('run', program)).toEqual({ status: 0, stdout: output, stderr: '' });
  });

  test('makes C that prints the same', () => {
    const all = programs.map(([program]) => program).join(';\n');
    const { status, stdout: source } = calc('c', all);
    expect(status).toBe(0);
    const executable = join(folder, 'calc');
    const flags = ['-std=c17', '-Wall', '-Wextra', '-Wpedantic', '-o', executable, '-x', 'c', '-', '-lm'];
    const compiled = spawnSync('cc', flags, { input: source, encoding: 'utf8' });
    expect(compiled.stderr).toBe('');
    const { stdout } = spawnSync(executable, { encoding: 'utf8' });
    expect(stdout).toBe(programs.map(([, output]) => output).join(''));
  });

  test.each([
    ['1 +', 'calc:1:4: expected a value, found the end'],
    ['a = 1\n(a * b)', 'calc:2:6: b has no value yet'],
    ['(1 + 2', 'calc:1:7: expected ), found the end'],
    ['1 + \n2', 'calc:1:5: expected a value, found the end of the line'],
    ['1 2', 'calc:1:3: expected an operator, found 2'],
    ['1 + @', 'calc:1:5: expected a value, found @'],
  ])('says what is wrong with %j', (program, message) => {
    expect(calc('run', program)).toEqual({ status: 1, stdout: '', stderr: `${message}\n` });
  });

  test('shows how to call it', () => {
    expect(calc()).toMatchObject({ status: 1, stdout: '' });
    expect(calc().stderr).toMatch(/^usage: /);
  });

  test('is a compiler of less than 200 lines', () => {
    expect(readFileSync(CALC, 'utf8').split('\n').length).toBeLessThan(200);
  });
});
