import { describe, expect, test } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { functionText, llvmOf, verifierComplaint } from './llvm-tools.js';

/** The text of a module with one function, proved by LLVM's verifier. */
function proved(vir: string, options = {}): string {
  const text = llvmOf(`module "demo"\n${vir}`, options);
  expect(verifierComplaint(text)).toBe('');
  return text;
}

/** The lines of the function @f. */
function body(vir: string, options = {}): string {
  return functionText(proved(vir, options), 'f');
}

function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof DiagnosticError) return error.code;
    throw error;
  }
  return 'none';
}

describe('009 §5.6: scaffolding', () => {
  test('009/R3 009/R18 009/R19: triple and data layout stand first', () => {
    expect(proved('')).toBe(
      [
        "; ModuleID = 'demo'",
        'target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"',
        'target triple = "x86_64-unknown-linux-gnu"',
        '',
      ].join('\n'),
    );
  });

  test.each([
    ['x86_64-apple-macosx11.0.0', 19, 'e-m:o-p270:32:32'],
    ['x86_64-pc-windows-msvc', 19, 'e-m:w-p270:32:32'],
    ['aarch64-unknown-linux-gnu', 18, 'e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128"'],
    ['aarch64-unknown-linux-gnu', 19, 'e-m:e-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32"'],
    ['arm64-apple-macosx11.0.0', 19, 'e-m:o-i64:64-i128:128-n32:64-S128-Fn32"'],
    ['aarch64-pc-windows-msvc', 19, 'e-m:w-p:64:64-i32:32-i64:64-i128:128-n32:64-S128-Fn32"'],
  ])('009/R19: %s for LLVM %i', (target, llvm, layout) => {
    expect(llvmOf('', { target, llvm })).toContain(`"${layout}`);
  });

  test('009/R19: a target without known layout, and an old LLVM, are diagnostics', () => {
    expect(code(() => llvmOf('', { target: 'z80-unknown-cpm' }))).toBe('VCT0800');
    expect(code(() => llvmOf('', { target: 'x86_64-unknown-linux-gnu"\nevil' }))).toBe('VCT0800');
    expect(code(() => llvmOf('', { llvm: 17 }))).toBe('VCT0801');
  });

  test('009/R4 009/R17 009/R20: every declaration stands before any definition', () => {
    const text = proved(`
func @f(%x: i32) -> i32 export {
entry:
  %p = call i32 @ext(i32 %x)
  %s = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @fmt)
  %y = ctpop i32 %p
  ret i32 %y
}
constant @fmt: [2 x i8] = "a\\00"
global @outside: i32 extern
declare @ext(i32) -> i32
declare @printf(ptr<i8>, ...) -> i32
`);
    const lines = text.split('\n');
    const lastDeclaration = lines.findLastIndex((line) => /^declare|= external/.test(line));
    const firstDefinition = lines.findIndex((line) => /^define|^@.*= (internal|constant|global)/.test(line));
    expect(lastDeclaration).toBeGreaterThan(0);
    expect(firstDefinition).toBeGreaterThan(lastDeclaration);
    expect(text).toContain('@outside = external global i32, align 4\n');
    expect(text).toContain('declare i32 @llvm.ctpop.i32(i32)\n');
    expect(text).toContain('@fmt = internal constant [2 x i8] c"a\\00", align 1\n');
  });

  test('009/R5 009/R21: the same module gives the same bytes', () => {
    const vir = `
type %A = { a: i8, b: %B }
type %B = union { c: i64, d: [9 x i8] }
global @g: %A = zero
func @f(%x: ptr<%A>) -> %A { entry: %y = load %A %x ret %A %y }
func @g2(%x: ptr<%A>) -> %A export { entry: %y = call %A @f(ptr<%A> %x) ret %A %y }`;
    expect(proved(vir)).toBe(proved(vir));
  });

  test('009/R12, 009/R13, 002/T-4: no debug metadata and no attribute without its trait', () => {
    const text = body('func @f(%p: ptr<i32>) -> i32 export {\nentry:\n%x = load i32 %p !3:4\nret i32 %x\n}');
    expect(text).toBe('define i32 @f(ptr %p) {\nentry:\n  %x = load i32, ptr %p, align 4\n  ret i32 %x\n}');
  });
});

describe('009 §5.2: names and structure', () => {
  test('009/R6 009/R7: the loop of 009 §7', () => {
    const text = body(`
func @f(%p: ptr<i32>, %n: i32) -> i32 export {
entry:
  br %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %acc = phi i32 [ 0, %entry ], [ %acc.next, %body ]
  %cond = icmp slt i32 %i, %n
  condbr %cond, %body, %exit
body:
  %v = load i32 %p #[Range(0, 100)]
  %acc.next = add i32 %acc, %v
  %next = add i32 %i, 1
  br %loop
exit:
  ret i32 %acc
}`);
    expect(text).toBe(`define i32 @f(ptr %p, i32 %n) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %acc = phi i32 [ 0, %entry ], [ %acc.next, %body ]
  %cond = icmp slt i32 %i, %n
  br i1 %cond, label %body, label %exit

body:
  %v = load i32, ptr %p, align 4, !range !0
  %acc.next = add i32 %acc, %v
  %next = add i32 %i, 1
  br label %loop

exit:
  ret i32 %acc
}`);
  });

  test('009/R6: a phi has one pair for each parallel edge', () => {
    const text = body(`
func @f(%x: i32, %c: i1) -> i32 export {
entry:
  switch i32 %x, %join [ 0: %join, 1: %other, 2: %join ]
other:
  condbr %c, %join, %join
join:
  %r = phi i32 [ 1, %entry ], [ 2, %other ]
  ret i32 %r
}`);
    expect(text).toContain(
      'phi i32 [ 1, %entry ], [ 1, %entry ], [ 1, %entry ], [ 2, %other ], [ 2, %other ]',
    );
  });

  test('009/R8: values and blocks of one name get names of their own', () => {
    const text = body(`
func @f(%entry: i32, %x: i32, %x.1: i32) -> i32 export {
entry:
  %0 = add i32 %entry, %x.1
  %"a b" = add i32 %0, 1
  br %x
x:
  ret i32 %"a b"
}`);
    expect(text).toContain('define i32 @f(i32 %entry.1, i32 %x.2, i32 %x.1)');
    expect(text).toContain('%"a b" = add i32 %0, 1');
  });

  test('009/R21: a symbol that LLVM keeps for itself is a diagnostic', () => {
    expect(code(() => llvmOf('module "m"\ndeclare @llvm.foo() -> void'))).toBe('VCT0802');
    expect(proved('module "x"\ndeclare @"odd name\\22"() -> void'.slice(10))).toContain('@"odd name\\22"()');
  });
});

describe('009 §5.3: types and constants', () => {
  test('009/R9 Table 2: scalars, structs, arrays, unions, functions', () => {
    const text = proved(`
type %Pair = { lo: i32, hi: u64, f: f32, d: f64, p: ptr<%Pair>, a: [3 x u8], fn: ptr<fn(i32) -> void> }
type %U = union { a: i8, b: f64, c: [20 x i8] }
type %Gap = union { a: { x: i8, y: i64 }, b: [16 x i8] }
type %Unused = { a: i32 }
global @a: %Pair = zero
global @b: %U = zero
global @c: %Gap = zero`);
    expect(text).toContain('%struct.Pair = type { i32, i64, float, double, ptr, [3 x i8], ptr }\n');
    expect(text).toContain('%union.U = type { double, [16 x i8] }\n');
    expect(text).toContain('%union.Gap = type { [2 x i64] }\n');
    expect(text).not.toContain('Unused');
  });

  test('009/R10: pointers are opaque, with any pointee', () => {
    expect(proved('global @p: ptr<ptr<fn(i8, ...) -> ptr<void>>> export = null')).toContain(
      '@p = global ptr null, align 8',
    );
  });

  test('009/R11: field indices are the indices of the getelementptr', () => {
    const text = body(`
type %P = { a: i8, b: [4 x { x: i32, y: i64 }] }
func @f(%p: ptr<%P>, %i: u8, %j: i32) -> ptr<i64> export {
entry:
  %q = gep %P %p, %j, 1, %i, 1
  ret ptr<i64> %q
}`);
    expect(text).toContain('%q = getelementptr inbounds %struct.P, ptr %p, i32 %j, i32 1, i64 %index, i32 1');
    expect(text).toContain('%index = zext i8 %i to i64');
  });

  test('a step into a union starts again with the type of the member', () => {
    const text = body(`
type %U = union { a: f64, b: { x: i32, y: i32 } }
type %S = { i: i32, u: %U }
func @f(%p: ptr<%S>, %u: ptr<%U>) -> ptr<i32> export {
entry:
  %first = gep %U %u, 0, 1, 1
  %still = gep %U %u, 0, 1, 0
  %q = gep %S %p, 0, 1, 1, 1
  ret ptr<i32> %q
}`);
    expect(text).toContain('%first = getelementptr inbounds { i32, i32 }, ptr %u, i64 0, i32 1');
    expect(text).toContain('%still = getelementptr inbounds %union.U, ptr %u, i32 0');
    expect(text).toContain('%part = getelementptr inbounds %struct.S, ptr %p, i32 0, i32 1');
    expect(text).toContain('%q = getelementptr inbounds { i32, i32 }, ptr %part, i64 0, i32 1');
  });

  test('constants of every kind', () => {
    const text = proved(`
type %S = { a: i8, b: i1, c: u16 }
global @i: i128 = -170141183460469231731687303715884105728
global @u: u8 = 200
global @f: f32 = 0.1
global @g: f64 = 0.1
global @h: f64 = -0.0
global @n: f32 = nan:0x7f800001
global @inf: f64 = -inf
global @s: [2 x %S] = [ %S { i8 -1, i1 true, u16 7 }, %S zero ]
global @x: { ptr<i32>, ptr<i8> } = { ptr<i32> @u, ptr<i8> null }
global @un: i64 = undef
global @t: [4 x u8] = "\\00\\ff\\22\\5c"`);
    expect(text).toContain('@i = internal global i128 -170141183460469231731687303715884105728, align 16');
    expect(text).toContain('@u = internal global i8 200');
    expect(text).toContain('@f = internal global float 0x3FB99999A0000000');
    expect(text).toContain('@g = internal global double 1.000000e-01');
    expect(text).toContain('@h = internal global double -0.000000e+00');
    expect(text).toContain('@n = internal global float 0x7FF0000020000000');
    expect(text).toContain('@inf = internal global double 0xFFF0000000000000');
    expect(text).toContain('[%struct.S { i8 -1, i1 true, i16 7 }, %struct.S zeroinitializer]');
    expect(text).toContain('{ ptr, ptr } { ptr @u, ptr null }');
    expect(text).toContain('c"\\00\\FF\\22\\5C"');
  });

  test('linkage, storage and thread-local', () => {
    const text = proved(`
global @a: i32 export = 1
global @b: i32 weak = 1
global @c: i32 = 1 #[Align(64)]
global @t: i32 thread_local = 1
func @w() -> void weak { entry: ret void }
func @i() -> void { entry: ret void }`);
    expect(text).toContain('@a = global i32 1, align 4');
    expect(text).toContain('@b = weak global i32 1, align 4');
    expect(text).toContain('@c = internal global i32 1, align 64');
    expect(text).toContain('@t = internal thread_local global i32 1, align 4');
    expect(text).toContain('define weak void @w()');
    expect(text).toContain('define internal void @i()');
  });
});

describe('calls follow the ABI of the target', () => {
  const vir = `
declare @g(i8, u16, i1, i32) -> u8
func @f(%a: i8, %b: u16, %c: i1) -> u8 export {
entry:
  %r = call u8 @g(i8 %a, u16 %b, i1 %c, i32 1)
  ret u8 %r
}`;
  test('009/LX-4 narrow integers are extended where clang extends them', () => {
    expect(body(vir)).toBe(`define zeroext i8 @f(i8 signext %a, i16 zeroext %b, i1 zeroext %c) {
entry:
  %r = call zeroext i8 @g(i8 signext %a, i16 zeroext %b, i1 zeroext %c, i32 1)
  ret i8 %r
}`);
    expect(body(vir, { target: 'x86_64-pc-windows-msvc' })).toContain('i8 @f(i8 %a, i16 %b, i1 zeroext %c)');
    expect(body(vir, { target: 'aarch64-unknown-linux-gnu' })).toContain('i8 @f(i8 %a, i16 %b, i1 %c)');
  });
});

describe('009 §5.4 Table 3: traits', () => {
  test('009/R13 009/R14: parameters', () => {
    const text = body(`
func @f(%a: ptr<i32> #[NoAlias, NonNull, Align(16)], %b: ptr<i32> #[ReadOnly, NoUndef], %c: ptr<i32> #[NoRead, NoWrite], %d: ptr<i32> #[WriteOnly], %e: i32 #[Range(1, 10)]) -> void export {
entry:
  ret void
}`);
    expect(text).toContain(
      'ptr noalias nonnull align 16 %a, ptr readonly noundef %b, ptr readnone %c, ptr writeonly %d, i32 range(i32 1, 10) %e',
    );
  });

  test('009/R13: accesses through noalias parameters have scopes', () => {
    const text = proved(`
func @f(%a: ptr<i32> #[NoAlias], %b: ptr<i32> #[Restrict], %c: ptr<i32>, %d: ptr<ptr<i32>>) -> void export {
entry:
  %next = gep i32 %a, 1
  %x = load i32 %next
  store i32 %x, %b
  store i32 %x, %c
  %far = load ptr<i32> %d
  store i32 %x, %far
  ret void
}`);
    const lines = functionText(text, 'f').split('\n');
    expect(lines.filter((line) => line.includes('scope.decl'))).toHaveLength(2);
    expect(lines.slice(4)).toEqual([
      '  %next = getelementptr inbounds i32, ptr %a, i32 1',
      '  %x = load i32, ptr %next, align 4, !alias.scope !3, !noalias !4',
      '  store i32 %x, ptr %b, align 4, !alias.scope !4, !noalias !3',
      '  store i32 %x, ptr %c, align 4, !noalias !5',
      '  %far = load ptr, ptr %d, align 8, !noalias !5',
      '  store i32 %x, ptr %far, align 4',
      '  ret void',
      '}',
    ]);
    expect(text).toContain('!0 = distinct !{!0, !"f"}\n!1 = distinct !{!1, !0, !"f: a"}\n');
    expect(text).toContain('!5 = !{!1, !2}');
  });

  test('addresses in a circle, where nothing comes, end the search', () => {
    const text = body(`
func @f(%a: ptr<i8> #[NoAlias]) -> void export {
entry:
  ret void
dead:
  %x = gep i8 %y, 1
  %y = gep i8 %x, 1
  store i8 0, %y
  br %dead
}`);
    expect(text).toContain('store i8 0, ptr %y, align 1\n');
  });

  test('009/R13: functions', () => {
    const attributes = (traits: string) =>
      functionText(proved(`func @f() -> void export #[${traits}] { entry: ret void }`), 'f')
        .split('\n')[0]
        ?.replace('define void @f() ', '');
    expect(attributes('NoRead, NoWrite')).toBe('memory(none) {');
    expect(attributes('NoWrite')).toBe('memory(read) {');
    expect(attributes('NoRead')).toBe('memory(write) {');
    expect(attributes('NoThrow, WillReturn, Inline')).toBe('inlinehint willreturn nounwind {');
    expect(attributes('AlwaysInline!')).toBe('alwaysinline {');
    expect(attributes('NoInline, ColdPath')).toBe('noinline cold !prof !0 {');
    expect(attributes('NoReturn, HotPath')).toBe('noreturn hot !prof !0 {');
  });

  test('009/R15: ranges are real metadata, clipped to the type', () => {
    const range = (type: string, low: string, high: string) =>
      proved(
        `func @f(%p: ptr<${type}>) -> ${type} export { entry: %x = load ${type} %p #[Range(${low}, ${high})] ret ${type} %x }`,
      ).split('!0 = ')[1];
    expect(range('i32', '-5', '5')).toBe('!{i32 -5, i32 5}\n');
    expect(range('u8', '10', '256')).toBe('!{i8 10, i8 0}\n');
    expect(range('i8', '-1000', '0')).toBe('!{i8 -128, i8 0}\n');
    expect(range('u8', '0', '1000')).toBe(undefined);
  });

  test('009/R13: loads, branches, loops', () => {
    const text = proved(`
func @f(%p: ptr<ptr<i32>>, %n: i32) -> void export {
entry:
  %q = load ptr<i32> %p #[NonNull, NoUndef, Align(4)]
  br %head
head: #[Vectorize, Unroll(4)]
  %i = phi i32 [ 0, %entry ], [ %j, %head ]
  %j = add i32 %i, 1
  %c = icmp slt i32 %j, %n
  condbr %c, %head, %exit #[LikelyCall]
exit:
  ret void
}`);
    expect(text).toContain('%q = load ptr, ptr %p, align 4, !nonnull !0, !noundef !0');
    expect(text).toContain('br i1 %c, label %head, label %exit, !prof !4, !llvm.loop !3');
    expect(text).toContain('!1 = !{!"llvm.loop.vectorize.enable", i1 true}');
    expect(text).toContain('!2 = !{!"llvm.loop.unroll.count", i32 4}');
    expect(text).toContain('!3 = distinct !{!3, !1, !2}');
    expect(text).toContain('!4 = !{!"branch_weights", i32 2000, i32 1}');
  });

  test('009/R13, LX-3: tail calls', () => {
    const call = (traits: string, extra = '') =>
      body(`
declare @g(i32) -> i32
declare @h(ptr<i32>) -> i32
func @f(%x: i32) -> i32 export {
entry:
  ${extra}
  %r = call i32 @g(i32 %x) #[${traits}]
  ret i32 %r
}`);
    expect(call('TailCall')).toContain('%r = tail call i32 @g');
    expect(call('MustTail!')).toContain('%r = musttail call i32 @g');
    expect(call('NoTail')).toContain('%r = notail call i32 @g');
    expect(call('TailCall', '%slot = alloca i32')).toContain('%r = call i32 @g');
    const broken = `
declare @g(i64) -> i32
func @f(%x: i64) -> i32 export {
entry:
  %r = call i32 @g(i64 %x) #[MustTail!]
  %s = add i32 %r, 1
  ret i32 %s
}`;
    expect(code(() => llvmOf(broken))).toBe('VCT0803');
    expect(body(broken.replace('MustTail!', 'MustTail'))).toContain('%r = tail call i32 @g');
  });

  test('009/R15: assume is a real call', () => {
    const text = proved('func @f(%c: i1) -> void export { entry: assume %c ret void }');
    expect(text).toContain('declare void @llvm.assume(i1 noundef)');
    expect(text).toContain('call void @llvm.assume(i1 %c)');
  });
});

describe('memory', () => {
  test('volatile, atomic, alignment', () => {
    const text = body(`
func @f(%p: ptr<i32>, %q: ptr<ptr<i8>>, %x: i32) -> void export {
entry:
  %a = load volatile i32 %p #[Align(1)]
  %b = load atomic i32 %p seq_cst
  store volatile i32 %x, %p
  store atomic i32 %x, %p release
  %c = cmpxchg weak i32 %p, %x, 1 acq_rel monotonic
  %d = atomicrmw volatile umax i32 %p, %x seq_cst
  %e = atomicrmw xchg ptr<i8> %q, null acquire
  fence seq_cst
  ret void
}`);
    expect(text.split('\n').slice(2, -2)).toEqual([
      '  %a = load volatile i32, ptr %p, align 1',
      '  %b = load atomic i32, ptr %p seq_cst, align 4',
      '  store volatile i32 %x, ptr %p, align 4',
      '  store atomic i32 %x, ptr %p release, align 4',
      '  %c = cmpxchg weak ptr %p, i32 %x, i32 1 acq_rel monotonic, align 4',
      '  %d = atomicrmw volatile umax ptr %p, i32 %x seq_cst, align 4',
      '  %e = atomicrmw xchg ptr %q, ptr null acquire, align 8',
      '  fence seq_cst',
    ]);
  });
});
