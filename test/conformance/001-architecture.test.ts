/** What 001 fixes about the shape of the source, read off the source itself. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type CoreEntry, callCore, guarded } from '../../src/core/border.js';
import { LowerOutput } from '../../src/core/lower.js';
import { lower } from '../../src/core/lower-threads.js';
import { LowerInput } from '../../src/core/validate-hir.js';
import { lowerModule, parseHir } from '../../src/index.js';

const ROOT = join(import.meta.dirname, '../..');
const text = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');

test('001/A-2 the public face re-exports, and does nothing else', () => {
  const code = text('src', 'index.ts').replace(/\/\*[\s\S]*?\*\//g, '');
  const rest = code.replace(/export (?:type )?(?:\{[^}]*\}|\*) from '[^']+';/g, '').trim();
  expect(rest).toBe('');
});

test('001/A-5 HIR and VIR share one set of module tables, to which lowering adds nothing', () => {
  const hir = parseHir('func @f(%c: i1) -> i32 export {\n  return cond i32 (%c, 1, 2)\n}\n');
  const { tables } = hir;
  const lengths = () => [
    tables.names.length,
    tables.types.rows.length,
    tables.constants.rows.length,
    tables.globals.length,
    tables.functions.length,
    tables.positions.length,
    tables.traitSets.length,
  ];
  const before = lengths();
  expect(lowerModule(hir, 'ts').tables).toBe(tables);
  expect(lengths()).toEqual(before);
});

test('001/A-11 nothing in native/core knows Node', () => {
  const files = readdirSync(join(ROOT, 'native', 'core'));
  expect(files.length).toBeGreaterThan(10);
  for (const name of files)
    expect(text('native', 'core', name), name).not.toMatch(/napi|node_api|v8::|uv\.h/i);
});

test('001/A-17 an entry crosses the border once for a whole module, and twice where it had too little room', () => {
  const functions = Array.from({ length: 50 }, (_, n) => `func @f${n}() -> i32 export {\n  return ${n}\n}\n`);
  const hir = parseHir(functions.join(''));
  const { tables } = hir;
  const inputs = [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
  const entry = guarded(lower, LowerInput.count, LowerOutput.count);
  let calls = 0;
  const counted: CoreEntry = (...given) => {
    calls++;
    entry(...given);
  };
  callCore(counted, [], inputs, [100_000, 100_000, 100_000, 100_000, 100_000]);
  expect(calls).toBe(1);
  callCore(counted, [], inputs, [0, 0, 0, 0, 0]);
  expect(calls).toBe(3);
});

test('001/A-23 both builds find the sources by one pattern, as C++20 and with warnings as errors', () => {
  for (const file of ['binding.gyp', 'CMakeLists.txt']) {
    const build = text(file);
    expect(build, file).toContain('native/addon.cc');
    expect(build, file).toMatch(/native\/core(?:\/\*\.cc|'\)\.filter)/);
    expect(build, file).toMatch(/c\+\+20|CXX_STANDARD 20/);
    for (const flag of ['-Wall', '-Wextra', '-Werror']) expect(build, file).toContain(flag);
    // No source of the core is named by itself, or the two lists could drift.
    expect(build, file).not.toMatch(/native\/core\/\w/);
  }
});
