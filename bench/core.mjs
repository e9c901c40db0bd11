/**
 * The core's own work, function by function as it grows: SSA construction within lowering, and leaving SSA; beside it, on the same functions
 * in memory, what LLVM's mem2reg and dominator tree take. All of it CPU time, since a machine does other things meanwhile.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emitLlvm } from '../dist/backend/llvm/index.js';
import { lowerModule } from '../dist/core/index.js';
import { runOutOfSsa } from '../dist/core/run-out-of-ssa.js';
import { Opcode } from '../dist/ir/opcodes.js';
import { CORE_SHAPES, coreModule } from './core-shapes.mjs';
import { layOut, time } from './report.mjs';

/** Instructions of one measurement at least: small functions are repeated in the module until there are as many. */
const SMALLEST_MODULE = 50_000;

/** The core's algorithms, each as nanoseconds of CPU time an instruction of what lowering makes. */
const WORK = [
  { name: 'lower', run: ({ hir }, core) => lowerModule(hir, core) },
  { name: 'out-of-SSA', run: ({ vir }, core) => runOutOfSsa(vir, core) },
];

/** The passes of LLVM that do the same, by the name that `-time-passes` has for each. */
const PASSES = [
  { name: 'mem2reg', pipeline: 'mem2reg', row: 'PromotePass' },
  {
    name: 'dominators',
    pipeline: 'function(invalidate<all>,require<domtree>)',
    row: 'DominatorTreeAnalysis',
  },
];

/** The median CPU time of some runs in nanoseconds: at least three, and as many as fit into `budget` milliseconds. */
function cpuTime(work, budget) {
  const end = performance.now() + budget;
  const samples = [];
  work();
  while (samples.length < 3 || (performance.now() < end && samples.length < 15)) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    samples.push((user + system) * 1000);
  }
  return samples.sort((left, right) => left - right)[samples.length >> 1];
}

/** Seconds of a pass by `opt-19 -time-passes`, or undefined where there is no such program. */
function llvmTime(file, { pipeline, row }) {
  const { stderr, status } = spawnSync(
    'opt-19',
    [`-passes=${pipeline}`, '-time-passes', '-disable-output', file],
    { encoding: 'utf8', maxBuffer: 1 << 28 },
  );
  if (status !== 0) return undefined;
  const line = stderr.split('\n').find((text) => text.endsWith(row)) ?? '';
  // User, system, both, wall: a column that is zero throughout is left out.
  const columns = [...line.matchAll(/([\d.]+) \(/g)].map((match) => Number(match[1]));
  return columns.length === 0 ? undefined : columns[Math.max(0, columns.length - 2)];
}

/** LLVM's times for a shape in nanoseconds an instruction of our VIR, by the name of the pass: the median of some runs. */
function llvmTimes(shape, size, copies, instructions, runs) {
  const folder = mkdtempSync(join(tmpdir(), 'libvct-bench-'));
  try {
    const file = join(folder, 'shape.ll');
    const inMemory = lowerModule(coreModule(shape, size, copies, true));
    writeFileSync(file, emitLlvm(inMemory, { target: 'x86_64-unknown-linux-gnu', llvm: 19 }));
    const times = {};
    for (const pass of PASSES) {
      const samples = Array.from({ length: runs }, () => llvmTime(file, pass));
      if (samples[0] === undefined) continue;
      times[pass.name] = (samples.sort((left, right) => left - right)[runs >> 1] * 1e9) / instructions;
    }
    return times;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function countPhis(vir) {
  let count = 0;
  for (const code of vir.definedFunctions())
    for (let inst = 0; inst < code.instructionCount; inst++) if (code.opcode(inst) === Opcode.phi) count++;
  return count;
}

/** One shape at one size. */
function measureOne(shape, size, { cores, budget, llvmRuns }) {
  const copies = Math.max(1, Math.round(SMALLEST_MODULE / size));
  const hir = coreModule(shape, size, copies);
  const vir = lowerModule(hir);
  const instructions = vir.instructions.length;
  const { copies: moves } = runOutOfSsa(vir, 'auto');
  const times = {};
  for (const { name, run } of WORK)
    for (const core of cores)
      times[`${name} ${core}`] = cpuTime(() => run({ hir, vir }, core), budget) / instructions;
  Object.assign(times, llvmTimes(shape, size, copies, instructions, llvmRuns));
  return { shape: shape.name, size, instructions, phis: countPhis(vir), moves: moves.length, times };
}

/** All shapes at all sizes that they have; a shape that never grows is measured once. */
export function measureCore({ sizes, only, ...options }) {
  const results = [];
  for (const shape of CORE_SHAPES) {
    if (only !== undefined && only !== shape.name) continue;
    const maximum = shape.maximum ?? Number.POSITIVE_INFINITY;
    for (const size of sizes) if (size <= maximum) results.push(measureOne(shape, size, options));
  }
  return results;
}

/** The slope of log time over log size by least squares: 1 where the time is linear. From 10^3 on, for below that the call counts. */
export function growthExponent(points) {
  const large = points.filter(({ size }) => size >= 1000);
  if (large.length < 2) return undefined;
  const pairs = large.map(({ size, nanoseconds }) => [Math.log(size), Math.log(size * nanoseconds)]);
  const mean = (at) => pairs.reduce((sum, pair) => sum + pair[at], 0) / pairs.length;
  const [x, y] = [mean(0), mean(1)];
  const above = pairs.reduce((sum, pair) => sum + (pair[0] - x) * (pair[1] - y), 0);
  return above / pairs.reduce((sum, pair) => sum + (pair[0] - x) ** 2, 0);
}

/** The results for people: nanoseconds an instruction, how they grow, and how many times faster lowering is than mem2reg. */
export function coreTable(results, cores) {
  const columns = [
    ...WORK.flatMap(({ name }) => cores.map((core) => `${name} ${core}`)),
    ...PASSES.map(({ name }) => name),
  ];
  const fastest = `lower ${cores[0]}`;
  const rows = results.map(({ shape, size, times, phis, moves }) => [
    shape,
    String(size),
    ...columns.map((column) => time(times[column])),
    times.mem2reg === undefined ? '–' : `${(times.mem2reg / times[fastest]).toFixed(1)}×`,
    String(phis),
    String(moves),
  ]);
  const growth = [...new Set(results.map(({ shape }) => shape))].map((shape) => {
    const own = results.filter((result) => result.shape === shape);
    const exponents = columns.map((column) =>
      growthExponent(own.map(({ size, times }) => ({ size, nanoseconds: times[column] }))),
    );
    return [shape, ...exponents.map((exponent) => exponent?.toFixed(2) ?? '–')];
  });
  const ratios = results.flatMap(({ times }) =>
    times.mem2reg === undefined ? [] : [times.mem2reg / times[fastest]],
  );
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  return [
    layOut([['shape', 'size', ...columns, 'mem2reg / lower', 'phis', 'moves'], ...rows]),
    `\nGrowth exponents from 10^3 on; 1 is linear.\n\n${layOut([['shape', ...columns], ...growth])}`,
    ratios.length === 0
      ? '\nopt-19 is not installed: LLVM was skipped.'
      : `\nLowering against mem2reg, geometric mean: ${mean.toFixed(1)}×.`,
  ].join('\n');
}
