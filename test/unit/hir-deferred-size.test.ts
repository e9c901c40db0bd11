/** What deferred statements may grow to when they are lowered (003/H-11). */

import { expect, test } from 'vitest';
import { lowerModule } from '../../src/core/index.js';
import { parseHir } from '../../src/hir/parser.js';
import { verifyHir } from '../../src/hir/verifier.js';

/** Loops within deferred blocks within loops; each runs what it defers at three exits. */
function nested(depth: number): string {
  const open = '  while (%c) {\n  defer {\n';
  const exits = '  }\n  if (%c) {\n    break\n  }\n  if (%c) {\n    continue\n  }\n  }\n';
  return `module "m"\nfunc @f(%c: i1) -> void export {\n${open.repeat(depth)}${exits.repeat(depth)}  return\n}\n`;
}

test('003/H-11: a text of a kilobyte does not grow without bound', () => {
  const [only, ...more] = verifyHir(parseHir(nested(60), { file: 'deep.hir' }));
  expect(more).toEqual([]);
  expect(only?.code).toBe('VCT0504');
  expect(only?.position?.file).toBe('deep.hir');
});

test('003/H-11: what stays within bounds is accepted, and made as large as was counted', () => {
  const module = parseHir(nested(6));
  expect(verifyHir(module)).toEqual([]);
  expect(lowerModule(module, 'ts').instructions.length).toBeGreaterThan(3 ** 6);
});

test('003/H-11: many flat defers that a few exits run, and deep nests with one exit, are accepted', () => {
  const flat = `${'  defer call @p ()\n'.repeat(3000)}${'  if (%c) {\n    return\n  }\n'.repeat(20)}  return\n`;
  const deep = `${'  defer {\n'.repeat(3000)}${'  }\n'.repeat(3000)}  return\n`;
  for (const body of [flat, deep]) {
    const text = `module "m"\ndeclare @p() -> void\nfunc @f(%c: i1) -> void export {\n${body}}\n`;
    expect(verifyHir(parseHir(text))).toEqual([]);
  }
});

test('003/H-11: defers of a for, of a labelled exit and of a switch are counted', () => {
  const text = `module "m"
declare @p() -> void
func @f(%c: i1, %n: i32) -> void export {
  for {
    defer call @p ()
  } while (%c) step {
  } do {
    switch (%n) {
    case 0 {
      defer call @p ()
      if (%c) {
        break
      }
      if (%c) {
        continue
      }
    }
    }
  }
  return
}
`;
  expect(verifyHir(parseHir(text))).toEqual([]);
});
