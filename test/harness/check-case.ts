/** What is done with a case, by the words of its `; test:` line. */

import { expect } from 'vitest';
import {
  type Diagnostic,
  DiagnosticError,
  emitC,
  emitLlvm,
  lowerModule,
  optimizeHir,
  parseHir,
  parseVir,
  printHir,
  printVir,
  verifyHir,
  verifyVir,
} from '../../src/index.js';
import type { VirModule } from '../../src/ir/vir-module.js';
import { type CaseFile, rewriteExpectation } from './case-file.js';
import { comparedCore } from './native-core.js';
import { expectSameTables } from './same-tables.js';
import { runCompiled, runInterpreted, runLlvm } from './ways.js';

/** Compares with the expectation, or rewrites it when `VCT_UPDATE` is set. */
function compare(item: CaseFile, test: string, output: string): void {
  if (process.env.VCT_UPDATE) {
    rewriteExpectation(item, test, output);
    return;
  }
  expect(output, test).toBe(item.expected.get(test));
}

function throwErrors(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length > 0) throw new DiagnosticError(diagnostics);
}

/** Parses, verifies and, for HIR, lowers on both cores, which must give the same bytes. */
export function loadCase(item: CaseFile): VirModule {
  if (item.format === 'vir') {
    const module = parseVir(item.text, { file: item.name });
    throwErrors(verifyVir(module));
    return module;
  }
  const hir = parseHir(item.text, { file: item.name });
  throwErrors(verifyHir(hir));
  const module = lowerModule(hir, 'ts');
  expectSameTables(lowerModule(hir, comparedCore), module);
  throwErrors(verifyVir(module));
  return module;
}

/** Printing what was parsed gives a text that parses to itself. */
function checkRoundTrip(item: CaseFile): void {
  const printed = item.format === 'vir' ? printVir(parseVir(item.text)) : printHir(parseHir(item.text));
  const again = item.format === 'vir' ? printVir(parseVir(printed)) : printHir(parseHir(printed));
  expect(again).toBe(printed);
  if (item.expected.has('parse')) compare(item, 'parse', printed);
}

/** Runs the program every way; what the interpreter says is what all must say. */
async function checkRun(item: CaseFile, module: VirModule): Promise<void> {
  compare(item, 'run', runInterpreted(module, item));
  const expected = item.expected.get('run');
  const outcomes: [string, string][] = [];
  if (!item.without.includes('c'))
    outcomes.push(...(await runCompiled(module, item, item.without.includes('warnings'))));
  if (!item.without.includes('llvm')) outcomes.push(...(await runLlvm(module, item)));
  if (process.env.VCT_UPDATE) return;
  for (const [way, outcome] of outcomes) expect(outcome, way).toBe(expected);
}

/** The text of the optimized tree, which verifies, lowers to the same on both cores and is text like any other. */
function checkOptimized(item: CaseFile): string {
  const hir = optimizeHir(parseHir(item.text, { file: item.name }));
  throwErrors(verifyHir(hir));
  const module = lowerModule(hir, 'ts');
  expectSameTables(lowerModule(hir, comparedCore), module);
  throwErrors(verifyVir(module));
  expect(printHir(parseHir(printHir(hir)))).toBe(printHir(hir));
  return printHir(hir);
}

/** Every expected error must come, at its line, and no other. */
function checkErrors(item: CaseFile, diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ severity }) => severity === 'error' || severity === 'internal');
  const places = errors.map(({ code, position }) => `${code} line ${position?.line ?? '?'}`);
  for (const { code, line } of item.errors) {
    const isThere = errors.some(
      (error) => error.code === code && (line === undefined || error.position?.line === line),
    );
    expect(isThere, `${code} line ${line ?? 'any'} among: ${places.join(', ')}`).toBe(true);
  }
  for (const error of errors) {
    const isExpected = item.errors.some(
      ({ code, line }) => error.code === code && (line === undefined || error.position?.line === line),
    );
    expect(isExpected, `${error.code} ${error.message} line ${error.position?.line}`).toBe(true);
    expect(error.position, `${error.code} has a position`).toBeDefined();
  }
}

/** The diagnostics that a step throws. Anything else that is thrown is a defect and goes on. */
function diagnosticsOf(step: () => void): readonly Diagnostic[] {
  try {
    step();
    return [];
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics;
    throw error;
  }
}

/** Does everything that a case asks for. */
export async function checkCase(item: CaseFile): Promise<void> {
  if (item.tests.length === 0) throw new Error(`${item.name} has no "; test:" line`);
  if (item.errors.length > 0) {
    const isRun = item.tests.includes('interpret');
    checkErrors(
      item,
      diagnosticsOf(() => {
        const module = loadCase(item);
        if (isRun) runInterpreted(module, item);
      }),
    );
    return;
  }
  checkRoundTrip(item);
  const module = loadCase(item);
  for (const test of item.tests) {
    if (test === 'parse' || test === 'verify') continue;
    else if (test === 'run') await checkRun(item, module);
    else if (test === 'interpret') compare(item, test, runInterpreted(module, item));
    else if (test === 'optimize') compare(item, test, checkOptimized(item));
    else if (test === 'lower') compare(item, test, printVir(module));
    else if (test === 'emit=c') compare(item, test, emitC(module, { dialect: 'gcc' }).text);
    else if (test === 'emit=llvm') compare(item, test, emitLlvm(module));
    else throw new Error(`${item.name}: unknown test ${test}`);
  }
}
