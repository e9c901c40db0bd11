/**
 * Expressions of the typed builder. An expression stands for a value that is computed where the expression is placed; it
 * has one place in the tree. Constants, variables and addresses may be used as often as one likes: each use is a copy.
 */

import { fail } from '../../diag/diagnostic.js';
import { type ConstantId, NONE, type Node, type TypeId } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import type { IntegerPredicate } from '../../ir/schema.js';
import { callSite } from './call-site.js';
import { refuseOperator } from './given.js';
import type { NodeMaker } from './node-maker.js';
import type { BinaryName, CompareName } from './operator-table.js';
import type { AccessOptions, Place } from './place.js';
import type { TraitUse } from './traits.js';
import type { I1, Type } from './types.js';

/** What may be written for a value of type T without an expression. */
export type Literal<T extends Type> = T['literal'];

/** A value of type T: an expression, a place that is read, or a literal. */
export type Operand<T extends Type = Type> = Expression<T> | Place<T> | Literal<T>;

/** What a pointer of type T points to. */
export type PointeeOf<T extends Type> = T['target'];

/** What an index into a T reaches: past a pointer, or an element of an array. */
export type ElementOf<T extends Type> = T['indexed'];

/** How a member of a T may be named; where the members are not known, by index too. */
export type FieldName<T extends Type> = keyof T['memberTypes'] & (string | number);

/** The type of a member of a T. */
export type FieldType<T extends Type, Name extends FieldName<T>> = T['memberTypes'][Name];

/** An expression is in the tree. */
export const USED = 1;
/** Its value depends on memory. */
export const READS = 2;
/** Evaluating it can be observed: calls and atomic updates. */
export const EFFECTS = 4;

/** A value of type T. Made by the builder; never by `new`. */
export class Expression<out T extends Type = Type> {
  /** Only for the type checker. */
  declare protected readonly valueType: T;
  /** The function whose body it was built in. */
  readonly #owner: unknown;

  /** @internal */
  constructor(
    /** @internal */
    readonly maker: NodeMaker,
    /** @internal */
    readonly typeId: TypeId,
    /** @internal */
    readonly node: Node,
    /** @internal */
    public flags: number,
    /** @internal How many effects the function had when this was built. */
    readonly born: number,
  ) {
    this.#owner = maker.sink;
  }

  /** The type of the value. */
  get type(): T {
    return this.maker.types.descriptor(this.typeId) as T;
  }

  /** @internal The constant that this is, or NONE. */
  get constant(): ConstantId {
    return NONE as ConstantId;
  }

  /** @internal The node, which becomes part of the tree now. */
  take(): Node {
    if ((this.flags & USED) !== 0) fail('VCT0310', { what: this.maker.describe(this) }, callSite());
    if (this.#owner !== this.maker.sink) fail('VCT0330', { what: this.maker.describe(this) }, callSite());
    this.flags |= USED;
    return this.node;
  }

  /** @internal Operators of JavaScript cannot build anything. */
  [Symbol.toPrimitive](): never {
    return refuseOperator('Expression');
  }

  /** The same value, whose type TypeScript now knows. Checked at run time. */
  as<Known extends Type>(type: Known): Expression<Known> {
    const wanted = this.maker.types.id(type);
    if (wanted !== this.typeId) this.maker.wrongType('as', wanted, this.typeId);
    return this as unknown as Expression<Known>;
  }

  /** Names the value; the name survives into VIR, C and LLVM text. */
  named(name: string): this {
    this.maker.nameNode(this.node, name);
    return this;
  }

  /** Adds traits to the value, the access or the call. */
  with(...uses: readonly TraitUse[]): this {
    this.maker.addTraits(this.node, uses);
    return this;
  }

  /** The value as another type: see `FunctionBuilder.convert`. */
  convert<Target extends Type>(type: Target): Expression<Target> {
    return this.maker.convert(this, type);
  }

  /** The same bits as another type. */
  bitcast<Target extends Type>(type: Target): Expression<Target> {
    return this.maker.cast('bitcast', this, type);
  }

  /** The sum; integers wrap. */
  add(other: Operand<T>): Expression<T> {
    return this.#binary('add', other);
  }

  /** The difference; integers wrap. */
  sub(other: Operand<T>): Expression<T> {
    return this.#binary('sub', other);
  }

  /** The product; integers wrap. */
  mul(other: Operand<T>): Expression<T> {
    return this.#binary('mul', other);
  }

  /** The quotient, signed or unsigned by the type. Erroneous for integers when the divisor is 0. */
  div(other: Operand<T>): Expression<T> {
    return this.#binary('div', other);
  }

  /** The remainder, with the sign of the dividend. */
  rem(other: Operand<T>): Expression<T> {
    return this.#binary('rem', other);
  }

  /** Bitwise and; evaluates both operands. */
  and(other: Operand<T>): Expression<T> {
    return this.#binary('and', other);
  }

  /** Bitwise or; evaluates both operands. */
  or(other: Operand<T>): Expression<T> {
    return this.#binary('or', other);
  }

  xor(other: Operand<T>): Expression<T> {
    return this.#binary('xor', other);
  }

  /** Shift left. Erroneous when the amount is not below the width. */
  shl(other: Operand<T>): Expression<T> {
    return this.#binary('shl', other);
  }

  /** Shift right: copies of the sign bit for `iN`, zeros for `uN`. */
  shr(other: Operand<T>): Expression<T> {
    return this.#binary('shr', other);
  }

  /** The negated value; an integer wraps. */
  neg(): Expression<T> {
    return this.maker.negate(this) as Expression<T>;
  }

  /** Every bit inverted; for an i1, the opposite. */
  not(): Expression<T> {
    return this.maker.complement(this) as Expression<T>;
  }

  eq(other: Operand<T>): Expression<I1> {
    return this.#compare('eq', other);
  }

  ne(other: Operand<T>): Expression<I1> {
    return this.#compare('ne', other);
  }

  /** Less than, signed or unsigned by the type; false when a float is NaN. */
  lt(other: Operand<T>): Expression<I1> {
    return this.#compare('lt', other);
  }

  le(other: Operand<T>): Expression<I1> {
    return this.#compare('le', other);
  }

  gt(other: Operand<T>): Expression<I1> {
    return this.#compare('gt', other);
  }

  ge(other: Operand<T>): Expression<I1> {
    return this.#compare('ge', other);
  }

  /** A comparison by its own predicate, such as `ult` on an `i32`. */
  icmp(predicate: IntegerPredicate, other: Operand<T>): Expression<I1> {
    return this.maker.integerCompare(predicate, this, other as Operand);
  }

  /** True when both are; the second is evaluated only when the first is true. */
  logicalAnd(other: Operand<I1>): Expression<I1> {
    return this.maker.logical('logicalAnd', this, other as Operand);
  }

  /** True when one is; the second is evaluated only when the first is false. */
  logicalOr(other: Operand<I1>): Expression<I1> {
    return this.maker.logical('logicalOr', this, other as Operand);
  }

  /** What the pointer points to. */
  deref(): Place<PointeeOf<T>> {
    return this.maker.dereference(this) as Place<PointeeOf<T>>;
  }

  /** The value that the pointer points to. */
  load(options?: AccessOptions): Expression<PointeeOf<T>> {
    return this.deref().load(options);
  }

  /** The place `index` values after the one that the pointer points to. */
  at(index: Operand): Place<ElementOf<T>> {
    return this.maker.element(this, index) as unknown as Place<ElementOf<T>>;
  }

  /** A member of the struct or union that the pointer points to. */
  field<Name extends FieldName<T>>(name: Name): Place<FieldType<T, Name>> {
    return this.maker.dereference(this).field(name as never) as unknown as Place<FieldType<T, Name>>;
  }

  /** A member of an aggregate value, by name or index. */
  extract<Name extends FieldName<T>>(
    ...path: readonly [Name, ...(string | number)[]]
  ): Expression<FieldType<T, Name>> {
    return this.maker.extract(this, path) as Expression<FieldType<T, Name>>;
  }

  /** The aggregate value with one member replaced. */
  insert<Name extends FieldName<T>>(member: Name, value: Operand<FieldType<T, Name>>): Expression<T> {
    return this.maker.insert(this, [member], value as Operand) as Expression<T>;
  }

  #binary(name: BinaryName, other: Operand<T>): Expression<T> {
    return this.maker.binary(name, this, other as Operand) as Expression<T>;
  }

  #compare(name: CompareName, other: Operand<T>): Expression<I1> {
    return this.maker.compare(name, this, other as Operand);
  }
}

/** A constant, a variable or an address: each use makes a node of its own. */
export class LeafExpression<out T extends Type = Type> extends Expression<T> {
  /** @internal `row` is the constant or variable; `kind` the node kind. */
  constructor(
    maker: NodeMaker,
    typeId: TypeId,
    /** @internal */
    readonly kind: number,
    /** @internal */
    readonly row: number,
  ) {
    super(maker, typeId, NONE as Node, 0, Number.POSITIVE_INFINITY);
  }

  override get constant(): ConstantId {
    return (this.kind === NodeKind.constant ? this.row : NONE) as ConstantId;
  }

  override take(): Node {
    return this.maker.leafNode(this);
  }

  override named(_name: string): this {
    return this;
  }
}
