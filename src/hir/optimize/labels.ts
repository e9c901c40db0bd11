/** The labels of one function with how many defers are active at each, found in one walk: a goto may stand before its label. */

import type { FunctionId, Node } from '../../ir/entities.js';
import type { HirModule } from '../../ir/hir-module.js';
import { NodeKind } from '../../ir/node-kinds.js';

/** Per label, the number of defers that are active there. Linear in the nodes of the function. */
export function findLabels(module: HirModule, id: FunctionId): ReadonlyMap<Node, number> {
  const heights = new Map<Node, number>();
  // Nodes to visit, and `~height` where a scope ends.
  const work: number[] = [module.body(id)];
  let height = 0;
  while (work.length > 0) {
    const next = work.pop() as number;
    if (next < 0) {
      height = ~next;
      continue;
    }
    const node = next as Node;
    const kind = module.kind(node);
    if (kind === NodeKind.label) heights.set(node, height);
    else if (kind === NodeKind.defer) height++;
    else if (kind >= NodeKind.block && kind !== NodeKind.declare && kind !== NodeKind.assign) {
      if (kind === NodeKind.block || kind === NodeKind.for) work.push(~height);
      let children = module.children(node);
      // The init of a for is no scope of its own.
      if (kind === NodeKind.for) children = module.children(children[0] as Node).concat(children.slice(1));
      for (let index = children.length - 1; index >= 0; index--) work.push(children[index] as Node);
    }
  }
  return heights;
}

/** The node of the target that stands for a label of the source. */
export class LabelCopies {
  readonly #made = new Map<Node, Node>();

  /** `make` is asked for it the first time. */
  of(label: Node, make: () => Node): Node {
    const known = this.#made.get(label);
    if (known !== undefined) return known;
    const made = make();
    this.#made.set(label, made);
    return made;
  }
}
