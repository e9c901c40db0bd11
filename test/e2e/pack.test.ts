/**
 * The tarball, as a stranger gets it: packed in a copy of the tree, installed into an empty folder on a PATH without any
 * compiler and without network, used with the prebuilt addon, and again on the TypeScript core with the addon deleted.
 */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'vct-pack-'));
const tree = join(work, 'tree');
const app = join(work, 'app');
const bin = join(work, 'bin');
/** The files of the package that building it needs; modules are linked, and nothing that is built is taken along. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'binding.gyp',
  'CMakeLists.txt',
  'src',
  'native',
  'scripts',
  'spec',
];

/** The environment of the stranger: a PATH with node, npm and a shell only, no network, no hint of ours. */
function bareEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: bin,
    HOME: work,
    npm_config_cache: join(work, 'cache'),
    npm_config_update_notifier: 'false',
  };
}

/** Whether the addon can be built here. Without C++ compiler the tarball is packed and tested without prebuild. */
function canBuild(): boolean {
  try {
    for (const program of ['c++', 'make', 'python3']) findOnPath(program);
    return true;
  } catch {
    return process.env.CI !== undefined;
  }
}

function findOnPath(program: string): string {
  return execFileSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).trim();
}

function pack(folder: string, ...options: string[]): string {
  const output = execFileSync('npm', ['pack', folder, '--json', '--pack-destination', work, ...options], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, npm_config_cache: join(work, 'cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // A build in `prepack` prints before the JSON does.
  const listing = JSON.parse(output.slice(output.lastIndexOf('\n[') + 1)) as { filename: string }[];
  return join(work, (listing[0] as { filename: string }).filename);
}

/** Runs a script with the stranger's node in the stranger's folder, and gives back what it printed. */
function runInApp(name: string, text: string, env: NodeJS.ProcessEnv = {}): string {
  writeFileSync(join(app, name), text);
  return execFileSync('node', [name], { cwd: app, encoding: 'utf8', env: { ...bareEnvironment(), ...env } });
}

const isNative = canBuild();

const ASK_CORE = `import { coreInfo } from 'libvct';
console.log(JSON.stringify(coreInfo()));`;

/** A whole compilation by the public API: what it prints when run, its LLVM text's and its C text's length. */
const COMPILE = `import { createModule, emitC, emitLlvm, fn, i8, i32, ptr, run } from 'libvct';
const module = createModule('answer', { positions: 'none' });
const printf = module.declare('printf', fn([ptr(i8)], i32, { varargs: true }));
module.function('main', [], i32, (f) => {
  const sum = f.variable('sum', i32, 0);
  const i = f.variable('i', i32, 1);
  f.while(() => i.le(9), () => { sum.set(sum.add(i)); i.set(i.add(1)); });
  f.evaluate(f.call(printf, module.string('%d'), sum.sub(3)));
  f.return(0);
}, { linkage: 'export' });
const hir = module.finish();
console.log(Buffer.from(run(hir).stdout).toString(), emitLlvm(hir).includes('@main'), emitC(hir).text.includes('main'));`;

beforeAll(() => {
  for (const folder of [tree, app, bin]) mkdirSync(folder);
  for (const program of ['node', 'npm', 'sh']) symlinkSync(findOnPath(program), join(bin, program));
  for (const name of SOURCES) cpSync(join(root, name), join(tree, name), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  if (!isNative) execFileSync('npm', ['run', 'build:ts'], { cwd: tree, stdio: 'ignore' });
  const tarball = isNative ? pack(tree) : pack(tree, '--ignore-scripts');
  // The one dependency comes as a tarball too, so that the installation needs no registry.
  const loader = pack(join(root, 'node_modules', 'node-gyp-build'), '--ignore-scripts');
  writeFileSync(join(app, 'package.json'), '{ "name": "app", "private": true }\n');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball, loader], {
    cwd: app,
    env: bareEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}, 480_000);

afterAll(() => rmSync(work, { recursive: true, force: true }));

describe('the packed package', () => {
  const installed = join(app, 'node_modules', 'libvct');

  it('holds dist, prebuilds and documents, and no source, test or build folder', () => {
    const allowed = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json', 'prebuilds', 'spec'];
    expect(readdirSync(installed).filter((name) => !allowed.includes(name))).toEqual([]);
    expect(readdirSync(join(installed, 'dist'))).toContain('index.d.ts');
  });

  it('finds no compiler where it was installed', () => {
    expect(() =>
      execFileSync('sh', ['-c', 'command -v cc gcc clang c++ g++ make python3'], { env: bareEnvironment() }),
    ).toThrow();
  });

  it.runIf(isNative)('uses the prebuilt addon, the only one for this platform', () => {
    expect(readdirSync(join(installed, 'prebuilds'))).toEqual([`${process.platform}-${process.arch}`]);
    const info = JSON.parse(runInApp('ask.mjs', ASK_CORE)) as { active: string; path: string };
    expect(info.active).toBe('native');
    expect(basename(dirname(info.path))).toBe(`${process.platform}-${process.arch}`);
  });

  it('compiles and runs a program', () => {
    expect(runInApp('compile.mjs', COMPILE).trim()).toBe('42 true true');
  });

  it('has the `vct` command', () => {
    const vct = join(app, 'node_modules', '.bin', 'vct');
    const output = execFileSync(vct, ['--version'], { encoding: 'utf8', env: bareEnvironment() });
    expect(output).toMatch(/^libvct \d+\.\d+\.\d+\ncore: /);
  });

  it('is there for `require` too', () => {
    expect(runInApp('ask.cjs', "console.log(require('libvct').coreInfo().active);").trim()).toBe(
      isNative ? 'native' : 'ts',
    );
  });

  it.runIf(isNative)('loads in several workers at once, and in the main thread after them', () => {
    const script = `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { coreInfo } from 'libvct';
if (isMainThread) {
  const ask = () => new Promise((resolve, reject) =>
    new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject));
  const answers = await Promise.all([ask(), ask(), ask(), ask()]);
  console.log([...answers, coreInfo().active].join());
} else parentPort.postMessage(coreInfo().active);`;
    expect(runInApp('workers.mjs', script).trim()).toBe('native,native,native,native,native');
  });

  it('000/G-4 works on the TypeScript core, and says why, once the addon is deleted', () => {
    rmSync(join(installed, 'prebuilds'), { recursive: true, force: true });
    const info = JSON.parse(runInApp('ask.mjs', ASK_CORE)) as { active: string; reason: string };
    expect(info.active).toBe('ts');
    expect(info.reason).toContain('No native build was found');
    expect(runInApp('compile.mjs', COMPILE).trim()).toBe('42 true true');
  });
});
