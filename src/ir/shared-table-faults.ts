/**
 * Whether the tables that HIR and VIR share can be read at all: every index in range, every row of a known kind, and no type or
 * constant within itself. Both verifiers ask this first. Linear in the tables.
 */

import { TRAITS, traitRow } from '../traits/trait-table.js';
import { MAXIMUM_INTEGER_WIDTH } from '../types/type-table.js';
import { elementType, pathText } from './element-address.js';
import { type ConstantId, NONE, type TypeId } from './entities.js';
import { ModuleTables } from './module-tables.js';
import {
  CONSTANT,
  ConstantKind,
  FUNCTION,
  GLOBAL,
  Linkage,
  ORDERINGS,
  POSITION,
  TRAIT_ENTRY,
  TRAIT_SET,
  TYPE,
  TYPE_MEMBER,
  TypeKind,
} from './schema.js';
import type { Table } from './table.js';

/** Whether the rows that a table claims are there. */
export function isWhole(table: Table): boolean {
  return (
    Number.isInteger(table.length) && table.length >= 0 && table.length * table.stride <= table.data.length
  );
}

/** Reports a fault; says false when there have been enough. */
export type ReportTableFault = (table: string, row: number, detail: string) => boolean;

/** Whether a range of rows lies within a table of that length. */
export function isRange(first: number, count: number, length: number): boolean {
  return first >= 0 && count >= 0 && first <= length && count <= length - first;
}

/** Reports what is wrong with the tables of a module; stops when the caller has enough. */
export function sharedTableFaults(tables: ModuleTables, report: ReportTableFault): void {
  const all = {
    type: tables.types.rows,
    'type member': tables.types.members,
    constant: tables.constants.rows,
    pool: tables.constants.pool,
    'trait set': tables.traitSets.rows,
    'trait entry': tables.traitSets.entries,
    global: tables.globals,
    function: tables.functions,
    position: tables.positions,
  };
  for (const [name, table] of Object.entries(all)) {
    if (!isWhole(table)) {
      report(name, table.length, 'it ends inside a row');
      return;
    }
  }
  const checks: readonly [string, number, (row: number) => string | undefined][] = [
    ['type', tables.types.length, (row) => typeFault(tables, row)],
    ['constant', tables.constants.length, (row) => constantFault(tables, row)],
    ['trait set', tables.traitSets.length, (row) => traitSetFault(tables, row)],
    ['position', tables.positions.length, (row) => positionFault(tables, row)],
    ['global', tables.globals.length, (row) => globalFault(tables, row)],
    ['function', tables.functions.length, (row) => functionFault(tables, row)],
  ];
  if (
    tables.types.length < FIRST_ROWS.types.length ||
    tables.constants.length < FIRST_ROWS.constants.length
  ) {
    report('type', tables.types.length, 'the rows that every module has are missing');
    return;
  }
  for (const [name, length, faultOf] of checks) {
    let hasFault = false;
    for (let row = 0; row < length; row++) {
      const fault = faultOf(row);
      if (fault === undefined) continue;
      hasFault = true;
      if (!report(name, row, fault)) return;
    }
    // What comes after follows the ids of what came before.
    if (hasFault) return;
  }
}

/** The rows that every module begins with: what is written without asking the tables stands there. */
const FIRST_ROWS = new ModuleTables('');

/** Whether a table begins with the rows of the same table of a new module. */
function hasFirstRow(table: Table, first: Table, row: number): boolean {
  if (row >= first.length) return true;
  for (let column = 0; column < first.stride; column++)
    if (table.get(row, column) !== first.get(row, column)) return false;
  return true;
}

function isIn(id: number, length: number): boolean {
  return id >= 0 && id < length;
}

function isOptional(id: number, length: number): boolean {
  return id === NONE || isIn(id, length);
}

/** A type refers to older types, except that members of a named struct or union may be younger than it. */
function typeFault(tables: ModuleTables, row: number): string | undefined {
  const { rows } = tables.types;
  if (!hasFirstRow(rows, FIRST_ROWS.types.rows, row)) return 'not the type that every module has here';
  const a = rows.get(row, TYPE.a);
  const b = rows.get(row, TYPE.b);
  const c = rows.get(row, TYPE.c);
  switch (rows.get(row, TYPE.kind)) {
    case TypeKind.void:
      return undefined;
    case TypeKind.integer:
      return a >= 1 && a <= MAXIMUM_INTEGER_WIDTH ? undefined : `an integer of ${a} bits`;
    case TypeKind.float:
      return a === 32 || a === 64 ? undefined : `a float of ${a} bits`;
    case TypeKind.pointer:
      return isIn(a, row) ? undefined : `pointee ${a}`;
    case TypeKind.array:
      return isIn(a, row) && b >= 0 ? undefined : `an array of ${b} elements of type ${a}`;
    case TypeKind.function:
      return isIn(c, row) ? membersFault(tables, a, b, row) : `result ${c}`;
    case TypeKind.struct:
    case TypeKind.union:
      if (!isOptional(c, tables.names.length)) return `name ${c}`;
      if (rows.get(row, TYPE.size) !== NONE && (c === NONE || rows.get(row, TYPE.d) !== 1))
        return 'a pinned layout without a name or members';
      if (rows.get(row, TYPE.d) !== 1) return c === NONE ? 'no members and no name' : undefined;
      return membersFault(tables, a, b, c === NONE ? row : tables.types.length);
    default:
      return `kind ${rows.get(row, TYPE.kind)}`;
  }
}

function membersFault(tables: ModuleTables, first: number, count: number, below: number): string | undefined {
  const { members } = tables.types;
  if (!isRange(first, count, members.length)) return 'members outside the table';
  for (let row = first; row < first + count; row++) {
    const type = members.get(row, TYPE_MEMBER.type);
    if (!isIn(type, below)) return `a member of type ${type}`;
    if (!isOptional(members.get(row, TYPE_MEMBER.name), tables.names.length)) return 'the name of a member';
  }
  return undefined;
}

/** A constant refers to older constants only, so that none is within itself. */
function constantFault(tables: ModuleTables, row: number): string | undefined {
  const { constants, types } = tables;
  const column = (offset: number) => constants.rows.get(row, offset);
  const type = column(CONSTANT.type) as TypeId;
  if (!isIn(type, types.length)) return `type ${type}`;
  if (!hasFirstRow(constants.rows, FIRST_ROWS.constants.rows, row))
    return 'not the constant that every module has here';
  const a = column(CONSTANT.a);
  const b = column(CONSTANT.b);
  const wants = (isGood: boolean) => (isGood ? undefined : `a kind that type ${types.text(type)} has not`);
  switch (column(CONSTANT.kind)) {
    case ConstantKind.integer: {
      if (!types.isInteger(type)) return wants(false);
      const width = types.width(type);
      const words = Math.ceil(width / 32);
      if (words > 2 && !(b === words && isRange(a, b, constants.pool.length)))
        return 'words outside the pool';
      return constants.integerBits(row as ConstantId) >> BigInt(width) === 0n
        ? undefined
        : `bits beyond the ${width} of its type`;
    }
    case ConstantKind.float:
      return wants(types.isFloat(type));
    case ConstantKind.null:
      return wants(types.isPointer(type));
    case ConstantKind.undef:
    case ConstantKind.zero:
      return wants(types.kind(type) !== TypeKind.void && types.kind(type) !== TypeKind.function);
    case ConstantKind.globalAddress:
      return types.isPointer(type) && isIn(a, tables.globals.length)
        ? undefined
        : `the address of global ${a}`;
    case ConstantKind.elementAddress:
      return types.isPointer(type) ? elementFault(tables, row, a, b) : `the address of a part of global ${a}`;
    case ConstantKind.functionAddress:
      return types.isPointer(type) && isIn(a, tables.functions.length)
        ? undefined
        : `the address of function ${a}`;
    case ConstantKind.aggregate:
      return wants(types.isAggregate(type)) ?? aggregateFault(tables, row, a, b);
    case ConstantKind.bytes:
      if (types.kind(type) !== TypeKind.array) return wants(false);
      return isRange(a, b, constants.bytes.length) ? undefined : 'bytes outside the pool';
    default:
      return `kind ${column(CONSTANT.kind)}`;
  }
}

function aggregateFault(tables: ModuleTables, row: number, first: number, count: number): string | undefined {
  const { pool } = tables.constants;
  if (!isRange(first, count, pool.length)) return 'members outside the pool';
  for (let at = first; at < first + count; at++) {
    if (!isIn(pool.get(at, 0), row)) return `member ${pool.get(at, 0)}`;
  }
  return undefined;
}

function elementFault(tables: ModuleTables, row: number, global: number, first: number): string | undefined {
  const { constants, types } = tables;
  const { pool } = constants;
  if (!isIn(global, tables.globals.length)) return `the address of a part of global ${global}`;
  const root = tables.globals.get(global, GLOBAL.type) as TypeId;
  if (!isIn(root, types.length)) return `the address of a part of a global of type ${root}`;
  const isPath = isIn(first, pool.length) && isRange(first + 1, pool.get(first, 0), pool.length);
  if (!isPath) return 'a path outside the pool';
  const path = constants.elementPath(row as ConstantId);
  return path.length > 0 && elementType(types, root, path) !== undefined
    ? undefined
    : `a path ${pathText(path)} that leads nowhere`;
}

function traitSetFault(tables: ModuleTables, row: number): string | undefined {
  const { rows, entries } = tables.traitSets;
  const first = rows.get(row, TRAIT_SET.firstEntry);
  const count = rows.get(row, TRAIT_SET.entryCount);
  if (!isRange(first, count, entries.length)) return 'entries outside the table';
  let mask = 0;
  for (let at = first; at < first + count; at++) {
    const trait = entries.get(at, TRAIT_ENTRY.trait);
    if (!isIn(trait, TRAITS.length)) return `trait ${trait}`;
    if (trait < 32) mask |= 1 << trait;
    const a = entries.get(at, TRAIT_ENTRY.a);
    const b = entries.get(at, TRAIT_ENTRY.b);
    const { payload } = traitRow(trait);
    if (payload === 'ordering' && !isIn(a, ORDERINGS.length)) return `ordering ${a}`;
    if (payload === 'range' && !(isBound(tables, a) && isBound(tables, b))) return `bounds ${a} and ${b}`;
  }
  // The core reads the mask, everybody else the entries.
  return rows.get(row, TRAIT_SET.mask) === mask ? undefined : 'a mask that is not that of its entries';
}

function isBound(tables: ModuleTables, constant: number): boolean {
  const { constants, types } = tables;
  if (!isIn(constant, constants.length)) return false;
  return (
    constants.rows.get(constant, CONSTANT.kind) === ConstantKind.integer &&
    constants.rows.get(constant, CONSTANT.type) === types.i64
  );
}

function positionFault(tables: ModuleTables, row: number): string | undefined {
  const file = tables.positions.get(row, POSITION.file);
  return isIn(file, tables.names.length) ? undefined : `file ${file}`;
}

function globalFault(tables: ModuleTables, row: number): string | undefined {
  const column = (offset: number) => tables.globals.get(row, offset);
  if (!isIn(column(GLOBAL.name), tables.names.length)) return `name ${column(GLOBAL.name)}`;
  if (!isIn(column(GLOBAL.type), tables.types.length)) return `type ${column(GLOBAL.type)}`;
  if (!isOptional(column(GLOBAL.initializer), tables.constants.length)) {
    return `initializer ${column(GLOBAL.initializer)}`;
  }
  return annotationFault(tables, column(GLOBAL.linkage), column(GLOBAL.traits), column(GLOBAL.position));
}

function functionFault(tables: ModuleTables, row: number): string | undefined {
  const column = (offset: number) => tables.functions.get(row, offset);
  if (!isIn(column(FUNCTION.name), tables.names.length)) return `name ${column(FUNCTION.name)}`;
  const type = column(FUNCTION.type) as TypeId;
  if (!isIn(type, tables.types.length)) return `type ${type}`;
  if (tables.types.kind(type) !== TypeKind.function) return `type ${tables.types.text(type)}`;
  return annotationFault(
    tables,
    column(FUNCTION.linkage),
    column(FUNCTION.traits),
    column(FUNCTION.position),
  );
}

function annotationFault(
  tables: ModuleTables,
  linkage: number,
  traits: number,
  position: number,
): string | undefined {
  if (!isIn(linkage, Object.keys(Linkage).length)) return `linkage ${linkage}`;
  if (!isOptional(traits, tables.traitSets.length)) return `trait set ${traits}`;
  return isOptional(position, tables.positions.length) ? undefined : `position ${position}`;
}
