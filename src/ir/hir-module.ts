/** The HIR of one module: nodes, variables and function bodies over the shared tables (003). */

import type { DiagnosticPosition } from '../diag/diagnostic.js';
import {
  type FunctionId,
  type GlobalId,
  NONE,
  type Node,
  type RelationshipId,
  type TraitSetId,
  type TypeId,
  type Variable,
} from './entities.js';
import { Epochs } from './epochs.js';
import type { ModuleTables } from './module-tables.js';
import { Relationships } from './relationships.js';
import { FUNCTION, FunctionFlag, GLOBAL, HIR_FUNCTION, HIR_NODE, HIR_VARIABLE } from './schema.js';
import { Table } from './table.js';
import type { TextPlaces } from './text-places.js';

/** The tables of one HIR module. Row n of `functions` belongs to row n of `tables.functions`. */
export class HirModule {
  readonly nodes = new Table(HIR_NODE.stride, 1024);
  readonly variables = new Table(HIR_VARIABLE.stride, 64);
  readonly functions = new Table(HIR_FUNCTION.stride);

  /** What joins variables and globals to each other (002 §5). */
  readonly relationships = new Relationships();

  /** Whether every defer has been expanded, so that lowering may find none (005/L-38). */
  defersAreExpanded = false;

  /** Which traits are stale: a rewrite touches what it changes, and states anew what still holds of it. */
  readonly epochs: Epochs = new Epochs(this);

  /** Where the rows stand in the `.hir` text that they were read from. */
  textPlaces: TextPlaces | undefined;

  constructor(readonly tables: ModuleTables) {}

  /** Where a node came from: in the author's source where that is known, else in the `.hir` text. */
  positionOf(node: Node): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.nodes.get(node, HIR_NODE.position)) ??
      this.textPlaces?.get(this.textPlaces.nodes, node)
    );
  }

  /** Where a variable came from, as `positionOf`. */
  variablePositionOf(variable: Variable): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.variables.get(variable, HIR_VARIABLE.position)) ??
      this.textPlaces?.get(this.textPlaces.variables, variable)
    );
  }

  /** Where a global came from, as `positionOf`. */
  globalPositionOf(id: GlobalId): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.tables.globals.get(id, GLOBAL.position)) ??
      this.textPlaces?.get(this.textPlaces.globals, id)
    );
  }

  /** Where a type was first written in the `.hir` text; a named one, where its line is. */
  typePositionOf(type: TypeId): DiagnosticPosition | undefined {
    return this.textPlaces?.get(this.textPlaces.types, type);
  }

  /** Where a function came from, as `positionOf`. */
  functionPositionOf(id: FunctionId): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.tables.functions.get(id, FUNCTION.position)) ??
      this.textPlaces?.get(this.textPlaces.functions, id)
    );
  }

  /** Where a relationship was stated, as `positionOf`. */
  relationshipPositionOf(id: RelationshipId): DiagnosticPosition | undefined {
    return (
      this.tables.position(this.relationships.position(id)) ??
      this.textPlaces?.get(this.textPlaces.relationships, id)
    );
  }

  get functionCount(): number {
    return this.tables.functions.length;
  }

  /** Appends a node without children or siblings; every unnamed column is NONE, traits the empty set. */
  addNode(kind: number, type: TypeId, a = NONE, b = NONE, position = NONE, traits = 0, name = NONE): Node {
    const row = this.nodes.append();
    const { data } = this.nodes;
    const at = row * HIR_NODE.stride;
    data[at + HIR_NODE.kind] = kind;
    data[at + HIR_NODE.type] = type;
    data[at + HIR_NODE.a] = a;
    data[at + HIR_NODE.b] = b;
    data[at + HIR_NODE.position] = position;
    data[at + HIR_NODE.traits] = traits;
    data[at + HIR_NODE.name] = name;
    data[at + HIR_NODE.epoch] = 0;
    data[at + HIR_NODE.statedEpoch] = 0;
    return row as Node;
  }

  kind(node: Node): number {
    return this.nodes.get(node, HIR_NODE.kind);
  }

  type(node: Node): TypeId {
    return this.nodes.get(node, HIR_NODE.type) as TypeId;
  }

  a(node: Node): number {
    return this.nodes.get(node, HIR_NODE.a);
  }

  b(node: Node): number {
    return this.nodes.get(node, HIR_NODE.b);
  }

  firstChild(node: Node): Node {
    return this.nodes.get(node, HIR_NODE.firstChild) as Node;
  }

  nextSibling(node: Node): Node {
    return this.nodes.get(node, HIR_NODE.nextSibling) as Node;
  }

  /** The traits of a node. Fails with VCT0510 when a rewrite has made them stale. */
  traits(node: Node): TraitSetId {
    return this.epochs.read('node', node);
  }

  /** The children of a node, in order. */
  children(node: Node): Node[] {
    const result: Node[] = [];
    for (let child = this.firstChild(node); child !== NONE; child = this.nextSibling(child))
      result.push(child);
    return result;
  }

  /** Gives a node its children, in order; each must have no sibling yet. */
  setChildren(node: Node, children: readonly Node[]): void {
    let previous = NONE as Node;
    for (const child of children) {
      if (previous === NONE) this.nodes.set(node, HIR_NODE.firstChild, child);
      else this.nodes.set(previous, HIR_NODE.nextSibling, child);
      previous = child;
    }
  }

  /**
   * Appends a variable of a function. The variables of one function must be appended without those of another between
   * them, its parameters first.
   */
  addVariable(
    owner: FunctionId,
    name: number,
    type: TypeId,
    traits = 0,
    position = NONE,
    access = 0,
  ): Variable {
    const row = this.variables.append();
    const { data } = this.variables;
    const at = row * HIR_VARIABLE.stride;
    data[at + HIR_VARIABLE.name] = name;
    data[at + HIR_VARIABLE.type] = type;
    data[at + HIR_VARIABLE.traits] = traits;
    data[at + HIR_VARIABLE.position] = position;
    data[at + HIR_VARIABLE.access] = access;
    data[at + HIR_VARIABLE.undef] = this.tables.constants.undef(type);
    data[at + HIR_VARIABLE.owner] = owner;
    data[at + HIR_VARIABLE.slotType] = this.tables.types.pointer(type);
    data[at + HIR_VARIABLE.epoch] = 0;
    data[at + HIR_VARIABLE.statedEpoch] = 0;
    return row as Variable;
  }

  /** Records the body of a function and its range of variables. */
  defineFunction(
    id: FunctionId,
    body: Node,
    firstVariable: number,
    variableCount: number,
    parameterCount: number,
  ): void {
    while (this.functions.length <= id) this.#appendDeclaration();
    const row = [body, firstVariable, variableCount, parameterCount, 0, 0];
    this.functions.data.set(row, id * HIR_FUNCTION.stride);
    if (body !== NONE) {
      this.tables.functions.set(
        id,
        FUNCTION.flags,
        this.tables.functions.get(id, FUNCTION.flags) | FunctionFlag.hasBody,
      );
    }
  }

  /** Gives every function of the shared table a row here; one without a body gets an empty row. */
  completeFunctions(): void {
    while (this.functions.length < this.tables.functions.length) this.#appendDeclaration();
  }

  #appendDeclaration(): void {
    const row = this.functions.append();
    this.functions.data.set([NONE, 0, 0, 0, 0, 0], row * HIR_FUNCTION.stride);
  }

  /** Whether a function is defined here. */
  hasBody(id: FunctionId): boolean {
    return this.body(id) !== NONE;
  }

  body(id: FunctionId): Node {
    return (id < this.functions.length ? this.functions.get(id, HIR_FUNCTION.body) : NONE) as Node;
  }

  firstVariable(id: FunctionId): number {
    return id < this.functions.length ? this.functions.get(id, HIR_FUNCTION.firstVariable) : 0;
  }

  variableCount(id: FunctionId): number {
    return id < this.functions.length ? Math.max(0, this.functions.get(id, HIR_FUNCTION.variableCount)) : 0;
  }

  parameterCount(id: FunctionId): number {
    return id < this.functions.length ? Math.max(0, this.functions.get(id, HIR_FUNCTION.parameterCount)) : 0;
  }
}
