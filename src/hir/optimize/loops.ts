/** Loops: those that never run go, and behind those that never end nothing is reached. */

import { NONE, type Node } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { rewriteExpression } from './expressions.js';
import { closeConstruct, openConstruct } from './jumps.js';
import type { OpenList, Rewriter } from './rewriter-state.js';
import { endScope, makeArm, rewriteStatements } from './scopes.js';

/** A loop that is tested first goes when it never runs. */
export function rewriteWhile(rewriter: Rewriter, node: Node): void {
  const [condition, body] = rewriter.source.children(node) as [Node, Node];
  rewriter.inOrder(
    () => rewriteExpression(rewriter, condition),
    () => {
      if (rewriter.topCondition() === false) {
        rewriter.drop();
        return;
      }
      const isEndless = rewriter.topCondition() === true;
      const construct = openConstruct(rewriter, node, true);
      rewriter.inOrder(
        () => makeArm(rewriter, body, () => {}),
        () => {
          closeConstruct(rewriter, [rewriter.popNode(), rewriter.blocks.pop() as Node]);
          if (isEndless && !construct.isBroken) rewriter.list().isReached = false;
        },
      );
    },
  );
}

/** A loop that is tested last. */
export function rewriteDoWhile(rewriter: Rewriter, node: Node): void {
  const [body, condition] = rewriter.source.children(node) as [Node, Node];
  openConstruct(rewriter, node, true);
  rewriter.inOrder(
    () => makeArm(rewriter, body, () => {}),
    () => rewriteExpression(rewriter, condition),
    () => closeConstruct(rewriter, [rewriter.blocks.pop() as Node, rewriter.popNode()]),
  );
}

/**
 * What the init defers runs after the loop, in the scope of the init: then the init stands in a block around the loop. So it does where
 * the loop never runs.
 */
export function rewriteFor(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  const [init, condition, step, body] = source.children(node) as [Node, Node, Node, Node];
  const height = rewriter.defers.length;
  const isAround = source.children(init).some((child) => source.kind(child) === NodeKind.defer);
  let isRun = true;
  rewriter.openList();
  rewriter.inOrder(
    () => rewriteStatements(rewriter, source.firstChild(init)),
    () => {
      if (!rewriter.list().isReached && rewriter.labels.size === 0) {
        isRun = false;
        return;
      }
      rewriter.inOrder(
        () => rewriteExpression(rewriter, condition),
        () => {
          isRun = rewriter.topCondition() !== false;
          if (isRun) loopOfFor(rewriter, node, isAround, step, body);
          else rewriter.drop();
        },
      );
    },
    () => endScope(rewriter, height),
    () => {
      const { statements, isReached } = rewriter.lists.pop() as OpenList;
      if (isRun && !isAround) rewriter.emit(statements[0] as Node);
      else if (statements.length > 0) rewriter.emitAround(node, rewriter.addLike(init, NONE, statements));
      if (!isReached) rewriter.list().isReached = false;
    },
  );
}

/** The loop itself, in the list of the init; that list becomes the init unless it stands around the loop. */
function loopOfFor(rewriter: Rewriter, node: Node, isAround: boolean, step: Node, body: Node): void {
  const init = rewriter.source.firstChild(node);
  const { statements } = rewriter.list();
  const inside = isAround ? [] : statements.splice(0);
  const isEndless = rewriter.topCondition() === true;
  const construct = openConstruct(rewriter, node, true);
  rewriter.inOrder(
    () => makeArm(rewriter, body, () => {}),
    () => makeArm(rewriter, step, () => {}),
    () => {
      const made = rewriter.addLike(init, NONE, inside);
      const stepBlock = rewriter.blocks.pop() as Node;
      const bodyBlock = rewriter.blocks.pop() as Node;
      closeConstruct(rewriter, [made, rewriter.popNode(), stepBlock, bodyBlock]);
      if (isEndless && !construct.isBroken) rewriter.list().isReached = false;
    },
  );
}
