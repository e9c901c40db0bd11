/** `npm run trace`: every requirement that is not open has a test that names it. */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'vct-trace-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function trace(root: string) {
  const result = spawnSync(process.execPath, [join(root, 'scripts/trace.mjs')]);
  return { status: result.status, stdout: String(result.stdout), stderr: String(result.stderr) };
}

/** The command in a small project of its own. */
function traceOf(spec: string, tests: string) {
  for (const name of ['scripts', 'spec', 'test']) mkdirSync(join(folder, name), { recursive: true });
  cpSync(join(ROOT, 'scripts/trace.mjs'), join(folder, 'scripts/trace.mjs'));
  writeFileSync(join(folder, 'spec/999-x.md'), spec);
  writeFileSync(join(folder, 'test/x.test.ts'), tests);
  return trace(folder);
}

test('every requirement of spec/ has a test or is open', () => {
  const result = trace(ROOT);
  expect(result.stderr).toBe('');
  expect(result.status).toBe(0);
  const done = readFileSync(join(ROOT, 'spec/005-lowering.md'), 'utf8').match(/^\| L-\d+ .*\| done/gm) ?? [];
  const proved = result.stdout.match(/^005\/L-\d+ +done /gm) ?? [];
  expect(proved).toHaveLength(done.length);
});

test('a requirement without a test, and a test of a requirement that is not there, are faults', () => {
  const spec =
    '| L-1 | a | done |\n| L-2 | b | open: later |\n| L-3 | c | 007 |\n- **G-4.** (open) d\n- **G-5.** e\n';
  expect(traceOf(spec, "test('999/L-1, G-5 x', f);").status).toBe(0);
  const missing = traceOf(spec, "// 999/L-1 in a comment\ntest('999/G-5 – G-6', f);");
  expect(missing.status).toBe(1);
  expect(missing.stderr).toBe('x.test.ts names 999/G-6, which no document has\n999/L-1 has no test\n');
});
