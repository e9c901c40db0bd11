/**
 * Leaving SSA, for the C back end (008/R6-R8): which variable holds which value, and which moves run on which edge.
 *
 * Phis vanish: each edge into a block with phis carries the moves that set the phis' variables. Values that are never
 * alive together may share a variable; values of different types never do. Constants stay operands.
 */

import type { CoreChoice } from '../ir/config.js';
import type { Block, FunctionId, Inst, TypeId, Value } from '../ir/entities.js';
import { NONE } from '../ir/entities.js';
import { OUT_OF_SSA_COPY, OUT_OF_SSA_FUNCTION, VIR_FUNCTION } from '../ir/schema.js';
import type { VirModule } from '../ir/vir-module.js';
import { runOutOfSsa } from './run-out-of-ssa.js';

/** A variable of one function, counted from 0; NONE where a value has none. */
export type OutOfSsaVariable = number;

/** One move: `destination = source`. */
export interface OutOfSsaCopy {
  readonly destination: OutOfSsaVariable;
  /** A variable when not negative, else a constant operand (`operandConstant` gives the constant). */
  readonly source: OutOfSsaVariable | Value;
}

const NO_COPIES: readonly OutOfSsaCopy[] = Object.freeze([]);

/** The variables and moves of every function of one VIR module. Holds as long as the module does not change. */
export class OutOfSsaResult {
  /** For each function, for each variable: the first value that it holds, or NONE for a temporary. */
  readonly #firstValues: (Int32Array | undefined)[] = [];
  /** For each function that was asked for the type of a temporary: for each variable a value that is moved into it. */
  readonly #savedValues: (Int32Array | undefined)[] = [];

  constructor(
    readonly vir: VirModule,
    /** One entry an instruction row of the module. */
    readonly variables: Int32Array,
    /** Rows of `outOfSsaCopy`, ordered by (successor, block) within a function. */
    readonly copies: Int32Array,
    /** Rows of `outOfSsaFunction`. */
    readonly functions: Int32Array,
  ) {}

  /**
   * The variable that holds the result of an instruction. NONE: nothing reads the result (no instruction but dead phis,
   * and no move), so it need not be kept; what has effects must still run.
   */
  variable(id: FunctionId, inst: Inst): OutOfSsaVariable {
    return this.variables[this.vir.functions.get(id, VIR_FUNCTION.firstInstruction) + inst] as number;
  }

  /** How many variables the function has, temporaries of cyclic moves included (they come last). */
  variableCount(id: FunctionId): number {
    return this.#function(id, OUT_OF_SSA_FUNCTION.variableCount);
  }

  /** The first instruction in the table whose result the variable holds; NONE for a temporary of cyclic moves. */
  firstValue(id: FunctionId, variable: OutOfSsaVariable): Inst {
    return this.#values(id)[variable] as Inst;
  }

  /** The type of a variable: that of every value that it holds. */
  variableType(id: FunctionId, variable: OutOfSsaVariable): TypeId {
    const first = this.firstValue(id, variable);
    // A temporary has the type of what it saves.
    const value = first === NONE ? (this.#saved(id)[variable] as Inst) : first;
    return this.vir.function(id).instructionType(value);
  }

  /**
   * The moves of an edge, in execution order. They run after the terminator of `block` has read its operands, and only
   * when control goes to `successor`: at the end of `block` when `successor` is its only successor, at the head of
   * `successor` when `block` is its only predecessor, else on the edge itself (a critical edge, 008/R7).
   */
  edgeCopies(id: FunctionId, block: Block, successor: Block): readonly OutOfSsaCopy[] {
    return this.#find(id, block, successor);
  }

  /** The moves at the head of a block, before its first instruction and after those of the edge. */
  headCopies(id: FunctionId, block: Block): readonly OutOfSsaCopy[] {
    return this.#find(id, block, NONE);
  }

  #find(id: FunctionId, block: number, successor: number): readonly OutOfSsaCopy[] {
    const first = this.#function(id, OUT_OF_SSA_FUNCTION.firstCopy);
    const end = first + this.#function(id, OUT_OF_SSA_FUNCTION.copyCount);
    let row = this.#lowerBound(first, end, block, successor);
    if (row >= end || !this.#isAt(row, block, successor)) return NO_COPIES;
    const result: OutOfSsaCopy[] = [];
    for (; row < end && this.#isAt(row, block, successor); row++) {
      result.push({
        destination: this.#copy(row, OUT_OF_SSA_COPY.destination),
        source: this.#copy(row, OUT_OF_SSA_COPY.source),
      });
    }
    return result;
  }

  #isAt(row: number, block: number, successor: number): boolean {
    return (
      this.#copy(row, OUT_OF_SSA_COPY.block) === block &&
      this.#copy(row, OUT_OF_SSA_COPY.successor) === successor
    );
  }

  /** The first row in [first, end) that is not before (successor, block). */
  #lowerBound(first: number, end: number, block: number, successor: number): number {
    while (first < end) {
      const middle = (first + end) >>> 1;
      const rowSuccessor = this.#copy(middle, OUT_OF_SSA_COPY.successor);
      const before =
        rowSuccessor < successor ||
        (rowSuccessor === successor && this.#copy(middle, OUT_OF_SSA_COPY.block) < block);
      if (before) first = middle + 1;
      else end = middle;
    }
    return first;
  }

  /** For each temporary of a function: a value that it saves. */
  #saved(id: FunctionId): Int32Array {
    const known = this.#savedValues[id];
    if (known !== undefined) return known;
    const saved = new Int32Array(this.variableCount(id)).fill(NONE);
    const first = this.#function(id, OUT_OF_SSA_FUNCTION.firstCopy);
    const end = first + this.#function(id, OUT_OF_SSA_FUNCTION.copyCount);
    for (let row = first; row < end; row++) {
      const source = this.#copy(row, OUT_OF_SSA_COPY.source);
      const destination = this.#copy(row, OUT_OF_SSA_COPY.destination);
      if (source >= 0 && saved[destination] === NONE) saved[destination] = this.firstValue(id, source);
    }
    this.#savedValues[id] = saved;
    return saved;
  }

  #values(id: FunctionId): Int32Array {
    const known = this.#firstValues[id];
    if (known !== undefined) return known;
    const values = new Int32Array(this.variableCount(id)).fill(NONE);
    const count = this.vir.functions.get(id, VIR_FUNCTION.instructionCount);
    for (let inst = 0; inst < count; inst++) {
      const variable = this.variable(id, inst as Inst);
      if (variable !== NONE && values[variable] === NONE) values[variable] = inst;
    }
    this.#firstValues[id] = values;
    return values;
  }

  #function(id: FunctionId, column: number): number {
    return this.functions[id * OUT_OF_SSA_FUNCTION.stride + column] as number;
  }

  #copy(row: number, column: number): number {
    return this.copies[row * OUT_OF_SSA_COPY.stride + column] as number;
  }
}

/**
 * Finds variables and moves for every function of a module, in one call of the core. Fails with VCT0500 when the
 * tables are malformed; requires SSA (`verifyVir`) for the result to mean anything.
 */
export function leaveSsa(vir: VirModule, choice: CoreChoice = 'auto'): OutOfSsaResult {
  const { variables, copies, functions } = runOutOfSsa(vir, choice);
  return new OutOfSsaResult(vir, variables, copies, functions);
}
