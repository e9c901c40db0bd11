/**
 * Mutated texts and forged tables against everything that reads them: each call gives a result or a DiagnosticError with a position
 * where there is a text, and what a verifier accepts is taken by all that stands behind it. The seed is in the names; VCT_SEED
 * repeats a run.
 */

import { describe, expect, it } from 'vitest';

import { lowerModule } from '../../src/core/index.js';
import { leaveSsa } from '../../src/core/leave-ssa.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { emitC, emitLlvm } from '../../src/driver/index.js';
import { parseHir } from '../../src/hir/parser.js';
import { printHir } from '../../src/hir/printer.js';
import { verifyHir } from '../../src/hir/verifier.js';
import { HirModule } from '../../src/ir/hir-module.js';
import type { Table } from '../../src/ir/table.js';
import type { VirModule } from '../../src/ir/vir-module.js';
import { interpret } from '../../src/vir/interpreter/index.js';
import { parseVir } from '../../src/vir/parser.js';
import { printVir } from '../../src/vir/printer.js';
import { verifyVir } from '../../src/vir/verifier.js';
import { type CaseFile, readCases } from '../harness/case-file.js';
import { Random, runSeed } from '../harness/random.js';

const seed = runSeed();
/** How long each test goes on. */
const MILLISECONDS = 10_000;
/** What only a long input may need; a hang on a short one is a fault. */
const LONGEST_CALL = 20_000;

const cases = readCases(`${import.meta.dirname}/../cases`).filter((item) => item.text.length < 10_000);

function parse(item: CaseFile, text: string): HirModule | VirModule {
  return item.format === 'hir' ? parseHir(text, { file: 'f' }) : parseVir(text, { file: 'f' });
}

/** The result of a call, or the diagnostics that it threw; anything else thrown, and an internal error, fails the test. */
function attempt<Result>(call: () => Result): Result | DiagnosticError {
  const start = performance.now();
  try {
    return call();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    expect(error.diagnostics.map((item) => item.code)).not.toContain('VCT0001');
    return error;
  } finally {
    expect(performance.now() - start).toBeLessThan(LONGEST_CALL);
  }
}

/** As `attempt`, for a module that was verified: nothing internal may be said either. */
function attemptVerified<Result>(call: () => Result): Result | DiagnosticError {
  const result = attempt(call);
  if (result instanceof DiagnosticError)
    expect(result.diagnostics.filter((item) => item.severity === 'internal')).toEqual([]);
  return result;
}

const QUIET = { fuel: 2000, callDepth: 100, stdin: '', stdout: () => {}, stderr: () => {} };

/** Gives a module to all that reads one. Says whether it verified. */
function consume(module: HirModule | VirModule): boolean {
  const isHir = module instanceof HirModule;
  const isGood = (isHir ? verifyHir(module) : verifyVir(module)).every(
    (item) => item.severity !== 'error' && item.severity !== 'internal',
  );
  const call = isGood ? attemptVerified : attempt;
  call(() => (isHir ? printHir(module) : printVir(module)));
  if (!isHir) {
    call(() => interpret(module, { ...QUIET, isVerified: isGood }));
    if (isGood) consumeVerified(module);
    return isGood;
  }
  const lowered = (['ts', 'native'] as const).map((core) => call(() => lowerModule(module, core)));
  if (!isGood) return false;
  const [first, second] = lowered;
  if (first instanceof DiagnosticError || second instanceof DiagnosticError) {
    // Whether two variables ever hold the same pointer is known when the body is lowered.
    const isRelated = (error: unknown) => error instanceof DiagnosticError && error.code === 'VCT0514';
    if (isRelated(first) && isRelated(second)) return false;
    throw first;
  }
  expect(printVir(first as VirModule)).toBe(printVir(second as VirModule));
  // Whether control falls out of a body that is NoReturn, and whether a call is the last thing on its way, is known when the body is
  // lowered.
  const late = verifyVir(first as VirModule).filter(({ code }) => code !== 'VCT0242' && code !== 'VCT0247');
  expect(late).toEqual([]);
  if (verifyVir(first as VirModule).length > 0) return false;
  consumeVerified(first as VirModule);
  return true;
}

function consumeVerified(module: VirModule): void {
  attemptVerified(() => leaveSsa(module));
  attemptVerified(() => emitC(module));
  attemptVerified(() => emitLlvm(module));
}

/** Damages one to three tokens or lines. */
function mutated(random: Random, text: string, words: readonly string[]): string {
  const tokens = text.match(/[@%!]?[\w.]+|"[^"\n]*"|[ \t]+|\n|[^\s]/gu) ?? [];
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(tokens.length + 1);
    switch (random.below(7)) {
      case 0:
        tokens.splice(at, 1);
        break;
      case 1:
        tokens.splice(at, 0, random.pick(words));
        break;
      case 2:
        tokens.splice(at, 1, String.fromCharCode(random.below(random.chance(80) ? 128 : 65536)));
        break;
      case 3:
        if (random.chance(30)) tokens.length = Math.min(at, tokens.length);
        break;
      case 4:
        tokens.splice(at, 0, ...tokens.slice(random.below(tokens.length + 1)).slice(0, 12));
        break;
      default: {
        // One word for another of its kind is what gets furthest.
        const old = tokens[at];
        const alike = words.filter((word) => old !== undefined && word[0] === old[0]);
        if (alike.length > 0) tokens[at] = random.pick(alike);
      }
    }
  }
  return tokens.join('');
}

function tablesOf(module: HirModule | VirModule): Table[] {
  const { tables } = module;
  const { types, constants, traitSets } = tables;
  const shared = [
    types.rows,
    types.members,
    constants.rows,
    constants.pool,
    traitSets.rows,
    traitSets.entries,
  ];
  const own =
    module instanceof HirModule
      ? [module.nodes, module.variables, module.functions]
      : [module.instructions, module.operands, module.blocks, module.functions];
  return [...shared, tables.globals, tables.functions, tables.positions, ...own, ...own];
}

/** Writes one to three words, or takes rows away. */
function forge(random: Random, module: HirModule | VirModule): void {
  const full = tablesOf(module).filter((table) => table.length > 0);
  for (let count = 1 + random.below(3); count > 0; count--) {
    const table = random.pick(full);
    if (random.chance(4)) {
      table.length = random.below(table.length + 1);
      continue;
    }
    const at = random.below(table.length * table.stride);
    const old = table.data[at] as number;
    const limits = [-1, 0, 1, -2, 0x7fffffff, -0x80000000, 64];
    table.data[at] = random.pick([
      old + random.below(5) - 2,
      random.pick(limits),
      random.below(30) - 2,
      random.word() | 0,
    ]);
  }
}

describe('bad inputs', () => {
  it(`000/G-1, 011/D-1 mutated texts end in a result or a diagnostic with its place (seed ${seed})`, () => {
    const random = new Random(seed);
    const words = new Map(['hir', 'vir'].map((format) => [format, wordsOf(format)]));
    const end = performance.now() + MILLISECONDS;
    let verified = 0;
    let refused = 0;
    while (performance.now() < end) {
      const item = random.pick(cases);
      const text = mutated(random, item.text, words.get(item.format) as string[]);
      const module = attempt(() => parse(item, text));
      if (module instanceof DiagnosticError) {
        refused++;
        for (const { position } of module.diagnostics) expect(position?.line).toBeGreaterThan(0);
      } else if (consume(module)) {
        verified++;
        const print = () => (module instanceof HirModule ? printHir(module) : printVir(module));
        const again = parse(item, print());
        expect(again instanceof HirModule ? printHir(again) : printVir(again)).toBe(print());
      }
    }
    expect(verified).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(5);
  });

  it(`000/G-1, 001/A-14 forged tables end in a result or a diagnostic (seed ${seed})`, () => {
    const random = new Random(seed ^ 0xf0e6);
    const good = cases.filter((item) => !(attempt(() => parse(item, item.text)) instanceof DiagnosticError));
    const end = performance.now() + MILLISECONDS;
    let verified = 0;
    let refused = 0;
    while (performance.now() < end) {
      const item = random.pick(good);
      const module = parse(item, item.text);
      forge(random, module);
      if (consume(module)) verified++;
      else refused++;
    }
    expect(verified).toBeGreaterThan(5);
    expect(refused).toBeGreaterThan(5);
  });
});

/** Every word of the cases of a format. */
function wordsOf(format: string): string[] {
  const all = cases.filter((item) => item.format === format).map((item) => item.text);
  return [...new Set(all.join('\n').match(/[@%!]?[\w.]+|[^\s\w]/gu))];
}
