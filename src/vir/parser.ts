/**
 * Reads `.vir` text into a VIR module (grammar: spec/006-vir.md §2). Linear in the text.
 *
 * The labels of a function are found before its instructions, so that a block has its number at its first mention; a value may be
 * used before its definition, and such an operand is filled in when the function ends.
 */

import { type DiagnosticError, DiagnosticSink } from '../diag/diagnostic.js';
import { type FunctionId, NONE } from '../ir/entities.js';
import { opcodeRow } from '../ir/opcodes.js';
import { EndKind, OpcodeAndRegion } from '../ir/schema.js';
import { parsePosition, parseTraits } from '../ir/text/annotations.js';
import type { TextCursor } from '../ir/text/cursor.js';
import { atItem, attempt, type FunctionText, type ModuleText, readModule } from '../ir/text/module-reader.js';
import { readRelationships } from '../ir/text/relationship-text.js';
import { TokenKind } from '../ir/text/tokens.js';
import { TextPlaces } from '../ir/text-places.js';
import { VirModule } from '../ir/vir-module.js';
import { VirBuilder } from './builder.js';
import { type EntityKey, NameScope } from './function-names.js';
import { readInstruction } from './instruction-reader.js';
import { OperandReader } from './operand-reader.js';

/** How a text is to be read. */
export interface ParseOptions {
  /** How diagnostics name the text; `<text>` where it has no name. */
  readonly file?: string;
  /** How many errors are collected before the parser gives up. */
  readonly limit?: number;
}

/**
 * The module that the text describes; it is not verified. Throws a DiagnosticError that holds every error of the text, up to the
 * limit, each with its place.
 */
export function parseVir(text: string, options: ParseOptions = {}): VirModule {
  const file = options.file ?? '<text>';
  const sink = new DiagnosticSink(options.limit ?? 100);
  const source = readModule(text, file, sink);
  const module = new VirModule(source.tables);
  const places = new TextPlaces(file);
  const builder = new VirBuilder(module);
  for (const { id, token } of source.globals) place(places, 'globals', id, source.cursor, token);
  const scopes = new Map<FunctionId, NameScope>();
  for (const item of source.functions) {
    if (sink.diagnostics.length >= sink.limit) break;
    place(places, 'functions', item.id, source.cursor, item.token);
    const parser = new FunctionParser(source, item, builder, places, sink);
    parser.read();
    if (source.relationships.length > 0) scopes.set(item.id, parser.values);
  }
  // Where a body is wrong, what it defines is not known.
  if (!sink.hasErrors) {
    const find = (owner: FunctionId, key: EntityKey) => scopes.get(owner)?.find(key);
    const record = (id: number, token: number) => place(places, 'relationships', id, source.cursor, token);
    readRelationships(source, module.relationships, { kind: EndKind.value, find, place: record }, sink);
  }
  for (const [type, token] of source.cursor.typeTokens) place(places, 'types', type, source.cursor, token);
  sink.throwIfErrors();
  module.textPlaces = places;
  return builder.finish();
}

function place(
  places: TextPlaces,
  table: 'instructions' | 'blocks' | 'functions' | 'globals' | 'types' | 'relationships',
  row: number,
  cursor: TextCursor,
  token: number,
): void {
  places.set(places[table], row, cursor.tokens.line(token), cursor.tokens.column(token));
}

/** Reads the parameters and the body of one function. */
class FunctionParser {
  readonly cursor: TextCursor;
  readonly values = new NameScope();
  readonly blocks = new NameScope();
  readonly #reader: OperandReader;
  #blockCount = 0;

  constructor(
    readonly source: ModuleText,
    readonly item: FunctionText,
    readonly builder: VirBuilder,
    readonly places: TextPlaces,
    readonly sink: DiagnosticSink,
  ) {
    this.cursor = source.cursor;
    this.#reader = new OperandReader(source.cursor, source.tables, builder, this.values, this.blocks);
  }

  read(): void {
    this.builder.beginFunction(this.item.id);
    this.#readParameters();
    if (this.item.body !== NONE) {
      this.#findLabels();
      this.cursor.at = this.item.body;
      while (this.#readLine());
      for (const error of this.#reader.resolvePending()) this.#report(error);
    }
    this.builder.endFunction();
  }

  #readParameters(): void {
    const { names } = this.source.tables;
    for (const parameter of this.item.parameters) {
      const { name, traits, position, type, token } = parameter;
      place(this.places, 'instructions', this.builder.module.instructions.length, this.cursor, token);
      const inst = this.builder.parameter(type, {
        name: name === undefined ? NONE : names.intern(name),
        traits,
        position,
      });
      const key = name ?? Number(this.cursor.tokens.raw(token).slice(1));
      if (!this.values.define(key, inst)) {
        attempt(this.sink, () => this.cursor.fail('VCT0118', { name: String(key) }, token));
      }
    }
  }

  /** Gives each label of the body its block number. */
  #findLabels(): void {
    const { cursor } = this;
    let count = 0;
    cursor.at = this.item.body;
    while (!this.#atEnd()) {
      if (this.#atLabel()) {
        const token = cursor.at;
        const key = this.#labelKey();
        if (!this.blocks.define(key, count)) {
          attempt(this.sink, () => cursor.fail('VCT0120', { name: String(key) }, token));
        }
        count++;
      }
      cursor.skipLine();
    }
  }

  #atEnd(): boolean {
    return this.cursor.isAtEnd || (this.cursor.startsLine && (this.cursor.is('}') || atItem(this.cursor)));
  }

  /** A label stands alone on its line, but for its annotations; the case of a switch is followed by a block. */
  #atLabel(): boolean {
    const { cursor } = this;
    const kind = cursor.kind();
    if (kind !== TokenKind.word && kind !== TokenKind.string && kind !== TokenKind.integer) return false;
    if (!cursor.startsLine || !cursor.is(':', 1)) return false;
    const after = Math.min(cursor.at + 2, cursor.tokens.length - 1);
    return (
      cursor.kind(2) === TokenKind.end ||
      cursor.tokens.startsLine(after) ||
      cursor.is('#', 2) ||
      cursor.is('!', 2)
    );
  }

  #labelKey(): EntityKey {
    const { cursor } = this;
    if (cursor.kind() === TokenKind.integer) return cursor.integer('a block number', 0, 2 ** 31 - 1);
    return cursor.plainName('a label');
  }

  /** Reads a label or an instruction; says false at the end of the body. */
  #readLine(): boolean {
    const { cursor } = this;
    if (this.#atEnd()) {
      this.#readEnd();
      return false;
    }
    const before = cursor.at;
    cursor.lineStart = before;
    const well = attempt(this.sink, () => {
      if (this.#atLabel()) this.#readLabel();
      else this.#readInstruction();
      cursor.expectLineEnd();
    });
    if (!well && (cursor.at === before || !cursor.startsLine)) cursor.skipLine();
    return this.sink.diagnostics.length < this.sink.limit;
  }

  #readEnd(): void {
    const { cursor } = this;
    attempt(this.sink, () => {
      if (!cursor.accept('}')) {
        const name = this.source.tables.functionName(this.item.id);
        cursor.fail('VCT0123', { what: `function @${name}` });
      }
      cursor.expectLineEnd();
    });
  }

  #readLabel(): void {
    const { cursor, source, builder } = this;
    const token = cursor.at;
    const key = this.#labelKey();
    cursor.expect(':');
    place(this.places, 'blocks', builder.module.blocks.length, cursor, token);
    const annotations = this.#annotations();
    const name = typeof key === 'string' ? source.tables.names.intern(key) : NONE;
    builder.block({ ...annotations, name });
    this.#blockCount++;
  }

  #region(): number {
    const { cursor } = this;
    // On the next line the word may be a label.
    if (cursor.startsLine || !cursor.accept('region')) return NONE;
    return cursor.integer('a region', 0, OpcodeAndRegion.regionCount - 1);
  }

  #annotations(): { traits: number; position: number } {
    const { cursor, source } = this;
    const traits = parseTraits(cursor, source.tables);
    return { traits, position: parsePosition(cursor, source.tables, source.sources) };
  }

  #readInstruction(): void {
    const { cursor } = this;
    const token = cursor.at;
    const key = this.#resultKey();
    let isDefined = false;
    try {
      if (this.#blockCount === 0) cursor.fail('VCT0130', {}, token);
      const draft = readInstruction(this.#reader);
      const { names, types } = this.source.tables;
      if (key !== undefined && draft.type === types.void) {
        cursor.fail('VCT0124', { opcode: opcodeRow(draft.opcode).name }, token);
      }
      const region = this.#region();
      const annotations = this.#annotations();
      place(this.places, 'instructions', this.builder.module.instructions.length, cursor, token);
      const name = typeof key === 'string' ? names.intern(key) : NONE;
      const result = this.builder.instruction(draft.opcode, draft.type, draft.operands, draft.aux, {
        ...annotations,
        region,
        name,
      });
      isDefined = true;
      if (key !== undefined && !this.values.define(key, result)) {
        cursor.fail('VCT0118', { name: String(key) }, token);
      }
    } finally {
      if (!isDefined) {
        this.#reader.dropPending();
        if (key !== undefined) this.values.defineBroken(key);
      }
    }
  }

  /** Reads `%name =` where it stands. */
  #resultKey(): EntityKey | undefined {
    const { cursor } = this;
    if (!cursor.is('=', 1)) return undefined;
    const key = this.#reader.key('the name of a value');
    cursor.expect('=');
    return key;
  }

  #report(error: DiagnosticError): void {
    for (const item of error.diagnostics) this.sink.add(item);
  }
}
