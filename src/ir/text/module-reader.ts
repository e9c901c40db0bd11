/**
 * Reads what `.hir` and `.vir` share: every item of a module but the bodies of its functions.
 *
 * Items may refer to each other in any order, so the reader goes over their first tokens several times: names of types, then
 * their members, then the signatures of functions and globals, then the initializers. Each is one pass over the items.
 */

import { DiagnosticError, type DiagnosticSink } from '../../diag/diagnostic.js';
import { type PinnedLayout, quotedName, type TypeMember } from '../../types/type-table.js';
import {
  type FunctionId,
  type GlobalId,
  type NameId,
  NONE,
  type PositionId,
  type TraitSetId,
  type TypeId,
} from '../entities.js';
import { ModuleTables } from '../module-tables.js';
import { FUNCTION, FunctionFlag, GLOBAL, GlobalFlag, Linkage, TypeKind } from '../schema.js';
import { parsePosition, parseTraits } from './annotations.js';
import { TextCursor } from './cursor.js';
import { parseConstant } from './parse-constant.js';
import { parseMembers, parseType } from './parse-type.js';
import { TokenKind } from './tokens.js';

const ITEM_WORDS = ['module', 'source', 'type', 'global', 'constant', 'declare', 'func', 'relate'] as const;
type ItemWord = (typeof ITEM_WORDS)[number];
const ITEM_SET: ReadonlySet<string> = new Set(ITEM_WORDS);
const LINKAGE_WORDS: ReadonlyMap<string, Linkage> = new Map(Object.entries(Linkage));

/** A parameter as the signature of a function writes it. */
export interface ParameterText {
  /** The token of its name. */
  readonly token: number;
  /** Its name; undefined when it is written `%0`. */
  readonly name: string | undefined;
  readonly type: TypeId;
  readonly traits: TraitSetId;
  /** Whether they are written as stale; never in a text that may not say so. */
  readonly isStale: boolean;
  readonly position: PositionId;
}

/** The signature of a function, and where its body is. */
export interface FunctionText {
  readonly id: FunctionId;
  /** The token of its name. */
  readonly token: number;
  /** Empty for a declaration that names no parameters. */
  readonly parameters: readonly ParameterText[];
  /** The token after `{`, or NONE for a declaration. */
  readonly body: number;
  /** Whether its traits are written as stale; never in a text that may not say so. */
  readonly isStale: boolean;
}

/** The items of a text, with the bodies still to be read. */
export interface ModuleText {
  readonly tables: ModuleTables;
  readonly cursor: TextCursor;
  /** The files that positions refer to, by number. */
  readonly sources: readonly NameId[];
  /** The functions, in the order of the text. */
  readonly functions: readonly FunctionText[];
  /** The globals, in the order of the text, each with the token of its name. */
  readonly globals: readonly GlobalText[];
  /** The `relate` tokens, in the order of the text: what they name is known once the bodies are read. */
  readonly relationships: readonly number[];
}

/** A global, and the token of its name. */
export interface GlobalText {
  readonly id: GlobalId;
  readonly token: number;
}

/** Whether an item of a module begins at the cursor. */
export function atItem(cursor: TextCursor): boolean {
  if (!cursor.startsLine || cursor.kind() !== TokenKind.word) return false;
  const next = cursor.kind(1);
  const isNamed = next === TokenKind.local || next === TokenKind.symbol || next === TokenKind.string;
  return isNamed && ITEM_SET.has(cursor.tokens.raw(cursor.at));
}

/** Reads everything but the bodies; `mayBeStale` where `#stale[…]` is allowed, which is in HIR. Errors go to the sink; what follows a wrong item is still read. */
export function readModule(text: string, file: string, sink: DiagnosticSink, mayBeStale = false): ModuleText {
  const reader = new ModuleReader(new TextCursor(text, file, sink), sink, mayBeStale);
  return reader.read();
}

/** Runs one step of a parser; its errors go to the sink. Says whether it went well. */
export function attempt(sink: DiagnosticSink, step: () => void): boolean {
  try {
    step();
    return true;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    for (const item of error.diagnostics) sink.add(item);
    return false;
  }
}

function bracketStep(mark: string): number {
  if (mark === '{' || mark === '(' || mark === '[') return 1;
  return mark === '}' || mark === ')' || mark === ']' ? -1 : 0;
}

/** An offset is an int32 column. */
const MAXIMUM_BYTES = 2 ** 31 - 1;

class ModuleReader {
  readonly #items = new Map<ItemWord, number[]>(ITEM_WORDS.map((word) => [word, []]));
  readonly #sources: NameId[] = [];
  readonly #functions: FunctionText[] = [];
  readonly #globals: GlobalText[] = [];
  readonly #initializers: { readonly global: GlobalId; readonly type: TypeId; readonly token: number }[] = [];
  #tables = new ModuleTables('module');

  constructor(
    readonly cursor: TextCursor,
    readonly sink: DiagnosticSink,
    readonly mayBeStale: boolean,
  ) {}

  read(): ModuleText {
    this.#findItems();
    this.#each('module', () => this.#readModuleName());
    this.#each('source', () => this.#readSource());
    this.#each('type', () => this.#declareType());
    this.#each('type', () => this.#defineType());
    if (this.#sources.length === 0) {
      // Positions in a text without sources are places in the text itself.
      this.#sources.push(this.#tables.names.intern(this.cursor.tokens.file));
    }
    this.#eachSymbol();
    for (const initializer of this.#initializers)
      attempt(this.sink, () => this.#readInitializer(initializer));
    this.cursor.lineStart = NONE;
    return {
      tables: this.#tables,
      cursor: this.cursor,
      sources: this.#sources,
      functions: this.#functions,
      globals: this.#globals,
      relationships: this.#items.get('relate') as number[],
    };
  }

  /** An item begins with its word at the start of a line, followed by a name; nothing else in either form does. */
  #findItems(): void {
    const { tokens } = this.cursor;
    let depth = 0;
    // Whether the brace that opens a body is still to come; it may stand on a line of its own.
    let expectsBody = false;
    for (let token = 0; token < tokens.length - 1; token++) {
      const kind = tokens.kind(token);
      const before = depth;
      if (kind === TokenKind.punctuation) depth = Math.max(0, depth + bracketStep(tokens.raw(token)));
      const opensBody = expectsBody && before === 0 && tokens.is(token, '{');
      if (opensBody) expectsBody = false;
      if (!tokens.startsLine(token)) continue;
      const word = kind === TokenKind.word ? tokens.raw(token) : '';
      const next = tokens.kind(token + 1);
      const isNamed = next === TokenKind.local || next === TokenKind.symbol || next === TokenKind.string;
      if (ITEM_SET.has(word) && (isNamed || before === 0)) {
        (this.#items.get(word as ItemWord) as number[]).push(token);
        depth = 0;
        expectsBody = word === 'func';
      } else if (before === 0 && !opensBody) {
        this.#strayLine(token);
      }
    }
  }

  #strayLine(token: number): void {
    if (this.sink.diagnostics.length >= this.sink.limit) return;
    this.cursor.at = token;
    attempt(this.sink, () => this.cursor.unexpected(`one of ${ITEM_WORDS.join(', ')}`));
  }

  #each(word: ItemWord, read: () => void): void {
    for (const token of this.#items.get(word) as number[]) {
      this.cursor.lineStart = token;
      this.cursor.at = token + 1;
      attempt(this.sink, read);
    }
  }

  /** Functions and globals in the order of the text. */
  #eachSymbol(): void {
    const words: readonly ItemWord[] = ['global', 'constant', 'declare', 'func'];
    const tokens = words.flatMap((word) => this.#items.get(word) as number[]).sort((a, b) => a - b);
    for (const token of tokens) {
      this.cursor.lineStart = token;
      this.cursor.at = token;
      attempt(this.sink, () => {
        const word = this.cursor.word('an item');
        if (word === 'global' || word === 'constant') this.#readGlobal(word === 'constant');
        else this.#readFunction(word === 'func');
      });
    }
  }

  #readModuleName(): void {
    if ((this.#items.get('module') as number[])[0] !== this.cursor.at - 1) {
      this.cursor.fail('VCT0127', {}, this.cursor.at - 1);
    }
    this.#tables = new ModuleTables(this.cursor.stringText());
    this.cursor.expectLineEnd();
  }

  #readSource(): void {
    this.#sources.push(this.#tables.names.intern(this.cursor.stringText()));
    this.cursor.expectLineEnd();
  }

  #declareType(): void {
    const { names, types } = this.#tables;
    const token = this.cursor.at;
    const text = this.cursor.localName('a type name');
    const name = names.intern(text);
    if (types.findNamed(name) !== undefined) this.cursor.fail('VCT0107', { name: text }, token);
    const isUnion = this.cursor.is('=') && this.cursor.is('union', this.cursor.is('opaque', 1) ? 2 : 1);
    this.cursor.typeTokens.set(types.declareNamed(isUnion ? TypeKind.union : TypeKind.struct, name), token);
  }

  #defineType(): void {
    const { names, types } = this.#tables;
    const text = this.cursor.localName('a type name');
    const type = types.findNamed(names.intern(text)) as TypeId;
    this.cursor.expect('=');
    const isOpaque = this.cursor.accept('opaque');
    const isUnion = this.cursor.accept('union');
    if (!isOpaque) {
      const members: TypeMember[] = parseMembers(this.cursor, types);
      types.defineNamed(type, members);
      if (!isUnion && this.cursor.is('layout')) types.pin(type, this.#layout(text, members.length));
    }
    this.cursor.expectLineEnd();
  }

  #readGlobal(isConstant: boolean): void {
    const tables = this.#tables;
    const token = this.cursor.at;
    const text = this.cursor.symbolName('the name of a global');
    this.cursor.expect(':');
    const type = parseType(this.cursor, tables.types);
    const linkage = this.#linkage() ?? Linkage.internal;
    const isThreadLocal = this.cursor.accept('thread_local');
    const flags = (isConstant ? GlobalFlag.constant : 0) | (isThreadLocal ? GlobalFlag.threadLocal : 0);
    const global = tables.addGlobal(tables.names.intern(text), type, linkage, NONE as never, flags);
    if (global === NONE) this.cursor.fail('VCT0109', { name: text }, token);
    this.#globals.push({ id: global, token });
    if (this.cursor.is('=')) this.#initializers.push({ global, type, token: this.cursor.at + 1 });
    else this.#annotateGlobal(global);
  }

  #readInitializer(initializer: { global: GlobalId; type: TypeId; token: number }): void {
    this.cursor.lineStart = initializer.token - 1;
    this.cursor.at = initializer.token;
    const constant = parseConstant(this.cursor, this.#tables, initializer.type);
    this.#tables.globals.set(initializer.global, GLOBAL.initializer, constant);
    this.#annotateGlobal(initializer.global);
  }

  #annotateGlobal(global: GlobalId): void {
    const { globals } = this.#tables;
    globals.set(global, GLOBAL.traits, parseTraits(this.cursor, this.#tables));
    globals.set(global, GLOBAL.position, parsePosition(this.cursor, this.#tables, this.#sources));
    this.cursor.expectLineEnd();
  }

  #readFunction(hasBody: boolean): void {
    const tables = this.#tables;
    const token = this.cursor.at;
    const text = this.cursor.symbolName('the name of a function');
    const { parameters, types, varargs } = this.#parameters(hasBody);
    this.cursor.expect('->');
    const result = parseType(this.cursor, tables.types);
    const type = tables.types.function(types, result, varargs);
    const linkage = this.#linkage() ?? (hasBody ? Linkage.internal : Linkage.extern);
    let isStale = false;
    const traits = parseTraits(
      this.cursor,
      tables,
      this.#staleness(() => {
        isStale = true;
      }),
    );
    const position = parsePosition(this.cursor, tables, this.#sources);
    if (hasBody) this.cursor.expect('{');
    else this.cursor.expectLineEnd();
    const id = tables.addFunction(tables.names.intern(text), type, linkage, traits, position);
    if (id === NONE) this.cursor.fail('VCT0109', { name: text }, token);
    if (hasBody) tables.functions.set(id, FUNCTION.flags, FunctionFlag.hasBody);
    this.#functions.push({ id, token, parameters, body: hasBody ? this.cursor.at : NONE, isStale });
  }

  /** A function with a body names every parameter; a declaration names all of them or none. */
  #parameters(hasBody: boolean): { parameters: ParameterText[]; types: TypeId[]; varargs: boolean } {
    const parameters: ParameterText[] = [];
    const types: TypeId[] = [];
    let varargs = false;
    this.cursor.expect('(');
    while (types.length > 0 || !this.cursor.is(')')) {
      varargs = this.cursor.accept('...');
      if (varargs) break;
      const isNamed = this.cursor.kind() === TokenKind.localNumber || this.cursor.is(':', 1);
      if (hasBody || isNamed) parameters.push(this.#parameter());
      types.push(parameters.length > 0 ? (parameters.at(-1) as ParameterText).type : this.#type());
      if (parameters.length > 0 && parameters.length !== types.length)
        this.cursor.unexpected('a parameter name');
      if (!this.cursor.accept(',')) break;
    }
    this.cursor.expect(')');
    return { parameters, types, varargs };
  }

  #type(): TypeId {
    return parseType(this.cursor, this.#tables.types);
  }

  #parameter(): ParameterText {
    const token = this.cursor.at;
    const isNumber = this.cursor.kind() === TokenKind.localNumber;
    const name = isNumber ? undefined : this.cursor.localName('a parameter name');
    if (isNumber) this.cursor.advance();
    this.cursor.expect(':');
    const type = this.#type();
    let isStale = false;
    const traits = parseTraits(
      this.cursor,
      this.#tables,
      this.#staleness(() => {
        isStale = true;
      }),
    );
    const position = parsePosition(this.cursor, this.#tables, this.#sources);
    return { token, name, type, traits, isStale, position };
  }

  /** What to do at stale traits, in a text that may have some. */
  #staleness(onStale: () => void): (() => void) | undefined {
    return this.mayBeStale ? onStale : undefined;
  }

  /** Reads `layout(size 16, align 8, at 0, 8)`, with an offset a member. */
  #layout(name: string, count: number): PinnedLayout {
    const token = this.cursor.at;
    const amount = (word: string) => {
      this.cursor.expect(word);
      return this.cursor.integer('a number of bytes', 0, MAXIMUM_BYTES);
    };
    this.cursor.expect('layout');
    this.cursor.expect('(');
    const size = amount('size');
    this.cursor.expect(',');
    const alignment = amount('align');
    this.cursor.expect(',');
    const offsets = [amount('at')];
    while (this.cursor.accept(',')) offsets.push(this.cursor.integer('an offset', 0, MAXIMUM_BYTES));
    this.cursor.expect(')');
    if (offsets.length !== count) {
      const detail = `${offsets.length} offsets for ${count} members`;
      this.cursor.fail('VCT0248', { type: `%${quotedName(name)}`, detail }, token);
    }
    return { size, alignment, offsets };
  }

  #linkage(): Linkage | undefined {
    const word = this.cursor.kind() === TokenKind.word ? this.cursor.tokens.raw(this.cursor.at) : '';
    const linkage = LINKAGE_WORDS.get(word);
    if (linkage !== undefined) this.cursor.advance();
    return linkage;
  }
}
