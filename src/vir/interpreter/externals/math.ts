/**
 * <math.h>: each function for f64 and, with the suffix f, for f32 rounded from the f64 result. The transcendental ones are the
 * engine's, which may differ from a C library's in the last place; the others are exact.
 */

import type { HostCall, HostFunction } from './host-call.js';

type UnaryFunction = (x: number) => number;
type BinaryFunction = (x: number, y: number) => number;

const UNARY: Readonly<Record<string, UnaryFunction>> = {
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  log: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  sqrt: Math.sqrt,
  cbrt: Math.cbrt,
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
  round: roundAway,
  rint: roundEven,
  nearbyint: roundEven,
};

const BINARY: Readonly<Record<string, BinaryFunction>> = {
  pow: power,
  fmod: (x, y) => x % y,
  hypot: Math.hypot,
  atan2: Math.atan2,
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fdim: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x > y ? x - y : 0),
  copysign: (x, y) => (isNegative(x) === isNegative(y) ? x : -x),
};

/** The built-ins of this file, by name. */
export const MATH: Readonly<Record<string, HostFunction>> = { ...mathTable(), ...oddOnes() };

function mathTable(): Record<string, HostFunction> {
  const table: Record<string, HostFunction> = {};
  for (const [name, apply] of Object.entries(UNARY)) {
    table[name] = (call) => apply(call.float(0));
    table[`${name}f`] = (call) => Math.fround(apply(call.float(0)));
  }
  for (const [name, apply] of Object.entries(BINARY)) {
    table[name] = (call) => apply(call.float(0), call.float(1));
    table[`${name}f`] = (call) => Math.fround(apply(call.float(0), call.float(1)));
  }
  return table;
}

/** Those with an integer among their arguments or results. */
function oddOnes(): Record<string, HostFunction> {
  return {
    fabs: (call) => Math.abs(call.float(0)),
    fabsf: (call) => Math.abs(call.float(0)),
    ldexp: (call) => scaleByPower(call.float(0), call.int(1)),
    ldexpf: (call) => Math.fround(scaleByPower(call.float(0), call.int(1))),
    lround: (call) => wholeNumber(call, roundAway(call.float(0))),
    lrint: (call) => wholeNumber(call, roundEven(call.float(0))),
  };
}

function wholeNumber(call: HostCall, value: number): bigint {
  if (!(Math.abs(value) < 2 ** 63)) call.fail(`${value}, which no long holds`);
  return BigInt(value);
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}

/** Half away from zero, with the sign of zero kept. */
function roundAway(x: number): number {
  const whole = Math.trunc(x);
  return Math.abs(x - whole) >= 0.5 ? whole + Math.sign(x) : whole;
}

function roundEven(x: number): number {
  const low = Math.floor(x);
  const part = x - low;
  if (part === 0 || Number.isNaN(part)) return x;
  const rounded = part < 0.5 || (part === 0.5 && low % 2 === 0) ? low : low + 1;
  return rounded === 0 && x < 0 ? -0 : rounded;
}

/** C says 1 where ECMAScript says NaN: for the base 1, and for the base -1 and an infinite exponent. */
function power(x: number, y: number): number {
  if (x === 1) return 1;
  if (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) return 1;
  return x ** y;
}

/**
 * value * 2^power with one rounding: all factors but the last keep the value normal, and thus exact. Going down, the value is
 * brought to [1, 2) first.
 */
function scaleByPower(value: number, power: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  let exponent = Math.max(-1074, Math.floor(Math.log2(Math.abs(value))));
  let scaled = value;
  // 2^1074 is beyond the normal numbers, so a subnormal value is raised in two steps.
  if (exponent < -1000) {
    scaled *= 2 ** 600;
    exponent += 600;
    power -= 600;
  }
  scaled *= 2 ** -exponent;
  let rest = Math.max(-2200, Math.min(2200, power + exponent));
  if (rest > 1000) {
    scaled *= 2 ** 1000;
    rest -= 1000;
    return scaled * 2 ** Math.min(rest, 1000);
  }
  if (rest >= -1000) return scaled * 2 ** rest;
  // 2^-1074 is the last power of two; what lies below rounds to zero or to it.
  return rest < -1076 ? scaled * 2 ** -1074 * 2 ** -100 : scaled * 2 ** 100 * 2 ** -1000 * 2 ** (rest + 900);
}
