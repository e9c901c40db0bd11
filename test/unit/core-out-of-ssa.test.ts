import { describe, expect, it } from 'vitest';
import { leaveSsa, type OutOfSsaResult } from '../../src/core/leave-ssa.js';
import { checkOutOfSsa } from '../../src/core/out-of-ssa-checker.js';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import type { Block, FunctionId, Inst } from '../../src/ir/entities.js';
import { NONE, operandConstant, type Value } from '../../src/ir/entities.js';
import { VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../../src/ir/schema.js';
import type { VirFunction, VirModule } from '../../src/ir/vir-module.js';
import { parseVir } from '../../src/vir/parser.js';
import { randomFunction, runFunction } from '../harness/random-vir.js';

const F = 0 as FunctionId;

/** Leaves SSA with the TypeScript core, and proves the result before anything else is asked of it. */
function leave(text: string): OutOfSsaResult {
  const result = leaveSsa(parseVir(text), 'ts');
  expect(checkOutOfSsa(result)).toEqual([]);
  return result;
}

function nameOf(view: VirFunction, inst: Inst): string {
  return view.tables.names.text(view.instructionName(inst));
}

/** The variable of a named value. */
function variableOf(result: OutOfSsaResult, name: string): number {
  const view = result.vir.function(F);
  for (let inst = 0; inst < view.instructionCount; inst++)
    if (nameOf(view, inst as Inst) === name) return result.variable(F, inst as Inst);
  throw new Error(`no value ${name}`);
}

/** All moves as text: `block>successor: destination = source`, variables named after their first value. */
function moves(result: OutOfSsaResult): string[] {
  const view = result.vir.function(F);
  const variable = (number: number) => {
    const first = result.firstValue(F, number);
    return first === NONE ? `temporary${number}` : nameOf(view, first);
  };
  const block = (number: number) => view.tables.names.text(view.blockName(number as Block));
  const lines: string[] = [];
  for (let from = 0; from < view.blockCount; from++) {
    for (let to = 0; to < view.blockCount; to++) {
      for (const { destination, source } of result.edgeCopies(F, from as Block, to as Block)) {
        const text =
          source < 0
            ? `${view.tables.constants.integerValue(operandConstant(source as Value))}`
            : variable(source);
        lines.push(`${block(from)}>${block(to)}: ${variable(destination)} = ${text}`);
      }
    }
  }
  return lines;
}

describe('008/R6 leaving SSA', () => {
  it('gives a counted loop one variable and no moves but the first assignment', () => {
    const result = leave(`module "m"
func @f(%n: i32) -> i32 {
entry:
  br %header
header:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %c = icmp slt i32 %i, %n
  condbr %c, %body, %exit
body:
  %next = add i32 %i, 1
  br %header
exit:
  ret i32 %i
}`);
    expect(moves(result)).toEqual(['entry>header: i = 0']);
    expect(variableOf(result, 'next')).toBe(variableOf(result, 'i'));
    expect(result.variableCount(F)).toBe(3);
  });

  it('keeps the value that a lost copy would lose', () => {
    const result = leave(`module "m"
func @f(%n: i32) -> i32 {
entry:
  br %loop
loop:
  %x = phi i32 [ 1, %entry ], [ %next, %loop ]
  %next = add i32 %x, 1
  %c = icmp slt i32 %next, %n
  condbr %c, %loop, %exit
exit:
  ret i32 %x
}`);
    expect(moves(result)).toEqual(['entry>loop: x = 1', 'loop>loop: x = next']);
  });

  it('swaps two variables with one temporary', () => {
    const result = leave(`module "m"
func @f(%n: i32, %p: i32, %q: i32) -> i32 {
entry:
  br %loop
loop:
  %a = phi i32 [ %p, %entry ], [ %b, %loop ]
  %b = phi i32 [ %q, %entry ], [ %a, %loop ]
  %c = icmp slt i32 %a, %n
  condbr %c, %loop, %exit
exit:
  ret i32 %b
}`);
    expect(moves(result)).toEqual([
      'loop>loop: temporary4 = p',
      'loop>loop: p = q',
      'loop>loop: q = temporary4',
    ]);
    expect(result.variableType(F, 4)).toBe(result.vir.tables.types.i32);
  });

  it('swaps on one of two edges only for the virtual swap', () => {
    const result = leave(`module "m"
func @f(%c: i1, %p: i32, %q: i32) -> i32 {
entry:
  condbr %c, %left, %right
left:
  br %join
right:
  br %join
join:
  %a = phi i32 [ %p, %left ], [ %q, %right ]
  %b = phi i32 [ %q, %left ], [ %p, %right ]
  %r = sub i32 %a, %b
  ret i32 %r
}`);
    // One edge gets its values where they are; the other swaps.
    expect(moves(result)).toEqual([
      'right>join: temporary4 = p',
      'right>join: p = q',
      'right>join: q = temporary4',
    ]);
  });

  it('needs two moves for a pair that shifts', () => {
    const result = leave(`module "m"
func @fibonacci(%n: i32) -> i32 {
entry:
  br %loop
loop:
  %a = phi i32 [ 0, %entry ], [ %b, %loop ]
  %b = phi i32 [ 1, %entry ], [ %sum, %loop ]
  %sum = add i32 %a, %b
  %c = icmp slt i32 %sum, %n
  condbr %c, %loop, %exit
exit:
  ret i32 %a
}`);
    expect(moves(result)).toEqual([
      'entry>loop: a = 0',
      'entry>loop: b = 1',
      'loop>loop: a = b',
      'loop>loop: b = sum',
    ]);
  });

  it('joins nested ifs in one variable (no moves for plain assignments)', () => {
    const result = leave(`module "m"
func @f(%c: i1, %d: i1, %p: i32) -> i32 {
entry:
  condbr %c, %then, %else
then:
  condbr %d, %inner.then, %inner.else
inner.then:
  %x1 = add i32 %p, 1
  br %inner.join
inner.else:
  %x2 = add i32 %p, 2
  br %inner.join
inner.join:
  %x3 = phi i32 [ %x1, %inner.then ], [ %x2, %inner.else ]
  br %join
else:
  %x4 = add i32 %p, 4
  br %join
join:
  %x5 = phi i32 [ %x3, %inner.join ], [ %x4, %else ]
  ret i32 %x5
}`);
    expect(moves(result)).toEqual([]);
    for (const name of ['x2', 'x3', 'x4', 'x5'])
      expect(variableOf(result, name)).toBe(variableOf(result, 'x1'));
  });

  it('keeps the condition of a branch from the moves of its edges (008/R7)', () => {
    const result = leave(`module "m"
func @f(%p: i1, %q: i1) -> i1 {
entry:
  br %loop
loop:
  %a = phi i1 [ %p, %entry ], [ %q, %loop ]
  condbr %a, %loop, %exit
exit:
  ret i1 %a
}`);
    // loop -> loop is critical: its move runs after the condition is read and not on the way to exit.
    expect(result.edgeCopies(F, 1 as Block, 1 as Block).length).toBe(1);
    expect(result.edgeCopies(F, 1 as Block, 2 as Block)).toEqual([]);
    expect(result.headCopies(F, 1 as Block)).toEqual([]);
  });

  it('keeps values of different types apart, and has a temporary for each', () => {
    const result = leave(`module "m"
func @f(%c: i1, %p: i32, %q: i32, %r: f64, %s: f64) -> i32 {
entry:
  br %loop
loop:
  %a = phi i32 [ %p, %entry ], [ %b, %loop ]
  %b = phi i32 [ %q, %entry ], [ %a, %loop ]
  %x = phi f64 [ %r, %entry ], [ %y, %loop ]
  %y = phi f64 [ %s, %entry ], [ %x, %loop ]
  %d = fcmp olt f64 %x, %y
  condbr %d, %loop, %exit
exit:
  ret i32 %b
}`);
    const count = result.variableCount(F);
    const { i32, f64 } = result.vir.tables.types;
    expect([result.variableType(F, count - 2), result.variableType(F, count - 1)]).toEqual([i32, f64]);
    expect(result.copies.length / 4).toBe(6);
  });

  it('drops phis that only dead phis read', () => {
    const result = leave(`module "m"
func @f(%n: i32) -> i32 {
entry:
  br %loop
loop:
  %dead = phi i32 [ 5, %entry ], [ %also, %loop ]
  %also = phi i32 [ 6, %entry ], [ %dead, %loop ]
  %unread = add i32 %n, 1
  %c = icmp slt i32 %n, 3
  condbr %c, %loop, %exit
exit:
  ret i32 %n
}`);
    expect(moves(result)).toEqual([]);
    for (const name of ['dead', 'also', 'unread']) expect(variableOf(result, name)).toBe(NONE);
  });

  it('splits the copies of a value that stays alive beside its phi', () => {
    const result = leave(`module "m"
func @f(%c: i1, %p: i32) -> i32 {
entry:
  condbr %c, %then, %join
then:
  %x = add i32 %p, 1
  br %join
join:
  %r = phi i32 [ %p, %entry ], [ %x, %then ]
  %s = sub i32 %r, %p
  ret i32 %s
}`);
    expect(moves(result)).toEqual(['entry>join: x = p']);
  });

  it('is right on an irreducible loop', () => {
    const result = leave(`module "m"
func @f(%c: i1, %p: i32, %q: i32) -> i32 {
entry:
  condbr %c, %left, %right
left:
  %a = phi i32 [ %p, %entry ], [ %b, %right ]
  %a2 = add i32 %a, 1
  %d = icmp slt i32 %a2, 100
  condbr %d, %right, %exit
right:
  %b = phi i32 [ %q, %entry ], [ %a2, %left ]
  br %left
exit:
  %r = add i32 %a, %a2
  ret i32 %r
}`);
    expect(result.copies.length).toBeGreaterThan(0);
  });

  it('keeps phis of one block apart though only unreachable code reads one of them', () => {
    const result = leave(`module "m"
func @f(%c: i1, %p: i32, %q: i32) -> i32 {
entry:
  condbr %c, %left, %right
left:
  br %join
right:
  br %join
join:
  %a = phi i32 [ %p, %left ], [ %q, %right ]
  %b = phi i32 [ %p, %left ], [ %q, %right ]
  ret i32 %b
dead:
  ret i32 %a
}`);
    expect(variableOf(result, 'a')).not.toBe(variableOf(result, 'b'));
  });

  it('counts parallel edges of a switch once', () => {
    const result = leave(`module "m"
func @f(%p: i32) -> i32 {
entry:
  switch i32 %p, %join [ 0: %join, 1: %other, 2: %other ]
other:
  br %join
join:
  %r = phi i32 [ 7, %entry ], [ %p, %other ]
  ret i32 %r
}`);
    expect(moves(result)).toEqual(['entry>join: p = 7']);
  });

  it('has nothing to say of declarations and of blocks that control cannot reach', () => {
    const result = leave(`module "m"
declare @g(i32) -> i32
func @f(%p: i32) -> i32 {
entry:
  br %join
dead:
  %x = add i32 %p, 1
  br %join
join:
  %r = phi i32 [ %p, %entry ], [ %x, %dead ]
  ret i32 %r
}`);
    expect(result.variableCount(0 as FunctionId)).toBe(0);
    expect(result.copies.length).toBe(0);
  });
});

describe('008/R8 random functions', () => {
  for (const [maximumBlocks, count] of [
    [4, 600],
    [8, 600],
    [24, 150],
  ] as const) {
    it(`keep their meaning, with up to ${maximumBlocks} blocks`, () => {
      const names = Array.from({ length: count }, (_, seed) => `f${seed}`);
      const text = names.map((name, seed) => randomFunction(name, seed * 31 + maximumBlocks, maximumBlocks));
      const result = leave(`module "random"\n${text.join('')}`);
      for (const view of result.vir.definedFunctions()) {
        for (const parameters of [
          [1n, 2n, 3n],
          [-5n, 0n, 1n << 40n],
        ]) {
          const expected = runFunction(view, parameters, 60);
          expect(runFunction(view, parameters, 60, result), view.name).toEqual(expected);
        }
      }
    });
  }
});

describe('001 §5 the border of out-of-SSA', () => {
  const text = `module "m"
func @f(%c: i1, %p: i32) -> i32 {
entry:
  condbr %c, %then, %join
then:
  %x = add i32 %p, 1
  br %join
join:
  %r = phi i32 [ %p, %entry ], [ %x, %then ]
  ret i32 %r
}`;

  /** The code and text of the diagnostic that leaving SSA ends with after a change of the tables. */
  function faultOf(change: (vir: VirModule) => void): string {
    const vir = parseVir(text);
    change(vir);
    try {
      leaveSsa(vir, 'ts');
    } catch (error) {
      if (error instanceof DiagnosticError) return error.message;
      throw error;
    }
    return 'none';
  }

  const phi = 5;
  const phiOperands = (vir: VirModule) => vir.instructions.get(phi, VIR_INSTRUCTION.operandStart);

  it('takes the tables as they are', () => {
    expect(faultOf(() => undefined)).toBe('none');
  });

  it('says which row is at fault', () => {
    const cases: [string, (vir: VirModule) => void][] = [
      // The predecessor twice, and a block that is none.
      ['virInstruction table is malformed: row 5', (vir) => vir.operands.set(phiOperands(vir) + 1, 0, 1)],
      ['virInstruction table is malformed: row 5', (vir) => vir.operands.set(phiOperands(vir) + 1, 0, 2)],
      [
        'virInstruction table is malformed: row 5',
        (vir) => vir.instructions.set(phi, VIR_INSTRUCTION.operandCount, 2),
      ],
      ['operands table is malformed', (vir) => vir.operands.set(phiOperands(vir), 0, NONE)],
      ['operands table is malformed', (vir) => vir.operands.set(phiOperands(vir), 0, 1000)],
      [
        'virInstruction table is malformed: row 3',
        (vir) => vir.instructions.set(3, VIR_INSTRUCTION.opcodeAndRegion, 200),
      ],
      ['virBlock table is malformed: row 1', (vir) => vir.blocks.set(1, VIR_BLOCK.instructionCount, 0)],
      [
        'virFunction table is malformed: row 0',
        (vir) => vir.functions.set(0, VIR_FUNCTION.blockCount, 2 ** 31 - 1),
      ],
      ['virFunction table is malformed: row 0', (vir) => vir.functions.set(0, VIR_FUNCTION.firstOperand, -5)],
    ];
    for (const [expected, change] of cases) {
      expect(faultOf(change)).toContain('VCT0500');
      expect(faultOf(change)).toContain(expected);
    }
  });

  it('ends soon on functions that all claim the same rows', () => {
    expect(
      faultOf((vir) => {
        const row = [...vir.functions.view()];
        for (let copy = 0; copy < 10_000; copy++) {
          vir.functions.append();
          vir.functions.data.set(row, (copy + 1) * VIR_FUNCTION.stride);
        }
      }),
    ).toContain('virFunction table is malformed: row 1: it has too few or too many rows');
  });
});

describe('008 X: size', () => {
  it('leaves SSA on 20,000 ifs in a row, nested as deep, and with as many variables in one loop', () => {
    const count = 20_000;
    const row: string[] = [];
    const nested: string[] = [];
    for (let index = 0; index < count; index++) {
      const before = index === 0 ? '%p' : `%y${index - 1}`;
      row.push(`b${index}:\n  condbr %c, %t${index}, %j${index}`);
      row.push(`t${index}:\n  %x${index} = add i32 ${before}, 1\n  br %j${index}`);
      row.push(`j${index}:\n  %y${index} = phi i32 [ ${before}, %b${index} ], [ %x${index}, %t${index} ]`);
      row.push(`  br %b${index + 1}`);
      nested.push(`n${index}:\n  condbr %c, %n${index + 1}, %m${index}`);
    }
    row.push(`b${count}:\n  ret i32 %y${count - 1}`);
    nested.push(`n${count}:\n  %z${count} = add i32 %p, 1\n  br %m${count - 1}`);
    for (let index = count - 1; index >= 0; index--) {
      const inner = index === count - 1 ? `n${count}` : `m${index + 1}`;
      nested.push(`m${index}:\n  %z${index} = phi i32 [ %p, %n${index} ], [ %z${index + 1}, %${inner} ]`);
      nested.push(index === 0 ? '  ret i32 %z0' : `  br %m${index - 1}`);
    }
    const vir = parseVir(
      `module "m"\nfunc @row(%p: i32, %c: i1) -> i32 {\nentry:\n  br %b0\n${row.join('\n')}\n}\n` +
        `func @nested(%p: i32, %c: i1) -> i32 {\nentry:\n  br %n0\n${nested.join('\n')}\n}\n`,
    );
    const result = leaveSsa(vir, 'ts');
    expect(result.copies.length).toBe(0);
    expect([result.variableCount(0 as FunctionId), result.variableCount(1 as FunctionId)]).toEqual([2, 2]);
  });
});
