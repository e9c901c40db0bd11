import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { OPCODES } from '../../src/ir/opcodes.js';
import { FLOAT_PREDICATES, INTEGER_PREDICATES } from '../../src/ir/schema.js';
import { parseVir } from '../../src/vir/parser.js';
import { printVir } from '../../src/vir/printer.js';

const EVERYTHING = `module "everything"
source "demo.mini"
source "other file.mini"

type %Pair = { lo: i32, hi: i64 }
type %U = union { a: i32, b: f64 }

global @counter: i32 = 0
constant @msg: [6 x i8] = "hello\\00"

declare @printf(ptr<i8>, ...) -> i32
declare @named(%p: ptr<i8> #[NonNull], %0: i32) -> void #[NoThrow] !1:2

func @sum(%a: ptr<i32> #[NonNull], %n: i32) -> i32 export #[NoThrow] {
entry:
  br %loop.header
loop.header: #[Vectorize] !3:1
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop.body ]
  %s = phi i32 [ 0, %entry ], [ %s.next, %loop.body ]
  %cmp = icmp slt i32 %i, %n
  condbr %cmp, %loop.body, %loop.exit
loop.body:
  %addr = gep i32 %a, %i
  %elem = load i32 %addr #[Align(4), Range(-5, 100)] !12:5
  %s.next = add i32 %s, %elem region 3 !1:2:3
  %i.next = add i32 %i, 1
  br %loop.header
loop.exit:
  ret i32 %s
}

func @all(%x: i32, %y: i32, %f: f64, %g: f64, %p: ptr<i32>, %c: i1, %pair: %Pair, %q: ptr<%Pair>, %w: i128) -> void {
0:
  %slot = alloca i32
  %0 = sub i32 %x, -2147483648
  %1 = mul i32 %0, %0
  %2 = sdiv i32 %x, %y
  %3 = udiv i32 %x, %y
  %4 = srem i32 %x, %y
  %5 = urem i32 %x, %y
  %6 = and i32 %x, %y
  %7 = or i32 %x, %y
  %8 = xor i32 %x, %y
  %9 = shl i32 %x, %y
  %10 = lshr i32 %x, %y
  %11 = ashr i32 %x, %y
  %12 = fadd f64 %f, 0.1
  %13 = fsub f64 %f, -0.0
  %14 = fmul f64 %f, 1e+21
  %15 = fdiv f64 %f, nan
  %16 = frem f64 %f, nan:0x7ff0000000000001
  %17 = fneg f64 inf
  %18 = fcmp ult f64 %f, -inf
  %19 = trunc i32 %x to i8
  %20 = zext i8 %19 to i64
  %21 = sext i8 %19 to u16
  %22 = fptrunc f64 %f to f32
  %23 = fpext f32 %22 to f64
  %24 = fptosi f64 %f to i32
  %25 = fptoui f64 %f to u32
  %26 = sitofp i32 %x to f64
  %27 = uitofp i32 %x to f32
  %28 = ptrtoint ptr<i32> %p to i64
  %29 = inttoptr i64 %28 to ptr<i8>
  %30 = bitcast i32 %x to u32
  %31 = select %Pair %c, %pair, { i32 1, i64 2 }
  store i32 %x, %slot
  store atomic volatile i32 7, @counter release
  %32 = load atomic i32 @counter seq_cst
  %33 = load volatile i32 %slot
  %34 = gep %Pair %q, 0, 1
  %35 = gep [6 x i8] @msg, 0, i64 3
  %36 = extractvalue %Pair %pair, 1
  %37 = insertvalue %Pair %31, i32 %x, 0
  %38 = call i32 @sum(ptr<i32> %p, i32 3)
  %39 = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @msg, i32 %x, f64 %f) #[NoInline!]
  call void @all(i32 1)
  call fn(i32) -> void null(i32 1)
  %40 = cmpxchg weak volatile i32 %slot, 0, %x acq_rel monotonic
  %41 = atomicrmw umin i32 %slot, %x seq_cst
  %42 = atomicrmw volatile nand i32 %slot, 5 monotonic
  fence acquire
  memcpy ptr<i32> %p, ptr<i32> %slot, i64 4
  memmove volatile ptr<i32> %p, ptr<i32> %slot, u64 4
  memset ptr<i32> %slot, i8 -1, i64 4
  %43 = sqrt f64 %f
  %44 = fabs f32 %22
  %45 = ctpop i128 %w
  %46 = fshl i32 %x, %y, 3
  %47 = sadd_sat i32 %x, %y
  %48 = uadd_sat i32 %x, %y
  %49 = ssub_sat i32 %x, %y
  %50 = usub_sat i32 %x, %y
  %51 = sadd_overflow i32 %x, %y
  %52 = uadd_overflow i32 %x, %y
  %53 = ssub_overflow i32 %x, %y
  %54 = usub_overflow i32 %x, %y
  %55 = smul_overflow i32 %x, %y
  %56 = umul_overflow u8 1, 255
  assume %c
  switch i32 %x, %1 [ 0: %1, -1: %"odd block" ]
1:
  switch i1 %c, %2 []
"odd block":
  unreachable
2:
  %57 = phi i32 [ 0, %1 ]
  %"odd value" = add i128 170141183460469231731687303715884105727, %w
  ret void
}
`;

function roundTrip(text: string): string {
  return printVir(parseVir(text, { file: 'case.vir' }));
}

/** The codes and lines of the errors of a text. */
function errors(text: string): string[] {
  try {
    parseVir(text);
    return [];
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return error.diagnostics.map((item) => `${item.code}@${item.position?.line}`);
  }
}

/** A module of one function whose body is that. */
function body(lines: string): string {
  return `func @f(%x: i32) -> i32 {\nentry:\n${lines}\n}\n`;
}

describe('.vir text', () => {
  it('006 round-trips every opcode, type form, constant form and annotation byte for byte', () => {
    expect(roundTrip(EVERYTHING)).toBe(EVERYTHING);
    for (const { name } of OPCODES) {
      if (name !== 'param') expect(EVERYTHING).toMatch(new RegExp(`(^|\\s)${name} |${name}\\n`));
    }
  });

  it('round-trips every predicate', () => {
    const lines = [
      ...INTEGER_PREDICATES.map((predicate, at) => `  %${at} = icmp ${predicate} i32 %x, 1`),
      ...FLOAT_PREDICATES.map((predicate, at) => `  %${at + 10} = fcmp ${predicate} f32 1.5, 2.0`),
      '  ret i32 0',
    ];
    const text = `module "m"\n\n${body(lines.join('\n'))}`;
    expect(roundTrip(text)).toBe(text);
  });

  it('accepts free spelling and prints the canonical one', () => {
    const text = `; a comment
      func @f(%x: i32)->i32 {
      entry: ; here
        %y=add i32 %x,0x10
        switch i32 %y, %d [
          0: %d,
          1: %d
        ]
      d:
        %f = phi f32 [1, %entry]
        call i32 @f(i32 1)
        ret i32 %later
        %later = add i32 1, 1
      }`;
    expect(roundTrip(text)).toBe(`module "module"

func @f(%x: i32) -> i32 {
entry:
  %y = add i32 %x, 16
  switch i32 %y, %d [ 0: %d, 1: %d ]
d:
  %f = phi f32 [ 1.0, %entry ]
  %0 = call i32 @f(i32 1)
  ret i32 %later
  %later = add i32 1, 1
}
`);
  });

  it('keeps where a line stands in the text when it names no source position', () => {
    const module = parseVir(body('  %y = add i32 %x, 1\n  ret i32 %y !7:9'), { file: 'a.vir' });
    expect(module.positionOf(0 as never, 1 as never)).toEqual({ file: 'a.vir', line: 3, column: 3 });
    expect(module.positionOf(0 as never, 2 as never)).toEqual({ file: 'a.vir', line: 7, column: 9 });
    expect(module.blockPositionOf(0 as never, 0 as never)).toEqual({ file: 'a.vir', line: 2, column: 1 });
    expect(module.functionPositionOf(0 as never)).toMatchObject({ line: 1, column: 6 });
  });

  it('names every error of a text with its line, once', () => {
    expect(errors(body('  %y = frob i32 %x\n  ret i32 %y'))).toEqual(['VCT0117@3']);
    expect(errors(body('  %x = add i32 1, 2\n  ret i32 %z'))).toEqual(['VCT0118@3', 'VCT0119@4']);
    expect(errors(body('  br %nowhere'))).toEqual(['VCT0121@3']);
    expect(errors(body('  ret i32 0\nentry:\n  ret i32 0'))).toEqual(['VCT0120@4']);
    expect(errors('func @f() -> void {\n  ret void\n}')).toEqual(['VCT0130@2']);
    expect(errors('func @f() -> void {\nentry:\n  ret void\n')).toEqual(['VCT0123@4']);
    expect(errors(body('  %y = store i32 1, null\n  ret i32 0'))).toEqual(['VCT0124@3']);
    expect(errors(body('  ret i32 0 !3:4:5'))).toEqual(['VCT0116@3']);
    expect(errors(body('  %y = icmp lt i32 %x, 1\n  ret i32 %x extra'))).toEqual(['VCT0122@3', 'VCT0100@4']);
    expect(errors(body('  ret i32 1.5'))).toEqual(['VCT0112@3']);
    expect(errors(body('  ret i8 256'))).toEqual(['VCT0111@3']);
    expect(errors('declare @f() -> i0')).toEqual(['VCT0106@1']);
    expect(errors('declare @f() -> int')).toEqual(['VCT0105@1']);
    expect(errors('declare @f() -> void #[Foo]\ndeclare @f() -> void #[Align]')).toEqual([
      'VCT0113@1',
      'VCT0114@2',
    ]);
  });

  it('ends with diagnostics on every prefix of a text', () => {
    for (let end = 0; end < EVERYTHING.length; end += 7) {
      const text = EVERYTHING.slice(0, end);
      try {
        parseVir(text);
      } catch (error) {
        expect(error).toBeInstanceOf(DiagnosticError);
      }
    }
  });

  it('reads a function of 200,000 instructions in linear time', () => {
    const count = 200_000;
    const lines = ['  %v0 = add i32 %x, 1'];
    for (let at = 1; at < count; at++) lines.push(`  %v${at} = add i32 %v${at - 1}, ${at}`);
    lines.push(`  ret i32 %v${count - 1}`);
    const text = `module "m"\n\n${body(lines.join('\n'))}`;
    expect(roundTrip(text) === text).toBe(true);
  });
});
