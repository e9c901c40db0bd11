/** What LLVM computes from the text, at the edges of every operation, against values that JavaScript computes. */

import { describe, expect, test } from 'vitest';
import { llvmOf, runLlvm, verifierComplaint } from './llvm-tools.js';

/** Runs one program; gives the lines that it printed. */
function linesOf(vir: string): string[] {
  const llvm = llvmOf(vir);
  expect(verifierComplaint(llvm)).toBe('');
  const result = runLlvm(llvm);
  expect(result.status).toBe(0);
  return result.stdout.trimEnd().split('\n');
}

/** One expression over parameters, with the arguments to try and what each must give. */
interface Check {
  /** Instructions that define %r from %a, %b, …. */
  readonly code: string;
  readonly types: readonly string[];
  readonly result: string;
  readonly cases: readonly { readonly given: readonly string[]; readonly expected: string }[];
}

/** A program with a function for each check, so that LLVM sees the operands as unknown. */
function program(checks: readonly Check[]): { readonly vir: string; readonly expected: string[] } {
  const functions: string[] = [];
  const calls: string[] = [];
  const expected: string[] = [];
  let number = 0;
  checks.forEach((check, index) => {
    const names = ['a', 'b', 'c'];
    const parameters = check.types.map((type, at) => `%${names[at]}: ${type}`).join(', ');
    functions.push(
      `func @check${index}(${parameters}) -> ${check.result} #[NoInline] {\nentry:\n${check.code}\n  ret ${check.result} %r\n}`,
    );
    for (const { given, expected: wanted } of check.cases) {
      const values = given.map((value, at) => `${check.types[at]} ${value}`).join(', ');
      const id = number++;
      calls.push(`  %v${id} = call ${check.result} @check${index}(${values})`, ...shown(check.result, id));
      expected.push(wanted);
    }
  });
  const head =
    'module "checks"\ndeclare @printf(ptr<i8>, ...) -> i32\nconstant @format: [6 x i8] = "%llx\\0a\\00"\n';
  const main = `func @main() -> i32 export {\nentry:\n${calls.join('\n')}\n  ret i32 0\n}`;
  return { vir: `${head}${functions.join('\n')}\n${main}\n`, expected };
}

/** Prints the bits of value `id` in hexadecimal. */
function shown(type: string, id: number): string[] {
  const width = Number(type.slice(1));
  const lines: string[] = [];
  let value = `%v${id}`;
  if (type.startsWith('f')) {
    lines.push(`  %bits${id} = bitcast ${type} ${value} to u${width}`);
    value = `%bits${id}`;
  }
  const sign = type.startsWith('f') ? 'u' : type[0];
  if (width < 64) {
    lines.push(`  %wide${id} = zext ${sign}${width} ${value} to u64`);
    value = `%wide${id}`;
  } else if (width > 64) {
    lines.push(`  %wide${id} = trunc ${sign}${width} ${value} to u64`);
    value = `%wide${id}`;
  }
  const wide = width === 64 ? `${sign}64` : 'u64';
  lines.push(`  %p${id} = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, ${wide} ${value})`);
  return lines;
}

function hex(value: bigint, width: number): string {
  return BigInt.asUintN(Math.min(width, 64), value).toString(16);
}

const edges = (width: number, signed: boolean): bigint[] => {
  const w = BigInt(width);
  return signed
    ? [0n, 1n, -1n, 2n, 7n, (1n << (w - 1n)) - 1n, -(1n << (w - 1n)), -(1n << (w - 1n)) + 1n]
    : [0n, 1n, 2n, 7n, (1n << (w - 1n)) - 1n, 1n << (w - 1n), (1n << w) - 1n];
};

/** Every pair of edge values for which `of` gives a result. */
function binaryCheck(
  opcode: string,
  type: string,
  of: (a: bigint, b: bigint, w: bigint) => bigint | undefined,
) {
  const width = Number(type.slice(1));
  const values = edges(width, type.startsWith('i'));
  const cases = values.flatMap((a) =>
    values.flatMap((b) => {
      const result = of(a, b, BigInt(width));
      return result === undefined ? [] : [{ given: [String(a), String(b)], expected: hex(result, width) }];
    }),
  );
  return { code: `  %r = ${opcode} ${type} %a, %b`, types: [type, type], result: type, cases };
}

const unsigned = (value: bigint, w: bigint) => BigInt.asUintN(Number(w), value);
const signed = (value: bigint, w: bigint) => BigInt.asIntN(Number(w), value);
const clamp = (value: bigint, low: bigint, high: bigint) => (value < low ? low : value > high ? high : value);
const lowest = (w: bigint) => -(1n << (w - 1n));
const highest = (w: bigint) => (1n << (w - 1n)) - 1n;

const OPERATIONS: Readonly<Record<string, (a: bigint, b: bigint, w: bigint) => bigint | undefined>> = {
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
  udiv: (a, b, w) => (b === 0n ? undefined : unsigned(a, w) / unsigned(b, w)),
  urem: (a, b, w) => (b === 0n ? undefined : unsigned(a, w) % unsigned(b, w)),
  sdiv: (a, b, w) =>
    b === 0n || (signed(a, w) === lowest(w) && signed(b, w) === -1n)
      ? undefined
      : signed(a, w) / signed(b, w),
  srem: (a, b, w) =>
    b === 0n || (signed(a, w) === lowest(w) && signed(b, w) === -1n)
      ? undefined
      : signed(a, w) % signed(b, w),
  shl: (a, b, w) => (unsigned(b, w) >= w ? undefined : a << unsigned(b, w)),
  lshr: (a, b, w) => (unsigned(b, w) >= w ? undefined : unsigned(a, w) >> unsigned(b, w)),
  ashr: (a, b, w) => (unsigned(b, w) >= w ? undefined : signed(a, w) >> unsigned(b, w)),
  sadd_sat: (a, b, w) => clamp(signed(a, w) + signed(b, w), lowest(w), highest(w)),
  ssub_sat: (a, b, w) => clamp(signed(a, w) - signed(b, w), lowest(w), highest(w)),
  uadd_sat: (a, b, w) => clamp(unsigned(a, w) + unsigned(b, w), 0n, (1n << w) - 1n),
  usub_sat: (a, b, w) => clamp(unsigned(a, w) - unsigned(b, w), 0n, (1n << w) - 1n),
};

describe('009/R6 009/R16: arithmetic through LLVM', () => {
  test('integer operations of every width and sign', () => {
    const types = ['i8', 'u8', 'i16', 'u16', 'i24', 'i32', 'u32', 'i64', 'u64', 'i128'];
    const checks = types.flatMap((type) =>
      Object.entries(OPERATIONS).map(([opcode, of]) => binaryCheck(opcode, type, of)),
    );
    const { vir, expected } = program(checks);
    expect(linesOf(vir)).toEqual(expected);
  });

  test('comparisons', () => {
    const predicates: Readonly<Record<string, (a: bigint, b: bigint) => boolean>> = {
      eq: (a, b) => a === b,
      ne: (a, b) => a !== b,
      lt: (a, b) => a < b,
      le: (a, b) => a <= b,
      gt: (a, b) => a > b,
      ge: (a, b) => a >= b,
    };
    const names = ['eq', 'ne', ...['slt', 'sle', 'sgt', 'sge', 'ult', 'ule', 'ugt', 'uge']];
    const checks = ['i8', 'u32', 'i64'].flatMap((type) =>
      names.map((name): Check => {
        const width = BigInt(type.slice(1));
        const values = edges(Number(width), type.startsWith('i'));
        const of = predicates[name.replace(/^[su]/, '')] as (a: bigint, b: bigint) => boolean;
        const view = name.startsWith('u') ? unsigned : signed;
        const cases = values.flatMap((a) =>
          values.map((b) => ({
            given: [String(a), String(b)],
            expected: of(view(a, width), view(b, width)) ? '1' : '0',
          })),
        );
        const compare = `  %r = icmp ${name} ${type} %a, %b`;
        return { code: compare, types: [type, type], result: 'i1', cases };
      }),
    );
    const { vir, expected } = program(checks);
    expect(linesOf(vir)).toEqual(expected);
  });

  test('overflow flags', () => {
    const exact: Readonly<Record<string, (a: bigint, b: bigint) => bigint>> = {
      add: (a, b) => a + b,
      sub: (a, b) => a - b,
      mul: (a, b) => a * b,
    };
    const checks = ['i8', 'u16', 'i32', 'u64'].flatMap((type) =>
      ['sadd', 'uadd', 'ssub', 'usub', 'smul', 'umul'].flatMap((name) => {
        const width = BigInt(type.slice(1));
        const view = name.startsWith('u') ? unsigned : signed;
        const of = exact[name.slice(1)] as (a: bigint, b: bigint) => bigint;
        return [0, 1].map((member): Check => {
          const result = member === 0 ? type : 'i1';
          const values = edges(Number(width), type.startsWith('i'));
          const cases = values.flatMap((a) =>
            values.map((b) => {
              const whole = of(view(a, width), view(b, width));
              const flag = whole === view(whole, width) ? '0' : '1';
              const expected = member === 0 ? hex(whole, Number(width)) : flag;
              return { given: [String(a), String(b)], expected };
            }),
          );
          const code = `  %pair = ${name}_overflow ${type} %a, %b\n  %r = extractvalue { ${type}, i1 } %pair, ${member}`;
          return { code, types: [type, type], result, cases };
        });
      }),
    );
    const { vir, expected } = program(checks);
    expect(linesOf(vir)).toEqual(expected);
  });

  test('floats: bits of every operation', () => {
    const view = new DataView(new ArrayBuffer(8));
    const bits = (type: string, value: number) => {
      if (type === 'f32') {
        view.setFloat32(0, value);
        return BigInt(view.getUint32(0)).toString(16);
      }
      view.setFloat64(0, value);
      return view.getBigUint64(0).toString(16);
    };
    const operations: Readonly<Record<string, (a: number, b: number) => number>> = {
      fadd: (a, b) => a + b,
      fsub: (a, b) => a - b,
      fmul: (a, b) => a * b,
      fdiv: (a, b) => a / b,
      frem: (a, b) => a % b,
    };
    const values = [0, -0, 1, -1.5, 0.1, 3e-39, 1e30, Number.POSITIVE_INFINITY];
    const text = (value: number) =>
      Object.is(value, -0) ? '-0.0' : value === Number.POSITIVE_INFINITY ? 'inf' : floatText(value);
    const checks = ['f32', 'f64'].flatMap((type) => {
      const rounded = type === 'f32' ? values.map(Math.fround) : values;
      return Object.entries(operations).map(([opcode, of]): Check => {
        const cases = rounded.flatMap((a) =>
          rounded.flatMap((b) => {
            const result = of(a, b);
            return Number.isNaN(result) ? [] : [{ given: [text(a), text(b)], expected: bits(type, result) }];
          }),
        );
        return { code: `  %r = ${opcode} ${type} %a, %b`, types: [type, type], result: type, cases };
      });
    });
    const unary = ['fneg', 'fabs', 'sqrt'].map((opcode): Check => {
      const of = { fneg: (x: number) => -x, fabs: Math.abs, sqrt: Math.sqrt }[opcode] as (
        x: number,
      ) => number;
      const cases = values
        .filter((value) => !Number.isNaN(of(value)))
        .map((value) => ({ given: [text(value)], expected: bits('f64', of(value)) }));
      return { code: `  %r = ${opcode} f64 %a`, types: ['f64'], result: 'f64', cases };
    });
    const { vir, expected } = program([...checks, ...unary]);
    expect(linesOf(vir)).toEqual(expected);
  });

  test('casts', () => {
    const cast = (opcode: string, from: string, to: string, given: string, expected: string): Check => ({
      code: `  %r = ${opcode} ${from} %a to ${to}`,
      types: [from],
      result: to,
      cases: [{ given: [given], expected }],
    });
    const { vir, expected } = program([
      cast('trunc', 'i32', 'i8', '-129', '7f'),
      cast('zext', 'i8', 'i32', '-1', 'ff'),
      cast('sext', 'u8', 'u32', '255', 'ffffffff'),
      cast('sext', 'i1', 'i32', 'true', 'ffffffff'),
      cast('fptosi', 'f64', 'i32', '-3.9', 'fffffffd'),
      cast('fptoui', 'f64', 'u64', '1.8e19', (18n * 10n ** 18n).toString(16)),
      cast('sitofp', 'i32', 'f64', '-1', 'bff0000000000000'),
      cast('uitofp', 'u32', 'f32', '4294967295', '4f800000'),
      cast('fptrunc', 'f64', 'f32', '0.1', '3dcccccd'),
      cast('fpext', 'f32', 'f64', '0.5', '3fe0000000000000'),
      cast('bitcast', 'i32', 'f32', '-2147483648', '80000000'),
      cast('bitcast', 'i16', 'u16', '-1', 'ffff'),
      cast('bitcast', 'u64', 'i64', '18446744073709551615', 'ffffffffffffffff'),
      {
        code: '  %r = ctpop u16 %a',
        types: ['u16'],
        result: 'u16',
        cases: [{ given: ['65535'], expected: '10' }],
      },
      {
        code: '  %r = fshl i32 %a, %b, %c',
        types: ['i32', 'i32', 'i32'],
        result: 'i32',
        cases: [{ given: ['1', '-2147483648', '33'], expected: '3' }],
      },
    ]);
    expect(linesOf(vir)).toEqual(expected);
  });
});

function floatText(value: number): string {
  const text = String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

describe('memory and aggregates through LLVM', () => {
  const head = `module "memory"
declare @printf(ptr<i8>, ...) -> i32
constant @format: [5 x i8] = "%ld\\0a\\00"
`;
  const print = (id: number, type: string, value: string) =>
    `  %shown${id} = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, ${type} ${value})`;

  test('a union keeps the bytes of every member, in memory, by value and as a constant', () => {
    const vir = `${head}
type %U = union { a: i8, b: { x: i8, y: i64 }, c: [24 x i8] }
type %S = { tag: i32, u: %U }
global @g: %S = { i32 9, %U { i8 77 } }
func @pass(%u: %U) -> %U #[NoInline] {
entry:
  ret %U %u
}
func @main() -> i32 export {
entry:
  %p = alloca %U
  %c = gep %U %p, 0, 2, 5
  %first = gep %U %p, 0, 0
  memset ptr<%U> %p, i8 0, i64 24
  store i8 42, %c
  store i8 5, %first
  %u = load %U %p
  %v = call %U @pass(%U %u)
  %m = extractvalue %U %v, 2, 5
  %m64 = sext i8 %m to i64
${print(0, 'i64', '%m64')}
  %w = insertvalue %U %v, i8 11, 2, 23
  %x = insertvalue %U %w, i8 12, 0
  %q = alloca %U
  store %U %x, %q
  %last = gep %U %q, 0, 2, 23
  %l = load i8 %last
  %l64 = sext i8 %l to i64
${print(1, 'i64', '%l64')}
  %k = extractvalue %U %x, 2, 5
  %k64 = sext i8 %k to i64
${print(2, 'i64', '%k64')}
  %ga = gep %S @g, 0, 1, 2, 0
  %gv = load i8 %ga
  %g64 = sext i8 %gv to i64
${print(3, 'i64', '%g64')}
  %y = call %U @pass(%U { i8 31 })
  %y0 = extractvalue %U %y, 2, 0
  %y64 = sext i8 %y0 to i64
${print(4, 'i64', '%y64')}
  ret i32 0
}`;
    expect(linesOf(vir)).toEqual(['42', '11', '42', '77', '31']);
  });

  test('an index counts in its own sign', () => {
    const vir = `${head}
global @a: [300 x u8] = zero
func @set(%i: u8) -> void #[NoInline] {
entry:
  %p = gep [300 x u8] @a, 0, %i
  store u8 9, %p
  ret void
}
func @back(%p: ptr<u8>, %i: i8) -> u8 #[NoInline] {
entry:
  %q = gep u8 %p, %i
  %x = load u8 %q
  ret u8 %x
}
func @main() -> i32 export {
entry:
  call void @set(u8 200)
  %p = gep [300 x u8] @a, 0, u8 200
  %x = load u8 %p
  %x64 = zext u8 %x to i64
${print(0, 'i64', '%x64')}
  %q = gep u8 %p, 3
  %y = call u8 @back(ptr<u8> %q, i8 -3)
  %y64 = zext u8 %y to i64
${print(1, 'i64', '%y64')}
  ret i32 0
}`;
    expect(linesOf(vir)).toEqual(['9', '9']);
  });

  test('atomics, block copies, function pointers, selects of aggregates', () => {
    const vir = `${head}
global @x: i64 = 10
global @table: [2 x ptr<fn(i64) -> i64>] = [ ptr<fn(i64) -> i64> @twice, ptr<fn(i64) -> i64> @square ]
func @twice(%v: i64) -> i64 {
entry:
  %r = add i64 %v, %v
  ret i64 %r
}
func @square(%v: i64) -> i64 {
entry:
  %r = mul i64 %v, %v
  ret i64 %r
}
func @main() -> i32 export {
entry:
  %old = atomicrmw add i64 @x, 5 seq_cst
  %pair = cmpxchg i64 @x, 15, 100 seq_cst seq_cst
  %was = extractvalue { i64, i1 } %pair, 0
  %did = extractvalue { i64, i1 } %pair, 1
  %chosen = select { i64, i1 } %did, %pair, undef
  %same = extractvalue { i64, i1 } %chosen, 0
  %now = load atomic i64 @x acquire
${print(0, 'i64', '%old')}
${print(1, 'i64', '%same')}
${print(2, 'i64', '%now')}
  %slot = gep [2 x ptr<fn(i64) -> i64>] @table, 0, 1
  %callee = load ptr<fn(i64) -> i64> %slot
  %sq = call i64 %callee(i64 %was)
${print(3, 'i64', '%sq')}
  %buffer = alloca [4 x i64]
  memset ptr<[4 x i64]> %buffer, i8 1, i64 32
  memcpy ptr<[4 x i64]> %buffer, ptr<i64> @x, i64 8
  %second = gep [4 x i64] %buffer, 0, 1
  memmove ptr<i64> %second, ptr<[4 x i64]> %buffer, i64 8
  %copied = load i64 %second
${print(4, 'i64', '%copied')}
  ret i32 0
}`;
    expect(linesOf(vir)).toEqual(['10', '15', '100', '225', '100']);
  });
});
