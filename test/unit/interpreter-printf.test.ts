/** printf of the interpreter against known texts, and against the C library of the machine on generated conversions. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TypeId } from '../../src/ir/entities.js';
import { ModuleTables } from '../../src/ir/module-tables.js';
import { type Host, HostCall } from '../../src/vir/interpreter/externals/host-call.js';
import { formatted } from '../../src/vir/interpreter/externals/printf.js';
import { Memory, Pointer } from '../../src/vir/interpreter/memory.js';
import { InputStream, OutputStream } from '../../src/vir/interpreter/streams.js';
import { Trap } from '../../src/vir/interpreter/trap.js';
import { integerFromBits, type Slot } from '../../src/vir/interpreter/values.js';
import { Random, runSeed } from '../harness/random.js';
import { findTool, run } from '../harness/tools.js';

const { types } = new ModuleTables('printf');
const memory = new Memory(1 << 24);
const host: Host = {
  types,
  memory,
  stdin: new InputStream(),
  stdout: new OutputStream(undefined),
  stderr: new OutputStream(undefined),
};

type Argument = readonly [type: TypeId, value: Slot];

const int = (value: number): Argument => [types.i32, value | 0];
const long = (value: bigint): Argument => [types.i64, integerFromBits(64, BigInt.asUintN(64, value))];
const double = (value: number): Argument => [types.f64, value];

function text(content: string): Argument {
  const bytes = new TextEncoder().encode(`${content}\0`);
  const object = memory.allocate('heap', 'text', bytes.length, 1);
  object.write(0, bytes);
  return [types.pointer(types.i8), new Pointer(object, 0)];
}

function printf(format: string, ...values: Argument[]): string {
  const call = new HostCall(
    host,
    'printf',
    values.map(([, value]) => value),
    values.map(([type]) => type),
  );
  return new TextDecoder().decode(formatted(call, new TextEncoder().encode(format), 0));
}

describe('printf', () => {
  it('writes known texts', () => {
    expect(printf('%d%%|%5d|%-5d|%05d|%+d|% d', int(-1), int(42), int(42), int(-42), int(7), int(7))).toBe(
      '-1%|   42|42   |-0042|+7| 7',
    );
    expect(printf('%x|%#X|%#o|%u', int(-1), int(255), int(8), int(-1))).toBe('ffffffff|0XFF|010|4294967295');
    expect(printf('%lld|%llu|%hhd|%hu', long(-5n), long(-1n), int(200), int(-1))).toBe(
      '-5|18446744073709551615|-56|65535',
    );
    expect(printf('%s|%.2s|%5s|%-5s|%c', text('abc'), text('abc'), text('abc'), text('abc'), int(65))).toBe(
      'abc|ab|  abc|abc  |A',
    );
    expect(printf('%*d|%-*d|%.*f', int(4), int(1), int(4), int(1), int(1), double(0.25))).toBe(
      '   1|1   |0.2',
    );
    expect(
      printf('%p', [types.pointer(types.i8), new Pointer(new Memory(1).allocate('heap', 'x', 1, 1), 0)]),
    ).toMatch(/^0x[0-9a-f]+$/);
  });

  it('writes doubles with all their digits', () => {
    expect(printf('%.20f', double(0.1))).toBe('0.10000000000000000555');
    expect(printf('%.0f %.0f %.0f', double(0.5), double(1.5), double(2.5))).toBe('0 2 2');
    expect(printf('%f', double(1e22))).toBe('10000000000000000000000.000000');
    expect(printf('%e %.3e %.0e', double(12345.678), double(9.9995), double(9.5))).toBe(
      '1.234568e+04 9.999e+00 1e+01',
    );
    expect(
      printf('%g %g %g %g %#g', double(1e6), double(123456), double(1e-5), double(0.0001), double(1)),
    ).toBe('1e+06 123456 1e-05 0.0001 1.00000');
    expect(printf('%#g %#.3g %#g', double(999999.5), double(9995), double(123456))).toBe(
      '1.00000e+06 1.00e+04 123456.',
    );
    expect(printf('%a %a %a', double(1), double(-0.5), double(0))).toBe('0x1p+0 -0x1p-1 0x0p+0');
    expect(
      printf('%f %F %5.1f %05f', double(1 / 0), double(-1 / 0), double(Number.NaN), double(Number.NaN)),
    ).toBe('inf -INF   nan   nan');
    expect(printf('%.3f %g', double(-0), double(5e-324))).toBe('-0.000 4.94066e-324');
    expect(printf('%.1074f', double(5e-324)).replace(/0/g, '').length).toBeGreaterThan(600);
  });

  it('refuses what C leaves undefined', () => {
    const fails = (format: string, ...values: Argument[]) => {
      try {
        printf(format, ...values);
        return 'none';
      } catch (thrown) {
        return thrown instanceof Trap ? thrown.code : String(thrown);
      }
    };
    expect(fails('%d')).toBe('VCT0648');
    expect(fails('%d', double(1))).toBe('VCT0648');
    expect(fails('%ld', int(1))).toBe('VCT0648');
    expect(fails('%d', long(1n))).toBe('VCT0648');
    expect(fails('%q', int(1))).toBe('VCT0648');
    expect(fails('%')).toBe('VCT0648');
    expect(fails('%n', text('x'))).toBe('VCT0648');
    expect(fails('%d', [types.i32, undefined])).toBe('VCT0615');
  });
});

describe('printf beside the C library', () => {
  const compiler = findTool('gcc');
  const seed = runSeed();
  const random = new Random(seed);

  const pick = <Item>(items: readonly Item[]): Item => random.pick(items);
  const flags = () => ['-', '+', ' ', '#', '0'].filter(() => random.below(4) === 0).join('');
  const width = () => (random.below(2) === 0 ? '' : String(random.below(30)));
  const precision = () => (random.below(2) === 0 ? '' : `.${random.below(pick([3, 8, 40]))}`);

  const view = new DataView(new ArrayBuffer(8));
  const doubleValue = (): number => {
    switch (random.below(5)) {
      case 0:
        return pick([
          0, -0, 1, 0.5, 1.5, 2.5, 0.125, 9.5, 99.5, 9.9999995, 999999.5, 1e-5, 1e15, 1e16, 5e-324,
          1.7976931348623157e308,
        ]);
      case 1:
        return random.below(2000) / 8 - 100;
      case 2:
        return (random.below(1_000_000) / 1000) * 10 ** (random.below(40) - 20);
      case 3:
        return 10 ** (random.below(40) - 20);
      default:
        view.setUint32(0, random.word());
        view.setUint32(4, random.word());
        return view.getFloat64(0);
    }
  };

  const integerCase = (): [string, string, Argument] => {
    const isLong = random.below(2) === 0;
    const small = BigInt(random.below(5)) - 2n;
    const bits = pick([small, BigInt(random.below(2 ** 31)), (BigInt(random.below(2 ** 31)) << 33n) + small]);
    const letter = pick(['d', 'i', 'u', 'x', 'X', 'o']);
    const format = `%${flags()}${width()}${precision()}${isLong ? pick(['l', 'll', 'z']) : pick(['', 'h', 'hh'])}${letter}`;
    if (isLong) return [format, `(long long)${BigInt.asUintN(64, bits)}ULL`, long(bits)];
    return [format, `(int)${BigInt.asUintN(32, bits)}U`, int(Number(BigInt.asIntN(32, bits)))];
  };

  const floatCase = (): [string, string, Argument] => {
    const value = doubleValue();
    const letter = pick(['f', 'F', 'e', 'E', 'g', 'G', 'a', 'A']);
    // glibc 2.36 writes 999999.5 by %#g as `1.e+06`; C asks for six digits, which the known texts above have.
    const known = letter.toLowerCase() === 'g' ? flags().replace('#', '') : flags();
    const format = `%${known}${width()}${precision()}${letter}`;
    view.setFloat64(0, value);
    const literal = `from_bits(0x${view.getBigUint64(0).toString(16)}ULL)`;
    return [format, literal, double(value)];
  };

  it.skipIf(compiler === undefined)('gives the same bytes for 6000 conversions', async () => {
    const cases = Array.from({ length: 6000 }, (_, index) =>
      index % 2 === 0 ? integerCase() : floatCase(),
    ).filter(([, , [, value]]) => !Number.isNaN(value));
    const source = [
      '#include <stdio.h>',
      '#include <string.h>',
      'static double from_bits(unsigned long long bits) { double d; memcpy(&d, &bits, 8); return d; }',
      // Few calls a function: gcc takes very long over one of thousands.
      ...cases.map(
        ([format, literal], index) => `static void f${index}(void) { printf("${format}\\n", ${literal}); }`,
      ),
      'int main(void) {',
      ...cases.map((_, index) => `f${index}();`),
      'return 0; }',
    ].join('\n');
    const folder = mkdtempSync(join(tmpdir(), 'libvct-printf-'));
    try {
      writeFileSync(join(folder, 'p.c'), source);
      const compiled = await run(compiler as string, [
        '-w',
        '-O0',
        '-o',
        join(folder, 'p'),
        join(folder, 'p.c'),
      ]);
      expect(compiled.stderr).toBe('');
      const lines = (await run(join(folder, 'p'), [])).stdout.toString('latin1').split('\n');
      cases.forEach(([format, literal, argument], index) => {
        expect(printf(format, argument), `${format} of ${literal}, VCT_SEED=${seed}`).toBe(lines[index]);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
