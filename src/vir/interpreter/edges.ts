/**
 * Terminators. The phis of a block are moves on the edges that lead to it: all are read before any is written, because they
 * happen at once.
 */

import type { Exit, Segment } from './segments.js';
import type { Registers } from './step.js';
import { trapUndef } from './trap.js';
import type { Slot } from './values.js';

/** The moves of one edge, in the order of the phis. */
export interface EdgeMoves {
  readonly destinations: readonly number[];
  readonly sources: readonly number[];
}

/** Goes to `target` after the moves. */
export function edgeExit(target: Segment, moves: EdgeMoves): Exit {
  const { destinations, sources } = moves;
  const count = destinations.length;
  if (count === 0) return () => target;
  if (count === 1) {
    const [destination] = destinations as [number];
    const [source] = sources as [number];
    return (registers) => {
      registers[destination] = registers[source];
      return target;
    };
  }
  if (count === 2) {
    const [destination0, destination1] = destinations as [number, number];
    const [source0, source1] = sources as [number, number];
    return (registers) => {
      const value = registers[source0];
      registers[destination1] = registers[source1];
      registers[destination0] = value;
      return target;
    };
  }
  if (isSequential(moves))
    return (registers) => {
      for (let index = 0; index < count; index++)
        registers[destinations[index] as number] = registers[sources[index] as number];
      return target;
    };
  return parallelExit(target, moves);
}

function parallelExit(target: Segment, moves: EdgeMoves): Exit {
  const { destinations, sources } = moves;
  const count = destinations.length;
  const held: Slot[] = new Array(count).fill(undefined);
  return (registers) => {
    for (let index = 0; index < count; index++) held[index] = registers[sources[index] as number];
    for (let index = 0; index < count; index++) registers[destinations[index] as number] = held[index];
    return target;
  };
}

/** Whether no move reads what an earlier one has written. */
function isSequential(moves: EdgeMoves): boolean {
  const written = new Set<number>();
  for (let index = 0; index < moves.destinations.length; index++) {
    if (written.has(moves.sources[index] as number)) return false;
    written.add(moves.destinations[index] as number);
  }
  return true;
}

/** condbr. */
export function branchExit(condition: number, then: Exit, otherwise: Exit): Exit {
  return (registers) => {
    const value = registers[condition];
    if (value === undefined) trapUndef('the condition of a branch');
    return value === 0 ? otherwise(registers) : then(registers);
  };
}

/** switch; keys are in the one form that each value has. */
export function switchExit(selector: number, cases: ReadonlyMap<Slot, Exit>, otherwise: Exit): Exit {
  return (registers: Registers) => {
    const value = registers[selector];
    if (value === undefined) trapUndef('the value of a switch');
    return (cases.get(value) ?? otherwise)(registers);
  };
}
