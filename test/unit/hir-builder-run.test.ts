import { describe, expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import {
  array,
  createModule,
  type FunctionBuilder,
  f32,
  f64,
  fn,
  i1,
  i8,
  i16,
  i32,
  i64,
  integer,
  type ModuleBuilder,
  type Operand,
  param,
  parseHir,
  printHir,
  ptr,
  struct,
  u8,
  u32,
  u64,
  union,
  verifyHir,
  voidType,
} from '../../src/hir/index.js';
import { interpret } from '../../src/vir/interpreter/index.js';

/** What the main built by `build` prints; the module is also printed, read back and run from there. */
function output(build: (f: FunctionBuilder<typeof i32>, m: ModuleBuilder, show: Show) => void): string[] {
  const m = createModule('t');
  const printf = m.declare('printf', fn([ptr(i8)], i32, { varargs: true }));
  m.function(
    'main',
    [],
    i32,
    (f) => {
      const show: Show = (format, ...values) =>
        f.evaluate(f.call(printf, m.string(`${format}\n`), ...values));
      build(f, m, show);
      f.return(0);
    },
    { linkage: 'export' },
  );
  const hir = m.finish();
  const text = printHir(hir);
  const lines = run(hir);
  const again = parseHir(text);
  expect(printHir(again)).toBe(text);
  expect(run(again)).toEqual(lines);
  return lines;
}

type Show = (format: string, ...values: Operand[]) => void;

function run(hir: ReturnType<typeof parseHir>): string[] {
  expect(verifyHir(hir)).toEqual([]);
  const result = interpret(lowerModule(hir, 'ts'));
  expect(result.exitCode).toBe(0);
  return new TextDecoder().decode(result.stdout).trimEnd().split('\n');
}

describe('programs built in TypeScript', () => {
  test('a function that calls itself', () => {
    expect(
      output((f, m, show) => {
        const factorial = m.function('factorial', [param('n', i64)], i64, (g, n) => {
          g.if(n.le(1), () => g.return(1));
          g.return(n.mul(g.call(g.self, n.sub(1))));
        });
        show('%lld', f.call(factorial, 20));
      }),
    ).toEqual(['2432902008176640000']);
  });

  test('functions that call each other', () => {
    expect(
      output((f, m, show) => {
        const even = m.function('even', [param('n', i32)], i1);
        const odd = m.function('odd', [param('n', i32)], i1, (g, n) => {
          g.return(g.conditional(n.eq(0), g.constant(i1, false), g.call(even, n.sub(1))));
        });
        even.define((g, n) => {
          g.return(n.eq(0).logicalOr(g.call(odd, n.sub(1))));
        });
        show('%d %d', f.call(even, 10).convert(i32), f.call(odd, 10).convert(i32));
      }),
    ).toEqual(['1 0']);
  });

  test('structs, arrays, unions, pointers and globals', () => {
    const pair = struct('Pair', { lo: i32, hi: array(i64, 3) });
    const bits = union('Bits', { whole: u32, real: f32 });
    expect(
      output((f, m, show) => {
        const table = m.global('table', array(pair, 2), [{ lo: 1 }, { lo: 2, hi: [10, 20, 30n] }]);
        const p = f.let('p', table.at(1).address());
        p.field('hi')
          .at(0)
          .set(p.field('hi').at(2).load().add(p.field('lo').load().convert(i64)));
        show('%lld', table.at(1).field('hi').at(0));
        const local = f.variable('local', pair, table.at(1).load());
        local.field('lo').set(99);
        show('%d %d', local.field('lo'), table.at(1).field('lo'));
        const b = f.variable('b', bits);
        b.field('real').set(1.5);
        show('%x', b.field('whole'));
        const whole = f.let('whole', f.zero(pair).insert('lo', 7));
        show('%d', whole.extract('lo'));
        const x = f.variable('x', i32, 5);
        const address = f.let('address', x.address());
        address.deref().set(x.add(1));
        show('%d', x);
        const list = f.variable('list', array(i32, 4), f.constant(array(i32, 4), [1, 2, 3]));
        f.for({ init: () => x.set(0), condition: () => x.lt(4), step: () => x.set(x.add(1)) }, () =>
          list.at(x).set(list.at(x).load().mul(x)),
        );
        show('%d %d %d', list.at(1), list.at(2), list.at(3));
      }),
    ).toEqual(['32', '99 2', '3fc00000', '7', '6', '2 6 0']);
  });

  test('conditions with statements run at each test', () => {
    expect(
      output((f, _, show) => {
        const i = f.variable('i', i32, 0);
        const next = () => {
          const old = f.let('old', i);
          i.set(i.add(1));
          return old.lt(3);
        };
        f.while(next, () => {
          f.if(i.eq(2), () => f.continue());
          show('%d', i);
        });
        i.set(0);
        f.for({ condition: next, step: () => show('step') }, () => f.if(i.eq(1), () => f.continue()));
        show('%d', i);
      }),
    ).toEqual(['1', '3', 'step', 'step', 'step', '4']);
  });

  test('a do whose condition has statements', () => {
    expect(
      output((f, _, show) => {
        const i = f.variable('i', i32, 0);
        f.doWhile(
          () => {
            show('body %d', i);
            f.if(i.eq(1), () => f.continue());
            show('end %d', i);
          },
          () => {
            const old = f.let('old', i);
            i.set(i.add(1));
            show('test %d', old);
            return old.lt(2);
          },
        );
        show('%d', i);
      }),
    ).toEqual(['body 0', 'end 0', 'test 0', 'body 1', 'test 1', 'body 2', 'end 2', 'test 2', '3']);
  });

  test('switch, defer, labels', () => {
    expect(
      output((f, _, show) => {
        const i = f.variable('i', i32, 0);
        f.while(
          true,
          () => {
            f.defer(() => i.set(i.add(1)));
            f.switch(i, (s) => {
              s.case(0, () => show('zero'), { fallthrough: true });
              s.case([1, 2], () => show('small %d', i));
              s.case(4, () => f.break('loop'));
              s.default(() => {
                show('other');
                f.continue();
              });
            });
            show('after %d', i);
          },
          { label: 'loop' },
        );
        show('%d', i);
      }),
    ).toEqual(['zero', 'small 0', 'after 0', 'small 1', 'after 1', 'small 2', 'after 2', 'other', '5']);
  });

  test('003/H-12 labels and gotos, forward and back, out of a scope with a defer', () => {
    expect(
      output((f, _, show) => {
        const i = f.variable('i', i32, 0);
        f.goto('test');
        f.label('again');
        f.block(() => {
          f.defer(() => show('left %d', i));
          i.set(i.add(1));
          f.if(i.eq(2), () => f.goto('again'));
          show('body %d', i);
        });
        f.label('test');
        f.if(i.lt(4), () => f.goto('again'));
        show('%d', i);
      }),
    ).toEqual(['body 1', 'left 1', 'left 2', 'body 3', 'left 3', 'body 4', 'left 4', '4']);
  });

  test('function pointers, varargs promotion, conversions', () => {
    expect(
      output((f, m, show) => {
        const add = m.function('add', [param('a', i32), param('b', i32)], i32, (g, a, b) =>
          g.return(a.add(b)),
        );
        const operation = f.variable('operation', ptr(fn([i32, i32], i32)), add);
        show('%d', f.call(operation, 2, 3));
        const small = f.variable('small', i8, -1);
        const byte = f.variable('byte', u8, 255);
        show('%d %u %.2f', small, byte, f.constant(f32, 0.25));
        show('%d', byte.bitcast(i8));
        show('%d', f.constant(f64, -2.9).convert(i16));
        show('%d', small.convert(i1).convert(i32));
        show('%llu', f.constant(u64, 2n ** 64n - 1n));
        const wide = f.variable('wide', integer(128), 1);
        show('%lld', wide.shl(100).shr(98).convert(i64));
      }),
    ).toEqual(['5', '-1 255 0.25', '-1', '-2', '1', '18446744073709551615', '4']);
  });

  test('total operations answer for every operand', () => {
    expect(
      output((f, _, show) => {
        const x = f.variable('x', i32, 17);
        const zero = f.variable('zero', i32, 0);
        const lowest = f.variable('lowest', i32, -(2 ** 31));
        show('%d %d', f.divideOr(x, zero, -1), f.divideOr(x.add(1), x.sub(15), 0));
        show('%d %d', f.divideOr(lowest, -1, 5), f.remainderOr(lowest, -1, 5));
        show('%d %d', f.remainderOr(x, 0, 42), f.remainderOr(x, 5, 42));
        show('%d %d', f.shlMasked(x, 33), f.shrMasked(lowest, 63));
        const values = [1e30, -1e30, Number.NaN, 3.99, -3.99, -0.5, 255, 256];
        for (const value of values) {
          const kept = f.variable('v', f64, value);
          show('%d %d', f.convertSaturating(kept, i8), f.convertSaturating(kept, u8));
        }
        show('%lld', f.convertSaturating(f.constant(f32, 2 ** 63), i64));
      }),
    ).toEqual([
      '-1 9',
      '-2147483648 0',
      '42 2',
      '34 -1',
      '127 255',
      '-128 0',
      '0 0',
      '3 3',
      '-3 0',
      '0 0',
      '127 255',
      '127 255',
      '9223372036854775807',
    ]);
  });

  test('checked arithmetic tells what did not fit, in the sign of the type', () => {
    expect(
      output((f, _, show) => {
        const a = f.variable('a', i32, 2 ** 31 - 1);
        const b = f.variable('b', u8, 200);
        for (const name of ['add', 'sub', 'mul'] as const) {
          const signed = f.checked(name, a, 2);
          show('%d %d', signed.value, signed.overflowed.convert(i32));
          const unsigned = f.checked(name, b, 201);
          show('%d %d', unsigned.value.convert(i32), unsigned.overflowed.convert(i32));
        }
        show('%d %d', f.divideOrTrap(a, -2), f.remainderOrTrap(a, -2));
        show('%d', f.remainderOrTrap(f.variable('lowest', i32, -(2 ** 31)), -1));
        show('%d %d', f.divideOrTrap(b, 3).convert(i32), f.remainderOrTrap(b, 7).convert(i32));
      }),
    ).toEqual([
      '-2147483647 1',
      '145 1',
      '2147483645 0',
      '255 1',
      '-2 1',
      '8 1',
      '-1073741823 1',
      '0',
      '66 4',
    ]);
  });

  test('a division that traps ends the program as abort does, before it divides', () => {
    const ended = (dividend: number, divisor: number, name: 'divideOrTrap' | 'remainderOrTrap') => {
      const m = createModule('trap');
      m.function(
        'main',
        [],
        i32,
        (f) => {
          f.evaluate(f[name](f.variable('a', i32, dividend), f.variable('b', i32, divisor)));
          f.return(7);
        },
        { linkage: 'export' },
      );
      // The author's own declaration comes later, and is the same function.
      const abort = m.declare('abort', fn([], voidType));
      expect(m.finish().tables.functions.length).toBe(2);
      expect(abort.name).toBe('abort');
      return interpret(lowerModule(m.finish(), 'ts')).exitCode;
    };
    expect(ended(5, 0, 'divideOrTrap')).toBe(134);
    expect(ended(-(2 ** 31), -1, 'divideOrTrap')).toBe(134);
    expect(ended(5, -1, 'divideOrTrap')).toBe(7);
    expect(ended(5, 0, 'remainderOrTrap')).toBe(134);
    expect(ended(-(2 ** 31), -1, 'remainderOrTrap')).toBe(7);
  });

  test('atomics, overflow, intrinsics, memory', () => {
    expect(
      output((f, m, show) => {
        const counter = m.global('counter', i32, 5);
        const pointer = counter.address();
        show('%d', f.atomicUpdate('add', pointer, 3));
        const r = f.let('r', f.compareExchange(counter.address(), 8, 1));
        show('%d %d', r.extract(0), r.extract(1));
        show('%d', counter.load({ ordering: 'acquire' }));
        f.fence();
        const o = f.let('o', f.withOverflow('uadd', f.constant(u8, 200), 100));
        show('%d %d', o.extract(0), o.extract(1));
        show('%d', f.saturating('sadd', f.constant(i8, 100), 100));
        show('%g %g', f.sqrt(f.constant(f64, 2.25)), f.fabs(f.constant(f64, -3)));
        show('%d', f.popcount(f.constant(u32, 0xff00)));
        const a = f.variable('a', array(u8, 4));
        f.memset(a.address(), 1, 4);
        f.memcpy(a.at(2).address(), m.string('z'), 1);
        show('%d %d', a.at(1), a.at(2));
        show('%lld %lld', f.sizeOf(struct({ a: i8, b: i64 })), f.offsetOf(struct({ a: i8, b: i64 }), 'b'));
      }),
    ).toEqual(['5', '8 1', '1', '44 1', '127', '1.5 3', '8', '1 122', '16 8']);
  });

  test('constructs that are opened and closed by hand', () => {
    expect(
      output((f, _, show) => {
        const i = f.variable('i', i32, 0);
        f.beginWhile(() => i.lt(3));
        f.beginIf(i.eq(1));
        show('one');
        f.beginElse();
        f.beginSwitch(i);
        f.beginCase(0);
        show('zero');
        f.end();
        f.beginDefault();
        show('other');
        f.end();
        f.end();
        f.end();
        f.beginDefer();
        i.set(i.add(1));
        f.end();
        f.end();
        f.beginDoWhile();
        f.beginBlock();
        show('once');
        f.end();
        f.endDoWhile(false);
      }),
    ).toEqual(['zero', 'one', 'other', 'once']);
  });

  test('a function that fails leaves nothing behind', () => {
    const m = createModule('t');
    expect(() =>
      m.function('bad', [param('n', i32)], i32, (f, n) => {
        f.while(n.lt(3), () => f.return(f.constant(f64, 1) as never));
      }),
    ).toThrow(/VCT0300/);
    m.function('good', [], voidType, (f) => f.return());
    expect(() => m.finish()).toThrow(/VCT0321/);
  });
});
