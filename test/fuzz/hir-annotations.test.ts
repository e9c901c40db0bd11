/**
 * Text carries what the tables hold: programs whose nodes bear traits and positions at random come back with each at the same node.
 * That text comes back as the same text proves less, for an annotation may be read as that of a neighbour.
 */

import { expect, test } from 'vitest';
import type { DiagnosticPosition } from '../../src/diag/diagnostic.js';
import { parseHir, printHir } from '../../src/hir/index.js';
import type { FunctionId, Node, PositionId, TraitSetId } from '../../src/ir/entities.js';
import { NONE } from '../../src/ir/entities.js';
import type { HirModule } from '../../src/ir/hir-module.js';
import { nodeKindRow } from '../../src/ir/node-kinds.js';
import { opcodeRow } from '../../src/ir/opcodes.js';
import { HIR_NODE } from '../../src/ir/schema.js';
import { traitEntry } from '../../src/traits/trait-sets.js';
import { Trait, traitRow } from '../../src/traits/trait-table.js';
import { readCases } from '../harness/case-file.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';

const seed = runSeed();

/** Gives each node one of a few positions and trait sets, or none. */
function annotate(hir: HirModule, random: Random): void {
  const { tables } = hir;
  const sets = [Trait.complex, Trait.NoUndef, Trait.ColdPath].map((trait) =>
    tables.traitSets.intern([traitEntry(trait)]),
  );
  const places = [1, 2, 3].map((line) => tables.addPosition(tables.names.intern('a.mini'), line, 1));
  for (let node = 0 as Node; node < hir.nodes.length; node++) {
    hir.nodes.set(node, HIR_NODE.traits, random.chance(20) ? random.pick(sets) : (0 as TraitSetId));
    const place = random.chance(30) ? random.pick(places) : (NONE as PositionId);
    hir.nodes.set(node, HIR_NODE.position, place);
  }
}

const shown = (place: DiagnosticPosition | undefined) =>
  place === undefined ? '-' : `${place.line}:${place.column}`;

/** One line a node, in the order of the tree: what it is, its traits and its position. */
function described(hir: HirModule): string[] {
  const lines: string[] = [];
  const { tables } = hir;
  for (let id = 0 as FunctionId; id < hir.functionCount; id++) {
    const stack = hir.hasBody(id) ? [hir.body(id)] : [];
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      const row = nodeKindRow(hir.kind(node));
      const name = row.a === 'opcode' ? opcodeRow(hir.a(node)).name : row.name;
      const traits = tables.traitSets.list(hir.traits(node)).map((entry) => traitRow(entry.trait).name);
      // Where the text says nothing, a node has the position of what it stands in.
      const place = tables.position(hir.nodes.get(node, HIR_NODE.position));
      lines.push(`${tables.functionName(id)} ${name} [${traits.join(' ')}] ${shown(place)}`);
      stack.push(...hir.children(node).reverse());
    }
  }
  return lines;
}

function expectSame(hir: HirModule, where: string): void {
  const text = printHir(hir);
  const again = parseHir(text);
  expect(described(again), where).toEqual(described(hir));
  expect(printHir(again), where).toBe(text);
}

test(`003/T-1 annotations come back at the nodes that bear them (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let index = 0; index < 6; index++) {
    const hir = randomModule(random, 10);
    annotate(hir, random);
    expectSame(hir, `module ${index}`);
  }
  const cases = readCases(`${import.meta.dirname}/../cases`).filter((item) => item.format === 'hir');
  for (const item of cases.filter(({ expected }) => expected.has('run'))) {
    const hir = parseHir(item.text);
    annotate(hir, random);
    expectSame(hir, item.name);
  }
});
