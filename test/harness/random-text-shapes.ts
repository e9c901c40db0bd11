/** Types, globals and signatures of the random VIR programs, and literals of their types. */

import type { Random } from './random.js';

export const INTEGERS = ['i8', 'u8', 'i16', 'u16', 'i32', 'u32', 'i64', 'u64', 'i128', 'u128', 'i1'];
export const FLOATS = ['f32', 'f64'];
/** The types of the variables that live across blocks; each function takes some of them. */
export const VARIABLE_TYPES = [
  'i32',
  'i32',
  'i64',
  'u16',
  'i8',
  'u32',
  'f64',
  'f32',
  '%S',
  '[3 x i16]',
  'i128',
  'ptr<i32>',
  'i1',
  'u64',
];

/** The fields of %S and %T, by the path of a gep or an extractvalue. */
export const FIELDS: readonly (readonly [path: string, type: string])[] = [
  ['0', 'i32'],
  ['1', 'i8'],
  ['2, 0', 'i64'],
  ['2, 1', 'i64'],
  ['3', 'f32'],
  ['4, 0', 'u16'],
  ['4, 1', 'f64'],
  ['5', 'i1'],
  ['4', '%T'],
  ['2', '[2 x i64]'],
];

export interface Signature {
  readonly parameters: readonly string[];
  readonly result: string;
}

export const SIGNATURES: readonly Signature[] = [
  { parameters: ['i32', 'i32', 'i64'], result: 'i64' },
  { parameters: ['%S', 'f64', 'i8'], result: '%S' },
  { parameters: ['ptr<i32>', 'ptr<%S>', 'u16'], result: 'f32' },
  { parameters: ['[3 x i16]', 'i128', 'i1', 'u8'], result: '[3 x i16]' },
  { parameters: ['f32', 'ptr<i32>', 'u64'], result: 'void' },
  { parameters: ['u32', 'f32', 'u128', '%T'], result: 'u128' },
];

export const PREAMBLE = `type %T = { x: u16, y: f64 }
type %S = { a: i32, b: i8, c: [2 x i64], d: f32, e: %T, f: i1 }
type %U = union { byte: u8, half: i16, word: u32, wide: u64 }
global @ga: [8 x i32] = [ i32 1, i32 -2, i32 3, i32 2147483647, i32 -2147483648, i32 0, i32 77, i32 255 ]
global @gs: %S = { i32 5, i8 -3, [2 x i64] [ i64 9, i64 -9223372036854775808 ], f32 1.5, %T { u16 65535, f64 -0.25 }, i1 true }
constant @seed: [8 x i32] = [ i32 10, i32 20, i32 30, i32 40, i32 -50, i32 60, i32 -70, i32 80 ]
global @gu: %U = { u8 200 }
global @cell: i32 = 3
global @wide: i64 = -4
constant @line: [9 x i8] = "%s %lld\\0a\\00"
constant @mixed: [15 x i8] = "%d %u %g %llu\\0a\\00"
declare @printf(ptr<i8>, ...) -> i32
`;

export function isInteger(type: string): boolean {
  return INTEGERS.includes(type);
}

export function width(type: string): number {
  return Number(type.slice(1));
}

export function integerLiteral(random: Random, type: string): string {
  if (type === 'i1') return random.chance(50) ? 'true' : 'false';
  const bits = BigInt(width(type));
  const edge = random.pick([
    0n,
    1n,
    2n,
    -1n,
    1n << (bits - 1n),
    (1n << (bits - 1n)) - 1n,
    BigInt(random.below(100)),
    BigInt(random.word()),
  ]);
  return `${type.startsWith('i') ? BigInt.asIntN(Number(bits), edge) : BigInt.asUintN(Number(bits), edge)}`;
}
