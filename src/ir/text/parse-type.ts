/** Reads a type, with a stack of open brackets instead of recursion: types may nest as deep as the text does. */

import { MAXIMUM_INTEGER_WIDTH, type TypeMember, type TypeTable } from '../../types/type-table.js';
import { type NameId, NONE, type TypeId } from '../entities.js';
import { TypeKind } from '../schema.js';
import type { TextCursor } from './cursor.js';
import { TokenKind } from './tokens.js';

/** The longest array: a length is an int32 column. */
export const MAXIMUM_ARRAY_LENGTH = 2 ** 31 - 1;

/** A bracket that has been opened: what stands in it so far. */
interface OpenType {
  readonly form: 'pointer' | 'array' | 'members' | 'parameters' | 'result';
  readonly kind: TypeKind;
  readonly count: number;
  /** The token that opened it. */
  readonly token: number;
  readonly members: TypeMember[];
  varargs: boolean;
}

/** Reads one type. */
export function parseType(cursor: TextCursor, types: TypeTable): TypeId {
  const open: OpenType[] = [];
  while (true) {
    let type = openOrAtom(cursor, types, open);
    while (type !== undefined) {
      const innermost = open[open.length - 1];
      if (innermost === undefined) return type;
      type = continueOpen(cursor, types, open, innermost, type);
    }
  }
}

/** Reads the members of a struct or union after `%Name =`, braces included: `{ lo: i32, hi: i64 }`. */
export function parseMembers(cursor: TextCursor, types: TypeTable): TypeMember[] {
  const members: TypeMember[] = [];
  cursor.expect('{');
  if (cursor.is('}')) cursor.fail('VCT0221', { type: '{}' });
  do {
    const name = memberName(cursor, types);
    members.push({ type: parseType(cursor, types), name });
  } while (cursor.accept(','));
  cursor.expect('}');
  return members;
}

/** Reads a whole simple type, or opens a bracket and says that a type must follow (undefined). */
function openOrAtom(cursor: TextCursor, types: TypeTable, open: OpenType[]): TypeId | undefined {
  if (cursor.kind() === TokenKind.local) return namedType(cursor, types);
  if (cursor.accept('[')) {
    const token = cursor.at;
    const count = cursor.integer('an array length', 0, MAXIMUM_ARRAY_LENGTH);
    if (count === 0) cursor.fail('VCT0221', { type: '[0 x …]' }, token);
    cursor.expect('x');
    open.push({ form: 'array', kind: TypeKind.array, count, token, members: [], varargs: false });
    return undefined;
  }
  if (cursor.is('{')) return openMembers(cursor, types, open, TypeKind.struct);
  if (cursor.accept('union')) return openMembers(cursor, types, open, TypeKind.union);
  if (cursor.is('ptr') && cursor.is('<', 1)) {
    const token = cursor.advance();
    cursor.advance();
    open.push({ form: 'pointer', kind: TypeKind.pointer, count: 0, token, members: [], varargs: false });
    return undefined;
  }
  if (cursor.is('fn')) return openFunction(cursor, open);
  return scalarType(cursor, types);
}

function namedType(cursor: TextCursor, types: TypeTable): TypeId {
  const token = cursor.at;
  const text = cursor.localName('a type');
  const name = types.names.find(text);
  const type = name === undefined ? undefined : types.findNamed(name);
  if (type === undefined) cursor.fail('VCT0108', { name: text }, token);
  return type;
}

function scalarType(cursor: TextCursor, types: TypeTable): TypeId {
  const token = cursor.at;
  const word = cursor.word('a type');
  if (word === 'void') return types.void;
  if (word === 'f32') return types.f32;
  if (word === 'f64') return types.f64;
  const digits = /^[iu]([0-9]{1,9})$/.exec(word)?.[1];
  if (digits === undefined) cursor.fail('VCT0105', { name: cursor.excerpt(token) }, token);
  const width = Number(digits);
  if (width < 1 || width > MAXIMUM_INTEGER_WIDTH) {
    cursor.fail('VCT0106', { width, limit: MAXIMUM_INTEGER_WIDTH }, token);
  }
  return types.integer(width, word.startsWith('i'));
}

function openMembers(
  cursor: TextCursor,
  types: TypeTable,
  open: OpenType[],
  kind: typeof TypeKind.struct | typeof TypeKind.union,
): TypeId | undefined {
  cursor.expect('{');
  if (cursor.is('}')) cursor.fail('VCT0221', { type: '{}' });
  const first = { type: NONE as TypeId, name: memberName(cursor, types) };
  open.push({ form: 'members', kind, count: 0, token: cursor.at, members: [first], varargs: false });
  return undefined;
}

function openFunction(cursor: TextCursor, open: OpenType[]): undefined {
  cursor.expect('fn');
  cursor.expect('(');
  const innermost: OpenType = {
    form: 'parameters',
    kind: TypeKind.function,
    count: 0,
    token: cursor.at,
    members: [],
    varargs: false,
  };
  if (cursor.is(')') || cursor.is('...')) open.push(closeParameters(cursor, innermost));
  else open.push(innermost);
  return undefined;
}

/** Puts a finished type into the innermost bracket; returns that bracket's type once it is closed. */
function continueOpen(
  cursor: TextCursor,
  types: TypeTable,
  open: OpenType[],
  innermost: OpenType,
  type: TypeId,
): TypeId | undefined {
  switch (innermost.form) {
    case 'pointer':
      cursor.expect('>');
      open.pop();
      return types.pointer(type);
    case 'array':
      cursor.expect(']');
      open.pop();
      return placed(cursor, innermost, types.array(type, innermost.count));
    case 'members':
      return continueMembers(cursor, types, open, innermost, type);
    case 'parameters':
      innermost.members.push({ type, name: NONE as NameId });
      if (!cursor.accept(',')) open[open.length - 1] = closeParameters(cursor, innermost);
      else if (cursor.is('...')) open[open.length - 1] = closeParameters(cursor, innermost);
      return undefined;
    default: {
      open.pop();
      const parameters = innermost.members.map((member) => member.type);
      return types.function(parameters, type, innermost.varargs);
    }
  }
}

function continueMembers(
  cursor: TextCursor,
  types: TypeTable,
  open: OpenType[],
  innermost: OpenType,
  type: TypeId,
): TypeId | undefined {
  const { members } = innermost;
  const last = members[members.length - 1] as TypeMember;
  members[members.length - 1] = { type, name: last.name };
  if (cursor.accept(',')) {
    members.push({ type: NONE as TypeId, name: memberName(cursor, types) });
    return undefined;
  }
  cursor.expect('}');
  open.pop();
  const whole = innermost.kind === TypeKind.struct ? types.struct(members) : types.union(members);
  return placed(cursor, innermost, whole);
}

/** Records where a type without a line of its own was first written. */
function placed(cursor: TextCursor, innermost: OpenType, type: TypeId): TypeId {
  if (!cursor.typeTokens.has(type)) cursor.typeTokens.set(type, innermost.token);
  return type;
}

/** Reads `...) ->` or `) ->`; what follows is the result type. */
function closeParameters(cursor: TextCursor, innermost: OpenType): OpenType {
  const varargs = cursor.accept('...');
  cursor.expect(')');
  cursor.expect('->');
  return { ...innermost, form: 'result', varargs };
}

/** Reads `name:` where one stands. */
function memberName(cursor: TextCursor, types: TypeTable): NameId {
  if (!cursor.is(':', 1)) return NONE as NameId;
  const name = types.names.intern(cursor.plainName('a member name'));
  cursor.expect(':');
  return name;
}
