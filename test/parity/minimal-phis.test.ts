/**
 * The phis of functions are those of minimal, pruned SSA: structured ones, and ones with labels and gotos, also where control flow is
 * irreducible. `VCT_PROGRAMS` sets how many there are of each.
 */

import { expect, test } from 'vitest';
import { lowerModule, parseHir, verifyHir, verifyVir } from '../../src/index.js';
import { Opcode } from '../../src/ir/opcodes.js';
import type { VirFunction } from '../../src/ir/vir-module.js';
import { blocksOf, instructionsOf, successorsOf } from '../harness/lowered.js';
import { type Accesses, minimalPhis } from '../harness/minimal-phis.js';
import { comparedCore } from '../harness/native-core.js';
import { Random, runSeed } from '../harness/random.js';
import { randomJumps } from '../harness/random-jumps.js';
import { expectSameTables } from '../harness/same-tables.js';

const seed = runSeed();
const programCount = Number(process.env.VCT_PROGRAMS ?? 400);

function lowerText(text: string): VirFunction {
  const hir = parseHir(text);
  expect(verifyHir(hir)).toEqual([]);
  const vir = lowerModule(hir, 'ts');
  expectSameTables(lowerModule(hir, comparedCore), vir);
  expect(verifyVir(vir)).toEqual([]);
  return vir.definedFunctions()[0] as VirFunction;
}

/** What each variable's slot says of its accesses, in the order of the slots. */
function accessesOf(vir: VirFunction): Accesses[] {
  const slots = instructionsOf(vir, blocksOf(vir)[0] as never).filter(
    (inst) => vir.opcode(inst) === Opcode.alloca,
  );
  return slots.map((slot) => {
    const writes = new Set<number>();
    const reads = new Set<number>();
    for (const block of blocksOf(vir)) {
      for (const inst of instructionsOf(vir, block)) {
        const opcode = vir.opcode(inst);
        if (opcode === Opcode.load && vir.rawOperand(inst, 0) === slot && !writes.has(block))
          reads.add(block);
        if (opcode === Opcode.store && vir.rawOperand(inst, 1) === slot) writes.add(block);
      }
    }
    return { writes, reads };
  });
}

/** Per block, how many phis it has. */
function phiCounts(vir: VirFunction): number[] {
  return blocksOf(vir).map(
    (block) => instructionsOf(vir, block).filter((inst) => vir.opcode(inst) === Opcode.phi).length,
  );
}

/** Compares the phis of random functions with those of the definition; returns how many there were, and counts the statements. */
function comparePhis(hasLabels: boolean, counts: Map<string, number>): number {
  let phis = 0;
  for (let index = 0; index < programCount; index++) {
    const programSeed = (seed + 32_452_843 * index) >>> 0;
    const inMemory = lowerText(
      randomJumps(new Random(programSeed), { inMemory: true, hasLabels }, new Map()),
    );
    const text = randomJumps(new Random(programSeed), { inMemory: false, hasLabels }, counts);
    const inRegisters = lowerText(text);
    // The representation of variables does not change the control flow, so the slots say where they are written and read.
    const successors = blocksOf(inMemory).map((block) => successorsOf(inMemory, block));
    expect(blocksOf(inRegisters).map((block) => successorsOf(inRegisters, block))).toEqual(successors);
    const wanted = successors.map(() => 0);
    for (const blocks of minimalPhis(successors, accessesOf(inMemory)))
      for (const block of blocks) (wanted[block] as number)++;
    expect(phiCounts(inRegisters), `seed ${programSeed}\n${text}`).toEqual(wanted);
    phis += wanted.reduce((sum, count) => sum + count, 0);
  }
  console.log(`${phis} phis; ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`);
  return phis;
}

const SHARED_KINDS = ['write', 'read', 'break', 'continue', 'if', 'switch', 'while', 'do'];

test(`005/L-16 005/L-19 the phis of irreducible functions are those of the dominance frontiers (seed ${seed})`, () => {
  const counts = new Map<string, number>();
  expect(comparePhis(true, counts)).toBeGreaterThan(programCount);
  for (const kind of [...SHARED_KINDS, 'label', 'goto'])
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(programCount / 10);
}, 20_000_000);

test(`005/L-16 005/L-19 the phis of structured functions are those of the dominance frontiers (seed ${seed})`, () => {
  const counts = new Map<string, number>();
  expect(comparePhis(false, counts)).toBeGreaterThan(programCount);
  for (const kind of [...SHARED_KINDS, 'for', 'return'])
    expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(programCount / 10);
  expect(counts.get('label')).toBe(undefined);
}, 20_000_000);
