/** Reads a constant of a known type, with a stack of open brackets instead of recursion. */

import { elementType, pathText } from '../element-address.js';
import type { ConstantId, FunctionId, GlobalId, TypeId } from '../entities.js';
import type { ModuleTables } from '../module-tables.js';
import { TypeKind } from '../schema.js';
import type { TextCursor } from './cursor.js';
import { parseType } from './parse-type.js';
import { TokenKind } from './tokens.js';

/** An aggregate whose members are being read. */
interface OpenConstant {
  readonly type: TypeId;
  readonly close: string;
  readonly token: number;
  readonly members: ConstantId[];
}

/** Whether the next token can begin a constant. */
export function atConstant(cursor: TextCursor): boolean {
  const kind = cursor.kind();
  if (kind === TokenKind.word) return CONSTANT_WORDS.has(cursor.tokens.raw(cursor.at));
  if (kind === TokenKind.punctuation) return cursor.is('{') || cursor.is('[');
  return kind >= TokenKind.symbol && kind <= TokenKind.string;
}

const CONSTANT_WORDS = new Set(['true', 'false', 'null', 'undef', 'zero', 'inf', '-inf', 'nan']);

/** Reads one constant of that type. */
export function parseConstant(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const open: OpenConstant[] = [];
  let wanted = type;
  while (true) {
    let constant = openOrSimple(cursor, tables, open, wanted);
    while (constant !== undefined) {
      const innermost = open[open.length - 1];
      if (innermost === undefined) return constant;
      innermost.members.push(constant);
      if (cursor.accept(',')) break;
      cursor.expect(innermost.close);
      open.pop();
      constant = closeAggregate(cursor, tables, innermost);
    }
    wanted = memberType(cursor, tables, open[open.length - 1] as OpenConstant);
  }
}

/** Reads a whole simple constant, or opens a bracket and says that members follow (undefined). */
function openOrSimple(
  cursor: TextCursor,
  tables: ModuleTables,
  open: OpenConstant[],
  type: TypeId,
): ConstantId | undefined {
  const kind = tables.types.kind(type);
  const token = cursor.at;
  const isArray = kind === TypeKind.array;
  if ((isArray && cursor.is('[')) || (isMembers(kind) && cursor.is('{'))) {
    cursor.advance();
    const innermost = { type, close: isArray ? ']' : '}', token, members: [] };
    if (cursor.accept(innermost.close)) return closeAggregate(cursor, tables, innermost);
    open.push(innermost);
    return undefined;
  }
  return simple(cursor, tables, type);
}

function isMembers(kind: TypeKind): boolean {
  return kind === TypeKind.struct || kind === TypeKind.union;
}

/** Reads the type that stands before a member and must be the one that the aggregate has there. */
function memberType(cursor: TextCursor, tables: ModuleTables, innermost: OpenConstant): TypeId {
  const { types } = tables;
  const index = innermost.members.length;
  const limit =
    types.kind(innermost.type) === TypeKind.array
      ? types.count(innermost.type)
      : types.kind(innermost.type) === TypeKind.union
        ? 1
        : types.memberCount(innermost.type);
  if (index >= limit) countMismatch(cursor, tables, innermost, limit, `more than ${limit}`);
  const expected =
    types.kind(innermost.type) === TypeKind.array
      ? types.element(innermost.type)
      : types.memberType(innermost.type, index);
  const token = cursor.at;
  const found = parseType(cursor, types);
  if (found !== expected) {
    cursor.fail('VCT0128', { type: types.text(found), expected: types.text(expected) }, token);
  }
  return expected;
}

function closeAggregate(cursor: TextCursor, tables: ModuleTables, closed: OpenConstant): ConstantId {
  const { types } = tables;
  const kind = types.kind(closed.type);
  const expected =
    kind === TypeKind.array
      ? types.count(closed.type)
      : kind === TypeKind.union
        ? Math.min(1, types.memberCount(closed.type))
        : types.memberCount(closed.type);
  if (closed.members.length !== expected) {
    countMismatch(cursor, tables, closed, expected, String(closed.members.length));
  }
  return tables.constants.aggregate(closed.type, closed.members);
}

function countMismatch(
  cursor: TextCursor,
  tables: ModuleTables,
  aggregate: OpenConstant,
  expected: number,
  found: string,
): never {
  const what = `a constant of type ${tables.types.text(aggregate.type)}`;
  cursor.fail('VCT0125', { what, expected: `${expected} members`, found }, aggregate.token);
}

function simple(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const { constants, types } = tables;
  const kind = types.kind(type);
  const hasValue = types.isFirstClass(type);
  if (hasValue && cursor.accept('undef')) return constants.undef(type);
  if (hasValue && cursor.accept('zero')) return constants.zero(type);
  switch (kind) {
    case TypeKind.integer:
      return integer(cursor, tables, type);
    case TypeKind.float:
      return float(cursor, tables, type);
    case TypeKind.pointer:
      if (cursor.accept('null')) return constants.null(type);
      if (cursor.kind() === TokenKind.symbol) return address(cursor, tables, type);
      break;
    case TypeKind.array:
      if (cursor.kind() === TokenKind.string) return bytes(cursor, tables, type);
      break;
    default:
  }
  return noConstant(cursor, tables, type);
}

function noConstant(cursor: TextCursor, tables: ModuleTables, type: TypeId): never {
  cursor.fail('VCT0112', { found: cursor.excerpt(cursor.at), type: tables.types.text(type) });
}

function integer(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const { constants, types } = tables;
  const width = types.width(type);
  if (width === 1) {
    if (cursor.accept('true')) return constants.integer(type, 1n);
    if (cursor.accept('false')) return constants.integer(type, 0n);
  }
  if (cursor.kind() !== TokenKind.integer) noConstant(cursor, tables, type);
  const token = cursor.at;
  const value = cursor.bigInteger('an integer');
  if (BigInt.asUintN(width, value) !== value && BigInt.asIntN(width, value) !== value) {
    cursor.fail('VCT0111', { found: cursor.excerpt(token), type: types.text(type) }, token);
  }
  return constants.integer(type, value);
}

function float(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const { constants } = tables;
  if (cursor.accept('inf')) return constants.float(type, Number.POSITIVE_INFINITY);
  if (cursor.accept('-inf')) return constants.float(type, Number.NEGATIVE_INFINITY);
  if (cursor.accept('nan')) return nan(cursor, tables, type);
  const kind = cursor.kind();
  if (kind !== TokenKind.float && kind !== TokenKind.integer) noConstant(cursor, tables, type);
  const token = cursor.advance();
  const value = Number(cursor.tokens.raw(token));
  if (Number.isNaN(value)) cursor.fail('VCT0104', { found: cursor.excerpt(token) }, token);
  const id = constants.float(type, value);
  if (!Number.isFinite(constants.floatValue(id))) {
    cursor.fail('VCT0111', { found: cursor.excerpt(token), type: tables.types.text(type) }, token);
  }
  return id;
}

/** `nan`, or `nan:0x7ff8000000000001` with all the bits of the value. */
function nan(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const { constants, types } = tables;
  if (!cursor.accept(':')) return constants.float(type, Number.NaN);
  const token = cursor.at;
  const bits = cursor.bigInteger('the bits of the NaN');
  const id = constants.floatFromBits(type, BigInt.asUintN(types.width(type), bits));
  if (bits !== BigInt.asUintN(types.width(type), bits) || !Number.isNaN(constants.floatValue(id))) {
    cursor.fail('VCT0112', { found: cursor.excerpt(token), type: types.text(type) }, token);
  }
  return id;
}

function address(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const token = cursor.at;
  const text = cursor.symbolName('a symbol');
  const name = tables.names.find(text);
  const callee = name === undefined ? undefined : tables.findFunction(name);
  if (callee !== undefined) return tables.constants.functionAddress(type, callee as FunctionId);
  const global = name === undefined ? undefined : tables.findGlobal(name);
  if (global === undefined) cursor.fail('VCT0110', { name: text }, token);
  const path = elementPath(cursor);
  if (elementType(tables.types, tables.globalType(global as GlobalId), path) === undefined)
    cursor.fail('VCT0132', { name: text, path: pathText(path) }, token);
  return tables.constants.elementAddress(type, global as GlobalId, path);
}

/** `[2, 1]` right behind the name of a global, where it stands. */
function elementPath(cursor: TextCursor): number[] {
  const path: number[] = [];
  if (cursor.startsLine || !cursor.accept('[')) return path;
  do path.push(cursor.integer('an index', 0, MAXIMUM_INDEX));
  while (cursor.accept(','));
  cursor.expect(']');
  return path;
}

/** An index is a word of the pool. */
const MAXIMUM_INDEX = 2 ** 31 - 1;

function bytes(cursor: TextCursor, tables: ModuleTables, type: TypeId): ConstantId {
  const { types } = tables;
  const element = types.element(type);
  if (element !== types.i8 && element !== types.u8) noConstant(cursor, tables, type);
  const token = cursor.at;
  const content = cursor.stringBytes();
  const expected = types.count(type);
  if (content.length !== expected) {
    cursor.fail('VCT0126', { found: content.length, expected, type: types.text(type) }, token);
  }
  return tables.constants.byteString(type, content);
}
