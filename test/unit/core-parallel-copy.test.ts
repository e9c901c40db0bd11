import { describe, expect, it } from 'vitest';
import { makeParallelCopy, sequentialize } from '../../src/core/parallel-copy.js';

type Copy = readonly [destination: number, source: number];

/** The moves that the copies become. */
function movesOf(copies: readonly Copy[], variables: number): Copy[] {
  const copy = makeParallelCopy(variables, copies.length);
  // Twice, to see that nothing of the first call is left behind.
  for (let round = 0; round < 2; round++) {
    copies.forEach(([destination, source], index) => {
      copy.destination[index] = destination;
      copy.source[index] = source;
    });
    sequentialize(copy, copies.length);
  }
  return Array.from({ length: copy.moveCount }, (_, index) => [
    copy.moveDestination[index] as number,
    copy.moveSource[index] as number,
  ]);
}

/** Where each variable's value comes from after the moves. */
function run(moves: readonly Copy[], variables: number): number[] {
  const held = new Map<number, number>();
  const read = (place: number) => held.get(place) ?? place;
  for (const [destination, source] of moves) held.set(destination, read(source));
  return Array.from({ length: variables }, (_, variable) => read(variable));
}

/** The fewest moves, by breadth-first search over all states of the variables and one temporary for each pair. */
function fewestMoves(copies: readonly Copy[], variables: number): number {
  const temporaries = Math.floor(variables / 2);
  const start = Array.from({ length: variables + temporaries }, (_, place) =>
    place < variables ? place : -1,
  );
  const isDone = (state: readonly number[]) => {
    const wanted = new Map(copies);
    return state.slice(0, variables).every((held, variable) => held === (wanted.get(variable) ?? variable));
  };
  let states = [start];
  const met = new Set([start.join()]);
  for (let moves = 0; ; moves++) {
    if (states.some(isDone)) return moves;
    const next: number[][] = [];
    for (const state of states) {
      for (let destination = 0; destination < state.length; destination++) {
        for (let source = 0; source < state.length; source++) {
          const after = [...state];
          after[destination] = state[source] as number;
          const key = after.join();
          if (met.has(key)) continue;
          met.add(key);
          next.push(after);
        }
      }
    }
    states = next;
  }
}

/** Every parallel copy of `variables` variables: each is set to one of them, or not set. */
function* allCopies(variables: number): Generator<Copy[]> {
  for (let number = 0; number < (variables + 1) ** variables; number++) {
    const copies: Copy[] = [];
    let rest = number;
    for (let destination = 0; destination < variables; destination++) {
      const source = rest % (variables + 1);
      rest = Math.floor(rest / (variables + 1));
      if (source < variables) copies.push([destination, source]);
    }
    yield copies;
  }
}

describe('008/R6 parallel copies', () => {
  for (const variables of [1, 2, 3, 4]) {
    it(`become the fewest moves for every copy of ${variables} variables, in any order`, () => {
      for (const copies of allCopies(variables)) {
        const wanted = new Map(copies);
        const expected = Array.from({ length: variables }, (_, variable) => wanted.get(variable) ?? variable);
        const fewest = fewestMoves(copies, variables);
        for (const order of [copies, [...copies].reverse()]) {
          const moves = movesOf(order, variables);
          expect(run(moves, variables), JSON.stringify(order)).toEqual(expected);
          expect(moves.length, JSON.stringify(order)).toBe(fewest);
        }
      }
    });
  }

  it('save one variable for each cycle, and none where a cycle fans out', () => {
    expect(
      movesOf(
        [
          [0, 1],
          [1, 0],
        ],
        2,
      ).length,
    ).toBe(3);
    expect(
      movesOf(
        [
          [0, 1],
          [1, 0],
          [2, 0],
        ],
        3,
      ).length,
    ).toBe(3);
    expect(
      movesOf(
        [
          [0, 1],
          [1, 0],
          [2, 3],
          [3, 2],
        ],
        4,
      ).length,
    ).toBe(6);
  });

  it('take linear time on a cycle of 200,000', () => {
    const size = 200_000;
    const copies = Array.from({ length: size }, (_, variable): Copy => [variable, (variable + 1) % size]);
    expect(movesOf(copies, size).length).toBe(size + 1);
  });
});
