/**
 * The control-flow graph of one function: distinct successors and predecessors, and the orders in which a depth-first
 * walk from the entry meets and leaves the blocks. Twin: native/core/graph.cc.
 *
 * Parallel edges count once. Successors stand in the order of the terminator, predecessors ascending. Linear.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { VIR_BLOCK, VIR_INSTRUCTION } from '../ir/schema.js';
import {
  blockColumn,
  type FunctionRows,
  instructionColumn,
  instructionOpcode,
  operandsOf,
  type VirTables,
} from './function-rows.js';

/** A control-flow graph, and the memory to build the next one. Arrays may be longer than what is in use. */
export interface Graph {
  blockCount: number;
  /** Where control comes in; block 0 in a function of VIR. */
  entry: number;
  /** Block b has successors[successorStart[b] .. successorStart[b + 1]). */
  readonly successorStart: Int32Array;
  readonly successors: Int32Array;
  readonly predecessorStart: Int32Array;
  readonly predecessors: Int32Array;
  /** How many blocks control can reach. */
  reachableCount: number;
  /** Reachable blocks as the walk first meets them; the inverse, NONE for unreachable blocks. */
  readonly preorder: Int32Array;
  readonly preorderIndex: Int32Array;
  /** Per block, the block from which the walk came. */
  readonly parent: Int32Array;
  /** Reachable blocks, each before its successors except along retreating edges; the inverse. */
  readonly reversePostorder: Int32Array;
  readonly reversePostorderIndex: Int32Array;
  /** Scratch. */
  readonly stack: Int32Array;
  readonly cursor: Int32Array;
}

/** Memory for graphs of up to so many blocks and edges. */
export function makeGraph(blockCapacity: number, edgeCapacity: number): Graph {
  return {
    blockCount: 0,
    entry: 0,
    successorStart: new Int32Array(blockCapacity + 1),
    successors: new Int32Array(edgeCapacity),
    predecessorStart: new Int32Array(blockCapacity + 1),
    predecessors: new Int32Array(edgeCapacity),
    reachableCount: 0,
    preorder: new Int32Array(blockCapacity),
    preorderIndex: new Int32Array(blockCapacity),
    parent: new Int32Array(blockCapacity),
    reversePostorder: new Int32Array(blockCapacity),
    reversePostorderIndex: new Int32Array(blockCapacity),
    stack: new Int32Array(blockCapacity),
    cursor: new Int32Array(blockCapacity),
  };
}

/** Builds the graph of a function. Requires rows that `validateVir` accepted. */
export function buildGraph(graph: Graph, tables: VirTables, rows: FunctionRows): void {
  graph.blockCount = rows.blockCount;
  graph.cursor.fill(NONE, 0, rows.blockCount);
  let edgeCount = 0;
  for (let block = 0; block < rows.blockCount; block++) {
    graph.successorStart[block] = edgeCount;
    edgeCount = collectSuccessors(graph, tables, rows, block, edgeCount);
  }
  graph.successorStart[rows.blockCount] = edgeCount;
  finishGraph(graph);
}

/** Appends the distinct successors of a block and returns the new number of edges. */
function collectSuccessors(
  graph: Graph,
  tables: VirTables,
  rows: FunctionRows,
  block: number,
  edgeCount: number,
): number {
  const last =
    blockColumn(tables, rows, block, VIR_BLOCK.firstInstruction) +
    blockColumn(tables, rows, block, VIR_BLOCK.instructionCount) -
    1;
  const opcode = instructionOpcode(tables, rows, last);
  if (opcode === Opcode.ret || opcode === Opcode.unreachable) return edgeCount;
  const start = operandsOf(tables, rows, last);
  const count = instructionColumn(tables, rows, last, VIR_INSTRUCTION.operandCount);
  const step = opcode === Opcode.switch ? 2 : 1;
  for (let index = opcode === Opcode.br ? 0 : 1; index < count; index += step) {
    const target = tables.operands[start + index] as number;
    if (graph.cursor[target] === block) continue;
    graph.cursor[target] = block;
    graph.successors[edgeCount++] = target;
  }
  return edgeCount;
}

/** Completes a graph of which `blockCount`, `successorStart` and `successors` are set. */
export function finishGraph(graph: Graph): void {
  collectPredecessors(graph);
  walkGraph(graph);
}

/** Predecessor lists by counting; ascending because the blocks are gone through in order. */
function collectPredecessors(graph: Graph): void {
  const { blockCount, successorStart, successors, predecessorStart, predecessors, cursor } = graph;
  const edgeCount = successorStart[blockCount] as number;
  predecessorStart.fill(0, 0, blockCount + 1);
  for (let edge = 0; edge < edgeCount; edge++)
    (predecessorStart[(successors[edge] as number) + 1] as number)++;
  for (let block = 0; block < blockCount; block++) {
    predecessorStart[block + 1] =
      (predecessorStart[block + 1] as number) + (predecessorStart[block] as number);
    cursor[block] = predecessorStart[block] as number;
  }
  for (let block = 0; block < blockCount; block++) {
    const end = successorStart[block + 1] as number;
    for (let edge = successorStart[block] as number; edge < end; edge++) {
      const successor = successors[edge] as number;
      predecessors[cursor[successor] as number] = block;
      (cursor[successor] as number)++;
    }
  }
}

/** Depth-first walk from the entry with an explicit stack. */
function walkGraph(graph: Graph): void {
  const { blockCount, entry, successorStart, successors, preorder, preorderIndex, parent, stack, cursor } =
    graph;
  preorderIndex.fill(NONE, 0, blockCount);
  graph.reversePostorderIndex.fill(NONE, 0, blockCount);
  let met = 0;
  let left = 0;
  let depth = 0;
  preorder[met] = entry;
  preorderIndex[entry] = met++;
  parent[entry] = NONE;
  cursor[entry] = successorStart[entry] as number;
  stack[depth++] = entry;
  while (depth > 0) {
    const block = stack[depth - 1] as number;
    const edge = cursor[block] as number;
    if (edge === successorStart[block + 1]) {
      graph.reversePostorder[left++] = block;
      depth--;
      continue;
    }
    cursor[block] = edge + 1;
    const successor = successors[edge] as number;
    if (preorderIndex[successor] !== NONE) continue;
    preorder[met] = successor;
    preorderIndex[successor] = met++;
    parent[successor] = block;
    cursor[successor] = successorStart[successor] as number;
    stack[depth++] = successor;
  }
  graph.reachableCount = met;
  graph.reversePostorder.subarray(0, met).reverse();
  for (let index = 0; index < met; index++)
    graph.reversePostorderIndex[graph.reversePostorder[index] as number] = index;
}

/** Whether control can reach a block from the entry. */
export function isReachable(graph: Graph, block: number): boolean {
  return graph.preorderIndex[block] !== NONE;
}
