/** The statements of one function under construction: open blocks, variables, positions, and where expressions go. */

import { DiagnosticError, type DiagnosticPosition, diagnostic, fail } from '../../diag/diagnostic.js';
import { type FunctionId, NONE, type Node, type PositionId, type TypeId } from '../../ir/entities.js';
import { NodeKind, nodeKindRow } from '../../ir/node-kinds.js';
import type { RelationshipEnd } from '../../ir/relationships.js';
import { Aux, EndKind, HIR_NODE, HIR_VARIABLE } from '../../ir/schema.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { RELATIONSHIPS, type RelationshipName, relationshipRow, Trait } from '../../traits/trait-table.js';
import { callSite } from './call-site.js';
import { EFFECTS, Expression, type Operand, READS, USED } from './expression.js';
import { requireText, wanted } from './given.js';
import { LabelTable } from './label-table.js';
import type { Global } from './module-builder.js';
import type { StatementSink } from './node-core.js';
import type { NodeMaker } from './node-maker.js';
import { Place } from './place.js';
import { TotalOperations } from './total-operations.js';
import { traitSet } from './traits.js';
import type { Type } from './types.js';
import {
  type Parameter,
  Variable,
  type VariableOptions,
  type VariableOwner,
  type VariableRow,
} from './variable.js';

/** How nodes get a position where the author gives none: from his own program's stack, or not at all. */
export type PositionMode = 'callsite' | 'none';

/** What an open construct is. */
export type FrameKind =
  | 'body'
  | 'block'
  | 'if'
  | 'else'
  | 'while'
  | 'doWhile'
  | 'for'
  | 'switch'
  | 'case'
  | 'defer'
  | 'condition';

/** A construct that is not closed yet, and the block that statements go to. */
export interface Frame {
  readonly kind: FrameKind;
  /** The node of the construct; for a plain block the block itself. */
  readonly node: Node;
  /** The block that is filled; NONE while it has none. */
  block: Node;
  /** The last statement of that block. */
  last: Node;
  /** Children of `node` that are complete. */
  readonly children: Node[];
  readonly label: string | undefined;
}

/** A relationship that was stated in the function; the rows of its ends are known when it is finished. */
interface StatedRelationship {
  readonly kind: number;
  readonly left: Variable | Global;
  readonly right: Variable | Global;
  readonly position: PositionId;
}

/** The core of a function builder. */
export abstract class FunctionBody extends TotalOperations implements StatementSink, VariableOwner {
  readonly #mode: PositionMode;
  readonly #frames: Frame[] = [];
  readonly #variables: VariableRow[] = [];
  readonly #relationships: StatedRelationship[] = [];
  readonly #firstVariable: number;
  readonly #expected: Expression[] = [];
  /** @internal The labels of the function. */
  readonly labels = new LabelTable(this);
  /** The first node that has no position yet. */
  #unplaced: number;
  #explicit = NONE as PositionId;

  /** @internal */
  constructor(
    maker: NodeMaker,
    /** @internal */
    readonly id: FunctionId,
    mode: PositionMode,
  ) {
    super(maker);
    this.#mode = mode;
    this.#firstVariable = maker.hir.variables.length;
    const block = this.newNode(NodeKind.block);
    this.#frames.push(frame('body', block, block));
    this.#unplaced = maker.hir.nodes.length;
  }

  /** @internal The position of new expressions. */
  get position(): number {
    return this.#explicit;
  }

  /** Gives what is built next this place in the source text; until the next call. */
  at(line: number, column: number, file?: string): this {
    for (const number of [line, column])
      if (!(Number.isInteger(number) && number >= 0 && number < 2 ** 31))
        wanted('at', 'a line and a column, counted from 1', number);
    if (file !== undefined) requireText(file, 'the file of at');
    const { tables } = this.maker;
    const known = this.#explicit === NONE ? undefined : tables.position(this.#explicit);
    const name = file ?? known?.file ?? this.maker.sourceFile;
    this.#explicit = tables.addPosition(tables.names.intern(name), line, column);
    return this;
  }

  /** @internal The place that `at` gave to what is built next. */
  place(): DiagnosticPosition | undefined {
    return this.#explicit === NONE ? undefined : this.maker.tables.position(this.#explicit);
  }

  /**
   * States that two variables of this function, or a variable and a global, are so related: `f.relate('NoAlias', p, q)`. It holds in
   * the whole of each call, wherever it is stated.
   */
  relate(name: RelationshipName, left: Variable | Global, right: Variable | Global): void {
    const kind = RELATIONSHIPS.findIndex((row) => row.name === name);
    if (kind < 0) wanted('relate', `one of ${RELATIONSHIPS.map((row) => row.name).join(', ')}`, name);
    for (const side of [left, right]) this.#requireEnd(kind, side);
    const isSame = left instanceof Variable ? left === right : isGlobal(right) && left.id === right.id;
    if (isSame && relationshipRow(kind).isIrreflexive)
      fail('VCT0251', { what: endName(left), relationship: name }, callSite());
    this.#relationships.push({ kind, left, right, position: this.here() });
  }

  #requireEnd(kind: number, side: Variable | Global): void {
    if (isGlobal(side)) return;
    if (!(side instanceof Variable)) wanted('relate', 'variables or globals', side);
    if (side.owner !== this) fail('VCT0318', { name: side.name }, callSite());
    const { types } = this.maker.tables;
    if (!relationshipRow(kind).ofPointers || types.isPointer(side.typeId)) return;
    const values = { what: endName(side), relationship: relationshipRow(kind).name };
    fail('VCT0250', { ...values, found: types.text(side.typeId).slice(0, 100) }, callSite());
  }

  /** @internal Adds a variable row and gives the variable. */
  newVariable<T extends Type>(
    name: string,
    typeId: TypeId,
    options: VariableOptions,
    host: 'variable' | 'parameter',
  ): Variable<T> {
    const { maker } = this;
    requireText(name, `the name of a ${host}`);
    if (!maker.tables.types.isFirstClass(typeId))
      maker.operandsFault(`variable ${name}`, 'a type that has values', typeId);
    const { traitSets } = maker.tables;
    let set = traitSet(maker.tables, options.traits, [host]);
    if (options.volatile === true) set = traitSets.with(set, traitEntry(Trait.isVolatile));
    const isVolatile = traitSets.has(set, Trait.isVolatile) ? Aux.volatile : 0;
    const ordering = traitSets.find(set, Trait.isAtomic)?.a ?? 0;
    const state: VariableRow = {
      name: maker.tables.names.intern(name),
      typeId,
      traits: set,
      position: this.here(),
      access: isVolatile | ordering,
      declaration: NONE,
    };
    this.#variables.push(state);
    return new Variable<T>(maker, this.#firstVariable + this.#variables.length - 1, this, state);
  }

  /** @internal */
  parameters(list: readonly Parameter[]): Variable[] {
    return list.map((parameter) =>
      this.newVariable(parameter.name, this.maker.types.id(parameter.type), parameter, 'parameter'),
    );
  }

  /** Places an expression as a statement: evaluates it and drops its value. */
  evaluate(expression: Expression): void {
    if (!(expression instanceof Expression)) wanted('evaluate', 'an expression', expression);
    if (expression.typeId === this.maker.tables.types.void && (expression.flags & USED) !== 0) return;
    this.checkOrder(expression);
    const position = this.here();
    const node = expression.take();
    if (this.maker.hir.nodes.get(node, HIR_NODE.position) === NONE)
      this.maker.hir.nodes.set(node, HIR_NODE.position, position);
    this.settle(position);
    this.append(node);
    this.noteEffects(expression);
  }

  /** @internal */
  assign(variable: Variable, value: Operand): void {
    const expression = this.maker.typed(value, variable.typeId, `variable ${variable.name}`);
    if (variable.owner !== this) fail('VCT0318', { name: variable.name }, callSite());
    this.statement(NodeKind.assign, [expression], variable.row);
  }

  /** @internal */
  expectPlacement(expression: Expression): void {
    this.#expected.push(expression);
    if (this.#explicit === NONE && this.#mode === 'callsite')
      this.maker.hir.nodes.set(expression.node, HIR_NODE.position, this.here());
  }

  /** @internal Makes a statement of expressions and appends it. */
  statement(kind: number, operands: readonly Expression[], a: number = NONE): Node {
    for (const operand of operands) this.checkOrder(operand);
    const node = this.newNode(kind, a);
    this.maker.hir.setChildren(
      node,
      operands.map((operand) => operand.take()),
    );
    this.settle(this.maker.hir.nodes.get(node, HIR_NODE.position));
    this.append(node);
    for (const operand of operands) this.noteEffects(operand);
    return node;
  }

  /** @internal A statement node at the author's line, not yet in the tree. */
  newNode(kind: number, a: number = NONE): Node {
    return this.maker.hir.addNode(kind, this.maker.tables.types.void, a, NONE, this.here());
  }

  /** @internal An expression that read memory or calls must stand where the author wrote it. */
  checkOrder(expression: Expression): void {
    if ((expression.flags & (READS | EFFECTS)) === 0 || expression.born === this.maker.effectCount) return;
    if ((expression.flags & USED) === 0)
      fail('VCT0313', { what: this.maker.describe(expression) }, callSite());
  }

  /** @internal */
  noteEffects(expression: Expression): void {
    if ((expression.flags & EFFECTS) !== 0) this.maker.effectCount++;
  }

  /** @internal Appends a node to the innermost open block. */
  append(node: Node): void {
    const top = this.top;
    const { hir } = this.maker;
    if ((this.maker.sink as unknown) !== this)
      fail('VCT0312', { what: `this ${nodeKindRow(hir.kind(node)).name}` }, callSite());
    if (top.block === NONE) {
      if (top.kind !== 'condition')
        fail(
          'VCT0320',
          { what: nodeKindRow(hir.kind(node)).name, hint: 'Put it into a case of the switch.' },
          callSite(),
        );
      top.block = this.newNode(NodeKind.block);
    }
    if (top.last === NONE) hir.nodes.set(top.block, HIR_NODE.firstChild, node);
    else hir.nodes.set(top.last, HIR_NODE.nextSibling, node);
    top.last = node;
  }

  /** @internal The innermost open construct. */
  get top(): Frame {
    return this.#frames[this.#frames.length - 1] as Frame;
  }

  /** @internal The open constructs, outermost first. */
  get frames(): readonly Frame[] {
    return this.#frames;
  }

  /** @internal */
  open(kind: FrameKind, node: Node, block: Node, children: Node[] = [], label?: string): Frame {
    const opened = frame(kind, node, block, children, label);
    this.#frames.push(opened);
    return opened;
  }

  /** @internal */
  close(): Frame {
    return this.#frames.pop() as Frame;
  }

  /** @internal The position of a statement that is made now. */
  here(): PositionId {
    if (this.#explicit !== NONE || this.#mode === 'none') return this.#explicit;
    const site = callSite();
    if (site === undefined) return NONE as PositionId;
    const { tables } = this.maker;
    return tables.addPosition(tables.names.intern(site.file), site.line, site.column);
  }

  /** @internal Nodes that were made without a position since the last statement belong to this one. */
  settle(position: number): void {
    const { nodes } = this.maker.hir;
    if (this.#explicit === NONE && this.#mode === 'callsite') {
      for (let node = this.#unplaced; node < nodes.length; node++) {
        if (nodes.get(node, HIR_NODE.position) === NONE) nodes.set(node, HIR_NODE.position, position);
      }
    }
    this.#unplaced = nodes.length;
  }

  /** @internal Checks what can be wrong only at the end, and lays down the variables. */
  finish(parameterCount: number): void {
    const lost = this.#expected.find((expression) => (expression.flags & USED) === 0);
    if (lost !== undefined) this.#reportLost(lost);
    this.labels.finish();
    const { hir } = this.maker;
    const first = hir.variables.length;
    const body = (this.#frames[0] as Frame).block;
    for (const state of this.#variables) {
      const row = hir.addVariable(
        this.id,
        state.name,
        state.typeId,
        state.traits,
        state.position,
        state.access,
      );
      hir.variables.set(row, HIR_VARIABLE.declaration, state.declaration);
    }
    // A function that was built within this one has laid down its variables first.
    if (first !== this.#firstVariable) this.#renumber(body, first - this.#firstVariable);
    hir.defineFunction(this.id, body, first, this.#variables.length, parameterCount);
    const end = (side: Variable | Global): RelationshipEnd =>
      side instanceof Variable
        ? { kind: EndKind.variable, function: this.id, row: side.row + first - this.#firstVariable }
        : { kind: EndKind.global, function: NONE as FunctionId, row: side.id };
    for (const { kind, left, right, position } of this.#relationships)
      hir.relationships.add(kind, [end(left)], [end(right)], position);
  }

  #reportLost(expression: Expression): never {
    const { tables, hir } = this.maker;
    const position: DiagnosticPosition | undefined =
      tables.position(hir.nodes.get(expression.node, HIR_NODE.position)) ?? callSite();
    throw new DiagnosticError([diagnostic('VCT0314', { what: this.maker.describe(expression) }, position)]);
  }

  #renumber(body: Node, distance: number): void {
    const { hir } = this.maker;
    const work: Node[] = [body];
    while (work.length > 0) {
      const node = work.pop() as Node;
      if (nodeKindRow(hir.kind(node)).a === 'variable')
        hir.nodes.set(node, HIR_NODE.a, hir.a(node) + distance);
      for (let child = hir.firstChild(node); child !== NONE; child = hir.nextSibling(child)) work.push(child);
    }
  }
}

/** A global of the builder; its class is not imported, for it stands above this file. */
function isGlobal(side: Variable | Global): side is Global {
  return side instanceof Place && 'id' in side;
}

function endName(side: Variable | Global): string {
  return isGlobal(side) ? `@${side.name}` : `%${side.name}`;
}

function frame(kind: FrameKind, node: Node, block: Node, children: Node[] = [], label?: string): Frame {
  return { kind, node, block, last: NONE as Node, children, label };
}
