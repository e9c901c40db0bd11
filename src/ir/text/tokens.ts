/**
 * The tokens of `.hir` and `.vir` text, cut in one pass without backtracking: linear in the text, whatever it holds.
 *
 * A token is a row (kind, start, end, line) over the text; nothing is copied until a reader asks for it. Comments run from
 * `;` to the end of the line and leave no token.
 */

import { type DiagnosticPosition, type DiagnosticSink, diagnostic } from '../../diag/diagnostic.js';
import { Table } from '../table.js';

/** What a token is. `local` is `%name`, `symbol` is `@name`; `localNumber` is `%7`, an entity without a name. */
export const TokenKind = {
  end: 0,
  word: 1,
  local: 2,
  localNumber: 3,
  symbol: 4,
  integer: 5,
  float: 6,
  string: 7,
  punctuation: 8,
  /** A number that is none, such as `12abc`: every use of it is an error. */
  malformed: 9,
} as const;
export type TokenKind = (typeof TokenKind)[keyof typeof TokenKind];

const KIND = 0;
const START = 1;
const END = 2;
const LINE = 3;

const SPACE = 1;
const DIGIT = 2;
const WORD_START = 4;
const WORD_PART = 8;
const PUNCTUATION = 16;

const INTEGER = /^-?(?:0x[0-9a-f]+|[0-9]+)$/i;

const CLASSES = characterClasses();

function characterClasses(): Uint8Array {
  const classes = new Uint8Array(128);
  const mark = (characters: string, bits: number) => {
    for (const character of characters) (classes[character.charCodeAt(0)] as number) |= bits;
  };
  mark(' \t\r\n\f\v', SPACE);
  mark('0123456789', DIGIT | WORD_PART);
  mark('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$', WORD_START | WORD_PART);
  mark('-', WORD_PART | PUNCTUATION);
  mark('(){}[]<>,:=!#&|*+/^~?', PUNCTUATION);
  return classes;
}

/** The tokens of one text. The last one has kind `end`. */
export class TokenList {
  readonly #rows = new Table(4, 256);
  readonly #lineStarts: number[] = [0];
  #at = 0;

  /** Cuts the text; what cannot be a token is reported to the sink and left out. */
  constructor(
    readonly text: string,
    readonly file: string,
    readonly sink: DiagnosticSink,
  ) {
    if (text.charCodeAt(0) === 0xfeff) this.#at = 1;
    while (this.#at < text.length && this.#scan());
    this.#at = text.length;
    this.#push(TokenKind.end, text.length);
  }

  /** How many tokens there are, the end included. */
  get length(): number {
    return this.#rows.length;
  }

  kind(token: number): TokenKind {
    return this.#rows.get(token, KIND) as TokenKind;
  }

  /** The line of a token, from 1. */
  line(token: number): number {
    return this.#rows.get(token, LINE) + 1;
  }

  /** The column of a token, from 1, in UTF-16 units. */
  column(token: number): number {
    return this.#rows.get(token, START) - (this.#lineStarts[this.#rows.get(token, LINE)] as number) + 1;
  }

  /** Whether the token is the first one of its line. */
  startsLine(token: number): boolean {
    return token === 0 || this.#rows.get(token, LINE) !== this.#rows.get(token - 1, LINE);
  }

  /** The token as it stands in the text. */
  raw(token: number): string {
    return this.text.slice(this.#rows.get(token, START), this.#rows.get(token, END));
  }

  /** Whether the token is exactly that text. */
  is(token: number, expected: string): boolean {
    const start = this.#rows.get(token, START);
    return this.#rows.get(token, END) - start === expected.length && this.text.startsWith(expected, start);
  }

  /** Where a token is. */
  position(token: number): DiagnosticPosition {
    const length = Math.max(1, this.#rows.get(token, END) - this.#rows.get(token, START));
    return { file: this.file, line: this.line(token), column: this.column(token), length };
  }

  /** Cuts one token, or skips space or a comment. Says false when there have been too many errors. */
  #scan(): boolean {
    const { text } = this;
    const start = this.#at;
    const code = text.charCodeAt(start);
    const bits = code < 128 ? (CLASSES[code] as number) : 0;
    if (code === 0x0a) {
      this.#at++;
      this.#lineStarts.push(this.#at);
    } else if ((bits & SPACE) !== 0) {
      this.#at++;
    } else if (code === 0x3b) {
      const end = text.indexOf('\n', start);
      this.#at = end < 0 ? text.length : end;
    } else if (this.#isRangeMark(start)) {
      this.#push(TokenKind.punctuation, start + 2);
    } else if ((bits & WORD_START) !== 0) {
      this.#push(TokenKind.word, this.#wordEnd(start));
    } else if (code === 0x25 || code === 0x40) {
      return this.#scanName(code === 0x25);
    } else if ((bits & DIGIT) !== 0 || (code === 0x2d && this.#isDigit(start + 1))) {
      this.#scanNumber();
    } else if (code === 0x22) {
      return this.#scanString(TokenKind.string, start);
    } else if ((bits & PUNCTUATION) !== 0) {
      this.#scanPunctuation(code);
    } else {
      this.#at += code >= 0xd800 && code < 0xdc00 ? 2 : 1;
      return this.#report('VCT0101', start, { found: describeCharacter(text, start) });
    }
    return true;
  }

  /** `->`, `-inf` and `-nan` are one token; every other mark is one character. */
  #scanPunctuation(code: number): void {
    const start = this.#at;
    if (code === 0x2d && this.text.startsWith('inf', start + 1)) this.#push(TokenKind.word, start + 4);
    else this.#push(TokenKind.punctuation, this.text.startsWith('->', start) ? start + 2 : start + 1);
  }

  #scanName(isLocal: boolean): boolean {
    const start = this.#at;
    const after = this.text.charCodeAt(start + 1);
    if (after === 0x22) return this.#scanString(isLocal ? TokenKind.local : TokenKind.symbol, start + 1);
    const bits = after < 128 ? (CLASSES[after] as number) : 0;
    if ((bits & WORD_START) !== 0) {
      this.#push(isLocal ? TokenKind.local : TokenKind.symbol, this.#wordEnd(start + 1));
      return true;
    }
    if (isLocal && (bits & DIGIT) !== 0) {
      this.#push(TokenKind.localNumber, this.#digitsEnd(start + 1));
      return true;
    }
    this.#at = start + 1;
    return this.#report('VCT0101', start, { found: describeCharacter(this.text, start) });
  }

  #scanNumber(): void {
    const { text } = this;
    const start = this.#at;
    let end = text.charCodeAt(start) === 0x2d ? start + 1 : start;
    let kind: TokenKind = TokenKind.integer;
    if (text.charCodeAt(end) === 0x30 && (text.charCodeAt(end + 1) | 0x20) === 0x78) {
      end += 2;
    } else {
      end = this.#digitsEnd(end);
      if (text.charCodeAt(end) === 0x2e && !this.#isRangeMark(end)) {
        kind = TokenKind.float;
        end = this.#digitsEnd(end + 1);
      }
      if ((text.charCodeAt(end) | 0x20) === 0x65) {
        const sign = text.charCodeAt(end + 1);
        const digits = sign === 0x2b || sign === 0x2d ? end + 2 : end + 1;
        if (this.#isDigit(digits)) {
          kind = TokenKind.float;
          end = this.#digitsEnd(digits);
        }
      }
    }
    // The `..` behind a number is that of a range.
    const word = this.#wordEnd(end);
    const dots = text.slice(end, word).search(/\.\.(?!\.)/);
    const after = dots < 0 ? word : end + dots;
    const isGood = kind === TokenKind.float ? after === end : INTEGER.test(text.slice(start, after));
    this.#push(isGood ? kind : TokenKind.malformed, after);
  }

  /** Requires a quote at `quote`; the token begins at the current place, which may be the sigil before it. */
  #scanString(kind: TokenKind, quote: number): boolean {
    const { text } = this;
    const start = this.#at;
    let end = quote + 1;
    for (; end < text.length; end++) {
      const code = text.charCodeAt(end);
      if (code === 0x0a) break;
      if (code === 0x22) {
        this.#push(kind, end + 1);
        return true;
      }
    }
    this.#push(kind, end);
    return this.#report('VCT0102', start, {});
  }

  /** Whether `..` stands there, and not `...`. */
  #isRangeMark(at: number): boolean {
    return this.text.startsWith('..', at) && this.text.charCodeAt(at + 2) !== 0x2e;
  }

  #wordEnd(from: number): number {
    let end = from;
    for (; end < this.text.length; end++) {
      const code = this.text.charCodeAt(end);
      if (code >= 128 || ((CLASSES[code] as number) & WORD_PART) === 0) break;
      // `a->b` is a word, an arrow and a word.
      if (code === 0x2d && this.text.charCodeAt(end + 1) === 0x3e) break;
    }
    return end;
  }

  #digitsEnd(from: number): number {
    let end = from;
    while (this.#isDigit(end)) end++;
    return end;
  }

  #isDigit(at: number): boolean {
    const code = this.text.charCodeAt(at);
    return code >= 0x30 && code <= 0x39;
  }

  #push(kind: TokenKind, end: number): void {
    const row = this.#rows.append();
    this.#rows.set(row, KIND, kind);
    this.#rows.set(row, START, this.#at);
    this.#rows.set(row, END, end);
    this.#rows.set(row, LINE, this.#lineStarts.length - 1);
    this.#at = end;
  }

  #report(code: 'VCT0101' | 'VCT0102', start: number, values: { found?: string }): boolean {
    const line = this.#lineStarts.length;
    const column = start - (this.#lineStarts[line - 1] as number) + 1;
    return this.sink.add(diagnostic(code, { ...values }, { file: this.file, line, column }));
  }
}

function describeCharacter(text: string, at: number): string {
  const code = text.codePointAt(at) as number;
  return code > 0x20 && code !== 0x7f
    ? `'${String.fromCodePoint(code)}'`
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
