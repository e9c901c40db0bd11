/**
 * Tells apart what is wrong with a node that stands in two places (003/H-2): it is within itself, in two functions, or in one function
 * twice. Links may form cycles here, so that every walk marks where it was. Linear in the table.
 */

import { type Diagnostic, diagnostic } from '../diag/diagnostic.js';
import { type FunctionId, NONE, type Node } from '../ir/entities.js';
import type { HirModule } from '../ir/hir-module.js';

/** What is wrong with a node that two links lead to. */
export function sharedNodeFault(module: HirModule, node: Node): Diagnostic {
  const what = `node ${node}`;
  const position = module.positionOf(node);
  if (isWithinItself(module, node)) return diagnostic('VCT0346', { what }, position);
  const owners: string[] = [];
  // One set of marks for all functions: what an earlier one holds is not walked again.
  const isSeen = new Uint8Array(module.nodes.length);
  for (let id = 0 as FunctionId; id < module.functionCount && owners.length < 2; id++) {
    const body = module.body(id);
    if (body !== NONE && isReached(module, [body], node, isSeen)) owners.push(module.tables.functionName(id));
  }
  const [first, second] = owners;
  if (first === undefined || second === undefined) return diagnostic('VCT0325', { what }, position);
  return diagnostic('VCT0347', { what, first, second }, position);
}

function isWithinItself(module: HirModule, node: Node): boolean {
  const isSeen = new Uint8Array(module.nodes.length);
  return isReached(module, [module.firstChild(node), module.nextSibling(node)], node, isSeen);
}

/** Whether links lead from one of the nodes to the wanted one, by nodes that were not seen yet. */
function isReached(module: HirModule, starts: readonly Node[], wanted: Node, isSeen: Uint8Array): boolean {
  const work = [...starts];
  while (work.length > 0) {
    const node = work.pop() as Node;
    if (node === NONE || isSeen[node] === 1) continue;
    if (node === wanted) return true;
    isSeen[node] = 1;
    work.push(module.firstChild(node), module.nextSibling(node));
  }
  return false;
}
