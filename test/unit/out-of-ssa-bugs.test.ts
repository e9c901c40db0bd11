/** Bugs that a translation out of SSA could have, put into right results by hand: the checker rejects each of them (008/R6 to R8). */

import { describe, expect, test } from 'vitest';
import { leaveSsa, OutOfSsaResult } from '../../src/core/leave-ssa.js';
import { checkOutOfSsa } from '../../src/core/out-of-ssa-checker.js';
import { constantOperand, NONE } from '../../src/ir/entities.js';
import { OUT_OF_SSA_COPY, OUT_OF_SSA_FUNCTION } from '../../src/ir/schema.js';
import { parseVir } from '../../src/vir/parser.js';

/** The tables of a result as lists that a bug may change: variables by instruction row, moves, and the count of variables. */
interface Tables {
  readonly variables: number[];
  readonly moves: [block: number, successor: number, destination: number, source: number][];
  count: number;
}

type Bug = readonly [name: string, change: (tables: Tables) => void];

/** Rows of instructions: 0 %n, 1 %p, 2 %q, 4 %a, 5 %b, 6 %i, 7 %next, 8 %c, 10 %r. */
const SWAP = `module "m"
func @f(%n: i32, %p: i32, %q: i32) -> i32 {
entry:
  br %loop
loop:
  %a = phi i32 [ %p, %entry ], [ %b, %loop ]
  %b = phi i32 [ %q, %entry ], [ %a, %loop ]
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, %n
  %c = icmp slt i32 %next, %a
  condbr %c, %loop, %exit
exit:
  %r = add i32 %b, %i
  ret i32 %r
}`;
const SWAP_MOVES = [
  [0, 1, 3, -4],
  [1, 1, 3, 4],
  [1, 1, 7, 1],
  [1, 1, 1, 2],
  [1, 1, 2, 7],
];

/** Rows: 0 %n, 2 %x, 3 %y, 4 %c, 6 %r. */
const LOST_COPY = `module "m"
func @f(%n: i32) -> i32 {
entry:
  br %loop
loop:
  %x = phi i32 [ 1, %entry ], [ %y, %loop ]
  %y = add i32 %x, 1
  %c = icmp slt i32 %y, %n
  condbr %c, %loop, %exit
exit:
  %r = mul i32 %x, %y
  ret i32 %r
}`;
const LOST_COPY_MOVES = [
  [0, 1, 1, -4],
  [1, 1, 1, 2],
];

/** Rows: 0 %c, 1 %d, 2 %p, 3 %q, 7 %x, 8 %y, 9 %s, 10 %t. */
const CRITICAL = `module "m"
func @f(%c: i1, %d: i1, %p: i32, %q: i32) -> i32 {
entry:
  condbr %c, %left, %join
left:
  condbr %d, %join, %other
other:
  ret i32 %q
join:
  %x = phi i32 [ %p, %entry ], [ %q, %left ]
  %y = phi i32 [ 7, %entry ], [ %p, %left ]
  %s = add i32 %x, %y
  %t = add i32 %s, %p
  ret i32 %t
}`;
const CRITICAL_MOVES = [
  [0, 3, 3, 2],
  [0, 3, 4, -4],
  [1, 3, 4, 2],
];

const drop = (row: number) => (tables: Tables) => tables.moves.splice(row, 1);
const exchange = (row: number) => (tables: Tables) => {
  const [first, second] = tables.moves.splice(row, 2);
  tables.moves.splice(row, 0, second as Tables['moves'][0], first as Tables['moves'][0]);
};
const set = (row: number, column: number, word: number) => (tables: Tables) => {
  (tables.moves[row] as number[])[column] = word;
};
const merge = (value: number, other: number) => (tables: Tables) => {
  tables.variables[value] = tables.variables[other] as number;
};

const { block: BLOCK, successor: SUCCESSOR, destination: DESTINATION, source: SOURCE } = OUT_OF_SSA_COPY;

const PROGRAMS: readonly [name: string, text: string, moves: number[][], bugs: readonly Bug[]][] = [
  [
    'a swap in a loop',
    SWAP,
    SWAP_MOVES,
    [
      ['the first value of a phi is never moved', drop(0)],
      ['a copy on the way back is dropped', drop(1)],
      ['the temporary of a cycle is not saved', drop(2)],
      ['the first half of a swap is dropped', drop(3)],
      ['the second half of a swap is dropped', drop(4)],
      ['the temporary is saved after it is overwritten', exchange(2)],
      ['the temporary is read before the other half', exchange(3)],
      ['a swap without a temporary', (tables) => { drop(2)(tables); set(3, SOURCE, 1)(tables); }], // biome-ignore format: one line
      ['the wrong variable is saved', set(2, SOURCE, 2)],
      ['the temporary is one of the variables', set(2, DESTINATION, 0)],
      ['a half of the swap goes to the other variable', set(3, DESTINATION, 2)],
      ['the end of the swap reads what was overwritten', set(4, SOURCE, 1)],
      ['a constant instead of the value', set(1, SOURCE, constantOperand(1 as never))],
      ['another constant than the phi has', set(0, SOURCE, constantOperand(0 as never))],
      ['a move on the wrong edge', set(1, SUCCESSOR, 2)],
      ['a move of another block', set(1, BLOCK, 0)],
      ['a move at the head of a block that others enter too', (tables) => { set(0, BLOCK, 1)(tables); set(0, SUCCESSOR, NONE)(tables); }], // biome-ignore format: one line
      ['the phis of a swap share a variable', merge(5, 4)],
      ['a counter shares the variable of its next value', merge(7, 6)],
      ['a value that lives through the loop shares one that changes in it', merge(0, 6)],
      ['a parameter shares the variable of another', merge(2, 1)],
      ['a value that is read has no variable', (tables) => { tables.variables[7] = NONE; }], // biome-ignore format: one line
      ['a variable that does not exist', (tables) => { tables.variables[10] = 40; }], // biome-ignore format: one line
      ['the temporary is not counted', (tables) => { tables.count--; }], // biome-ignore format: one line
      ['a condition shares the variable of a number', merge(8, 7)],
    ],
  ],
  [
    'a lost copy',
    LOST_COPY,
    LOST_COPY_MOVES,
    [
      ['the copy that is lost', (tables) => { merge(3, 2)(tables); drop(1)(tables); }], // biome-ignore format: one line
      ['the phi is never set again', drop(1)],
      ['the phi starts with nothing', drop(0)],
      ['the copy comes before the last use, on the way out', set(1, SUCCESSOR, 2)],
      ['the copy goes the other way', (tables) => { set(1, DESTINATION, 2)(tables); set(1, SOURCE, 1)(tables); }], // biome-ignore format: one line
      ['the limit is overwritten', set(1, DESTINATION, 0)],
    ],
  ],
  [
    'critical edges',
    CRITICAL,
    CRITICAL_MOVES,
    [
      ['a move on a critical edge is dropped', drop(0)],
      ['a constant on a critical edge is dropped', drop(1)],
      ['a move is made for one predecessor only', drop(2)],
      ['a move at the end of a block with two ways out', set(0, SUCCESSOR, 1)],
      ['a move for the wrong predecessor', set(2, BLOCK, 0)],
      ['two phis share a variable', merge(8, 7)],
      ['a phi shares a parameter that lives on', (tables) => { merge(8, 2)(tables); drop(2)(tables); set(1, DESTINATION, 2)(tables); }], // biome-ignore format: one line
    ],
  ],
];

/** A result with these tables. */
function resultOf(text: string, moves: readonly (readonly number[])[], change?: Bug[1]): OutOfSsaResult {
  const good = leaveSsa(parseVir(text), 'ts');
  const tables: Tables = {
    variables: [...good.variables],
    moves: moves.map((move) => [...move]) as Tables['moves'],
    count: good.functions[OUT_OF_SSA_FUNCTION.variableCount] as number,
  };
  change?.(tables);
  const functions = Int32Array.from(good.functions);
  functions[OUT_OF_SSA_FUNCTION.variableCount] = tables.count;
  functions[OUT_OF_SSA_FUNCTION.copyCount] = tables.moves.length;
  // Moves are found by their place, and a bug may put one into another.
  const order = tables.moves.map((move, index) => ({ move, index }));
  order.sort(
    (left, right) =>
      left.move[SUCCESSOR] - right.move[SUCCESSOR] ||
      left.move[BLOCK] - right.move[BLOCK] ||
      left.index - right.index,
  );
  const copies = Int32Array.from(order.flatMap(({ move }) => move));
  return new OutOfSsaResult(good.vir, Int32Array.from(tables.variables), copies, functions);
}

describe('008/R6 008/R7 008/R8 the checker of out-of-SSA', () => {
  for (const [name, text, moves] of PROGRAMS)
    test(`accepts what is made of ${name}, which is what the bugs are put into`, () => {
      const good = leaveSsa(parseVir(text), 'ts');
      expect([...good.copies]).toEqual(moves.flat());
      expect(checkOutOfSsa(resultOf(text, moves))).toEqual([]);
    });

  for (const [program, text, moves, bugs] of PROGRAMS)
    for (const [name, change] of bugs)
      test(`rejects in ${program}: ${name}`, () => {
        expect(checkOutOfSsa(resultOf(text, moves, change))).not.toEqual([]);
      });

  test('knows at least 30 bugs by name', () => {
    const names = PROGRAMS.flatMap(([program, , , bugs]) => bugs.map(([name]) => `${program}: ${name}`));
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(30);
  });
});
