/**
 * The HIR optimizer (004): what lowering may not discover is found and stated here, and what is known when the program is compiled is
 * done here.
 */

import { DiagnosticError } from '../../diag/diagnostic.js';
import type { FunctionId, RelationshipId, Variable } from '../../ir/entities.js';
import { HirModule } from '../../ir/hir-module.js';
import { ModuleTables } from '../../ir/module-tables.js';
import type { RelationshipEnd } from '../../ir/relationships.js';
import { EndKind, FUNCTION, Linkage } from '../../ir/schema.js';
import { TextPlaces } from '../../ir/text-places.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { verifyHir } from '../verifier.js';
import { Effect, findEffects } from './effects.js';
import { copyPlace, FunctionRewriter } from './rewriter.js';
import { findUses, type VariableUses } from './uses.js';

/** How often a module is gone through at most: each round may only find what hangs on a decision of the one before. */
const ROUNDS = 8;

/**
 * A module that does the same, with
 *
 * - every defer expanded at each exit that runs it (005/L-38);
 * - operations on constants done, and variables that are set to a constant once replaced by it and marked `comptime`;
 * - branches that are decided left out, and what no control reaches, with the variables that are declared there;
 * - `escapes` on variables whose address leaves the function or is kept, and on exported functions `NoRead`, `NoWrite`, `WillReturn` and
 *   `NoThrow` where their bodies show it.
 *
 * What carries `complex` or `NoOptimize` keeps its expressions and branches. The given module stays as it is; both share the tables of types,
 * constants, trait sets, globals and positions. Names, positions and traits survive. Linear in the module and in what its defers become.
 * Throws a DiagnosticError when the module is not well-formed.
 */
export function optimizeHir(module: HirModule): HirModule {
  const diagnostics = verifyHir(module);
  const isRefused = diagnostics.some(({ severity }) => severity === 'error' || severity === 'internal');
  if (isRefused) throw new DiagnosticError(diagnostics);
  return optimizeVerifiedHir(module);
}

/** As `optimizeHir`, of a module that has been verified. */
export function optimizeVerifiedHir(module: HirModule): HirModule {
  module.completeFunctions();
  let round = optimizeOnce(
    module,
    eachFunction(module, (id) => findUses(module, id)),
  );
  for (let count = 1; round.mayFindMore && count < ROUNDS; count++)
    round = optimizeOnce(round.result, round.uses);
  const { result, uses } = round;
  stateEscapes(result, uses);
  stateEffects(
    result,
    findEffects(result, (id) => uses[id] as VariableUses),
  );
  result.defersAreExpanded = true;
  return result;
}

/** What functions with a body do with their variables, by function. */
type UsesByFunction = readonly (VariableUses | undefined)[];

interface Round {
  readonly result: HirModule;
  readonly uses: UsesByFunction;
  readonly mayFindMore: boolean;
}

function optimizeOnce(module: HirModule, usesBefore: UsesByFunction): Round {
  const result = new HirModule(new ModuleTables(module.tables.name, module.tables));
  if (module.textPlaces !== undefined)
    result.textPlaces = new TextPlaces(module.textPlaces.file, module.textPlaces);
  const rewriter = new FunctionRewriter(module, result);
  const uses = Array.from({ length: module.functionCount }, (_, row) => {
    const id = row as FunctionId;
    if (module.hasBody(id)) return rewriter.rewrite(id, usesBefore[id] as VariableUses);
    rewriter.copyDeclaration(id);
    return undefined;
  });
  result.completeFunctions();
  copyRelationships(module, result, rewriter.copies);
  return { result, uses, mayFindMore: rewriter.mayFindMore };
}

/** Does something with each function that has a body. */
function eachFunction(module: HirModule, work: (id: FunctionId) => VariableUses): UsesByFunction {
  return Array.from({ length: module.functionCount }, (_, id) =>
    module.hasBody(id as FunctionId) ? work(id as FunctionId) : undefined,
  );
}

/** States which variables have an address that is kept, or goes where nobody follows it. */
function stateEscapes(module: HirModule, uses: UsesByFunction): void {
  const { traitSets } = module.tables;
  for (const [id, { escapes } = { escapes: [] }] of uses.entries()) {
    const first = module.firstVariable(id as FunctionId);
    for (const [index, doesEscape] of escapes.entries()) {
      if (doesEscape !== 1) continue;
      const variable = (first + index) as Variable;
      const traits = module.epochs.read('variable', variable);
      module.epochs.restate('variable', variable, traitSets.with(traits, traitEntry(Trait.escapes)));
    }
  }
}

/**
 * An end that is a variable becomes all variables that stand for it: what is deferred has one for each exit that runs it. Where a side is
 * declared only where control does not come, nothing is left to be said.
 */
function copyRelationships(
  source: HirModule,
  target: HirModule,
  copies: ReadonlyMap<number, readonly Variable[]>,
): void {
  const { relationships } = source;
  const copied = (ends: readonly RelationshipEnd[]): RelationshipEnd[] =>
    ends.flatMap((end) =>
      end.kind === EndKind.variable ? (copies.get(end.row) ?? []).map((row) => ({ ...end, row })) : [end],
    );
  for (let row = 0; row < relationships.length; row++) {
    const id = row as RelationshipId;
    const left = copied(relationships.left(id));
    const right = copied(relationships.right(id));
    if (left.length === 0 || right.length === 0) continue;
    const made = target.relationships.add(relationships.kind(id), left, right, relationships.position(id));
    copyPlace(source, target, 'relationships', id, made);
  }
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
