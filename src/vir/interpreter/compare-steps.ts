/** icmp on integers of every width, and on pointers. */

import { INTEGER_PREDICATES, type IntegerPredicate } from '../../ir/schema.js';
import type { Places } from './integer-steps.js';
import { comparePointers, type Pointer } from './memory.js';
import type { Step } from './step.js';
import type { Slot, Wide } from './values.js';

/** A comparison of two values, neither of them undef. */
export type Comparison = (x: Slot, y: Slot) => boolean;

/** icmp of two integers of that width, or of two pointers where `width` is 0. */
export function integerCompareStep(predicate: number, width: number, places: Places): Step {
  const name = INTEGER_PREDICATES[predicate] as IntegerPredicate;
  if (width > 0 && width <= 32) return narrowCompareStep(name, width, places);
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const holds = width === 0 ? pointerComparison(name) : wideComparison(name);
  return (registers) => {
    const x = registers[left];
    const y = registers[right];
    registers[result] = x === undefined || y === undefined ? undefined : holds(x, y) ? 1 : 0;
  };
}

function narrowCompareStep(predicate: IntegerPredicate, width: number, places: Places): Step {
  const [left, right] = places.operands as [number, number];
  const { result } = places;
  const spare = 32 - width;
  switch (predicate) {
    case 'eq':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? (x === y ? 1 : 0) : undefined;
      };
    case 'ne':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] = typeof x === 'number' && typeof y === 'number' ? (x === y ? 0 : 1) : undefined;
      };
    case 'slt':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] =
          typeof x === 'number' && typeof y === 'number' ? (x << spare < y << spare ? 1 : 0) : undefined;
      };
    case 'sle':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] =
          typeof x === 'number' && typeof y === 'number' ? (x << spare <= y << spare ? 1 : 0) : undefined;
      };
    case 'ult':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] =
          typeof x === 'number' && typeof y === 'number' ? (x >>> 0 < y >>> 0 ? 1 : 0) : undefined;
      };
    case 'ule':
      return (registers) => {
        const x = registers[left];
        const y = registers[right];
        registers[result] =
          typeof x === 'number' && typeof y === 'number' ? (x >>> 0 <= y >>> 0 ? 1 : 0) : undefined;
      };
    default:
      // The four "greater" predicates are the "less" ones with the operands exchanged.
      return narrowCompareStep(EXCHANGED[predicate], width, { result, operands: [right, left] });
  }
}

const EXCHANGED = { sgt: 'slt', sge: 'sle', ugt: 'ult', uge: 'ule' } as const;

function wideComparison(predicate: IntegerPredicate): Comparison {
  const compare =
    predicate.startsWith('u') === true
      ? (x: Slot, y: Slot) => {
          const isNegative = (x as Wide) < 0;
          if (isNegative !== (y as Wide) < 0) return isNegative ? 1 : -1;
          return (x as Wide) < (y as Wide) ? -1 : x === y ? 0 : 1;
        }
      : (x: Slot, y: Slot) => ((x as Wide) < (y as Wide) ? -1 : x === y ? 0 : 1);
  return ordering(predicate, compare);
}

function pointerComparison(predicate: IntegerPredicate): Comparison {
  return ordering(predicate, (x, y) => comparePointers(x as Pointer, y as Pointer));
}

function ordering(predicate: IntegerPredicate, compare: (x: Slot, y: Slot) => number): Comparison {
  switch (predicate) {
    case 'eq':
      return (x, y) => compare(x, y) === 0;
    case 'ne':
      return (x, y) => compare(x, y) !== 0;
    case 'slt':
    case 'ult':
      return (x, y) => compare(x, y) < 0;
    case 'sle':
    case 'ule':
      return (x, y) => compare(x, y) <= 0;
    case 'sgt':
    case 'ugt':
      return (x, y) => compare(x, y) > 0;
    default:
      return (x, y) => compare(x, y) >= 0;
  }
}
