/**
 * Turns copies that happen at once into moves one after the other. Twin: native/core/parallel-copy.cc.
 *
 * Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon: "Revisiting Out-of-SSA Translation" (CGO 2009), algorithm 1: a
 * destination whose old value nobody waits for is written first; what is left are cycles, and each is cut by saving one
 * variable. That gives the fewest moves: one a copy, and one more for each cycle that no other destination hangs on.
 * Where the paper takes any place that holds a value, the original is read as long as it stands, which reads better.
 * A done copy is told by a flag: the paper's own test takes one for undone after its value went to a third place.
 */

import { NONE } from '../ir/entities.js';

/** The copies, and the moves that they become. */
export interface ParallelCopy {
  /** In: copy n sets destination[n] to the variable source[n]. Destinations are distinct. */
  readonly destination: Int32Array;
  readonly source: Int32Array;
  /** Out: moves in order. Below zero, -1 - v is a temporary that holds the old value of variable v. */
  readonly moveDestination: Int32Array;
  readonly moveSource: Int32Array;
  moveCount: number;
  /** Scratch, by variable: where its old value is; what it is set to; both NONE between calls. */
  readonly location: Int32Array;
  readonly wanted: Int32Array;
  /** Scratch. */
  readonly ready: Int32Array;
}

/** Memory for so many variables, and so many copies at once. */
export function makeParallelCopy(variableCapacity: number, copyCapacity: number): ParallelCopy {
  return {
    destination: new Int32Array(copyCapacity),
    source: new Int32Array(copyCapacity),
    moveDestination: new Int32Array(2 * copyCapacity),
    moveSource: new Int32Array(2 * copyCapacity),
    moveCount: 0,
    location: new Int32Array(variableCapacity).fill(NONE),
    wanted: new Int32Array(variableCapacity).fill(NONE),
    ready: new Int32Array(2 * copyCapacity),
  };
}

/** Orders the first `count` copies. Copies of a variable to itself give no move. */
export function sequentialize(copy: ParallelCopy, count: number): void {
  const { destination, source, location, wanted, ready } = copy;
  copy.moveCount = 0;
  for (let index = 0; index < count; index++) {
    if (destination[index] === source[index]) continue;
    location[source[index] as number] = source[index] as number;
    wanted[destination[index] as number] = source[index] as number;
  }
  let readyCount = 0;
  for (let index = count - 1; index >= 0; index--) {
    const target = destination[index] as number;
    if (target !== source[index] && location[target] === NONE) ready[readyCount++] = target;
  }
  runReady(copy, readyCount);
  for (let index = 0; index < count; index++) {
    const target = destination[index] as number;
    // Still wanted: its old value is the last that a cycle waits for.
    if (wanted[target] === NONE) continue;
    addMove(copy, -1 - target, target);
    location[target] = -1 - target;
    ready[0] = target;
    runReady(copy, 1);
  }
  for (let index = 0; index < count; index++) location[source[index] as number] = NONE;
}

/** Writes the variables that may be written; each may free the place that it was read from. */
function runReady(copy: ParallelCopy, readyCount: number): void {
  const { location, wanted, ready } = copy;
  while (readyCount > 0) {
    const target = ready[--readyCount] as number;
    const origin = wanted[target] as number;
    const place = location[origin] as number;
    addMove(copy, target, place);
    wanted[target] = NONE;
    if (place === origin && wanted[origin] !== NONE) {
      location[origin] = target;
      ready[readyCount++] = origin;
    }
  }
}

function addMove(copy: ParallelCopy, destination: number, source: number): void {
  copy.moveDestination[copy.moveCount] = destination;
  copy.moveSource[copy.moveCount++] = source;
}
