/**
 * The HIR optimizer (004): what lowering may not discover is found and stated here, and what is known when the program is compiled is
 * done here.
 */

import { type FunctionId, NONE } from '../../ir/entities.js';
import { HirModule } from '../../ir/hir-module.js';
import { ModuleTables } from '../../ir/module-tables.js';
import { FUNCTION, Linkage } from '../../ir/schema.js';
import { TextPlaces } from '../../ir/text-places.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { assertReadableHir } from '../verify-tables.js';
import { Effect, findEffects } from './effects.js';
import { FunctionRewriter } from './rewriter.js';
import { findUses, type VariableUses } from './uses.js';

/**
 * A module that does the same as a verified one, with
 *
 * - every defer expanded at each exit that runs it (005/L-38);
 * - operations on constants done, and variables that are set to a constant once replaced by it and marked `comptime`;
 * - branches that are decided left out, and what no control reaches;
 * - `escapes` on variables whose address leaves the function or is kept, and on exported functions `NoRead`, `NoWrite`, `WillReturn` and
 *   `NoThrow` where their bodies show it.
 *
 * What carries `complex` or `NoOptimize` keeps its expressions and branches. The given module stays as it is; both share the tables of types,
 * constants, trait sets, globals and positions. Names, positions and traits survive. Linear in the module and in what its defers become.
 * Fails with VCT0326 where the tables cannot be read.
 */
export function optimizeHir(module: HirModule): HirModule {
  assertReadableHir(module);
  module.completeFunctions();
  const result = new HirModule(new ModuleTables(module.tables.name, module.tables));
  if (module.textPlaces !== undefined)
    result.textPlaces = new TextPlaces(module.textPlaces.file, module.textPlaces);
  const known = new Map<FunctionId, VariableUses>();
  const usesOf = (id: FunctionId): VariableUses => {
    let uses = known.get(id);
    if (uses === undefined) {
      uses = findUses(module, id);
      known.set(id, uses);
    }
    return uses;
  };
  const rewriter = new FunctionRewriter(module, result);
  for (let id = 0 as FunctionId; id < module.functionCount; id++) {
    if (module.body(id) !== NONE) rewriter.rewrite(id, usesOf(id));
  }
  result.completeFunctions();
  stateEffects(result, findEffects(module, usesOf));
  result.defersAreExpanded = true;
  return result;
}

/** States what calls of exported functions can do: within the module everybody can see the bodies. */
function stateEffects({ tables }: HirModule, effects: Uint8Array): void {
  const { traitSets } = tables;
  const facts = [
    [Effect.reads, Trait.NoRead],
    [Effect.writes, Trait.NoWrite],
    [Effect.mayNotReturn, Trait.WillReturn],
    [Effect.mayThrow, Trait.NoThrow],
  ] as const;
  for (let id = 0 as FunctionId; id < tables.functions.length; id++) {
    if (tables.functionLinkage(id) !== Linkage.export || tables.functionName(id) === 'main') continue;
    let traits = tables.functionTraits(id);
    for (const [effect, trait] of facts) {
      const isDenied = trait === Trait.WillReturn && traitSets.has(traits, Trait.NoReturn);
      if (((effects[id] as number) & effect) === 0 && !isDenied && !traitSets.has(traits, trait))
        traits = traitSets.with(traits, traitEntry(trait));
    }
    tables.functions.set(id, FUNCTION.traits, traits);
  }
}
