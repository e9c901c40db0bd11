/** Expressions as they are written anew: constants folded, and sides that a constant decides left out (004 §4). */

import { foldOperation } from '../../ir/constant-folding.js';
import {
  type ConstantId,
  constantOperand,
  isConstantOperand,
  NONE,
  type Node,
  operandConstant,
  type TraitSetId,
  type Value,
} from '../../ir/entities.js';
import { NodeKind } from '../../ir/node-kinds.js';
import { Opcode } from '../../ir/opcodes.js';
import { ConstantKind, HIR_VARIABLE } from '../../ir/schema.js';
import { CHANGING, type Rewriter, reverseFrom } from './rewriter-state.js';

/** Leaves the value of an expression on the stack of values. */
export function rewriteExpression(rewriter: Rewriter, node: Node): void {
  rewriter.inRegion(node, () => rewriteInside(rewriter, node));
}

function rewriteInside(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  switch (source.kind(node)) {
    case NodeKind.constant:
      if (rewriter.isChecked(source.traits(node)))
        rewriter.push(rewriter.addLike(node, source.a(node), []), node);
      else rewriter.push(constantOperand(source.a(node) as ConstantId), node);
      return;
    case NodeKind.variable: {
      const variable = source.a(node) - rewriter.firstVariable;
      const constant = rewriter.constantOf[variable] as number;
      if (constant !== NONE && rewriter.regionDepth === 0 && !rewriter.isChecked(source.traits(node)))
        rewriter.push(constantOperand(constant as ConstantId), node);
      else rewriter.push(rewriter.addLike(node, rewriter.nowOf(variable), []), node);
      return;
    }
    case NodeKind.address: {
      const variable = source.a(node) - rewriter.firstVariable;
      rewriter.push(rewriter.addLike(node, rewriter.nowOf(variable), []), node);
      return;
    }
    case NodeKind.operation:
      rewriteOperands(rewriter, source.firstChild(node), () => rewriteOperation(rewriter, node));
      return;
    case NodeKind.conditional:
      rewriteConditional(rewriter, node);
      return;
    default:
      rewriteLogical(rewriter, node);
  }
}

/** The expressions from `node` on, each to the stack, and then `finish`. */
function rewriteOperands(rewriter: Rewriter, node: Node, finish: () => void): void {
  rewriter.steps.push(finish);
  const start = rewriter.steps.length;
  for (let at = node; at !== NONE; at = rewriter.source.nextSibling(at)) {
    const operand = at;
    rewriter.steps.push(() => rewriteExpression(rewriter, operand));
  }
  reverseFrom(rewriter.steps, start);
}

function rewriteOperation(rewriter: Rewriter, node: Node): void {
  const { source, target } = rewriter;
  let count = 0;
  for (let child = source.firstChild(node); child !== NONE; child = source.nextSibling(child)) count++;
  const first = rewriter.values.length - count;
  const isKnown =
    rewriter.regionDepth === 0 &&
    !rewriter.isChecked(source.traits(node)) &&
    count > 0 &&
    count <= 3 &&
    rewriter.values.slice(first).every((value) => isConstantOperand(value as Value));
  if (isKnown) {
    const operands = rewriter.values.slice(first).map((value) => operandConstant(value as Value));
    const folded = foldOperation(target.tables, source.a(node), source.type(node), source.b(node), operands);
    if (folded !== undefined) {
      rewriter.values.length = first;
      rewriter.origins.length = first;
      rewriter.push(constantOperand(folded), node);
      return;
    }
  }
  if (chooseSide(rewriter, node, first)) return;
  const children: Node[] = [];
  while (rewriter.values.length > first) children.push(rewriter.popNode());
  rewriter.push(rewriter.addLike(node, source.a(node), children.reverse()), node);
}

/** A `select` of which the condition is a constant and the side that goes is a constant or a variable that nobody watches. */
function chooseSide(rewriter: Rewriter, node: Node, first: number): boolean {
  const { source } = rewriter;
  const [condition, whenTrue, whenFalse] = rewriter.values.slice(first) as [Value, Value, Value];
  if (source.a(node) !== Opcode.select || rewriter.regionDepth > 0) return false;
  if (rewriter.isChecked(source.traits(node)) || !isConstantOperand(condition)) return false;
  const { constants } = source.tables;
  if (constants.kind(operandConstant(condition)) !== ConstantKind.integer) return false;
  const isFirst = constants.integerBits(operandConstant(condition)) === 1n;
  if (!isIdle(rewriter, isFirst ? whenFalse : whenTrue)) return false;
  const origin = rewriter.origins[first + (isFirst ? 1 : 2)] as Node;
  rewriter.values.length = first;
  rewriter.origins.length = first;
  rewriter.push(isFirst ? whenTrue : whenFalse, origin);
  return true;
}

/** Whether not to evaluate a value changes nothing. */
function isIdle(rewriter: Rewriter, value: Value): boolean {
  if (isConstantOperand(value)) return true;
  const { target } = rewriter;
  const node = value as number as Node;
  if (target.kind(node) !== NodeKind.variable || rewriter.isChecked(target.traits(node))) return false;
  const traits = target.variables.get(target.a(node), HIR_VARIABLE.traits) as TraitSetId;
  return !CHANGING.some((trait) => target.tables.traitSets.has(traits, trait));
}

function rewriteConditional(rewriter: Rewriter, node: Node): void {
  const [condition, first, second] = rewriter.source.children(node) as [Node, Node, Node];
  rewriter.inOrder(
    () => rewriteExpression(rewriter, condition),
    () => {
      const known = rewriter.isChecked(rewriter.source.traits(node)) ? undefined : rewriter.topCondition();
      if (known !== undefined) {
        rewriter.drop();
        rewriteExpression(rewriter, known ? first : second);
        return;
      }
      rewriter.inOrder(
        () => rewriteExpression(rewriter, first),
        () => rewriteExpression(rewriter, second),
        () => {
          const third = rewriter.popNode();
          const middle = rewriter.popNode();
          rewriter.push(rewriter.addLike(node, NONE, [rewriter.popNode(), middle, third]), node);
        },
      );
    },
  );
}

/** `andalso` is decided by false, `orelse` by true; the other constant on either side leaves the other side. */
function rewriteLogical(rewriter: Rewriter, node: Node): void {
  const [first, second] = rewriter.source.children(node) as [Node, Node];
  const deciding = rewriter.source.kind(node) === NodeKind.logicalOr;
  rewriter.inOrder(
    () => rewriteExpression(rewriter, first),
    () => {
      const isChecked = rewriter.isChecked(rewriter.source.traits(node));
      const known = isChecked ? undefined : rewriter.topCondition();
      if (known === deciding) return;
      if (known !== undefined) {
        rewriter.drop();
        rewriteExpression(rewriter, second);
        return;
      }
      rewriter.inOrder(
        () => rewriteExpression(rewriter, second),
        () => {
          if (!isChecked && rewriter.topCondition() === !deciding) {
            rewriter.drop();
            return;
          }
          const right = rewriter.popNode();
          rewriter.push(rewriter.addLike(node, NONE, [rewriter.popNode(), right]), node);
        },
      );
    },
  );
}
