/**
 * Random VIR programs, right by construction: every type that C has, memory by every width, aggregates by value, calls of all kinds,
 * and control flow of any shape.
 */

import { Random } from './random.js';
import { FunctionText } from './random-text-function.js';
import { PREAMBLE, SIGNATURES, type Signature } from './random-text-shapes.js';

/** A whole program of that many functions; `main` calls each and prints what it returned and what memory holds. */
export function randomProgram(seed: number, functions: number): string {
  const random = new Random(seed);
  const parts: string[] = [];
  const made: { name: string; kind: number }[] = [];
  const leaves = Math.ceil(functions / 2);
  const tables = new Set<number>();
  for (let index = 0; index < functions; index++) {
    const kind = random.below(SIGNATURES.length);
    const callees = index < leaves ? [] : made.slice(0, leaves);
    if (index === leaves) {
      SIGNATURES.forEach((signature, number) => {
        const same = made.filter((callee) => callee.kind === number);
        if (same.length < 2) return;
        tables.add(number);
        const type = `ptr<fn(${signature.parameters.join(', ')}) -> ${signature.result}>`;
        parts.push(
          `constant @table${number}: [2 x ${type}] = [ ${type} @${same[0]?.name}, ${type} @${same[1]?.name} ]`,
        );
      });
    }
    const name = `f${index}`;
    parts.push(new FunctionText(random, name, SIGNATURES[kind] as Signature, callees, tables).text());
    made.push({ name, kind });
  }
  const main = [...MAIN_HEAD];
  made.forEach(({ name, kind }, index) => {
    main.push(...callFromMain(random, name, kind, index));
  });
  return `${PREAMBLE}${made.map(({ name }) => `constant @n.${name}: [${name.length + 1} x i8] = "${name}\\00"`).join('\n')}\n${parts.join('\n')}\n${main.join('\n')}\n  ret i32 0\n}\n`;
}

const MAIN_HEAD = ['func @main() -> i32 export {', 'entry:', '  %p1 = gep [8 x i32] @ga, 0, 3'];

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  i32: ['7', '-1', '2147483647', '0'],
  i64: ['-5', '4294967296', '1'],
  i8: ['-128', '5'],
  f64: ['0.5', '-1e+300', 'nan', '2.0'],
  f32: ['1.25', 'inf', '-0.0'],
  u16: ['65535', '9'],
  u8: ['255', '1'],
  u32: ['4294967295', '6'],
  u64: ['18446744073709551615', '3'],
  u128: ['1', '340282366920938463463374607431768211455'],
  i1: ['true', 'false'],
  i128: ['-170141183460469231731687303715884105728', '99'],
  '%S': ['{ i32 1, i8 2, [2 x i64] [ i64 3, i64 4 ], f32 5.0, %T { u16 6, f64 7.0 }, i1 false }', 'zero'],
  '%T': ['{ u16 8, f64 0.125 }'],
  '[3 x i16]': ['[ i16 -1, i16 2, i16 300 ]'],
  'ptr<i32>': ['%p1', '@cell'],
  'ptr<%S>': ['@gs'],
};

function callFromMain(random: Random, name: string, kind: number, index: number): string[] {
  const signature = SIGNATURES[kind] as Signature;
  const values = signature.parameters
    .map((type) => `${type} ${random.pick(ARGUMENTS[type] as string[])}`)
    .join(', ');
  const { result } = signature;
  const r = `%r${index}`;
  const lines = [`  ${result === 'void' ? '' : `${r} = `}call ${result} @${name}(${values})`];
  const hash = `${r}.h`;
  if (result === 'void') lines.push(`  ${hash} = load i64 @wide`);
  else if (result === 'i64') lines.push(`  ${hash} = add i64 ${r}, 0`);
  else if (result === 'u128')
    lines.push(
      `  ${r}.s = lshr u128 ${r}, 64`,
      `  ${r}.x = xor u128 ${r}, ${r}.s`,
      `  ${hash} = trunc u128 ${r}.x to i64`,
    );
  else if (result === 'f32')
    lines.push(
      `  ${r}.n = fcmp uno f32 ${r}, ${r}`,
      `  ${r}.c = select f32 ${r}.n, 0.0, ${r}`,
      `  ${r}.i = bitcast f32 ${r}.c to i32`,
      `  ${hash} = sext i32 ${r}.i to i64`,
      `  ${r}.d = fpext f32 ${r}.c to f64`,
      `  ${r}.g = bitcast i32 ${r}.i to u32`,
      `  ${r}.w = zext i32 ${r}.i to u64`,
      `  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @mixed, i32 ${r}.i, u32 ${r}.g, f64 ${r}.d, u64 ${r}.w)`,
    );
  else if (result === '%S')
    lines.push(
      `  store %S ${r}, @gs`,
      `  ${r}.a = extractvalue %S ${r}, 0`,
      `  ${r}.c = extractvalue %S ${r}, 2, 1`,
      `  ${r}.e = extractvalue %S ${r}, 4, 1`,
      `  ${r}.n = fcmp uno f64 ${r}.e, ${r}.e`,
      `  ${r}.k = select f64 ${r}.n, 0.0, ${r}.e`,
      `  ${r}.i = bitcast f64 ${r}.k to i64`,
      `  ${r}.z = zext i32 ${r}.a to i64`,
      `  ${r}.y = xor i64 ${r}.z, ${r}.c`,
      `  ${hash} = xor i64 ${r}.y, ${r}.i`,
    );
  else
    lines.push(
      `  ${r}.0 = extractvalue [3 x i16] ${r}, 0`,
      `  ${r}.1 = extractvalue [3 x i16] ${r}, 1`,
      `  ${r}.2 = extractvalue [3 x i16] ${r}, 2`,
      `  ${r}.x = zext i16 ${r}.0 to i64`,
      `  ${r}.y = zext i16 ${r}.1 to i64`,
      `  ${r}.z = zext i16 ${r}.2 to i64`,
      `  ${r}.q = mul i64 ${r}.x, 65537`,
      `  ${r}.w = add i64 ${r}.q, ${r}.y`,
      `  ${r}.v = mul i64 ${r}.w, 65537`,
      `  ${hash} = add i64 ${r}.v, ${r}.z`,
    );
  lines.push(`  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @line, ptr<i8> @n.${name}, i64 ${hash})`);
  // What the memory holds now.
  lines.push(
    `  ${r}.m0 = load i32 @cell`,
    `  ${r}.m1 = load i64 @wide`,
    `  ${r}.m2 = load i32 %p1`,
    `  ${r}.mp = gep %S @gs, 0, 2, 0`,
    `  ${r}.m3 = load i64 ${r}.mp`,
    `  ${r}.m4 = zext i32 ${r}.m0 to i64`,
    `  ${r}.m5 = zext i32 ${r}.m2 to i64`,
    `  ${r}.m6 = xor i64 ${r}.m4, ${r}.m1`,
    `  ${r}.m7 = mul i64 ${r}.m5, 1000003`,
    `  ${r}.m8 = xor i64 ${r}.m6, ${r}.m7`,
    `  ${r}.m9 = xor i64 ${r}.m8, ${r}.m3`,
    `  call fn(ptr<i8>, ...) -> i32 @printf(ptr<i8> @line, ptr<i8> @n.${name}, i64 ${r}.m9)`,
  );
  return lines;
}
