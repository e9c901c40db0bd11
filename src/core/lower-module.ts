/** Lowering as the other rooms call it: an HIR module in, a VIR module out (005). */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import type { Node, TraitSetId, Variable } from '../ir/entities.js';
import type { TraitOwner } from '../ir/epochs.js';
import type { HirModule } from '../ir/hir-module.js';
import { LoweringMap } from '../ir/lowering-map.js';
import { NodeKind } from '../ir/node-kinds.js';
import { type CoreFault, VIR_BLOCK, VIR_FUNCTION, VIR_INSTRUCTION } from '../ir/schema.js';
import type { Table } from '../ir/table.js';
import { VirModule } from '../ir/vir-module.js';
import { TRAITS } from '../traits/trait-table.js';
import { callCore, guarded } from './border.js';
import { LowerOutput } from './lower.js';
import { lowerRelationships } from './lower-relationships.js';
import { lower } from './lower-threads.js';
import { coreEntry } from './native.js';
import { LowerInput } from './validate-hir.js';

/** Names of the inputs in a diagnostic, in the order of `LowerInput`. */
const INPUT_NAMES = ['hirNode', 'hirVariable', 'hirFunction', 'type', 'constant', 'traitSet', 'function'];

/** What bears traits in each of the inputs. */
const OWNERS: readonly (TraitOwner | undefined)[] = ['node', 'variable', 'function'];

/** The faults that are told by the traits of an entity. The rows of another fault may be forged, and are not to be described. */
const TRAIT_FAULTS: ReadonlySet<CoreFault> = new Set<CoreFault>([
  'staleTraits',
  'contradictoryTraits',
  'accessAgainstTraits',
  'addressOfRegister',
]);

const lowerTypeScript = guarded(lower, LowerInput.count, LowerOutput.count);

/**
 * Lowers a module in one call of the core and leaves the HIR as it is. The result shares the module's tables of names, types,
 * constants, globals, functions, positions and trait sets. Fails with VCT0500 when the tables break a rule that the HIR verifier
 * checks, with VCT0510 to VCT0514 when a trait that it reads is stale, contradictory or missing (005/L-4), and with VCT0501 when the
 * native core is asked for and does not load. The result is the same at any number of threads (005/L-5).
 */
export function lowerModule(hir: HirModule, choice: CoreChoice = 'auto', threads = 1): VirModule {
  hir.completeFunctions();
  if (hir.defersAreExpanded) assertNoDefer(hir);
  const { tables } = hir;
  const inputs = [
    hir.nodes.view(),
    hir.variables.view(),
    hir.functions.view(),
    tables.types.rows.view(),
    tables.constants.rows.view(),
    tables.traitSets.rows.view(),
    tables.functions.view(),
  ];
  const nodeCount = hir.nodes.length;
  const functionCount = hir.functions.length;
  const instructionEstimate = nodeCount + hir.variables.length + 16 * functionCount;
  const sizes = [
    instructionEstimate * VIR_INSTRUCTION.stride,
    instructionEstimate * 2,
    (nodeCount + functionCount) * VIR_BLOCK.stride,
    functionCount * VIR_FUNCTION.stride,
    nodeCount,
  ];
  const entry = coreEntry(choice, 'lower', lowerTypeScript);
  const { outputs } = callCore(entry, INPUT_NAMES, inputs, sizes, threads, (fault, table, row) =>
    explainFault(hir, fault, table, row),
  );
  const vir = virModuleOf(hir, outputs);
  lowerRelationships(hir, vir);
  return vir;
}

/** 005/L-38: where the optimizer has run, a defer that is left would be run by nobody's plan. Fails with VCT0506. */
function assertNoDefer(hir: HirModule): void {
  for (let node = 0 as Node; node < hir.nodes.length; node++) {
    if (hir.kind(node) === NodeKind.defer) fail('VCT0506', { node }, hir.positionOf(node));
  }
}

/** Fails with the entity, the traits and the place of a fault that concerns traits; other faults are told by their table. */
function explainFault(hir: HirModule, fault: CoreFault, table: number, row: number): void {
  const owner = OWNERS[table];
  if (owner === undefined || !TRAIT_FAULTS.has(fault)) return;
  const { epochs } = hir;
  const what = epochs.describe(owner, row as never);
  const position = epochs.position(owner, row as never);
  if (fault === 'staleTraits') epochs.fail(owner, row as never);
  if (fault === 'contradictoryTraits') {
    const [first, second] = contradiction(hir, epochs.stated(owner, row as never));
    fail('VCT0511', { what, first, second }, position);
  }
  if (fault === 'accessAgainstTraits') fail('VCT0512', { what }, position);
  if (fault === 'addressOfRegister') {
    const variable = epochs.describe('variable', hir.a(row as Node) as Variable);
    fail('VCT0513', { what, trait: 'isAddressed', variable }, position);
  }
}

/** Two traits of a set that contradict each other. */
function contradiction(hir: HirModule, set: TraitSetId): readonly [string, string] {
  const rows = hir.tables.traitSets.list(set).flatMap((entry) => TRAITS[entry.trait] ?? []);
  for (const { name, contradicts } of rows) {
    const other = rows.find((row) => (contradicts as readonly string[]).includes(row.name));
    if (other !== undefined) return [name, other.name];
  }
  // A set whose mask is not that of its entries: whoever made the table did not intern it.
  return ['of its mask', 'of its entries'];
}

/** A VIR module over the outputs of the core. */
function virModuleOf(hir: HirModule, outputs: readonly Int32Array<SharedArrayBuffer>[]): VirModule {
  const vir = new VirModule(hir.tables);
  adopt(vir.instructions, outputs[LowerOutput.instructions]);
  adopt(vir.operands, outputs[LowerOutput.operands]);
  adopt(vir.blocks, outputs[LowerOutput.blocks]);
  adopt(vir.functions, outputs[LowerOutput.functions]);
  // Where a node stands in the `.hir` text is where what came from it stands.
  vir.textPlaces = hir.textPlaces;
  vir.loweringMap = new LoweringMap(vir, hir.nodes.length, outputs[LowerOutput.values] as Int32Array);
  return vir;
}

function adopt(table: Table, rows: Int32Array<SharedArrayBuffer> | undefined): void {
  if (rows === undefined) return;
  table.data = rows;
  table.length = rows.length / table.stride;
}
