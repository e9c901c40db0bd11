/**
 * Reads `.hir` text into a HIR module (grammar: spec/003-hir.md §4). Linear in the text; open constructs are kept on a stack, so
 * that they may nest as deep as the text does.
 */

import { DiagnosticSink } from '../diag/diagnostic.js';
import {
  type FunctionId,
  NONE,
  type Node,
  type PositionId,
  type TypeId,
  type Variable,
} from '../ir/entities.js';
import { HirModule } from '../ir/hir-module.js';
import { NodeKind } from '../ir/node-kinds.js';
import { typeText } from '../ir/operation-rules.js';
import { EndKind, FUNCTION, HIR_NODE, HIR_VARIABLE } from '../ir/schema.js';
import { parsePosition, parseTraits } from '../ir/text/annotations.js';
import type { TextCursor } from '../ir/text/cursor.js';
import { atItem, attempt, type FunctionText, type ModuleText, readModule } from '../ir/text/module-reader.js';
import { parseType } from '../ir/text/parse-type.js';
import { readRelationships } from '../ir/text/relationship-text.js';
import { TokenKind } from '../ir/text/tokens.js';
import { TextPlaces } from '../ir/text-places.js';
import { type ExpressionOwner, ExpressionReader } from './expression-reader.js';
import { StatementReader } from './statement-reader.js';
import { variableAccess } from './variable-access.js';

/** How a text is to be read. */
export interface ParseOptions {
  /** How diagnostics name the text; `<text>` where it has no name. */
  readonly file?: string;
  /** How many errors are collected before the parser gives up. */
  readonly limit?: number;
}

/**
 * The module that the text describes; it is not verified. Throws a DiagnosticError that holds the errors of the text, at most one
 * a function body, each with its place.
 */
export function parseHir(text: string, options: ParseOptions = {}): HirModule {
  const file = options.file ?? '<text>';
  const sink = new DiagnosticSink(options.limit ?? 100);
  const source = readModule(text, file, sink, true);
  const module = new HirModule(source.tables);
  const places = new TextPlaces(file);
  const record = (table: 'types' | 'globals' | 'functions', row: number, token: number) =>
    places.set(places[table], row, source.cursor.tokens.line(token), source.cursor.tokens.column(token));
  for (const { id, token } of source.globals) record('globals', id, token);
  const readers = new Map<FunctionId, FunctionReader>();
  for (const item of source.functions) {
    if (sink.diagnostics.length >= sink.limit) break;
    record('functions', item.id, item.token);
    const reader = new FunctionReader(source, module, item, places);
    attempt(sink, () => reader.read());
    if (source.relationships.length > 0) readers.set(item.id, reader);
  }
  // Where a body is wrong, what it declares is not known.
  if (!sink.hasErrors) readAllRelationships(source, module, readers, places, sink);
  for (const [type, token] of source.cursor.typeTokens) record('types', type, token);
  sink.throwIfErrors();
  module.textPlaces = places;
  return module;
}

function readAllRelationships(
  source: ModuleText,
  module: HirModule,
  readers: ReadonlyMap<FunctionId, FunctionReader>,
  places: TextPlaces,
  sink: DiagnosticSink,
): void {
  const { tokens } = source.cursor;
  const reader = {
    kind: EndKind.variable,
    find: (owner: FunctionId, key: string | number) => readers.get(owner)?.find(key),
    place: (id: number, token: number) =>
      places.set(places.relationships, id, tokens.line(token), tokens.column(token)),
  };
  readRelationships(source, module.relationships, reader, sink);
}

/** Reads the parameters and the body of one function. */
export class FunctionReader implements ExpressionOwner {
  readonly expressions: ExpressionReader;
  readonly #variables = new Map<string | number, number>();
  readonly #firstVariable: number;
  readonly #statements: StatementReader;

  constructor(
    readonly source: ModuleText,
    readonly hir: HirModule,
    readonly item: FunctionText,
    readonly places: TextPlaces,
  ) {
    this.#firstVariable = hir.variables.length;
    this.expressions = new ExpressionReader(this);
    this.#statements = new StatementReader(this);
  }

  read(): void {
    const { source, item, hir } = this;
    for (const { token, name, type, traits, isStale, position } of item.parameters) {
      const key = name ?? Number(source.cursor.tokens.raw(token).slice(1));
      const row = this.#add(key, token, type, traits, position);
      if (isStale) hir.epochs.touch('variable', row as Variable);
    }
    const parameterCount = item.parameters.length;
    let body = NONE as Node;
    if (item.body !== NONE) {
      source.cursor.at = item.body;
      body = this.#body();
    }
    const count = hir.variables.length - this.#firstVariable;
    hir.defineFunction(item.id, body, this.#firstVariable, count, parameterCount);
    if (item.isStale) hir.epochs.touch('function', item.id);
  }

  /** The variable with this name, or of this number among those without one. */
  find(key: string | number): number | undefined {
    return this.#variables.get(key);
  }

  /** Records where in the text a node stands. */
  place(node: Node, token: number): void {
    const { tokens } = this.source.cursor;
    this.places.set(this.places.nodes, node, tokens.line(token), tokens.column(token));
  }

  /** Reads the name of a variable that is declared above. */
  variable(): { readonly row: number; readonly type: TypeId } {
    const cursor: TextCursor = this.source.cursor;
    const token = cursor.at;
    const key = this.#key();
    const row = this.#variables.get(key);
    if (row === undefined) cursor.fail('VCT0404', { name: String(key) }, token);
    return { row, type: this.hir.variables.get(row, HIR_VARIABLE.type) as TypeId };
  }

  /** Reads `%name: T #[…] at !1:2` and adds the variable; `declaration` is its node, or NONE. */
  declaration(declaration: Node): { readonly row: number; readonly isPlaced: boolean } {
    const { cursor, tables } = this.source;
    const token = cursor.at;
    const key = this.#key();
    cursor.expect(':');
    const type = parseType(cursor, tables.types);
    let isStale = false;
    const traits = parseTraits(cursor, tables, () => {
      isStale = true;
    });
    const isPlaced = cursor.accept('at');
    const position = isPlaced ? this.expressions.position() : NONE;
    if (isPlaced && !ExpressionReader.isWritten(position)) cursor.unexpected('a position');
    const row = this.#add(key, token, type, traits, position);
    this.hir.variables.set(row, HIR_VARIABLE.declaration, declaration);
    if (isStale) this.hir.epochs.touch('variable', row as Variable);
    return { row, isPlaced };
  }

  #key(): string | number {
    const { cursor } = this.source;
    if (cursor.kind() !== TokenKind.localNumber) return cursor.localName('a variable');
    return Number(cursor.tokens.raw(cursor.advance()).slice(1));
  }

  #add(key: string | number, token: number, type: TypeId, traits: number, position: number): number {
    const { hir } = this;
    if (this.#variables.has(key)) this.source.cursor.fail('VCT0405', { name: String(key) }, token);
    const { tables } = this.source;
    if (!tables.types.isFirstClass(type))
      this.source.cursor.fail('VCT0409', { name: String(key), type: typeText(tables, type) }, token);
    const name = typeof key === 'string' ? tables.names.intern(key) : NONE;
    const access = variableAccess(tables, traits as never);
    const row = hir.addVariable(this.item.id, name, type, traits, position, access);
    this.#variables.set(key, row);
    const { tokens } = this.source.cursor;
    this.places.set(this.places.variables, row, tokens.line(token), tokens.column(token));
    return row;
  }

  #body(): Node {
    const { cursor, tables } = this.source;
    const { hir, expressions } = this;
    const body = hir.addNode(NodeKind.block, tables.types.void);
    this.place(body, this.item.token);
    const outer = tables.functions.get(this.item.id, FUNCTION.position);
    this.blockAnnotations(body, outer);
    while (cursor.startsLine && cursor.is('local') && cursor.kind(1) !== TokenKind.punctuation) {
      cursor.advance();
      const { row } = this.declaration(NONE as Node);
      const position = parsePosition(cursor, tables, this.source.sources);
      if (position !== NONE) hir.variables.set(row, HIR_VARIABLE.position, position);
    }
    expressions.skip();
    this.#statements.read(body);
    cursor.expectLineEnd();
    return body;
  }

  /** Reads the traits of a node where some are written. */
  readTraits(node: Node): void {
    const { cursor, tables } = this.source;
    if (!cursor.is('#')) return;
    const traits = parseTraits(cursor, tables, () => this.hir.epochs.touch('node', node));
    this.hir.nodes.set(node, HIR_NODE.traits, traits);
  }

  /** Reads what may follow the `{` of a block; a position that is not written is that of what the block stands in. */
  blockAnnotations(block: Node, outer: number): void {
    this.expressions.name(block);
    this.readTraits(block);
    const position = this.expressions.position();
    this.hir.nodes.set(block, HIR_NODE.position, ExpressionReader.isWritten(position) ? position : outer);
  }

  /** Reads traits and position of a statement. */
  annotations(node: Node): PositionId {
    const { cursor, tables } = this.source;
    this.readTraits(node);
    const position = parsePosition(cursor, tables, this.source.sources);
    this.hir.nodes.set(node, HIR_NODE.position, position);
    return position;
  }

  /** The text ends, or another item begins, before the body is closed. */
  get isTruncated(): boolean {
    return this.source.cursor.isAtEnd || atItem(this.source.cursor);
  }

  /** Fails because the text ends too early. */
  truncated(): never {
    const name = this.source.tables.functionName(this.item.id);
    this.source.cursor.fail('VCT0123', { what: `function @${name}` });
  }
}
