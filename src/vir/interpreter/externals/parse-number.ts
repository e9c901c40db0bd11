/** Numbers in strings, as strtol and strtod read them. */

/** A number and how many bytes it took, 0 for none. */
export interface ParsedNumber<Value> {
  readonly value: Value;
  readonly length: number;
}

/** An integer with optional space, sign and, for base 16 or 0, prefix. */
export function parseInteger(bytes: Uint8Array, base: number): ParsedNumber<bigint> {
  const text = latin(bytes);
  const start = /^[ \t\n\v\f\r]*([+-]?)/.exec(text) as RegExpExecArray;
  let at = start[0].length;
  let radix = base;
  if ((radix === 0 || radix === 16) && /^0[xX][0-9a-fA-F]/.test(text.slice(at, at + 3))) {
    radix = 16;
    at += 2;
  } else if (radix === 0) radix = text[at] === '0' ? 8 : 10;
  const first = at;
  while (at < text.length && digitValue(text.charCodeAt(at)) < radix) at++;
  if (at === first) return { value: 0n, length: 0 };
  // More digits than 64 bits hold are clamped by the caller, so a prefix of them decides.
  const digits = text
    .slice(first, at)
    .replace(/^0+(?=.)/, '')
    .slice(0, 80);
  let value = 0n;
  for (let index = 0; index < digits.length; index++)
    value = value * BigInt(radix) + BigInt(digitValue(digits.charCodeAt(index)));
  return { value: start[1] === '-' ? -value : value, length: at };
}

/** A decimal float, inf or nan. */
export function parseFloatPrefix(bytes: Uint8Array): ParsedNumber<number> {
  const text = latin(bytes);
  const number = /^[ \t\n\v\f\r]*[+-]?(?:\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)/.exec(text);
  if (number !== null) return { value: Number(number[0].trim()), length: number[0].length };
  const word = /^[ \t\n\v\f\r]*([+-]?)(inf(?:inity)?|nan)/i.exec(text);
  if (word === null) return { value: 0, length: 0 };
  const magnitude = (word[2] as string).toLowerCase() === 'nan' ? Number.NaN : Number.POSITIVE_INFINITY;
  return { value: word[1] === '-' ? -magnitude : magnitude, length: word[0].length };
}

function digitValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x7a ? lower - 0x61 + 10 : 99;
}

function latin(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}
