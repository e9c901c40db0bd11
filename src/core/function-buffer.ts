/**
 * One VIR function while lowering builds it. Twin: native/core/function-buffer.cc.
 *
 * Rows are instructions in the order of their making. A block is filled from its start to its terminator without a break, so
 * the rows of a block are one range; only phis are made later, and they stand in a list of their block instead. Values are
 * rows; a row that a trivial phi had is forwarded to the value that took its place. Nothing is moved before the function is
 * complete: `function-layout` then writes the final tables.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import { placeBlock, STILL_OPEN } from './dominator-growth.js';
import { Words } from './words.js';

/** Words of a row of the buffer, which stand together: a row is made and written out at once. */
export const BufferRow = {
  opcode: 0,
  type: 1,
  operandStart: 2,
  operandCount: 3,
  aux: 4,
  name: 5,
  position: 6,
  traits: 7,
  node: 8,
  /** The value that took the row's place, or NONE. */
  forward: 9,
  /** Next phi of the same block; only for phis. */
  nextPhi: 10,
  /** The number of the row in the output; known while the function is laid out. */
  final: 11,
  stride: 12,
} as const;

/** Words of a block of the buffer. */
export const BufferBlock = {
  firstRow: 0,
  endRow: 1,
  name: 2,
  position: 3,
  node: 4,
  sealed: 5,
  predecessorCount: 6,
  firstIn: 7,
  lastIn: 8,
  firstPhi: 9,
  lastPhi: 10,
  /** The dominator tree of the blocks that were started: see dominator-growth. */
  dominator: 11,
  depth: 12,
  jump: 13,
  startTime: 14,
  endTime: 15,
  /** The header of the innermost loop that the block is in, or NONE. */
  loop: 16,
  /** The number of the block in the output; known while the function is laid out. */
  final: 17,
  stride: 18,
} as const;

/** Words of an edge of the buffer; those into a block are a list, in the order of their making. */
export const BufferEdge = {
  from: 0,
  nextIn: 1,
  stride: 2,
} as const;

/** The scratch tables, reused from function to function. */
export class FunctionBuffer {
  readonly rows = new Words();
  readonly operands = new Words();
  readonly blocks = new Words();
  readonly edges = new Words();
  /** Blocks in the order in which they were started, which is the order of the output. */
  readonly startedBlocks = new Words();
  rowCount = 0;
  blockCount = 0;
  edgeCount = 0;

  /** The block that is being filled, or NONE after a terminator. */
  current = NONE;
  /** Counts the starts and ends of blocks and the writes of variables. */
  clock = 0;
  /** The header of the innermost loop that is being filled, or NONE. */
  loop = NONE;
}

/** A word of a row. */
export function getRow(buffer: FunctionBuffer, row: number, column: number): number {
  return buffer.rows.data[row * BufferRow.stride + column] as number;
}

export function setRow(buffer: FunctionBuffer, row: number, column: number, value: number): void {
  buffer.rows.data[row * BufferRow.stride + column] = value;
}

/** A word of a block. */
export function getBlock(buffer: FunctionBuffer, block: number, column: number): number {
  return buffer.blocks.data[block * BufferBlock.stride + column] as number;
}

export function setBlock(buffer: FunctionBuffer, block: number, column: number, value: number): void {
  buffer.blocks.data[block * BufferBlock.stride + column] = value;
}

/** A word of an edge. */
export function getEdge(buffer: FunctionBuffer, edge: number, column: number): number {
  return buffer.edges.data[edge * BufferEdge.stride + column] as number;
}

export function setEdge(buffer: FunctionBuffer, edge: number, column: number, value: number): void {
  buffer.edges.data[edge * BufferEdge.stride + column] = value;
}

/** Empties the buffer for the next function and keeps its memory. */
export function clearBuffer(buffer: FunctionBuffer): void {
  buffer.rows.length = 0;
  buffer.operands.length = 0;
  buffer.blocks.length = 0;
  buffer.edges.length = 0;
  buffer.startedBlocks.length = 0;
  buffer.rowCount = 0;
  buffer.blockCount = 0;
  buffer.edgeCount = 0;
  buffer.current = NONE;
  buffer.clock = 0;
  buffer.loop = NONE;
}

/** Makes a block that has neither edges nor instructions yet. It is part of the output only once it is started. */
export function newBlock(buffer: FunctionBuffer, name: number, node: number, position: number): number {
  const at = buffer.blocks.extend(BufferBlock.stride);
  const { data } = buffer.blocks;
  data.fill(NONE, at, at + BufferBlock.stride);
  data[at + BufferBlock.name] = name;
  data[at + BufferBlock.position] = position;
  data[at + BufferBlock.node] = node;
  data[at + BufferBlock.sealed] = 0;
  data[at + BufferBlock.predecessorCount] = 0;
  data[at + BufferBlock.depth] = 0;
  data[at + BufferBlock.endTime] = STILL_OPEN;
  return buffer.blockCount++;
}

/** Begins to fill a block. Requires that none is being filled. */
export function startBlock(buffer: FunctionBuffer, block: number): void {
  setBlock(buffer, block, BufferBlock.firstRow, buffer.rowCount);
  setBlock(buffer, block, BufferBlock.startTime, ++buffer.clock);
  setBlock(buffer, block, BufferBlock.loop, buffer.loop);
  buffer.startedBlocks.push(block);
  buffer.current = block;
  placeBlock(buffer, block);
}

/** Appends a row without operands and returns it. */
export function newRow(
  buffer: FunctionBuffer,
  opcode: number,
  type: number,
  aux: number,
  name: number,
  position: number,
  traits: number,
  node: number,
): number {
  const at = buffer.rows.extend(BufferRow.stride);
  const { data } = buffer.rows;
  data[at + BufferRow.opcode] = opcode;
  data[at + BufferRow.type] = type;
  data[at + BufferRow.operandStart] = buffer.operands.length;
  data[at + BufferRow.operandCount] = 0;
  data[at + BufferRow.aux] = aux;
  data[at + BufferRow.name] = name;
  data[at + BufferRow.position] = position;
  data[at + BufferRow.traits] = traits;
  data[at + BufferRow.node] = node;
  data[at + BufferRow.forward] = NONE;
  data[at + BufferRow.nextPhi] = NONE;
  data[at + BufferRow.final] = NONE;
  return buffer.rowCount++;
}

/** Appends an operand to the newest row. Requires that no other row got operands since. */
export function addOperand(buffer: FunctionBuffer, row: number, operand: number): void {
  buffer.operands.push(operand);
  setRow(buffer, row, BufferRow.operandCount, getRow(buffer, row, BufferRow.operandCount) + 1);
}

/** Ends the block that is being filled; its terminator is the newest row. */
export function endBlock(buffer: FunctionBuffer): void {
  setBlock(buffer, buffer.current, BufferBlock.endRow, buffer.rowCount);
  setBlock(buffer, buffer.current, BufferBlock.endTime, ++buffer.clock);
  buffer.current = NONE;
}

/**
 * Records the edge from the block being filled to `target`. Predecessors are distinct blocks (006 §2), so a second edge
 * between the same two is not recorded; all edges out of a block are made one after the other.
 */
export function addEdge(buffer: FunctionBuffer, target: number): void {
  const from = buffer.current;
  const lastIn = getBlock(buffer, target, BufferBlock.lastIn);
  if (lastIn !== NONE && getEdge(buffer, lastIn, BufferEdge.from) === from) return;
  const index = getBlock(buffer, target, BufferBlock.predecessorCount);
  const at = buffer.edges.extend(BufferEdge.stride);
  const { data } = buffer.edges;
  data[at + BufferEdge.from] = from;
  data[at + BufferEdge.nextIn] = NONE;
  const edge = buffer.edgeCount++;
  setBlock(buffer, target, BufferBlock.predecessorCount, index + 1);
  if (lastIn === NONE) setBlock(buffer, target, BufferBlock.firstIn, edge);
  else setEdge(buffer, lastIn, BufferEdge.nextIn, edge);
  setBlock(buffer, target, BufferBlock.lastIn, edge);
}

/** Makes a phi without operands in a block; `aux` is free for its maker until the layout. */
export function newPhi(
  buffer: FunctionBuffer,
  block: number,
  type: number,
  aux: number,
  name: number,
  position: number,
  traits: number,
  node: number,
): number {
  const phi = newRow(buffer, Opcode.phi, type, aux, name, position, traits, node);
  appendPhi(buffer, block, phi);
  return phi;
}

/** Puts a phi at the end of the list of a block. */
export function appendPhi(buffer: FunctionBuffer, block: number, phi: number): void {
  if (getBlock(buffer, block, BufferBlock.firstPhi) === NONE)
    setBlock(buffer, block, BufferBlock.firstPhi, phi);
  else setRow(buffer, getBlock(buffer, block, BufferBlock.lastPhi), BufferRow.nextPhi, phi);
  setRow(buffer, phi, BufferRow.nextPhi, NONE);
  setBlock(buffer, block, BufferBlock.lastPhi, phi);
}

/** The value that stands for `value` now that trivial phis are gone. Shortens the path for later calls. */
export function resolve(buffer: FunctionBuffer, value: number): number {
  if (value < 0 || getRow(buffer, value, BufferRow.forward) === NONE) return value;
  let end = value;
  while (end >= 0 && getRow(buffer, end, BufferRow.forward) !== NONE)
    end = getRow(buffer, end, BufferRow.forward);
  let passed = value;
  while (passed !== end) {
    const next = getRow(buffer, passed, BufferRow.forward);
    setRow(buffer, passed, BufferRow.forward, end);
    passed = next;
  }
  return end;
}
