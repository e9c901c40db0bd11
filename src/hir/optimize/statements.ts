/** Statements as they are written anew: branches on constants pruned, and variables that are constants noted. */

import {
  type ConstantId,
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
import { traitEntry } from '../../traits/trait-sets.js';
import { Trait } from '../../traits/trait-table.js';
import { rewriteExpression } from './expressions.js';
import { copyLabel, rewriteGoto, rewriteJump, rewriteReturn } from './jumps.js';
import { rewriteDoWhile, rewriteFor, rewriteWhile } from './loops.js';
import { CHANGING, type Rewriter } from './rewriter-state.js';
import { makeArm, rewriteBlock } from './scopes.js';
import { rewriteSwitch } from './switches.js';

/** Writes a statement, as it is where it is in a region. */
export function rewriteStatement(rewriter: Rewriter, node: Node): void {
  rewriter.inRegion(node, () => rewriteStatementInside(rewriter, node));
}

function rewriteStatementInside(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  const kind = source.kind(node);
  switch (kind) {
    case NodeKind.block:
      rewriteBlock(rewriter, node);
      return;
    case NodeKind.declare:
    case NodeKind.assign:
      rewriteWrite(rewriter, node);
      return;
    case NodeKind.if:
      rewriteIf(rewriter, node);
      return;
    case NodeKind.while:
      rewriteWhile(rewriter, node);
      return;
    case NodeKind.doWhile:
      rewriteDoWhile(rewriter, node);
      return;
    case NodeKind.for:
      rewriteFor(rewriter, node);
      return;
    case NodeKind.switch:
      rewriteSwitch(rewriter, node);
      return;
    case NodeKind.break:
    case NodeKind.continue:
      rewriteJump(rewriter, node);
      return;
    case NodeKind.return:
      rewriteReturn(rewriter, node);
      return;
    case NodeKind.label:
      rewriter.emit(copyLabel(rewriter, node));
      return;
    case NodeKind.goto:
      rewriteGoto(rewriter, node);
      return;
    case NodeKind.defer:
      rewriter.defers.push(node);
      rewriter.regionsAround.set(
        node,
        rewriter.regionDepth - (rewriter.isRegion(source.traits(node)) ? 1 : 0),
      );
      return;
    case NodeKind.unreachable:
      rewriter.emit(rewriter.addLike(node, NONE, []));
      rewriter.list().isReached = false;
      return;
    default:
      if (kind === NodeKind.operation && source.a(node) === Opcode.assume) {
        rewriteAssume(rewriter, node);
        return;
      }
      rewriter.inOrder(
        () => rewriteExpression(rewriter, node),
        () => {
          // A constant that nobody wants does nothing.
          if (isConstantOperand(rewriter.values[rewriter.values.length - 1] as Value)) rewriter.drop();
          else rewriter.emit(rewriter.popNode());
        },
      );
  }
}

/** What is known to be true need not be assumed. */
function rewriteAssume(rewriter: Rewriter, node: Node): void {
  rewriter.inOrder(
    () => rewriteExpression(rewriter, rewriter.source.firstChild(node)),
    () => {
      if (rewriter.topCondition() === true) rewriter.drop();
      else rewriter.emit(rewriter.addLike(node, Opcode.assume, [rewriter.popNode()]));
    },
  );
}

function rewriteWrite(rewriter: Rewriter, node: Node): void {
  const { source } = rewriter;
  const variable = source.a(node) - rewriter.firstVariable;
  const value = source.firstChild(node);
  if (value === NONE) {
    writeWith(rewriter, node, variable, []);
    return;
  }
  rewriter.inOrder(
    () => rewriteExpression(rewriter, value),
    () => {
      const top = rewriter.values[rewriter.values.length - 1] as Value;
      const constant = isConstantOperand(top) ? operandConstant(top) : undefined;
      writeWith(rewriter, node, variable, [rewriter.popNode()]);
      if (constant !== undefined) noteConstant(rewriter, node, variable, constant);
    },
  );
}

function writeWith(rewriter: Rewriter, node: Node, variable: number, children: readonly Node[]): void {
  const { source, target } = rewriter;
  const isDeclaration = source.kind(node) === NodeKind.declare;
  const known = rewriter.nowOf(variable);
  // Each copy of what is deferred has variables of its own.
  const isTaken = isDeclaration && target.variables.get(known, HIR_VARIABLE.declaration) !== NONE;
  if (isTaken) rewriter.variableOf[variable] = rewriter.copyVariable(variable);
  const made = rewriter.addLike(node, rewriter.nowOf(variable), children);
  if (isDeclaration) target.variables.set(rewriter.nowOf(variable), HIR_VARIABLE.declaration, made);
  rewriter.emit(made);
}

/** A variable that is set to a constant where it is declared, and never again, is that constant. */
function noteConstant(rewriter: Rewriter, node: Node, variable: number, constant: ConstantId): void {
  const { source, target } = rewriter;
  const { constants, traitSets, types } = source.tables;
  if (source.kind(node) !== NodeKind.declare || rewriter.regionDepth > 0) return;
  if (rewriter.uses?.isAssigned[variable] === 1 || constants.kind(constant) === ConstantKind.undef) return;
  if (types.isAggregate(constants.type(constant))) return;
  const row = rewriter.nowOf(variable);
  const traits = target.variables.get(row, HIR_VARIABLE.traits) as TraitSetId;
  if (CHANGING.some((trait) => traitSets.has(traits, trait))) return;
  rewriter.constantOf[variable] = constant;
  target.variables.set(row, HIR_VARIABLE.traits, traitSets.with(traits, traitEntry(Trait.comptime)));
}

function rewriteIf(rewriter: Rewriter, node: Node): void {
  const [condition, whenTrue, whenFalse] = rewriter.source.children(node) as [Node, Node, Node?];
  rewriter.inOrder(
    () => rewriteExpression(rewriter, condition),
    () => {
      const known = rewriter.topCondition();
      if (known === undefined) {
        ifElse(rewriter, node, whenTrue, whenFalse);
        return;
      }
      rewriter.drop();
      const taken = known ? whenTrue : whenFalse;
      if (taken !== undefined) rewriteStatement(rewriter, taken);
    },
  );
}

function ifElse(rewriter: Rewriter, node: Node, whenTrue: Node, whenFalse: Node | undefined): void {
  let isReached = whenFalse === undefined;
  const tell = (isArmReached: boolean) => {
    isReached ||= isArmReached;
  };
  rewriter.inOrder(
    () => makeArm(rewriter, whenTrue, tell),
    () => {
      if (whenFalse !== undefined) makeArm(rewriter, whenFalse, tell);
    },
    () => {
      const otherwise = whenFalse === undefined ? [] : [rewriter.blocks.pop() as Node];
      const taken = rewriter.blocks.pop() as Node;
      rewriter.emit(rewriter.addLike(node, NONE, [rewriter.popNode(), taken, ...otherwise]));
      rewriter.list().isReached = isReached;
    },
  );
}
