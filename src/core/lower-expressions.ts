/**
 * Expressions: operands before the instruction that uses them, left to right (005 §4.3). Twin: native/core/lower-expressions.cc.
 */

import { NONE } from '../ir/entities.js';
import { NodeKind } from '../ir/node-kinds.js';
import { Opcode } from '../ir/opcodes.js';
import { CoreFaultNumber, HIR_NODE, WellKnownConstant } from '../ir/schema.js';
import { addOperand, endBlock, newPhi, newRow } from './function-buffer.js';
import {
  Action,
  blockFor,
  emitBranch,
  emitConditionalBranch,
  ensureBlock,
  type LowerState,
  localVariable,
  nodeColumn,
  positionOf,
  push,
  pushValue,
  readLocal,
  startSealed,
  stop,
  takeBack,
} from './lower-state.js';
import { WellKnownName } from './well-known-names.js';

/** The operand that names a constant. */
function constantValue(constant: number): number {
  return -2 - constant;
}

/** Begins an expression. */
export function lowerExpression(state: LowerState, node: number): void {
  switch (nodeColumn(state, node, HIR_NODE.kind)) {
    case NodeKind.constant:
      pushValue(state, node, constantValue(nodeColumn(state, node, HIR_NODE.a)));
      return;
    case NodeKind.variable:
      lowerVariableRead(state, node);
      return;
    case NodeKind.address:
      lowerAddress(state, node);
      return;
    case NodeKind.operation:
      lowerOperation(state, node);
      return;
    case NodeKind.logicalAnd:
    case NodeKind.logicalOr:
      push(state, Action.logicalMiddle, node);
      push(state, Action.expression, nodeColumn(state, node, HIR_NODE.firstChild));
      return;
    default:
      beginConditional(state, node);
  }
}

function lowerVariableRead(state: LowerState, node: number): void {
  const variable = localVariable(state, node);
  if (variable === NONE) {
    stop(state, CoreFaultNumber.owner, node);
    return;
  }
  ensureBlock(state, WellKnownName.dead, node);
  pushValue(state, node, readLocal(state, node, variable));
}

function lowerAddress(state: LowerState, node: number): void {
  const variable = localVariable(state, node);
  if (variable === NONE) {
    stop(state, CoreFaultNumber.owner, node);
    return;
  }
  const slot = state.slots.data[variable] as number;
  // A variable whose address is taken without a trait that says so contradicts itself (005/L-4).
  if (slot === NONE) {
    stop(state, CoreFaultNumber.addressOfRegister, node);
    return;
  }
  pushValue(state, node, slot);
}

/** Does an operation on leaves on the spot, which is the usual one. Where an operand is more than a leaf, it and the rest are put off. */
function lowerOperation(state: LowerState, node: number): void {
  const height = state.valueStack.length;
  let child = nodeColumn(state, node, HIR_NODE.firstChild);
  while (child !== NONE && nodeColumn(state, child, HIR_NODE.kind) <= NodeKind.address) {
    lowerExpression(state, child);
    if (state.fault !== NONE) return;
    child = nodeColumn(state, child, HIR_NODE.nextSibling);
  }
  if (child === NONE) {
    finishOperation(state, node, height);
    return;
  }
  push(state, Action.operation, node, height);
  push(state, Action.operands, child);
}

/** Evaluates a chain of operands, those that put nothing off without a break. */
export function lowerOperands(state: LowerState, first: number): void {
  let node = first;
  while (node !== NONE) {
    const next = nodeColumn(state, node, HIR_NODE.nextSibling);
    push(state, Action.operands, next);
    const height = state.work.length;
    lowerExpression(state, node);
    if (!takeBack(state, height)) return;
    node = next;
  }
}

/** Emits the instruction of an operation, whose operands are the values above `height`. */
export function finishOperation(state: LowerState, node: number, height: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  const aux = nodeColumn(state, node, HIR_NODE.b);
  const row = newRow(
    state.buffer,
    nodeColumn(state, node, HIR_NODE.a),
    nodeColumn(state, node, HIR_NODE.type),
    aux === NONE ? 0 : aux,
    nodeColumn(state, node, HIR_NODE.name),
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  for (let index = height; index < state.valueStack.length; index++) {
    addOperand(state.buffer, row, state.valueStack.data[index] as number);
  }
  state.valueStack.length = height;
  pushValue(state, node, row);
}

/**
 * Branches on an expression without making its value where it is a logical one: each operand branches by itself.
 * `owner` is the node that the branch belongs to.
 */
export function lowerCondition(
  state: LowerState,
  node: number,
  whenTrue: number,
  whenFalse: number,
  owner: number,
): void {
  const kind = nodeColumn(state, node, HIR_NODE.kind);
  if (kind !== NodeKind.logicalAnd && kind !== NodeKind.logicalOr) {
    push(state, Action.branchOnValue, node, whenTrue, whenFalse, owner);
    const height = state.work.length;
    lowerExpression(state, node);
    if (takeBack(state, height)) branchOnValue(state, whenTrue, whenFalse, owner);
    return;
  }
  const first = nodeColumn(state, node, HIR_NODE.firstChild);
  const second = nodeColumn(state, first, HIR_NODE.nextSibling);
  const middle = blockFor(state, WellKnownName.rhs, node);
  push(state, Action.condition, second, whenTrue, whenFalse, owner);
  push(state, Action.start, node, middle);
  if (kind === NodeKind.logicalAnd) push(state, Action.condition, first, middle, whenFalse, node);
  else push(state, Action.condition, first, whenTrue, middle, node);
}

/** Branches on the value on the stack. */
export function branchOnValue(state: LowerState, whenTrue: number, whenFalse: number, owner: number): void {
  const condition = state.valueStack.pop();
  ensureBlock(state, WellKnownName.dead, owner);
  emitConditionalBranch(state, owner, condition, whenTrue, whenFalse);
}

/** After the first operand of a logical operation: the second is evaluated only when it decides. */
export function lowerLogicalMiddle(state: LowerState, node: number): void {
  const first = state.valueStack.pop();
  ensureBlock(state, WellKnownName.dead, node);
  const rhs = blockFor(state, WellKnownName.rhs, node);
  const join = blockFor(state, WellKnownName.join, node);
  if (nodeColumn(state, node, HIR_NODE.kind) === NodeKind.logicalAnd) {
    emitConditionalBranch(state, node, first, rhs, join);
  } else {
    emitConditionalBranch(state, node, first, join, rhs);
  }
  startSealed(state, rhs);
  const firstChild = nodeColumn(state, node, HIR_NODE.firstChild);
  push(state, Action.logicalEnd, node, join);
  push(state, Action.expression, nodeColumn(state, firstChild, HIR_NODE.nextSibling));
}

/** Joins both ways through a logical operation. The edge that skipped the second operand was made first. */
export function lowerLogicalEnd(state: LowerState, node: number, join: number): void {
  const second = state.valueStack.pop();
  const isAnd = nodeColumn(state, node, HIR_NODE.kind) === NodeKind.logicalAnd;
  ensureBlock(state, WellKnownName.dead, node);
  emitBranch(state, node, join);
  startSealed(state, join);
  joinValues(
    state,
    node,
    join,
    constantValue(isAnd ? WellKnownConstant.false : WellKnownConstant.true),
    second,
  );
}

function beginConditional(state: LowerState, node: number): void {
  const condition = nodeColumn(state, node, HIR_NODE.firstChild);
  const first = nodeColumn(state, condition, HIR_NODE.nextSibling);
  const second = nodeColumn(state, first, HIR_NODE.nextSibling);
  const whenTrue = blockFor(state, WellKnownName.then, node);
  const whenFalse = blockFor(state, WellKnownName.else, node);
  const join = blockFor(state, WellKnownName.join, node);
  push(state, Action.conditionalEnd, node, join);
  push(state, Action.expression, second);
  push(state, Action.start, node, whenFalse);
  push(state, Action.conditionalMiddle, node, join);
  push(state, Action.expression, first);
  push(state, Action.start, node, whenTrue);
  push(state, Action.condition, condition, whenTrue, whenFalse, node);
}

/** After the first value of a conditional, which stays on the stack. */
export function lowerConditionalMiddle(state: LowerState, node: number, join: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  emitBranch(state, node, join);
}

/** Joins the two values of a conditional. */
export function lowerConditionalEnd(state: LowerState, node: number, join: number): void {
  const second = state.valueStack.pop();
  const first = state.valueStack.pop();
  ensureBlock(state, WellKnownName.dead, node);
  emitBranch(state, node, join);
  startSealed(state, join);
  joinValues(state, node, join, first, second);
}

/** Makes the phi of the two values with which control comes into `join`, in the order of its edges. */
function joinValues(state: LowerState, node: number, join: number, first: number, second: number): void {
  const phi = newPhi(
    state.buffer,
    join,
    nodeColumn(state, node, HIR_NODE.type),
    NONE,
    nodeColumn(state, node, HIR_NODE.name),
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  addOperand(state.buffer, phi, first);
  addOperand(state.buffer, phi, second);
  pushValue(state, node, phi);
}

/** Ends the block with `unreachable`, when control comes here. */
export function emitUnreachable(state: LowerState, node: number): void {
  if (state.buffer.current === NONE) return;
  newRow(
    state.buffer,
    Opcode.unreachable,
    0,
    0,
    NONE,
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  endBlock(state.buffer);
}
