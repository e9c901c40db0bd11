/** Addresses within globals that are known before the program runs: which paths lead somewhere, and how far (006 §1). */

import type { LayoutTable } from '../types/layout.js';
import type { TypeTable } from '../types/type-table.js';
import type { ConstantId, GlobalId, TypeId } from './entities.js';
import type { ModuleTables } from './module-tables.js';
import { TypeKind } from './schema.js';

/** What an index leads to in a value of the type; undefined when it leads nowhere. */
function part(types: TypeTable, type: TypeId, index: number): TypeId | undefined {
  if (index < 0) return undefined;
  switch (types.kind(type)) {
    case TypeKind.array:
      return index < types.count(type) ? types.element(type) : undefined;
    case TypeKind.struct:
    case TypeKind.union:
      return types.isFirstClass(type) && index < types.memberCount(type)
        ? types.memberType(type, index)
        : undefined;
    default:
      return undefined;
  }
}

/**
 * The type of what a path leads to from a value of type `root`; undefined when it leads nowhere. The last index may be one past the end
 * of its array, for such an address may be compared and stepped back from.
 */
export function elementType(types: TypeTable, root: TypeId, path: readonly number[]): TypeId | undefined {
  let type: TypeId | undefined = root;
  for (const [place, index] of path.entries()) {
    if (type === undefined) return undefined;
    const isPastEnd: boolean =
      place === path.length - 1 && types.kind(type) === TypeKind.array && index === types.count(type);
    type = isPastEnd ? types.element(type) : part(types, type, index);
  }
  return type;
}

/** How many bytes the address lies behind the beginning of its global. Requires a path that leads somewhere. */
export function elementOffset(tables: ModuleTables, layout: LayoutTable, constant: ConstantId): number {
  const { constants, types } = tables;
  let type = tables.globalType(constants.addressee(constant) as GlobalId);
  let offset = 0;
  for (const index of constants.elementPath(constant)) {
    if (types.kind(type) === TypeKind.array) {
      type = types.element(type);
      offset += index * layout.size(type);
    } else {
      offset += layout.offset(type, index);
      type = types.memberType(type, index);
    }
  }
  return offset;
}

/** `@table[2, 1]` without its name: the indices of the path. */
export function pathText(path: readonly number[]): string {
  return path.length === 0 ? '' : `[${path.join(', ')}]`;
}
