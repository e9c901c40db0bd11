/** Memory of the interpreter: undef by byte, pointers through memory and integers, layout, atomics; and the bits of floats. */

import { describe, expect, it } from 'vitest';
import { DiagnosticError } from '../../src/diag/diagnostic.js';
import { interpret } from '../../src/vir/interpreter/index.js';
import { parseVir } from '../../src/vir/parser.js';

const PRINT = `
constant @format: [6 x i8] = "%llx\\0a\\00"
declare @printf(ptr<i8>, ...) -> i32
func @print(%x: i64) -> void {
entry:
  %n = call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i64 %x)
  ret void
}
`;

/** Runs a main of these lines, which may call @print(i64); gives the printed lines, or the code that stopped it. */
function linesOf(body: string, items = ''): string[] {
  const main = `func @main() -> i32 export {\nentry:\n${body}\n  ret i32 0\n}\n`;
  const module = parseVir(`module "test"\n${PRINT}${items}${main}`, { file: 'test.vir' });
  const output: string[] = [];
  try {
    interpret(module, { stdout: (bytes) => output.push(new TextDecoder().decode(bytes)) });
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    output.push(error.code);
  }
  return output.join('').trim().split('\n');
}

/** Lines that print an integer register of less than 64 bits. */
const show = (register: string, type: string) => `
  %wide.${register} = zext ${type} %${register} to i64
  call void @print(i64 %wide.${register})`;

describe('layout', () => {
  it('is little-endian, with the offsets of C', () => {
    const body = `
  %s = alloca %S
  %a = gep %S %s, 0, 0
  store i8 1, %a
  %b = gep %S %s, 0, 1
  store i32 33752069, %b
  %c = gep %S %s, 0, 2
  store i64 -2, %c
  %bytes = bitcast ptr<%S> %s to ptr<i8>
  %p4 = gep i8 %bytes, 4
  %v4 = load i8 %p4
  %p7 = gep i8 %bytes, 7
  %v7 = load i8 %p7
  %p8 = gep i8 %bytes, 8
  %v8 = load i8 %p8
  %p9 = gep i8 %bytes, 9
  %v9 = load i8 %p9${show('v4', 'i8')}${show('v7', 'i8')}${show('v8', 'i8')}${show('v9', 'i8')}`;
    expect(linesOf(body, 'type %S = { a: i8, b: i32, c: i64 }\n')).toEqual(['5', '2', 'fe', 'ff']);
  });

  it('keeps odd widths zero-extended in whole bytes', () => {
    const body = `
  %x = alloca i20
  store i20 -1, %x
  %b = bitcast ptr<i20> %x to ptr<i8>
  %p = gep i8 %b, 2
  %v = load i8 %p
  %w = load i20 %x
  %y = sext i20 %w to i64${show('v', 'i8')}
  call void @print(i64 %y)`;
    expect(linesOf(body)).toEqual(['f', 'ffffffffffffffff']);
  });

  it('overlays the members of a union, as values too', () => {
    const body = `
  %u = insertvalue %U undef, f32 1.0, 1
  %n = extractvalue %U %u, 0
  %half = extractvalue %U %u, 2, 1${show('n', 'i32')}${show('half', 'i16')}`;
    expect(linesOf(body, 'type %U = union { n: i32, x: f32, h: [2 x i16] }\n')).toEqual(['3f800000', '3f80']);
  });
});

describe('006/E-16 undef', () => {
  it('is copied without harm, byte by byte, and harms where it matters', () => {
    const body = `
  %a = alloca [2 x i32]
  %b = alloca [2 x i32]
  %a1 = gep [2 x i32] %a, 0, 1
  store i32 7, %a1
  %whole = load [2 x i32] %a
  store [2 x i32] %whole, %b
  %b1 = gep [2 x i32] %b, 0, 1
  %v = load i32 %b1${show('v', 'i32')}
  %b0 = gep [2 x i32] %b, 0, 0
  %w = load i32 %b0
  %sum = add i32 %w, 1${show('sum', 'i32')}`;
    expect(linesOf(body)).toEqual(['7', 'VCT0615']);
  });

  it('of one byte makes the whole load undef', () => {
    const body = `
  %a = alloca i32
  %p = bitcast ptr<i32> %a to ptr<i8>
  memset ptr<i8> %p, i8 1, i64 4
  %v = load i32 %a${show('v', 'i32')}
  %p2 = gep i8 %p, 2
  store i8 undef, %p2
  %w = load i32 %a${show('w', 'i32')}`;
    expect(linesOf(body)).toEqual(['1010101', 'VCT0615']);
  });

  it('spreads through arithmetic and select, not through a select that is decided', () => {
    const body = `
  %x = select i32 true, 4, undef${show('x', 'i32')}
  %y = select i32 undef, 4, 4${show('y', 'i32')}`;
    expect(linesOf(body)).toEqual(['4', 'VCT0615']);
  });
});

describe('pointers', () => {
  it('keep their object when they are copied byte by byte', () => {
    const body = `
  %x = alloca i32
  store i32 66, %x
  %from = alloca ptr<i32>
  store ptr<i32> %x, %from
  %to = alloca ptr<i32>
  %f = bitcast ptr<ptr<i32>> %from to ptr<i8>
  %t = bitcast ptr<ptr<i32>> %to to ptr<i8>
${[0, 1, 2, 3, 4, 5, 6, 7]
  .map(
    (index) => `
  %f${index} = gep i8 %f, ${index}
  %c${index} = load i8 %f${index}
  %t${index} = gep i8 %t, ${index}
  store i8 %c${index}, %t${index}`,
  )
  .join('')}
  %y = load ptr<i32> %to
  %v = load i32 %y${show('v', 'i32')}`;
    expect(linesOf(body)).toEqual(['42']);
  });

  it('come back from integers, within their object only', () => {
    const body = `
  %a = alloca [4 x i32]
  %a2 = gep [4 x i32] %a, 0, 2
  store i32 9, %a2
  %n = ptrtoint ptr<[4 x i32]> %a to i64
  %m = add i64 %n, 8
  %p = inttoptr i64 %m to ptr<i32>
  %v = load i32 %p${show('v', 'i32')}
  %end = add i64 %n, 16
  %q = inttoptr i64 %end to ptr<i32>
  %w = load i32 %q`;
    expect(linesOf(body)).toEqual(['9', 'VCT0605']);
  });

  it('whose address nobody took are not found by guessing', () => {
    const body = `
  %a = alloca i32
  %b = alloca i32
  store i32 1, %b
  %n = ptrtoint ptr<i32> %a to i64
  %m = add i64 %n, 24
  %p = inttoptr i64 %m to ptr<i32>
  %v = load i32 %p`;
    expect(linesOf(body)).toEqual(['VCT0612']);
  });

  it('survive memmove within an array of pointers', () => {
    const body = `
  %x = alloca i32
  store i32 5, %x
  %a = alloca [3 x ptr<i32>]
  %a0 = gep [3 x ptr<i32>] %a, 0, 0
  store ptr<i32> %x, %a0
  %a1 = gep [3 x ptr<i32>] %a, 0, 1
  store ptr<i32> null, %a1
  memmove ptr<ptr<i32>> %a1, ptr<ptr<i32>> %a0, i64 16
  %p = load ptr<i32> %a1
  %v = load i32 %p${show('v', 'i32')}
  %a2 = gep [3 x ptr<i32>] %a, 0, 2
  %q = load ptr<i32> %a2
  %isnull = icmp eq ptr<i32> %q, null${show('isnull', 'i1')}`;
    expect(linesOf(body)).toEqual(['5', '1']);
  });

  it('of two objects differ, even at the end of one', () => {
    const body = `
  %a = alloca i64
  %b = alloca i64
  %end = gep i64 %a, 1
  %same = icmp eq ptr<i64> %end, %b${show('same', 'i1')}
  %order = icmp ult ptr<i64> %a, %b${show('order', 'i1')}`;
    expect(linesOf(body)).toEqual(['0', '1']);
  });

  it('index in the sign of the index', () => {
    const body = `
  %a = alloca [256 x i8]
  %p = gep [256 x i8] %a, 0, 0
  memset ptr<i8> %p, i8 0, i64 256
  %i = add u8 100, 100
  %q = gep [256 x i8] %a, 0, %i
  store i8 1, %q
  %r = gep i8 %p, 200
  %v = load i8 %r${show('v', 'i8')}
  %end = gep i8 %p, 255
  %j = sub i8 0, 55
  %s = gep i8 %end, %j
  %w = load i8 %s${show('w', 'i8')}`;
    expect(linesOf(body)).toEqual(['1', '1']);
  });
});

describe('atomics', () => {
  it('exchange where the expectation holds, and update in every way', () => {
    const updates = ['xchg', 'add', 'sub', 'and', 'nand', 'or', 'xor', 'max', 'min', 'umax', 'umin'];
    const body = `
  %x = alloca i32
  store i32 5, %x
  %r = cmpxchg i32 %x, 5, 6 seq_cst seq_cst
  %ok = extractvalue { i32, i1 } %r, 1${show('ok', 'i1')}
  %s = cmpxchg i32 %x, 5, 7 seq_cst seq_cst
  %old = extractvalue { i32, i1 } %s, 0${show('old', 'i32')}
${updates
  .map(
    (name) => `
  store i32 -6, %x
  %old.${name} = atomicrmw ${name} i32 %x, 3 seq_cst
  %new.${name} = load i32 %x${show(`new.${name}`, 'i32')}`,
  )
  .join('')}`;
    const expected = updates.map((name) => {
      const old = -6;
      const results: Record<string, number> = {
        xchg: 3,
        add: old + 3,
        sub: old - 3,
        and: old & 3,
        nand: ~(old & 3),
        or: old | 3,
        xor: old ^ 3,
        max: 3,
        min: old,
        umax: old,
        umin: 3,
      };
      return ((results[name] as number) >>> 0).toString(16);
    });
    expect(linesOf(body)).toEqual(['1', '6', ...expected]);
  });
});

describe('floats', () => {
  const bitsOf = (expression: string, type: 'f32' | 'f64') => {
    const integer = type === 'f32' ? 'i32' : 'i64';
    const wide = type === 'f32' ? show('n', 'i32') : '\n  call void @print(i64 %n)';
    return linesOf(`  %x = ${expression}\n  %n = bitcast ${type} %x to ${integer}${wide}`)[0];
  };

  it('keep the bits of NaN and zero where only bits move', () => {
    expect(bitsOf('fneg f64 0.0', 'f64')).toBe('8000000000000000');
    expect(bitsOf('fneg f64 nan', 'f64')).toBe('fff8000000000000');
    expect(bitsOf('fabs f64 nan:0xfff8000000000123', 'f64')).toBe('7ff8000000000123');
    expect(bitsOf('fneg f32 nan:0x7fc00001', 'f32')).toBe('ffc00001');
    expect(bitsOf('select f64 true, nan:0x7ff0000000000001, 0.0', 'f64')).toBe('7ff0000000000001');
    expect(bitsOf('fpext f32 nan:0xffc00001 to f64', 'f64')).toBe('fff8000020000000');
    expect(bitsOf('fptrunc f64 nan:0xfff8000020000000 to f32', 'f32')).toBe('ffc00001');
    expect(bitsOf('bitcast i64 -1 to f64', 'f64')).toBe('ffffffffffffffff');
  });

  it('round f32 at each operation, and -0.0 is right', () => {
    expect(bitsOf('fadd f32 16777216.0, 1.0', 'f32')).toBe('4b800000');
    expect(bitsOf('fdiv f32 1.0, 3.0', 'f32')).toBe('3eaaaaab');
    expect(bitsOf('fadd f64 -0.0, -0.0', 'f64')).toBe('8000000000000000');
    expect(bitsOf('fadd f64 -0.0, 0.0', 'f64')).toBe('0');
    expect(bitsOf('frem f64 -4.0, 2.0', 'f64')).toBe('8000000000000000');
    expect(bitsOf('sqrt f64 -0.0', 'f64')).toBe('8000000000000000');
    expect(bitsOf('sqrt f32 2.0', 'f32')).toBe('3fb504f3');
    expect(bitsOf('sitofp i32 0 to f64', 'f64')).toBe('0');
    expect(bitsOf('fadd f64 nan:0xfff8000000000123, 1.0', 'f64')).toBe('7ff8000000000000');
  });
});
