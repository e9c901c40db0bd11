/**
 * The running program: its frames, memory and streams, and the loop that executes segments. Calls push a frame of our own, so
 * that recursion is limited by `callDepth` and by nothing else.
 */

import { type DiagnosticNote, fail } from '../../diag/diagnostic.js';
import type { FunctionId, Inst } from '../../ir/entities.js';
import type { VirModule } from '../../ir/vir-module.js';
import { Life, type Memory, type MemoryObject } from './memory.js';
import type { DecodedFunction, Frame, Segment } from './segments.js';
import type { Registers } from './step.js';
import { Trap, trap } from './trap.js';
import type { Slot } from './values.js';

/** So many calls are told of each end of a deep stack. */
const NOTED_FRAMES = 10;

/** What bounds a run. */
export interface MachineLimits {
  readonly fuel: number;
  readonly callDepth: number;
}

/** Executes segments until the first function returns. */
export class Machine {
  /** The registers of the running call. */
  registers: Registers = [];
  readonly frames: Frame[] = [];
  /** How many instructions may still run. */
  fuel: number;
  #result: Slot;

  constructor(
    readonly module: VirModule,
    readonly memory: Memory,
    readonly limits: MachineLimits,
  ) {
    this.fuel = limits.fuel;
  }

  /** Enters a function: its registers, with the arguments in place, become the running ones. */
  enter(
    callee: DecodedFunction,
    registers: Registers,
    resume: Segment | undefined,
    resultRegister: number,
    call: Inst,
  ): Segment {
    if (this.frames.length >= this.limits.callDepth) trap('VCT0642', { limit: this.limits.callDepth });
    this.frames.push({
      function: callee,
      callerRegisters: this.registers,
      resultRegister,
      resume,
      call,
      objects: undefined,
    });
    this.registers = registers;
    return callee.entry;
  }

  /** Replaces the running call by another, which returns to where this one would have: a tail call. */
  enterTail(callee: DecodedFunction, registers: Registers): Segment {
    const frame = this.frames.pop() as Frame;
    this.#release(frame);
    this.frames.push({ ...frame, function: callee, objects: undefined });
    this.registers = registers;
    return callee.entry;
  }

  /** Leaves the running function with a result; gives the segment to go on with. */
  leave(result: Slot): Segment | undefined {
    const frame = this.frames.pop() as Frame;
    this.#release(frame);
    this.registers = frame.callerRegisters as Registers;
    if (frame.resultRegister >= 0) this.registers[frame.resultRegister] = result;
    else if (frame.resume === undefined) this.#result = result;
    return frame.resume;
  }

  #release(frame: Frame): void {
    if (frame.objects !== undefined)
      for (const object of frame.objects) this.memory.release(object, Life.returned);
  }

  /** Ties an object to the running call. */
  own(object: MemoryObject): void {
    const frame = this.frames[this.frames.length - 1] as Frame;
    if (frame.objects === undefined) frame.objects = [object];
    else frame.objects.push(object);
  }

  /** Runs a function to its end and gives its result. */
  run(callee: DecodedFunction, registers: Registers): Slot {
    let segment: Segment | undefined = this.enter(callee, registers, undefined, -1, -1 as Inst);
    let current = segment;
    let at = 0;
    try {
      while (segment !== undefined) {
        current = segment;
        const { steps } = segment;
        const active = this.registers;
        at = 0;
        this.fuel -= steps.length + 1;
        if (this.fuel < 0) trap('VCT0641', { fuel: this.limits.fuel });
        while (at < steps.length) {
          (steps[at] as (registers: Registers) => void)(active);
          at++;
        }
        segment = segment.exit(active);
      }
    } catch (thrown) {
      if (!(thrown instanceof Trap)) throw thrown;
      this.#report(thrown, current, current.instructions[at] as Inst);
    }
    return this.#result;
  }

  /** Makes the diagnostic of a trap: where it happened, and each call that led there. */
  #report(thrown: Trap, segment: Segment, inst: Inst): never {
    const notes: DiagnosticNote[] = [];
    const depth = this.frames.length;
    for (let index = depth - 1; index > 0; index--) {
      if (index === depth - 1 - NOTED_FRAMES && index > NOTED_FRAMES) {
        notes.push({ message: `${index - NOTED_FRAMES} more calls` });
        index = NOTED_FRAMES;
      }
      const frame = this.frames[index] as Frame;
      const caller = (this.frames[index - 1] as Frame).function;
      notes.push(this.#note(`@${frame.function.name} was called by @${caller.name}`, caller.id, frame.call));
    }
    fail(thrown.code, thrown.values, this.module.positionOf(segment.function.id, inst), notes);
  }

  #note(message: string, id: FunctionId, call: Inst): DiagnosticNote {
    const position = this.module.positionOf(id, call);
    return position === undefined ? { message } : { message, position };
  }
}
