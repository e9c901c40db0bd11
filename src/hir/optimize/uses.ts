/**
 * What the tree of one function does with its variables, found in one walk (004 §3): which are written after their declaration, and
 * whose address goes where nobody can follow it.
 */

import { type FunctionId, NONE, type Node } from '../../ir/entities.js';
import type { HirModule } from '../../ir/hir-module.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { Opcode } from '../../ir/opcodes.js';

/** Per variable of a function, counted from its first one. */
export interface VariableUses {
  /** Whether something other than its declaration writes it by name. */
  readonly isAssigned: Uint8Array;
  readonly isAddressed: Uint8Array;
  /** Whether its address is kept, passed or returned, or computed with in a way that is not followed. */
  readonly escapes: Uint8Array;
}

/** Walks the body of a function. Linear in its nodes. */
export function findUses(module: HirModule, id: FunctionId): VariableUses {
  const count = module.variableCount(id);
  const first = module.firstVariable(id);
  const uses = {
    isAssigned: new Uint8Array(count),
    isAddressed: new Uint8Array(count),
    escapes: new Uint8Array(count),
  };
  const body = module.body(id);
  // Pairs: a node, and 1 where an address that it gives is only used to access what it points to.
  const work: number[] = body === NONE ? [] : [body, 0];
  while (work.length > 0) {
    const isAccess = work.pop() === 1;
    const node = work.pop() as Node;
    const kind = module.kind(node);
    if (kind === NodeKind.assign) uses.isAssigned[module.a(node) - first] = 1;
    if (kind === NodeKind.address) {
      uses.isAddressed[module.a(node) - first] = 1;
      if (!isAccess) uses.escapes[module.a(node) - first] = 1;
    }
    let index = 0;
    for (let child = module.firstChild(node); child !== NONE; child = module.nextSibling(child))
      work.push(child, kind === NodeKind.operation && isAccessed(module.a(node), index++, isAccess) ? 1 : 0);
  }
  return uses;
}

/** Whether an operation uses this operand as an address alone, or gives an address that is so used. */
function isAccessed(opcode: number, index: number, isAccess: boolean): boolean {
  switch (opcode) {
    case Opcode.load:
    case Opcode.cmpxchg:
    case Opcode.atomicrmw:
    case Opcode.memset:
      return index === 0;
    case Opcode.store:
      return index === 1;
    case Opcode.memcpy:
    case Opcode.memmove:
      return index <= 1;
    case Opcode.gep:
    case Opcode.bitcast:
      return index === 0 && isAccess;
    default:
      return false;
  }
}
