/** Places in memory: where a pointer points to, an element, a member. A chain of steps becomes one gep. */

import { fail } from '../../diag/diagnostic.js';
import type { TypeId } from '../../ir/entities.js';
import { Aux, ORDERINGS, type Ordering, TypeKind } from '../../ir/schema.js';
import { callSite } from './call-site.js';
import type {
  ElementOf,
  Expression,
  FieldName,
  FieldType,
  LeafExpression,
  Operand,
  PointeeOf,
} from './expression.js';
import { refuseOperator } from './given.js';
import type { NodeMaker } from './node-maker.js';
import type { TraitUse } from './traits.js';
import type { PointerType, Type } from './types.js';

/** How memory is read or written. */
export interface AccessOptions {
  /** The access can be observed, as by a device. */
  readonly volatile?: boolean;
  /** An atomic access with this ordering. */
  readonly ordering?: Ordering;
  /** The address is a multiple of this power of two, where that is not the type's own alignment. */
  readonly align?: number;
  readonly traits?: readonly TraitUse[];
  readonly name?: string;
}

/** The aux word of a load or store. */
export function accessAux(options: AccessOptions): number {
  const ordering = options.ordering === undefined ? 0 : ORDERINGS.indexOf(options.ordering);
  if (ordering < 0) fail('VCT0307', { what: 'memory ordering', found: String(options.ordering) }, callSite());
  return ordering | (options.volatile === true ? Aux.volatile : 0);
}

/** A place that holds a T. Used once, like an expression; made by `deref`, `at` and `field`. */
export class Place<out T extends Type = Type> {
  /** Only for the type checker. */
  declare protected readonly placeType: T;

  /**
   * `base` points to a `sourceId`; `steps` are the operands of the gep, the first of which steps over whole source values.
   * Without steps the place is where `base` points to.
   *
   * @internal
   */
  constructor(
    /** @internal */
    readonly maker: NodeMaker,
    /** @internal */
    readonly typeId: TypeId,
    /** @internal */
    readonly base: Expression,
    /** @internal */
    readonly sourceId: TypeId,
    /** @internal */
    readonly steps: readonly Expression[],
  ) {}

  /** The type of what the place holds. */
  get type(): T {
    return this.maker.types.descriptor(this.typeId) as T;
  }

  /** The same place, whose type TypeScript now knows. Checked at run time. */
  as<Known extends Type>(type: Known): Place<Known> {
    const wanted = this.maker.types.id(type);
    if (wanted !== this.typeId) this.maker.wrongType('as', wanted, this.typeId);
    return this as unknown as Place<Known>;
  }

  /** The pointer to the place. */
  address(): Expression<PointerType<T>> {
    return this.maker.placeAddress(this) as Expression<PointerType<T>>;
  }

  /**
   * The pointer to the place as a constant: what another global may begin with. The place must be a global or a part of one, reached
   * with constant indices; the last index may be the length of its array.
   */
  constantAddress(): LeafExpression<PointerType<T>> {
    return this.maker.constantAddress(this) as LeafExpression<PointerType<T>>;
  }

  /** What the place holds. */
  load(options: AccessOptions = {}): Expression<T> {
    return this.maker.load(this, options) as Expression<T>;
  }

  /** Writes the place. A statement. */
  set(value: Operand<T>, options: AccessOptions = {}): void {
    this.maker.store(this, value as Operand, options);
  }

  /** @internal Operators of JavaScript cannot build anything. */
  [Symbol.toPrimitive](): never {
    return refuseOperator('Place');
  }

  /** What the pointer in the place points to. */
  deref(): Place<PointeeOf<T>> {
    return this.load().deref() as never;
  }

  /** An element of the array in the place, or of what the pointer in the place points to. */
  at(index: Operand): Place<ElementOf<T>> {
    const { types } = this.maker.tables;
    if (types.kind(this.typeId) !== TypeKind.array) return this.load().at(index) as never;
    const step = this.maker.indexExpression(index);
    return this.#step(types.element(this.typeId), step) as unknown as Place<ElementOf<T>>;
  }

  /** A member of the struct or union in the place, or of the one that the pointer in the place points to. */
  field<Name extends FieldName<T>>(name: Name): Place<FieldType<T, Name>> {
    const { types } = this.maker.tables;
    if (types.isPointer(this.typeId)) return this.load().field(name as never) as never;
    const index = this.maker.memberIndex(this.typeId, name);
    const step = this.maker.integerConstant(types.i32, index);
    return this.#step(types.memberType(this.typeId, index), step) as unknown as Place<FieldType<T, Name>>;
  }

  #step(typeId: TypeId, step: Expression): Place {
    const { maker, base, sourceId } = this;
    const { types } = maker.tables;
    const before = this.steps.length === 0 ? [maker.integerConstant(types.i32, 0)] : this.steps;
    return new Place(maker, typeId, base, sourceId, [...before, step]);
  }
}
