/** Relationships (002 §5): the table, both text forms, the builder, lowering, and what the back ends say of them. */

import { describe, expect, test } from 'vitest';
import {
  createModule,
  DiagnosticError,
  emitC,
  emitLlvm,
  type HirModule,
  i32,
  lowerModule,
  optimizeHir,
  param,
  parseHir,
  parseVir,
  printHir,
  printVir,
  ptr,
  verifyHir,
  verifyVir,
  voidType,
} from '../../src/index.js';
import type { FunctionId, RelationshipId } from '../../src/ir/entities.js';
import type { RelationshipEnd } from '../../src/ir/relationships.js';
import { EndKind, RELATIONSHIP, RELATIONSHIP_END } from '../../src/ir/schema.js';
import { Relationship } from '../../src/traits/trait-table.js';

const COPY = `module "m"

global @total: i32 = 0

func @copy(%target: ptr<i32>, %source: ptr<i32>, %n: i32) -> void export {
  var %at: ptr<i32> = %target
  while (icmp slt i32 (load i32 (@total), %n)) {
    store i32 (load i32 (%source), %at)
    %at = gep i32 (%at, 1)
  }
}
`;

const SOURCE = `${COPY}
relate @copy %source NoAlias %at !3:4
relate @copy %at NoAlias @total
`;

function codes(run: () => unknown): string[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map((item) => item.code);
  }
  return [];
}

function end(kind: EndKind, owner: number, row: number): RelationshipEnd {
  return { kind, function: owner as FunctionId, row };
}

describe('the table', () => {
  test('002/T-12 a relationship can be walked from both ends', () => {
    const { relationships } = parseHir(SOURCE);
    const source = end(EndKind.variable, 0, 1);
    const at = end(EndKind.variable, 0, 3);
    const total = end(EndKind.global, -1, 0);
    expect(relationships.of(source)).toEqual([0]);
    expect(relationships.of(at)).toEqual([0, 1]);
    expect(relationships.of(total)).toEqual([1]);
    expect(relationships.of(end(EndKind.variable, 0, 0))).toEqual([]);
    expect(relationships.across(0 as RelationshipId, source)).toEqual([at]);
    expect(relationships.across(0 as RelationshipId, at)).toEqual([source]);
    expect(relationships.across(1 as RelationshipId, total)).toEqual([at]);
  });

  test('002/T-12 the ends of a side are ascending and distinct, however they were given', () => {
    const module = parseHir(COPY);
    const [a, b, c] = [0, 1, 3].map((row) => end(EndKind.variable, 0, row)) as [
      RelationshipEnd,
      RelationshipEnd,
      RelationshipEnd,
    ];
    const id = module.relationships.add(Relationship.NoAlias, [c, a, c], [b]);
    expect(module.relationships.left(id)).toEqual([a, c]);
    expect(module.relationships.right(id)).toEqual([b]);
    expect(printHir(module)).toContain('relate @copy %target, %at NoAlias %source\n');
  });
});

describe('text', () => {
  test('002/T-12 both forms give back what they read', () => {
    const hir = printHir(parseHir(SOURCE));
    expect(hir).toContain('relate @copy %source NoAlias %at !3:4\nrelate @copy %at NoAlias @total\n');
    expect(printHir(parseHir(hir))).toBe(hir);
    const vir = printVir(lowerModule(parseHir(SOURCE)));
    expect(printVir(parseVir(vir))).toBe(vir);
  });

  test('002/T-12 ends may be in several functions, unnamed, quoted, and in a declaration', () => {
    const text = `module "m"

declare @f(%0: ptr<i32>, %"a b": ptr<i32>) -> void

func @g(%p: ptr<i32>) -> void {
  return
}

relate @f %0, %"a b" NoAlias @g %p
`;
    expect(printHir(parseHir(text))).toBe(text);
    const vir = printVir(lowerModule(optimizeHir(parseHir(text))));
    expect(vir).toContain('relate @f %0, %"a b" NoAlias @g %p\n');
    expect(printVir(parseVir(vir))).toBe(vir);
  });

  test.each([
    ['relate @copy %nothing NoAlias %source', 'VCT0119'],
    ['relate @nothing %source NoAlias %target', 'VCT0110'],
    ['relate @copy NoAlias @total', 'VCT0110'],
    ['relate @copy %source Loves %target', 'VCT0122'],
    ['relate @copy %source NoAlias', 'VCT0100'],
    ['relate @copy %source NoAlias %target, ', 'VCT0100'],
    ['relate @total NoAlias %target', 'VCT0100'],
    ['relate @copy %source NoAlias %target @total', 'VCT0100'],
  ])('002/T-12 %s is %s', (line, code) => {
    expect(codes(() => parseHir(`${COPY}\n${line}\n`))).toEqual([code]);
    const vir = printVir(lowerModule(parseHir(COPY)));
    expect(codes(() => parseVir(`${vir}\n${line}\n`))).toEqual([code]);
  });
});

describe('verifiers', () => {
  test.each([
    ['relate @copy %n NoAlias %source', 'VCT0250'],
    ['relate @copy %source NoAlias %source', 'VCT0251'],
    ['relate @copy %source, @total NoAlias @copy %target, @total', 'VCT0251'],
  ])('002/T-11 %s is %s, where it stands', (line, code) => {
    const hir = verifyHir(parseHir(`${COPY}\n${line}\n`, { file: 'f' }));
    expect(hir.map((item) => [item.code, item.position?.line])).toEqual([[code, 13]]);
    const text = printVir(lowerModule(parseHir(COPY)));
    const vir = verifyVir(parseVir(`${text}\n${line} !7:1\n`));
    expect(vir.map((item) => [item.code, item.position?.line])).toEqual([[code, 7]]);
  });

  test.each([
    [RELATIONSHIP.kind, 9],
    [RELATIONSHIP.firstEnd, 1],
    [RELATIONSHIP.leftCount, 0],
    [RELATIONSHIP.rightCount, 2_000_000_000],
    [RELATIONSHIP.position, 77],
  ])('002/T-11 a forged row (column %i) is refused by both verifiers and by lowering', (column, value) => {
    const forged = () => {
      const module = parseHir(`${COPY}\nrelate @copy %source NoAlias @total\n`);
      module.relationships.rows.set(0, column, value);
      return module;
    };
    expect(verifyHir(forged()).map((item) => item.code)).toContain('VCT0326');
    expect(codes(() => lowerModule(forged()))).toEqual(['VCT0500']);
    const vir = lowerModule(parseHir(`${COPY}\nrelate @copy %source NoAlias @total\n`));
    vir.relationships.rows.set(0, column, value);
    expect(verifyVir(vir).map((item) => item.code)).toContain('VCT0201');
  });

  test.each([
    [RELATIONSHIP_END.kind, EndKind.value],
    [RELATIONSHIP_END.function, 5],
    [RELATIONSHIP_END.row, -1],
    [RELATIONSHIP_END.row, 1_000_000],
  ])('002/T-11 a forged end (column %i is %i) is refused', (column, value) => {
    const module = parseHir(`${COPY}\nrelate @copy %source NoAlias @total\n`);
    module.relationships.ends.set(0, column, value);
    expect(verifyHir(module).map((item) => item.code)).toContain('VCT0326');
    expect(codes(() => lowerModule(module))).toEqual(['VCT0500']);
    const vir = lowerModule(parseHir(`${COPY}\nrelate @copy %source NoAlias @total\n`));
    vir.relationships.ends.set(0, column, column === RELATIONSHIP_END.kind ? EndKind.variable : value);
    expect(verifyVir(vir).map((item) => item.code)).toContain('VCT0201');
  });
});

describe('the builder', () => {
  test('002/T-12 relate joins variables and globals, in functions within functions too', () => {
    const m = createModule('m', { positions: 'none' });
    const total = m.global('total', i32);
    m.function('f', [param('p', ptr(i32))], voidType, (f, p) => {
      m.function('g', [param('a', ptr(i32)), param('b', ptr(i32))], voidType, (g, a, b) => {
        g.relate('NoAlias', a, b);
      });
      f.relate('NoAlias', total, p);
    });
    const text = printHir(m.finish());
    expect(text).toContain('relate @g %a NoAlias %b\nrelate @total NoAlias @f %p\n');
    expect(verifyHir(m.hir)).toEqual([]);
  });

  test('002/T-11 relate says at the call what cannot be', () => {
    const m = createModule('m', { positions: 'none' });
    const total = m.global('total', i32);
    let other: unknown;
    m.function('g', [param('q', ptr(i32))], voidType, (_, q) => {
      other = q;
    });
    m.function('f', [param('p', ptr(i32)), param('n', i32)], voidType, (f, p, n) => {
      expect(codes(() => f.relate('NoAlias', p, n))).toEqual(['VCT0250']);
      expect(codes(() => f.relate('NoAlias', p, p))).toEqual(['VCT0251']);
      expect(codes(() => f.relate('NoAlias', total, total))).toEqual(['VCT0251']);
      expect(codes(() => f.relate('NoAlias', p, other as never))).toEqual(['VCT0318']);
      expect(codes(() => f.relate('Loves' as never, p, total))).toEqual(['VCT0329']);
      expect(codes(() => f.relate('NoAlias', p, 3 as never))).toEqual(['VCT0329']);
    });
    expect(m.finish().relationships.length).toBe(0);
  });
});

/** The relationships of the lowered module as text. */
function loweredLines(module: HirModule): string[] {
  return printVir(lowerModule(module, 'ts'))
    .split('\n')
    .filter((line) => line.startsWith('relate'));
}

describe('lowering', () => {
  test('005/L-32 002/T-13 an end becomes the argument and all that was assigned to it; nothing of HIR is left', () => {
    const vir = lowerModule(parseHir(SOURCE), 'ts');
    expect(loweredLines(parseHir(SOURCE))).toEqual([
      'relate @copy %source NoAlias %target, %at.1 !3:4',
      'relate @copy %target, %at.1 NoAlias @total',
    ]);
    for (let row = 0; row < vir.relationships.ends.length; row++)
      expect(vir.relationships.ends.get(row, RELATIONSHIP_END.kind)).not.toBe(EndKind.variable);
    const source = end(EndKind.value, 0, 1);
    expect(vir.relationships.of(source)).toEqual([0]);
    expect(vir.relationships.across(0 as RelationshipId, source).map((item) => item.row)).toContain(0);
  });

  test('005/L-32 a variable in memory becomes what is loaded from its slot', () => {
    const text = `module "m"

func @f(%p: ptr<i32>, %q: ptr<i32>) -> i32 {
  var %s: ptr<i32> #[isAddressed] = %p
  return load i32 (%s)
}

relate @f %s NoAlias %q
`;
    expect(loweredLines(parseHir(text))).toEqual(['relate @f %p, %0 NoAlias %q']);
  });

  test('005/L-32 the address of a global becomes the global, and null leads nowhere', () => {
    const text = `module "m"

global @g: i32 = 0

func @f(%p: ptr<i32>) -> i32 {
  var %s: ptr<i32> = @g
  %s = null
  return load i32 (%p)
}

relate @f %s NoAlias %p
`;
    expect(loweredLines(parseHir(text))).toEqual(['relate @g NoAlias @f %p']);
  });

  test('005/L-32 a relationship of what held nothing is dropped', () => {
    const text = `module "m"

func @f(%p: ptr<i32>) -> i32 {
  var %s: ptr<i32>
  return load i32 (%p)
}

relate @f %s NoAlias %p
`;
    expect(loweredLines(parseHir(text))).toEqual([]);
  });

  test('005/L-4 002/T-13 two ends that held one value contradict the relationship, which is told where it stands', () => {
    const text = `module "m"

func @f(%p: ptr<i32>) -> i32 {
  var %s: ptr<i32> = %p
  return load i32 (%s)
}

relate @f %s NoAlias %p
`;
    const module = parseHir(text, { file: 'f.hir' });
    expect(verifyHir(module)).toEqual([]);
    try {
      lowerModule(module);
      expect.unreachable();
    } catch (error) {
      const [item] = (error as DiagnosticError).diagnostics;
      expect(item?.code).toBe('VCT0514');
      // The author's own statement, and no fault of whoever made the tree.
      expect(item?.severity).toBe('error');
      expect(item?.message).toContain('variable %s and variable %p both held the value %p of @f');
      expect(item?.position).toMatchObject({ file: 'f.hir', line: 8 });
    }
  });

  test('005/L-5 005/L-32 both cores and any number of threads give the same bytes', () => {
    const functions: string[] = [];
    const relations: string[] = [];
    for (let number = 0; number < 40; number++) {
      functions.push(`func @f${number}(%p: ptr<i32>, %q: ptr<i32>, %c: i1) -> i32 {
  var %s: ptr<i32> = %p
  while (%c) {
    %s = gep i32 (%s, ${number})
  }
  return add i32 (load i32 (%s), load i32 (%q))
}
`);
      relations.push(`relate @f${number} %s, %p NoAlias %q`);
    }
    const text = `module "m"\n\n${functions.join('\n')}\n${relations.reverse().join('\n')}\n`;
    const wanted = printVir(lowerModule(parseHir(text), 'ts', 1));
    expect(wanted.match(/^relate/gm)).toHaveLength(40);
    for (const core of ['ts', 'native'] as const)
      for (const threads of [1, 2, 4, 8])
        expect(printVir(lowerModule(parseHir(text), core, threads)), `${core} ${threads}`).toBe(wanted);
  });

  test('005/L-32 002/T-13 the optimizer keeps relationships, and gives what is deferred an end for each copy', () => {
    const text = `module "m"

declare @make() -> ptr<i32>

func @f(%p: ptr<i32>, %c: i1) -> void {
  defer {
    var %s: ptr<i32> = call @make ()
    store i32 (1, %s)
  }
  if (%c) {
    return
  }
  store i32 (2, %p)
}

relate @f %s NoAlias %p
`;
    const optimized = optimizeHir(parseHir(text));
    expect(printHir(optimized)).toContain('relate @f %s, %s.1 NoAlias %p\n');
    expect(verifyHir(optimized)).toEqual([]);
    // Without the optimizer one node is lowered twice, and both copies are found.
    expect(loweredLines(parseHir(text))).toEqual(['relate @f %s, %s.1 NoAlias %p']);
    expect(loweredLines(optimized)).toEqual(['relate @f %s, %s.1 NoAlias %p']);
  });
});

describe('back ends', () => {
  test('002/T-14 009/R13 LLVM gets a scope for each relationship, in a domain of its own', () => {
    const text = emitLlvm(lowerModule(parseHir(SOURCE)));
    const load = /load i32, ptr %source.*/.exec(text)?.[0] ?? '';
    const store = /store i32 .*, ptr %at.*/.exec(text)?.[0] ?? '';
    const total = /load i32, ptr @total.*/.exec(text)?.[0] ?? '';
    const list = (line: string, name: string) => {
      const node = new RegExp(`!${name} (!\\d+)`).exec(line)?.[1];
      return node === undefined ? '' : (new RegExp(`^${node} = (.*)`, 'm').exec(text)?.[1] ?? '');
    };
    const [first, second] = [list(load, 'alias.scope'), list(total, 'noalias')].map((item) =>
      item.slice(2, -1),
    );
    expect(first).toMatch(/^!\d+$/);
    expect(second).toMatch(/^!\d+$/);
    expect(first).not.toBe(second);
    expect(list(store, 'noalias')).toBe(`!{${first}}`);
    expect(list(store, 'alias.scope')).toBe(`!{${second}}`);
    const domain = (scope: string) =>
      new RegExp(`^${scope} = distinct !{${scope}, (!\\d+),`, 'm').exec(text)?.[1];
    expect(domain(first as string)).not.toBe(domain(second as string));
    expect(text.match(/noalias\.scope\.decl\(metadata !\d/g)).toHaveLength(2);
  });

  test('002/T-14 009/R13 without relationships there is no scope', () => {
    expect(emitLlvm(lowerModule(parseHir(COPY)))).not.toMatch(/alias/);
  });

  const swapped = (relations: string, body: string) => `module "m"

global @g: i32 = 0
declare @anything() -> void
declare @nothing() -> void #[NoRead, NoWrite]

func @f(%p: ptr<i32>, %q: ptr<i32>, %r: ptr<i32>) -> void export {
${body}
}

${relations}
`;
  const head = (text: string) =>
    /void f\(([^)]*)\)\n\{/.exec(
      emitC(lowerModule(parseHir(text)), { dialect: 'gcc' })
        .units.map((unit) => unit.text)
        .join('\n'),
    )?.[1];
  const BOTH = '  store i32 (load i32 (%p), %q)';

  test.each([
    ['two that the function reaches, and nothing else', 'relate @f %p NoAlias %q', BOTH, 'pq'],
    [
      'a local object besides',
      'relate @f %p NoAlias %q',
      `  var %x: [2 x i32]\n  store i32 (1, gep [2 x i32] (&%x, 0, 1))\n${BOTH}`,
      'pq',
    ],
    ['a third that is not related', 'relate @f %p NoAlias %q', `${BOTH}\n  store i32 (1, %r)`, ''],
    ['a third that is related to one', 'relate @f %p NoAlias %q, %r', `${BOTH}\n  store i32 (1, %r)`, 'p'],
    ['a global that is not related', 'relate @f %p NoAlias %q', `${BOTH}\n  store i32 (1, @g)`, ''],
    ['a global that is', 'relate @f %p NoAlias %q, @g', `${BOTH}\n  store i32 (1, @g)`, 'p'],
    ['a call of anything', 'relate @f %p NoAlias %q', `${BOTH}\n  call @anything ()`, ''],
    ['a call of what touches nothing', 'relate @f %p NoAlias %q', `${BOTH}\n  call @nothing ()`, 'pq'],
    ['no relationship', '', BOTH, ''],
  ])('002/T-14 008/R12 restrict with %s', (_, relations, body, wanted) => {
    const parameters = head(swapped(relations, body))?.split(', ') ?? [];
    const alone = ['p', 'q', 'r'].filter((name) =>
      parameters.some((parameter) => parameter.endsWith(`restrict ${name}`)),
    );
    expect(alone.join('')).toBe(wanted);
  });
});
