/** How the loads and stores of a variable are made, which its traits decide (005/L-25). */

import type { TraitSetId } from '../ir/entities.js';
import type { ModuleTables } from '../ir/module-tables.js';
import { Aux } from '../ir/schema.js';
import { Trait } from '../traits/trait-table.js';

/** The aux word of accesses to a variable with these traits. */
export function variableAccess(tables: ModuleTables, traits: TraitSetId): number {
  const { traitSets } = tables;
  const ordering = traitSets.find(traits, Trait.isAtomic)?.a ?? 0;
  return (traitSets.has(traits, Trait.isVolatile) ? Aux.volatile : 0) | ordering;
}
