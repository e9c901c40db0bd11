/** 012: the analyses as authors use them, against the definitions, on both cores. `VCT_GRAPHS` sets how many random graphs there are. */

import { describe, expect, test } from 'vitest';
import {
  type AnalysisOptions,
  type Copy,
  DiagnosticError,
  dominanceFrontiers,
  dominatorTree,
  type FlowGraph,
  flowOrder,
  loopForest,
  parseVir,
  sequentializeCopies,
} from '../../src/index.js';
import type { FunctionId } from '../../src/ir/entities.js';
import { allGraphs, randomGraph } from '../harness/flow-graphs.js';
import {
  dominatedBy,
  type Edges,
  frontiersOf,
  loopsOf,
  preorderOf,
  reachedFrom,
} from '../harness/graph-facts.js';
import { comparedCore } from '../harness/native-core.js';
import { Random, runSeed } from '../harness/random.js';

const seed = runSeed();
const graphCount = Number(process.env.VCT_GRAPHS ?? 1500);

/** Everything that the analyses say of a graph. */
function factsOf(graph: FlowGraph, options: AnalysisOptions) {
  const { dominates: _, ...tree } = dominatorTree(graph, options);
  return {
    ...tree,
    order: flowOrder(graph, options),
    loops: loopForest(graph, options),
    frontiers: dominanceFrontiers(graph, options),
  };
}

const listOf = ({ start, items }: { start: Int32Array; items: Int32Array }, block: number) => [
  ...items.subarray(start[block], start[block + 1]),
];

function checkGraph(edges: Edges, entry: number): void {
  const graph = { successors: edges, entry };
  const where = JSON.stringify(graph);
  const facts = factsOf(graph, { core: 'ts' });
  expect(factsOf(graph, { core: comparedCore }), where).toEqual(facts);
  const { order, loops } = facts;
  const reached = reachedFrom(edges, entry);
  expect(new Set(order.reversePostorder), where).toEqual(reached);
  const met = preorderOf(edges, entry);
  expect([...order.preorderIndex], where).toEqual(edges.map((_, block) => met.indexOf(block)));
  const isBefore = (from: number, to: number) =>
    (order.reversePostorderIndex[from] as number) < (order.reversePostorderIndex[to] as number);
  const dominated = dominatedBy(edges, entry);
  const tree = dominatorTree(graph, { core: 'ts' });
  for (const [block, targets] of edges.entries()) {
    const own = dominated[block] as ReadonlySet<number>;
    for (let other = 0; other < edges.length; other++)
      if (tree.dominates(block, other) !== own.has(other))
        expect.fail(`${block} dominates ${other}? ${where}`);
    const predecessors = edges.flatMap((list, from) => (list.includes(block) ? [from] : []));
    expect(listOf(order.predecessors, block), where).toEqual(predecessors);
    const above = facts.immediate[block] as number;
    if (!reached.has(block) || block === entry) expect(above, where).toBe(-1);
    else {
      // No other strict dominator is below the immediate one.
      const strict = edges.flatMap((_, other) =>
        other !== block && dominated[other]?.has(block) ? [other] : [],
      );
      expect(strict.includes(above) && strict.every((other) => dominated[other]?.has(above)), where).toBe(
        true,
      );
    }
    // An edge back in the reverse postorder leads to a block that the walk had met.
    if (reached.has(block))
      for (const to of targets)
        if (!isBefore(block, to)) expect(met.indexOf(to), where).toBeLessThanOrEqual(met.indexOf(block));
  }
  expect(
    edges.map((_, block) => listOf(facts.frontiers, block)),
    where,
  ).toEqual(frontiersOf(edges, entry));
  checkLoops(edges, entry, loops, where);
}

function checkLoops(edges: Edges, entry: number, found: ReturnType<typeof loopForest>, where: string): void {
  const loops = loopsOf(edges, entry);
  expect(found.isReducible, where).toBe(loops.every(({ isIrreducible }) => !isIrreducible));
  for (let block = 0; block < edges.length; block++) {
    const around = loops.filter(({ blocks }) => blocks.has(block));
    expect(found.depth[block], where).toBe(around.length);
    const own = loops.find(({ header }) => header === block);
    expect(found.isHeader[block], where).toBe(own === undefined ? 0 : 1);
    expect(found.isIrreducible[block], where).toBe(own?.isIrreducible === true ? 1 : 0);
    const outer = around.filter(({ header }) => header !== block);
    const innermost = outer.sort((left, right) => left.blocks.size - right.blocks.size)[0];
    expect(found.header[block], where).toBe(innermost?.header ?? -1);
  }
}

describe('012/N-1 012/N-2 012/N-3 012/N-6 graphs', () => {
  for (const size of [1, 2, 3])
    test(`of ${size} blocks, every one, with every entry`, () => {
      for (const edges of allGraphs(size))
        for (let entry = 0; entry < size; entry++) checkGraph(edges, entry);
    });

  test(`of 4 blocks, every one of ${process.env.VCT_GRAPHS === undefined ? 'a seventh' : 'all'}`, () => {
    let number = 0;
    for (const edges of allGraphs(4))
      if (process.env.VCT_GRAPHS !== undefined || number++ % 7 === seed % 7) checkGraph(edges, seed % 4);
  }, 3_000_000);

  test(`at random, ${graphCount} of them (seed ${seed})`, () => {
    let irreducible = 0;
    for (let index = 0; index < graphCount; index++) {
      const random = new Random((seed + 49_979_687 * index) >>> 0);
      const edges = randomGraph(random);
      const entry = random.chance(70) ? 0 : random.below(edges.length);
      checkGraph(edges, entry);
      if (!loopForest({ successors: edges, entry }).isReducible) irreducible++;
    }
    console.log(`${graphCount} graphs, ${irreducible} irreducible`);
    expect(irreducible).toBeGreaterThan(graphCount / 4);
  }, 20_000_000);

  test('of 300,000 blocks need no call stack', () => {
    const size = 300_000;
    const successors = Array.from({ length: size }, (_, block) => (block + 1 < size ? [block + 1, 0] : [0]));
    for (const core of ['ts', comparedCore] as const) {
      const { depth } = loopForest({ successors }, { core });
      expect(depth[size - 1]).toBe(1);
      expect(dominatorTree({ successors }, { core }).dominates(7, size - 1)).toBe(true);
      expect(dominanceFrontiers({ successors }, { core }).items.length).toBe(size);
    }
  });
});

test('012/N-1 a graph in typed arrays, and a function of VIR', () => {
  const start = Int32Array.of(0, 2, 3, 4, 4);
  const items = Int32Array.of(1, 2, 3, 3);
  expect([...dominatorTree({ successors: { start, items } }).immediate]).toEqual([-1, 0, 0, 0]);
  const vir = parseVir(`func @f(%c: i1) -> void {
entry:
  condbr %c, %left, %right
left:
  br %join
right:
  br %join
join:
  ret void
}`);
  const view = vir.function(0 as FunctionId);
  expect([...dominatorTree(view).immediate]).toEqual([-1, 0, 0, 0]);
  expect([...flowOrder(view).reversePostorder]).toEqual([0, 2, 1, 3]);
});

/** Where each variable's value comes from after the moves, and how many temporaries were alive at once. */
function run(moves: Int32Array, variables: number): number[] {
  const held = new Map<number, number>();
  const read = (place: number) => held.get(place) ?? place;
  for (let at = 0; at < moves.length; at += 2) held.set(moves[at] as number, read(moves[at + 1] as number));
  return Array.from({ length: variables }, (_, variable) => read(variable));
}

/** One for each copy, and one for each cycle from which nothing else is copied. */
function fewest(copies: readonly Copy[]): number {
  const sources = new Map(copies.filter(([to, from]) => to !== from));
  const readers = new Map<number, number>();
  for (const source of sources.values()) readers.set(source, (readers.get(source) ?? 0) + 1);
  let cycles = 0;
  const seen = new Set<number>();
  for (const start of sources.keys()) {
    const path: number[] = [];
    let at: number | undefined = start;
    while (at !== undefined && !seen.has(at)) {
      seen.add(at);
      path.push(at);
      at = sources.get(at);
    }
    const cycle = at === undefined || !path.includes(at) ? [] : path.slice(path.indexOf(at));
    if (cycle.length > 0 && cycle.every((variable) => readers.get(variable) === 1)) cycles++;
  }
  return sources.size + cycles;
}

test(`012/N-4 012/N-6 random copies of up to 40 variables become the fewest moves (seed ${seed})`, () => {
  const random = new Random(seed);
  for (let round = 0; round < 3000; round++) {
    const variables = 1 + random.below(40);
    const copies: Copy[] = [];
    for (let to = 0; to < variables; to++)
      if (random.chance(80)) copies.push([to, random.below(random.chance(50) ? variables : to + 1)]);
    const moves = sequentializeCopies(copies, { core: 'ts' });
    expect(sequentializeCopies(copies, { core: comparedCore })).toEqual(moves);
    const wanted = new Map(copies);
    expect(run(moves, variables)).toEqual(
      Array.from({ length: variables }, (_, variable) => wanted.get(variable) ?? variable),
    );
    expect(moves.length / 2, JSON.stringify(copies)).toBe(fewest(copies));
  }
});

test('012/N-4 a permutation becomes moves through one temporary', () => {
  expect([...sequentializeCopies([[0, 1], [1, 0]])]).toEqual([-1, 0, 0, 1, 1, -1]); // biome-ignore format: pairs
  expect([...sequentializeCopies(Int32Array.of(2, 2))]).toEqual([]);
  expect([...sequentializeCopies([[0x7fffffff, 0x7ffffffe]])]).toEqual([0x7fffffff, 0x7ffffffe]);
});

describe('012/N-5 what is malformed is told', () => {
  const codeOf = (use: () => unknown): string => {
    try {
      use();
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const [first] = error.diagnostics;
      return `${first?.code} ${first?.message}`;
    }
    return 'nothing';
  };
  const graph = (successors: unknown, entry = 0) => ({ successors, entry }) as FlowGraph;
  const lists = (start: number[], items: number[]) => ({
    start: Int32Array.from(start),
    items: Int32Array.from(items),
  });
  const cases: [string, FlowGraph, RegExp][] = [
    [
      'a successor that is no block',
      graph([[1], [2]]),
      /VCT0516 .*block 1 leads to 2, and there are 2 blocks/,
    ],
    ['a negative successor', graph([[-1]]), /VCT0516 .*block 0 leads to -1/],
    ['a successor with a fraction', graph([[0.5]]), /VCT0516 .*0\.5 is no 32-bit integer/],
    ['a successor past 32 bits', graph([[2 ** 32]]), /VCT0516 .*4294967296 is no 32-bit integer/],
    ['an entry that is no block', graph([[]], 1), /VCT0516 .*its entry is 1, and it has 1 blocks/],
    ['an entry with a fraction', graph([[]], 0.5), /VCT0516 .*its entry is 0\.5/],
    ['no blocks', graph([]), /VCT0516 .*it has 0 blocks/],
    ['lists that go back', graph(lists([0, 2, 1, 2], [0, 0])), /VCT0516 .*at block 1/],
    ['lists that do not begin', graph(lists([1, 2], [0, 0])), /VCT0516 .*at block 0/],
    ['lists that end early', graph(lists([0, 1], [0, 0])), /VCT0516 .*at block 1/],
    ['no lists', graph(undefined), /VCT0516 .*neither lists nor Int32Arrays/],
    ['an array that was taken away', graph(detached()), /VCT0516 .*it has 0 blocks/],
  ];
  function detached() {
    const start = Int32Array.of(0, 0);
    structuredClone(start.buffer, { transfer: [start.buffer] });
    return { start, items: new Int32Array(0) };
  }
  for (const [name, malformed, message] of cases)
    test(name, () => {
      for (const core of ['ts', comparedCore] as const)
        expect(codeOf(() => dominatorTree(malformed, { core }))).toMatch(message);
    });
  const copies: [string, Int32Array | Copy[], RegExp][] = [
    ['a variable that is set twice', [[0, 1], [0, 2]], /VCT0517 .*copy 1 sets variable 0 once more/], // biome-ignore format: pairs
    ['a negative variable', [[0, -3]], /VCT0517 .*copy 0 names variable -3/],
    ['half a pair', Int32Array.of(0, 1, 2), /VCT0517 .*the last pair has no source/],
    ['a fraction', [[0, 1.5]], /VCT0517 .*1\.5 is no 32-bit integer/],
  ];
  for (const [name, malformed, message] of copies)
    test(name, () => {
      for (const core of ['ts', comparedCore] as const)
        expect(codeOf(() => sequentializeCopies(malformed, { core }))).toMatch(message);
    });
});
