/**
 * The relationships of a module in both text forms, one a line behind the functions (002 §5):
 *
 *     relate @copy %target NoAlias %source
 *     relate @fill %row, @fill %cell NoAlias @counter !3:5
 *
 * A value names its function, unless that of the end before it is meant.
 */

import type { DiagnosticSink } from '../../diag/diagnostic.js';
import { RELATIONSHIPS } from '../../traits/trait-table.js';
import { quotedName } from '../../types/type-table.js';
import { type FunctionId, type GlobalId, NONE, type RelationshipId } from '../entities.js';
import type { RelationshipEnd, Relationships } from '../relationships.js';
import { EndKind } from '../schema.js';
import { parseChoice, parsePosition } from './annotations.js';
import type { TextCursor } from './cursor.js';
import type { ModulePrinter } from './module-printer.js';
import { attempt, type ModuleText } from './module-reader.js';
import { TokenKind } from './tokens.js';

const NAMES = RELATIONSHIPS.map((row) => row.name);

/** Finds a value of a function by its name, or by its number where it is written `%0`. */
export type FindValue = (owner: FunctionId, key: string | number) => number | undefined;

/** What the representation that is read has to say of its relationships. */
export interface RelationshipReader {
  /** What a named end is: a variable in HIR, a value in VIR. */
  readonly kind: EndKind;
  readonly find: FindValue;
  /** Told where in the text each relationship stands. */
  readonly place: (id: RelationshipId, token: number) => void;
}

/** Reads every `relate` line of the text; errors go to the sink. */
export function readRelationships(
  source: ModuleText,
  target: Relationships,
  reader: RelationshipReader,
  sink: DiagnosticSink,
): void {
  const { cursor } = source;
  for (const token of source.relationships) {
    cursor.lineStart = token;
    cursor.at = token + 1;
    attempt(sink, () => readRelationship(source, target, reader, token));
  }
  cursor.lineStart = NONE;
}

function readRelationship(
  source: ModuleText,
  target: Relationships,
  reader: RelationshipReader,
  token: number,
): void {
  const { cursor, tables } = source;
  const left = readSide(source, reader, NONE as FunctionId);
  const kind = parseChoice(cursor, 'relationship', NAMES);
  const right = readSide(source, reader, left.owner);
  const position = parsePosition(cursor, tables, source.sources);
  cursor.expectLineEnd();
  reader.place(target.add(kind, left.ends, right.ends, position), token);
}

/** Reads the ends of one side; `owner` is the function of the end before. */
function readSide(
  source: ModuleText,
  reader: RelationshipReader,
  owner: FunctionId,
): { readonly ends: readonly RelationshipEnd[]; readonly owner: FunctionId } {
  const { cursor } = source;
  const ends: RelationshipEnd[] = [];
  let current = owner;
  do {
    if (cursor.kind() === TokenKind.symbol) {
      const symbol = readSymbol(source, isValue(cursor, 1));
      if ('global' in symbol) {
        ends.push({ kind: EndKind.global, function: NONE as FunctionId, row: symbol.global });
        continue;
      }
      current = symbol.function;
    }
    if (current === NONE || !isValue(cursor, 0))
      cursor.unexpected('an end of a relationship, such as @f %p or @g');
    ends.push({ kind: reader.kind, function: current, row: readValue(cursor, reader, current) });
  } while (cursor.accept(','));
  return { ends, owner: current };
}

function isValue(cursor: TextCursor, ahead: number): boolean {
  const kind = cursor.kind(ahead);
  return kind === TokenKind.local || kind === TokenKind.localNumber;
}

/** Reads `@name`: the function of the value that follows, or a global. */
function readSymbol(
  { cursor, tables }: ModuleText,
  isFunction: boolean,
): { readonly function: FunctionId } | { readonly global: GlobalId } {
  const token = cursor.at;
  const text = cursor.symbolName('a symbol');
  const name = tables.names.intern(text);
  if (isFunction) {
    const id = tables.findFunction(name);
    if (id !== undefined) return { function: id };
  } else {
    const id = tables.findGlobal(name);
    if (id !== undefined) return { global: id };
  }
  return cursor.fail('VCT0110', { name: text }, token);
}

function readValue(cursor: TextCursor, reader: RelationshipReader, owner: FunctionId): number {
  const token = cursor.at;
  const key =
    cursor.kind() === TokenKind.localNumber
      ? Number(cursor.tokens.raw(cursor.advance()).slice(1))
      : cursor.localName('a value');
  return reader.find(owner, key) ?? cursor.fail('VCT0119', { name: String(key) }, token);
}

/** Every relationship as a line. `textOf` gives the name of a value as its function writes it, without the `%`. */
export function relationshipLines(
  printer: ModulePrinter,
  relationships: Relationships,
  textOf: (owner: FunctionId, row: number) => string,
): string[] {
  const lines: string[] = [];
  for (let row = 0; row < relationships.length; row++) {
    const id = row as RelationshipId;
    const left = sideText(printer, relationships.left(id), NONE as FunctionId, textOf);
    const right = sideText(printer, relationships.right(id), left.owner, textOf);
    const position = printer.position(relationships.position(id));
    lines.push(`relate ${left.text} ${relationships.name(id)} ${right.text}${position}`);
  }
  return lines;
}

function sideText(
  printer: ModulePrinter,
  ends: readonly RelationshipEnd[],
  owner: FunctionId,
  textOf: (owner: FunctionId, row: number) => string,
): { readonly text: string; readonly owner: FunctionId } {
  const { tables } = printer;
  let current = owner;
  const texts = ends.map((end) => {
    if (end.kind === EndKind.global) return `@${quotedName(tables.globalName(end.row as GlobalId))}`;
    const isNew = end.function !== current;
    current = end.function;
    const value = `%${textOf(end.function, end.row)}`;
    return isNew ? `@${quotedName(tables.functionName(end.function))} ${value}` : value;
  });
  return { text: texts.join(', '), owner: current };
}
