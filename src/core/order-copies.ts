/**
 * Copies that happen at once, as moves one after the other, as an entry of the core. Twin: native/core/order-copies.cc.
 *
 * In: the destinations, the sources, and how many variables they name, which count from 0 without a gap. Out: the destinations and the sources of the moves, NONE for the one
 * temporary: a cycle has read it before the next one begins. The algorithm is that of parallel-copy.ts.
 */

import { NONE } from '../ir/entities.js';
import { CoreFaultNumber, CoreHeader, CoreStatus } from '../ir/schema.js';
import { reportFault } from './border.js';
import { makeParallelCopy, type ParallelCopy, sequentialize } from './parallel-copy.js';

/** How many arrays the entry takes and gives. */
export const copiesInputCount = 3;
export const copiesOutputCount = 2;

/** Checks that the copies are of variables that there are, and set none of them twice. Reports the first fault and returns false. */
function validateCopies(inputs: readonly Int32Array[], header: Int32Array): boolean {
  const [destinations, sources, request] = inputs as [Int32Array, Int32Array, Int32Array];
  if (request.length !== 1 || sources.length !== destinations.length) {
    reportFault(header, CoreFaultNumber.rowCount, request.length !== 1 ? 2 : 1);
    return false;
  }
  const variableCount = request[0] as number;
  // More variables than the copies can name would take memory for nothing.
  if (variableCount < 0 || variableCount > 2 * destinations.length) {
    reportFault(header, CoreFaultNumber.index, 2, 0);
    return false;
  }
  const isSet = new Uint8Array(variableCount);
  for (let index = 0; index < destinations.length; index++) {
    for (let table = 0; table < 2; table++) {
      const variable = (inputs[table] as Int32Array)[index] as number;
      if (variable < 0 || variable >= variableCount) {
        reportFault(header, CoreFaultNumber.index, table, index);
        return false;
      }
    }
    const destination = destinations[index] as number;
    if (isSet[destination] === 1) {
      reportFault(header, CoreFaultNumber.shape, 0, index);
      return false;
    }
    isSet[destination] = 1;
  }
  return true;
}

/** Writes the moves, with every temporary as NONE. */
function writeMoves(copy: ParallelCopy, outputs: readonly Int32Array[]): void {
  const [destinations, sources] = outputs as [Int32Array, Int32Array];
  for (let move = 0; move < copy.moveCount; move++) {
    destinations[move] = Math.max(NONE, copy.moveDestination[move] as number);
    sources[move] = Math.max(NONE, copy.moveSource[move] as number);
  }
}

/** The entry (see the head of the file). */
export function orderCopies(
  inputs: readonly Int32Array[],
  outputs: readonly Int32Array[],
  header: Int32Array,
): void {
  if (!validateCopies(inputs, header)) return;
  const [destinations, sources, request] = inputs as [Int32Array, Int32Array, Int32Array];
  const copy = makeParallelCopy(request[0] as number, destinations.length);
  copy.destination.set(destinations);
  copy.source.set(sources);
  sequentialize(copy, destinations.length);
  let fits = true;
  for (let output = 0; output < copiesOutputCount; output++) {
    header[CoreHeader.firstSize + output] = copy.moveCount;
    if ((outputs[output] as Int32Array).length < copy.moveCount) fits = false;
  }
  header[CoreHeader.status] = fits ? CoreStatus.ok : CoreStatus.capacity;
  if (fits) writeMoves(copy, outputs);
}
