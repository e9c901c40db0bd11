/** Epochs of traits (002 §4, 005/L-1), and what lowering asks of the traits that it reads (005/L-4), on both cores. */

import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { lowerModule, parseHir, printHir, verifyHir } from '../../src/index.js';
import type { FunctionId, Node, Variable } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { NodeKind } from '../../src/ir/node-kinds.js';
import { HIR_NODE, HIR_VARIABLE, TRAIT_ENTRY, TRAIT_SET } from '../../src/ir/schema.js';
import { type TraitEntry, traitEntry } from '../../src/traits/trait-sets.js';
import { TRAITS, Trait, type TraitName } from '../../src/traits/trait-table.js';
import { comparedCore } from '../harness/native-core.js';

const CORES = [...new Set(['ts', comparedCore] as const)];

const TEXT = `module "m"
source "a.mini"

func @f(%n: i32, %p: ptr<i32> #[NonNull]) -> i32 export #[WillReturn] {
  var %x: i32 = add i32 (%n, 1) #[Range(0, 100)] !7:9
  return %x
}
`;

function hirOf(text = TEXT): HirModule {
  return parseHir(text);
}

/** The node of a kind; of operations, the first. */
function nodeOf(hir: HirModule, kind: number): Node {
  for (let node = 0; node < hir.nodes.length; node++)
    if (hir.kind(node as Node) === kind) return node as Node;
  throw new Error('no such node');
}

function failureOf(action: () => unknown): DiagnosticError {
  try {
    action();
  } catch (error) {
    if (error instanceof DiagnosticError) return error;
    throw error;
  }
  throw new Error('nothing failed');
}

/** What lowering says, which both cores say alike. */
function refusal(hir: HirModule): DiagnosticError {
  const errors = CORES.map((core) => failureOf(() => lowerModule(hir, core)));
  for (const error of errors) expect(error.message).toBe((errors[0] as DiagnosticError).message);
  for (const error of errors) expect(error.diagnostics[0]?.severity).toBe('internal');
  return errors[0] as DiagnosticError;
}

describe('002/T-9, 005/L-1 stale traits', () => {
  test('are not readable: node, traits and source line are named', () => {
    const hir = hirOf();
    const node = nodeOf(hir, NodeKind.operation);
    hir.epochs.touch('node', node);
    const error = failureOf(() => hir.traits(node));
    expect(error).toMatchObject({ code: 'VCT0510' });
    expect(error.message).toContain(`node ${node} (add)`);
    expect(error.message).toContain('ty, Range');
    expect(error.diagnostics[0]?.position).toMatchObject({ file: 'a.mini', line: 7, column: 9 });
  });

  test('are refused by lowering, wherever they are, and fine once they are stated anew', () => {
    const places = [
      ['node', (hir: HirModule) => nodeOf(hir, NodeKind.operation)],
      ['node', (hir: HirModule) => nodeOf(hir, NodeKind.return)],
      ['variable', () => 1 as Variable],
      ['variable', () => 2 as Variable],
      ['function', () => 0 as FunctionId],
    ] as const;
    for (const [owner, find] of places) {
      const hir = hirOf();
      const row = find(hir) as never;
      hir.epochs.touch(owner, row);
      hir.epochs.touch(owner, row);
      const error = refusal(hir);
      expect(error).toMatchObject({ code: 'VCT0510' });
      expect(error.message).toContain(hir.epochs.describe(owner, row));
      expect(error.message).toContain('stated in epoch 0');
      expect(error.message).toContain('epoch 2 since');
      expect(verifyHir(hir).map((fault) => fault.code)).toEqual(['VCT0510']);
      hir.epochs.restate(owner, row);
      expect(verifyHir(hir)).toEqual([]);
      for (const core of CORES) expect(() => lowerModule(hir, core)).not.toThrow();
    }
  });

  test('every node of every construct that is stale is seen by the verifier and by lowering', () => {
    const text = `module "m"

func @f(%n: i32) -> void {
  for {
    var %i: i32 = 0
  } while (icmp slt i32 (%i, %n)) step {
    %i = add i32 (%i, 1)
  } do {
    continue
  }
  while (icmp slt i32 (%n, 3)) {
    break
  }
  do {
    defer {
      %n = 4
    }
  } while (andalso (icmp slt i32 (%n, 3), true))
  if (icmp slt i32 (%n, 3)) {
  } else {
    switch (%n) {
    case 1 {
    }
    default {
    }
    }
  }
  return
}
`;
    for (let node = 0 as Node; node < hirOf(text).nodes.length; node++) {
      const hir = hirOf(text);
      hir.epochs.touch('node', node);
      expect(verifyHir(hir).map((fault) => fault.code)).toEqual(['VCT0510']);
      expect(refusal(hir)).toMatchObject({ code: 'VCT0510' });
    }
  });

  test('a touch makes one entity stale, and no other', () => {
    const hir = hirOf();
    const node = nodeOf(hir, NodeKind.operation);
    hir.epochs.touch('node', node);
    for (let other = 0; other < hir.nodes.length; other++)
      expect(hir.epochs.isStale('node', other as Node)).toBe(other === node);
    expect(hir.epochs.isStale('function', 0 as FunctionId)).toBe(false);
  });

  test('may be replaced as they are stated anew', () => {
    const hir = hirOf();
    const node = nodeOf(hir, NodeKind.operation);
    hir.epochs.touch('node', node);
    hir.epochs.restate('node', node, hir.tables.traitSets.intern([]));
    expect(hir.traits(node)).toBe(0);
    hir.epochs.touch('function', 0 as FunctionId);
    hir.epochs.restate('function', 0 as FunctionId, hir.tables.traitSets.intern([traitEntry(Trait.NoWrite)]));
    expect(printHir(hir)).toContain('export #[NoWrite]');
  });

  test('survive a text, as #stale[…]', () => {
    const text = TEXT.replace('#[NonNull]', '#stale[NonNull]')
      .replace('#[WillReturn] {', '#stale[WillReturn] {')
      .replace('%x: i32 =', '%x: i32 #stale[] =')
      .replace('#[Range(0, 100)]', '#stale[Range(0, 100)]')
      .replace('return %x', 'return %x with #stale[]');
    expect(printHir(parseHir(text))).toBe(text);
    expect(verifyHir(parseHir(text)).map((fault) => fault.code)).toEqual(Array(5).fill('VCT0510'));
  });
});

/** Traits that lowering reads: they decide a representation (005 §4.5) or make a region (005/L-35). */
const READ: readonly TraitName[] = [
  'isAddressed',
  'escapes',
  'isRuntimeMutable',
  'isVolatile',
  'isAtomic',
  'complex',
  'NoOptimize',
  'comptime',
];

function entryOf(name: TraitName): TraitEntry {
  const { payload } = TRAITS[Trait[name]] as { readonly payload: string };
  // Bounds of a Range are constants; the first two are in every module.
  const [a, b] = { count: [8, -1], ordering: [6, -1], range: [0, 1] }[payload] ?? [-1, -1];
  return traitEntry(Trait[name], a, b);
}

describe('005/L-4, 002/T-8 what lowering asks of the traits that it reads', () => {
  test('each of them stands in the mask of a set, which is what the core sees', () => {
    for (const name of READ) expect(Trait[name], name).toBeLessThan(32);
  });

  test.each(READ)('%s, stale on a variable, is refused and not taken for absent', (name) => {
    const hir = hirOf();
    hir.variables.set(2, HIR_VARIABLE.traits, hir.tables.traitSets.intern([entryOf(name)]));
    hir.epochs.touch('variable', 2 as Variable);
    const error = refusal(hir);
    expect(error).toMatchObject({ code: 'VCT0510' });
    expect(error.message).toContain(`variable %x`);
    expect(error.message).toContain(name);
  });

  /** Every trait with every kind of entity that may bear it. */
  const borne = TRAITS.flatMap((row) => {
    const owners = (row.hosts as readonly string[]).map((host) => {
      if (host === 'function') return 'function';
      if (host === 'global') return undefined;
      return host === 'variable' || host === 'parameter' ? 'variable' : 'node';
    });
    return [...new Set(owners)].flatMap((owner) =>
      owner === undefined ? [] : [[row.name as TraitName, owner] as const],
    );
  });

  test.each(borne)('%s on a %s, stale, names trait, entity and place', (name, owner) => {
    const hir = hirOf();
    const row = (owner === 'node' ? nodeOf(hir, NodeKind.operation) : owner === 'variable' ? 2 : 0) as never;
    hir.epochs.restate(owner, row, hir.tables.traitSets.intern([entryOf(name)]));
    hir.epochs.touch(owner, row);
    const error = refusal(hir);
    expect(error).toMatchObject({ code: 'VCT0510' });
    expect(error.message).toContain(name);
    expect(error.message).toContain(hir.epochs.describe(owner, row));
    expect(error.diagnostics[0]?.position).toBeDefined();
  });

  const pairs = TRAITS.flatMap((row) =>
    (row.contradicts as readonly TraitName[])
      .filter((other) => row.name < other)
      .map((other) => [row.name as TraitName, other] as const),
  );

  test.each(pairs)('%s and %s together are refused on a node, a variable and a function', (first, second) => {
    // The core sees the traits with a bit in the mask; it reads no others, and the verifiers judge those.
    if (Trait[first] >= 32 || Trait[second] >= 32) return;
    for (const owner of ['node', 'variable', 'function'] as const) {
      const hir = hirOf();
      const set = hir.tables.traitSets.intern([entryOf(first), entryOf(second)]);
      const row = (
        owner === 'node' ? nodeOf(hir, NodeKind.operation) : owner === 'variable' ? 2 : 0
      ) as never;
      hir.epochs.restate(owner, row, set);
      const error = refusal(hir);
      expect(error).toMatchObject({ code: 'VCT0511' });
      expect(error.message).toContain(first);
      expect(error.message).toContain(second);
      expect(error.message).toContain(hir.epochs.describe(owner, row));
    }
  });

  test('contradictory sets that nothing bears are nobody’s', () => {
    const hir = hirOf();
    hir.tables.traitSets.intern([entryOf('comptime'), entryOf('isVolatile')]);
    for (const core of CORES) expect(() => lowerModule(hir, core)).not.toThrow();
  });

  test.each(['isVolatile', 'isAtomic'] as const)(
    '%s without accesses that are so, and the other way round',
    (name) => {
      const hir = hirOf();
      hir.variables.set(2, HIR_VARIABLE.traits, hir.tables.traitSets.intern([entryOf(name)]));
      expect(refusal(hir)).toMatchObject({ code: 'VCT0512' });
      const other = hirOf();
      other.variables.set(2, HIR_VARIABLE.access, name === 'isVolatile' ? 8 : 6);
      expect(refusal(other).message).toContain('variable %x');
    },
  );

  test('isAddressed, missing where an address is taken, names node, trait and source line', () => {
    const hir = hirOf(TEXT.replace('return %x', 'store i32 (1, &%x !9:3)\n  return %x'));
    const error = refusal(hir);
    expect(error).toMatchObject({ code: 'VCT0513' });
    expect(error.message).toContain('isAddressed');
    expect(error.message).toContain('variable %x');
    expect(error.diagnostics[0]?.position).toMatchObject({ line: 9, column: 3 });
  });

  test('ty, missing on a node or a variable, is no type that the core would make up: entity, trait and line are named', () => {
    for (const type of [-1, 1_000_000]) {
      const hir = hirOf();
      const node = nodeOf(hir, NodeKind.operation);
      hir.nodes.set(node, HIR_NODE.type, type);
      const error = refusal(hir);
      expect(error).toMatchObject({ code: 'VCT0515' });
      expect(error.message).toContain(`node ${node} (add) lacks ty`);
      expect(error.diagnostics[0]?.position).toMatchObject({ file: 'a.mini', line: 7, column: 9 });
      const other = hirOf();
      other.variables.set(2, HIR_VARIABLE.type, type);
      expect(refusal(other).message).toContain('variable %x lacks ty');
    }
  });

  test('a trait set that is missing is not taken for the empty one', () => {
    const hir = hirOf();
    hir.nodes.set(nodeOf(hir, NodeKind.operation), HIR_NODE.traits, 1_000_000);
    expect(refusal(hir).message).toContain('(add) lacks its trait set');
    const other = hirOf();
    other.variables.set(2, HIR_VARIABLE.traits, -1);
    expect(refusal(other)).toMatchObject({ code: 'VCT0515' });
  });

  test('a forged row that lacks its type too is told by its table', () => {
    const hir = hirOf();
    const node = nodeOf(hir, NodeKind.operation);
    hir.nodes.set(node, HIR_NODE.type, -1);
    hir.nodes.set(node, HIR_NODE.a, 1_000_000);
    expect(refusal(hir)).toMatchObject({ code: 'VCT0500' });
  });

  test('isAtomic with another ordering than that of the accesses', () => {
    const hir = hirOf(TEXT.replace('%x: i32 =', '%x: i32 #[isAtomic(seq_cst)] ='));
    for (const core of CORES) expect(() => lowerModule(hir, core)).not.toThrow();
    hir.variables.set(2, HIR_VARIABLE.access, 2);
    expect(refusal(hir)).toMatchObject({ code: 'VCT0512' });
  });
});

test('005/L-1 what a rewrite has cut off and left stale is nobody’s', () => {
  const hir = hirOf();
  const stale = hir.addNode(NodeKind.block, hir.tables.types.void, -1, -1);
  hir.epochs.touch('node', stale);
  expect(verifyHir(hir)).toEqual([]);
  for (const core of CORES) expect(() => lowerModule(hir, core)).not.toThrow();
});

describe('001/A-14 forged tables that nothing verified', () => {
  test('a stale node of a kind that does not exist is told by its number', () => {
    const hir = hirOf();
    const node = nodeOf(hir, NodeKind.operation);
    hir.epochs.touch('node', node);
    hir.nodes.set(node, HIR_NODE.kind, 1234);
    expect(failureOf(() => hir.traits(node)).message).toContain('(kind 1234)');
  });

  test('a trait set that claims more entries than there are, of traits that do not exist, is told all the same', () => {
    const hir = hirOf();
    const variable = 2 as Variable;
    const { traitSets } = hir.tables;
    const set = traitSets.intern([entryOf('Range')]);
    hir.variables.set(variable, HIR_VARIABLE.traits, set);
    traitSets.rows.set(set, TRAIT_SET.entryCount, 2 ** 31 - 1);
    traitSets.entries.set(traitSets.rows.get(set, TRAIT_SET.firstEntry), TRAIT_ENTRY.trait, 999);
    hir.epochs.touch('variable', variable);
    expect(failureOf(() => hir.epochs.fail('variable', variable)).message).toContain('trait 999');
  });
});
