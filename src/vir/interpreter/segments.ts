/**
 * Decoded code. A segment is a run of instructions that control enters at the front only: a block, or what follows a call
 * within one. Its exit gives the segment that comes next, also across calls and returns, so that no call of the program is a
 * call of the engine.
 */

import type { FunctionId, Inst } from '../../ir/entities.js';
import type { MemoryObject } from './memory.js';
import type { Registers, Step } from './step.js';

/** Ends a segment; `undefined` ends the program. */
export type Exit = (registers: Registers) => Segment | undefined;

/** Instructions in a row. */
export interface Segment {
  readonly function: DecodedFunction;
  steps: Step[];
  exit: Exit;
  /** The instruction of each step, and of the exit last: where an error is. */
  instructions: Inst[];
}

/** A function made ready to run. */
export interface DecodedFunction {
  readonly id: FunctionId;
  readonly name: string;
  /** Fresh registers: constants in place, the rest undef. Register 0 is never used. */
  readonly template: Registers;
  readonly entry: Segment;
}

/** A call that has not returned. */
export interface Frame {
  readonly function: DecodedFunction;
  /** The registers of the caller, and where its result goes there: -1 for nowhere. */
  readonly callerRegisters: Registers | undefined;
  readonly resultRegister: number;
  /** The segment of the caller that follows the call. */
  readonly resume: Segment | undefined;
  /** The call, as an instruction of the caller. */
  readonly call: Inst;
  /** The objects that end with the call. */
  objects: MemoryObject[] | undefined;
}
