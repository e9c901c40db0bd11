/** Constants in C: literals in expressions, and initializers of globals. */

import type { Dialect } from '../../ir/config.js';
import type { ConstantId, FunctionId, GlobalId, TypeId } from '../../ir/entities.js';
import type { ModuleTables } from '../../ir/module-tables.js';
import { ConstantKind, TypeKind } from '../../ir/schema.js';
import { type Expression, Level } from './expression.js';

/** The longest string literal that C17 promises to take (§5.2.4.1). */
const LONGEST_STRING = 4000;
const NUMBERS_A_LINE = 12;

/** How a text writes the symbols that constants refer to. */
export interface Symbols {
  /** The address of a global as a value of the pointer type. */
  globalAddress(global: GlobalId, type: TypeId): Expression;
  /** The address of a part of a global. */
  elementAddress(constant: ConstantId): Expression;
  /** The address of a function as a value of the pointer type. */
  functionAddress(callee: FunctionId, type: TypeId): Expression;
  requireHeader(name: string): void;
  /** The largest member of a union: the one whose zeros are zeros of all its bytes. */
  largestMember(type: TypeId): { readonly index: number; readonly name: string };
  /** The names of the members of a struct or union. */
  memberNames(type: TypeId): readonly string[];
}

/** An integer literal of the type. A small one has C type int whatever the type is; `isLiteral` says so. */
export function integerLiteral(tables: ModuleTables, type: TypeId, bits: bigint): Expression {
  const { types } = tables;
  const width = types.width(type);
  if (width === 1)
    return { text: bits === 0n ? 'false' : 'true', level: Level.primary, type, isConstant: true };
  const value = types.isSigned(type) ? BigInt.asIntN(width, bits) : BigInt.asUintN(width, bits);
  const make = (text: string, level: Level, isNumber = false): Expression => ({
    text,
    level,
    type,
    isConstant: true,
    // C gives a literal that fits the type int or, with a `u`, unsigned int.
    isLiteral: width >= 64 && value < (types.isSigned(type) ? 1n << 31n : 1n << 32n),
    bits,
    isNumber,
  });
  if (width === 128) return make(wideLiteral(types.isSigned(type), value), Level.bitOr);
  if (types.isSigned(type) && width >= 32 && value === -(1n << BigInt(width - 1)))
    return make(`INT${width}_MIN`, Level.primary);
  const suffix = !types.isSigned(type) && width >= 32 ? 'u' : '';
  return make(`${value}${suffix}`, value < 0n ? Level.unary : Level.primary, suffix === '');
}

/** No literal has 128 bits: two halves joined, or a small number cast. */
function wideLiteral(signed: boolean, value: bigint): string {
  const name = signed ? 'vct_int128' : 'vct_uint128';
  if (value >= -(2n ** 31n) && value < 2n ** 31n) return `(${name})${value < 0n ? `(${value})` : value}`;
  const bits = BigInt.asUintN(128, value);
  const joined = `(vct_uint128)${bits >> 64n}u << 64 | ${bits & (2n ** 64n - 1n)}u`;
  return signed ? `(vct_int128)(${joined})` : joined;
}

/** A float literal that the C compiler reads back as exactly the same bits. */
export function floatLiteral(tables: ModuleTables, constant: ConstantId, dialect: Dialect): Expression {
  const { constants, types } = tables;
  const type = constants.type(constant);
  const isSingle = types.width(type) === 32;
  const value = constants.floatValue(constant);
  const make = (text: string, level: Level): Expression => ({ text, level, type, isConstant: true });
  const suffix = isSingle ? 'f' : '';
  if (Number.isNaN(value))
    return make(nanText(constants.floatBits(constant), isSingle, dialect), Level.unary);
  if (!Number.isFinite(value)) {
    const infinity =
      dialect === 'c17' ? `(${isSingle ? 'float' : 'double'})INFINITY` : `__builtin_inf${suffix}()`;
    return value < 0 ? make(`-${infinity}`, Level.unary) : make(infinity, Level.unary);
  }
  const magnitude = isSingle ? shortestSingle(Math.abs(value)) : String(Math.abs(value));
  const digits = /[.e]/.test(magnitude) ? magnitude : `${magnitude}.0`;
  const isNegative = value < 0 || Object.is(value, -0);
  return isNegative ? make(`-${digits}${suffix}`, Level.unary) : make(`${digits}${suffix}`, Level.primary);
}

/** The fewest digits that give the same f32. */
function shortestSingle(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const text = String(Number(value.toPrecision(digits)));
    if (Math.fround(Number(text)) === value && isFarFromMidpoint(Number(text), value)) return text;
  }
  return String(value);
}

/** Reading decimal to f64 to f32 rounds twice; only near the middle of two f32 can that differ from rounding once. */
function isFarFromMidpoint(read: number, value: number): boolean {
  const step = Math.abs(value) * 2 ** -24;
  return Math.abs(read - value) < step * 0.45 || read === value;
}

/** A NaN with the sign and payload of the bits. */
function nanText(bits: bigint, isSingle: boolean, dialect: Dialect): string {
  const payloadBits = isSingle ? 22n : 51n;
  const payload = bits & ((1n << payloadBits) - 1n);
  const isQuiet = (bits >> payloadBits) & 1n;
  const isNegative = bits >> (isSingle ? 31n : 63n);
  const sign = isNegative === 1n ? '-' : '';
  if (dialect === 'c17') return `${sign}(${isSingle ? 'float' : 'double'})NAN`;
  const builtin = `__builtin_nan${isQuiet === 1n ? '' : 's'}${isSingle ? 'f' : ''}`;
  return `${sign}${builtin}("${payload === 0n ? '' : `0x${payload.toString(16)}`}")`;
}

/** A scalar constant as an expression; undef is zero, for C must not read what was never written (008/X5). */
export function scalarConstant(
  tables: ModuleTables,
  constant: ConstantId,
  dialect: Dialect,
  symbols: Symbols,
): Expression {
  const { constants, types } = tables;
  const type = constants.type(constant);
  switch (constants.kind(constant)) {
    case ConstantKind.integer:
      return integerLiteral(tables, type, constants.integerBits(constant));
    case ConstantKind.float:
      if (dialect === 'c17' && !Number.isFinite(constants.floatValue(constant)))
        symbols.requireHeader('math.h');
      return floatLiteral(tables, constant, dialect);
    case ConstantKind.globalAddress:
      return symbols.globalAddress(constants.addressee(constant) as GlobalId, type);
    case ConstantKind.elementAddress:
      return symbols.elementAddress(constant);
    case ConstantKind.functionAddress:
      return symbols.functionAddress(constants.addressee(constant) as FunctionId, type);
    default:
      break;
  }
  if (types.isPointer(type)) {
    symbols.requireHeader('stddef.h');
    return { text: 'NULL', level: Level.primary, type, isConstant: true, isNull: true };
  }
  if (types.isFloat(type))
    return { text: types.width(type) === 32 ? '0.0f' : '0.0', level: Level.primary, type, isConstant: true };
  return integerLiteral(tables, type, 0n);
}

/** Whether a constant is nothing but zero bytes, so that C's own zero initialization says it. */
export function isZeroConstant(tables: ModuleTables, constant: ConstantId): boolean {
  const kind = tables.constants.kind(constant);
  return kind === ConstantKind.zero || kind === ConstantKind.undef;
}

/**
 * The initializer of a constant: an expression for scalars, braces for aggregates, a string for text. An explicit stack:
 * aggregates nest as deep as their author likes.
 */
export function initializer(
  tables: ModuleTables,
  root: ConstantId,
  dialect: Dialect,
  symbols: Symbols,
  isWrapped = false,
): string {
  const { constants, types } = tables;
  const parts: string[] = [];
  const work: (ConstantId | string)[] = [root];
  // An array as a value is a struct around an array: one more pair of braces, at the outermost level only.
  if (isWrapped && types.kind(constants.type(root)) === TypeKind.array && !isZeroConstant(tables, root)) {
    parts.push('{');
    work.unshift('}');
  }
  while (work.length > 0) {
    const next = work.pop() as ConstantId | string;
    if (typeof next === 'string') {
      parts.push(next);
      continue;
    }
    const type = constants.type(next);
    if (!types.isAggregate(type)) {
      parts.push(scalarConstant(tables, next, dialect, symbols).text);
    } else if (constants.kind(next) === ConstantKind.bytes) {
      parts.push(bytesText(tables, next));
    } else if (isZeroConstant(tables, next)) {
      // Only the outermost one: inside another initializer GCC takes `{0}` for a forgotten member.
      const isPlain = next === root && !beginsWithSmallMember(tables, type, symbols);
      const isWrappedZero = !isPlain && isWrapped && next === root && types.kind(type) === TypeKind.array;
      const zeros = isPlain ? '{0}' : zeroText(tables, type, symbols);
      parts.push(isWrappedZero ? `{${zeros}}` : zeros);
    } else {
      work.push('}');
      const count = constants.memberCount(next);
      const perLine = next === root ? membersPerLine(tables, type) : NUMBERS_A_LINE;
      const isBitTable = isTableOfBits(tables, next);
      // There are more members than the constant has, where a pinned layout needs padding.
      const names = types.isPinned(type) ? symbols.memberNames(type) : [];
      for (let index = count - 1; index >= 0; index--) {
        const member = constants.member(next, index);
        work.push(isBitTable ? hexadecimal(tables, member) : member);
        if (names[index] !== undefined) work.push(`.${names[index]} = `);
        if (index > 0) work.push(index % perLine === 0 ? ',\n    ' : ', ');
      }
      work.push(count > perLine ? '{\n    ' : '{');
    }
  }
  return parts.join('');
}

/** Whether `{0}` would set a member of a union that is not its largest: then C leaves the other bytes as they are. */
function beginsWithSmallMember(tables: ModuleTables, root: TypeId, symbols: Symbols): boolean {
  const { types } = tables;
  for (let type = root; types.isAggregate(type); ) {
    if (types.kind(type) === TypeKind.array) {
      type = types.element(type);
    } else {
      if (types.memberCount(type) === 0) return false;
      if (types.kind(type) === TypeKind.union && symbols.largestMember(type).index > 0) return true;
      type = types.memberType(type, 0);
    }
  }
  return false;
}

/** How many members of an aggregate stand in one line. */
function membersPerLine(tables: ModuleTables, type: TypeId): number {
  const { types } = tables;
  if (types.kind(type) !== TypeKind.array) return NUMBERS_A_LINE;
  const element = types.element(type);
  if (types.isAggregate(element)) return 1;
  if (types.isPointer(element)) return 4;
  return types.width(element) <= 16 ? NUMBERS_A_LINE : types.width(element) === 32 ? 8 : 4;
}

/** Whether an array of unsigned words looks like bit patterns: many of its elements are large. */
function isTableOfBits(tables: ModuleTables, constant: ConstantId): boolean {
  const { constants, types } = tables;
  const type = constants.type(constant);
  if (types.kind(type) !== TypeKind.array) return false;
  const element = types.element(type);
  if (!types.isInteger(element) || types.isSigned(element)) return false;
  if (types.width(element) !== 32 && types.width(element) !== 64) return false;
  const count = constants.memberCount(constant);
  let large = 0;
  for (let index = 0; index < count; index++) {
    const member = constants.member(constant, index);
    if (constants.kind(member) === ConstantKind.integer && constants.integerBits(member) > 0xffffffn) large++;
  }
  return count >= 4 && large * 2 > count;
}

function hexadecimal(tables: ModuleTables, constant: ConstantId): string {
  const { constants, types } = tables;
  const bits = constants.kind(constant) === ConstantKind.integer ? constants.integerBits(constant) : 0n;
  return `0x${bits.toString(16).padStart(types.width(constants.type(constant)) / 4, '0')}u`;
}

/** Zeros for every member of a struct and the largest of a union; C fills the rest of an array by itself. */
function zeroText(tables: ModuleTables, root: TypeId, symbols: Symbols): string {
  const { types } = tables;
  const parts: string[] = [];
  const work: (TypeId | string)[] = [root];
  while (work.length > 0) {
    const next = work.pop() as TypeId | string;
    if (typeof next === 'string') {
      parts.push(next);
    } else if (!types.isAggregate(next)) {
      parts.push('0');
    } else if (types.kind(next) === TypeKind.union) {
      const { index, name } = symbols.largestMember(next);
      parts.push(index > 0 ? `{.${name} = ` : '{');
      work.push('}', types.memberType(next, index));
    } else {
      const isStruct = types.kind(next) === TypeKind.struct;
      const names = types.isPinned(next) ? symbols.memberNames(next) : [];
      work.push('}');
      for (let index = (isStruct ? types.memberCount(next) : 1) - 1; index >= 0; index--) {
        work.push(isStruct ? types.memberType(next, index) : types.element(next));
        if (names[index] !== undefined) work.push(`.${names[index]} = `);
        if (index > 0) work.push(', ');
      }
      work.push('{');
    }
  }
  return parts.join('');
}

/** Text that ends in its only zero byte as a string, anything else as numbers. */
function bytesText(tables: ModuleTables, constant: ConstantId): string {
  const { constants, types } = tables;
  const bytes = constants.byteContent(constant);
  const isText = bytes.length > 0 && bytes[bytes.length - 1] === 0 && isMostlyPrintable(bytes);
  if (isText) return stringLiteral(bytes.subarray(0, bytes.length - 1));
  const signed = types.isSigned(types.element(constants.type(constant)));
  const numbers = Array.from(bytes, (byte) => String(signed && byte > 127 ? byte - 256 : byte));
  if (numbers.length <= NUMBERS_A_LINE) return `{${numbers.join(', ')}}`;
  let text = '{';
  for (let index = 0; index < numbers.length; index += 16)
    text += `\n    ${numbers.slice(index, index + 16).join(', ')},`;
  return `${text.slice(0, -1)}}`;
}

function isMostlyPrintable(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_STRING) return false;
  let odd = 0;
  for (const byte of bytes) if ((byte < 0x20 && byte !== 10 && byte !== 9) || byte > 0x7e) odd++;
  return odd * 3 <= bytes.length + 2;
}

const ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/** A string literal. Octal escapes have three digits, so that none takes the next character in; `??` is no trigraph. */
export function stringLiteral(bytes: Uint8Array): string {
  let text = '"';
  let previous = 0;
  for (const byte of bytes) {
    if (ESCAPES[byte] !== undefined) text += ESCAPES[byte];
    else if (byte === 0x3f && previous === 0x3f) text += '\\?';
    else if (byte >= 0x20 && byte < 0x7f) text += String.fromCharCode(byte);
    else text += `\\${byte.toString(8).padStart(3, '0')}`;
    previous = byte;
  }
  return `${text}"`;
}
