/** 012: liveness as authors ask for it, against its definition, on both cores. `VCT_GRAPHS` sets how many random graphs there are. */

import { describe, expect, test } from 'vitest';
import {
  type BlockLists,
  DiagnosticError,
  liveness,
  lowerModule,
  parseVir,
  type ValueFlow,
} from '../../src/index.js';
import type { FunctionId } from '../../src/ir/entities.js';
import { Opcode } from '../../src/ir/opcodes.js';
import { allGraphs, randomGraph } from '../harness/flow-graphs.js';
import {
  dominatedBy,
  type Edges,
  isAliveAfter,
  isAliveBefore,
  reachedFrom,
  type ValueFacts,
} from '../harness/graph-facts.js';
import { blocksOf, instructionsOf, successorsOf } from '../harness/lowered.js';
import { comparedCore } from '../harness/native-core.js';
import { Random, runSeed } from '../harness/random.js';
import { randomModule } from '../harness/random-program.js';

const seed = runSeed();
const graphCount = Number(process.env.VCT_GRAPHS ?? 1000);

const listOf = ({ start, items }: BlockLists, block: number) => [
  ...items.subarray(start[block], start[block + 1]),
];

function flowOf(edges: Edges, entry: number, values: readonly ValueFacts[]): ValueFlow {
  return {
    successors: edges,
    entry,
    definitions: values.map(({ definition }) => definition),
    uses: values.map(({ uses, endUses }) => [...uses, ...endUses.map((block) => ~block)]),
  };
}

function checkValues(edges: Edges, entry: number, values: readonly ValueFacts[]): number {
  const flow = flowOf(edges, entry, values);
  const found = liveness(flow, { core: 'ts' });
  const other = liveness(flow, { core: comparedCore });
  const where = () => JSON.stringify(flow);
  for (const set of ['liveIn', 'liveOut'] as const) expect(other[set], where()).toEqual(found[set]);
  const reached = reachedFrom(edges, entry);
  let alive = 0;
  for (let block = 0; block < edges.length; block++) {
    const sets = [found.liveIn, found.liveOut].map((set) => listOf(set, block));
    const wanted = [isAliveBefore, isAliveAfter].map((isAlive) =>
      values.flatMap((value, at) => (reached.has(block) && isAlive(edges, value, block) ? [at] : [])),
    );
    if (JSON.stringify(sets) !== JSON.stringify(wanted))
      expect(sets, `${block} of ${where()}`).toEqual(wanted);
    alive += wanted.flat().length;
  }
  return alive;
}

/** Every value of a graph with one use, and with all the uses that it can have. */
function allValues(edges: Edges, entry: number): ValueFacts[] {
  const unreachable = edges.flatMap((_, block) => (reachedFrom(edges, entry).has(block) ? [] : [block]));
  return dominatedBy(edges, entry).flatMap((dominated, definition) => {
    const blocks = [...dominated];
    return [
      ...blocks.map((block) => ({ definition, uses: [block], endUses: [] })),
      ...blocks.map((block) => ({ definition, uses: [], endUses: [block] })),
      { definition, uses: [...blocks, ...unreachable], endUses: [...blocks, ...unreachable] },
    ];
  });
}

function randomValues(random: Random, edges: Edges, entry: number): ValueFacts[] {
  const dominated = dominatedBy(edges, entry).map((blocks) => [...blocks]);
  return Array.from({ length: 1 + random.below(30) }, () => {
    const definition = random.below(edges.length);
    const blocks = dominated[definition] as number[];
    const some = () =>
      blocks.length === 0 ? [] : Array.from({ length: random.below(4) }, () => random.pick(blocks));
    return { definition, uses: some(), endUses: some() };
  });
}

describe('012/N-7 012/N-6 what is alive', () => {
  for (const size of [1, 2, 3])
    test(`in every graph of ${size} blocks, with every entry`, () => {
      for (const edges of allGraphs(size))
        for (let entry = 0; entry < size; entry++) checkValues(edges, entry, allValues(edges, entry));
    });

  test(`in ${process.env.VCT_GRAPHS === undefined ? 'a seventh' : 'all'} of the graphs of 4 blocks`, () => {
    let number = 0;
    for (const edges of allGraphs(4))
      if (process.env.VCT_GRAPHS !== undefined || number++ % 7 === seed % 7)
        checkValues(edges, seed % 4, allValues(edges, seed % 4));
  }, 3_000_000);

  test(`in ${graphCount} random graphs (seed ${seed})`, () => {
    let alive = 0;
    for (let index = 0; index < graphCount; index++) {
      const random = new Random((seed + 49_979_687 * index) >>> 0);
      const edges = randomGraph(random);
      const entry = random.chance(70) ? 0 : random.below(edges.length);
      alive += checkValues(edges, entry, randomValues(random, edges, entry));
    }
    expect(alive).toBeGreaterThan(10 * graphCount);
  }, 20_000_000);

  test(`in the functions of random programs (seed ${seed})`, () => {
    let phis = 0;
    for (let index = 0; index < 4; index++) {
      const vir = lowerModule(randomModule(new Random((seed + 15_485_863 * index) >>> 0), 3), 'ts');
      for (const view of vir.definedFunctions()) {
        const edges = blocksOf(view).map((block) => successorsOf(view, block));
        const values = Array.from({ length: view.instructionCount }, () => ({
          definition: 0,
          uses: [] as number[],
          endUses: [] as number[],
        }));
        for (const block of blocksOf(view)) {
          for (const inst of instructionsOf(view, block)) {
            const opcode = view.opcode(inst);
            const isPhi = opcode === Opcode.phi;
            const isBranch = opcode === Opcode.condbr || opcode === Opcode.switch;
            const count = opcode === Opcode.br ? 0 : isBranch ? 1 : view.operandCount(inst);
            (values[inst] as { definition: number }).definition = block;
            if (isPhi) phis++;
            for (let at = 0; at < count; at += isPhi ? 2 : 1) {
              const value = values[view.rawOperand(inst, at)];
              if (isPhi) value?.endUses.push(view.rawOperand(inst, at + 1));
              else value?.uses.push(block);
            }
          }
        }
        checkValues(edges, 0, values);
        for (const core of ['ts', comparedCore] as const) {
          const { liveIn, liveOut } = liveness(view, { core });
          const given = liveness(flowOf(edges, 0, values), { core: 'ts' });
          expect({ liveIn, liveOut }).toEqual({ liveIn: given.liveIn, liveOut: given.liveOut });
        }
      }
    }
    expect(phis).toBeGreaterThan(4);
  });

  test('of 200,000 blocks needs no call stack, and no time for what is not alive', () => {
    const size = 200_000;
    const successors = Array.from({ length: size }, (_, block) => (block + 1 < size ? [block + 1, 0] : [0]));
    const definitions = Int32Array.from({ length: size }, (_, value) => value);
    const uses = successors.map((_, value) => [Math.min(value + 1, size - 1)]);
    (uses[0] as number[]).push(~(size - 1));
    for (const core of ['ts', comparedCore] as const) {
      const { liveIn, isLiveIn, isLiveOut } = liveness({ successors, definitions, uses }, { core });
      expect(liveIn.items.length).toBe(2 * size - 3);
      expect([isLiveIn(0, 0), isLiveIn(0, 9), isLiveOut(0, size - 1), isLiveIn(7, 9)]).toEqual([
        false,
        true,
        true,
        false,
      ]);
    }
  });
});

test('012/N-7 the operand of a phi is alive at the end of where it comes from, and the phi from the head of its block on', () => {
  const vir = parseVir(`func @f(%c: i1, %a: i32) -> i32 {
entry:
  condbr %c, %left, %right
left:
  %b = add i32 %a, 1
  br %join
right:
  br %join
join:
  %p = phi i32 [ %b, %left ], [ %a, %right ]
  ret i32 %p
}`);
  const { liveIn, liveOut, isLiveIn, isLiveOut } = liveness(vir.function(0 as FunctionId));
  // 0 is c, 1 a, 3 b and 6 p.
  expect([0, 1, 2, 3].map((block) => listOf(liveIn, block))).toEqual([[], [1], [1], []]);
  expect([0, 1, 2, 3].map((block) => listOf(liveOut, block))).toEqual([[1], [3], [1], []]);
  expect([isLiveIn(1, 2), isLiveOut(3, 1), isLiveIn(1, 99), isLiveOut(-1, 0)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

describe('012/N-5 values that are malformed are told', () => {
  const diamond = [[1, 2], [3], [3], []]; // biome-ignore format: pairs
  const flow = (definitions: unknown, uses: unknown, successors: unknown = diamond) =>
    ({ successors, definitions, uses }) as ValueFlow;
  const lists = (start: number[], items: number[]) => ({
    start: Int32Array.from(start),
    items: Int32Array.from(items),
  });
  const cases: [string, ValueFlow, RegExp][] = [
    [
      'a use beside the definition',
      flow([1], [[1, 2]]),
      /VCT0518 .*value 0 is used in 2, which its definition does not dominate/,
    ],
    [
      'a use of nothing',
      flow([0, -1], [[], [~3]]),
      /VCT0518 .*value 1 is used at the end of 3, which its definition/,
    ],
    ['a definition in no block', flow([4], [[]]), /VCT0518 .*value 0 is defined in 4, which is no block/],
    ['a use in no block', flow([0, 0], [[], [4]]), /VCT0518 .*value 1 is used in 4, which is no block/],
    [
      'a use at the end of no block',
      flow([0], [[~4]]),
      /VCT0518 .*value 0 is used at the end of 4, which is no block/,
    ],
    ['more uses than definitions', flow([0], [[], []]), /VCT0518 .*1 definitions, and uses of 2 values/],
    ['lists that go back', flow([0, 0], lists([0, 2, 1], [0])), /VCT0518 .*at value 1/],
    ['lists that end early', flow([0], lists([0, 1], [0, 0])), /VCT0518 .*at value 1/],
    ['lists that do not begin', flow([0], lists([1, 1], [0])), /VCT0518 .*at value 0/],
    ['no lists at all', flow([0], lists([], [])), /VCT0518 .*1 definitions, and uses of 0 values/],
    ['a fraction', flow([0.5], [[]]), /VCT0518 .*0\.5 is no 32-bit integer/],
    ['no definitions', flow(undefined, [[]]), /VCT0518 .*the definitions are neither/],
    ['no uses', flow([0], undefined), /VCT0518 .*the uses are neither/],
    ['a number for a list', flow([0], [3]), /VCT0518 .*the uses hold no list at 0/],
    ['a graph that is none', flow([0], [[]], [[7]]), /VCT0516 .*block 0 leads to 7/],
  ];
  for (const [name, malformed, message] of cases)
    test(name, () => {
      for (const core of ['ts', comparedCore] as const) {
        const act = () => liveness(malformed, { core });
        expect(act).toThrow(DiagnosticError);
        try {
          act();
        } catch (error) {
          const [first] = (error as DiagnosticError).diagnostics;
          expect(`${first?.code} ${first?.message}`).toMatch(message);
        }
      }
    });
});
