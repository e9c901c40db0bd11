/** Blocks, and what their ends and other exits run: every defer is replaced by its statement (004 §5, 005/L-37). */

import { NONE, type Node } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import type { OpenList, Rewriter } from './rewriter-state.js';

/** Statements from `node` on, up to one that control does not leave at its end. */
export function rewriteStatements(rewriter: Rewriter, node: Node): void {
  // A label may stand anywhere behind a jump.
  if (rewriter.labels.size > 0) rewriter.list().isReached ||= node !== NONE;
  if (node === NONE || !rewriter.list().isReached) return;
  rewriter.inOrder(
    () => rewriter.statement(node),
    () => rewriteStatements(rewriter, rewriter.source.nextSibling(node)),
  );
}

/** A block as a statement of the list. */
export function rewriteBlock(rewriter: Rewriter, node: Node): void {
  rewriter.inOrder(
    () => makeBlock(rewriter, node),
    () => rewriter.emit(rewriter.blocks.pop() as Node),
  );
}

/** A block on the stack of blocks; what follows in the list around is reached when the end of the block is. */
function makeBlock(rewriter: Rewriter, node: Node): void {
  const height = rewriter.defers.length;
  rewriter.openList();
  rewriter.inOrder(
    () => rewriteStatements(rewriter, rewriter.source.firstChild(node)),
    () => endScope(rewriter, height),
    () => {
      const { statements, isReached } = rewriter.lists.pop() as OpenList;
      rewriter.blocks.push(rewriter.addLike(node, NONE, statements));
      if (!isReached) rewriter.list().isReached = false;
    },
  );
}

/** An arm of a branch: a block, after which `isReached` of the list around is as before; says it to `tell`. */
export function makeArm(rewriter: Rewriter, node: Node, tell: (isReached: boolean) => void): void {
  rewriter.inOrder(
    () => makeBlock(rewriter, node),
    () => {
      tell(rewriter.list().isReached);
      rewriter.list().isReached = true;
    },
  );
}

/** The statements that are registered above a height, last registered first, and then `finish`, when control comes there. */
export function runDefers(rewriter: Rewriter, height: number, finish: () => void): void {
  rewriter.steps.push(() => {
    if (rewriter.list().isReached) finish();
  });
  for (let index = height; index < rewriter.defers.length; index++) {
    const deferred = rewriter.defers[index] as Node;
    rewriter.steps.push(() => runDeferred(rewriter, deferred));
  }
}

/** Ends a scope: what it registered is run when its end is reached. */
export function endScope(rewriter: Rewriter, height: number): void {
  if (rewriter.defers.length <= height) return;
  if (!rewriter.list().isReached) {
    rewriter.defers.length = height;
    return;
  }
  const deferred = rewriter.defers.pop() as Node;
  rewriter.inOrder(
    () => runDeferred(rewriter, deferred),
    () => endScope(rewriter, height),
  );
}

/** A copy of what a defer defers, which is a scope of its own, and in the region that the defer makes. */
function runDeferred(rewriter: Rewriter, defer: Node): void {
  if (!rewriter.list().isReached) return;
  const node = rewriter.source.firstChild(defer);
  const height = rewriter.defers.length;
  const depth = rewriter.regionDepth;
  rewriter.regionDepth = rewriter.regionsAround.get(defer) as number;
  rewriter.openList();
  rewriter.inOrder(
    () => rewriter.inRegion(defer, () => rewriter.statement(node)),
    () => endScope(rewriter, height),
    () => {
      const { statements, isReached } = rewriter.lists.pop() as OpenList;
      const [only] = statements;
      const isRegion = rewriter.isRegion(rewriter.source.traits(defer));
      const isAlone = statements.length === 1 && rewriter.target.kind(only as Node) !== NodeKind.declare;
      if (isAlone && !isRegion) rewriter.emit(only as Node);
      else if (statements.length > 0) rewriter.emitAround(defer, rewriter.newBlock(node, statements));
      if (!isReached) rewriter.list().isReached = false;
      rewriter.regionDepth = depth;
    },
  );
}
