/** The trait `layout`: structs whose ABI is pinned (002/T-10, 008/R18). They run in test/cases/run/pinned-layout.vir. */

import { describe, expect, test } from 'vitest';
import {
  createModule,
  emitC,
  i8,
  i32,
  i64,
  lowerModule,
  parseHir,
  parseVir,
  printHir,
  printVir,
  struct,
  union,
  verifyVir,
} from '../../src/index.js';
import type { TypeId } from '../../src/ir/entities.js';
import { TYPE, TYPE_MEMBER } from '../../src/ir/schema.js';

const PINNED = `module "m"

type %Pair = { lo: i32, hi: i64 } layout(size 24, align 8, at 4, 16)

func @f(%p: ptr<%Pair>) -> i64 export {
entry:
  %hi = gep %Pair %p, 0, 1
  %x = load i64 %hi
  ret i64 %x
}
`;

describe('002/T-10, 008/R18 pinned layouts', () => {
  test('are printed and read', () => {
    expect(printVir(parseVir(PINNED))).toBe(PINNED);
    const hir = `${PINNED.slice(0, PINNED.indexOf('entry'))}  return load i64 (gep %Pair (%p, 0, 1))\n}\n`;
    expect(printHir(parseHir(hir))).toContain('layout(size 24, align 8, at 4, 16)');
  });

  test.each(['gcc', 'clang', 'c17'] as const)(
    'are forced and asserted in C for %s, and padded nowhere else',
    (dialect) => {
      const vir = parseVir(PINNED);
      const text = emitC(vir, { dialect, debug: false } as never).text;
      const lines = text.slice(text.indexOf('struct '), text.lastIndexOf('"layout"')).split('\n');
      expect(lines.map((line) => line.trim())).toEqual(
        expect.arrayContaining([
          'uint8_t vct_pad0[4];',
          'int32_t lo;',
          'uint8_t vct_pad2[8];',
          'int64_t hi;',
          '_Static_assert(sizeof(struct Pair) == 24, "layout");',
          '_Static_assert(offsetof(struct Pair, lo) == 4, "layout");',
        ]),
      );
      const plain = emitC(parseVir(PINNED.replace(/ layout.*/, '')), { dialect, debug: false } as never).text;
      expect(plain).not.toMatch(/vct_pad|_Static_assert|stddef/);
    },
  );

  test('the builder pins what is named, has members and gets an offset for each', () => {
    const Pair = struct.pin(struct('Pair', { lo: i32, hi: i64 }), {
      size: 24,
      alignment: 8,
      offsets: [4, 16],
    });
    const m = createModule('m');
    m.global('pair', Pair);
    expect(printHir(m.finish())).toContain(
      'type %Pair = { lo: i32, hi: i64 } layout(size 24, align 8, at 4, 16)',
    );
    const layout = { size: 8, alignment: 4, offsets: [0] };
    for (const [type, bad] of [
      [struct({ lo: i32 }), layout],
      [struct.declare('Later'), layout],
      [struct('Two', { lo: i32, hi: i8 }), layout],
      [struct('One', { lo: i32 }), { ...layout, size: -1 }],
      [struct('One', { lo: i32 }), { ...layout, offsets: [0.5] }],
      [struct('One', { lo: i32 }), undefined],
    ] as const)
      expect(() => struct.pin(type as never, bad as never)).toThrow(
        expect.objectContaining({ code: 'VCT0248' }),
      );
    expect('pin' in union).toBe(false);
  });

  test('one name has one layout', () => {
    const m = createModule('m');
    m.global('a', struct('Pair', { lo: i32 }));
    const pinned = struct.pin(struct('Pair', { lo: i32 }), { size: 8, alignment: 4, offsets: [4] });
    expect(() => m.global('b', pinned)).toThrow(expect.objectContaining({ code: 'VCT0302' }));
  });

  test('forged ones are refused', () => {
    const forge = (change: (types: ReturnType<typeof parseVir>['tables']['types'], pair: TypeId) => void) => {
      const vir = parseVir(PINNED);
      const { types, names } = vir.tables;
      change(types, types.findNamed(names.intern('Pair')) as TypeId);
      return verifyVir(vir).map((fault) => fault.code);
    };
    for (const size of [-5, 0, 20, 0x7fffffff])
      expect(
        forge((types, pair) => types.rows.set(pair, TYPE.size, size)),
        String(size),
      ).toEqual(['VCT0248']);
    for (const alignment of [-1, 0, 3, 4, 32])
      expect(forge((types, pair) => types.rows.set(pair, TYPE.alignment, alignment))).toEqual(['VCT0248']);
    const member =
      (offset: number) => (types: ReturnType<typeof parseVir>['tables']['types'], pair: TypeId) =>
        types.members.set(types.rows.get(pair, TYPE.a), TYPE_MEMBER.offset, offset);
    for (const offset of [-4, 2, 16]) expect(forge(member(offset))).toEqual(['VCT0248']);
    const elsewhere = forge((types) =>
      types.rows.set(types.struct([{ type: types.i8, name: -1 as never }]), TYPE.size, 8),
    );
    expect(elsewhere).toEqual(['VCT0201']);
  });

  test('lowering leaves them as they are, on both cores', () => {
    const hir = parseHir(
      `${PINNED.slice(0, PINNED.indexOf('entry'))}  return load i64 (gep %Pair (%p, 0, 1))\n}\n`,
    );
    for (const core of ['ts', 'auto'] as const)
      expect(printVir(lowerModule(hir, core))).toContain('layout(size 24');
  });
});
