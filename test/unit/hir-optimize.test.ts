/** The HIR optimizer where a case cannot say it: what it leaves alone, what lowering says of what it left, and how deep it goes. */

import { describe, expect, test } from 'vitest';
import {
  createModule,
  type DiagnosticError,
  emitC,
  i32,
  lowerModule,
  optimizeHir,
  param,
  parseHir,
  printHir,
  printVir,
  run,
  verifyHir,
} from '../../src/index.js';
import { NONE } from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { Linkage } from '../../src/ir/schema.js';

const DEFERS = `declare @putchar(i32) -> i32
func @main() -> i32 export {
  defer call @putchar (const i32 66)
  call @putchar (const i32 65)
  return 0
}
`;

describe('004/H-2 005/L-37 005/L-38: defers are expanded once', () => {
  test('by the optimizer where it runs, by lowering where it does not, never by both', () => {
    for (const optimize of [0, 1, 2]) {
      const written: Uint8Array[] = [];
      const stdout = (bytes: Uint8Array) => void written.push(bytes.slice());
      expect(run(parseHir(DEFERS), { optimize, stdout }).exitCode).toBe(0);
      expect(Buffer.concat(written).toString()).toBe('AB');
    }
  });

  test('a defer that is left is an internal error with its place', () => {
    const hir = optimizeHir(parseHir(DEFERS, { file: 'd.hir' }));
    const source = parseHir(DEFERS, { file: 'd.hir' });
    source.defersAreExpanded = true;
    expect(() => lowerModule(hir)).not.toThrow();
    let found: DiagnosticError | undefined;
    try {
      lowerModule(source);
    } catch (error) {
      found = error as DiagnosticError;
    }
    expect(found?.diagnostics).toMatchObject([
      { code: 'VCT0506', severity: 'internal', position: { file: 'd.hir', line: 3 } },
    ]);
  });
});

describe('004/H-3: what is given stays', () => {
  test('the module and the traits of its functions', () => {
    const hir = parseHir('func @f(%a: i32) -> i32 export {\n  return add i32 (%a, add i32 (1, 2))\n}\n');
    const before = printHir(hir);
    expect(printHir(optimizeHir(hir))).toContain('NoThrow');
    expect(printHir(hir)).toBe(before);
    expect(optimizeHir(hir).tables.functionTraits(0 as never)).not.toBe(
      hir.tables.functionTraits(0 as never),
    );
  });

  test('optimizing once more changes nothing', () => {
    const once = optimizeHir(parseHir(DEFERS));
    expect(printHir(optimizeHir(once))).toBe(printHir(once));
    expect(optimizeHir(once).nodes.length).toBe(once.nodes.length);
  });

  test("004/H-4 diagnostics still name the author's line", () => {
    const hir = parseHir('func @f(%a: i32) -> i32 export {\n  defer {\n    %a = 1\n  }\n  return %a\n}\n', {
      file: 'x.hir',
    });
    const optimized = optimizeHir(hir);
    const lines = new Set<number | undefined>();
    for (let node = 0; node < optimized.nodes.length; node++)
      lines.add(optimized.positionOf(node as never)?.line);
    expect(lines).toEqual(new Set([1, 2, 3, 5]));
  });

  test('the C text has the constants', () => {
    const module = createModule('constants');
    module.function('f', [param('n', i32)], i32, { linkage: 'export' }, (f, n) => {
      const step = f.variable('step', i32, 4);
      f.return(n.mul(step.add(1)));
    });
    expect(emitC(module.finish()).text).toContain('* 5u');
    expect(emitC(module.finish(), { optimize: 0 }).text).not.toContain('* 5u');
  });
});

describe('004/H-5 000/G-7, G-8: deep and wide', () => {
  /** One function whose body nests `depth` ifs, each with a defer around them all. */
  function nest(depth: number): HirModule {
    const hir = new HirModule(new ModuleTables('nest'));
    const { types, constants, names } = hir.tables;
    const type = types.function([types.i1], types.i32);
    const id = hir.tables.addFunction(names.intern('f'), type, Linkage.export);
    const variable = hir.addVariable(id, names.intern('c'), types.i1);
    const statement = (kind: number, a = NONE) => hir.addNode(kind, types.void, a);
    let body = statement(NodeKind.block);
    for (let level = 0; level < depth; level++) {
      const branch = statement(NodeKind.if);
      hir.setChildren(branch, [hir.addNode(NodeKind.variable, types.i1, variable), body]);
      body = statement(NodeKind.block);
      hir.setChildren(body, [branch]);
    }
    const value = hir.addNode(NodeKind.constant, types.i32, constants.integer(types.i32, 7n));
    const exit = statement(NodeKind.return);
    hir.setChildren(exit, [value]);
    const root = statement(NodeKind.block);
    hir.setChildren(root, [body, exit]);
    hir.defineFunction(id, root, variable, 1, 1);
    return hir;
  }

  test('300,000 ifs in one another', () => {
    const hir = nest(300_000);
    const optimized = optimizeHir(hir);
    expect(optimized.nodes.length).toBe(hir.nodes.length);
    expect(verifyHir(optimized)).toEqual([]);
  });

  test('a sum 200,000 deep becomes a number', () => {
    const hir = new HirModule(new ModuleTables('sum'));
    const { types, constants, names } = hir.tables;
    const id = hir.tables.addFunction(names.intern('f'), types.function([], types.i32), Linkage.export);
    const one = constants.integer(types.i32, 1n);
    let sum = hir.addNode(NodeKind.constant, types.i32, one);
    for (let level = 0; level < 200_000; level++) {
      const operation = hir.addNode(NodeKind.operation, types.i32, Opcode.add);
      hir.setChildren(operation, [sum, hir.addNode(NodeKind.constant, types.i32, one)]);
      sum = operation;
    }
    const exit = hir.addNode(NodeKind.return, types.void);
    hir.setChildren(exit, [sum]);
    const root = hir.addNode(NodeKind.block, types.void);
    hir.setChildren(root, [exit]);
    hir.defineFunction(id, root, 0, 0, 0);
    expect(printVir(lowerModule(optimizeHir(hir)))).toContain('ret i32 200001');
  });
});
