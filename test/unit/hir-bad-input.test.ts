/**
 * Mistakes in trees, each with its own code and its place. What a text can say stands in test/cases/bad too; the tables below are forged,
 * as only another program could make them.
 */

import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  DiagnosticError,
  type HirModule,
  lowerModule,
  optimizeHir,
  parseHir,
  printHir,
  verifyHir,
} from '../../src/index.js';
import { NONE, type Node } from '../../src/ir/entities.js';
import { NODE_KINDS } from '../../src/ir/node-kinds.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { FUNCTION, HIR_FUNCTION, HIR_NODE, HIR_VARIABLE } from '../../src/ir/schema.js';
import { readCases } from '../harness/case-file.js';
import { comparedCore } from '../harness/native-core.js';

const TEXT = `module "m"
func @f(%a: i32, %x: f64) -> i32 {
  var %s: i32 = 1
  while (icmp slt i32 (%a, 10)) {
    %a = add i32 (%a, %s)
  }
  return %a
}
func @g(%b: i32) -> i32 {
  var %t: i32 = 2
  return mul i32 (%b, %t)
}
`;

/** The nth node of a kind. */
function nodeOf(hir: HirModule, kind: string, skipped = 0): Node {
  let left = skipped;
  for (let node = 0; node < hir.nodes.length; node++)
    if (NODE_KINDS[hir.kind(node as Node)]?.name === kind && left-- === 0) return node as Node;
  throw new Error(`no ${kind}`);
}

/** What the verifier says of the module after the change: codes, with line and column. */
function faultsOf(change: (hir: HirModule) => void): string[] {
  const hir = parseHir(TEXT);
  change(hir);
  return verifyHir(hir).map(
    ({ code, position }) => `${code} ${position?.line ?? '-'}:${position?.column ?? '-'}`,
  );
}

const set = (hir: HirModule, node: Node, column: keyof typeof HIR_NODE, value: number) =>
  hir.nodes.set(node, HIR_NODE[column], value);

test('003/T-3 the cases name at least 60 mistakes of HIR, each with its code and its line', () => {
  const mistakes = readCases(fileURLToPath(new URL('../cases', import.meta.url))).filter(
    ({ name }) => name.startsWith('bad/') && name.endsWith('.hir'),
  );
  const codes = new Set(mistakes.flatMap(({ errors }) => errors.map(({ code }) => code)));
  console.log(`${mistakes.length} texts with a mistake, ${codes.size} codes; ${FORGED.length} forged tables`);
  expect(mistakes.length + FORGED.length).toBeGreaterThanOrEqual(60);
  expect(codes.size).toBeGreaterThanOrEqual(40);
  for (const { name, errors } of mistakes) expect(errors.length, name).toBeGreaterThan(0);
  // A text that ends too early has no line at fault.
  const withoutLine = mistakes.filter(({ errors }) => errors.some(({ line }) => line === undefined));
  expect(withoutLine.map(({ name }) => name)).toEqual(['bad/bad-hir-truncated.hir']);
});

describe('003/H-2 a node stands in one place', () => {
  test('not twice in one function', () => {
    const faults = faultsOf((hir) => {
      // The sum reads the same node twice.
      const sum = nodeOf(hir, 'assign');
      set(hir, hir.firstChild(sum), 'nextSibling', NONE);
      set(hir, nodeOf(hir, 'return'), 'firstChild', hir.firstChild(sum));
    });
    expect(faults).toEqual(['VCT0325 5:10']);
  });

  test('not in two functions', () => {
    const faults = faultsOf((hir) => {
      set(hir, nodeOf(hir, 'return', 1), 'firstChild', hir.firstChild(nodeOf(hir, 'return')));
    });
    expect(faults).toEqual(['VCT0347 7:10']);
    const bodies = faultsOf((hir) => {
      hir.functions.set(1, HIR_FUNCTION.body, hir.functions.get(0, HIR_FUNCTION.body));
    });
    expect(bodies).toEqual(['VCT0347 2:6']);
  });

  test('not within itself, as child or as sibling', () => {
    const child = faultsOf((hir) => {
      const loop = nodeOf(hir, 'while');
      const body = hir.nextSibling(hir.firstChild(loop));
      set(hir, body, 'firstChild', loop);
    });
    expect(child).toEqual(['VCT0346 4:3']);
    const sibling = faultsOf((hir) => {
      const last = nodeOf(hir, 'return');
      set(hir, last, 'nextSibling', nodeOf(hir, 'declare'));
    });
    expect(sibling).toEqual(['VCT0346 3:3']);
  });

  test('and nothing that reads the tree follows such links', () => {
    const hir = parseHir(TEXT);
    set(hir, hir.nextSibling(hir.firstChild(nodeOf(hir, 'while'))), 'firstChild', nodeOf(hir, 'while'));
    for (const act of [
      () => printHir(hir),
      () => optimizeHir(hir),
      () => lowerModule(hir, 'ts'),
      () => lowerModule(hir, comparedCore),
    ])
      expect(act).toThrow(DiagnosticError);
  });
});

const FORGED: readonly [string, (hir: HirModule) => void, string][] = [
  [
    '003/H-4 a variable of another function',
    (hir) => set(hir, nodeOf(hir, 'variable', 3), 'a', 3),
    'VCT0318 7:10',
  ],
  ['003/H-4 two declarations', (hir) => set(hir, nodeOf(hir, 'declare', 1), 'a', 3), 'VCT0327 10:3'],
  ['003/H-1 a kind that is none', (hir) => set(hir, nodeOf(hir, 'return'), 'kind', 99), 'VCT0326 7:3'],
  ['003/H-1 a type that is none', (hir) => set(hir, nodeOf(hir, 'return'), 'type', 999), 'VCT0326 7:3'],
  [
    '003/H-1 a constant that is none',
    (hir) => set(hir, nodeOf(hir, 'constant', 0), 'a', 999),
    'VCT0326 3:17',
  ],
  [
    '003/H-1 an opcode that is none',
    (hir) => set(hir, nodeOf(hir, 'operation', 1), 'a', 999),
    'VCT0326 5:10',
  ],
  [
    '003/H-1 a terminator as an operation',
    (hir) => set(hir, nodeOf(hir, 'operation', 1), 'a', Opcode.ret),
    'VCT0326 5:10',
  ],
  [
    '003/H-1 a child that is none',
    (hir) => set(hir, nodeOf(hir, 'return'), 'firstChild', 9999),
    'VCT0326 7:3',
  ],
  [
    '003/H-1 a sibling that is none',
    (hir) => set(hir, nodeOf(hir, 'return'), 'nextSibling', -7),
    'VCT0326 7:3',
  ],
  ['003/H-1 a name that is none', (hir) => set(hir, nodeOf(hir, 'return'), 'name', 9999), 'VCT0326 7:3'],
  ['003/H-1 traits that are none', (hir) => set(hir, nodeOf(hir, 'return'), 'traits', 9999), 'VCT0326 7:3'],
  ['003/H-1 a position that is none', (hir) => set(hir, nodeOf(hir, 'return'), 'position', 9999), 'VCT0326'],
  ['003/H-1 too few children', (hir) => set(hir, nodeOf(hir, 'while'), 'firstChild', NONE), 'VCT0326 4:3'],
  [
    '003/H-1 a statement as an operand',
    (hir) => set(hir, nodeOf(hir, 'variable', 2), 'kind', 8),
    'VCT0326 5:10',
  ],
  [
    '003/H-8 a variable of another type',
    (hir) => hir.variables.set(2, HIR_VARIABLE.type, hir.tables.types.i64),
    'VCT0328 3:7',
  ],
  ['003/H-1 a variable without slot', (hir) => hir.variables.set(2, HIR_VARIABLE.slotType, 9999), 'VCT0326'],
  ['003/H-1 a variable without owner', (hir) => hir.variables.set(2, HIR_VARIABLE.owner, 9), 'VCT0326'],
  ['003/H-1 a variable of another owner', (hir) => hir.variables.set(2, HIR_VARIABLE.owner, 1), 'VCT0326'],
  [
    '003/H-1 more variables than there are',
    (hir) => hir.functions.set(1, HIR_FUNCTION.variableCount, 99),
    'VCT0326',
  ],
  [
    '003/H-1 a body that is no block',
    (hir) => hir.functions.set(1, HIR_FUNCTION.body, nodeOf(hir, 'while')),
    'VCT0326',
  ],
  [
    '003/H-10 a function type that is none',
    (hir) => hir.tables.functions.set(1, FUNCTION.type, 0),
    'VCT0326',
  ],
  ['003/H-10 a linkage that is none', (hir) => hir.tables.functions.set(1, FUNCTION.linkage, 9), 'VCT0326'],
];

test.each(FORGED)('%s', (_, change, expected) => {
  const faults = faultsOf(change);
  expect(faults[0], faults.join(', ')).toContain(expected);
});
