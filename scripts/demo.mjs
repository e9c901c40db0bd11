/**
 * The README's main job: builds libVCT, compiles one real program of the example language `mini`, and runs it three ways:
 * in the interpreter, through C by the system's compiler, and through LLVM where `lli` is installed. Then shows the C.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const mini = join('examples', 'mini', 'main.mjs');
const program = join('examples', 'mini', 'programs', 'n-body.mini');
const SMALL = '1000';
const LARGE = '1000000';

/** Runs a command in the package's folder; ends the demo when it fails. */
function run(title, command, words, options = {}) {
  console.log(`\n== ${title}\n$ ${[command, ...words].join(' ')}`);
  const started = performance.now();
  const result = spawnSync(command, words, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28, ...options });
  if (result.status !== 0) {
    console.error(result.error?.message ?? `${result.stdout ?? ''}${result.stderr ?? ''}`);
    process.exit(1);
  }
  return { stdout: result.stdout ?? '', seconds: (performance.now() - started) / 1000 };
}

function report({ stdout, seconds }) {
  process.stdout.write(stdout);
  console.log(`(${seconds.toFixed(2)} s)`);
  return stdout;
}

const isInstalled = (tool) => spawnSync(tool, ['--version']).status === 0;

run('build libVCT', process.platform === 'win32' ? 'npm.cmd' : 'npm', ['run', 'build'], {
  stdio: 'inherit',
  shell: process.platform === 'win32',
});

const folder = mkdtempSync(join(tmpdir(), 'libvct-demo-'));
try {
  const interpreted = report(run('interpret it', process.execPath, [mini, 'run', program, SMALL]));
  const executable = join(folder, 'n-body');
  run('compile it through C', process.execPath, [mini, 'build', program, '-o', executable]);
  const compiled = report(run('run the executable', executable, [SMALL]));
  const results = [interpreted, compiled];

  const { stdout: llvm } = run('write it as LLVM text', process.execPath, [mini, 'emit-llvm', program]);
  const llvmFile = join(folder, 'n-body.ll');
  writeFileSync(llvmFile, llvm);
  console.log(`${llvm.split('\n').length} lines`);
  const lli = ['lli-19', 'lli'].find(isInstalled);
  if (lli === undefined) console.log('(lli is not installed, so the LLVM text is not run)');
  else results.push(report(run('run the LLVM text', lli, [llvmFile, SMALL])));

  report(run(`run the executable with ${LARGE} steps`, executable, [LARGE]));

  const { stdout: c } = run('the C that was compiled', process.execPath, [mini, 'emit-c', program]);
  console.log(c);
  const expected = readFileSync(join(root, program.replace(/\.mini$/, '.expected')), 'utf8');
  if (results.some((result) => result !== expected)) {
    console.error('the results differ');
    process.exitCode = 1;
  } else {
    console.log(`all ${results.length} results are the same, and the known ones`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
