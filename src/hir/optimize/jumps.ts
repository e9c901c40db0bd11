/** Loops and switches that are open, and what leaves them: break, continue, goto and return. */

import { isConstantOperand, NONE, type Node, type Value } from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { HIR_VARIABLE } from '../../ir/schema.js';
import { rewriteExpression } from './expressions.js';
import type { Construct, Rewriter } from './rewriter-state.js';
import { runDefers } from './scopes.js';

/** Begins a loop or switch; its node is made when something needs it. */
export function openConstruct(rewriter: Rewriter, old: Node, isLoop: boolean): Construct {
  const construct = { old, made: NONE as Node, isLoop, height: rewriter.defers.length, isBroken: false };
  rewriter.constructs.push(construct);
  rewriter.constructOf.set(old, construct);
  if (isLoop) rewriter.loops.push(construct);
  return construct;
}

/** Ends the innermost loop or switch. */
export function leaveConstruct(rewriter: Rewriter): Construct {
  const construct = rewriter.constructs.pop() as Construct;
  rewriter.constructOf.delete(construct.old);
  if (construct.isLoop) rewriter.loops.pop();
  return construct;
}

/** Ends the innermost loop or switch, and writes it with these children. */
export function closeConstruct(rewriter: Rewriter, children: readonly Node[]): void {
  const made = madeOf(rewriter, leaveConstruct(rewriter));
  rewriter.target.setChildren(made, children);
  rewriter.emit(made);
}

/** The node that a loop or switch becomes. */
function madeOf(rewriter: Rewriter, construct: Construct): Node {
  const { old } = construct;
  if (construct.made === NONE)
    construct.made = rewriter.add(old, rewriter.source.kind(old), rewriter.source.type(old));
  return construct.made;
}

/** Break and continue: the defers between here and what they leave, and then the jump. */
export function rewriteJump(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  const target = source.a(node);
  const isContinue = source.kind(node) === NodeKind.continue;
  const innermost = isContinue ? rewriter.loops : rewriter.constructs;
  const construct = (
    target === NONE ? innermost[innermost.length - 1] : rewriter.constructOf.get(target as Node)
  ) as Construct;
  runDefers(rewriter, construct.height, () => {
    if (!isContinue) construct.isBroken = true;
    rewriter.emit(rewriter.addLike(node, target === NONE ? NONE : madeOf(rewriter, construct), []));
    rewriter.list().isReached = false;
  });
}

/** The label that stands for one of the source. */
export function copyLabel(rewriter: Rewriter, label: Node): Node {
  return rewriter.labelCopies.of(label, () => rewriter.addLike(label, NONE, []));
}

/** A goto: the defers that are not active at its label, and then the jump. */
export function rewriteGoto(rewriter: Rewriter, node: Node): void {
  const label = rewriter.source.a(node) as Node;
  runDefers(rewriter, rewriter.labels.get(label) as number, () => {
    rewriter.emit(rewriter.addLike(node, copyLabel(rewriter, label), []));
    rewriter.list().isReached = false;
  });
}

/** A return: its value, all defers, and then the return of what the value was before them. */
export function rewriteReturn(rewriter: Rewriter, node: Node): void {
  const { source, target } = rewriter;
  const value = source.firstChild(node);
  const finish = (children: readonly Node[]) => {
    rewriter.emit(rewriter.addLike(node, NONE, children));
    rewriter.list().isReached = false;
  };
  if (value === NONE) {
    runDefers(rewriter, 0, () => finish([]));
    return;
  }
  rewriter.inOrder(
    () => rewriteExpression(rewriter, value),
    () => {
      const isConstant = isConstantOperand(rewriter.values[rewriter.values.length - 1] as Value);
      if (rewriter.defers.length === 0 || isConstant) {
        const made = rewriter.popNode();
        runDefers(rewriter, 0, () => finish([made]));
        return;
      }
      // The value is that of before the defers.
      const type = source.type(value);
      const name = target.tables.names.intern('result');
      const result = target.addVariable(rewriter.id, name, type);
      const declared = rewriter.addNew(node, NodeKind.declare, target.tables.types.void, result, [
        rewriter.popNode(),
      ]);
      rewriter.keepRegion(node, declared);
      target.variables.set(result, HIR_VARIABLE.declaration, declared);
      rewriter.emit(declared);
      runDefers(rewriter, 0, () => finish([rewriter.addNew(value, NodeKind.variable, type, result, [])]));
    },
  );
}
