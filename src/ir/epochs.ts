/**
 * The epochs of one HIR module (002 §4): which traits a rewrite has made stale.
 *
 * An entity has an epoch, which a rewrite raises, and its traits have the epoch in which they were stated. Where the two differ, the
 * traits are stale: what they say was said of something else. Reading them is an error of the program that rewrote the tree, never a
 * default (005/L-1, L-4).
 */

import { type DiagnosticPosition, fail } from '../diag/diagnostic.js';
import { traitName } from '../traits/trait-table.js';
import { type FunctionId, NONE, type Node, type TraitSetId, type Variable } from './entities.js';
import type { HirModule } from './hir-module.js';
import { NODE_KINDS } from './node-kinds.js';
import { OPCODES } from './opcodes.js';
import { FUNCTION, HIR_FUNCTION, HIR_NODE, HIR_VARIABLE } from './schema.js';
import type { Table } from './table.js';

/** What has traits in a HIR module, and how each is numbered. */
export interface TraitOwners {
  readonly node: Node;
  readonly variable: Variable;
  readonly function: FunctionId;
}

/** What kind of entity is meant. */
export type TraitOwner = keyof TraitOwners;

const COLUMNS = {
  node: HIR_NODE,
  variable: HIR_VARIABLE,
  function: HIR_FUNCTION,
} as const;

/** Reads and raises the epochs of a module. Every operation takes constant time. */
export class Epochs {
  constructor(readonly hir: HirModule) {}

  /** Makes the traits of an entity stale: a rewrite has changed what they speak of. */
  touch<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): void {
    const table = this.#table(owner);
    const { epoch } = COLUMNS[owner];
    table.set(row, epoch, table.get(row, epoch) + 1);
  }

  /**
   * States the traits of an entity anew, for what it now is. Without `traits`, those that it has: whoever calls this says that they
   * still hold.
   */
  restate<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner], traits?: TraitSetId): void {
    const table = this.#table(owner);
    const columns = COLUMNS[owner];
    table.set(row, columns.statedEpoch, table.get(row, columns.epoch));
    if (traits === undefined) return;
    if (owner === 'function') this.hir.tables.functions.set(row, FUNCTION.traits, traits);
    else table.set(row, owner === 'node' ? HIR_NODE.traits : HIR_VARIABLE.traits, traits);
  }

  /** Whether a rewrite has touched an entity since its traits were stated. */
  isStale<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): boolean {
    const table = this.#table(owner);
    if (row >= table.length) return false;
    const columns = COLUMNS[owner];
    return table.get(row, columns.epoch) !== table.get(row, columns.statedEpoch);
  }

  /** The traits of an entity. Fails with VCT0510 when they are stale. */
  read<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): TraitSetId {
    if (this.isStale(owner, row)) this.fail(owner, row);
    return this.stated(owner, row);
  }

  /** The traits that were last stated, stale or not: for printing, and for whoever states them anew. */
  stated<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): TraitSetId {
    if (owner === 'function') return this.hir.tables.functionTraits(row as number as FunctionId);
    const column = owner === 'node' ? HIR_NODE.traits : HIR_VARIABLE.traits;
    return this.#table(owner).get(row, column) as TraitSetId;
  }

  /** Fails because the traits of an entity are stale. */
  fail<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): never {
    return fail('VCT0510', this.staleValues(owner, row), this.position(owner, row));
  }

  /** What VCT0510 says of an entity. */
  staleValues<Owner extends TraitOwner>(
    owner: Owner,
    row: TraitOwners[Owner],
  ): { what: string; traits: string; stated: number; epoch: number } {
    const table = this.#table(owner);
    const { epoch, statedEpoch } = COLUMNS[owner];
    return {
      what: this.describe(owner, row),
      traits: traitNames(this.hir, this.stated(owner, row)),
      stated: table.get(row, statedEpoch),
      epoch: table.get(row, epoch),
    };
  }

  /** An entity as a diagnostic names it: `node 7 (add)`, `variable %x`, `function @f`. */
  describe<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): string {
    const { hir } = this;
    const { tables } = hir;
    if (owner === 'function') return `function @${tables.functionName(row as number as FunctionId)}`;
    if (owner === 'variable') {
      const name = hir.variables.get(row, HIR_VARIABLE.name);
      return name === NONE ? `variable ${row}` : `variable %${tables.names.text(name)}`;
    }
    const node = row as number as Node;
    return `node ${node} (${nodeName(hir, node)})`;
  }

  /** Where an entity came from. */
  position<Owner extends TraitOwner>(owner: Owner, row: TraitOwners[Owner]): DiagnosticPosition | undefined {
    if (owner === 'function') return this.hir.functionPositionOf(row as number as FunctionId);
    if (owner === 'variable') return this.hir.variablePositionOf(row as number as Variable);
    return this.hir.positionOf(row as number as Node);
  }

  #table(owner: TraitOwner): Table {
    if (owner === 'function') return this.hir.functions;
    return owner === 'node' ? this.hir.nodes : this.hir.variables;
  }
}

/** The operation or the kind of a node. A forged table may hold numbers that name neither, and its fault must still be told. */
function nodeName(hir: HirModule, node: Node): string {
  const number = hir.kind(node);
  const kind = NODE_KINDS[number];
  if (kind === undefined) return `kind ${number}`;
  if (kind.a !== 'opcode') return kind.name;
  return OPCODES[hir.a(node)]?.name ?? kind.name;
}

/** The names of the traits of a set; `ty` stands for the type, which every entity has (005 §4.10). */
function traitNames(hir: HirModule, set: TraitSetId): string {
  const names = hir.tables.traitSets.list(set).map((entry) => traitName(entry.trait));
  return ['ty', ...names].join(', ');
}
