/**
 * SSA construction while the tree is walked (005 §4.4). Twin: native/core/ssa.cc.
 *
 * Braun, Buchwald, Hack, Leißa, Mallon, Zwinkau: "Simple and Efficient Construction of Static Single Assignment Form"
 * (CC 2013), §2.1-2.3: lazily placed phis, incomplete phis in unsealed blocks, removal of trivial phis. The paper recurses; here a phi
 * is recorded as the definition before its operands are read, so the reading can wait on a work list, and no depth of the graph
 * reaches the call stack. A phi whose operands are still to come is never taken for trivial.
 *
 * There are two ways to read a variable, which place the same phis. The general one is the paper's: a map from (block, variable) to
 * the value at the end of the block, with an entry for each block that a read passes; quadratic where many variables live across many
 * joins. The structured one keeps no entry for a block that changes nothing: it asks the writes of the variable and the dominator tree
 * where a phi must stand, at a cost of O(log n) a read, and the map holds phis alone.
 *
 * The structured way knows loops by their headers, so functions with labels and gotos take the general one; `redundant-phis` then removes
 * what only irreducible control flow makes.
 *
 * Variables are counted within their function.
 */

import { NONE } from '../ir/entities.js';
import { highestOpenAt } from './dominator-growth.js';
import {
  BufferBlock,
  BufferEdge,
  BufferRow,
  type FunctionBuffer,
  getBlock,
  getEdge,
  getRow,
  newPhi,
  resolve,
  setBlock,
  setRow,
} from './function-buffer.js';
import { Words } from './words.js';
import {
  appendWrite,
  clearWrites,
  latestWrite,
  rememberRead,
  WriteLists,
  writeUpTo,
  writingLoop,
} from './write-lists.js';

/** Words of an entry of the current-definition map; they stand together, so that a look costs one cache line. */
const MapEntry = { stamp: 0, block: 1, variable: 2, value: 3, stride: 4 } as const;

/** What construction keeps for one function. */
export class SsaState {
  /** Per variable of the function: what its phis get. */
  readonly variableType = new Words();
  readonly variableName = new Words();
  readonly variablePosition = new Words();
  readonly variableTraits = new Words();
  readonly variableNode = new Words();
  readonly variableUndef = new Words();

  /** The current-definition map: open addressing; an entry counts only when its stamp is that of the function. */
  map = new Int32Array(64 * MapEntry.stride);
  mapCount = 0;
  stamp = 0;

  /** Phis of sealed blocks whose operands are still to be read. */
  readonly pendingPhis = new Words();
  /** Per row, the first and last cell in the list of phis that use it. */
  readonly firstUser = new Words();
  readonly lastUser = new Words();
  readonly userPhi = new Words();
  readonly userNext = new Words();
  /** Phis that may have become trivial. */
  readonly suspects = new Words();
  /** Per row: the block of a phi; per block: the first incomplete phi, linked through `nextIncomplete`. */
  readonly phiBlock = new Words();
  readonly nextIncomplete = new Words();
  readonly firstIncomplete = new Words();
  /** The writes of the structured algorithm. */
  readonly writes = new WriteLists();
  /** Whether the general algorithm is used, which takes any order of blocks and edges. */
  isGeneral = false;
  /**
   * Whether trivial phis stay until `redundant-phis` removes them with all others. Labels that are sealed one after the other could make
   * every phi of a long chain trivial once more for each.
   */
  isRemovalLate = false;
}

/** Prepares for a new function and keeps the memory. */
export function clearSsa(state: SsaState): void {
  state.variableType.length = 0;
  state.variableName.length = 0;
  state.variablePosition.length = 0;
  state.variableTraits.length = 0;
  state.variableNode.length = 0;
  state.variableUndef.length = 0;
  state.stamp++;
  state.mapCount = 0;
  state.pendingPhis.length = 0;
  state.firstUser.length = 0;
  state.lastUser.length = 0;
  state.userPhi.length = 0;
  state.userNext.length = 0;
  state.suspects.length = 0;
  state.phiBlock.length = 0;
  state.nextIncomplete.length = 0;
  state.firstIncomplete.length = 0;
  clearWrites(state.writes);
}

/** Where the entry of a key is in the map, or where it belongs. Both halves of the key reach every bit of the hash. */
function findEntry(state: SsaState, block: number, variable: number): number {
  const { map, stamp } = state;
  const mask = map.length - 1;
  let hash = Math.imul(block, 0x9e3779b1) ^ Math.imul(variable, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash ^= hash >>> 13;
  let at = (hash * MapEntry.stride) & mask;
  while (map[at + MapEntry.stamp] === stamp) {
    if (map[at + MapEntry.block] === block && map[at + MapEntry.variable] === variable) return at;
    at = (at + MapEntry.stride) & mask;
  }
  return at;
}

/** Doubles the map and places its entries anew. */
function growMap(state: SsaState): void {
  const old = state.map;
  state.map = new Int32Array(old.length * 2);
  for (let from = 0; from < old.length; from += MapEntry.stride) {
    if (old[from + MapEntry.stamp] !== state.stamp) continue;
    const at = findEntry(
      state,
      old[from + MapEntry.block] as number,
      old[from + MapEntry.variable] as number,
    );
    for (let word = 0; word < MapEntry.stride; word++) state.map[at + word] = old[from + word] as number;
  }
}

/** The entry of a key in the map, or NONE. */
function findDefinition(state: SsaState, block: number, variable: number): number {
  const at = findEntry(state, block, variable);
  return state.map[at + MapEntry.stamp] === state.stamp ? (state.map[at + MapEntry.value] as number) : NONE;
}

/** Sets the entry of a key in the map. */
function recordDefinition(state: SsaState, block: number, variable: number, value: number): void {
  if (state.mapCount * 2 * MapEntry.stride >= state.map.length) growMap(state);
  const at = findEntry(state, block, variable);
  if (state.map[at + MapEntry.stamp] !== state.stamp) {
    state.map[at + MapEntry.stamp] = state.stamp;
    state.map[at + MapEntry.block] = block;
    state.map[at + MapEntry.variable] = variable;
    state.mapCount++;
  }
  state.map[at + MapEntry.value] = value;
}

/** Records the value of a variable at the end of what the block being filled holds so far (005/L-17). */
export function writeVariable(
  buffer: FunctionBuffer,
  state: SsaState,
  variable: number,
  value: number,
): void {
  if (state.isGeneral) recordDefinition(state, buffer.current, variable, value);
  else appendWrite(buffer, state.writes, variable, value);
}

/** Makes the phi of a variable and records it as its definition in the block. */
function newVariablePhi(buffer: FunctionBuffer, state: SsaState, block: number, variable: number): number {
  const phi = newPhi(
    buffer,
    block,
    state.variableType.data[variable] as number,
    variable,
    state.variableName.data[variable] as number,
    state.variablePosition.data[variable] as number,
    state.variableTraits.data[variable] as number,
    state.variableNode.data[variable] as number,
  );
  state.phiBlock.resize(phi + 1, NONE);
  state.phiBlock.data[phi] = block;
  recordDefinition(state, block, variable, phi);
  return phi;
}

/** Makes the phi of a variable in a block, to be filled now or, while the block is unsealed, when it is sealed. */
function newWaitingPhi(buffer: FunctionBuffer, state: SsaState, block: number, variable: number): number {
  const phi = newVariablePhi(buffer, state, block, variable);
  if (getBlock(buffer, block, BufferBlock.sealed) === 1) {
    state.pendingPhis.push(phi);
    return phi;
  }
  state.firstIncomplete.resize(buffer.blockCount, NONE);
  state.nextIncomplete.resize(phi + 1, NONE);
  state.nextIncomplete.data[phi] = state.firstIncomplete.data[block] as number;
  state.firstIncomplete.data[block] = phi;
  return phi;
}

/** The block from which the first edge into a block comes. */
function onlyPredecessor(buffer: FunctionBuffer, block: number): number {
  return getEdge(buffer, getBlock(buffer, block, BufferBlock.firstIn), BufferEdge.from);
}

/**
 * The general algorithm: the value of a variable at the end of a block, with operands of new phis still to be read (005/L-18).
 * Walks up while there is one sealed predecessor, and leaves the value in every block it passed. Dead blocks may stand in a circle, each
 * the only predecessor of the next, with no value to be found; the mark, which is set anew after twice as many steps, tells (Brent 1980).
 */
function readGeneral(buffer: FunctionBuffer, state: SsaState, start: number, variable: number): number {
  let block = start;
  let value = NONE;
  let mark = NONE;
  let stepsLeft = 1;
  let stepLimit = 1;
  for (;;) {
    value = findDefinition(state, block, variable);
    if (value !== NONE) {
      value = resolve(buffer, value);
      break;
    }
    const predecessorCount = getBlock(buffer, block, BufferBlock.predecessorCount);
    if (getBlock(buffer, block, BufferBlock.sealed) === 0 || predecessorCount > 1) {
      value = newWaitingPhi(buffer, state, block, variable);
      break;
    }
    if (predecessorCount === 0 || block === mark) {
      value = state.variableUndef.data[variable] as number;
      recordDefinition(state, block, variable, value);
      break;
    }
    if (--stepsLeft === 0) {
      mark = block;
      stepLimit *= 2;
      stepsLeft = stepLimit;
    }
    block = onlyPredecessor(buffer, block);
  }
  let passed = start;
  while (passed !== block) {
    recordDefinition(state, passed, variable, value);
    passed = onlyPredecessor(buffer, passed);
  }
  return value;
}

/** The phi of a variable in a block, made when it is not there yet. */
function phiOf(buffer: FunctionBuffer, state: SsaState, block: number, variable: number): number {
  const known = findDefinition(state, block, variable);
  return known === NONE ? newWaitingPhi(buffer, state, block, variable) : resolve(buffer, known);
}

/**
 * The structured algorithm: the value of a variable at the end of a block, given its latest write up to there. Finds the highest
 * dominator that the write does not precede. Where the write stands in it, nothing changed the variable since, unless a loop
 * around the block does; where the write stands between it and its own dominator, the paths that meet in it may differ.
 */
function readStructured(
  buffer: FunctionBuffer,
  state: SsaState,
  start: number,
  variable: number,
  latest: number,
): number {
  const { writes } = state;
  let block = start;
  let write = latest;
  for (;;) {
    const time = write === NONE ? NONE : (writes.time.data[write] as number);
    const top = highestOpenAt(buffer, block, time);
    const topStart = getBlock(buffer, top, BufferBlock.startTime);
    const header = writingLoop(buffer, writes, block, variable, Math.max(time, topStart));
    if (header !== NONE) return phiOf(buffer, state, header, variable);
    if (time >= topStart) return resolve(buffer, writes.value.data[write] as number);
    const predecessorCount = getBlock(buffer, top, BufferBlock.predecessorCount);
    if (predecessorCount === 0) return state.variableUndef.data[variable] as number;
    if (predecessorCount > 1) return phiOf(buffer, state, top, variable);
    block = onlyPredecessor(buffer, top);
    write = writeUpTo(writes, write, getBlock(buffer, block, BufferBlock.endTime));
  }
}

/** The value of a variable at the end of a block that is ended. */
function readAtEnd(buffer: FunctionBuffer, state: SsaState, block: number, variable: number): number {
  if (state.isGeneral) return readGeneral(buffer, state, block, variable);
  const { writes } = state;
  const write = writeUpTo(
    writes,
    latestWrite(writes, variable),
    getBlock(buffer, block, BufferBlock.endTime),
  );
  return readStructured(buffer, state, block, variable, write);
}

/** What the last read of a variable gave, if that holds here too: it dominates the block, and no loop between writes the variable. */
function rememberedRead(buffer: FunctionBuffer, state: SsaState, block: number, variable: number): number {
  const { writes } = state;
  const readBlock = writes.readBlock.data[variable] as number;
  if (readBlock === NONE) return NONE;
  const value = resolve(buffer, writes.readValue.data[variable] as number);
  if (readBlock === block) return value;
  const time = writes.readTime.data[variable] as number;
  if (highestOpenAt(buffer, block, time) !== readBlock) return NONE;
  const header = writingLoop(buffer, writes, block, variable, time);
  return header === NONE ? value : phiOf(buffer, state, header, variable);
}

/** The value of a variable where the block being filled is, with operands of new phis still to be read. */
function readHere(buffer: FunctionBuffer, state: SsaState, variable: number): number {
  const block = buffer.current;
  if (state.isGeneral) return readGeneral(buffer, state, block, variable);
  const { writes } = state;
  const write = latestWrite(writes, variable);
  const start = getBlock(buffer, block, BufferBlock.startTime);
  if (write !== NONE && (writes.time.data[write] as number) >= start) {
    return resolve(buffer, writes.value.data[write] as number);
  }
  const remembered = rememberedRead(buffer, state, block, variable);
  const value = remembered === NONE ? readStructured(buffer, state, block, variable, write) : remembered;
  rememberRead(buffer, writes, variable, value);
  return value;
}

/** Appends a phi to the list of those that use a row. */
function addUser(state: SsaState, row: number, phi: number): void {
  state.firstUser.resize(Math.max(state.firstUser.length, row + 1), NONE);
  state.lastUser.resize(Math.max(state.lastUser.length, row + 1), NONE);
  const cell = state.userPhi.push(phi);
  state.userNext.push(NONE);
  const last = state.lastUser.data[row] as number;
  if (last === NONE) state.firstUser.data[row] = cell;
  else state.userNext.data[last] = cell;
  state.lastUser.data[row] = cell;
}

/** Moves the list of users of a removed phi to the row that took its place, so that they are looked at with it later. */
function moveUsers(state: SsaState, from: number, to: number): void {
  if (from >= state.firstUser.length || state.firstUser.data[from] === NONE) return;
  state.firstUser.resize(Math.max(state.firstUser.length, to + 1), NONE);
  state.lastUser.resize(Math.max(state.lastUser.length, to + 1), NONE);
  const last = state.lastUser.data[to] as number;
  if (last === NONE) state.firstUser.data[to] = state.firstUser.data[from] as number;
  else state.userNext.data[last] = state.firstUser.data[from] as number;
  state.lastUser.data[to] = state.lastUser.data[from] as number;
  state.firstUser.data[from] = NONE;
  state.lastUser.data[from] = NONE;
}

/** Reads one operand per predecessor into a phi, in the order of the edges (005/L-20). */
function fillPhi(buffer: FunctionBuffer, state: SsaState, phi: number): void {
  const block = state.phiBlock.data[phi] as number;
  const variable = getRow(buffer, phi, BufferRow.aux);
  const count = getBlock(buffer, block, BufferBlock.predecessorCount);
  const start = buffer.operands.length;
  // The operands get their place first: reading one may make other phis, but those are filled later.
  buffer.operands.resize(start + count, NONE);
  let edge = getBlock(buffer, block, BufferBlock.firstIn);
  for (let index = 0; index < count; index++) {
    const value = readAtEnd(buffer, state, getEdge(buffer, edge, BufferEdge.from), variable);
    buffer.operands.data[start + index] = value;
    edge = getEdge(buffer, edge, BufferEdge.nextIn);
  }
  setRow(buffer, phi, BufferRow.operandStart, start);
  setRow(buffer, phi, BufferRow.operandCount, count);
  if (state.isRemovalLate) return;
  for (let index = 0; index < count; index++) {
    const value = resolve(buffer, buffer.operands.data[start + index] as number);
    if (value >= 0 && value !== phi && value < state.phiBlock.length && state.phiBlock.data[value] !== NONE) {
      addUser(state, value, phi);
    }
  }
  state.suspects.push(phi);
}

/** The one value that a phi stands for besides itself, or the phi when there are two; undef when there is none. */
function onlyValue(buffer: FunctionBuffer, state: SsaState, phi: number): number {
  const start = getRow(buffer, phi, BufferRow.operandStart);
  const count = getRow(buffer, phi, BufferRow.operandCount);
  let same = NONE;
  for (let index = 0; index < count; index++) {
    const value = resolve(buffer, buffer.operands.data[start + index] as number);
    if (value === phi || value === same) continue;
    if (same !== NONE) return phi;
    same = value;
  }
  return same === NONE ? (state.variableUndef.data[getRow(buffer, phi, BufferRow.aux)] as number) : same;
}

/** Whether a phi stands in a block that has no predecessor and gets none. */
function isUnreached(buffer: FunctionBuffer, state: SsaState, phi: number): boolean {
  const block = state.phiBlock.data[phi] as number;
  return (
    getBlock(buffer, block, BufferBlock.sealed) === 1 &&
    getBlock(buffer, block, BufferBlock.predecessorCount) === 0
  );
}

/** Removes the suspects that are trivial, and those that this makes trivial (005/L-19). */
function removeTrivialPhis(buffer: FunctionBuffer, state: SsaState): void {
  while (state.suspects.length > 0) {
    const phi = state.suspects.pop();
    // A phi without operands is still to be filled, and becomes a suspect then; or its block turned out to have no predecessor.
    const isWaiting = getRow(buffer, phi, BufferRow.operandCount) === 0 && !isUnreached(buffer, state, phi);
    if (getRow(buffer, phi, BufferRow.forward) !== NONE || isWaiting) continue;
    const value = onlyValue(buffer, state, phi);
    if (value === phi) continue;
    setRow(buffer, phi, BufferRow.forward, value);
    let cell = phi < state.firstUser.length ? (state.firstUser.data[phi] as number) : NONE;
    while (cell !== NONE) {
      state.suspects.push(state.userPhi.data[cell] as number);
      cell = state.userNext.data[cell] as number;
    }
    if (value >= 0 && value < state.phiBlock.length && state.phiBlock.data[value] !== NONE) {
      moveUsers(state, phi, value);
    }
  }
}

/** Fills the phis that wait for operands, until none does, and removes the trivial ones. */
function fillPendingPhis(buffer: FunctionBuffer, state: SsaState): void {
  while (state.pendingPhis.length > 0) fillPhi(buffer, state, state.pendingPhis.pop());
  if (!state.isRemovalLate) removeTrivialPhis(buffer, state);
}

/** The value of a variable where the block being filled is. */
export function readVariable(buffer: FunctionBuffer, state: SsaState, variable: number): number {
  const value = readHere(buffer, state, variable);
  if (state.pendingPhis.length > 0) fillPendingPhis(buffer, state);
  return resolve(buffer, value);
}

/** Declares that a block gets no more predecessors, and completes its phis (005/L-20, L-21). */
export function sealBlock(buffer: FunctionBuffer, state: SsaState, block: number): void {
  setBlock(buffer, block, BufferBlock.sealed, 1);
  if (block >= state.firstIncomplete.length) return;
  let phi = state.firstIncomplete.data[block] as number;
  state.firstIncomplete.data[block] = NONE;
  while (phi !== NONE) {
    state.pendingPhis.push(phi);
    phi = state.nextIncomplete.data[phi] as number;
  }
  fillPendingPhis(buffer, state);
}
