/**
 * LLVM's text of types (009 Table 2), with the definitions of the named ones.
 *
 * A union is written as its most aligned member and padding up to C's size. Where that member has bytes that no scalar of
 * it covers, a value of it would lose them, so that an array of integers of the same alignment stands in its place.
 */

import { NONE, type TypeId } from '../../ir/entities.js';
import { TypeKind } from '../../ir/schema.js';
import type { LayoutTable } from '../../types/layout.js';
import type { TypeTable } from '../../types/type-table.js';
import { llvmIdentifier } from './names.js';

type Piece = TypeId | string;

/** Type texts of one module. Named types are marked as they are written, and only those are defined. */
export class LlvmTypes {
  readonly #texts = new Map<TypeId, string>();
  readonly #named = new Set<TypeId>();
  readonly #parts = new Map<TypeId, readonly number[]>();
  readonly #dense = new Map<TypeId, boolean>();

  constructor(
    readonly types: TypeTable,
    readonly layout: LayoutTable,
  ) {}

  /** The type as an operand's type is written. */
  text(type: TypeId): string {
    const known = this.#texts.get(type);
    if (known !== undefined) return known;
    const text = this.#join([type]);
    this.#texts.set(type, text);
    return text;
  }

  /** The definitions of all named types that were written so far, and of those within them, in table order. */
  definitions(): string[] {
    const bodies = new Map<TypeId, string>();
    // Writing a body may add to the set, and the loop then comes to what was added.
    for (const type of this.#named) {
      bodies.set(type, this.types.isDefined(type) ? this.#join(this.#body(type)) : 'opaque');
    }
    return [...bodies]
      .sort(([left], [right]) => left - right)
      .map(([type, body]) => `${this.#name(type)} = type ${body}`);
  }

  /**
   * The parts of a struct's body: a member's index, or, as ~n, n bytes of padding, where a pinned layout of the struct or of a member
   * puts something elsewhere than LLVM would.
   */
  parts(type: TypeId): readonly number[] {
    let parts = this.#parts.get(type);
    if (parts === undefined) {
      parts = this.#partsOfStruct(type);
      this.#parts.set(type, parts);
    }
    return parts;
  }

  /** The place of a member in the body of a struct; the index itself in other types. Constant time where nothing is padded. */
  elementIndex(type: TypeId, member: number): number {
    if (this.types.kind(type) !== TypeKind.struct) return member;
    const parts = this.parts(type);
    return parts.length === this.types.memberCount(type) ? member : parts.indexOf(member);
  }

  #partsOfStruct(type: TypeId): number[] {
    const { types, layout } = this;
    const parts: number[] = [];
    let end = 0;
    for (let index = 0; index < types.memberCount(type); index++) {
      const member = types.memberType(type, index);
      const natural = layout.naturalAlignment(member);
      const offset = layout.offset(type, index);
      if (Math.ceil(end / natural) * natural !== offset) parts.push(~(offset - end));
      parts.push(index);
      end = offset + layout.size(member);
    }
    const natural = layout.naturalAlignment(type);
    const size = layout.size(type);
    if (Math.ceil(end / natural) * natural !== size) parts.push(~(size - end));
    return parts;
  }

  /** The member that stands for a union, or -1 where an integer array does. */
  unionMember(type: TypeId): number {
    const { types, layout } = this;
    let best = -1;
    for (let index = 0; index < types.memberCount(type); index++) {
      const member = types.memberType(type, index);
      if (best < 0 || isWider(layout, member, types.memberType(type, best))) best = index;
    }
    const isAligned = layout.naturalAlignment(types.memberType(type, best)) === layout.alignment(type);
    return isAligned && this.#isDense(types.memberType(type, best)) ? best : -1;
  }

  #join(start: readonly Piece[]): string {
    const parts: string[] = [];
    const work: Piece[] = [...start].reverse();
    while (work.length > 0) {
      const next = work.pop() as Piece;
      if (typeof next === 'string') parts.push(next);
      else for (const piece of this.#pieces(next).reverse()) work.push(piece);
    }
    return parts.join('');
  }

  #pieces(type: TypeId): Piece[] {
    const { types } = this;
    switch (types.kind(type)) {
      case TypeKind.void:
        return ['void'];
      case TypeKind.integer:
        return [`i${types.width(type)}`];
      case TypeKind.float:
        return [types.width(type) === 32 ? 'float' : 'double'];
      case TypeKind.pointer:
        return ['ptr'];
      case TypeKind.array:
        return [`[${types.count(type)} x `, types.element(type), ']'];
      case TypeKind.function:
        return functionPieces(types, type);
      default:
        if (types.nameOf(type) === NONE) return this.#body(type);
        this.#named.add(type);
        return [this.#name(type)];
    }
  }

  #name(type: TypeId): string {
    const prefix = this.types.kind(type) === TypeKind.union ? 'union.' : 'struct.';
    return `%${llvmIdentifier(prefix + this.types.names.text(this.types.nameOf(type)))}`;
  }

  #body(type: TypeId): Piece[] {
    if (this.types.kind(type) === TypeKind.union) return this.#unionBody(type);
    const result: Piece[] = ['{ '];
    this.parts(type).forEach((part, index) => {
      if (index > 0) result.push(', ');
      result.push(part < 0 ? `[${~part} x i8]` : this.types.memberType(type, part));
    });
    result.push(' }');
    return result;
  }

  #unionBody(type: TypeId): Piece[] {
    const size = this.layout.size(type);
    const member = this.unionMember(type);
    if (member < 0) {
      const unit = this.layout.alignment(type);
      return [`{ [${size / unit} x i${unit * 8}] }`];
    }
    const memberType = this.types.memberType(type, member);
    const padding = size - this.layout.size(memberType);
    return padding > 0 ? ['{ ', memberType, `, [${padding} x i8] }`] : ['{ ', memberType, ' }'];
  }

  /** Whether the scalars of a type cover all its bytes. Post-order by an explicit stack. */
  #isDense(type: TypeId): boolean {
    const work: TypeId[] = [type];
    while (work.length > 0) {
      const current = work[work.length - 1] as TypeId;
      const missing = partsOf(this.types, current).filter((part) => !this.#dense.has(part));
      if (missing.length > 0) {
        for (const part of missing) work.push(part);
        continue;
      }
      work.pop();
      this.#dense.set(current, this.#isDenseOf(current));
    }
    return this.#dense.get(type) as boolean;
  }

  /** Requires that the parts of the type are decided. */
  #isDenseOf(type: TypeId): boolean {
    const { types, layout } = this;
    if (types.isInteger(type)) return types.width(type) === layout.size(type) * 8;
    if (types.isScalar(type)) return true;
    const parts = partsOf(types, type);
    if (!parts.every((part) => this.#dense.get(part) === true)) return false;
    if (types.kind(type) !== TypeKind.struct) return true;
    return parts.reduce((sum, part) => sum + layout.size(part), 0) === layout.size(type);
  }
}

/** Element and member types; of a union none, because it is written without gaps in any case. */
function partsOf(types: TypeTable, type: TypeId): TypeId[] {
  switch (types.kind(type)) {
    case TypeKind.array:
      return [types.element(type)];
    case TypeKind.struct:
      return Array.from({ length: types.memberCount(type) }, (_, index) => types.memberType(type, index));
    default:
      return [];
  }
}

function isWider(layout: LayoutTable, type: TypeId, than: TypeId): boolean {
  const difference = layout.alignment(type) - layout.alignment(than);
  return difference !== 0 ? difference > 0 : layout.size(type) > layout.size(than);
}

function functionPieces(types: TypeTable, type: TypeId): Piece[] {
  const result: Piece[] = [types.result(type), ' ('];
  for (let index = 0; index < types.memberCount(type); index++) {
    if (index > 0) result.push(', ');
    result.push(types.memberType(type, index));
  }
  if (types.isVarargs(type)) result.push(types.memberCount(type) > 0 ? ', ...' : '...');
  result.push(')');
  return result;
}
