/**
 * The relationships of one module (002 §5): which two sides each joins, and for any entity the relationships that it is an end of.
 *
 * HIR and VIR have the same table; only what an end is differs. Ends of a side are in ascending order and distinct, so that the same
 * statement is the same bytes.
 */

import { relationshipRow } from '../traits/trait-table.js';
import { type FunctionId, NONE, type RelationshipId } from './entities.js';
import { type EndKind, RELATIONSHIP, RELATIONSHIP_END } from './schema.js';
import { Table } from './table.js';

/** An entity that a relationship joins to others. */
export interface RelationshipEnd {
  readonly kind: EndKind;
  /** The function that it belongs to; NONE for a global. */
  readonly function: FunctionId;
  /** A variable of the module, an instruction of the function, or a global. */
  readonly row: number;
}

/** The relationships of one module. */
export class Relationships {
  readonly rows = new Table(RELATIONSHIP.stride, 4);
  readonly ends = new Table(RELATIONSHIP_END.stride, 8);
  #byEnd: Map<string, RelationshipId[]> | undefined;
  #byFunction: Map<FunctionId, RelationshipId[]> | undefined;

  get length(): number {
    return this.rows.length;
  }

  /** States that the two sides, each of at least one end, are so related. */
  add(
    kind: number,
    left: readonly RelationshipEnd[],
    right: readonly RelationshipEnd[],
    position = NONE,
  ): RelationshipId {
    const firstEnd = this.ends.length;
    const leftCount = this.#addSide(left);
    const rightCount = this.#addSide(right);
    const row = this.rows.append();
    this.rows.data.set([kind, firstEnd, leftCount, rightCount, position], row * RELATIONSHIP.stride);
    this.#byEnd = undefined;
    this.#byFunction = undefined;
    return row as RelationshipId;
  }

  /** A row of `RELATIONSHIPS`. */
  kind(id: RelationshipId): number {
    return this.rows.get(id, RELATIONSHIP.kind);
  }

  name(id: RelationshipId): string {
    return relationshipRow(this.kind(id)).name;
  }

  position(id: RelationshipId): number {
    return this.rows.get(id, RELATIONSHIP.position);
  }

  /** The ends of the left side, ascending. */
  left(id: RelationshipId): readonly RelationshipEnd[] {
    return this.#side(this.rows.get(id, RELATIONSHIP.firstEnd), this.rows.get(id, RELATIONSHIP.leftCount));
  }

  /** The ends of the right side, ascending. */
  right(id: RelationshipId): readonly RelationshipEnd[] {
    const first = this.rows.get(id, RELATIONSHIP.firstEnd) + this.rows.get(id, RELATIONSHIP.leftCount);
    return this.#side(first, this.rows.get(id, RELATIONSHIP.rightCount));
  }

  /** The relationships that an entity is an end of, in the order in which they were stated. */
  of(end: RelationshipEnd): readonly RelationshipId[] {
    this.#byEnd ??= this.#index(keyOf);
    return this.#byEnd.get(keyOf(end)) ?? [];
  }

  /** The relationships that have an end in a function, in the order in which they were stated. */
  inFunction(owner: FunctionId): readonly RelationshipId[] {
    this.#byFunction ??= this.#index((end) => end.function);
    return this.#byFunction.get(owner) ?? [];
  }

  /** What an entity is related to by one of its relationships: the ends of the other side. */
  across(id: RelationshipId, end: RelationshipEnd): readonly RelationshipEnd[] {
    const left = this.left(id);
    const key = keyOf(end);
    return left.some((other) => keyOf(other) === key) ? this.right(id) : left;
  }

  #addSide(side: readonly RelationshipEnd[]): number {
    const sorted = [...side].sort((a, b) => a.kind - b.kind || a.function - b.function || a.row - b.row);
    let count = 0;
    let last = '';
    for (const end of sorted) {
      if (keyOf(end) === last) continue;
      last = keyOf(end);
      const row = this.ends.append();
      this.ends.data.set([end.kind, end.function, end.row], row * RELATIONSHIP_END.stride);
      count++;
    }
    return count;
  }

  #side(first: number, count: number): RelationshipEnd[] {
    const side: RelationshipEnd[] = [];
    for (let row = first; row < first + count; row++) {
      side.push({
        kind: this.ends.get(row, RELATIONSHIP_END.kind) as EndKind,
        function: this.ends.get(row, RELATIONSHIP_END.function) as FunctionId,
        row: this.ends.get(row, RELATIONSHIP_END.row),
      });
    }
    return side;
  }

  #index<Key>(key: (end: RelationshipEnd) => Key): Map<Key, RelationshipId[]> {
    const index = new Map<Key, RelationshipId[]>();
    for (let row = 0; row < this.length; row++) {
      const id = row as RelationshipId;
      for (const found of new Set([...this.left(id), ...this.right(id)].map(key))) {
        const known = index.get(found);
        if (known === undefined) index.set(found, [id]);
        else known.push(id);
      }
    }
    return index;
  }
}

function keyOf({ kind, function: owner, row }: RelationshipEnd): string {
  return `${kind} ${owner} ${row}`;
}
