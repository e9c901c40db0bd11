/**
 * The analyses of the core for authors who bring an IR of their own, and for functions of VIR (012). Graphs and copies go in as arrays,
 * typed or plain, and typed arrays come out, which belong to the caller. One call of the core each; blocks and variables count from 0.
 */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import { type Block, NONE } from '../ir/entities.js';
import { type CoreFault, GRAPH_BLOCK, LoopFlag } from '../ir/schema.js';
import { VirFunction } from '../ir/vir-module.js';
import { analyseGraph, graphInputCount, graphOutputCount } from './analyse-graph.js';
import { callCore, guarded } from './border.js';
import { coreEntry } from './native.js';
import { copiesInputCount, copiesOutputCount, orderCopies } from './order-copies.js';
import { successorsOf } from './out-of-ssa-checker.js';

const graphTwin = guarded(analyseGraph, graphInputCount, graphOutputCount);
const copiesTwin = guarded(orderCopies, copiesInputCount, copiesOutputCount);

/** A list for each block, one behind the other: that of block b is `items` from `start[b]` to before `start[b + 1]`. */
export interface BlockLists {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

/** A control-flow graph: the successors of each block, and where control comes in (block 0 if not said). Parallel edges count once. */
export interface FlowGraph {
  readonly successors: readonly (readonly number[])[] | BlockLists;
  readonly entry?: number;
}

/** What may be asked of the analyses. */
export interface AnalysisOptions {
  /** Which core does the work; `auto` if not said. */
  readonly core?: CoreChoice;
}

/** The orders of a graph. */
export interface FlowOrder {
  /** The blocks that control reaches, each before its successors except along edges back into a loop. */
  readonly reversePostorder: Int32Array;
  /** Per block, its place in `reversePostorder`; -1 where control does not come. */
  readonly reversePostorderIndex: Int32Array;
  /** Per block, its place in the preorder of the same walk; -1 where control does not come. */
  readonly preorderIndex: Int32Array;
  /** Per block, the distinct blocks that lead to it, ascending. */
  readonly predecessors: BlockLists;
}

/** The dominator tree of a graph. */
export interface DominatorTree {
  /** Per block, its immediate dominator; -1 for the entry and where control does not come. */
  readonly immediate: Int32Array;
  /** The blocks that control reaches in preorder of the tree. */
  readonly preorder: Int32Array;
  /** Per block, its place in `preorder` and the last place of what it dominates; -1 where control does not come. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** Whether every way from the entry to `below` leads through `above`; a block dominates itself. False where control does not come. O(1). */
  dominates(above: number, below: number): boolean;
}

/** The loops of a graph. A loop is named by its header, the block of it that a walk from the entry meets first. */
export interface LoopForest {
  /** Per block, the header of the innermost loop around it that it does not itself head, or -1. */
  readonly header: Int32Array;
  /** Per block, how many loops it is in. */
  readonly depth: Int32Array;
  /** Per block, 1 when it heads a loop. */
  readonly isHeader: Uint8Array;
  /** Per block, 1 when it heads a loop that can also be entered elsewhere. */
  readonly isIrreducible: Uint8Array;
  /** Whether no loop can be entered anywhere but at its header. */
  readonly isReducible: boolean;
}

/** One copy or move: the destination, and the source. */
export type Copy = readonly [destination: number, source: number];

/** Orders in which a walk from the entry meets the blocks, and the predecessors. Linear. Errors: VCT0516, VCT0501. */
export function flowOrder(graph: FlowGraph | VirFunction, options: AnalysisOptions = {}): FlowOrder {
  const found = analyse(graph, options, false);
  return {
    reversePostorder: found.reversePostorder,
    reversePostorderIndex: columnOf(found.blocks, GRAPH_BLOCK.reversePostorder),
    preorderIndex: columnOf(found.blocks, GRAPH_BLOCK.preorder),
    predecessors: found.predecessors,
  };
}

/**
 * The dominator tree (Lengauer and Tarjan 1979). O(m log n) for n blocks and m edges at most, linear in practice, without recursion.
 * Errors: VCT0516 for a malformed graph, VCT0501 where the native core is asked for and cannot be had.
 */
export function dominatorTree(graph: FlowGraph | VirFunction, options: AnalysisOptions = {}): DominatorTree {
  const { blocks, treeOrder } = analyse(graph, options, false);
  const first = columnOf(blocks, GRAPH_BLOCK.treeFirst);
  const last = columnOf(blocks, GRAPH_BLOCK.treeLast);
  const dominates = (above: number, below: number) => {
    const place = first[below] ?? NONE;
    const start = first[above] ?? NONE;
    return place !== NONE && start !== NONE && place >= start && place <= (last[above] as number);
  };
  return { immediate: columnOf(blocks, GRAPH_BLOCK.dominator), preorder: treeOrder, first, last, dominates };
}

/**
 * The dominance frontiers: for each block those that it does not strictly dominate, but one of whose predecessors it dominates, ascending
 * (Cooper, Harvey, Kennedy 2001). Costs what it gives, which can be quadratic, and the edges. Errors: as `dominatorTree`.
 */
export function dominanceFrontiers(
  graph: FlowGraph | VirFunction,
  options: AnalysisOptions = {},
): BlockLists {
  return analyse(graph, options, true).frontiers;
}

/** The loop forest, of any graph (Wei, Mao, Zou, Chen 2007). Linear in practice, without recursion. Errors: as `dominatorTree`. */
export function loopForest(graph: FlowGraph | VirFunction, options: AnalysisOptions = {}): LoopForest {
  const { blocks } = analyse(graph, options, false);
  const flags = columnOf(blocks, GRAPH_BLOCK.loopFlags);
  const isIrreducible = Uint8Array.from(flags, (flag) => ((flag & LoopFlag.irreducible) === 0 ? 0 : 1));
  return {
    header: columnOf(blocks, GRAPH_BLOCK.loopHeader),
    depth: columnOf(blocks, GRAPH_BLOCK.loopDepth),
    isHeader: Uint8Array.from(flags, (flag) => flag & LoopFlag.header),
    isIrreducible,
    isReducible: !isIrreducible.includes(1),
  };
}

/**
 * The fewest moves, one after the other, that do what the copies do at once (Boissinot 2009, algorithm 1): one a copy, copies of a variable
 * to itself none, and one more for each cycle on which no other copy hangs. -1 is a temporary; one is enough. `pairs` holds destination and
 * source of each copy, in a typed array one behind the other; so does what is given back. Linear in the copies.
 * Errors: VCT0517 for a destination that is set twice, a number that is no variable, or half a pair; VCT0501.
 */
export function sequentializeCopies(
  pairs: Int32Array | readonly Copy[],
  options: AnalysisOptions = {},
): Int32Array {
  const flat = pairs instanceof Int32Array ? pairs : integers(pairs.flat(), 'VCT0517');
  if (flat.length % 2 !== 0) fail('VCT0517', { detail: 'the last pair has no source' });
  const { numbers, variables } = numberVariables(flat);
  const count = flat.length / 2;
  const destinations = Int32Array.from({ length: count }, (_, copy) => numbers[2 * copy] as number);
  const sources = Int32Array.from({ length: count }, (_, copy) => numbers[2 * copy + 1] as number);
  const entry = coreEntry(options.core ?? 'auto', 'orderCopies', copiesTwin);
  const room = count + (count >> 1);
  const { outputs } = callCore(
    entry,
    ['destinations', 'sources', 'request'],
    [destinations, sources, Int32Array.of(variables.length)],
    [room, room],
    1,
    (fault, _, copy) => explainCopies(fault, flat, copy),
  );
  const [to, from] = outputs as unknown as readonly [Int32Array, Int32Array];
  const moves = new Int32Array(2 * to.length);
  for (let move = 0; move < to.length; move++) {
    moves[2 * move] = variables[to[move] as number] ?? NONE;
    moves[2 * move + 1] = variables[from[move] as number] ?? NONE;
  }
  return moves;
}

/** Numbers the variables from 0 in the order in which they are met, so that a large one costs no more than a small one. */
function numberVariables(flat: Int32Array): { numbers: Int32Array; variables: readonly number[] } {
  const numberOf = new Map<number, number>();
  const numbers = new Int32Array(flat.length);
  for (const [at, variable] of flat.entries()) {
    if (variable < 0) fail('VCT0517', { detail: `copy ${at >> 1} names variable ${variable}` });
    const known = numberOf.get(variable);
    numbers[at] = known ?? numberOf.size;
    if (known === undefined) numberOf.set(variable, numberOf.size);
  }
  return { numbers, variables: [...numberOf.keys()] };
}

function explainCopies(fault: CoreFault, flat: Int32Array, copy: number): void {
  if (fault === 'shape')
    fail('VCT0517', { detail: `copy ${copy} sets variable ${flat[2 * copy]} once more` });
}

/** What says that lists are malformed. */
type ListCode = 'VCT0516' | 'VCT0517' | 'VCT0518';

interface GraphFacts {
  readonly blocks: Int32Array;
  readonly reversePostorder: Int32Array;
  readonly treeOrder: Int32Array;
  readonly predecessors: BlockLists;
  readonly frontiers: BlockLists;
}

/** One call of the core for everything. */
function analyse(
  graph: FlowGraph | VirFunction,
  { core = 'auto' }: AnalysisOptions,
  wantsFrontiers: boolean,
): GraphFacts {
  const [start, items, entry] = readGraphLists(graph);
  const blockCount = start.length - 1;
  const sizes = [blockCount * GRAPH_BLOCK.stride, blockCount, blockCount, blockCount + 1, items.length];
  const { outputs } = callCore(
    coreEntry(core, 'analyseGraph', graphTwin),
    ['start', 'successors', 'request'],
    [start, items, Int32Array.of(entry, wantsFrontiers ? 1 : 0)],
    [...sizes, blockCount + 1, wantsFrontiers ? 2 * blockCount : 0],
    1,
    (fault, table, row) => explainGraph(fault, table, row, start, items),
  );
  const [blocks, reversePostorder, treeOrder, predecessorStart, predecessors, frontierStart, frontiers] =
    outputs as unknown as readonly [
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
      Int32Array,
    ];
  return {
    blocks,
    reversePostorder,
    treeOrder,
    predecessors: { start: predecessorStart, items: predecessors },
    frontiers: { start: frontierStart, items: frontiers },
  };
}

/** Where the successors of each block begin, the successors, and the entry, which is checked. */
export function readGraphLists(graph: FlowGraph | VirFunction): [Int32Array, Int32Array, number] {
  const { start, items } =
    graph instanceof VirFunction ? listsOf(graph) : typedLists(graph.successors, 'VCT0516', 'its successors');
  const blockCount = Math.max(0, start.length - 1);
  const entry = graph instanceof VirFunction ? 0 : (graph.entry ?? 0);
  if (!Number.isInteger(entry) || entry < 0 || entry >= blockCount)
    fail('VCT0516', { detail: `its entry is ${entry}, and it has ${blockCount} blocks` });
  return [start, items, entry];
}

/** Fails with what is wrong with a graph, where the words of the author can say it. */
export function explainGraph(
  fault: CoreFault,
  table: number,
  row: number,
  start: Int32Array,
  items: Int32Array,
): void {
  if (fault === 'shape')
    fail('VCT0516', { detail: `the lists of its successors do not follow one another at block ${row}` });
  if (fault !== 'index' || table !== 1) return;
  let block = 0;
  while ((start[block + 1] as number) <= row) block++;
  fail('VCT0516', {
    detail: `block ${block} leads to ${items[row]}, and there are ${start.length - 1} blocks`,
  });
}

/** Lists that an author gives, as two arrays. Typed ones are taken as they are, and are not written. */
export function typedLists(
  given: BlockLists | readonly (readonly number[])[],
  code: ListCode,
  what: string,
): BlockLists {
  if (Array.isArray(given)) {
    const lists = given as readonly (readonly number[])[];
    const start = new Int32Array(lists.length + 1);
    for (const [at, items] of lists.entries()) {
      if (!Array.isArray(items)) fail(code, { detail: `${what} hold no list at ${at}` });
      start[at + 1] = (start[at] as number) + items.length;
    }
    return { start, items: integers(lists.flat(), code) };
  }
  const { start, items } = (given ?? {}) as Partial<BlockLists>;
  if (start instanceof Int32Array && items instanceof Int32Array) return { start, items };
  return fail(code, { detail: `${what} are neither lists nor Int32Arrays` });
}

/** Numbers as an Int32Array, which would take the fraction and the high bits from them without a word. */
export function integers(numbers: readonly number[], code: ListCode): Int32Array {
  for (const number of numbers)
    if ((number | 0) !== number) fail(code, { detail: `${number} is no 32-bit integer` });
  return Int32Array.from(numbers);
}

/** The successors of each block of a function. */
function listsOf(view: VirFunction): BlockLists {
  const start = new Int32Array(view.blockCount + 1);
  const items: number[] = [];
  for (let block = 0 as Block; block < view.blockCount; block++) {
    for (const target of successorsOf(view, block)) items.push(target);
    start[block + 1] = items.length;
  }
  return { start, items: Int32Array.from(items) };
}

function columnOf(blocks: Int32Array, column: number): Int32Array {
  const result = new Int32Array(blocks.length / GRAPH_BLOCK.stride);
  for (let block = 0; block < result.length; block++)
    result[block] = blocks[block * GRAPH_BLOCK.stride + column] as number;
  return result;
}
