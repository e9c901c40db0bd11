/** The build-script example: shows its progress, leaves an executable, and nothing else. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const SCRIPT = new URL('../../examples/build-script/build.mjs', import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), 'vct-build-script-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function build(output: string, path = process.env.PATH ?? '') {
  return spawnSync(process.execPath, [SCRIPT, output], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  });
}

test('the build script shows progress and leaves an executable', () => {
  const output = join(folder, 'collatz');
  const { status, stdout, stderr } = build(output);
  expect({ status, stdout }).toEqual({ status: 0, stdout: `built ${output}\n` });
  for (const phase of ['verify', 'lower', 'emit', 'compile', 'finished']) expect(stderr).toContain(phase);
  expect(readdirSync(folder)).toEqual(['collatz']);
  // Known since 1976: below a million, 837799 takes the most steps, 524.
  expect(spawnSync(output, { encoding: 'utf8' }).stdout).toBe(
    '837799 starts the longest sequence: 525 numbers\n',
  );
});

test('the build script says that there is no compiler, and leaves nothing', () => {
  const empty = mkdtempSync(join(folder, 'empty-'));
  const { status, stdout, stderr } = build(join(empty, 'collatz'), empty);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toMatch(/error VCT\d{4}: /);
  expect(stderr).not.toContain('    at ');
  expect(readdirSync(empty)).toEqual([]);
});
