/**
 * Random VIR programs of every type, memory by every width, aggregates by value, calls of all kinds and control flow of any shape:
 * the interpreter, C and LLVM agree. `VCT_SEED` repeats a run; `VCT_MODULES` makes more of them.
 */

import { expect, test } from 'vitest';
import { parseVir, printVir, verifyVir } from '../../src/index.js';
import { runSeed } from '../harness/random.js';
import { randomProgram } from '../harness/random-text.js';
import { runCompiled, runInterpreted, runLlvm } from '../harness/ways.js';

const seed = runSeed();
const moduleCount = Number(process.env.VCT_MODULES ?? 3);
const FUNCTIONS = 14;
const NO_INPUT = { stdin: '', programArguments: [] };

test(`random VIR text is right by construction, and prints as it was read (seed ${seed})`, () => {
  for (let index = 0; index < 20; index++) {
    const programSeed = (seed + 104_729 * index) >>> 0;
    const module = parseVir(randomProgram(programSeed, FUNCTIONS));
    expect(verifyVir(module), `seed ${programSeed}`).toEqual([]);
    const text = printVir(module);
    expect(printVir(parseVir(text)), `seed ${programSeed}`).toBe(text);
    expect(runInterpreted(parseVir(text), NO_INPUT), `seed ${programSeed}`).toMatch(/exit: 0\n$/);
  }
});

test(`000/G-2 random VIR programs give one answer every way (seed ${seed})`, async () => {
  for (let index = 0; index < moduleCount; index++) {
    const programSeed = (seed + 7919 * index) >>> 0;
    const module = parseVir(randomProgram(programSeed, FUNCTIONS));
    const expected = runInterpreted(module, NO_INPUT);
    const outcomes = [...(await runCompiled(module, NO_INPUT, true)), ...(await runLlvm(module, NO_INPUT))];
    for (const [way, outcome] of outcomes) expect(outcome, `${way}, seed ${programSeed}`).toBe(expected);
  }
}, 300_000);
