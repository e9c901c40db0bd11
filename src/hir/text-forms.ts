/** What the parser and the printer of `.hir` must agree on: words, and which type a constant has where it stands. */

import { NONE, type TypeId } from '../ir/entities.js';
import type { ModuleTables } from '../ir/module-tables.js';
import { NodeKind } from '../ir/node-kinds.js';
import { OPCODES, type OpcodeClass, opcodeRow } from '../ir/opcodes.js';

/** Opcodes by the word that `.hir` and `.vir` write. */
export const OPCODE_NUMBERS: ReadonlyMap<string, number> = new Map(
  OPCODES.map((opcode, number) => [opcode.name, number]),
);

/** The expressions that are no operations, by their word. */
export const LOGICAL_WORDS: ReadonlyMap<string, number> = new Map([
  ['andalso', NodeKind.logicalAnd],
  ['orelse', NodeKind.logicalOr],
  ['cond', NodeKind.conditional],
]);

/** Whether an operation writes a type before its operands. */
export function writesType(opcodeClass: OpcodeClass): boolean {
  switch (opcodeClass) {
    case 'cast':
    case 'extract':
    case 'insert':
    case 'call':
    case 'memoryCopy':
    case 'memorySet':
    case 'assume':
    case 'fence':
      return false;
    default:
      return true;
  }
}

/**
 * What the place of an expression says about the type of a constant there: a type, a pointer to a type (see
 * `pointerPlace`), or NONE. Where it says nothing, or something else, the constant is written `const T value`.
 */
export type PlaceType = number;

/** The place of a pointer to a type, which need not be in the type table yet. */
export function pointerPlace(pointee: number): PlaceType {
  return -2 - pointee;
}

/** Whether a constant of the type needs no type of its own at the place. */
export function fitsPlace(tables: ModuleTables, type: TypeId, place: PlaceType): boolean {
  if (place >= NONE) return type === place;
  return tables.types.isPointer(type) && tables.types.pointee(type) === -2 - place;
}

/** The type that a place gives to a constant, or NONE. */
export function placeType(tables: ModuleTables, place: PlaceType): TypeId {
  return place >= NONE ? (place as TypeId) : tables.types.pointer((-2 - place) as TypeId);
}

/** The place of an operand of an operation. `written` is the type that stands before the operands, or NONE. */
export function operandPlace(
  tables: ModuleTables,
  opcode: number,
  written: TypeId,
  aux: number,
  index: number,
): PlaceType {
  const { types } = tables;
  switch (opcodeRow(opcode).class) {
    case 'cast':
      return NONE;
    case 'select':
      return index === 0 ? types.i1 : written;
    case 'load':
      return pointerPlace(written);
    case 'store':
      return index === 0 ? written : pointerPlace(written);
    case 'compareExchange':
    case 'atomicUpdate':
      return index === 0 ? pointerPlace(written) : written;
    case 'address':
      return index === 0 ? pointerPlace(aux) : types.i32;
    case 'extract':
      return index === 0 ? NONE : types.i32;
    case 'insert':
      return index <= 1 ? NONE : types.i32;
    case 'call':
      return argumentPlace(tables, aux as TypeId, index);
    case 'memoryCopy':
      return index === 2 ? types.i64 : NONE;
    case 'memorySet':
      return [NONE, types.u8, types.i64][index] ?? NONE;
    case 'assume':
      return types.i1;
    default:
      return written;
  }
}

function argumentPlace(tables: ModuleTables, signature: TypeId, index: number): PlaceType {
  if (index === 0) return pointerPlace(signature);
  const { types } = tables;
  return index <= types.memberCount(signature) ? types.memberType(signature, index - 1) : NONE;
}

/** The place of a child of an expression that is no operation. */
export function logicalPlace(tables: ModuleTables, kind: number, written: TypeId, index: number): PlaceType {
  return kind === NodeKind.conditional && index > 0 ? written : tables.types.i1;
}

/** Deeper nesting than this is written without more indentation, so that the text stays linear in the tree. */
export const MAXIMUM_INDENT = 16;

/** Whether `continue` may go on with the kind of node. */
export function isLoop(kind: number): boolean {
  return kind === NodeKind.while || kind === NodeKind.doWhile || kind === NodeKind.for;
}

/** Whether `break` may leave the kind of node. */
export function isBreakable(kind: number): boolean {
  return isLoop(kind) || kind === NodeKind.switch;
}
