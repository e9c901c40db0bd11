import { describe, expect, it } from 'vitest';
import { computeDominators, dominates, makeDominators } from '../../src/core/dominators.js';
import { placeInstructions, readFunctionRows } from '../../src/core/function-rows.js';
import { buildGraph, finishGraph, type Graph, makeGraph } from '../../src/core/graph.js';
import { collectUses, isLiveAfter, makeLiveness } from '../../src/core/liveness.js';
import { computeLoops, makeLoops } from '../../src/core/loops.js';
import { phiOperand, phisOf, readOperands, successorsOf } from '../../src/core/out-of-ssa-checker.js';
import { type Block, type Inst, NONE } from '../../src/ir/entities.js';
import { VIR_FUNCTION } from '../../src/ir/schema.js';
import type { VirFunction } from '../../src/ir/vir-module.js';
import { parseVir } from '../../src/vir/parser.js';
import { randomFunction, randomNumbers } from '../harness/random-vir.js';

type Edges = readonly (readonly number[])[];

function graphOf(edges: Edges): Graph {
  const graph = makeGraph(edges.length, edges.flat().length);
  graph.blockCount = edges.length;
  let count = 0;
  edges.forEach((targets, block) => {
    graph.successorStart[block] = count;
    for (const target of targets) graph.successors[count++] = target;
  });
  graph.successorStart[edges.length] = count;
  finishGraph(graph);
  return graph;
}

/** Every graph of `size` blocks with at most two ordered successors each. */
function* allGraphs(size: number): Generator<Edges> {
  const choices: number[][] = [[]];
  for (let first = 0; first < size; first++) {
    choices.push([first]);
    for (let second = 0; second < size; second++) if (second !== first) choices.push([first, second]);
  }
  const total = choices.length ** size;
  for (let number = 0; number < total; number++) {
    let rest = number;
    yield Array.from({ length: size }, () => {
      const choice = choices[rest % choices.length] as number[];
      rest = Math.floor(rest / choices.length);
      return choice;
    });
  }
}

function* randomGraphs(count: number): Generator<Edges> {
  const random = randomNumbers(4711);
  for (let round = 0; round < count; round++) {
    const size = 5 + random(12);
    yield Array.from({ length: size }, () => [
      ...new Set(Array.from({ length: random(4) }, () => random(size))),
    ]);
  }
}

/** The blocks that can be reached without going through `removed`, as a bit set. */
function reachWithout(edges: Edges, removed: number): number {
  let met = 0;
  const work = removed === 0 ? [] : [0];
  while (work.length > 0) {
    const block = work.pop() as number;
    if (met & (1 << block)) continue;
    met |= 1 << block;
    for (const target of edges[block] as number[]) if (target !== removed) work.push(target);
  }
  return met;
}

/** The orders of a depth-first walk, by recursion. */
function recursiveOrders(edges: Edges): { readonly pre: number[]; readonly reversePost: number[] } {
  const pre: number[] = [];
  const post: number[] = [];
  const visit = (block: number): void => {
    pre.push(block);
    for (const target of edges[block] as number[]) if (!pre.includes(target)) visit(target);
    post.push(block);
  };
  visit(0);
  return { pre, reversePost: post.reverse() };
}

function checkGraph(edges: Edges): void {
  const graph = graphOf(edges);
  const { pre, reversePost } = recursiveOrders(edges);
  const orders = [graph.preorder, graph.reversePostorder].map((list) => [...list.subarray(0, pre.length)]);
  if (JSON.stringify([graph.reachableCount, ...orders]) !== JSON.stringify([pre.length, pre, reversePost]))
    expect.fail(`orders of ${JSON.stringify(edges)}: ${JSON.stringify(orders)}`);
  for (let block = 0; block < edges.length; block++) {
    const start = graph.predecessorStart[block] as number;
    const found = [...graph.predecessors.subarray(start, graph.predecessorStart[block + 1])];
    const expected = edges.flatMap((targets, from) => (targets.includes(block) ? [from] : []));
    if (found.join() !== expected.join()) expect.fail(`predecessors of ${block} in ${JSON.stringify(edges)}`);
  }
}

function checkDominators(edges: Edges): void {
  const graph = graphOf(edges);
  const dominators = makeDominators(edges.length);
  computeDominators(dominators, graph);
  const reached = reachWithout(edges, NONE);
  for (let above = 0; above < edges.length; above++) {
    const others = reachWithout(edges, above);
    for (let below = 0; below < edges.length; below++) {
      const isAbove = (reached >> above) & 1 && (reached >> below) & 1 && !((others >> below) & 1);
      if (dominates(dominators, above, below) !== Boolean(isAbove))
        expect.fail(`${above} dominates ${below} in ${JSON.stringify(edges)}?`);
    }
  }
  for (let place = 1; place < graph.reachableCount; place++) {
    const block = dominators.treeOrder[place] as number;
    const above = dominators.immediate[block] as number;
    // The immediate dominator is the last strict one on the way down the tree.
    if (!dominates(dominators, above, block) || above === block) expect.fail(JSON.stringify(edges));
    for (let other = 0; other < edges.length; other++)
      if (other !== block && dominates(dominators, other, block) && !dominates(dominators, other, above))
        expect.fail(`immediate dominator of ${block} in ${JSON.stringify(edges)}`);
  }
}

interface LoopFacts {
  readonly outer: number[];
  readonly isHeader: number[];
  readonly isIrreducible: number[];
}

/** Loops by definition: strongly connected regions; the header is what the walk meets first; then those within without it. */
function loopsByDefinition(edges: Edges, preorder: readonly number[]): LoopFacts {
  const size = edges.length;
  const facts: LoopFacts = {
    outer: new Array(size).fill(NONE),
    isHeader: new Array(size).fill(0),
    isIrreducible: new Array(size).fill(0),
  };
  const reachesWithin = (from: number, blocks: readonly number[]): Set<number> => {
    const met = new Set<number>();
    const work = (edges[from] as number[]).filter((target) => blocks.includes(target));
    while (work.length > 0) {
      const block = work.pop() as number;
      if (met.has(block)) continue;
      met.add(block);
      work.push(...(edges[block] as number[]).filter((target) => blocks.includes(target)));
    }
    return met;
  };
  const nest = (blocks: readonly number[], outer: number): void => {
    const reach = new Map(blocks.map((block) => [block, reachesWithin(block, blocks)]));
    const rest = new Set(blocks);
    for (const header of preorder) {
      if (!rest.has(header)) continue;
      const region = blocks.filter((block) => reach.get(header)?.has(block) && reach.get(block)?.has(header));
      facts.outer[header] = outer;
      rest.delete(header);
      if (!region.includes(header)) continue;
      facts.isHeader[header] = 1;
      const isEntered = preorder.some(
        (from) =>
          !region.includes(from) &&
          (edges[from] as number[]).some((to) => region.includes(to) && to !== header),
      );
      facts.isIrreducible[header] = isEntered ? 1 : 0;
      for (const block of region) rest.delete(block);
      nest(
        region.filter((block) => block !== header),
        header,
      );
    }
  };
  nest(preorder, NONE);
  return facts;
}

function checkLoops(edges: Edges): void {
  const graph = graphOf(edges);
  const loops = makeLoops(edges.length);
  computeLoops(loops, graph);
  const expected = loopsByDefinition(edges, [...graph.preorder.subarray(0, graph.reachableCount)]);
  const found: LoopFacts = {
    outer: [...loops.outer],
    isHeader: [...loops.isHeader],
    isIrreducible: [...loops.isIrreducible],
  };
  if (JSON.stringify(found) !== JSON.stringify(expected))
    expect.fail(`${JSON.stringify(edges)}: ${JSON.stringify(found)}, not ${JSON.stringify(expected)}`);
  for (let block = 0; block < edges.length; block++) {
    let depth = expected.isHeader[block] as number;
    for (let at = expected.outer[block] as number; at !== NONE; at = expected.outer[at] as number) depth++;
    if (loops.depth[block] !== depth) expect.fail(`depth of ${block} in ${JSON.stringify(edges)}`);
  }
}

describe('control-flow analyses', () => {
  for (const size of [1, 2, 3, 4]) {
    it(`are right on all graphs of ${size} blocks`, () => {
      for (const edges of allGraphs(size)) {
        checkGraph(edges);
        checkDominators(edges);
        checkLoops(edges);
      }
    });
  }

  it('are right on random graphs', () => {
    for (const edges of randomGraphs(3000)) {
      checkGraph(edges);
      checkDominators(edges);
      checkLoops(edges);
    }
  });

  it('do not recurse: 300,000 nested loops and a chain of as many blocks', () => {
    const size = 300_000;
    const chain = graphOf(Array.from({ length: size }, (_, block) => (block + 1 < size ? [block + 1] : [])));
    const dominators = makeDominators(size);
    computeDominators(dominators, chain);
    expect(dominates(dominators, 1, size - 1)).toBe(true);
    // Headers 0 .. n-1, then latches that go back to their headers, innermost first.
    const half = size / 2;
    const nest = graphOf(
      Array.from({ length: size }, (_, block) => {
        const header = size - 1 - block;
        if (block < half) return [block + 1];
        return block + 1 < size ? [header, block + 1] : [header];
      }),
    );
    const loops = makeLoops(size);
    computeLoops(loops, nest);
    expect(loops.depth[half]).toBe(half);
    computeDominators(dominators, nest);
    expect(dominators.immediate[size - 1]).toBe(size - 2);
  });
});

/** Whether a use of `value` can be reached from after `position` without passing its definition: liveness by definition. */
function isLiveByDefinition(view: VirFunction, value: number, block: Block, position: number): boolean {
  const met = new Set<number>();
  const work: [Block, number][] = [[block, position + 1]];
  while (work.length > 0) {
    const [current, from] = work.pop() as [Block, number];
    let isKilled = false;
    for (let inst = from as Inst; inst < view.blockEnd(current) && !isKilled; inst++) {
      if (readOperands(view, inst).includes(value as never)) return true;
      isKilled = inst === value;
    }
    for (const successor of isKilled ? [] : successorsOf(view, current)) {
      if (phisOf(view, successor).some((phi) => phiOperand(view, phi, current) === (value as number)))
        return true;
      if (met.has(successor) || phisOf(view, successor).includes(value as Inst)) continue;
      met.add(successor);
      work.push([successor, view.blockStart(successor)]);
    }
  }
  return false;
}

describe('liveness on demand', () => {
  it('agrees with its definition on random functions', () => {
    const text = Array.from({ length: 250 }, (_, seed) => randomFunction(`f${seed}`, seed + 90_000, 10));
    const vir = parseVir(`module "m"\n${text.join('')}`);
    const tables = {
      instructions: vir.instructions.view(),
      operands: vir.operands.view(),
      blocks: vir.blocks.view(),
      functions: vir.functions.view(),
    };
    let questions = 0;
    for (const view of vir.definedFunctions()) {
      const rows = readFunctionRows(tables, view.id);
      const graph = makeGraph(rows.blockCount, rows.operandCount);
      buildGraph(graph, tables, rows);
      const dominators = makeDominators(rows.blockCount);
      computeDominators(dominators, graph);
      const blockOf = new Int32Array(rows.instructionCount);
      placeInstructions(tables, rows, blockOf);
      const loops = makeLoops(rows.blockCount);
      computeLoops(loops, graph);
      const flow = { graph, dominators, loops, blockOf };
      const all = new Int32Array(rows.instructionCount).fill(1);
      const liveness = makeLiveness(rows.instructionCount, rows.operandCount, rows.blockCount);
      collectUses(liveness, tables, rows, graph, all, all);
      for (let value = 0; value < rows.instructionCount; value++) {
        for (let at = rows.parameterCount; at < rows.instructionCount; at++) {
          const [above, below] = [blockOf[value] as Block, blockOf[at] as Block];
          if (!dominates(dominators, above, below) || (above === below && value >= at)) continue;
          questions++;
          const found = isLiveAfter(liveness, flow, value, below, at);
          if (found !== isLiveByDefinition(view, value, below, at))
            expect.fail(`${view.name}: value ${value} after ${at}: ${found}`);
        }
      }
    }
    expect(questions).toBeGreaterThan(20_000);
    expect(vir.functions.get(0, VIR_FUNCTION.parameterCount)).toBe(3);
  });
});
