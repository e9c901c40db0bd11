/**
 * Lowering on several threads (005/L-5, L-6). Twin: native/core/lower-threads.cc.
 *
 * A function is lowered by itself, and its rows count from its own first one. So the functions are cut into runs, each run is lowered into
 * memory of its own by whoever takes it, and the results are laid one after the other: the bytes are those of one thread. A run
 * is small enough that one with large functions does not keep the others waiting.
 */

import { NONE } from '../ir/entities.js';
import {
  CoreHeader,
  HIR_FUNCTION,
  HIR_NODE,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../ir/schema.js';
import { reportFault } from './border.js';
import type { ModuleOutput } from './function-layout.js';
import { LowerOutput, lowerRange, lowerWith, reportSizes } from './lower.js';
import { runOnPool } from './lower-pool.js';
import { LowerState } from './lower-state.js';
import { LowerInput, validateHir } from './validate-hir.js';

/** Runs of functions for each thread. */
const CHUNKS_A_THREAD = 8;

/** More threads than that are no faster anywhere. */
const MOST_THREADS = 64;

/** What the threads share: the tables, and the outputs that have one row for each function or node. */
export interface LowerJob {
  readonly inputs: readonly Int32Array[];
  readonly functions: Int32Array;
  readonly values: Int32Array;
  readonly functionCount: number;
  readonly chunkCount: number;
}

/** What one run of functions became; its function rows count from its own first row. */
export interface LoweredChunk {
  readonly output: ModuleOutput;
  readonly fault: number;
  readonly faultNode: number;
}

/** The first function of a run. */
function firstOfChunk(job: LowerJob, chunk: number): number {
  return Math.floor((job.functionCount * chunk) / job.chunkCount);
}

/** Lowers one run. */
export function lowerChunk(job: LowerJob, chunk: number): LoweredChunk {
  const none = new Int32Array(new SharedArrayBuffer(0));
  const output: ModuleOutput = {
    instructions: none,
    operands: none,
    blocks: none,
    functions: job.functions,
    isGrowing: true,
    instructionCount: 0,
    operandCount: 0,
    blockCount: 0,
    isOverflow: false,
  };
  const state = new LowerState(job.inputs, output, job.values);
  lowerRange(state, firstOfChunk(job, chunk), firstOfChunk(job, chunk + 1));
  return { output, fault: state.fault, faultNode: state.faultNode };
}

/** Lets the threads take runs until none is left, this thread among them. */
function runChunks(job: LowerJob, threads: number): LoweredChunk[] {
  return runOnPool(job, threads, (chunk) => lowerChunk(job, chunk));
}

/** Puts one run behind those before it, of which `total` has the counts. */
function placeChunk(job: LowerJob, chunk: number, { output }: LoweredChunk, total: ModuleOutput): void {
  const { instructions, operands, blocks } = output;
  const instructionWords = output.instructionCount * VIR_INSTRUCTION.stride;
  total.instructions.set(
    instructions.subarray(0, instructionWords),
    total.instructionCount * VIR_INSTRUCTION.stride,
  );
  total.operands.set(operands.subarray(0, output.operandCount), total.operandCount);
  total.blocks.set(
    blocks.subarray(0, output.blockCount * VIR_BLOCK.stride),
    total.blockCount * VIR_BLOCK.stride,
  );
  const { functions } = job;
  for (let id = firstOfChunk(job, chunk); id < firstOfChunk(job, chunk + 1); id++) {
    const at = id * VIR_FUNCTION.stride;
    (functions[at + VIR_FUNCTION.firstInstruction] as number) += total.instructionCount;
    (functions[at + VIR_FUNCTION.firstBlock] as number) += total.blockCount;
    (functions[at + VIR_FUNCTION.firstOperand] as number) += total.operandCount;
  }
}

/** Adds the counts of a run to those before it. */
function countChunk({ output }: LoweredChunk, total: ModuleOutput): void {
  total.instructionCount += output.instructionCount;
  total.operandCount += output.operandCount;
  total.blockCount += output.blockCount;
}

/** Lays the runs one after the other, where they fit, and reports their sizes or the first fault. */
function joinChunks(
  job: LowerJob,
  chunks: readonly LoweredChunk[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  const total: ModuleOutput = {
    instructions: outputs[LowerOutput.instructions] as Int32Array,
    operands: outputs[LowerOutput.operands] as Int32Array,
    blocks: outputs[LowerOutput.blocks] as Int32Array,
    functions: job.functions,
    isGrowing: false,
    instructionCount: 0,
    operandCount: 0,
    blockCount: 0,
    isOverflow: false,
  };
  for (const chunk of chunks) {
    if (chunk.fault !== NONE) {
      reportFault(header, chunk.fault, LowerInput.nodes, chunk.faultNode);
      return;
    }
    countChunk(chunk, total);
  }
  total.isOverflow =
    total.instructionCount * VIR_INSTRUCTION.stride > total.instructions.length ||
    total.operandCount > total.operands.length ||
    total.blockCount * VIR_BLOCK.stride > total.blocks.length;
  reportSizes(header, total, job.functionCount, job.values.length);
  if (total.isOverflow) return;
  total.instructionCount = 0;
  total.operandCount = 0;
  total.blockCount = 0;
  for (let chunk = 0; chunk < chunks.length; chunk++) {
    placeChunk(job, chunk, chunks[chunk] as LoweredChunk, total);
    countChunk(chunks[chunk] as LoweredChunk, total);
  }
}

/** Lowers a whole module by the structured algorithm, on as many threads as the header says. */
export function lower(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  const threads = Math.min(header[CoreHeader.threads] as number, MOST_THREADS);
  const nodeCount = (inputs[LowerInput.nodes] as Int32Array).length / HIR_NODE.stride;
  const functionCount = (inputs[LowerInput.functions] as Int32Array).length / HIR_FUNCTION.stride;
  const functions = outputs[LowerOutput.functions] as Int32Array;
  const values = outputs[LowerOutput.values] as Int32Array;
  const hasRoom = values.length >= nodeCount && functions.length >= functionCount * VIR_FUNCTION.stride;
  if (threads <= 1 || functionCount <= 1 || !hasRoom) {
    lowerWith(inputs, outputs, header, false);
    return;
  }
  if (!validateHir(inputs, header)) return;
  const chunkCount = Math.min(functionCount, threads * CHUNKS_A_THREAD);
  const nodeValues = values.subarray(0, nodeCount);
  nodeValues.fill(NONE);
  const job = { inputs, functions, values: nodeValues, functionCount, chunkCount };
  joinChunks(job, runChunks(job, threads), outputs, header);
}
