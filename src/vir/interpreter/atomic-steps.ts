/** cmpxchg and atomicrmw. There is one thread, so that an ordering orders nothing and a weak exchange never fails for no reason. */

import { ATOMIC_OPERATIONS, type AtomicOperation } from '../../ir/schema.js';
import { Content } from './content.js';
import type { Places } from './integer-steps.js';
import { comparePointers, Pointer } from './memory.js';
import { type AccessShape, writePlace } from './memory-steps.js';
import type { Step } from './step.js';
import { trapUndef } from './trap.js';
import { integerBits, integerFromBits, type Slot, type Wide } from './values.js';

/** cmpxchg; `pair` says how {T, i1} lies. */
export function compareExchangeStep(
  shape: AccessShape,
  places: Places,
  pair: { readonly size: number; readonly flagOffset: number },
): Step {
  const [address, expected, replacement] = places.operands as [number, number, number];
  const { result } = places;
  const alignmentMask = shape.alignment - 1;
  return (registers) => {
    const { object, offset } = writePlace(registers[address], shape.size, alignmentMask);
    const old = shape.load(object, offset);
    const isEqual = same(old, registers[expected]);
    if (isEqual) shape.store(object, offset, registers[replacement]);
    const image = new Content(pair.size);
    shape.store(image, 0, old);
    image.fill(pair.flagOffset, 1, isEqual ? 1 : 0);
    registers[result] = image;
  };
}

function same(old: Slot, expected: Slot): boolean {
  if (old === undefined || expected === undefined) trapUndef('the comparison of cmpxchg');
  return old instanceof Pointer ? comparePointers(old, expected as Pointer) === 0 : old === expected;
}

/** atomicrmw; `operation` is a number of `ATOMIC_OPERATIONS`, `width` that of an integer (xchg takes any type). */
export function atomicUpdateStep(operation: number, width: number, shape: AccessShape, places: Places): Step {
  const [address, operand] = places.operands as [number, number];
  const { result } = places;
  const alignmentMask = shape.alignment - 1;
  const name = ATOMIC_OPERATIONS[operation] as AtomicOperation;
  const update = name === 'xchg' ? undefined : atomicOperation(name, width);
  return (registers) => {
    const { object, offset } = writePlace(registers[address], shape.size, alignmentMask);
    const old = shape.load(object, offset);
    const value = registers[operand];
    let next: Slot;
    if (update === undefined) next = value;
    else if (old !== undefined && value !== undefined)
      next = integerFromBits(
        width,
        update(integerBits(width, old as Wide), integerBits(width, value as Wide)),
      );
    shape.store(object, offset, next);
    registers[result] = old;
  };
}

function atomicOperation(
  name: Exclude<AtomicOperation, 'xchg'>,
  width: number,
): (x: bigint, y: bigint) => bigint {
  const signed = (bits: bigint) => BigInt.asIntN(width, bits);
  const isLess = (x: bigint, y: bigint) => x < y;
  switch (name) {
    case 'add':
      return (x, y) => x + y;
    case 'sub':
      return (x, y) => x - y;
    case 'and':
      return (x, y) => x & y;
    case 'nand':
      return (x, y) => ~(x & y);
    case 'or':
      return (x, y) => x | y;
    case 'xor':
      return (x, y) => x ^ y;
    case 'max':
      return (x, y) => (isLess(signed(x), signed(y)) ? y : x);
    case 'min':
      return (x, y) => (isLess(signed(x), signed(y)) ? x : y);
    case 'umax':
      return (x, y) => (isLess(x, y) ? y : x);
    case 'umin':
      return (x, y) => (isLess(x, y) ? x : y);
  }
}
