/** Writes constants as both text forms read them, with a stack instead of recursion. */

import { quotedBytes, quotedName } from '../../types/type-table.js';
import { pathText } from '../element-address.js';
import type { ConstantId, FunctionId, GlobalId } from '../entities.js';
import type { ModuleTables } from '../module-tables.js';
import { ConstantKind, TypeKind } from '../schema.js';

/** The constant without its type: `1`, `true`, `2.5`, `@counter`, `{ i32 1, i64 2 }`. */
export function constantText(tables: ModuleTables, constant: ConstantId): string {
  const parts: string[] = [];
  const work: (ConstantId | string)[] = [constant];
  while (work.length > 0) {
    const next = work.pop() as ConstantId | string;
    if (typeof next === 'string') parts.push(next);
    else if (tables.constants.kind(next) === ConstantKind.aggregate) pushMembers(tables, next, work);
    else parts.push(simpleText(tables, next));
  }
  return parts.join('');
}

/** Puts one level of an aggregate on the work list, last piece first. */
function pushMembers(tables: ModuleTables, constant: ConstantId, work: (ConstantId | string)[]): void {
  const { constants, types } = tables;
  const isArray = types.kind(constants.type(constant)) === TypeKind.array;
  const [open, close] = isArray ? ['[', ']'] : ['{', '}'];
  const count = constants.memberCount(constant);
  work.push(count === 0 ? `${open}${close}` : ` ${close}`);
  for (let index = count - 1; index >= 0; index--) {
    const member = constants.member(constant, index);
    work.push(member, `${index === 0 ? `${open} ` : ', '}${types.text(constants.type(member))} `);
  }
}

function simpleText(tables: ModuleTables, constant: ConstantId): string {
  const { constants, types } = tables;
  switch (constants.kind(constant)) {
    case ConstantKind.integer: {
      const value = constants.integerValue(constant);
      if (types.width(constants.type(constant)) > 1) return String(value);
      return value === 0n ? 'false' : 'true';
    }
    case ConstantKind.float:
      return floatText(
        constants.floatBits(constant),
        constants.floatValue(constant),
        isSingle(tables, constant),
      );
    case ConstantKind.null:
      return 'null';
    case ConstantKind.undef:
      return 'undef';
    case ConstantKind.zero:
      return 'zero';
    case ConstantKind.globalAddress:
    case ConstantKind.elementAddress: {
      const name = quotedName(tables.globalName(constants.addressee(constant) as GlobalId));
      return `@${name}${pathText(constants.elementPath(constant))}`;
    }
    case ConstantKind.functionAddress:
      return `@${quotedName(tables.functionName(constants.addressee(constant) as FunctionId))}`;
    default:
      return quotedBytes(constants.byteContent(constant));
  }
}

function isSingle(tables: ModuleTables, constant: ConstantId): boolean {
  return tables.types.width(tables.constants.type(constant)) === 32;
}

/** The shortest decimal that reads back as the same bits; it has a point or an exponent. */
function floatText(bits: bigint, value: number, isF32: boolean): string {
  if (Number.isNaN(value)) {
    const canonical = isF32 ? 0x7fc00000n : 0x7ff8000000000000n;
    return bits === canonical ? 'nan' : `nan:0x${bits.toString(16)}`;
  }
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf';
  if (Object.is(value, -0)) return '-0.0';
  const text = isF32 ? shortestSingle(value) : String(value);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function shortestSingle(value: number): string {
  for (let digits = 1; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return String(rounded);
  }
  return String(Number(value.toPrecision(9)));
}
