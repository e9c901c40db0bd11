import { describe, expect, test } from 'vitest';
import { BUILDS, cOf, compileAndRun, compileOnly } from './c-tools.js';

const PRINTF = 'declare @printf(ptr<i8>, ...) -> i32\n';

/** Builds and runs a module every way; each must say the same and no compiler may say anything. */
function everyWay(vir: string): string {
  const outputs = BUILDS.map(({ compiler, dialect, flags }) => {
    const result = compileAndRun(cOf(vir, { dialect }).text, compiler, flags);
    expect(result.messages, `${compiler} ${flags.join(' ')}`).toBe('');
    expect(result.status, compiler).toBe(0);
    return result.stdout;
  });
  expect(new Set(outputs).size).toBe(1);
  return outputs[0] as string;
}

const EDGES = (width: number): bigint[] => {
  const top = 1n << BigInt(width - 1);
  return [0n, 1n, 7n, top - 1n, top, 2n * top - 1n, 2n * top - 7n, 0xa5a5a5a5a5a5a5a5n].map((value) =>
    BigInt.asUintN(width, value),
  );
};

/** What an operation gives, on bit patterns; undefined where it is erroneous. */
function reference(opcode: string, width: number, a: bigint, b: bigint): bigint | undefined {
  const s = (value: bigint) => BigInt.asIntN(width, value);
  const lowest = -(1n << BigInt(width - 1));
  const highest = -lowest - 1n;
  const clamp = (value: bigint, low: bigint, high: bigint) =>
    value < low ? low : value > high ? high : value;
  switch (opcode) {
    case 'add':
      return a + b;
    case 'sub':
      return a - b;
    case 'mul':
      return a * b;
    case 'and':
      return a & b;
    case 'or':
      return a | b;
    case 'xor':
      return a ^ b;
    case 'udiv':
      return b === 0n ? undefined : a / b;
    case 'urem':
      return b === 0n ? undefined : a % b;
    case 'sdiv':
      return b === 0n || (s(a) === lowest && s(b) === -1n) ? undefined : s(a) / s(b);
    case 'srem':
      return b === 0n || (s(a) === lowest && s(b) === -1n) ? undefined : s(a) % s(b);
    case 'shl':
      return b >= BigInt(width) ? undefined : a << b;
    case 'lshr':
      return b >= BigInt(width) ? undefined : a >> b;
    case 'ashr':
      return b >= BigInt(width) ? undefined : s(a) >> b;
    case 'sadd_sat':
      return clamp(s(a) + s(b), lowest, highest);
    case 'ssub_sat':
      return clamp(s(a) - s(b), lowest, highest);
    case 'uadd_sat':
      return clamp(a + b, 0n, (1n << BigInt(width)) - 1n);
    case 'usub_sat':
      return clamp(a - b, 0n, a);
    default:
      return undefined;
  }
}

const OPCODES =
  'add sub mul and or xor udiv urem sdiv srem shl lshr ashr sadd_sat ssub_sat uadd_sat usub_sat'.split(' ');

describe('008/X1 008/X2 008/R23: integer operations at every edge', () => {
  test.each(['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64'])(
    '%s, with values and with constants',
    (type) => {
      const width = Number(type.slice(1));
      const signed = type.startsWith('i');
      const expected: string[] = [];
      const calls: string[] = [];
      const functions: string[] = [];
      const literal = (bits: bigint) => String(signed ? BigInt.asIntN(width, bits) : bits);
      for (const opcode of OPCODES) {
        functions.push(
          `func @do.${opcode}(%a: ${type}, %b: ${type}) -> ${type} #[NoInline] {\nentry:\n  %r = ${opcode} ${type} %a, %b\n  ret ${type} %r\n}`,
        );
        for (const a of EDGES(width)) {
          for (const b of EDGES(width)) {
            const result = reference(opcode, width, a, b);
            if (result === undefined) continue;
            const n = calls.length;
            const constant = n % 7 === 0;
            calls.push(
              constant
                ? `  %v${n} = ${opcode} ${type} ${literal(a)}, ${literal(b)}`
                : `  %v${n} = call ${type} @do.${opcode}(${type} ${literal(a)}, ${type} ${literal(b)})`,
              `  %w${n} = ${signed ? 'sext' : 'zext'} ${type} %v${n} to ${signed ? 'i64' : 'u64'}`.replace(
                /\w+ (i64|u64) (%v\d+) to \1/,
                'bitcast $1 $2 to $1',
              ),
              `  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, ${signed ? 'i64' : 'u64'} %w${n})`,
            );
            expected.push(literal(BigInt.asUintN(width, result)));
          }
        }
      }
      const format = signed ? '%lld' : '%llu';
      const vir = `${PRINTF}constant @format: [6 x i8] = "${format}\\0a\\00"\n${functions.join('\n')}\nfunc @main() -> i32 export {\nentry:\n${calls.join('\n')}\n  ret i32 0\n}`;
      const text = cOf(vir).text;
      const run = compileAndRun(text, 'gcc', ['-O1']);
      expect(run.messages).toBe('');
      expect(run.stdout.trim().split('\n')).toEqual(expected);
      const other = compileAndRun(cOf(vir, { dialect: 'clang' }).text, 'clang-19', [
        '-O0',
        '-fsanitize=undefined',
        '-fno-sanitize-recover=all',
      ]);
      expect(other.messages).toBe('');
      expect(other.stdout).toBe(run.stdout);
      const plain = compileAndRun(cOf(vir, { dialect: 'c17' }).text, 'gcc', [
        '-O0',
        '-fsanitize=undefined',
        '-fno-sanitize-recover=all',
      ]);
      expect(plain.stdout).toBe(run.stdout);
    },
  );
});

describe('008/X3: VIR knows no type-based aliasing', () => {
  const PUN = `${PRINTF}constant @format: [7 x i8] = "%d %d\\0a\\00"
type %A = { x: i32, values: [4 x i32] }
type %B = { y: f32, values: [4 x f32] }
func @scalars(%i: ptr<i32>, %f: ptr<f32>) -> i32 #[NoInline] {
entry:
  store i32 1, %i
  store f32 2.0, %f
  %r = load i32 %i
  ret i32 %r
}
func @structs(%a: ptr<%A>, %b: ptr<%B>, %k: i32) -> i32 #[NoInline] {
entry:
  %i = gep %A %a, 0, 1, %k
  %f = gep %B %b, 0, 1, %k
  store i32 1, %i
  store f32 2.0, %f
  %r = load i32 %i
  ret i32 %r
}
func @main() -> i32 export {
entry:
  %m = alloca %A
  %i = gep %A %m, 0, 0
  %f = bitcast ptr<i32> %i to ptr<f32>
  %b = bitcast ptr<%A> %m to ptr<%B>
  %r = call i32 @scalars(ptr<i32> %i, ptr<f32> %f)
  %s = call i32 @structs(ptr<%A> %m, ptr<%B> %b, i32 2)
  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i32 %r, i32 %s)
  ret i32 0
}`;

  test('the same bytes through pointers of two types, at -O2 without any other flag', () => {
    const bits = 0x40000000;
    expect(everyWay(PUN)).toBe(`${bits} ${bits}\n`);
  });

  test('and in plain C17', () => {
    const run = compileAndRun(cOf(PUN, { dialect: 'c17' }).text, 'gcc', ['-O2']);
    expect(run.stdout).toBe(`${0x40000000} ${0x40000000}\n`);
  });

  test('an index may leave its inner array as long as it stays in the object', () => {
    const vir = `${PRINTF}constant @format: [4 x i8] = "%d\\0a\\00"
global @grid: [4 x [4 x i32]] = zero
func @fill(%k: i32) -> i32 #[NoInline] {
entry:
  br %header
header:
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %more = icmp slt i32 %i, %k
  condbr %more, %body, %exit
body:
  %p = gep [4 x [4 x i32]] @grid, 0, 0, %i
  store i32 %i, %p
  %j = add i32 %i, 1
  br %header
exit:
  %q = gep [4 x [4 x i32]] @grid, 0, 3, 3
  %r = load i32 %q
  ret i32 %r
}
func @main() -> i32 export {
entry:
  %r = call i32 @fill(i32 16)
  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i32 %r)
  ret i32 0
}`;
    expect(everyWay(vir)).toBe('15\n');
  });

  test('an access that is aligned to less than its type', () => {
    const vir = `${PRINTF}constant @format: [4 x i8] = "%d\\0a\\00"
func @main() -> i32 export {
entry:
  %bytes = alloca [8 x i8]
  %p = gep [8 x i8] %bytes, 0, 1
  %q = bitcast ptr<i8> %p to ptr<i32>
  store i32 305419896, %q #[Align(1)]
  %r = load i32 %q #[Align(1)]
  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @format, i32 %r)
  ret i32 0
}`;
    expect(everyWay(vir)).toBe('305419896\n');
  });
});

describe('008/R1: units', () => {
  const vir = `${PRINTF}constant @format: [4 x i8] = "%d\\0a\\00"
type %Pair = { a: i32, b: i32 }
global @counter: i32 = 5
func @twice(%n: i32) -> %Pair {
entry:
  %p = insertvalue %Pair undef, i32 %n, 0
  %q = insertvalue %Pair %p, i32 %n, 1
  ret %Pair %q
}
func @sum(%p: %Pair) -> i32 {
entry:
  %a = extractvalue %Pair %p, 0
  %b = extractvalue %Pair %p, 1
  %s = sadd_sat i32 %a, %b
  %c = load i32 @counter
  %t = sadd_sat i32 %s, %c
  store i32 %t, @counter
  ret i32 %t
}
func @main() -> i32 export {
entry:
  %p = call %Pair @twice(i32 4)
  %r = call i32 @sum(%Pair %p)
  %place = bitcast ptr<i8> @format to ptr<i8>
  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> %place, i32 %r)
  ret i32 0
}`;

  test('008/R5: joined in one file in any number, they are one program', () => {
    for (const { compiler, dialect } of BUILDS) {
      const { units } = cOf(vir, { dialect });
      const run = compileAndRun(units.map((unit) => unit.text).join('\n'), compiler, ['-O2']);
      expect(run.messages).toBe('');
      expect(run.stdout).toBe('13\n');
    }
  });

  test('008/R1 008/I1: a unit whose callees are exported compiles by itself', () => {
    const exported = vir
      .replace(/\) -> (%Pair|i32) \{/g, ') -> $1 export {')
      .replace('i32 = 5', 'i32 export = 5');
    for (const unit of cOf(exported.replace('i32 export = 5', 'i32 = 5')).units)
      if (unit.name === 'twice' || unit.name === 'main')
        expect(compileOnly(unit.text, 'gcc')).not.toContain('error');
  });
});

describe('008/X6: size', () => {
  const chain = (count: number, make: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => make(index)).join('\n');

  test('conditions nested 2000 deep compile: what stands too deep is moved', () => {
    const count = 2000;
    const vir = `func @f(%n: i32) -> i32 export {
entry:
  br %b0
${chain(count, (i) => `b${i}:\n  %c${i} = icmp sgt i32 %n, ${i}\n  condbr %c${i}, %b${i + 1}, %e${i}\ne${i}:\n  %x${i} = call i32 @g(i32 ${i})\n  br %join`)}
b${count}:
  br %join
join:
  %r = phi i32 ${chain(count, (i) => `[ %x${i}, %e${i} ],`).replace(/\n/g, ' ')} [ -1, %b${count} ]
  ret i32 %r
}
declare @g(i32) -> i32`;
    const main = `#include <stdio.h>\n#include <stdint.h>\nint32_t f(int32_t);\nint32_t g(int32_t);\nint32_t g(int32_t x) { return x * 2; }\nint main(void) { printf("%d %d %d %d\\n", f(0), f(7), f(1999), f(5000)); return 0; }`;
    for (const [compiler, dialect] of [
      ['gcc', 'gcc'],
      ['clang-19', 'clang'],
    ] as const) {
      const run = compileAndRun(cOf(vir, { dialect }).text, compiler, ['-O1'], main);
      expect(run.messages).toBe('');
      expect(run.stdout).toBe('0 14 3998 -1\n');
    }
  });

  test('loops nested 200 deep compile', () => {
    const depth = 200;
    const vir = `func @f(%n: i32) -> i32 export {
entry:
  br %h0
${chain(depth, (i) => `h${i}:\n  %i${i} = phi i32 [ 0, ${i === 0 ? '%entry' : `%h${i - 1}`} ], [ %j${i}, %l${i} ]\n  %c${i} = icmp slt i32 %i${i}, 1\n  condbr %c${i}, ${i + 1 < depth ? `%h${i + 1}` : '%body'}, ${i === 0 ? '%exit' : `%l${i - 1}`}\nl${i}:\n  %j${i} = add i32 %i${i}, 1\n  br %h${i}`)}
body:
  call void @g()
  br %l${depth - 1}
exit:
  ret i32 %n
}
declare @g() -> void`;
    const main = `#include <stdio.h>\n#include <stdint.h>\nint32_t f(int32_t);\nvoid g(void);\nstatic int calls;\nvoid g(void) { calls++; }\nint main(void) { int r = f(3); printf("%d %d\\n", r, calls); return 0; }`;
    const run = compileAndRun(cOf(vir).text, 'gcc', ['-O1'], main);
    expect(run.messages).toBe('');
    expect(run.stdout).toBe('3 1\n');
  });

  test('100,000 blocks in a row, and as many instructions in one block, take a moment', () => {
    const count = 100_000;
    const blocks = `func @f(%n: i32) -> i32 export {\nentry:\n  br %b0\n${chain(count, (i) => `b${i}:\n  %v${i} = add i32 ${i === 0 ? '%n' : `%v${i - 1}`}, ${i}\n  br %b${i + 1}`)}\nb${count}:\n  ret i32 %v${count - 1}\n}`;
    const straight = `func @f(%n: i32) -> i32 export {\nentry:\n${chain(count, (i) => `  %v${i} = mul i32 ${i === 0 ? '%n' : `%v${i - 1}`}, 3`)}\n  ret i32 %v${count - 1}\n}`;
    for (const vir of [blocks, straight]) expect(cOf(vir).text.length).toBeGreaterThan(count);
  });

  test('a diamond for each of 20,000 levels takes a moment', () => {
    const count = 20_000;
    const vir = `func @f(%n: i32) -> i32 export {\nentry:\n  br %b0\n${chain(count, (i) => `b${i}:\n  %p${i} = phi i32 [ ${i === 0 ? '%n, %entry' : `%q${i - 1}, %t${i - 1}`} ]${i === 0 ? '' : `, [ %p${i - 1}, %b${i - 1} ]`}\n  %c${i} = icmp slt i32 %p${i}, ${i}\n  condbr %c${i}, %t${i}, %b${i + 1}\nt${i}:\n  %q${i} = add i32 %p${i}, 3\n  br %b${i + 1}`)}\nb${count}:\n  ret i32 %p${count - 1}\n}`;
    expect(cOf(vir).text.length).toBeGreaterThan(count);
  });
});

describe('008/X5: a loop that does not end', () => {
  test('is still there at -O2', () => {
    const vir = 'func @f() -> i32 export {\nentry:\n  br %again\nagain:\n  br %again\n}';
    const main =
      '#include <stdio.h>\n#include <stdint.h>\n#include <unistd.h>\nint32_t f(void);\nint main(void) { alarm(1); printf("in\\n"); fflush(stdout); f(); printf("out\\n"); return 0; }';
    for (const [compiler, dialect] of [
      ['gcc', 'gcc'],
      ['clang-19', 'clang'],
    ] as const) {
      const run = compileAndRun(cOf(vir, { dialect }).text, compiler, ['-O2', '-std=gnu17'], main);
      expect(run.stdout).toBe('in\n');
      expect(run.status).toBe(null);
    }
  });
});
