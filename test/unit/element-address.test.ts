/** Addresses of parts of globals as constants: the builder, tables that no text can say, and both text forms. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  array,
  createModule,
  DiagnosticError,
  i8,
  i32,
  lowerModule,
  parseHir,
  parseVir,
  printHir,
  printVir,
  ptr,
  run,
  struct,
  verifyHir,
  verifyVir,
} from '../../src/index.js';
import { CONSTANT, ConstantKind } from '../../src/ir/schema.js';

const LINES = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
const Node = struct('Node', { value: i32, next: ptr(i8) });

function mistake(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    const [first] = (error as DiagnosticError).diagnostics;
    expect(error).toBeInstanceOf(DiagnosticError);
    expect(LINES[(first?.position?.line ?? 0) - 1], first?.message).toContain('// here');
    return `${first?.code} ${first?.message}`;
  }
  throw new Error('nothing was thrown');
}

describe('006/WF-12 the address of a place in a global', () => {
  test('is a constant that another global may begin with', async () => {
    const m = createModule('places', { positions: 'none' });
    const nodes = m.global('nodes', array(Node, 3), [{ value: 1 }, { value: 2 }, { value: 3 }]);
    const second = m.global('second', ptr(i32), nodes.at(1).field('value').constantAddress());
    const last = m.global('last', ptr(Node), nodes.at(3).constantAddress());
    const whole = m.global('whole', ptr(array(Node, 3)), nodes.constantAddress());
    // A place behind a constant address goes on from there.
    const third = nodes.at(2).constantAddress().deref().field('value').constantAddress();
    m.function(
      'main',
      [],
      i32,
      (f) => {
        const a = second.deref().load();
        const b = last.load().at(-1).field('value').load();
        const c = whole.deref().at(0).field('value').load();
        const sum = f.let('sum', a.mul(100).add(b.mul(10)).add(c));
        f.return(sum.add(third.deref().load()).sub(200));
      },
      { linkage: 'export' },
    );
    const hir = m.finish();
    const text = printHir(hir);
    expect(text).toContain('global @second: ptr<i32> = @nodes[1, 0]');
    expect(text).toContain('global @last: ptr<%Node> = @nodes[3]');
    expect(text).toContain('global @whole: ptr<[3 x %Node]> = @nodes\n');
    expect(text).toContain('load i32 (@nodes[2, 0])');
    expect(printHir(parseHir(text))).toBe(text);
    expect(verifyHir(hir)).toEqual([]);
    expect((await run(hir)).exitCode).toBe(34);
  });

  test('is refused where it leads nowhere, or is not known before the program runs', () => {
    const m = createModule('places');
    const table = m.global('table', array(i32, 3));
    expect(mistake(() => table.at(4).constantAddress())).toBe('VCT0132 @table has no part [4]'); // here
    const pointer = m.global('pointer', ptr(i32), table.at(0).constantAddress());
    m.function('f', [], i32, (f) => {
      const i = f.variable('i', i32, 1);
      const message = 'VCT0345 the address of this place is not known before the program runs';
      expect(mistake(() => table.at(i).constantAddress())).toBe(message); // here
      expect(mistake(() => pointer.at(1).constantAddress())).toBe(message); // here
      expect(mistake(() => table.at(-1).constantAddress())).toBe(message); // here
      f.return(0);
    });
  });
});

describe('006/WF-12 paths in tables', () => {
  const TEXT = 'module "m"\n\nglobal @g: [3 x i32] = zero\nglobal @p: ptr<i32> = @g[1]\n';
  const faultsOf = (forge: (pool: Int32Array, row: number, rows: Int32Array) => void) => {
    const vir = parseVir(TEXT);
    const { constants } = vir.tables;
    const row = Array.from({ length: constants.length }, (_, id) => id).find(
      (id) => constants.kind(id as never) === ConstantKind.elementAddress,
    ) as number;
    forge(constants.pool.data, row, constants.rows.data);
    return verifyVir(vir).map(({ code, message }) => `${code} ${message}`);
  };

  test('are read and written', () => {
    expect(printVir(parseVir(TEXT))).toBe(TEXT);
    expect(faultsOf(() => {})).toEqual([]);
  });

  test('must stand in the pool and lead somewhere', () => {
    const column = (row: number, offset: number) => row * CONSTANT.stride + offset;
    for (const [forge, detail] of [
      [(pool, row, rows) => (pool[(rows[column(row, CONSTANT.b)] as number) + 1] = 4), 'path [4]'],
      [(pool, row, rows) => (pool[(rows[column(row, CONSTANT.b)] as number) + 1] = -1), 'path [-1]'],
      [(pool, row, rows) => (pool[rows[column(row, CONSTANT.b)] as number] = 0), 'path '],
      [(pool, row, rows) => (pool[rows[column(row, CONSTANT.b)] as number] = 99), 'outside the pool'],
      [(pool, row, rows) => (pool[rows[column(row, CONSTANT.b)] as number] = -5), 'outside the pool'],
      [(_, row, rows) => (rows[column(row, CONSTANT.b)] = 1_000_000), 'outside the pool'],
      [(_, row, rows) => (rows[column(row, CONSTANT.a)] = 7), 'global 7'],
      [(_, row, rows) => (rows[column(row, CONSTANT.type)] = 2), 'global 0'],
    ] as [Parameters<typeof faultsOf>[0], string][]) {
      const faults = faultsOf(forge);
      expect(faults.length, detail).toBeGreaterThan(0);
      expect(faults[0]).toContain(detail);
    }
  });
});

test('005/L-13 lowering copies them', () => {
  const hir = parseHir('global @g: [3 x i32] = zero\nfunc @f() -> i32 {\n  return load i32 (@g[2])\n}\n');
  expect(printVir(lowerModule(hir, 'ts'))).toContain('load i32 @g[2]');
});
