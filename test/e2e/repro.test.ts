/** The bundle of an internal error, by way of the command: written, free of the machine, and run again. */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MAIN = new URL('../../dist/cli/main.js', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'vct-repro-'));
const PROGRAM = 'module "p"\nfunc @main() -> i32 export {\nentry:\n  ret i32 7\n}\n';

/**
 * Loaded before libVCT: the third Config that is completed ends in an exception. The first is the table of defaults, the second
 * the command line's, and the third is made while the program is at work. The message names a folder, as such messages do.
 */
const FAULT = `
const freeze = Object.freeze;
let count = 0;
Object.freeze = (value) => {
  if (value !== null && typeof value === 'object' && 'callDepth' in value && ++count === 3)
    throw new RangeError('planted in ' + process.cwd() + '/x');
  return freeze(value);
};
`;

function vct(words: readonly string[], isFaulty: boolean) {
  const preload = isFaulty ? ['--import', `data:text/javascript,${encodeURIComponent(FAULT)}`] : [];
  const env = { ...process.env, VCT_TEST_SECRET: 'hunter2' };
  const result = spawnSync(process.execPath, [...preload, MAIN, ...words], { cwd: folder, env });
  return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) };
}

function bundle(name: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>;
}

beforeAll(() => {
  if (!existsSync(MAIN)) throw new Error('run `npm run build:ts` first: this test calls dist/cli/main.js');
  writeFileSync(join(folder, 'p.vir'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('011/D-10: the bundle of an internal error', () => {
  test('010/DR-17 without --repro nothing is written, and the option is named', () => {
    const result = vct(['emit', 'c', 'p.vir'], true);
    expect(result.status).toBe(70);
    expect(result.stderr).toContain('internal VCT0001: internal error: RangeError: planted');
    expect(result.stderr).toContain('--repro FILE');
  });

  test('holds the program, the options, the versions and the error, and nothing of the machine', () => {
    const result = vct(
      ['emit', 'c', 'p.vir', '--llvm', '20', '--compiler', '/opt/cc', '--repro', 'r.json'],
      true,
    );
    expect(result.status).toBe(70);
    expect(result.stderr).toContain('is in r.json');
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(bundle('r.json')).toEqual({
      kind: 'libvct-repro',
      format: 1,
      versions: {
        libvct: version,
        node: `${process.version} ${process.platform}-${process.arch}`,
        core: expect.stringMatching(/^(native|ts), schema \d+, layout /),
      },
      task: { kind: 'emit', form: 'c' },
      config: { llvm: 20 },
      diagnostic: { code: 'VCT0001', message: 'internal error: RangeError: planted in ./x' },
      input: { file: 'p.vir', format: 'vir', text: PROGRAM },
    });
    const text = readFileSync(join(folder, 'r.json'), 'utf8');
    for (const secret of ['hunter2', folder, process.cwd(), '/opt/cc']) expect(text).not.toContain(secret);
  });

  test('vct repro tells whether it happens again', () => {
    expect(vct(['run', 'p.vir', '--fuel', '99', '--repro', 'run.json', '--', 'one'], true).status).toBe(70);
    expect(bundle('run.json')).toMatchObject({ task: { kind: 'run', args: ['one'] }, config: { fuel: 99 } });
    const again = vct(['repro', 'run.json'], true);
    expect(again.status).toBe(70);
    expect(again.stdout).toMatch(/^it happens again: VCT0001: internal error: RangeError: planted/);
    const gone = vct(['repro', 'run.json'], false);
    expect(gone).toMatchObject({ status: 0, stderr: '' });
    expect(gone.stdout).toMatch(/^it does not happen here: VCT0001/);
  });

  test('another error than the kept one is told as such', () => {
    vct(['verify', 'p.vir', '--repro', 'v.json'], true);
    const kept = bundle('v.json');
    writeFileSync(
      join(folder, 'other.json'),
      JSON.stringify({ ...kept, input: { file: 'p.vir', format: 'vir', text: 'x' } }),
    );
    const other = vct(['repro', 'other.json'], false);
    expect(other.status).toBe(1);
    expect(other.stdout).toMatch(/^something else happens: VCT0001/);
    expect(other.stderr).toMatch(/^p\.vir:1:1: error VCT01/);
  });

  test('a bundle that cannot be written does not hide the error', () => {
    const result = vct(['run', 'p.vir', '--repro', 'no/such/place'], true);
    expect(result.status).toBe(70);
    expect(result.stderr).toMatch(/VCT0001[\s\S]*VCT0901/);
  });

  test.each([
    ['p.vir', PROGRAM, 'it is no JSON'],
    ['a.json', '[]', 'its kind is not libvct-repro'],
    ['b.json', '{"kind":"libvct-repro","format":2}', 'its format is not 1'],
    ['c.json', '{"kind":"libvct-repro","format":1}', 'its versions is malformed'],
  ])('%s is no bundle: VCT0914', (name, text, reason) => {
    writeFileSync(join(folder, name), text);
    const result = vct(['repro', name], false);
    expect(result.status).toBe(1);
    expect(result.stderr).toContain(`VCT0914: ${name} is no bundle of an internal error: ${reason}`);
  });

  test.each([
    ['task', { kind: 'build' }],
    ['task', { kind: 'emit', form: 'executable' }],
    ['config', { compiler: '/bin/sh' }],
    ['config', { compilerArguments: ['-x'] }],
    ['input', { file: 'p', format: 'c', text: '' }],
    ['diagnostic', { code: 1 }],
  ])('a bundle with the %s %j is refused', (name, value) => {
    vct(['verify', 'p.vir', '--repro', 'good.json'], true);
    writeFileSync(join(folder, 'forged.json'), JSON.stringify({ ...bundle('good.json'), [name]: value }));
    expect(vct(['repro', 'forged.json'], false).stderr).toContain(
      `VCT0914: forged.json is no bundle of an internal error: its ${name}`,
    );
  });
});

describe('011/D-9: vct --sarif', () => {
  test('writes one log to standard error, also when all is well', () => {
    writeFileSync(join(folder, 'bad.vir'), PROGRAM.replace('ret i32 7', 'ret i32 %x'));
    const bad = vct(['verify', 'bad.vir', '--sarif'], false);
    expect(bad.status).toBe(1);
    const log = JSON.parse(bad.stderr) as { runs: { results: unknown[] }[] };
    expect(log.runs[0]?.results).toHaveLength(1);
    expect(JSON.parse(vct(['verify', 'p.vir', '--sarif'], false).stderr).runs[0].results).toEqual([]);
  });

  test('and --json exclude each other', () => {
    expect(vct(['verify', 'p.vir', '--sarif', '--json'], false).status).toBe(2);
  });
});
