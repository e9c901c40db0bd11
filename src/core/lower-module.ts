/** Lowering as the other rooms call it: an HIR module in, a VIR module out (005). */

import { fail } from '../diag/diagnostic.js';
import type { CoreChoice } from '../ir/config.js';
import { NONE, type Node, type TraitSetId, type Variable } from '../ir/entities.js';
import type { TraitOwner } from '../ir/epochs.js';
import type { HirModule } from '../ir/hir-module.js';
import { LoweringMap } from '../ir/lowering-map.js';
import { NODE_KINDS, NodeKind, type NodeKindRow } from '../ir/node-kinds.js';
import { OPCODES } from '../ir/opcodes.js';
import {
  Aux,
  type CoreFault,
  HIR_NODE,
  HIR_VARIABLE,
  TRAIT_SET,
  VIR_BLOCK,
  VIR_FUNCTION,
  VIR_INSTRUCTION,
} from '../ir/schema.js';
import { isRange } from '../ir/shared-table-faults.js';
import type { Table } from '../ir/table.js';
import { VirModule } from '../ir/vir-module.js';
import { TRAITS, Trait } from '../traits/trait-table.js';
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
 * checks, with VCT0510 to VCT0515 when a trait that it reads is stale, contradictory or missing (005/L-4), and with VCT0501 when the
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
  assertOrderings(hir);
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
  if (owner === undefined) return;
  if (fault === 'index') explainMissing(hir, owner, row);
  if (!TRAIT_FAULTS.has(fault)) return;
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

/** 005/L-4: a type or a trait set that is no row of its table is missing. Other columns are told by their table. */
function explainMissing(hir: HirModule, owner: TraitOwner, row: number): void {
  if (owner === 'function') return;
  const table = owner === 'node' ? hir.nodes : hir.variables;
  const columns = owner === 'node' ? HIR_NODE : HIR_VARIABLE;
  const { types, traitSets } = hir.tables;
  const isMissing = (column: number, length: number) => {
    const value = table.get(row, column);
    return value < 0 || value >= length;
  };
  const trait = isMissing(columns.type, types.length)
    ? 'ty'
    : isMissing(columns.traits, traitSets.length)
      ? 'its trait set'
      : undefined;
  if (trait === undefined || !isDescribable(hir, owner, row)) return;
  const what = hir.epochs.describe(owner, row as never);
  fail('VCT0515', { what, trait }, hir.epochs.position(owner, row as never));
}

/** Whether nothing that a message says of an entity is forged itself. */
function isDescribable(hir: HirModule, owner: TraitOwner, row: number): boolean {
  const { names, positions } = hir.tables;
  const isOptional = (value: number, length: number) => value >= NONE && value < length;
  if (owner === 'variable')
    return (
      isOptional(hir.variables.get(row, HIR_VARIABLE.name), names.length) &&
      isOptional(hir.variables.get(row, HIR_VARIABLE.position), positions.length)
    );
  const kind: NodeKindRow | undefined = NODE_KINDS[hir.kind(row as Node)];
  const isKnown = kind !== undefined && (kind.a !== 'opcode' || OPCODES[hir.a(row as Node)] !== undefined);
  return isKnown && isOptional(hir.nodes.get(row, HIR_NODE.position), positions.length);
}

/** 005/L-4: a variable is accessed with the ordering that its trait `isAtomic` states, which the core cannot see. */
function assertOrderings(hir: HirModule): void {
  const { epochs, tables, variables } = hir;
  for (let row = 0; row < variables.length; row++) {
    const ordering = variables.get(row, HIR_VARIABLE.access) & Aux.orderingMask;
    if (ordering === 0) continue;
    const variable = row as Variable;
    const set = epochs.stated('variable', variable);
    const first = tables.traitSets.rows.get(set, TRAIT_SET.firstEntry);
    const count = tables.traitSets.rows.get(set, TRAIT_SET.entryCount);
    // A forged set is the verifier's business.
    if (!isRange(first, count, tables.traitSets.entries.length)) continue;
    const stated = tables.traitSets.find(set, Trait.isAtomic)?.a;
    if (stated === undefined || stated === ordering) continue;
    fail('VCT0512', { what: epochs.describe('variable', variable) }, hir.variablePositionOf(variable));
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
