/** Ranges of a switch: through the builder, in tables that no text can say, in the optimizer, and in great number. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  createModule,
  DiagnosticError,
  i8,
  i32,
  lowerModule,
  optimizeHir,
  param,
  parseHir,
  printHir,
  printVir,
  range,
  run,
  type SwitchArms,
  verifyHir,
} from '../../src/index.js';
import { NONE, type Node } from '../../src/ir/entities.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { HIR_NODE } from '../../src/ir/schema.js';
import { comparedCore } from '../harness/native-core.js';
import { expectSameTables } from '../harness/same-tables.js';

const LINES = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');

function switchModule(arms: (s: SwitchArms, f: { return(value: number): void }) => void, type = i32) {
  const m = createModule('ranges');
  m.function('f', [param('x', type)], i32, (f, x) => {
    f.switch(x, (s) => arms(s, f as never));
    f.return(9);
  });
  return m.finish();
}

/** The code and the message of what was thrown, whose line is marked with `// here`. */
function mistake(arms: (s: SwitchArms) => void, type = i32): string {
  try {
    switchModule(arms, type);
  } catch (error) {
    const [first] = (error as DiagnosticError).diagnostics;
    expect(error).toBeInstanceOf(DiagnosticError);
    expect(LINES[(first?.position?.line ?? 0) - 1], first?.message).toContain('// here');
    return `${first?.code} ${first?.message}`;
  }
  throw new Error('nothing was thrown');
}

describe('003/H-5 ranges through the builder', () => {
  test('are written as ranges, small or wide', () => {
    const text = printHir(
      switchModule((s, f) => {
        s.case([range(1, 5), 7, range(100, 900)], () => f.return(1));
        s.case(range(-900n, -100n), () => f.return(2));
      }),
    );
    expect(text).toMatch(/case 1\.\.5.*, 7.*, 100\.\.900.* \{/);
    expect(text).toMatch(/case -900\.\.-100.* \{/);
  });

  test('refuse what holds nothing, overlaps, does not fit or is no number, at the line that says it', () => {
    const nothing = () => {};
    expect(
      mistake((s) => {
        s.case(range(5, 4), nothing); // here
      }),
    ).toBe('VCT0340 the range 5..4 holds nothing');
    expect(
      mistake((s) => {
        s.case(range(100, 900), nothing);
        s.case([3, range(900, 1000)], nothing); // here
      }),
    ).toBe('VCT0341 case 900..1000 overlaps case 100..900');
    expect(
      mistake((s) => {
        s.case(range(100, 900), nothing); // here
        s.case(300, nothing);
      }),
    ).toBe('VCT0341 case 100..900 overlaps case 300');
    expect(
      mistake((s) => {
        s.case(range(1, 5), nothing);
        s.case(range(5, 6), nothing); // here
      }),
    ).toBe('VCT0322 case 5 occurs twice in one switch');
    expect(
      mistake((s) => {
        s.case(range(0, 256), nothing); // here
      }, i8 as never),
    ).toBe('VCT0342 the bound 256 of a range is not of type i8');
    expect(
      mistake((s) => {
        s.case(range(0, 'z' as never), nothing); // here
      }),
    ).toBe('VCT0344 z is no bound of a range');
  });
});

const TEXT = `module "m"
func @f(%x: i32) -> i32 {
  switch (%x) {
  case 100..900 {
    return 1
  }
  }
  return const i32 2
}
`;

describe('003/H-5 ranges in tables', () => {
  const nodeOf = (hir: ReturnType<typeof parseHir>, matches: (node: Node) => boolean) => {
    for (let node = 0; node < hir.nodes.length; node++) if (matches(node as Node)) return node as Node;
    throw new Error('no such node');
  };
  const codes = (hir: ReturnType<typeof parseHir>) =>
    verifyHir(hir).map((item) => `${item.code}:${item.position?.line}:${item.position?.column}`);

  test('stand in cases alone', () => {
    const hir = parseHir(TEXT);
    const constant = nodeOf(hir, (node) => hir.kind(node) === NodeKind.constant && hir.b(node) === NONE);
    hir.nodes.set(constant, HIR_NODE.b, hir.a(constant));
    expect(codes(hir)).toContain('VCT0343:5:12');
  });

  test('have two bounds of the type of the value, in order, that are in the table', () => {
    const forged = (b: (hir: ReturnType<typeof parseHir>) => number) => {
      const hir = parseHir(TEXT);
      const isRange = (node: Node) => hir.kind(node) === NodeKind.constant && hir.b(node) !== NONE;
      hir.nodes.set(nodeOf(hir, isRange), HIR_NODE.b, b(hir));
      return hir;
    };
    const integer = (type: 'i8' | 'i32', value: bigint) => (hir: ReturnType<typeof parseHir>) =>
      hir.tables.constants.integer(hir.tables.types[type], value);
    expect(codes(forged(integer('i8', 120n)))).toEqual(['VCT0342:4:8']);
    expect(codes(forged(integer('i32', 99n)))).toEqual(['VCT0340:4:8']);
    expect(codes(forged((hir) => hir.tables.constants.undef(hir.tables.types.i32)))).toEqual(['VCT0328:4:8']);
    const outside = forged((hir) => hir.tables.constants.length);
    expect(codes(outside)).toEqual(['VCT0326:4:8']);
    for (const core of ['ts', comparedCore] as const)
      expect(() => lowerModule(outside, core)).toThrow(DiagnosticError);
  });
});

test('003/T-1 what stands behind a range belongs to all its values, and its position stands in parentheses', () => {
  const text = printHir(
    parseHir(
      TEXT.replace(
        'case 100..900 {',
        'case 100..900 as %wide #[NoUndef], (1..4 !7:9), 6..8 with #[ColdPath] !8:1 {',
      ),
    ),
  );
  expect(text).toContain('case 100..900 as %wide #[NoUndef], (1..4 !7:9), 6..8 with #[ColdPath] !8:1 {');
  expect(printHir(parseHir(text))).toBe(text);
});

test('004/H-3 the optimizer finds the arm whose range holds a constant', () => {
  const decided = (value: number) =>
    printHir(optimizeHir(parseHir(TEXT.replace('(%x)', `(const i32 ${value})`))));
  expect(decided(99)).toContain('return 2');
  expect(decided(99)).not.toContain('return 1');
  expect(decided(100)).toContain('return 1');
  expect(decided(900)).toContain('return 1');
  expect(decided(901)).not.toContain('return 1');
});

test('005/L-5 000/G-8 65,536 arms, every other one a wide range, are lowered alike in linear time', () => {
  const arms: string[] = [];
  for (let arm = 0; arm < 65_536; arm++) {
    const low = arm * 200;
    arms.push(`case ${arm % 2 === 0 ? low : `${low}..${low + 99}`} {\nreturn ${arm}\n}`);
  }
  const hir = parseHir(`func @f(%x: u32) -> i32 {\nswitch (%x) {\n${arms.join('\n')}\n}\nreturn 1\n}\n`);
  expect(verifyHir(hir)).toEqual([]);
  const begin = performance.now();
  const vir = lowerModule(hir, 'ts');
  expect(performance.now() - begin).toBeLessThan(10_000);
  expectSameTables(lowerModule(hir, comparedCore), vir);
  expect(printVir(vir).match(/condbr/g)).toHaveLength(32_768);
});

test('003/H-5 a program with ranges gives one answer', async () => {
  const m = createModule('ranges');
  m.function(
    'main',
    [],
    i32,
    (f) => {
      const sum = f.variable('sum', i32, 0);
      const i = f.variable('i', i32, 0);
      f.for({ condition: () => i.lt(300), step: () => i.set(i.add(1)) }, () => {
        f.switch(i, (s) => {
          s.case(range(10, 19), () => sum.set(sum.add(1)), { fallthrough: true });
          s.case(range(100, 199), () => sum.set(sum.add(10)));
          s.default(() => {});
        });
      });
      f.return(sum.sub(1000));
    },
    { linkage: 'export' },
  );
  // 10 values add 11, 100 add 10.
  expect((await run(m.finish())).exitCode).toBe(110);
});
