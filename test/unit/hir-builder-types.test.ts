import { expect, test } from 'vitest';
import {
  array,
  createModule,
  type Expression,
  type FunctionBuilder,
  f64,
  fn,
  i1,
  i8,
  i32,
  i64,
  type Operand,
  param,
  ptr,
  struct,
  u8,
  voidType,
} from '../../src/hir/index.js';

/** Never called: only the type checker looks at it. `npm run typecheck` fails where an error is missing. */
function onlyTypes(): void {
  const m = createModule('types');
  const pair = struct('Pair', { lo: i32, hi: i64 });
  const printf = m.declare('printf', fn([ptr(i8)], i32, { varargs: true }));
  const puts = m.declare('puts', fn([ptr(i8)], i32));
  m.function('f', [param('a', i32), param('x', f64), param('p', ptr(pair))], i32, (f, a, x, p) => {
    a.add(a).add(1).add(2n);
    // @ts-expect-error an i32 and an f64 do not add up
    a.add(x);
    // @ts-expect-error nor do an f64 and an i32
    x.mul(a);
    // @ts-expect-error a float is no bigint
    x.add(1n);
    // @ts-expect-error an i1 takes true and false
    a.eq(1).logicalAnd(1);
    // @ts-expect-error a condition is an i1
    f.if(a, () => {});
    f.while(
      () => a.lt(10),
      () => {},
    );
    // @ts-expect-error the function returns an i32
    f.return(x);
    f.return(a);
    // @ts-expect-error there is no such member
    p.field('middle');
    p.field('hi').set(5n);
    // @ts-expect-error the member is an i64
    p.field('hi').set(a);
    const s = f.variable('s', pair);
    a.set(s.field('lo'));
    // @ts-expect-error an i64 is no i32
    a.set(s.field('hi'));
    const list = f.variable('list', array(u8, 4));
    list.at(a).set(3);
    // @ts-expect-error the elements are u8
    list.at(a).set(a);
    f.call(printf, m.string('%d'), a, x);
    f.call(puts, m.string('x'));
    // @ts-expect-error too many arguments
    f.call(puts, m.string('x'), a);
    // @ts-expect-error of the wrong type
    f.call(puts, a);
    // @ts-expect-error a result of another type
    x.set(f.call(puts, m.string('x')));
    dynamic(f, a, x);
    const known: Expression<typeof i32> = f.binary('add', a, 1).as(i32);
    known.add(a);
  });
  m.function('g', [], voidType, (f) => {
    f.return();
    // @ts-expect-error a void function returns no value
    f.return(1);
  });
}

/** A compiler whose types are dynamic mixes what it likes: the check comes at run time. */
function dynamic(f: FunctionBuilder, left: Expression, right: Expression): Expression {
  const values: Operand[] = [left, 1, right];
  f.call(left, ...values);
  left.field('anything').at(1).deref().set(right);
  f.return(left);
  f.if(left.as(i1), () => {});
  return left.add(right).convert(i64);
}

test('003/H-8 types of expressions are checked by TypeScript', () => {
  expect(typeof onlyTypes).toBe('function');
});
