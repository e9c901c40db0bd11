/** Integer operations of the interpreter against a plain bigint model, at widths around every change of representation. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TypeId } from '../../src/ir/entities.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { Opcode, type OpcodeName } from '../../src/ir/opcodes.js';
import { INTEGER_PREDICATES, type IntegerPredicate } from '../../src/ir/schema.js';
import { castStep } from '../../src/vir/interpreter/cast-steps.js';
import { integerCompareStep } from '../../src/vir/interpreter/compare-steps.js';
import {
  funnelShiftStep,
  integerBinaryStep,
  overflowOperation,
  populationCountStep,
} from '../../src/vir/interpreter/integer-steps.js';
import { Memory } from '../../src/vir/interpreter/memory.js';
import type { Step } from '../../src/vir/interpreter/step.js';
import { Trap } from '../../src/vir/interpreter/trap.js';
import { integerBits, integerFromBits, type Slot, type Wide } from '../../src/vir/interpreter/values.js';

const WIDTHS = [1, 2, 7, 8, 13, 16, 31, 32, 33, 40, 53, 54, 55, 63, 64, 65, 127, 128, 1024];

/** Bits with many zeros and ones at the ends, where representations change. */
function bitsOf(width: number): fc.Arbitrary<bigint> {
  const highest = (1n << BigInt(width)) - 1n;
  const edges = [
    0n,
    1n,
    highest,
    highest >> 1n,
    (highest >> 1n) + 1n,
    2n ** 53n,
    2n ** 53n - 1n,
    2n ** 32n,
    2n ** 31n,
  ];
  return fc.oneof(
    fc.bigInt(0n, highest),
    fc.constantFrom(...edges).map((edge) => edge & highest),
    fc.bigInt(0n, 300n).map((small) => small & highest),
    fc.bigInt(0n, 300n).map((small) => (highest - small) & highest),
  );
}

/** Every value must have its one form, so what a step gives must be what its own bits give. */
function bitsOfSlot(width: number, slot: Slot): bigint {
  const bits = integerBits(width, slot as Wide);
  expect(slot).toBe(integerFromBits(width, bits));
  expect(Object.is(slot, -0)).toBe(false);
  return bits;
}

function apply(step: Step, ...operands: Slot[]): Slot {
  const registers: Slot[] = [undefined, ...operands];
  step(registers);
  return registers[0];
}

function outcome(run: () => Slot, width: number): string {
  try {
    return String(bitsOfSlot(width, run()));
  } catch (thrown) {
    if (thrown instanceof Trap) return thrown.code;
    throw thrown;
  }
}

const places = (count: number) => ({
  result: 0,
  operands: Array.from({ length: count }, (_, index) => index + 1),
});

/** The reference: the code of a trap, or the exact result before wrapping. */
function binaryModel(name: OpcodeName, width: number, x: bigint, y: bigint): bigint | string {
  const signed = (bits: bigint) => BigInt.asIntN(width, bits);
  const clamp = (value: bigint, low: bigint, high: bigint) =>
    value < low ? low : value > high ? high : value;
  const lowest = -(1n << BigInt(width - 1));
  const all = (1n << BigInt(width)) - 1n;
  switch (name) {
    case 'add':
      return x + y;
    case 'sub':
      return x - y;
    case 'mul':
      return x * y;
    case 'and':
      return x & y;
    case 'or':
      return x | y;
    case 'xor':
      return x ^ y;
    case 'udiv':
      return y === 0n ? 'VCT0600' : x / y;
    case 'urem':
      return y === 0n ? 'VCT0600' : x % y;
    case 'sdiv':
    case 'srem':
      if (y === 0n) return 'VCT0600';
      if (signed(x) === lowest && signed(y) === -1n) return 'VCT0601';
      return name === 'sdiv' ? signed(x) / signed(y) : signed(x) % signed(y);
    case 'shl':
      return y >= BigInt(width) ? 'VCT0602' : x << y;
    case 'lshr':
      return y >= BigInt(width) ? 'VCT0602' : x >> y;
    case 'ashr':
      return y >= BigInt(width) ? 'VCT0602' : signed(x) >> y;
    case 'sadd_sat':
      return clamp(signed(x) + signed(y), lowest, -lowest - 1n);
    case 'ssub_sat':
      return clamp(signed(x) - signed(y), lowest, -lowest - 1n);
    case 'uadd_sat':
      return clamp(x + y, 0n, all);
    default:
      return clamp(x - y, 0n, all);
  }
}

const BINARY: readonly OpcodeName[] = [
  ...([
    'add',
    'sub',
    'mul',
    'sdiv',
    'udiv',
    'srem',
    'urem',
    'and',
    'or',
    'xor',
    'shl',
    'lshr',
    'ashr',
  ] as const),
  ...(['sadd_sat', 'uadd_sat', 'ssub_sat', 'usub_sat'] as const),
];

describe('006 integers wrap', () => {
  for (const name of BINARY) {
    it(`${name} is that of bigints at every width`, () => {
      for (const width of WIDTHS) {
        const step = integerBinaryStep(Opcode[name], width, `i${width}`, places(2));
        // Most random amounts are too large, so that amounts are drawn small as well.
        const second = fc.oneof(
          bitsOf(width),
          fc.integer({ min: 0, max: width }).map((n) => BigInt.asUintN(width, BigInt(n))),
        );
        fc.assert(
          fc.property(bitsOf(width), second, (x, y) => {
            const model = binaryModel(name, width, x, y);
            const expected = typeof model === 'string' ? model : String(BigInt.asUintN(width, model));
            expect(
              outcome(() => apply(step, integerFromBits(width, x), integerFromBits(width, y)), width),
              `${name} i${width} ${x}, ${y}`,
            ).toBe(expected);
          }),
          { numRuns: 150 },
        );
      }
    });
  }

  for (const name of ['sadd', 'uadd', 'ssub', 'usub', 'smul', 'umul'] as const) {
    it(`${name}_overflow wraps and tells`, () => {
      for (const width of WIDTHS) {
        const operation = overflowOperation(Opcode[`${name}_overflow`], width);
        fc.assert(
          fc.property(bitsOf(width), bitsOf(width), (x, y) => {
            const view = (bits: bigint) => (name.startsWith('s') ? BigInt.asIntN(width, bits) : bits);
            const kind = name.slice(1);
            const [a, b] = [view(x), view(y)];
            const exact = kind === 'add' ? a + b : kind === 'sub' ? a - b : a * b;
            const { value, overflowed } = operation(integerFromBits(width, x), integerFromBits(width, y));
            const bits = BigInt.asUintN(width, exact);
            expect(bitsOfSlot(width, value), `${name} i${width} ${x}, ${y}`).toBe(bits);
            expect(overflowed, `${name} i${width} ${x}, ${y}`).toBe(view(bits) !== exact);
          }),
          { numRuns: 150 },
        );
      }
    });
  }
});

describe('comparisons', () => {
  const holds = (predicate: IntegerPredicate, width: number, x: bigint, y: bigint): boolean => {
    const view = (bits: bigint) => (predicate.startsWith('s') ? BigInt.asIntN(width, bits) : bits);
    switch (predicate.slice(-2)) {
      case 'eq':
        return x === y;
      case 'ne':
        return x !== y;
      case 'lt':
        return view(x) < view(y);
      case 'le':
        return view(x) <= view(y);
      case 'gt':
        return view(x) > view(y);
      default:
        return view(x) >= view(y);
    }
  };
  INTEGER_PREDICATES.forEach((predicate, number) => {
    it(`icmp ${predicate} is that of bigints at every width`, () => {
      for (const width of WIDTHS) {
        const step = integerCompareStep(number, width, places(2));
        const pair = bitsOf(width).chain((x) =>
          fc.tuple(fc.constant(x), fc.oneof(bitsOf(width), fc.constant(x))),
        );
        fc.assert(
          fc.property(pair, ([x, y]) => {
            const found = apply(step, integerFromBits(width, x), integerFromBits(width, y));
            expect(found, `${predicate} i${width} ${x}, ${y}`).toBe(holds(predicate, width, x, y) ? 1 : 0);
          }),
          { numRuns: 100 },
        );
      }
    });
  });
});

describe('casts and bit counts', () => {
  const { types } = new ModuleTables('casts');
  const memory = new Memory(1 << 20);
  const cast = (name: OpcodeName, from: TypeId, to: TypeId) =>
    castStep(Opcode[name], from, to, types, memory, places(1));

  it('trunc, zext and sext move between all widths', () => {
    for (const from of WIDTHS)
      for (const to of WIDTHS) {
        if (from === to) continue;
        const names: OpcodeName[] = to < from ? ['trunc'] : ['zext', 'sext'];
        for (const name of names) {
          const step = cast(name, types.integer(from, true), types.integer(to, false));
          fc.assert(
            fc.property(bitsOf(from), (x) => {
              const exact = name === 'sext' ? BigInt.asIntN(from, x) : x;
              expect(
                bitsOfSlot(to, apply(step, integerFromBits(from, x))),
                `${name} i${from} ${x} to i${to}`,
              ).toBe(BigInt.asUintN(to, exact));
            }),
            { numRuns: 12 },
          );
        }
      }
  });

  it('ctpop counts ones, fshl shifts a pair', () => {
    for (const width of WIDTHS) {
      const count = populationCountStep(width, places(1));
      const funnel = funnelShiftStep(width, places(3));
      fc.assert(
        fc.property(bitsOf(width), bitsOf(width), bitsOf(width), (x, y, z) => {
          const ones = [...x.toString(2)].filter((digit) => digit === '1').length;
          expect(bitsOfSlot(width, apply(count, integerFromBits(width, x)))).toBe(
            BigInt.asUintN(width, BigInt(ones)),
          );
          const pair = (x << BigInt(width)) | y;
          const shifted = BigInt.asUintN(width, (pair << (z % BigInt(width))) >> BigInt(width));
          const operands = [x, y, z].map((bits) => integerFromBits(width, bits));
          expect(bitsOfSlot(width, apply(funnel, ...operands)), `fshl i${width} ${x}, ${y}, ${z}`).toBe(
            shifted,
          );
        }),
        { numRuns: 60 },
      );
    }
  });

  /** The float nearest to an integer by looking at both neighbours, ties to the even mantissa. */
  function nearest(value: bigint, width: 32 | 64): number {
    const magnitude = value < 0n ? -value : value;
    const size = width === 32 ? 24 : 53;
    const length = magnitude.toString(2).length;
    if (length <= size) return Number(value);
    const dropped = BigInt(length - size);
    let kept = magnitude >> dropped;
    const rest = magnitude - (kept << dropped);
    const half = 1n << (dropped - 1n);
    if (rest > half || (rest === half && kept % 2n === 1n)) kept += 1n;
    const result = Number(kept) * 2 ** Number(dropped);
    const rounded = width === 32 && result >= 2 ** 128 ? Number.POSITIVE_INFINITY : result;
    return value < 0n ? -rounded : rounded;
  }

  it('integers become the nearest float, rounded once', () => {
    for (const width of WIDTHS)
      for (const size of [32, 64] as const)
        for (const name of ['sitofp', 'uitofp'] as const) {
          if (width === 1024 && size === 32) continue;
          const step = cast(name, types.integer(width, true), types.float(size));
          fc.assert(
            fc.property(bitsOf(width), (x) => {
              const exact = name === 'sitofp' ? BigInt.asIntN(width, x) : x;
              expect(apply(step, integerFromBits(width, x)), `${name} ${exact} to f${size}`).toBe(
                nearest(exact, size),
              );
            }),
            { numRuns: 100 },
          );
        }
    const step = cast('uitofp', types.u64, types.f32);
    // Rounded to f64 first, this one would become the tie 2^24 + 1 and then fall to the even side.
    expect(apply(step, integerFromBits(64, 0x8000008000000001n))).toBe(2 ** 63 + 2 ** 40);
  });

  it('006/E-4 floats become integers, or are out of range', () => {
    for (const width of WIDTHS)
      for (const name of ['fptosi', 'fptoui'] as const) {
        const step = cast(name, types.f64, types.integer(width, true));
        const low = name === 'fptosi' ? -(1n << BigInt(width - 1)) : 0n;
        const high = name === 'fptosi' ? -low - 1n : (1n << BigInt(width)) - 1n;
        const edge = [
          Number(low),
          Number(high),
          Number(low) - 1,
          Number(high) + 1,
          Number(low) - 0.5,
          Number(high) + 0.5,
        ];
        const value = fc.oneof(
          fc.double(),
          fc.constantFrom(...edge),
          fc.double({ min: -300, max: 300, noNaN: true }),
        );
        fc.assert(
          fc.property(value, (x) => {
            const whole = Math.trunc(x);
            const isGood = Number.isFinite(x) && BigInt(whole) >= low && BigInt(whole) <= high;
            const expected = isGood ? String(BigInt.asUintN(width, BigInt(whole))) : 'VCT0603';
            expect(
              outcome(() => apply(step, x), width),
              `${name} ${x} to i${width}`,
            ).toBe(expected);
          }),
          { numRuns: 80 },
        );
      }
  });
});
