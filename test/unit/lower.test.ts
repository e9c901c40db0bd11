/** Lowering of hand-built trees: the shapes of 005 §4.2 and the phis of §4.4. */

import { expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import {
  type Block,
  type FunctionId,
  type Inst,
  NONE,
  type Node,
  type TypeId,
} from '../../src/ir/entities.js';
import { HirModule } from '../../src/ir/hir-module.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { Opcode, opcodeRow } from '../../src/ir/opcodes.js';
import { Linkage } from '../../src/ir/schema.js';
import type { VirFunction } from '../../src/ir/vir-module.js';

/** A tree in brackets: the kind, its payload, its children. */
type Tree = readonly [kind: keyof typeof NodeKind, a: number, ...children: Tree[]];

/** A module with one function of `parameterCount` i32 parameters and as many i32 variables as named. */
function moduleOf(variables: string[], parameterCount: number, body: Tree, isVoid = false): HirModule {
  const tables = new ModuleTables('test');
  const hir = new HirModule(tables);
  const { types, names } = tables;
  const type = types.function(new Array(parameterCount).fill(types.i32), isVoid ? types.void : types.i32);
  const id = tables.addFunction(names.intern('f'), type, Linkage.export);
  for (const name of variables) hir.addVariable(id, names.intern(name), types.i32);
  const root = build(hir, body);
  hir.defineFunction(id, root, 0, variables.length, parameterCount);
  return hir;
}

function build(hir: HirModule, [kind, a, ...children]: Tree): Node {
  const { types, constants } = hir.tables;
  const isConstant = kind === 'constant';
  const isBoolean = kind === 'operation' && a === Opcode.icmp;
  const type: TypeId = isBoolean ? types.i1 : types.i32;
  const value = isConstant ? constants.integer(types.i32, BigInt(a)) : a;
  const node = hir.addNode(NodeKind[kind], type, value);
  hir.setChildren(
    node,
    children.map((child) => build(hir, child)),
  );
  return node;
}

/** The function as text, one word an operand: enough to see blocks, phis and edges. */
function show(vir: VirFunction): string {
  const lines: string[] = [];
  for (let block = 0; block < vir.blockCount; block++) {
    lines.push(`b${block} ${vir.tables.names.text(vir.blockName(block as Block))}:`);
    for (let inst = vir.blockStart(block as Block); inst < vir.blockEnd(block as Block); inst++) {
      const operands: string[] = [];
      for (let index = 0; index < vir.operandCount(inst as Inst); index++) {
        const raw = vir.rawOperand(inst as Inst, index);
        operands.push(raw < NONE ? `#${vir.tables.constants.integerBits((-2 - raw) as never)}` : String(raw));
      }
      lines.push(`  ${inst} ${opcodeRow(vir.opcode(inst as Inst)).name} ${operands.join(' ')}`);
    }
  }
  return lines.join('\n');
}

function lowerAndShow(hir: HirModule): string {
  return show(lowerModule(hir, 'ts').function(0 as FunctionId));
}

const v = (variable: number): Tree => ['variable', variable];
const c = (value: number): Tree => ['constant', value];
const less = (left: Tree, right: Tree): Tree => ['operation', Opcode.icmp, left, right];
const add = (left: Tree, right: Tree): Tree => ['operation', Opcode.add, left, right];

test('005/L-18 a join gets a phi only for a variable that differs', () => {
  const body: Tree = [
    'block',
    NONE,
    ['declare', 1, c(1)],
    ['declare', 2, c(5)],
    ['if', NONE, less(v(0), c(9)), ['block', NONE, ['assign', 1, c(2)]], ['block', NONE]],
    ['return', NONE, add(v(1), v(2))],
  ];
  expect(lowerAndShow(moduleOf(['n', 'x', 'y'], 1, body))).toBe(
    [
      'b0 entry:',
      '  1 icmp 0 #9',
      '  2 condbr 1 1 2',
      'b1 then:',
      '  3 br 3',
      'b2 else:',
      '  4 br 3',
      'b3 join:',
      '  5 phi #2 1 #1 2',
      '  6 add 5 #5',
      '  7 ret 6',
    ].join('\n'),
  );
});

test('005/L-21 a loop header gets phis for what the loop changes, and none for what it does not', () => {
  const body: Tree = [
    'block',
    NONE,
    ['declare', 1, c(0)],
    ['while', NONE, less(v(1), v(0)), ['block', NONE, ['assign', 1, add(v(1), c(1))]]],
    ['return', NONE, add(v(1), v(0))],
  ];
  expect(lowerAndShow(moduleOf(['n', 'i'], 1, body))).toBe(
    [
      'b0 entry:',
      '  1 br 1',
      'b1 loop.header:',
      '  2 phi #0 0 5 3',
      '  3 icmp 2 0',
      '  4 condbr 3 2 4',
      'b2 loop.body:',
      '  5 add 2 #1',
      '  6 br 3',
      'b3 loop.latch:',
      '  7 br 1',
      'b4 loop.exit:',
      '  8 add 2 0',
      '  9 ret 8',
    ].join('\n'),
  );
});

test('005/L-37 defers run in reverse at each exit', () => {
  const body: Tree = [
    'block',
    NONE,
    ['declare', 1, c(0)],
    ['defer', NONE, ['assign', 1, c(1)]],
    ['defer', NONE, ['assign', 1, add(v(1), c(2))]],
    ['if', NONE, less(v(0), c(3)), ['block', NONE, ['return', NONE, v(1)]]],
    ['assign', 1, c(7)],
  ];
  const text = lowerAndShow(moduleOf(['n', 'x'], 1, body));
  expect(text.match(/add/g)?.length).toBe(2);
  expect(text).toContain('ret #0');
  expect(text.endsWith('unreachable ')).toBe(true);
});

test('005/L-18 a phi that a nested loop makes trivial is gone', () => {
  const loop = (body: Tree): Tree => ['while', NONE, less(v(0), c(3)), body];
  const body: Tree = [
    'block',
    NONE,
    ['declare', 1, c(4)],
    loop(['block', NONE, loop(['block', NONE, ['assign', 0, add(v(0), v(1))]])]),
    ['return', NONE, v(1)],
  ];
  const text = lowerAndShow(moduleOf(['n', 'x'], 1, body));
  expect(text.match(/phi/g)?.length).toBe(2);
  expect(text).toContain('ret #4');
});

test('000/G-7 nested ifs and additions of any depth need no call stack', () => {
  const tables = new ModuleTables('deep');
  const hir = new HirModule(tables);
  const { types, names, constants } = tables;
  const id = tables.addFunction(names.intern('f'), types.function([types.i32], types.i32), Linkage.export);
  hir.addVariable(id, names.intern('n'), types.i32);
  const one = constants.integer(types.i32, 1n);
  let inner = hir.addNode(NodeKind.block, types.void);
  for (let depth = 0; depth < 100_000; depth++) {
    const condition = hir.addNode(NodeKind.operation, types.i1, Opcode.icmp, 2);
    hir.setChildren(condition, [
      hir.addNode(NodeKind.variable, types.i32, 0),
      hir.addNode(NodeKind.constant, types.i32, one),
    ]);
    const node = hir.addNode(NodeKind.if, types.void);
    hir.setChildren(node, [condition, inner]);
    inner = hir.addNode(NodeKind.block, types.void);
    hir.setChildren(inner, [node]);
  }
  let sum = hir.addNode(NodeKind.variable, types.i32, 0);
  for (let depth = 0; depth < 100_000; depth++) {
    const node = hir.addNode(NodeKind.operation, types.i32, Opcode.add);
    hir.setChildren(node, [hir.addNode(NodeKind.constant, types.i32, one), sum]);
    sum = node;
  }
  const result = hir.addNode(NodeKind.return, types.void);
  hir.setChildren(result, [sum]);
  const body = hir.addNode(NodeKind.block, types.void);
  hir.setChildren(body, [inner, result]);
  hir.defineFunction(id, body, 0, 1, 1);
  const vir = lowerModule(hir, 'ts');
  expect(vir.function(id).blockCount).toBe(200_001);
});
