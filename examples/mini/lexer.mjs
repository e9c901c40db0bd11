// @ts-check
/** Source text to tokens. One sticky regular expression a kind of token, tried in order. */

import { MiniError } from './errors.mjs';

/**
 * @typedef {import('./errors.mjs').Place} Place
 * @typedef {'name' | 'keyword' | 'integer' | 'float' | 'string' | 'symbol' | 'end'} TokenKind
 * @typedef {object} Token
 * @property {TokenKind} kind
 * @property {string} text   as written
 * @property {bigint | number | Uint8Array | undefined} value  of a literal
 * @property {number} line   from 1
 * @property {number} column from 1
 * @property {number} length
 */

export const KEYWORDS = new Set(
  (
    'as break case const continue default defer do else extern false fn for if let null return sizeof struct ' +
    'switch true while'
  ).split(' '),
);

const SPACE = /(?:[ \t\r\n]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;

/**
 * Each kind of token with its pattern and what its value is made of; the first that matches counts.
 * @type {readonly [kind: TokenKind, pattern: RegExp, value?: (text: string, place: Place) => Token['value']][]}
 */
const RULES = [
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['float', /[0-9][0-9_]*(?:\.[0-9][0-9_]*(?:[eE][+-]?[0-9]+)?|[eE][+-]?[0-9]+)/y, floatValue],
  ['integer', /0[xX][0-9a-fA-F_]+|0[bB][01_]+|[0-9][0-9_]*/y, integerValue],
  ['string', /"(?:[^"\\\n]|\\[^\n])*"/y, quotedBytes],
  ['integer', /'(?:[^'\\\n]|\\[^\n]+?)'/y, characterValue],
  ['symbol', /<<=|>>=|\.\.\.|&&|\|\||==|!=|<=|>=|<<|>>|\+\+|--|[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}[\]]/y],
];

const ESCAPES = new Map(Object.entries({ n: 10, t: 9, r: 13, 0: 0, '\\': 92, '"': 34, "'": 39 }));

/**
 * All tokens of a program, the last of kind `end`.
 * @param {string} source
 * @returns {Token[]}
 */
export function tokenize(source) {
  /** @type {Token[]} */
  const tokens = [];
  let offset = 0;
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const space = match(SPACE, source, offset) ?? '';
    for (let at = space.indexOf('\n'); at >= 0; at = space.indexOf('\n', at + 1)) {
      line++;
      lineStart = offset + at + 1;
    }
    offset += space.length;
    const place = { line, column: offset - lineStart + 1, length: 1 };
    if (offset >= source.length) {
      tokens.push({ kind: 'end', text: '', value: undefined, ...place });
      return tokens;
    }
    const token = nextToken(source, offset, place);
    tokens.push(token);
    offset += token.length;
  }
}

/** @param {RegExp} pattern @param {string} source @param {number} offset */
function match(pattern, source, offset) {
  pattern.lastIndex = offset;
  return pattern.exec(source)?.[0];
}

/** @param {string} source @param {number} offset @param {Place} place @returns {Token} */
function nextToken(source, offset, place) {
  const { line, column } = place;
  if (source.startsWith('/*', offset)) throw new MiniError('M001', 'this comment has no end', place);
  for (const [kind, pattern, value] of RULES) {
    const text = match(pattern, source, offset);
    if (text === undefined) continue;
    const { length } = text;
    if (KEYWORDS.has(text)) return { kind: 'keyword', text, value: undefined, line, column, length };
    return { kind, text, value: value?.(text, place), line, column, length };
  }
  throw unexpected(source, offset, place);
}

/** @param {string} source @param {number} offset @param {Place} place */
function unexpected(source, offset, place) {
  const character = String.fromCodePoint(/** @type {number} */ (source.codePointAt(offset)));
  if (character === '"') return new MiniError('M002', 'this string has no end on its line', place);
  if (character === "'") return new MiniError('M002', 'a character literal holds one character', place);
  return new MiniError('M001', `unexpected character ${JSON.stringify(character)}`, place);
}

/** @param {string} text */
function floatValue(text) {
  return Number(text.replaceAll('_', ''));
}

/** @param {string} text @param {Place} place */
function integerValue(text, place) {
  const digits = text.replaceAll('_', '');
  try {
    return BigInt(digits);
  } catch {
    throw new MiniError('M002', `malformed number ${text}`, place);
  }
}

/** @param {string} text @param {Place} place */
function characterValue(text, place) {
  const bytes = quotedBytes(text, place);
  if (bytes.length !== 1) {
    throw new MiniError('M002', 'a character literal holds one byte', { ...place, length: text.length });
  }
  return BigInt(bytes[0]);
}

/**
 * The bytes of a quoted literal, in UTF-8.
 * @param {string} text @param {Place} place
 */
function quotedBytes(text, place) {
  const inner = text.slice(1, -1);
  /** @type {number[]} */
  const bytes = [];
  for (let at = 0; at < inner.length; ) {
    if (inner[at] !== '\\') {
      const character = String.fromCodePoint(/** @type {number} */ (inner.codePointAt(at)));
      bytes.push(...new TextEncoder().encode(character));
      at += character.length;
      continue;
    }
    const hex = /^x([0-9a-fA-F]{2})/.exec(inner.slice(at + 1, at + 4));
    const escaped = ESCAPES.get(inner[at + 1]);
    if (hex) bytes.push(Number.parseInt(hex[1], 16));
    else if (escaped !== undefined) bytes.push(escaped);
    else {
      const column = place.column + 1 + at;
      throw new MiniError('M002', `unknown escape \\${inner[at + 1]}`, {
        line: place.line,
        column,
        length: 2,
      });
    }
    at += hex ? 4 : 2;
  }
  return Uint8Array.from(bytes);
}
