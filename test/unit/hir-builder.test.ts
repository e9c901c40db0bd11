import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import * as types from '../../src/hir/index.js';
import {
  array,
  createModule,
  type FunctionBuilder,
  f64,
  fn,
  i8,
  i32,
  i64,
  param,
  ptr,
  struct,
  traits,
  u8,
  voidType,
} from '../../src/hir/index.js';
import type { FunctionId, Node } from '../../src/ir/entities.js';
import { NONE } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind, nodeKindRow } from '../../src/ir/node-kinds.js';
import { opcodeRow } from '../../src/ir/opcodes.js';
import { HIR_NODE, HIR_VARIABLE } from '../../src/ir/schema.js';

/** The tree as nested parentheses: kind, opcode or variable, children. */
function tree(hir: HirModule, node: Node): string {
  const kind = nodeKindRow(hir.kind(node));
  const name = (row: number) => hir.tables.names.text(hir.variables.get(row, HIR_VARIABLE.name));
  let head: string = kind.name;
  if (kind.a === 'opcode') head = opcodeRow(hir.a(node)).name;
  else if (kind.name === 'variable') return name(hir.a(node));
  else if (kind.a === 'variable') head += ` ${name(hir.a(node))}`;
  else if (kind.name === 'constant') {
    const { constants, types } = hir.tables;
    const constant = hir.a(node) as never;
    return types.isInteger(constants.type(constant))
      ? `${constants.integerValue(constant)}`
      : `#${constants.kind(constant)}`;
  }
  const parts = hir.children(node).map((child) => tree(hir, child));
  return `(${[head, ...parts].join(' ')})`;
}

function bodyOf(build: (f: FunctionBuilder) => void): string {
  const m = createModule('t', { positions: 'none' });
  const g = m.function('g', [param('n', i32)], i32, (f) => {
    build(f as unknown as FunctionBuilder);
  });
  return tree(m.hir, m.hir.body(g.id));
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
  return 'none';
}

function codeOfBody(build: (f: FunctionBuilder, m: ReturnType<typeof createModule>) => void): string {
  return codeOf(() => {
    const m = createModule('t', { positions: 'none' });
    m.function('g', [param('n', i32)], i32, (f) => {
      build(f as unknown as FunctionBuilder, m);
    });
    m.finish();
  });
}

describe('expressions', () => {
  test('the type of the operands picks the opcode', () => {
    expect(
      bodyOf((f) => {
        const x = f.variable('x', i32, 1);
        const y = f.variable('y', u8, 1);
        const z = f.variable('z', f64, 1);
        x.set(x.div(2).rem(3).shr(1));
        y.set(y.div(2).rem(3).shr(1));
        z.set(z.div(2).rem(3).neg());
        f.evaluate(x.lt(1));
        f.evaluate(y.lt(1));
        f.evaluate(z.lt(1));
      }),
    ).toBe(
      '(block (declare x 1) (declare y 1) (declare z #1) (assign x (ashr (srem (sdiv x 2) 3) 1)) (assign y (lshr (urem (udiv y 2) 3) 1)) (assign z (fneg (frem (fdiv z #1) #1))) (icmp x 1) (icmp y 1) (fcmp z #1))',
    );
  });

  test('003/H-2 a leaf may be used again, anything else may not', () => {
    expect(bodyOf((f) => f.evaluate(f.constant(i32, 3).add(f.variable('x', i32)).mul(2)))).toContain(
      '(mul (add 3 x) 2)',
    );
    expect(
      codeOfBody((f) => {
        const x = f.variable('x', i32, 1);
        const sum = x.add(x);
        x.set(sum);
        x.set(sum);
      }),
    ).toBe('VCT0310');
  });

  test('003/H-3 a value that was read before a store cannot be placed after it', () => {
    expect(
      codeOfBody((f, m) => {
        const counter = m.global('counter', i32, 0);
        const old = counter.load();
        counter.set(5);
        f.return(old);
      }),
    ).toBe('VCT0313');
    expect(
      codeOfBody((f, m) => {
        const counter = m.global('counter', i32, 0);
        const old = f.let('old', counter.load());
        counter.set(5);
        f.return(old);
      }),
    ).toBe('none');
  });

  test('003/H-3 a call whose result goes nowhere is reported', () => {
    const lost = codeOfBody((f, m) => {
      const getchar = m.declare('getchar', fn([], i32));
      f.call(getchar);
      f.return(1);
    });
    expect(lost).toBe('VCT0314');
  });

  test('places chain into one gep', () => {
    const pair = struct('Pair', { lo: i32, hi: array(i64, 4) });
    const m = createModule('t', { positions: 'none' });
    const g = m.function('g', [param('p', ptr(pair)), param('i', i32)], voidType, (f, p, i) => {
      p.at(i).field('hi').at(2).set(7n);
      const s = f.variable('s', pair);
      s.field('lo').set(1);
      p.field('lo').set(s.field('lo'));
    });
    expect(tree(m.hir, m.hir.body(g.id))).toBe(
      '(block (store 7 (gep p i 1 2)) (declare s) (store 1 (gep (address s) 0 0)) (store (load (gep (address s) 0 0)) (gep p 0 0)))',
    );
  });

  test('convert picks the cast', () => {
    const cast = (from: Parameters<FunctionBuilder['zero']>[0], to: typeof from) =>
      bodyOf((f) => f.evaluate(f.convert(f.variable('x', from), to))).replace(/.*\) \((\w+) x.*/, '$1');
    const { i1, i16, u16, u32, f32 } = types;
    expect([
      cast(i16, i32),
      cast(u16, i32),
      cast(i1, i32),
      cast(i32, u8),
      cast(i32, u32),
      cast(i32, f64),
      cast(u8, f32),
      cast(f64, f32),
      cast(f32, f64),
      cast(f64, u8),
      cast(f64, i8),
      cast(ptr(i8), i64),
      cast(i64, ptr(i8)),
      cast(ptr(i8), ptr(i32)),
      cast(i32, i1),
    ]).toEqual([
      'sext',
      'zext',
      'zext',
      'trunc',
      'bitcast',
      'sitofp',
      'uitofp',
      'fptrunc',
      'fpext',
      'fptoui',
      'fptosi',
      'ptrtoint',
      'inttoptr',
      'bitcast',
      'icmp',
    ]);
  });
});

describe('statements', () => {
  test('a condition with statements moves into the loop body', () => {
    expect(
      bodyOf((f) => {
        const x = f.variable('x', i32, 0);
        f.while(
          () => {
            x.set(x.add(1));
            return x.lt(10);
          },
          () => f.continue(),
        );
      }),
    ).toBe(
      '(block (declare x 0) (while 1 (block (assign x (add x 1)) (if (icmp x 10) (block) (block (break))) (continue))))',
    );
  });

  test('for, switch, do, defer, labels', () => {
    expect(
      bodyOf((f) => {
        const i = f.variable('i', i32, 0);
        f.for(
          { init: () => i.set(1), condition: () => i.lt(9), step: () => i.set(i.add(1)) },
          () => {
            f.switch(i, (s) => {
              s.case([1, 2], () => f.break(), { fallthrough: true });
              s.default(() => f.continue('outer'));
            });
            f.doWhile(() => f.defer(() => i.set(0)), i.eq(3));
          },
          { label: 'outer' },
        );
      }),
    ).toBe(
      '(block (declare i 0) (for (block (assign i 1)) (icmp i 9) (block (assign i (add i 1))) (block (switch i (case 1 2 (block (break))) (default (block (continue)))) (doWhile (block (defer (block (assign i 0)))) (icmp i 3)))))',
    );
  });

  test('003/H-6 003/H-7 jumps that lead nowhere are reported', () => {
    expect(codeOfBody((f) => f.break())).toBe('VCT0315');
    expect(codeOfBody((f) => f.continue('x'))).toBe('VCT0315');
    expect(codeOfBody((f) => f.switch(f.constant(i32, 1), () => f.continue()))).toBe('VCT0315');
    expect(codeOfBody((f) => f.while(true, () => f.defer(() => f.break())))).toBe('VCT0316');
    expect(codeOfBody((f) => f.defer(() => f.return(1)))).toBe('VCT0316');
    expect(codeOfBody((f) => f.defer(() => f.while(true, () => f.break())))).toBe('none');
  });

  test('003/H-12 003/H-13 labels that are not there, stand twice or are deferred', () => {
    expect(codeOfBody((f) => f.goto('there'))).toBe('VCT0331');
    expect(
      codeOfBody((f) => {
        f.label('here');
        f.while(true, () => f.label('here'));
      }),
    ).toBe('VCT0332');
    expect(codeOfBody((f) => f.defer(() => f.label('here')))).toBe('VCT0335');
    expect(
      codeOfBody((f) => {
        f.label('here');
        f.defer(() => f.if(true, () => f.goto('here')));
      }),
    ).toBe('VCT0335');
  });
});

describe('modules', () => {
  test('functions built within each other keep their variables apart', () => {
    const m = createModule('t', { positions: 'none' });
    const outer = m.function('outer', [param('a', i32)], i32, (f, a) => {
      const x = f.variable('x', i32, a);
      m.function('inner', [param('b', i32)], i32, (g, b) => {
        const y = g.variable('y', i32, b);
        g.return(y.add(b));
      });
      const z = f.variable('z', i32, x);
      f.return(z.add(a));
    });
    const { hir } = m;
    expect(tree(hir, hir.body(outer.id))).toBe('(block (declare x a) (declare z x) (return (add z a)))');
    expect(hir.variableCount(outer.id)).toBe(3);
    for (let row = 0; row < 3; row++)
      expect(hir.variables.get(hir.firstVariable(outer.id) + row, HIR_VARIABLE.owner)).toBe(outer.id);
    expect(
      codeOfBody((f, other) => {
        const x = f.variable('x', i32, 1);
        other.function('h', [], i32, (g) => g.return(x));
      }),
    ).toBe('VCT0318');
  });

  test('recursive structs, traits, strings', () => {
    const node = struct.declare('Node');
    struct.define(node, { value: i32, next: ptr(node) });
    const m = createModule('t', { positions: 'none' });
    const list = m.global('list', ptr(node), null);
    const text = m.string('hello');
    expect(m.string('hello')).toBe(text);
    const g = m.function(
      'g',
      [param('p', ptr(i8), { traits: [traits.NonNull, traits.Align(8)] })],
      i32,
      (f) => f.return(list.field('next').field('value').as(i32)),
      { traits: [traits.AlwaysInline.strong], linkage: 'export' },
    );
    expect(tree(m.hir, m.hir.body(g.id))).toBe(
      '(block (return (load (gep (load (gep (load #5) 0 1)) 0 0))))',
    );
    expect(m.hir.tables.traitSets.list(m.hir.tables.functionTraits(g.id))).toEqual([
      { trait: expect.any(Number), a: -1, b: -1, strength: 2 },
    ]);
    expect(codeOf(() => m.function('h', [], i32, undefined, { traits: [traits.Align(4)] }))).toBe('VCT0304');
    expect(codeOf(() => m.function('g', [], i32))).toBe('VCT0317');
  });

  test('003/H-9, 011/D-3 an error names the line of the caller', () => {
    const m = createModule('t');
    m.function('g', [param('n', i32), param('x', f64)], i32, (f, n, x) => {
      let thrown: unknown;
      const here = new Error('here').stack?.split('\n')[1] ?? '';
      try {
        f.binary('add', n, x);
      } catch (error) {
        thrown = error;
      }
      const position = (thrown as DiagnosticError).diagnostics[0]?.position;
      const line = Number(/:(\d+):\d+\)?$/.exec(here)?.[1]);
      expect(position?.line).toBe(line + 2);
      expect(position?.file).toMatch(/hir-builder\.test\.ts$/);
      f.return(n);
    });
    const { hir } = m;
    for (let node = 0; node < hir.nodes.length; node++)
      expect(hir.nodes.get(node, HIR_NODE.position)).not.toBe(NONE);
    expect(hir.body(0 as FunctionId)).not.toBe(NONE);
    expect(NodeKind.constant).toBe(0);
  });

  test('f.at gives positions of the source text', () => {
    const m = createModule('t', { file: 'demo.mini' });
    const g = m.function('g', [param('n', i32)], i32, (f, n) => {
      f.at(12, 5);
      const sum = n.add(1);
      f.at(12, 1).return(sum);
    });
    const { hir } = m;
    const [statement] = hir.children(hir.body(g.id));
    const place = (node: Node) => hir.tables.position(hir.nodes.get(node, HIR_NODE.position));
    expect(place(statement as Node)).toEqual({ file: 'demo.mini', line: 12, column: 1 });
    expect(place(hir.firstChild(statement as Node))).toEqual({ file: 'demo.mini', line: 12, column: 5 });
  });
});
