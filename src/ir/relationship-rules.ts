/**
 * What is asked of relationships, in HIR and VIR alike (002 §5): that the tables can be read, that what is joined can be an end, and
 * that nothing is joined to itself that cannot be.
 */

import { type DiagnosticPosition, type DiagnosticSink, diagnostic } from '../diag/diagnostic.js';
import { RELATIONSHIPS, relationshipRow } from '../traits/trait-table.js';
import { type GlobalId, NONE, type RelationshipId, type TypeId } from './entities.js';
import type { ModuleTables } from './module-tables.js';
import type { RelationshipEnd, Relationships } from './relationships.js';
import { EndKind, RELATIONSHIP, RELATIONSHIP_END } from './schema.js';
import { isRange, isWhole, type ReportTableFault } from './shared-table-faults.js';

/** What a representation has to say of the ends of its relationships. */
export interface EndRules {
  /** What a named end is. */
  readonly kind: EndKind;
  /** Whether the row is one of the function's. Asked before anything else of the end. */
  readonly has: (end: RelationshipEnd) => boolean;
  /** The type of its value; not asked of a global. */
  readonly type: (end: RelationshipEnd) => TypeId;
  /** As a message names it: `%p`. */
  readonly name: (end: RelationshipEnd) => string;
  readonly position: (id: RelationshipId) => DiagnosticPosition | undefined;
}

/** Reports rows that cannot be read. Linear in the tables. */
export function relationshipTableFaults(
  tables: ModuleTables,
  relationships: Relationships,
  rules: EndRules,
  report: ReportTableFault,
): void {
  const { rows, ends } = relationships;
  for (const [name, table] of Object.entries({ relationship: rows, 'relationship end': ends })) {
    if (!isWhole(table)) {
      report(name, table.length, 'no end');
      return;
    }
  }
  let next = 0;
  for (let row = 0; row < rows.length; row++) {
    const fault = rowFault(tables, relationships, row, next);
    next += rows.get(row, RELATIONSHIP.leftCount) + rows.get(row, RELATIONSHIP.rightCount);
    if (fault !== undefined && !report('relationship', row, fault)) return;
  }
  for (let row = 0; row < ends.length; row++) {
    const fault = endFault(tables, relationships, rules, row);
    if (fault !== undefined && !report('relationship end', row, fault)) return;
  }
}

/** `firstEnd` is where the ends of the rows before end: rows that shared ends could claim endless work. */
function rowFault(
  tables: ModuleTables,
  { rows, ends }: Relationships,
  row: number,
  firstEnd: number,
): string | undefined {
  const column = (offset: number) => rows.get(row, offset);
  const [left, right] = [column(RELATIONSHIP.leftCount), column(RELATIONSHIP.rightCount)];
  const kind = column(RELATIONSHIP.kind);
  const position = column(RELATIONSHIP.position);
  if (RELATIONSHIPS[kind] === undefined) return `kind ${kind}`;
  if (left < 1 || right < 1) return 'a side without ends';
  if (column(RELATIONSHIP.firstEnd) !== firstEnd || !isRange(firstEnd, left + right, ends.length))
    return 'ends outside the table';
  return position >= NONE && position < tables.positions.length ? undefined : `position ${position}`;
}

function endFault(
  tables: ModuleTables,
  { ends }: Relationships,
  rules: EndRules,
  row: number,
): string | undefined {
  const end = {
    kind: ends.get(row, RELATIONSHIP_END.kind) as EndKind,
    function: ends.get(row, RELATIONSHIP_END.function),
    row: ends.get(row, RELATIONSHIP_END.row),
  } as RelationshipEnd;
  if (end.kind === EndKind.global)
    return end.row >= 0 && end.row < tables.globals.length ? undefined : `global ${end.row}`;
  if (end.kind !== rules.kind) return `kind ${end.kind}`;
  const isFunction = end.function >= 0 && end.function < tables.functions.length;
  return isFunction && rules.has(end) ? undefined : `row ${end.row} of function ${end.function}`;
}

/** Checks relationships whose tables can be read. Linear in their ends. */
export function verifyRelationships(
  tables: ModuleTables,
  relationships: Relationships,
  rules: EndRules,
  sink: DiagnosticSink,
): void {
  for (let row = 0; row < relationships.length; row++) {
    const id = row as RelationshipId;
    const position = rules.position(id);
    const { name, ofPointers, isIrreflexive } = relationshipRow(relationships.kind(id));
    const left = relationships.left(id);
    const right = relationships.right(id);
    for (const end of [...left, ...right]) {
      if (!ofPointers || end.kind === EndKind.global || tables.types.isPointer(rules.type(end))) continue;
      const found = tables.types.text(rules.type(end)).slice(0, 100);
      sink.add(
        diagnostic('VCT0250', { what: endText(tables, rules, end), relationship: name, found }, position),
      );
    }
    const shared = isIrreflexive ? sharedEnd(left, right) : undefined;
    if (shared === undefined) continue;
    const what = endText(tables, rules, shared);
    sink.add(diagnostic('VCT0251', { what, relationship: name }, position));
  }
}

/** An end that both sides have. Both are in ascending order, so one pass over them finds it. */
export function sharedEnd(
  left: readonly RelationshipEnd[],
  right: readonly RelationshipEnd[],
): RelationshipEnd | undefined {
  let at = 0;
  for (const end of left) {
    while (at < right.length && compareEnds(right[at] as RelationshipEnd, end) < 0) at++;
    if (at < right.length && compareEnds(right[at] as RelationshipEnd, end) === 0) return end;
  }
  return undefined;
}

function compareEnds(a: RelationshipEnd, b: RelationshipEnd): number {
  return a.kind - b.kind || a.function - b.function || a.row - b.row;
}

/** `%p of @copy`, or `@counter`. */
export function endText(tables: ModuleTables, rules: Pick<EndRules, 'name'>, end: RelationshipEnd): string {
  if (end.kind === EndKind.global) return `@${tables.globalName(end.row as GlobalId)}`;
  return `${rules.name(end)} of @${tables.functionName(end.function)}`;
}
