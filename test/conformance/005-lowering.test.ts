/**
 * Lowering, requirement by requirement (005): small programs whose VIR is known to the letter. Each test was seen to fail with the
 * requirement broken; README.md of this folder has the mutations. `005-invariants.test.ts` holds what is true of every program.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { emitC, emitLlvm, lowerModule, parseHir, printVir } from '../../src/index.js';
import { type FunctionId, type Inst, NONE, type Node } from '../../src/ir/entities.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { opcodeRow } from '../../src/ir/opcodes.js';
import { HIR_NODE } from '../../src/ir/schema.js';
import { bodyLines, hirOf, laidOut, lowered, virOf } from '../harness/lowered.js';
import { comparedCore } from '../harness/native-core.js';
import { expectSameTables } from '../harness/same-tables.js';

const SOURCE = join(import.meta.dirname, '../../src/core');

/** A program with every construct that makes blocks or phis. */
const MIXED = `  var %s: i32 = 0
  var %slot: i32 #[isAddressed] = 7
  for { var %i: i32 = 0 } while (icmp slt i32 (%i, %n)) step { %i = add i32 (%i, 1) } do {
    defer call @g (%s)
    if (andalso (%c, icmp eq i32 (%i, 3))) { continue } else { %s = add i32 (%s, %i) }
    switch (%i) {
    case 1, 2 fallthrough { %s = mul i32 (%s, 3) }
    case 4 { break }
    default { %slot = %s }
    }
    while (%c) { if (icmp sgt i32 (%s, 9)) { return %s }
    %s = add i32 (%s, cond i32 (%c, %slot, 1)) }
  }
  return %s`;

/** The lines that begin as given. */
const beginning = (lines: readonly string[], word: RegExp) => lines.filter((line) => word.test(line));

describe('005 §2: the contract', () => {
  test('005/L-3 nothing is folded, shared, removed or found out', () => {
    const lines = lowered(`  add i32 (%n, %n)
  var %x: i32 = add i32 (2, 3)
  var %y: i32 = add i32 (2, 3)
  if (const i1 false) { %x = sub i32 (%n, %n) }
  return add i32 (%x, %y)`);
    expect(lines).toEqual([
      'entry:',
      '%0 = add i32 %n, %n',
      '%x = add i32 2, 3',
      '%y = add i32 2, 3',
      'condbr false, %then, %join',
      'then:',
      '%x.1 = sub i32 %n, %n',
      'br %join',
      'join:',
      '%x.2 = phi i32 [ %x, %entry ], [ %x.1, %then ]',
      '%1 = add i32 %x.2, %y',
      'ret i32 %1',
    ]);
  });

  test('005/L-4 an address of a variable without isAddressed is an internal error, and nothing is put in its place', () => {
    const text = 'func @f() -> i32 export {\n  var %x: i32 = 1\n  return load i32 (&%x)\n}\n';
    expect(() => lowerModule(parseHir(text), 'ts')).toThrow(
      expect.objectContaining({
        code: 'VCT0513',
        diagnostics: [expect.objectContaining({ severity: 'internal' })],
      }),
    );
    expect(() =>
      lowerModule(parseHir(text.replace('i32 = 1', 'i32 #[isAddressed] = 1')), 'ts'),
    ).not.toThrow();
  });

  test('005/L-5, L-6, 001/A-8 a function is lowered to the same text alone, among others, and by both cores', () => {
    const other = (name: string) => `func @${name}(%n: i32, %c: i1) -> i32 export {\n${laidOut(MIXED)}\n}\n`;
    const head = 'module "m"\ndeclare @g(i32) -> i32\n';
    const bodyOf = (text: string) => bodyLines(printVir(lowerModule(parseHir(head + text), 'ts')), 'f');
    const alone = bodyOf(other('f'));
    expect(bodyOf(other('x') + other('f') + other('y'))).toEqual(alone);
    const hir = parseHir(head + other('x') + other('f'));
    expectSameTables(lowerModule(hir, comparedCore), lowerModule(hir, 'ts'));
  });

  test('005/L-7 blocks are in the order in which the walk starts them', () => {
    const names = beginning(lowered(MIXED), /:$/).map((line) => line.slice(0, -1));
    expect(names).toEqual([
      ...['entry', 'for.init', 'for.header', 'for.body', 'rhs', 'then', 'else', 'join'],
      ...['case', 'case.1', 'default', 'switch.exit'],
      ...[
        'loop.header',
        'loop.body',
        'then.1',
        'join.1',
        'then.2',
        'else.1',
        'join.2',
        'loop.latch',
        'loop.exit',
      ],
      ...['for.step', 'for.exit'],
    ]);
  });
});

test('005/L-7 phis of a block are in the order of the variables, whatever is read first', () => {
  const lines = lowered(`  var %x: i32 = 1
  var %y: i32 = 2
  if (%c) { %y = 3\n %x = 4 }
  return sub i32 (%y, %x)`);
  expect(beginning(lines, /phi/)).toEqual([
    '%x = phi i32 [ 1, %entry ], [ 4, %then ]',
    '%y = phi i32 [ 2, %entry ], [ 3, %then ]',
  ]);
});

describe('005 §3: control flow', () => {
  test('005/L-9 code after a jump goes into a block of its own, and a jump after a jump makes nothing', () => {
    expect(lowered('  return 1\n  return add i32 (%n, 2)')).toEqual([
      'entry:',
      'ret i32 1',
      'dead:',
      '%0 = add i32 undef, 2',
      'ret i32 %0',
    ]);
    const lines = lowered('  while (%c) {\n break\n break\n continue\n }\n  return 1');
    expect(beginning(lines, /^br /)).toEqual(['br %loop.header', 'br %loop.exit']);
    expect(lines).not.toContain('dead:');
  });

  test('005/L-10 a loop that begins the function does not make the entry a predecessor of itself', () => {
    expect(lowered('  do { call @g (1) } while (%c)\n  return 1')).toEqual([
      'entry:',
      'br %loop.body',
      'loop.body:',
      '%0 = call i32 @g(i32 1)',
      'br %loop.latch',
      'loop.latch:',
      'condbr %c, %loop.body, %loop.exit',
      'loop.exit:',
      'ret i32 1',
    ]);
  });
});

describe('005 §4: expressions', () => {
  test('005/L-11 every expression with a value becomes exactly one', () => {
    const hir = hirOf(
      '  return add i32 (cond i32 (orelse (%c, const i1 true), mul i32 (%n, 3), %n), call @a ())',
    );
    const vir = lowerModule(hir, 'ts');
    const map = vir.loweringMap;
    const code = vir.function(hir.tables.findFunction(hir.tables.names.intern('f')) as FunctionId);
    const kinds = [NodeKind.operation, NodeKind.conditional] as number[];
    let count = 0;
    for (let node = 0; node < hir.nodes.length; node++) {
      if (!kinds.includes(hir.nodes.get(node, HIR_NODE.kind))) continue;
      const results = map
        ?.entities(node as Node)
        .filter(
          ({ kind, index }) =>
            kind === 'instruction' && opcodeRow(code.opcode(index as Inst)).result !== 'none',
        );
      expect(results?.map(({ index }) => index)).toEqual([map?.value(node as Node)]);
      count++;
    }
    expect(count).toBe(4);
  });

  test('005/L-12 operands are evaluated from left to right, each before what uses it', () => {
    expect(lowered('  return call @h (sub i32 (call @a (), call @b ()), call @g (%n))')).toEqual([
      'entry:',
      '%0 = call i32 @a()',
      '%1 = call i32 @b()',
      '%2 = sub i32 %0, %1',
      '%3 = call i32 @g(i32 %n)',
      '%4 = call i32 @h(i32 %2, i32 %3)',
      'ret i32 %4',
    ]);
  });

  test('005/L-13 a constant is an operand and no instruction', () => {
    const hir = hirOf('  var %x: i32 = 5\n  return %x');
    const vir = lowerModule(hir, 'ts');
    expect(lowered('  var %x: i32 = 5\n  return %x')).toEqual(['entry:', 'ret i32 5']);
    for (let node = 0; node < hir.nodes.length; node++) {
      if (hir.nodes.get(node, HIR_NODE.kind) !== NodeKind.constant) continue;
      expect(vir.loweringMap?.entities(node as Node)).toEqual([]);
      expect(vir.loweringMap?.value(node as Node)).toBe(-2 - hir.nodes.get(node, HIR_NODE.a));
    }
  });

  test('005/L-14 a call carries the requests of its node, whatever they are, and stays a call', () => {
    const call = (traits: string) => lowered(`  return call @g (%n)${traits}`)[1];
    expect(call(' #[AlwaysInline!]')).toBe('%0 = call i32 @g(i32 %n) #[AlwaysInline!]');
    expect(call(' #[NoInline, TailCall]')).toBe('%0 = call i32 @g(i32 %n) #[NoInline, TailCall]');
    expect(call('')).toBe('%0 = call i32 @g(i32 %n)');
  });

  test('005/L-15 a variable in a register is read by name, one in memory by a load at each read', () => {
    expect(lowered('  var %x: i32 = call @a ()\n  return add i32 (%x, %x)')).toEqual([
      'entry:',
      '%x = call i32 @a()',
      '%0 = add i32 %x, %x',
      'ret i32 %0',
    ]);
    expect(lowered('  var %x: i32 #[escapes] = call @a ()\n  return add i32 (%x, %x)')).toEqual([
      'entry:',
      '%x = alloca i32 #[escapes]',
      '%0 = call i32 @a()',
      'store i32 %0, %x',
      '%1 = load i32 %x',
      '%2 = load i32 %x',
      '%3 = add i32 %1, %2',
      'ret i32 %3',
    ]);
  });
});

describe('005 §5: SSA construction', () => {
  test('005/L-16 knows no dominance frontiers: it neither computes dominators nor walks the function again', () => {
    for (const file of [
      'lower.ts',
      'lower-statements.ts',
      'lower-expressions.ts',
      'lower-state.ts',
      'ssa.ts',
    ]) {
      const text = readFileSync(join(SOURCE, file), 'utf8');
      expect(text, file).not.toMatch(/from '\.\/(dominators|graph|loops|liveness)\.js'/);
    }
  });

  test('005/L-17 a read takes the last write of its own block, without a phi', () => {
    const lines = lowered(`  var %x: i32 = 1
  if (%c) { %x = 2 }
  %x = call @a ()
  %x = call @b ()
  return %x`);
    expect(beginning(lines, /phi/)).toEqual([]);
    expect(lines.slice(-3)).toEqual(['%x = call i32 @a()', '%x.1 = call i32 @b()', 'ret i32 %x.1']);
  });

  test('005/L-18 a read goes up through single predecessors, and a join gets a phi for what differs and is read', () => {
    const lines = lowered(
      `  var %x: i32 = 1
  var %y: i32 = 2
  var %z: i32 = 3
  if (%c) { %x = 4\n %z = 5 } else { if (%c) { %y = %y } }
  return add i32 (%x, %y)`,
    );
    expect(beginning(lines, /phi/)).toEqual(['%x = phi i32 [ 4, %then ], [ 1, %join ]']);
    expect(lines.at(-2)).toBe('%0 = add i32 %x, 2');
  });

  test('005/L-19 a phi that has one value besides itself is gone, and so are those that this makes trivial', () => {
    const lines = lowered(`  var %x: i32 = call @a ()
  while (%c) {
    %x = %x
    while (%c) { %x = %x }
  }
  return %x`);
    expect(beginning(lines, /phi/)).toEqual([]);
    expect(lines.at(-1)).toBe('ret i32 %x');
  });

  test('005/L-20, L-28, L-29 a sealed block has one operand for each distinct predecessor', () => {
    const lines = lowered(`  var %x: i32 = 0
  switch (%n) {
  case 1, 2, 3 { %x = 1 }
  case 4 fallthrough { %x = 2 }
  case 5, 6 { call @g (%x) }
  }
  return %x`);
    expect(beginning(lines, /phi/)).toEqual([
      '%x = phi i32 [ 0, %entry ], [ 2, %case.1 ]',
      '%x.1 = phi i32 [ 0, %entry ], [ 1, %case ], [ %x, %case.2 ]',
    ]);
  });

  test('005/L-20 sealing a block completes every phi that waits in it', () => {
    const lines = lowered(`  var %x: i32 = 0
  var %y: i32 = 5
  while (icmp slt i32 (%x, %n)) {
    %y = mul i32 (%y, %x)
    %x = add i32 (%x, 1)
  }
  return %y`);
    expect(beginning(lines, /phi/)).toEqual([
      '%x = phi i32 [ 0, %entry ], [ %x.1, %loop.latch ]',
      '%y = phi i32 [ 5, %entry ], [ %y.1, %loop.latch ]',
    ]);
  });

  test('005/L-21 a loop header waits for its back edge: reads before the write get what the latch brings', () => {
    const lines = lowered(`  var %x: i32 = 0
  while (icmp slt i32 (%x, %n)) {
    if (%c) { %x = add i32 (%x, 2)
    continue }
    %x = add i32 (%x, 1)
  }
  return %x`);
    expect(beginning(lines, /phi/)).toEqual([
      '%x = phi i32 [ 0, %entry ], [ %x.3, %loop.latch ]',
      '%x.3 = phi i32 [ %x.1, %then ], [ %x.2, %join ]',
    ]);
  });

  test('005/L-22 the operands of a phi are in ascending order of the predecessor, however the edges were made', () => {
    const lines = lowered('  return cond i32 (orelse (%c, icmp eq i32 (%n, 1)), 1, 2)');
    expect(beginning(lines, /phi/)).toEqual(
      ['%0 = phi i32 [ 1, %then ], [ 2, %else ]'].map((line) => line.replace('%0', '%1')),
    );
    const loop = lowered(`  var %x: i32 = 0
  do {
    if (%c) { break }
    %x = add i32 (%x, 1)
  } while (icmp slt i32 (%x, %n))
  return %x`);
    expect(beginning(loop, /phi/).at(-1)).toBe('%x.2 = phi i32 [ %x, %then ], [ %x.1, %loop.latch ]');
  });
});

describe('005 §7: memory', () => {
  const slots = (traits: string, type = 'i32') =>
    beginning(lowered(`  var %x: ${type}${traits}\n  return %n`), /alloca/).length;

  test('005/L-23 a scalar without one of the five traits is an SSA value', () => {
    for (const traits of ['', ' #[comptime]', ' #[Align(8)]', ' #[mayChangeAtRuntime]'])
      expect(slots(traits), traits).toBe(0);
    expect(slots('', 'f64') + slots('', 'ptr<i8>') + slots('', 'i1')).toBe(0);
  });

  test('005/L-24 a variable that is addressed, escapes, is runtime-mutable, volatile, atomic or an aggregate has a slot', () => {
    for (const trait of ['isAddressed', 'escapes', 'isRuntimeMutable', 'isVolatile', 'isAtomic(seq_cst)']) {
      expect(slots(` #[${trait}]`), trait).toBe(1);
    }
    for (const type of ['%Pair', '[2 x i32]', 'union { a: i32, b: f32 }'])
      expect(slots('', type), type).toBe(1);
  });

  test('005/L-24 slots stand at the head of the entry block, in the order of the variables', () => {
    const lines = lowered(`  var %x: i32 #[escapes] = 1
  if (%c) { var %y: i32 #[escapes] = 2 }
  return %x`);
    expect(lines.slice(0, 4)).toEqual([
      'entry:',
      '%x = alloca i32 #[escapes]',
      '%y = alloca i32 #[escapes]',
      'store i32 1, %x',
    ]);
  });

  test('005/L-25 every access of a volatile or atomic variable is one in the program', () => {
    expect(lowered('  var %x: i32 #[isVolatile] = 1\n  %x = 2\n  %x = 3\n  return add i32 (%x, %x)')).toEqual(
      [
        'entry:',
        '%x = alloca i32 #[isVolatile]',
        'store volatile i32 1, %x',
        'store volatile i32 2, %x',
        'store volatile i32 3, %x',
        '%0 = load volatile i32 %x',
        '%1 = load volatile i32 %x',
        '%2 = add i32 %0, %1',
        'ret i32 %2',
      ],
    );
    expect(lowered('  var %x: i32 #[isAtomic(seq_cst)] = 1\n  return %x').slice(2, 4)).toEqual([
      'store atomic i32 1, %x seq_cst',
      '%0 = load atomic i32 %x seq_cst',
    ]);
  });

  test('005/L-27 isRuntimeMutable decides, and mayChangeAtRuntime does not', () => {
    expect(slots(' #[isRuntimeMutable]')).toBe(1);
    expect(slots(' #[mayChangeAtRuntime]')).toBe(0);
  });
});

describe('005 §9: the LoweringMap', () => {
  test('005/L-31, 002/T-3 an instruction has the traits of its node, a variable gives its own to slots, phis and parameters', () => {
    const lines = lowered(`  var %x: i32 #[comptime] = 0
  var %y: i32 #[escapes, Align(16)]
  while (%c) #[Unroll(4)] {
    if (%c) #[LikelyCall] { %x = add i32 (%x, 1) #[NoUndef] }
  }
  return %x`);
    expect(lines).toContain('%y = alloca i32 #[escapes, Align(16)]');
    expect(beginning(lines, /phi/).every((line) => line.endsWith('#[comptime]'))).toBe(true);
    expect(beginning(lines, /phi/)).toHaveLength(2);
    expect(beginning(lines, /add/)).toEqual(['%x.1 = add i32 %x, 1 #[NoUndef]']);
    expect(beginning(lines, /condbr/)).toEqual([
      'condbr %c, %loop.body, %loop.exit #[Unroll(4)]',
      'condbr %c, %then, %join #[LikelyCall]',
    ]);
  });

  test('005/L-31 without traits on the node there are none on the entity', () => {
    expect(lowered(MIXED).join('\n').replace('#[isAddressed]', '')).not.toContain('#[');
  });

  test('005/L-33 the map stays as it is while other modules are lowered', () => {
    const hir = hirOf(MIXED);
    const vir = lowerModule(hir, 'ts');
    const seen = () =>
      Array.from({ length: hir.nodes.length }, (_, node) => [
        vir.loweringMap?.value(node as Node),
        vir.loweringMap?.entities(node as Node),
      ]);
    const before = seen();
    virOf('  return 1');
    lowerModule(hir, 'ts');
    expect(seen()).toEqual(before);
  });

  test('005/L-34, 001/A-4 with the HIR wiped out, VIR gives the same text, C and LLVM', () => {
    const [whole, wiped] = [hirOf(MIXED), hirOf(MIXED)];
    const [expected, vir] = [lowerModule(whole, 'ts'), lowerModule(wiped, 'ts')];
    for (const table of [wiped.nodes, wiped.variables, wiped.functions]) table.view().fill(NONE);
    expect(printVir(vir)).toBe(printVir(expected));
    expect(emitC(vir).text).toBe(emitC(expected).text);
    expect(emitLlvm(vir)).toBe(emitLlvm(expected));
  });
});

describe('005 §10: defers', () => {
  test('005/L-37 every exit of a scope runs its defers, last registered first, inner scopes before outer', () => {
    const lines = lowered(`  defer call @g (1)
  while (%c) {
    defer call @g (2)
    defer call @g (3)
    if (icmp eq i32 (%n, 1)) { continue }
    if (icmp eq i32 (%n, 2)) { break }
    if (icmp eq i32 (%n, 3)) { return call @a () }
  }
  return 0`);
    const runs = lines
      .filter((line) => /call|^br|^ret/.test(line))
      .map((line) => line.replace(/^%\d+ = call i32 @(\w)\((?:i32 )?(\w*)\)/, '$1$2'));
    expect(runs).toEqual([
      'br %loop.header',
      ...['g3', 'g2', 'br %loop.latch'],
      ...['g3', 'g2', 'br %loop.exit'],
      ...['a', 'g3', 'g2', 'g1', expect.stringMatching(/^ret i32 %/)],
      ...['g3', 'g2', 'br %loop.latch'],
      'br %loop.header',
      ...['g1', 'ret i32 0'],
    ]);
  });
});

describe('005 §11: types', () => {
  test('005/L-39 an aggregate value is passed, merged and returned as one value', () => {
    const text = `type %Pair = { lo: i32, hi: i64 }
func @f(%c: i1, %p: %Pair, %q: %Pair) -> %Pair export {
  return cond %Pair (%c, %p, %q)
}
`;
    const lines = bodyLines(printVir(lowerModule(parseHir(text), 'ts')), 'f');
    expect(beginning(lines, /phi|^ret/)).toEqual([
      expect.stringMatching(/^%\d = phi %Pair \[ %\d, %then \], \[ %\d, %else \]$/),
      expect.stringMatching(/^ret %Pair %\d$/),
    ]);
  });

  test('005/L-40 a field is reached by its index', () => {
    const lines = lowered(
      '  var %p: %Pair\n  store i64 (5, gep %Pair (&%p, 0, 1))\n  return extractvalue (%p, 0)',
    );
    expect(lines).toContain('%0 = gep %Pair %p, 0, 1');
    expect(lines).toContain('%2 = extractvalue %Pair %1, 0');
  });
});
