/**
 * The border of the core (001 §5): how every entry is called, in either language.
 *
 * An entry takes its tables as plain Int32Arrays that the caller owns, writes its outputs in place and reports in the
 * header. When an output is too small it says how much it needs, and `callCore` allocates that and calls again. What is
 * checked here is what C++ checks in `addon.cc`: number, type, length and overlap of the arrays.
 */

import { fail } from '../diag/diagnostic.js';
import { NONE } from '../ir/entities.js';
import { CORE_FAULTS, type CoreFault, CoreFaultNumber, CoreHeader, CoreStatus } from '../ir/schema.js';

/** One algorithm of the core over whole tables; never throws for what the tables hold. */
export type CoreEntry = (
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
) => void;

/** What each fault means to the reader of a diagnostic. */
const FAULT_TEXT: { readonly [Name in CoreFault]: string } = {
  wrongArrays: 'the entry was not given the arrays that it takes',
  overlap: 'its memory overlaps that of another table',
  partialRow: 'its length is no multiple of the row length',
  rowCount: 'it has too few or too many rows',
  index: 'it holds an index that is out of range',
  arity: 'a row has too few or too many operands or children',
  shape: 'its rows are not in the required order or nesting',
  opcode: 'it holds an unknown opcode',
  kind: 'it holds an unknown kind',
  tooLarge: 'it is too large for 32-bit indices',
  category: 'a node stands where its category may not',
  owner: 'a variable is used in a function that does not own it',
  staleTraits: 'a rewrite has made its traits stale',
  contradictoryTraits: 'its traits contradict each other',
  accessAgainstTraits: 'it is accessed otherwise than its traits say',
  addressOfRegister: 'the address of a variable is taken that its traits keep in a register',
  jumpTarget: 'a break or continue names no loop or switch around it',
};

/** The longest table that 32-bit indices reach. */
const MAXIMUM_LENGTH = 0x7fffffff;

/** A header in its first state. */
export function newHeader(): Int32Array {
  return new Int32Array(CoreHeader.length);
}

/** Records that an input is malformed. `table` and `row` are NONE where there is none. */
export function reportFault(header: Int32Array, fault: number, table = NONE, row = NONE): void {
  header[CoreHeader.status] = CoreStatus.malformed;
  header[CoreHeader.table] = table;
  header[CoreHeader.row] = row;
  header[CoreHeader.fault] = fault;
}

/** Whether two views share a byte. */
function overlaps(left: Int32Array, right: Int32Array): boolean {
  if (left.buffer !== right.buffer || left.byteLength === 0 || right.byteLength === 0) return false;
  return (
    left.byteOffset < right.byteOffset + right.byteLength &&
    right.byteOffset < left.byteOffset + left.byteLength
  );
}

function isTableArray(value: unknown): value is Int32Array {
  return value instanceof Int32Array;
}

/**
 * Checks the arrays of one call before anything is read: their number and type, and that no array that is
 * written shares memory with another. A detached array reads as an empty one. Reports the first fault and returns false.
 */
export function checkArrays(
  inputs: readonly unknown[],
  outputs: readonly unknown[],
  header: Int32Array,
  inputCount: number,
  outputCount: number,
): boolean {
  if (!isTableArray(header) || header.length < CoreHeader.length)
    fail('VCT0001', { detail: 'the header of a core call is too short' });
  // The one word of the header that says something to the core.
  const threads = header[CoreHeader.threads] as number;
  header.fill(0);
  header[CoreHeader.threads] = threads;
  if (!Array.isArray(inputs) || !Array.isArray(outputs)) {
    reportFault(header, CoreFaultNumber.wrongArrays);
    return false;
  }
  if (inputs.length !== inputCount || outputs.length !== outputCount) {
    reportFault(header, CoreFaultNumber.wrongArrays);
    return false;
  }
  const all = [...inputs, ...outputs];
  for (let at = 0; at < all.length; at++) {
    const array = all[at];
    if (!isTableArray(array)) {
      reportFault(header, CoreFaultNumber.wrongArrays, at);
      return false;
    }
    if (array.length > MAXIMUM_LENGTH) {
      reportFault(header, CoreFaultNumber.tooLarge, at);
      return false;
    }
  }
  return checkOverlap(all as Int32Array[], inputCount, header);
}

/** Every array that is written, the header too, must share no memory with another. */
function checkOverlap(all: readonly Int32Array[], inputCount: number, header: Int32Array): boolean {
  for (let at = 0; at < all.length; at++) {
    const array = all[at] as Int32Array;
    const first = at < inputCount ? inputCount : 0;
    for (let other = first; other < all.length; other++) {
      if (other !== at && overlaps(array, all[other] as Int32Array)) {
        reportFault(header, CoreFaultNumber.overlap, at);
        return false;
      }
    }
    if (overlaps(array, header)) {
      reportFault(header, CoreFaultNumber.overlap, at);
      return false;
    }
  }
  return true;
}

/** An entry with the check of its arrays in front and failing allocations caught, as the native one has it. */
export function guarded(entry: CoreEntry, inputCount: number, outputCount: number): CoreEntry {
  return (inputs, outputs, header) => {
    if (!checkArrays(inputs, outputs, header, inputCount, outputCount)) return;
    try {
      entry(inputs, outputs, header);
    } catch (error) {
      // An array of an impossible or unavailable length is a RangeError.
      if (!(error instanceof RangeError)) throw error;
      header[CoreHeader.status] = CoreStatus.outOfMemory;
    }
  };
}

/** What `callCore` gives back. */
export interface CoreResult {
  /** The outputs, cut to what is used. */
  readonly outputs: readonly Int32Array<SharedArrayBuffer>[];
  readonly header: Int32Array;
}

/**
 * Calls an entry with outputs of the given first sizes (in int32s), and once more with what it asks for when they are
 * too small. `tableNames` name the inputs in the diagnostic of a malformed one (VCT0500). An entry that knows threads uses up to
 * `threads` of them. `explain` may fail with a better diagnostic of a malformed input.
 */
export function callCore(
  entry: CoreEntry,
  tableNames: readonly string[],
  inputs: readonly Int32Array[],
  sizes: readonly number[],
  threads = 1,
  explain?: (fault: CoreFault, table: number, row: number) => void,
): CoreResult {
  const header = newHeader();
  header[CoreHeader.threads] = threads;
  let outputs = allocateAll(sizes);
  entry(inputs, outputs, header);
  // The needed sizes are exact or an upper bound, so a second call cannot ask for more.
  if (header[CoreHeader.status] === CoreStatus.capacity) {
    outputs = allocateAll(sizes.map((_, at) => header[CoreHeader.firstSize + at] as number));
    entry(inputs, outputs, header);
  }
  if (header[CoreHeader.status] === CoreStatus.malformed) {
    const fault = CORE_FAULTS[header[CoreHeader.fault] as number] as CoreFault;
    explain?.(fault, header[CoreHeader.table] as number, header[CoreHeader.row] as number);
  }
  throwOnFault(header, tableNames);
  return {
    outputs: outputs.map((output, at) => output.subarray(0, header[CoreHeader.firstSize + at] as number)),
    header,
  };
}

function throwOnFault(header: Int32Array, tableNames: readonly string[]): void {
  const status = header[CoreHeader.status];
  if (status === CoreStatus.ok) return;
  const table = tableNames[header[CoreHeader.table] as number] ?? 'core';
  if (status === CoreStatus.outOfMemory) fail('VCT0503', { what: 'a module of this size' });
  if (status === CoreStatus.malformed) {
    const row = header[CoreHeader.row] as number;
    const fault = CORE_FAULTS[header[CoreHeader.fault] as number] as CoreFault;
    const where = row === NONE ? '' : `row ${row}: `;
    fail('VCT0500', { table, detail: `${where}${FAULT_TEXT[fault]}` });
  }
  fail('VCT0001', { detail: `the core ended with status ${status}` });
}

/** Shared arrays of these lengths. Fails with VCT0503 when there is no memory for them. */
function allocateAll(sizes: readonly number[]): Int32Array<SharedArrayBuffer>[] {
  try {
    return sizes.map((words) => new Int32Array(new SharedArrayBuffer(words * Int32Array.BYTES_PER_ELEMENT)));
  } catch {
    return fail('VCT0503', { what: `tables of ${sizes.reduce((sum, words) => sum + words, 0)} words` });
  }
}
