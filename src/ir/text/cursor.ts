/** A place in a token list that moves forward: what every parser of the two text forms reads through. */

import type { DiagnosticCode } from '../../diag/catalogue.js';
import {
  type DiagnosticArguments,
  type DiagnosticPosition,
  type DiagnosticSink,
  fail,
} from '../../diag/diagnostic.js';
import { TokenKind, TokenList } from './tokens.js';

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** No decimal number of more digits fits the widest integer type, so none is converted. */
const MAXIMUM_DIGITS = 400;

/** Reads tokens one after the other. Whatever does not fit is thrown as a DiagnosticError with its place. */
export class TextCursor {
  readonly tokens: TokenList;
  /** The number of the token that is read next. */
  at = 0;
  /**
   * The token that began the line being read, or -1. What is missing on that line is then reported at its end and not at the
   * next one.
   */
  lineStart = -1;
  /** The token at which each aggregate type was first written, by the id of the type. */
  readonly typeTokens = new Map<number, number>();

  /** `file` is how diagnostics name the text; malformed tokens go to the sink. */
  constructor(text: string, file: string, sink: DiagnosticSink) {
    this.tokens = new TokenList(text, file, sink);
  }

  /** The kind of the next token, or of one further on. */
  kind(ahead = 0): TokenKind {
    return this.tokens.kind(Math.min(this.at + ahead, this.tokens.length - 1));
  }

  /** Whether the next token (or one further on) is that word or mark. A string is never one. */
  is(expected: string, ahead = 0): boolean {
    const token = Math.min(this.at + ahead, this.tokens.length - 1);
    return this.tokens.is(token, expected);
  }

  get isAtEnd(): boolean {
    return this.kind() === TokenKind.end;
  }

  /** Whether the next token begins a line. */
  get startsLine(): boolean {
    return this.isAtEnd || this.tokens.startsLine(this.at);
  }

  /** Moves on by one token and returns its number. */
  advance(): number {
    const token = this.at;
    if (token < this.tokens.length - 1) this.at++;
    return token;
  }

  /** Moves past the next token when it is that word or mark. */
  accept(expected: string): boolean {
    if (!this.is(expected)) return false;
    this.advance();
    return true;
  }

  /** Moves past the next token, which must be that word or mark. */
  expect(expected: string): void {
    if (!this.accept(expected)) this.unexpected(`'${expected}'`);
  }

  /** Moves to the first token of the next line. */
  skipLine(): void {
    if (!this.isAtEnd) this.advance();
    while (!this.startsLine) this.advance();
  }

  /** The next token must begin a line. */
  expectLineEnd(): void {
    if (!this.startsLine) this.unexpected('the end of the line');
  }

  /** Reads a word. */
  word(expected: string): string {
    if (this.kind() !== TokenKind.word) this.unexpected(expected);
    return this.tokens.raw(this.advance());
  }

  /** Reads `%name` and returns the name. */
  localName(expected: string): string {
    if (this.kind() !== TokenKind.local) this.unexpected(expected);
    return this.nameOf(this.advance());
  }

  /** Reads `@name` and returns the name. */
  symbolName(expected: string): string {
    if (this.kind() !== TokenKind.symbol) this.unexpected(expected);
    return this.nameOf(this.advance());
  }

  /** The name of a `local` or `symbol` token, without its sigil and quotes. */
  nameOf(token: number): string {
    const raw = this.tokens.raw(token);
    return raw.charCodeAt(1) === 0x22 ? this.#decode(token, 2) : raw.slice(1);
  }

  /** Reads a name without sigil: a word, or a string. */
  plainName(expected: string): string {
    return this.kind() === TokenKind.string ? this.stringText() : this.word(expected);
  }

  /** Reads a string and returns it as text. */
  stringText(): string {
    if (this.kind() !== TokenKind.string) this.unexpected('a string');
    return this.#decode(this.advance(), 1);
  }

  /** Reads a string and returns its bytes. */
  stringBytes(): Uint8Array {
    if (this.kind() !== TokenKind.string) this.unexpected('a string');
    return this.#bytes(this.advance(), 1);
  }

  /** Reads an integer that must lie between the two bounds. */
  integer(expected: string, minimum: number, maximum: number): number {
    const token = this.at;
    const value = this.bigInteger(expected);
    if (value < BigInt(minimum) || value > BigInt(maximum)) {
      this.fail(
        'VCT0111',
        { found: this.excerpt(token), type: `${expected} (${minimum} to ${maximum})` },
        token,
      );
    }
    return Number(value);
  }

  /** Reads an integer of any size that some type may hold. */
  bigInteger(expected: string): bigint {
    if (this.kind() !== TokenKind.integer) this.unexpected(expected);
    const token = this.advance();
    const raw = this.tokens.raw(token);
    if (raw.length > MAXIMUM_DIGITS) {
      this.fail('VCT0111', { found: this.excerpt(token), type: 'any integer type' }, token);
    }
    return raw.startsWith('-') ? -BigInt(raw.slice(1)) : BigInt(raw);
  }

  /** Where a token is; the next one when none is named. */
  position(token = this.at): DiagnosticPosition {
    return this.tokens.position(token);
  }

  /** Throws a diagnostic at a token. */
  fail(code: DiagnosticCode, values: DiagnosticArguments, token = this.at): never {
    if (this.tokens.kind(token) === TokenKind.malformed) {
      fail('VCT0104', { found: this.excerpt(token) }, this.position(token));
    }
    fail(code, values, this.position(token));
  }

  /** Whether the line that is being read is at its end, so that the next token is on another one. */
  get atNextLine(): boolean {
    return this.lineStart >= 0 && this.at > this.lineStart && this.startsLine;
  }

  /** Throws that the next token is not what was expected. */
  unexpected(expected: string): never {
    if (this.atNextLine && !this.isAtEnd) {
      const { length = 1, ...last } = this.position(this.at - 1);
      fail('VCT0100', { found: 'end of the line', expected }, { ...last, column: last.column + length });
    }
    this.fail('VCT0100', { found: this.isAtEnd ? 'end of the text' : this.excerpt(this.at), expected });
  }

  /** A token for use in a message: shortened when it is long. */
  excerpt(token: number): string {
    if (this.tokens.kind(token) === TokenKind.end) return 'end of the text';
    const raw = this.tokens.raw(token);
    return `'${raw.length > 40 ? `${raw.slice(0, 37)}…` : raw}'`;
  }

  #decode(token: number, skipped: number): string {
    try {
      return decoder.decode(this.#bytes(token, skipped));
    } catch (error) {
      if (error instanceof TypeError) this.fail('VCT0103', {}, token);
      throw error;
    }
  }

  /** The bytes between the quotes; `skipped` characters stand before the content. */
  #bytes(token: number, skipped: number): Uint8Array {
    const raw = this.tokens.raw(token);
    const content = raw.slice(skipped, raw.endsWith('"') && raw.length > skipped ? -1 : undefined);
    const encoded = encoder.encode(content);
    if (!content.includes('\\')) return encoded;
    let length = 0;
    for (let at = 0; at < encoded.length; at++) {
      let byte = encoded[at] as number;
      if (byte === 0x5c) {
        byte = (hexDigit(encoded[at + 1]) << 4) | hexDigit(encoded[at + 2]);
        if (byte < 0) this.fail('VCT0103', {}, token);
        at += 2;
      }
      encoded[length++] = byte;
    }
    return encoded.subarray(0, length);
  }
}

/** The value of an ASCII hexadecimal digit, or a negative number. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -256;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -256;
}
