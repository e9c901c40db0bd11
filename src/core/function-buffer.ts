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

/** The scratch tables, reused from function to function. */
export class FunctionBuffer {
  readonly rowOpcode = new Words();
  readonly rowType = new Words();
  readonly rowOperandStart = new Words();
  readonly rowOperandCount = new Words();
  readonly rowAux = new Words();
  readonly rowName = new Words();
  readonly rowPosition = new Words();
  readonly rowTraits = new Words();
  readonly rowNode = new Words();
  /** The value that took the row's place, or NONE. */
  readonly rowForward = new Words();
  /** Next phi of the same block; only for phis. */
  readonly rowNextPhi = new Words();
  readonly operands = new Words();

  readonly blockFirstRow = new Words();
  readonly blockEndRow = new Words();
  readonly blockName = new Words();
  readonly blockPosition = new Words();
  readonly blockNode = new Words();
  readonly blockSealed = new Words();
  readonly blockPredecessorCount = new Words();
  readonly blockFirstIn = new Words();
  readonly blockLastIn = new Words();
  readonly blockFirstOut = new Words();
  readonly blockLastOut = new Words();
  readonly blockFirstPhi = new Words();
  readonly blockLastPhi = new Words();
  /** The dominator tree of the blocks that were started: see dominator-growth. */
  readonly blockDominator = new Words();
  readonly blockDepth = new Words();
  readonly blockJump = new Words();
  readonly blockStartTime = new Words();
  readonly blockEndTime = new Words();
  /** The header of the innermost loop that the block is in, or NONE. */
  readonly blockLoop = new Words();
  /** Blocks in the order in which they were started, which is the order of the output. */
  readonly startedBlocks = new Words();

  readonly edgeFrom = new Words();
  readonly edgeTo = new Words();
  /** The edge's place among the edges into its target, in the order of their making. */
  readonly edgeIndex = new Words();
  readonly edgeNextIn = new Words();
  readonly edgeNextOut = new Words();

  /** The block that is being filled, or NONE after a terminator. */
  current = NONE;
  /** Counts the starts and ends of blocks and the writes of variables. */
  clock = 0;
  /** The header of the innermost loop that is being filled, or NONE. */
  loop = NONE;
}

/** Empties the buffer for the next function and keeps its memory. */
export function clearBuffer(buffer: FunctionBuffer): void {
  for (const list of [
    buffer.rowOpcode,
    buffer.rowType,
    buffer.rowOperandStart,
    buffer.rowOperandCount,
    buffer.rowAux,
    buffer.rowName,
    buffer.rowPosition,
    buffer.rowTraits,
    buffer.rowNode,
    buffer.rowForward,
    buffer.rowNextPhi,
    buffer.operands,
    buffer.blockFirstRow,
    buffer.blockEndRow,
    buffer.blockName,
    buffer.blockPosition,
    buffer.blockNode,
    buffer.blockSealed,
    buffer.blockPredecessorCount,
    buffer.blockFirstIn,
    buffer.blockLastIn,
    buffer.blockFirstOut,
    buffer.blockLastOut,
    buffer.blockFirstPhi,
    buffer.blockLastPhi,
    buffer.blockDominator,
    buffer.blockDepth,
    buffer.blockJump,
    buffer.blockStartTime,
    buffer.blockEndTime,
    buffer.blockLoop,
    buffer.startedBlocks,
    buffer.edgeFrom,
    buffer.edgeTo,
    buffer.edgeIndex,
    buffer.edgeNextIn,
    buffer.edgeNextOut,
  ]) {
    list.length = 0;
  }
  buffer.current = NONE;
  buffer.clock = 0;
  buffer.loop = NONE;
}

/** Makes a block that has neither edges nor instructions yet. It is part of the output only once it is started. */
export function newBlock(buffer: FunctionBuffer, name: number, node: number, position: number): number {
  buffer.blockFirstRow.push(NONE);
  buffer.blockEndRow.push(NONE);
  buffer.blockPosition.push(position);
  buffer.blockNode.push(node);
  buffer.blockSealed.push(0);
  buffer.blockPredecessorCount.push(0);
  buffer.blockFirstIn.push(NONE);
  buffer.blockLastIn.push(NONE);
  buffer.blockFirstOut.push(NONE);
  buffer.blockLastOut.push(NONE);
  buffer.blockFirstPhi.push(NONE);
  buffer.blockLastPhi.push(NONE);
  buffer.blockDominator.push(NONE);
  buffer.blockDepth.push(0);
  buffer.blockJump.push(NONE);
  buffer.blockStartTime.push(NONE);
  buffer.blockEndTime.push(STILL_OPEN);
  buffer.blockLoop.push(NONE);
  return buffer.blockName.push(name);
}

/** Begins to fill a block. Requires that none is being filled. */
export function startBlock(buffer: FunctionBuffer, block: number): void {
  buffer.blockFirstRow.data[block] = buffer.rowOpcode.length;
  buffer.blockStartTime.data[block] = ++buffer.clock;
  buffer.blockLoop.data[block] = buffer.loop;
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
  buffer.rowType.push(type);
  buffer.rowOperandStart.push(buffer.operands.length);
  buffer.rowOperandCount.push(0);
  buffer.rowAux.push(aux);
  buffer.rowName.push(name);
  buffer.rowPosition.push(position);
  buffer.rowTraits.push(traits);
  buffer.rowNode.push(node);
  buffer.rowForward.push(NONE);
  buffer.rowNextPhi.push(NONE);
  return buffer.rowOpcode.push(opcode);
}

/** Appends an operand to the newest row. Requires that no other row got operands since. */
export function addOperand(buffer: FunctionBuffer, row: number, operand: number): void {
  buffer.operands.push(operand);
  (buffer.rowOperandCount.data[row] as number)++;
}

/** Ends the block that is being filled; its terminator is the newest row. */
export function endBlock(buffer: FunctionBuffer): void {
  buffer.blockEndRow.data[buffer.current] = buffer.rowOpcode.length;
  buffer.blockEndTime.data[buffer.current] = ++buffer.clock;
  buffer.current = NONE;
}

/**
 * Records the edge from the block being filled to `target`. Predecessors are distinct blocks (006 §2), so a second edge
 * between the same two is not recorded; all edges out of a block are made one after the other.
 */
export function addEdge(buffer: FunctionBuffer, target: number): void {
  const from = buffer.current;
  const lastIn = buffer.blockLastIn.data[target] as number;
  if (lastIn !== NONE && buffer.edgeFrom.data[lastIn] === from) return;
  const edge = buffer.edgeFrom.push(from);
  buffer.edgeTo.push(target);
  buffer.edgeIndex.push(buffer.blockPredecessorCount.data[target] as number);
  buffer.edgeNextIn.push(NONE);
  buffer.edgeNextOut.push(NONE);
  (buffer.blockPredecessorCount.data[target] as number)++;
  if (lastIn === NONE) buffer.blockFirstIn.data[target] = edge;
  else buffer.edgeNextIn.data[lastIn] = edge;
  buffer.blockLastIn.data[target] = edge;
  const lastOut = buffer.blockLastOut.data[from] as number;
  if (lastOut === NONE) buffer.blockFirstOut.data[from] = edge;
  else buffer.edgeNextOut.data[lastOut] = edge;
  buffer.blockLastOut.data[from] = edge;
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
  if (buffer.blockFirstPhi.data[block] === NONE) buffer.blockFirstPhi.data[block] = phi;
  else buffer.rowNextPhi.data[buffer.blockLastPhi.data[block] as number] = phi;
  buffer.rowNextPhi.data[phi] = NONE;
  buffer.blockLastPhi.data[block] = phi;
}

/** The value that stands for `value` now that trivial phis are gone. Shortens the path for later calls. */
export function resolve(buffer: FunctionBuffer, value: number): number {
  const forward = buffer.rowForward.data;
  let end = value;
  while (end >= 0 && forward[end] !== NONE) end = forward[end] as number;
  while (value >= 0 && value !== end) {
    const next = forward[value] as number;
    forward[value] = end;
    value = next;
  }
  return end;
}
