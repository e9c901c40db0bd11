/**
 * `npm run bench`: nanoseconds per VIR instruction for each phase, on both cores, for modules of 10^2 to 10^6 instructions.
 *
 *   --quick        up to 10^4 instructions, and shorter
 *   --shape NAME   one shape alone
 *   --part NAME    only \`phases\`, or only \`core\`: the core's algorithms on functions that grow, beside LLVM's
 *   --json [FILE]  the results as JSON, to the file or to standard output instead of the table
 *
 * The table goes to standard output and the JSON to bench/results/latest.json as well. Needs `npm run build`.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { coreInfo, lowerModule } from '../dist/index.js';
import { coreTable, measureCore } from './core.mjs';
import { measure } from './measure.mjs';
import { bytesOf } from './memory.mjs';
import { PHASES } from './phases.mjs';
import { memoryTable, table } from './report.mjs';
import { SHAPES } from './shapes.mjs';

const { values: options, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean' },
    json: { type: 'boolean' },
    shape: { type: 'string' },
    part: { type: 'string' },
  },
  allowPositionals: true,
});
const sizes = options.quick ? [100, 1_000, 10_000] : [100, 1_000, 10_000, 100_000, 1_000_000];
const count = options.quick ? 5 : 15;
/** Milliseconds for one measurement, and for all of them. */
const budget = options.quick ? 60 : 450;
const totalBudget = options.quick ? 60_000 : 900_000;

const native = coreInfo('auto').active === 'native';
const cores = native ? ['native', 'ts'] : ['ts'];
if (!native) console.error(`The native core is not measured: ${coreInfo('auto').reason}.`);

const started = performance.now();
/** The longest single run, in milliseconds: a phase that would take longer is left out. */
const longestRun = 60_000;
/** For each shape, phase and core: instructions and milliseconds of a run, in ascending order. */
const known = new Map();
const results = [];
const memory = [];
const skipped = [];
for (const size of options.part === 'core' ? [] : sizes) {
  for (const shape of SHAPES) {
    if (options.shape === undefined || options.shape === shape.name) measureShape(shape, size);
  }
}
const ofCore =
  options.part === 'phases'
    ? []
    : measureCore({
        sizes: options.quick ? [100, 1_000] : sizes,
        cores,
        budget: options.quick ? 30 : 300,
        llvmRuns: options.quick ? 1 : 3,
        only: options.shape,
      });
report();

/** Milliseconds that one run will take, by how the last sizes grew; 0 while nothing is known. */
function predict(key, instructions) {
  const [before, last] = (known.get(key) ?? []).slice(-2);
  if (before === undefined) return 0;
  const latest = last ?? before;
  const growth =
    last === undefined ? 1 : Math.max(1, last.time / last.instructions / (before.time / before.instructions));
  return latest.time * (instructions / latest.instructions) * growth;
}

function measureShape(shape, size) {
  const build = () => shape.build(Math.max(1, Math.round(size / shape.instructionsAStatement)));
  const hir = build();
  const vir = lowerModule(hir);
  const instructions = vir.instructions.length;
  memory.push({ shape: shape.name, instructions, ...bytesOf(hir, vir) });
  for (const phase of PHASES) {
    for (const core of phase.cores ? cores : ['either']) {
      const key = `${shape.name} ${phase.name} ${core}`;
      const isLate = performance.now() - started + predict(key, instructions) > totalBudget;
      if (isLate || predict(key, instructions) > longestRun) {
        skipped.push(`${shape.name} ${instructions} ${phase.name} ${core}`);
        continue;
      }
      const { nanoseconds, samples } = measure(() => phase.run({ build, hir, vir }, core), count, budget);
      known.set(key, [...(known.get(key) ?? []), { instructions, time: nanoseconds / 1e6 }]);
      const nanosecondsPerInstruction = nanoseconds / instructions;
      results.push({
        shape: shape.name,
        instructions,
        phase: phase.name,
        core,
        nanosecondsPerInstruction,
        samples,
      });
    }
  }
}

function report() {
  const machine = { node: process.version, processor: cpus()[0]?.model ?? 'unknown' };
  const json = `${JSON.stringify({ machine, unit: 'ns/instruction', results, memory, skipped, core: ofCore }, null, 2)}\n`;
  const folder = fileURLToPath(new URL('results', import.meta.url));
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/latest.json`, json);
  if (options.json && positionals[0] !== undefined) writeFileSync(positionals[0], json);
  if (options.json && positionals[0] === undefined) process.stdout.write(json);
  else {
    console.log(`Nanoseconds per VIR instruction; Node ${machine.node}, ${machine.processor}.\n`);
    if (results.length > 0) {
      console.log(table(results));
      console.log(`\nBytes, traits and lowering map included; the goal is at most 64 of each.\n`);
      console.log(memoryTable(memory));
    }
    if (ofCore.length > 0) {
      console.log('\nThe core on functions that grow: CPU time in nanoseconds an instruction.\n');
      console.log(coreTable(ofCore, cores));
    }
    if (skipped.length > 0) console.log(`\nLeft out, for they would take too long: ${skipped.join('; ')}.`);
  }
}
