/**
 * Leaves SSA for every function of a module (008/R6-R8). Twin: native/core/out-of-ssa.cc.
 *
 * In: virInstruction, operands, virBlock, virFunction. Out: for each instruction row the variable that holds its result
 * (NONE when nothing but dead phis reads it), outOfSsaCopy, outOfSsaFunction. Variables are numbered in the order of the
 * first value that they hold; temporaries of cyclic copies follow, one a type. Copies stand on the edge from `block` to
 * `successor`, ordered by (successor, block): they run after the terminator of `block`, so they overwrite nothing that it
 * reads. Values that nothing connects to a phi get a variable each. Blocks that control cannot reach count for nothing.
 *
 * Liveness, classes and order of moves are explained in liveness.ts, coalescing.ts and parallel-copy.ts. Linear in practice.
 */

import { NONE } from '../ir/entities.js';
import { Opcode } from '../ir/opcodes.js';
import {
  CoreFaultNumber,
  CoreHeader,
  CoreStatus,
  OUT_OF_SSA_COPY,
  OUT_OF_SSA_FUNCTION,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../ir/schema.js';
import { reportFault } from './border.js';
import { type Classes, type ClassInput, findClasses, makeClasses } from './coalescing.js';
import { computeDominators, makeDominators } from './dominators.js';
import {
  blockColumn,
  type FunctionRows,
  instructionColumn,
  instructionOpcode,
  operandsOf,
  placeInstructions,
  readFunctionRows,
  type VirTables,
} from './function-rows.js';
import { buildGraph, isReachable, makeGraph } from './graph.js';
import { makeLiveness } from './liveness.js';
import { computeLoops, makeLoops } from './loops.js';
import { makeParallelCopy, type ParallelCopy, sequentialize } from './parallel-copy.js';
import { validateVir } from './validate-vir.js';

/** How many arrays the entry takes and gives. */
export const outOfSsaInputCount = 4;
export const outOfSsaOutputCount = 3;

/** The most words of a table. */
const MAXIMUM_WORDS = 0x7fffffff;

/** Everything that one call works with. */
interface OutOfSsaState extends ClassInput {
  readonly classes: Classes;
  readonly parallelCopy: ParallelCopy;
  readonly variables: Int32Array;
  readonly copies: Int32Array;
  readonly functions: Int32Array;
  readonly header: Int32Array;
  /** Rows of copies so far, written or not. */
  copyCount: number;
  /** Of the current function. */
  variableCount: number;
  /** Per class, its variable; per variable, its first value. */
  readonly classVariable: Int32Array;
  readonly firstValue: Int32Array;
  /** The temporaries of the function: their types and variables. */
  readonly temporaryType: Int32Array;
  readonly temporaryVariable: Int32Array;
  temporaryCount: number;
  /** Per block, its place among the predecessors in question, and the phi whose operand for it was seen. */
  readonly slotOf: Int32Array;
  readonly slotOwner: Int32Array;
  readonly seenBy: Int32Array;
  /** The copies of the edges into one block: `moveCount` for each slot, one after the other. */
  moveCount: number;
  readonly moveDestination: Int32Array;
  readonly moveSource: Int32Array;
  /** Copies of constants of the current edge: they read no variable, so they come last. */
  readonly constantDestination: Int32Array;
  readonly constantSource: Int32Array;
}

/** The entry (see the head of the file). */
export function outOfSsa(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  const tables: VirTables = {
    instructions: inputs[0] as Int32Array,
    operands: inputs[1] as Int32Array,
    blocks: inputs[2] as Int32Array,
    functions: inputs[3] as Int32Array,
  };
  if (!validateVir(tables, header)) return;
  const variableRows = tables.instructions.length / VIR_INSTRUCTION.stride;
  const functionCount = tables.functions.length / VIR_FUNCTION.stride;
  const copyWords = OUT_OF_SSA_COPY.stride * boundCopies(tables, functionCount);
  if (copyWords > MAXIMUM_WORDS) {
    reportFault(header, CoreFaultNumber.tooLarge, 1);
    return;
  }
  header[CoreHeader.firstSize] = variableRows;
  header[CoreHeader.firstSize + 1] = copyWords;
  header[CoreHeader.firstSize + 2] = functionCount * OUT_OF_SSA_FUNCTION.stride;
  const [variables, copies, functions] = outputs as [Int32Array, Int32Array, Int32Array];
  if (
    variables.length < variableRows ||
    copies.length < copyWords ||
    functions.length < functionCount * OUT_OF_SSA_FUNCTION.stride
  ) {
    header[CoreHeader.status] = CoreStatus.capacity;
    return;
  }
  variables.fill(NONE, 0, variableRows);
  const state = makeState(tables, functionCount, variables, copies, functions, header);
  for (let id = 0; id < functionCount; id++) if (!leaveFunction(state, id)) return;
  header[CoreHeader.firstSize + 1] = state.copyCount * OUT_OF_SSA_COPY.stride;
}

/** An upper bound of the number of moves: one for each operand of a phi, and a temporary for every two of them. */
function boundCopies(tables: VirTables, functionCount: number): number {
  let bound = 0;
  for (let id = 0; id < functionCount; id++) {
    const rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    const most = rows.operandCount >> 1;
    let pairs = 0;
    // A row that stands in no block may hold anything, so the sum is held within what the function's operands allow.
    for (let inst = 0; inst < rows.instructionCount && pairs < most; inst++) {
      if (instructionOpcode(tables, rows, inst) === Opcode.phi)
        pairs += Math.max(0, instructionColumn(tables, rows, inst, VIR_INSTRUCTION.operandCount)) >> 1;
    }
    pairs = Math.min(pairs, most);
    bound += pairs + (pairs >> 1);
  }
  return bound;
}

/** Memory for the largest function. */
function makeState(
  tables: VirTables,
  functionCount: number,
  variables: Int32Array,
  copies: Int32Array,
  functions: Int32Array,
  header: Int32Array,
): OutOfSsaState {
  let instructions = 0;
  let operands = 0;
  let blocks = 0;
  for (let id = 0; id < functionCount; id++) {
    const rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    instructions = Math.max(instructions, rows.instructionCount);
    operands = Math.max(operands, rows.operandCount);
    blocks = Math.max(blocks, rows.blockCount);
  }
  return {
    tables,
    graph: makeGraph(blocks, operands),
    dominators: makeDominators(blocks),
    loops: makeLoops(blocks),
    liveness: makeLiveness(instructions, operands, blocks),
    blockOf: new Int32Array(instructions),
    classes: makeClasses(instructions, operands),
    parallelCopy: makeParallelCopy(instructions, operands),
    variables,
    copies,
    functions,
    header,
    copyCount: 0,
    variableCount: 0,
    classVariable: new Int32Array(instructions),
    firstValue: new Int32Array(instructions),
    temporaryType: new Int32Array(operands),
    temporaryVariable: new Int32Array(operands),
    temporaryCount: 0,
    slotOf: new Int32Array(blocks),
    slotOwner: new Int32Array(blocks),
    seenBy: new Int32Array(blocks),
    moveCount: 0,
    moveDestination: new Int32Array(operands),
    moveSource: new Int32Array(operands),
    constantDestination: new Int32Array(operands),
    constantSource: new Int32Array(operands),
  };
}

/** Does one function; false when a phi does not fit its block's predecessors, which the header then tells. */
function leaveFunction(state: OutOfSsaState, id: number): boolean {
  const rows = readFunctionRows(state.tables, id);
  const firstCopy = state.copyCount;
  state.variableCount = 0;
  state.temporaryCount = 0;
  if (rows.blockCount > 0) {
    placeInstructions(state.tables, rows, state.blockOf);
    buildGraph(state.graph, state.tables, rows);
    computeDominators(state.dominators, state.graph);
    computeLoops(state.loops, state.graph);
    findClasses(state.classes, state, rows);
    numberVariables(state, rows);
    state.slotOwner.fill(NONE, 0, rows.blockCount);
    state.seenBy.fill(NONE, 0, rows.blockCount);
    for (let block = 0; block < rows.blockCount; block++)
      if (!copyIntoBlock(state, rows, block)) return false;
  }
  const at = id * OUT_OF_SSA_FUNCTION.stride;
  state.functions[at + OUT_OF_SSA_FUNCTION.firstCopy] = firstCopy;
  state.functions[at + OUT_OF_SSA_FUNCTION.copyCount] = state.copyCount - firstCopy;
  state.functions[at + OUT_OF_SSA_FUNCTION.variableCount] = state.variableCount;
  return true;
}

/** One variable a class, and one for each value outside of all classes that is read. */
function numberVariables(state: OutOfSsaState, rows: FunctionRows): void {
  const { classes, classVariable, firstValue } = state;
  classVariable.fill(NONE, 0, classes.classCount);
  for (let inst = 0; inst < rows.instructionCount; inst++) {
    if (classes.isUsed[inst] === 0) continue;
    const owner = classes.classOf[inst] as number;
    let variable = owner === NONE ? NONE : (classVariable[owner] as number);
    if (variable === NONE) {
      variable = state.variableCount++;
      firstValue[variable] = inst;
      if (owner !== NONE) classVariable[owner] = variable;
    }
    state.variables[rows.firstInstruction + inst] = variable;
  }
}

/** Writes the moves of all edges into a block, predecessors ascending. */
function copyIntoBlock(state: OutOfSsaState, rows: FunctionRows, block: number): boolean {
  const { graph } = state;
  if (!isReachable(graph, block)) return true;
  const first = blockColumn(state.tables, rows, block, VIR_BLOCK.firstInstruction);
  let end = first;
  while (instructionOpcode(state.tables, rows, end) === Opcode.phi) end++;
  if (end === first) return true;
  const predecessorStart = graph.predecessorStart[block] as number;
  const predecessorCount = (graph.predecessorStart[block + 1] as number) - predecessorStart;
  for (let slot = 0; slot < predecessorCount; slot++) {
    const predecessor = graph.predecessors[predecessorStart + slot] as number;
    state.slotOf[predecessor] = slot;
    state.slotOwner[predecessor] = block;
  }
  if (!sortMoves(state, rows, block, first, end, predecessorCount)) return false;
  for (let slot = 0; slot < predecessorCount; slot++) {
    const predecessor = graph.predecessors[predecessorStart + slot] as number;
    if (isReachable(graph, predecessor)) writeMoves(state, rows, predecessor, block, slot);
  }
  return true;
}

/** Collects the copies of the block's phis by predecessor, in the order of the phis. */
function sortMoves(
  state: OutOfSsaState,
  rows: FunctionRows,
  block: number,
  first: number,
  end: number,
  predecessorCount: number,
): boolean {
  const { tables } = state;
  state.moveCount = 0;
  for (let phi = first; phi < end; phi++) {
    if (!isComplete(state, rows, block, phi, predecessorCount)) return false;
    state.moveCount += state.classes.isUsed[phi] as number;
  }
  let ordinal = 0;
  for (let phi = first; phi < end; phi++) {
    if (state.classes.isUsed[phi] === 0) continue;
    const start = operandsOf(tables, rows, phi);
    for (let pair = 0; pair < 2 * predecessorCount; pair += 2) {
      const slot = state.slotOf[tables.operands[start + pair + 1] as number] as number;
      const place = slot * state.moveCount + ordinal;
      state.moveDestination[place] = state.variables[rows.firstInstruction + phi] as number;
      state.moveSource[place] = tables.operands[start + pair] as number;
    }
    ordinal++;
  }
  return true;
}

/** Whether a phi has one operand for each predecessor of its block; else reports it. */
function isComplete(
  state: OutOfSsaState,
  rows: FunctionRows,
  block: number,
  phi: number,
  predecessorCount: number,
): boolean {
  const start = operandsOf(state.tables, rows, phi);
  const count = instructionColumn(state.tables, rows, phi, VIR_INSTRUCTION.operandCount);
  let isGood = count === 2 * predecessorCount;
  for (let pair = 0; isGood && pair < count; pair += 2) {
    const predecessor = state.tables.operands[start + pair + 1] as number;
    isGood = state.slotOwner[predecessor] === block && state.seenBy[predecessor] !== phi;
    state.seenBy[predecessor] = phi;
  }
  if (!isGood) reportFault(state.header, CoreFaultNumber.arity, 0, rows.firstInstruction + phi);
  return isGood;
}

/** Writes the moves of one edge: variables first, in an order that loses nothing, then constants. */
function writeMoves(
  state: OutOfSsaState,
  rows: FunctionRows,
  predecessor: number,
  block: number,
  slot: number,
): void {
  const { parallelCopy } = state;
  const start = slot * state.moveCount;
  let copies = 0;
  let constants = 0;
  for (let index = start; index < start + state.moveCount; index++) {
    const source = state.moveSource[index] as number;
    if (source < 0) {
      state.constantDestination[constants] = state.moveDestination[index] as number;
      state.constantSource[constants++] = source;
    } else {
      parallelCopy.destination[copies] = state.moveDestination[index] as number;
      parallelCopy.source[copies++] = state.variables[rows.firstInstruction + source] as number;
    }
  }
  sequentialize(parallelCopy, copies);
  for (let index = 0; index < parallelCopy.moveCount; index++) {
    const destination = resolve(state, rows, parallelCopy.moveDestination[index] as number);
    const source = resolve(state, rows, parallelCopy.moveSource[index] as number);
    addCopy(state, predecessor, block, destination, source);
  }
  for (let index = 0; index < constants; index++) {
    const destination = state.constantDestination[index] as number;
    addCopy(state, predecessor, block, destination, state.constantSource[index] as number);
  }
}

/** The variable of a move's end: itself, or the temporary for the type of the variable that it saves. */
function resolve(state: OutOfSsaState, rows: FunctionRows, end: number): number {
  if (end >= 0) return end;
  const saved = state.firstValue[-1 - end] as number;
  const type = instructionColumn(state.tables, rows, saved, VIR_INSTRUCTION.type);
  for (let index = 0; index < state.temporaryCount; index++)
    if (state.temporaryType[index] === type) return state.temporaryVariable[index] as number;
  state.temporaryType[state.temporaryCount] = type;
  state.temporaryVariable[state.temporaryCount++] = state.variableCount;
  return state.variableCount++;
}

function addCopy(
  state: OutOfSsaState,
  predecessor: number,
  block: number,
  destination: number,
  source: number,
): void {
  const at = state.copyCount++ * OUT_OF_SSA_COPY.stride;
  state.copies[at + OUT_OF_SSA_COPY.block] = predecessor;
  state.copies[at + OUT_OF_SSA_COPY.successor] = block;
  state.copies[at + OUT_OF_SSA_COPY.destination] = destination;
  state.copies[at + OUT_OF_SSA_COPY.source] = source;
}
