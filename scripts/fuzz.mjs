/**
 * Searches for tables that bring the native core down, without Node: `npm run fuzz [-- SECONDS]`, 60 if not said. Needs clang++-19 with its
 * sanitizers (`libclang-rt-19-dev`).
 *
 * The corpus is made of the cases: what lowering and leaving SSA are given for each, the graph of each function, and some copies. It is
 * first replayed under the thread sanitizer, each file on several threads, and then libFuzzer takes it from there under those for addresses
 * and undefined behaviour. What it finds stands in .vct-cache/fuzz; a find becomes a case or a test, on both cores.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lowerModule } from '../dist/core/index.js';
import { outOfSsaInputs } from '../dist/core/run-out-of-ssa.js';
import { parseHir } from '../dist/hir/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, '.vct-cache', 'fuzz');
const corpus = join(folder, 'corpus');
const seconds = Number(process.argv[2] ?? 60);

/** Numbers of the entries, as native/fuzz/tables.cc has them. */
const Entry = { lower: 0, outOfSsa: 1, analyseGraph: 2, orderCopies: 3, liveSets: 4 };

/** The functions of one case that the corpus takes: larger modules slow the search down. */
const MOST_NODES = 600;

let count = 0;
function write(entry, inputs) {
  const words = [entry, ...inputs.map((input) => input.length), ...inputs.flatMap((input) => [...input])];
  writeFileSync(join(corpus, `${String(count++).padStart(4, '0')}.tables`), Int32Array.from(words));
}

/** The tables of one module for each of the entries. */
function writeModule(hir) {
  hir.completeFunctions();
  const { tables } = hir;
  const shared = [tables.types.rows, tables.constants.rows, tables.traitSets.rows, tables.functions];
  write(
    Entry.lower,
    [hir.nodes, hir.variables, hir.functions, ...shared].map((table) => table.view()),
  );
  const vir = lowerModule(hir, 'ts');
  write(Entry.outOfSsa, outOfSsaInputs(vir));
}

function writeCorpus() {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(corpus, { recursive: true });
  const cases = join(root, 'test', 'cases');
  for (const name of readdirSync(cases, { recursive: true }).filter((path) => path.endsWith('.hir'))) {
    const [text] = readFileSync(join(cases, name), 'utf8').split(/^;--- expect/m);
    try {
      const hir = parseHir(text);
      if (hir.nodes.length <= MOST_NODES) writeModule(hir);
    } catch {
      // A case of what is wrong.
    }
  }
  for (let size = 1; size <= 12; size++) {
    const start = Array.from({ length: size + 1 }, (_, block) => 2 * block);
    const items = Array.from({ length: 2 * size }, (_, edge) => (edge * 7 + 1) % size);
    write(Entry.analyseGraph, [start, items, [size - 1, 1]]);
    const variables = Array.from({ length: size }, (_, variable) => variable);
    const definitions = variables.map(() => size - 1);
    const uses = items.map((block, use) => (use % 3 === 0 ? -1 - block : block));
    write(Entry.liveSets, [start, items, [size - 1, 0], definitions, start, uses]);
    write(Entry.orderCopies, [variables, variables.map((variable) => (variable * 5 + 1) % size), [size]]);
  }
}

function run(program, words) {
  const { status, error } = spawnSync(program, words, { stdio: 'inherit', cwd: folder });
  if (status !== 0) {
    console.error(error?.message ?? `${program} ended with ${status}`);
    process.exit(1);
  }
}

function compile(output, ...flags) {
  const core = join(root, 'native', 'core');
  const sources = readdirSync(core)
    .filter((name) => name.endsWith('.cc'))
    .map((name) => join(core, name));
  const common = [
    '-std=c++20',
    '-O1',
    '-g',
    '-fno-omit-frame-pointer',
    '-Wall',
    '-Wextra',
    '-Werror',
    '-pthread',
  ];
  run('clang++-19', [
    ...common,
    ...flags,
    join(root, 'native', 'fuzz', 'tables.cc'),
    ...sources,
    '-o',
    output,
  ]);
}

writeCorpus();
console.log(`${count} tables`);
compile(join(folder, 'replay'), '-DVCT_REPLAY', '-fsanitize=thread');
run(
  join(folder, 'replay'),
  readdirSync(corpus).map((name) => join(corpus, name)),
);
compile(join(folder, 'search'), '-fsanitize=fuzzer,address,undefined', '-fno-sanitize-recover=all');
run(join(folder, 'search'), [
  `-max_total_time=${seconds}`,
  '-timeout=20',
  '-rss_limit_mb=3000',
  '-malloc_limit_mb=3000',
  '-max_len=65536',
  '-verbosity=0',
  '-print_funcs=0',
  '-print_final_stats=1',
  corpus,
]);
