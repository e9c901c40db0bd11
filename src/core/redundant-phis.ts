/**
 * Removes the phis that irreducible control flow leaves over, so that the result is minimal there too (005/L-16, L-19). Twin:
 * native/core/redundant-phis.cc.
 *
 * Braun 2013 §3.1: a set of phis is redundant when all their operands outside of the set are one value. Algorithm 5 of the paper finds such
 * sets as strongly connected components, and looks into each again without its rim; a chain of n phis that both ends feed has n / 2 rims,
 * so that costs n squared. Here the same sets are read off a dominator tree. Take the graph of values with an edge from each
 * operand to each phi that has it, and a root above the values that are no such phis. What a value strictly dominates gets nothing from
 * elsewhere, so it is a redundant set; and the one value from which a redundant set gets all dominates it. So exactly those phis stay that
 * only the root dominates, and any other is the value right below the root on its way up the tree. Near linear.
 *
 * Requires a function in which all blocks are sealed and all phis filled.
 */

import { NONE } from '../ir/entities.js';
import { computeDominators, type Dominators, makeDominators } from './dominators.js';
import { BufferRow, type FunctionBuffer, getRow, resolve, setRow } from './function-buffer.js';
import { finishGraph, type Graph, makeGraph } from './graph.js';
import type { SsaState } from './ssa.js';
import { Words } from './words.js';

/** The graph of values. Its node 0 is the root; then come the phis, then the other values. */
export class RedundantPhis {
  /** Per node, the value it is. */
  readonly values = new Words();
  /** Per row of the function and per constant of the module, the node it is, or NONE. */
  readonly nodeOfRow = new Words();
  readonly nodeOfConstant = new Words();
  /** The edges: from, to. */
  readonly edges = new Words();
  /** Per node, the value right below the root from which it gets all. */
  readonly tops = new Words();
}

/** Lists the phis of variables that are left. */
function collectPhiNodes(buffer: FunctionBuffer, state: SsaState, graph: RedundantPhis): number {
  graph.values.length = 0;
  graph.edges.length = 0;
  graph.values.push(NONE);
  graph.nodeOfRow.length = 0;
  graph.nodeOfRow.resize(buffer.rowCount, NONE);
  for (let row = 0; row < state.phiBlock.length; row++) {
    if (state.phiBlock.data[row] === NONE || getRow(buffer, row, BufferRow.forward) !== NONE) continue;
    graph.nodeOfRow.data[row] = graph.values.push(row);
  }
  return graph.values.length;
}

/** The node of a value; one that is no phi of a variable becomes a child of the root when it is first met. */
function nodeOf(graph: RedundantPhis, value: number): number {
  const list = value < 0 ? graph.nodeOfConstant : graph.nodeOfRow;
  const index = value < 0 ? -2 - value : value;
  list.resize(Math.max(list.length, index + 1), NONE);
  const known = list.data[index] as number;
  if (known !== NONE) return known;
  const node = graph.values.push(value);
  list.data[index] = node;
  graph.edges.push(0);
  graph.edges.push(node);
  return node;
}

/** Lists an edge from each operand to its phi. */
function collectEdges(buffer: FunctionBuffer, graph: RedundantPhis, phiEnd: number): void {
  for (let node = 1; node < phiEnd; node++) {
    const phi = graph.values.data[node] as number;
    const start = getRow(buffer, phi, BufferRow.operandStart);
    const count = getRow(buffer, phi, BufferRow.operandCount);
    for (let index = 0; index < count; index++) {
      const value = resolve(buffer, buffer.operands.data[start + index] as number);
      if (value === phi) continue;
      const from = nodeOf(graph, value);
      graph.edges.push(from);
      graph.edges.push(node);
    }
  }
}

/** Forgets which constants are nodes. */
function forgetConstants(graph: RedundantPhis, phiEnd: number): void {
  for (let node = phiEnd; node < graph.values.length; node++) {
    const value = graph.values.data[node] as number;
    if (value < 0) graph.nodeOfConstant.data[-2 - value] = NONE;
  }
}

/** The edges sorted by where they come from. */
function buildValueGraph(graph: RedundantPhis): Graph {
  const nodeCount = graph.values.length;
  const edgeCount = graph.edges.length / 2;
  const result = makeGraph(nodeCount, edgeCount);
  result.blockCount = nodeCount;
  const { successorStart, successors, cursor } = result;
  for (let edge = 0; edge < edgeCount; edge++)
    (successorStart[(graph.edges.data[2 * edge] as number) + 1] as number)++;
  for (let node = 0; node < nodeCount; node++) {
    (successorStart[node + 1] as number) += successorStart[node] as number;
    cursor[node] = successorStart[node] as number;
  }
  for (let edge = 0; edge < edgeCount; edge++) {
    const from = graph.edges.data[2 * edge] as number;
    successors[cursor[from] as number] = graph.edges.data[2 * edge + 1] as number;
    (cursor[from] as number)++;
  }
  finishGraph(result);
  return result;
}

/** Finds for every node the value right below the root that dominates it; NONE for a phi that no value reaches. */
function findTops(graph: RedundantPhis, dominators: Dominators, reachableCount: number): void {
  graph.tops.length = 0;
  graph.tops.resize(graph.values.length, NONE);
  for (let place = 1; place < reachableCount; place++) {
    const node = dominators.treeOrder[place] as number;
    const above = dominators.immediate[node] as number;
    graph.tops.data[node] = above === 0 ? node : (graph.tops.data[above] as number);
  }
}

/** Replaces every redundant phi of the function by the value that it always has. */
export function removeRedundantPhis(buffer: FunctionBuffer, state: SsaState, graph: RedundantPhis): void {
  const phiEnd = collectPhiNodes(buffer, state, graph);
  collectEdges(buffer, graph, phiEnd);
  forgetConstants(graph, phiEnd);
  const valueGraph = buildValueGraph(graph);
  const dominators = makeDominators(graph.values.length);
  computeDominators(dominators, valueGraph);
  findTops(graph, dominators, valueGraph.reachableCount);
  for (let node = 1; node < phiEnd; node++) {
    const top = graph.tops.data[node] as number;
    if (top === node) continue;
    const phi = graph.values.data[node] as number;
    const variable = getRow(buffer, phi, BufferRow.aux);
    const undef = state.variableUndef.data[variable] as number;
    setRow(buffer, phi, BufferRow.forward, top === NONE ? undef : (graph.values.data[top] as number));
  }
}
