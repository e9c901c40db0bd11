/** Traits that the interpreter can see violated: Range, NonNull, Align and NoUndef of values, NoReturn of functions. */

import type { ConstantId, TraitSetId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import type { TraitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { Pointer } from './memory.js';
import { trap } from './trap.js';
import { type Slot, signedValue, unsignedValue, type Wide } from './values.js';

/** Traps when a value is not what its traits say. */
export type ValueCheck = (value: Slot) => void;

/** The test of a value's traits, or undefined when there is nothing to test; `skipAlign` leaves Align out. */
export function valueCheck(
  tables: ModuleTables,
  traits: TraitSetId,
  type: TypeId,
  skipAlign: boolean,
): ValueCheck | undefined {
  const checks: ValueCheck[] = [];
  for (const entry of tables.traitSets.list(traits)) {
    if (skipAlign && entry.trait === Trait.Align) continue;
    const check = entryCheck(tables, entry, type);
    if (check !== undefined) checks.push(check);
  }
  if (checks.length === 0) return undefined;
  return (value) => {
    for (const check of checks) check(value);
  };
}

function entryCheck(tables: ModuleTables, entry: TraitEntry, type: TypeId): ValueCheck | undefined {
  const { types } = tables;
  switch (entry.trait) {
    case Trait.Range:
      return types.isInteger(type) ? rangeCheck(tables, entry, type) : undefined;
    case Trait.NonNull:
      return types.isPointer(type) ? nonNullCheck : undefined;
    case Trait.Align:
      return types.isPointer(type) ? alignmentCheck(entry.a) : undefined;
    case Trait.NoUndef:
      return (value) => {
        if (value === undefined) trap('VCT0621', { trait: 'NoUndef', detail: 'the value is undef' });
      };
    default:
      return undefined;
  }
}

function rangeCheck(tables: ModuleTables, entry: TraitEntry, type: TypeId): ValueCheck {
  const { constants, types } = tables;
  const low = constants.integerValue(entry.a as ConstantId);
  const high = constants.integerValue(entry.b as ConstantId);
  const width = types.width(type);
  const view = types.isSigned(type) && width > 1 ? signedValue : unsignedValue;
  return (value) => {
    if (value === undefined) return;
    const found = view(width, value as Wide);
    if (found < low || found >= high)
      trap('VCT0621', { trait: `Range(${low}, ${high})`, detail: `the value is ${found}` });
  };
}

function nonNullCheck(value: Slot): void {
  if (value instanceof Pointer && value.object.base === 0 && value.offset === 0)
    trap('VCT0621', { trait: 'NonNull', detail: 'the pointer is null' });
}

function alignmentCheck(alignment: number): ValueCheck {
  return (value) => {
    if (value instanceof Pointer && ((value.object.phase + value.offset) & (alignment - 1)) !== 0)
      trap('VCT0621', { trait: `Align(${alignment})`, detail: 'the address is not a multiple of it' });
  };
}
