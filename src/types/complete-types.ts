/**
 * Which types of a table have a size, all at once: linear in the table, where asking for one after the other walks a cycle of
 * types again for each of its members.
 */

import type { TypeId } from '../ir/entities.js';
import { TypeKind } from '../ir/schema.js';
import type { TypeTable } from './type-table.js';

/**
 * Per type, 1 when it is complete: a scalar, or an aggregate whose parts all are. Kahn 1962: an aggregate is complete once the last of
 * its parts is; what stands in a cycle, or beside a part without a size, never is.
 */
export function completeTypes(types: TypeTable): Uint8Array {
  const isComplete = new Uint8Array(types.length);
  const missing = new Int32Array(types.length);
  const users = usersOfTypes(types, missing);
  const work: TypeId[] = [];
  for (let id = 0; id < types.length; id++) {
    const type = id as TypeId;
    const isReady =
      types.isScalar(type) || (types.isAggregate(type) && isKnown(types, type) && missing[id] === 0);
    if (isReady) work.push(type);
  }
  while (work.length > 0) {
    const type = work.pop() as TypeId;
    isComplete[type] = 1;
    const end = users.start[type + 1] as number;
    for (let at = users.start[type] as number; at < end; at++) {
      const user = users.list[at] as TypeId;
      missing[user] = (missing[user] as number) - 1;
      if (missing[user] === 0 && isKnown(types, user)) work.push(user);
    }
  }
  return isComplete;
}

/** Whether the parts of an aggregate are known: no opaque type. */
function isKnown(types: TypeTable, type: TypeId): boolean {
  return types.kind(type) === TypeKind.array || types.isDefined(type);
}

/** The aggregates that each type is a part of, once for each place; `missing` counts the parts of each. */
function usersOfTypes(types: TypeTable, missing: Int32Array): { start: Int32Array; list: Int32Array } {
  const start = new Int32Array(types.length + 2);
  forEachPart(types, (user, part) => {
    missing[user] = (missing[user] as number) + 1;
    start[part + 2] = (start[part + 2] as number) + 1;
  });
  for (let type = 2; type < start.length; type++) {
    start[type] = (start[type] as number) + (start[type - 1] as number);
  }
  const list = new Int32Array(start[start.length - 1] as number);
  forEachPart(types, (user, part) => {
    const at = start[part + 1] as number;
    list[at] = user;
    start[part + 1] = at + 1;
  });
  return { start, list };
}

function forEachPart(types: TypeTable, visit: (user: TypeId, part: TypeId) => void): void {
  for (let id = 0; id < types.length; id++) {
    const type = id as TypeId;
    if (types.kind(type) === TypeKind.array) visit(type, types.element(type));
    else if (types.isAggregate(type) && types.isDefined(type)) {
      for (let index = 0; index < types.memberCount(type); index++)
        visit(type, types.memberType(type, index));
    }
  }
}
