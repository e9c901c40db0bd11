import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { parseHir } from '../../src/hir/parser.js';
import { printHir } from '../../src/hir/printer.js';

/** A program in canonical form, with every statement, every class of operation and every annotation. */
const CANONICAL = `module "demo"
source "demo.mini"
source "other.mini"

type %Pair = { lo: i32, hi: i64 }
type %Node = { value: i32, next: ptr<%Node> }

global @counter: i32 = 0 !1:1
constant @message: [6 x i8] = "hello\\00"

declare @printf(ptr<i8>, ...) -> i32
declare @abs(%x: i32 #[Range(0, 10)]) -> i32 #[NoThrow]

func @sum(%a: ptr<i32> #[NonNull] !2:10, %n: i32) -> i32 export #[NoThrow] !2:1 {
  local %ghost: i64 #[isAddressed]
  var %s: i32 = 0 !3:3
  var %i: i32 #[isVolatile] at !4:2 = 1 with #[comptime] !4:1
  var %unset: f64
  outer: while (icmp slt i32 (%i, %n) as %test !5:8) #[Unroll(4)] !5:1 {
    %s = add i32 (%s, load i32 (gep i32 (%a, %i)) as %elem #[Align(4)] !1:7:2) !6:1
    %i = (add i32 (%i, 1) !7:9) !7:1
    if (andalso (icmp eq i32 (%s, 3), orelse (true, fcmp olt f64 (%unset, 1.0)))) !8:1 {
      break outer
    } else { !8:20
      continue
    }
    switch (%s) {
    case 1, 2 fallthrough {
      break
    }
    case -3 !9:9 {
      inner: do {
        switch (zext (%s) to i64) {
        default {
          continue inner
        }
        }
      } while (icmp ne i32 (%s, 0))
    }
    default {
    }
    }
  }
  for {
    var %k: i32 = 0
  } while (icmp slt i32 (%k, 10)) step {
    %k = add i32 (%k, 1)
  } do {
    defer { !10:1
      store i32 (1, @counter)
    }
    defer !11:1 call @printf (@message, const i32 5)
    named: {
      unreachable
    }
    {
      return cond i32 (icmp eq ptr<i32> (%a, null), %s, -1) !12:1
    }
  }
  return select i32 (true, %s, 2)
}

func @all(%p: ptr<%Pair>, %f: ptr<fn(i32) -> i32>, %x: f64) -> void {
  var %pair: %Pair = load %Pair (%p)
  store i64 (sext (extractvalue (%pair, 0)) to i64, gep %Pair (&%pair, 0, 1)) !none
  %pair = insertvalue (%pair, const i64 5, 1)
  call fn(i32) -> i32 (%f, 3) #[NoInline!]
  call @abs (call fn(i32) -> i32 (null, 3))
  atomicrmw volatile add i32 (@counter, 1) seq_cst
  cmpxchg weak i32 (@counter, 0, 1) acq_rel monotonic
  fence seq_cst
  store atomic volatile i32 (load atomic i32 (@counter) acquire, @counter) release
  memcpy (%p, const ptr<i8> null, 8)
  memset volatile (%p, 0, 8)
  memset (%p, const i8 -1, const u64 8)
  assume (icmp ult i32 (1, 2))
  sadd_overflow i32 (1, 2)
  fshl u8 (1, 2, 3)
  sqrt f64 (%x)
  fptosi (fneg f64 (%x)) to u16
  bitcast (const f32 1.5) to i32
  var %v: { i32, [2 x i8] } = { i32 1, [2 x i8] [ i8 1, i8 2 ] }
  const i1 true
  %v
}

func @"odd name"(%0: i32, %x: i32) -> i32 {
  var %x.1: i32 = %0
  "a label": while (true) {
    while (true) {
      break "a label"
    }
    return add i32 (%x, %x.1)
  }
}
`;

function errorsOf(text: string): string[] {
  try {
    parseHir(text, { file: 't' });
  } catch (error) {
    if (error instanceof DiagnosticError)
      return error.diagnostics.map((item) => `${item.code} ${item.position?.line}:${item.position?.column}`);
    throw error;
  }
  return [];
}

describe('round trip', () => {
  test('003/T-1 canonical text comes back byte for byte', () => {
    const printed = printHir(parseHir(CANONICAL.replace(' !none', '')));
    expect(printed).toBe(CANONICAL.replace(' !none', ''));
  });

  test('003/T-1 a position that differs from the one around it is written', () => {
    const text = `module "m"\n\nfunc @f() -> void {\n  %x = (%y !none) !3:4\n}\n`;
    const full = text
      .replace('{\n', '{\n  var %x: i32\n  var %y: i32\n')
      .replace('module "m"', 'module "m"\nsource "s"');
    expect(printHir(parseHir(full))).toBe(full);
  });

  test('003/T-2 deep nesting is read and written', () => {
    const depth = 50_000;
    const deep = `${'add i32 ('.repeat(depth)}1${', 1)'.repeat(depth)}`;
    const blocks = `${'  {\n'.repeat(depth)}${'  }\n'.repeat(depth)}`;
    const text = `module "m"\n\nfunc @f() -> i32 {\n${blocks}  return ${deep}\n}\n`;
    const once = printHir(parseHir(text));
    expect(printHir(parseHir(once))).toBe(once);
    expect(once.length).toBeGreaterThan(depth * 12);
  });
});

describe('errors have a code and a place', () => {
  const body = (statement: string) => `module "m"\nfunc @f(%a: i32) -> i32 {\n  ${statement}\n}\n`;
  test.each([
    ['%b = 1', 'VCT0404 3:3'],
    ['return %b', 'VCT0404 3:10'],
    ['var %a: i32', 'VCT0405 3:7'],
    ['break nowhere', 'VCT0406 3:9'],
    ['break ^0', 'VCT0406 3:10'],
    ['frobnicate (1)', 'VCT0408 3:3'],
    ['5', 'VCT0100 3:3'],
    ['return add i32 (1)', 'VCT0125 3:10'],
    ['return add i32 (1, 2', 'VCT0100 4:1'],
    ['return add i32 (1, x)', 'VCT0100 3:22'],
    ['return phi i32 (1)', 'VCT0402 3:10'],
    ['return call @g ()', 'VCT0110 3:15'],
    ['switch (5) {\n}', 'VCT0401 3:11'],
    ['switch (%a) {\n  %a = 1\n}', 'VCT0100 4:3'],
    ['while (true) {', 'VCT0123 5:1'],
    ['x: %a = 1', 'VCT0100 3:6'],
    ['l: switch (%a) {\n  default {\n  continue l\n}\n}', 'VCT0407 5:3'],
    ['return 1 2', 'VCT0100 3:12'],
    ['return 3000000000000', 'VCT0111 3:10'],
    ['return true', 'VCT0112 3:10'],
    ['for {\n} step {\n}', 'VCT0100 4:3'],
    ['if (%a) {\n} else if (true) {\n}', 'VCT0100 4:8'],
    ['return load atomic i32 (null)', 'VCT0100 4:1'],
    ['%a = 1 with', 'VCT0100 4:1'],
    ['%a = 1 with !3:4', 'VCT0100 3:15'],
  ])('%s', (statement, expected) => {
    expect(errorsOf(body(statement))).toEqual([expected]);
  });

  test('011/D-5 each function may report an error', () => {
    expect(
      errorsOf(`${body('%b = 1')}${body('%c = 1').replace('module "m"\n', '').replace('@f', '@g')}`),
    ).toEqual(['VCT0404 3:3', 'VCT0404 6:3']);
  });

  test('every prefix of a program is read or refused', () => {
    for (let length = 0; length < CANONICAL.length; length += 7) errorsOf(CANONICAL.slice(0, length));
  });
});
