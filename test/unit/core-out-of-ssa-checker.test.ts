import { describe, expect, it } from 'vitest';
import { leaveSsa, OutOfSsaResult } from '../../src/core/leave-ssa.js';
import { checkOutOfSsa } from '../../src/core/out-of-ssa-checker.js';
import type { FunctionId } from '../../src/ir/entities.js';
import { constantOperand, NONE } from '../../src/ir/entities.js';
import { OUT_OF_SSA_COPY, OUT_OF_SSA_FUNCTION, VIR_INSTRUCTION } from '../../src/ir/schema.js';
import type { VirModule } from '../../src/ir/vir-module.js';
import { parseVir } from '../../src/vir/parser.js';
import { Random } from '../harness/random.js';
import { randomFunction, runFunction } from '../harness/random-vir.js';

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

/** The result with some words of its tables changed. */
function changed(result: OutOfSsaResult, change: (tables: ChangedTables) => void): OutOfSsaResult {
  const tables = {
    variables: new Int32Array(result.variables),
    copies: new Int32Array(result.copies),
    functions: new Int32Array(result.functions),
  };
  change(tables);
  return new OutOfSsaResult(result.vir, tables.variables, tables.copies, tables.functions);
}

interface ChangedTables {
  readonly variables: Int32Array;
  readonly copies: Int32Array;
  readonly functions: Int32Array;
}

function at(row: number, column: number): number {
  return row * OUT_OF_SSA_COPY.stride + column;
}

describe('008/R6 the checker of out-of-SSA', () => {
  const result = leaveSsa(parseVir(SWAP), 'ts');
  const rowCount = result.copies.length / OUT_OF_SSA_COPY.stride;

  it('accepts what is right', () => {
    expect(checkOutOfSsa(result)).toEqual([]);
    // The first value of %i, the swap with its temporary, and %i beside %next.
    expect(rowCount).toBe(5);
  });

  it('misses no move that is left out', () => {
    for (let row = 0; row < rowCount; row++) {
      const broken = changed(result, ({ copies }) => {
        copies[at(row, OUT_OF_SSA_COPY.source)] = copies[at(row, OUT_OF_SSA_COPY.destination)] as number;
      });
      expect(checkOutOfSsa(broken), `row ${row}`).not.toEqual([]);
    }
  });

  it('sees moves in the wrong order', () => {
    for (let row = 1; row + 1 < rowCount; row++) {
      const broken = changed(result, ({ copies }) => {
        const stride = OUT_OF_SSA_COPY.stride;
        const first = copies.slice(row * stride, (row + 1) * stride);
        copies.copyWithin(row * stride, (row + 1) * stride, (row + 2) * stride);
        copies.set(first, (row + 1) * stride);
      });
      // The move of %i stands alone: it may change its place with a neighbour, the three of the swap may not.
      const variables = new Set(
        [row, row + 1].flatMap((moved) =>
          [OUT_OF_SSA_COPY.destination, OUT_OF_SSA_COPY.source].map(
            (column) => result.copies[at(moved, column)],
          ),
        ),
      );
      if (variables.size < 4) expect(checkOutOfSsa(broken), `row ${row}`).not.toEqual([]);
    }
  });

  it('sees values put into one variable that are alive together', () => {
    const parameterCount = 3;
    for (let first = 0; first < parameterCount; first++) {
      for (let second = 0; second < first; second++) {
        const broken = changed(result, ({ variables }) => {
          variables[first] = variables[second] as number;
        });
        expect(checkOutOfSsa(broken), `${first} and ${second}`).not.toEqual([]);
      }
    }
  });

  it('sees a value that is read and has no variable, a wrong constant, and variables that do not exist', () => {
    const kept = [...result.variables.keys()].filter((row) => result.variables[row] !== NONE);
    for (const row of kept) {
      for (const variable of [NONE, 99]) {
        const broken = changed(result, ({ variables }) => {
          variables[row] = variable;
        });
        expect(checkOutOfSsa(broken), `row ${row}`).not.toEqual([]);
      }
    }
    const constants = changed(result, ({ copies }) => {
      for (let row = 0; row < rowCount; row++) {
        const source = at(row, OUT_OF_SSA_COPY.source);
        if ((copies[source] as number) < 0) copies[source] = constantOperand(1 as never);
      }
    });
    expect(checkOutOfSsa(constants)).not.toEqual([]);
    const fewer = changed(result, ({ functions }) => {
      (functions[OUT_OF_SSA_FUNCTION.variableCount] as number)--;
    });
    expect(checkOutOfSsa(fewer)).not.toEqual([]);
  });

  it('sees two types in one variable', () => {
    const vir = parseVir(`module "m"
func @f(%p: i32, %q: i64) -> i64 {
entry:
  %a = add i32 %p, 1
  %b = zext i32 %a to i64
  %c = add i64 %b, %q
  ret i64 %c
}`);
    const good = leaveSsa(vir, 'ts');
    expect(checkOutOfSsa(good)).toEqual([]);
    // %c comes after the last use of %a: only its type is in the way.
    const broken = changed(good, ({ variables }) => {
      variables[4] = variables[2] as number;
    });
    expect(checkOutOfSsa(broken).join()).toContain('another type');
  });

  it('rejects every random change that shows when the program runs', () => {
    const random = new Random(20);
    let shown = 0;
    for (let seed = 0; seed < 400; seed++) {
      const vir = parseVir(`module "m"\n${randomFunction('f', seed, 6)}`);
      const good = leaveSsa(vir, 'ts');
      const broken = changed(good, (tables) => changeOne(random, vir, tables));
      const view = vir.function(0 as FunctionId);
      const runs = [undefined, broken].map((after) =>
        [
          [1n, 2n, 3n],
          [-9n, 50n, 7n],
        ].map((parameters) => runFunction(view, parameters, 40, after)),
      );
      const isShown = stringOf(runs[0]) !== stringOf(runs[1]);
      if (isShown) shown++;
      if (isShown) expect(checkOutOfSsa(broken), `seed ${seed}`).not.toEqual([]);
    }
    expect(shown).toBeGreaterThan(20);
  });
});

function stringOf(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === 'bigint' ? `${item}n` : item));
}

/** Puts one value or one end of a move into another variable of the same type. */
function changeOne(random: Random, vir: VirModule, { variables, copies }: ChangedTables): void {
  const typeOf = (row: number) => vir.instructions.get(row, VIR_INSTRUCTION.type);
  if (copies.length > 0 && random.chance(50)) {
    const row = random.below(copies.length / OUT_OF_SSA_COPY.stride);
    const column = random.pick([OUT_OF_SSA_COPY.destination, OUT_OF_SSA_COPY.source]);
    const same = [...variables.keys()].filter((value) => (variables[value] as number) >= 0);
    copies[at(row, column)] = variables[random.pick(same)] as number;
    return;
  }
  const kept = [...variables.keys()].filter((row) => variables[row] !== NONE);
  if (kept.length === 0) return;
  const row = random.pick(kept);
  const same = kept.filter((other) => typeOf(other) === typeOf(row));
  variables[row] = variables[random.pick(same)] as number;
}
