/** Both cores lower trees that no front end would write to the same bytes (005/L-5), and deep ones on no call stack. */

import { expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import { coreInfo } from '../../src/core/native.js';
import { type FunctionId, NONE, type Node } from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { Linkage } from '../../src/ir/schema.js';
import { Random, runSeed } from '../harness/random.js';
import { randomHir } from '../harness/random-hir.js';
import { expectSameTables } from '../harness/same-tables.js';

const seed = runSeed();

function expectSame(hir: HirModule): void {
  expectSameTables(lowerModule(hir, 'native'), lowerModule(hir, 'ts'));
}

/** A module with one void function, whose only variable is an i32. */
function moduleOf(build: (hir: HirModule) => Node): HirModule {
  const tables = new ModuleTables('shape');
  const hir = new HirModule(tables);
  const type = tables.types.function([], tables.types.void);
  const id = tables.addFunction(tables.names.intern('f'), type, Linkage.export) as FunctionId;
  hir.addVariable(id, tables.names.intern('x'), tables.types.i32);
  hir.defineFunction(id, build(hir), 0, 1, 0);
  return hir;
}

function node(hir: HirModule, kind: number, children: readonly Node[], a = NONE): Node {
  const made = hir.addNode(kind, kind >= NodeKind.block ? hir.tables.types.void : hir.tables.types.i32, a);
  hir.setChildren(made, children);
  return made;
}

test('the native core runs here', () => {
  expect(coreInfo('native').active).toBe('native');
});

test(`005/L-5 200 random modules with jumps, defers and dead code give the same bytes (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let index = 0; index < 200; index++) expectSame(randomHir(random));
});

test('005/L-5, 000/G-7, G-8 a sum 1,000,000 deep gives the same bytes', () => {
  const hir = moduleOf((module) => {
    let sum = node(module, NodeKind.variable, [], 0);
    for (let level = 0; level < 1_000_000; level++) {
      sum = node(module, NodeKind.operation, [sum, node(module, NodeKind.variable, [], 0)], Opcode.add);
    }
    return node(module, NodeKind.block, [node(module, NodeKind.assign, [sum], 0)]);
  });
  expectSame(hir);
}, 240_000);

test('005/L-5, 000/G-8 20,000 loops in loops give the same bytes', () => {
  const hir = moduleOf((module) => {
    let body = node(module, NodeKind.block, []);
    for (let level = 0; level < 20_000; level++) {
      const write = node(module, NodeKind.assign, [node(module, NodeKind.constant, [], 0)], 0);
      const loop = node(module, NodeKind.while, [node(module, NodeKind.variable, [], 0), body]);
      body = node(module, NodeKind.block, [write, loop]);
    }
    return body;
  });
  expectSame(hir);
});

test('005/L-17 a declaration without value makes the variable undefined, not the value of that number', () => {
  const hir = moduleOf((module) =>
    node(module, NodeKind.block, [
      node(module, NodeKind.declare, [], 0),
      node(module, NodeKind.assign, [node(module, NodeKind.variable, [], 0)], 0),
    ]),
  );
  const undef = hir.tables.constants.undef(hir.tables.types.i32);
  for (const choice of ['native', 'ts'] as const) {
    const { loweringMap } = lowerModule(hir, choice);
    const read = [...Array(hir.nodes.length).keys()].find(
      (row) => hir.kind(row as Node) === NodeKind.variable,
    );
    expect(loweringMap?.value(read as Node)).toBe(-2 - undef);
  }
});
