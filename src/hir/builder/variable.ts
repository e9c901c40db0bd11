/** Variables of a function, parameters included. */

import { fail } from '../../diag/diagnostic.js';
import type { Node, TypeId } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { TypeKind } from '../../ir/schema.js';
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { callSite } from './call-site.js';
import {
  type ElementOf,
  type FieldName,
  type FieldType,
  LeafExpression,
  type Operand,
} from './expression.js';
import type { NodeMaker } from './node-maker.js';
import { Place } from './place.js';
import type { TraitUse } from './traits.js';
import type { PointerType, Type } from './types.js';

/** The function that a variable belongs to, as the variable needs it. */
export interface VariableOwner {
  /** Appends a statement that writes the variable. */
  assign(variable: Variable, value: Operand): void;
}

/** What a variable may be given. */
export interface VariableOptions {
  readonly traits?: readonly TraitUse[];
  /** Every access is observable; the variable stays in memory. */
  readonly volatile?: boolean;
}

/** A row of the variable table in the making. */
export interface VariableRow {
  readonly name: number;
  readonly typeId: TypeId;
  traits: number;
  readonly position: number;
  readonly access: number;
  declaration: number;
}

/** A leaf that names a variable: its value or its address. */
class VariableLeaf<T extends Type> extends LeafExpression<T> {
  constructor(
    maker: NodeMaker,
    typeId: TypeId,
    kind: number,
    row: number,
    readonly owner: VariableOwner,
    readonly text: string,
  ) {
    super(maker, typeId, kind, row);
  }

  override take(): Node {
    if ((this.maker.sink as unknown) !== this.owner) fail('VCT0318', { name: this.text }, callSite());
    return super.take();
  }
}

/** A variable. Used as an expression, it is read where the expression stands. */
export class Variable<T extends Type = Type> extends VariableLeaf<T> {
  readonly name: string;
  readonly #state: VariableRow;

  /** @internal */
  constructor(maker: NodeMaker, row: number, owner: VariableOwner, state: VariableRow) {
    const name = maker.tables.names.text(state.name);
    super(maker, state.typeId, NodeKind.variable, row, owner, name);
    this.name = name;
    this.#state = state;
  }

  /** Writes the variable. A statement. */
  set(value: Operand<T>): void {
    this.owner.assign(this, value as Operand);
  }

  /** The address of the variable, which then lives in memory. */
  address(): LeafExpression<PointerType<T>> {
    const { traitSets } = this.maker.tables;
    this.#state.traits = traitSets.with(this.#state.traits as never, traitEntry(Trait.isAddressed));
    return this.#addressLeaf();
  }

  /** An element of the array in the variable, or of what the pointer in it points to. */
  override at(index: Operand): Place<ElementOf<T>> {
    if (this.maker.tables.types.kind(this.typeId) !== TypeKind.array) return super.at(index);
    return this.#place().at(index) as Place<ElementOf<T>>;
  }

  /** A member of the record in the variable, or of the record that the pointer in it points to. */
  override field<Name extends FieldName<T>>(name: Name): Place<FieldType<T, Name>> {
    if (this.maker.tables.types.isPointer(this.typeId)) return super.field(name);
    return this.#place().field(name as never) as unknown as Place<FieldType<T, Name>>;
  }

  /** The row of a variable that is declared by a statement. @internal */
  get state(): VariableRow {
    return this.#state;
  }

  /** Aggregates are in memory anyway; to reach a part of one takes no address that could escape. */
  #place(): Place {
    return new Place(this.maker, this.typeId, this.#addressLeaf() as LeafExpression, this.typeId, []);
  }

  #addressLeaf(): LeafExpression<PointerType<T>> {
    const pointer = this.maker.tables.types.pointer(this.typeId);
    return new VariableLeaf(this.maker, pointer, NodeKind.address, this.row, this.owner, this.name);
  }
}

/** A parameter of a function under construction: `param('n', i32)`. */
export interface Parameter<T extends Type = Type> extends VariableOptions {
  readonly name: string;
  readonly type: T;
}

/** Describes a parameter. */
export function param<T extends Type>(name: string, type: T, options: VariableOptions = {}): Parameter<T> {
  return { ...options, name, type };
}

/** The variables that the body of a function gets for its parameters. */
export type VariablesOf<Parameters extends readonly Parameter[]> = {
  [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer T> ? Variable<T> : never;
};

/** The types of parameters. */
export type TypesOf<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer T> ? T : never;
};
