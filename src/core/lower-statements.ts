/**
 * Statements: structured control flow to blocks and terminators (005 §4.2), and defers (005 §4.9). Twin:
 * native/core/lower-statements.cc.
 */

import { NONE } from '../ir/entities.js';
import { NODE_KINDS, NodeKind } from '../ir/node-kinds.js';
import { Opcode } from '../ir/opcodes.js';
import {
  CONSTANT,
  CoreFaultNumber,
  HIR_NODE,
  INTEGER_PREDICATES,
  TYPE,
  WellKnownConstant,
} from '../ir/schema.js';
import { addEdge, addOperand, endBlock, newRow, startBlock } from './function-buffer.js';
import { emitUnreachable, lowerExpression } from './lower-expressions.js';
import { goTo, joinAt, lowerGoto, lowerJump, lowerLabel, lowerReturn } from './lower-jumps.js';
import {
  Action,
  blockFor,
  Construct,
  constructOf,
  emitBranch,
  emitConditionalBranch,
  ensureBlock,
  FRAME_STRIDE,
  getConstruct,
  type LowerState,
  localVariable,
  nodeColumn,
  numberConstruct,
  positionOf,
  push,
  pushValue,
  setConstruct,
  startSealed,
  stop,
  takeBack,
  typeColumn,
  writeLocal,
} from './lower-state.js';
import { sealBlock } from './ssa.js';
import { LowerInput } from './validate-hir.js';
import { WellKnownName } from './well-known-names.js';
import { beginLoop, leaveLoop } from './write-lists.js';

const SGE = INTEGER_PREDICATES.indexOf('sge');
const SLE = INTEGER_PREDICATES.indexOf('sle');
const UGE = INTEGER_PREDICATES.indexOf('uge');
const ULE = INTEGER_PREDICATES.indexOf('ule');

/** Begins a statement. */
export function lowerStatement(state: LowerState, node: number): void {
  const position = nodeColumn(state, node, HIR_NODE.position);
  if (position !== NONE) state.statementPosition = position;
  const first = nodeColumn(state, node, HIR_NODE.firstChild);
  switch (nodeColumn(state, node, HIR_NODE.kind)) {
    case NodeKind.block:
      push(state, Action.scopeEnd, node, state.deferStack.length);
      push(state, Action.statements, first);
      return;
    case NodeKind.declare:
    case NodeKind.assign:
      beginWrite(state, node, first);
      return;
    case NodeKind.if:
      lowerIf(state, node, first);
      return;
    case NodeKind.while:
      lowerWhile(state, node, first);
      return;
    case NodeKind.doWhile:
      lowerDoWhile(state, node, first);
      return;
    case NodeKind.for:
      lowerFor(state, node, first);
      return;
    case NodeKind.switch:
      push(state, Action.switchDispatch, node);
      push(state, Action.expression, first);
      return;
    case NodeKind.break:
    case NodeKind.continue:
      lowerJump(state, node);
      return;
    case NodeKind.return:
      lowerReturn(state, node, first);
      return;
    case NodeKind.defer:
      state.deferStack.push(first);
      return;
    case NodeKind.unreachable:
      emitUnreachable(state, node);
      return;
    case NodeKind.label:
      lowerLabel(state, node);
      return;
    case NodeKind.goto:
      lowerGoto(state, node);
      return;
    default:
      dropValue(state, node);
  }
}

/** Runs an expression for its effects. */
function dropValue(state: LowerState, node: number): void {
  push(state, Action.drop, node);
  const height = state.work.length;
  lowerExpression(state, node);
  if (takeBack(state, height)) state.valueStack.pop();
}

/** Runs a chain of statements, those that put nothing off without a break. */
export function lowerStatements(state: LowerState, first: number): void {
  let node = first;
  while (node !== NONE) {
    const next = nodeColumn(state, node, HIR_NODE.nextSibling);
    push(state, Action.statements, next);
    const height = state.work.length;
    lowerStatement(state, node);
    if (!takeBack(state, height)) return;
    node = next;
  }
}

/** Begins declare and assign. A declaration without a value makes the variable undefined again, on every round of a loop. */
function beginWrite(state: LowerState, node: number, value: number): void {
  const variable = localVariable(state, node);
  if (variable === NONE) {
    stop(state, CoreFaultNumber.owner, node);
    return;
  }
  if (value !== NONE) {
    push(state, Action.write, node);
    const height = state.work.length;
    lowerExpression(state, value);
    if (takeBack(state, height)) finishWrite(state, node);
  } else if (state.slots.data[variable] === NONE && state.buffer.current !== NONE) {
    writeLocal(state, node, variable, state.ssa.variableUndef.data[variable] as number);
  }
}

/** Writes the value on the stack to the variable of declare or assign. */
export function finishWrite(state: LowerState, node: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  writeLocal(state, node, nodeColumn(state, node, HIR_NODE.a) - state.firstVariable, state.valueStack.pop());
}

/** Leaves a scope: runs its defers, last registered first, when control comes to its end (005/L-37). */
export function endScope(state: LowerState, node: number, height: number): void {
  if (state.deferStack.length <= height) return;
  if (state.buffer.current === NONE) {
    state.deferStack.length = height;
    return;
  }
  const deferred = state.deferStack.pop();
  push(state, Action.scopeEnd, node, height);
  push(state, Action.deferred, deferred);
}

/** Runs what a defer registered, as a scope of its own that no jump leaves: a jump out of it would run it again. */
export function lowerDeferred(state: LowerState, node: number): void {
  const frame = state.frames.length;
  state.frames.push(NONE);
  state.frames.push(state.deferFrame);
  state.frames.push(NONE);
  state.frames.push(state.deferStack.length);
  state.deferFrame = frame;
  push(state, Action.deferredEnd, node);
  push(state, Action.scopeEnd, node, state.deferStack.length);
  push(state, Action.statement, node);
}

/** Ends what a defer registered. */
export function endDeferred(state: LowerState): void {
  state.frames.length -= FRAME_STRIDE;
  state.deferFrame = state.frames.data[state.frames.length + 1] as number;
}

/** Starts the header of a loop; it is sealed once the back edge is made (005/L-21). */
function startHeader(state: LowerState, node: number, header: number): void {
  const loop = numberConstruct(state, node);
  const first = getConstruct(state, loop, Construct.firstPlace);
  beginLoop(state.buffer, state.ssa.writes, header, first, getConstruct(state, loop, Construct.endPlace));
  startBlock(state.buffer, header);
}

/** Begins the frame of a loop or switch. `continueBlock` is NONE for a switch. */
function pushFrame(state: LowerState, node: number, exit: number, continueBlock: number): void {
  setConstruct(state, numberConstruct(state, node), Construct.frame, state.frames.length);
  state.frames.push(node);
  state.frames.push(exit);
  state.frames.push(continueBlock);
  state.frames.push(state.deferStack.length);
}

/** Ends the innermost frame, and goes on in its exit when something leads there. */
export function endConstruct(state: LowerState, exit: number): void {
  state.frames.length -= FRAME_STRIDE;
  const node = state.frames.data[state.frames.length] as number;
  setConstruct(state, constructOf(state, node), Construct.frame, NONE);
  if (state.frames.data[state.frames.length + 2] !== NONE) leaveLoop(state.buffer, state.ssa.writes);
  joinAt(state, exit);
}

function lowerIf(state: LowerState, node: number, condition: number): void {
  const thenNode = nodeColumn(state, condition, HIR_NODE.nextSibling);
  const elseNode = nodeColumn(state, thenNode, HIR_NODE.nextSibling);
  const thenBlock = blockFor(state, WellKnownName.then, node);
  const elseBlock = elseNode === NONE ? NONE : blockFor(state, WellKnownName.else, node);
  const join = blockFor(state, WellKnownName.join, node);
  push(state, Action.join, node, join);
  if (elseNode !== NONE) {
    push(state, Action.goTo, node, join);
    push(state, Action.statement, elseNode);
    push(state, Action.start, node, elseBlock);
  }
  push(state, Action.goTo, node, join);
  push(state, Action.statement, thenNode);
  push(state, Action.start, node, thenBlock);
  push(state, Action.condition, condition, thenBlock, elseNode === NONE ? join : elseBlock, node);
}

function lowerWhile(state: LowerState, node: number, condition: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  const header = blockFor(state, WellKnownName.loopHeader, node);
  const body = blockFor(state, WellKnownName.loopBody, node);
  const latch = blockFor(state, WellKnownName.loopLatch, node);
  const exit = blockFor(state, WellKnownName.loopExit, node);
  emitBranch(state, node, header);
  startHeader(state, node, header);
  pushFrame(state, node, exit, latch);
  push(state, Action.constructExit, node, exit);
  push(state, Action.loopLatch, node, latch, header);
  push(state, Action.goTo, node, latch);
  push(state, Action.statement, nodeColumn(state, condition, HIR_NODE.nextSibling));
  push(state, Action.start, node, body);
  push(state, Action.condition, condition, body, exit, node);
}

/** Makes the back edge, when the body comes to its end, and seals the header (005/L-21). */
export function endLoop(state: LowerState, node: number, latch: number, header: number): void {
  joinAt(state, latch);
  goTo(state, node, header);
  sealBlock(state.buffer, state.ssa, header);
}

function lowerDoWhile(state: LowerState, node: number, bodyNode: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  const body = blockFor(state, WellKnownName.loopBody, node);
  const latch = blockFor(state, WellKnownName.loopLatch, node);
  const exit = blockFor(state, WellKnownName.loopExit, node);
  emitBranch(state, node, body);
  startHeader(state, node, body);
  pushFrame(state, node, exit, latch);
  push(state, Action.constructExit, node, exit);
  push(state, Action.seal, node, body);
  push(state, Action.condition, nodeColumn(state, bodyNode, HIR_NODE.nextSibling), body, exit, node);
  push(state, Action.start, node, latch);
  push(state, Action.goTo, node, latch);
  push(state, Action.statement, bodyNode);
}

/** The scope of the init covers the whole loop, so that its defers run where the loop is left. */
function lowerFor(state: LowerState, node: number, init: number): void {
  ensureBlock(state, WellKnownName.dead, node);
  const initBlock = blockFor(state, WellKnownName.forInit, node);
  emitBranch(state, node, initBlock);
  startSealed(state, initBlock);
  push(state, Action.scopeEnd, node, state.deferStack.length);
  push(state, Action.forHeader, node);
  push(state, Action.statements, nodeColumn(state, init, HIR_NODE.firstChild));
}

/** Begins the loop of a for, after its init. */
export function lowerForHeader(state: LowerState, node: number): void {
  const init = nodeColumn(state, node, HIR_NODE.firstChild);
  const condition = nodeColumn(state, init, HIR_NODE.nextSibling);
  const stepNode = nodeColumn(state, condition, HIR_NODE.nextSibling);
  ensureBlock(state, WellKnownName.dead, node);
  const header = blockFor(state, WellKnownName.forHeader, node);
  const body = blockFor(state, WellKnownName.forBody, node);
  const step = blockFor(state, WellKnownName.forStep, node);
  const exit = blockFor(state, WellKnownName.forExit, node);
  emitBranch(state, node, header);
  startHeader(state, node, header);
  pushFrame(state, node, exit, step);
  push(state, Action.constructExit, node, exit);
  push(state, Action.forStepEnd, node, header);
  push(state, Action.statement, stepNode);
  push(state, Action.join, node, step);
  push(state, Action.goTo, node, step);
  push(state, Action.statement, nodeColumn(state, stepNode, HIR_NODE.nextSibling));
  push(state, Action.start, node, body);
  push(state, Action.condition, condition, body, exit, node);
}

/** Makes the back edge of a for and seals the header. */
export function endForStep(state: LowerState, node: number, header: number): void {
  goTo(state, node, header);
  sealBlock(state.buffer, state.ssa, header);
}

/** Emits what chooses the arm, with one block an arm, and begins the first arm. */
export function dispatchSwitch(state: LowerState, node: number): void {
  const value = state.valueStack.pop();
  ensureBlock(state, WellKnownName.dead, node);
  const exit = blockFor(state, WellKnownName.switchExit, node);
  const firstArm = nodeColumn(state, nodeColumn(state, node, HIR_NODE.firstChild), HIR_NODE.nextSibling);
  const firstBlock = exit + 1;
  let defaultBlock = exit;
  let block = firstBlock;
  for (let arm = firstArm; arm !== NONE; arm = nodeColumn(state, arm, HIR_NODE.nextSibling)) {
    const isDefault = nodeColumn(state, arm, HIR_NODE.kind) === NodeKind.default;
    blockFor(state, isDefault ? WellKnownName.default : WellKnownName.case, arm);
    if (isDefault) defaultBlock = block;
    block++;
  }
  emitDispatch(state, node, value, defaultBlock, firstArm, firstBlock);
  pushFrame(state, node, exit, NONE);
  push(state, Action.constructExit, node, exit);
  if (firstArm !== NONE) push(state, Action.arm, firstArm, firstBlock);
}

/** How many cases are single values, or how many are ranges. */
function countCases(state: LowerState, firstArm: number, isRange: boolean): number {
  let count = 0;
  for (let arm = firstArm; arm !== NONE; arm = nodeColumn(state, arm, HIR_NODE.nextSibling)) {
    let child = nodeColumn(state, arm, HIR_NODE.firstChild);
    while (nodeColumn(state, child, HIR_NODE.kind) === NodeKind.constant) {
      if ((nodeColumn(state, child, HIR_NODE.b) !== NONE) === isRange) count++;
      child = nodeColumn(state, child, HIR_NODE.nextSibling);
    }
  }
  return count;
}

/** Emits a switch over the single values; what it leaves is compared with one range after the other. */
function emitDispatch(
  state: LowerState,
  node: number,
  value: number,
  defaultBlock: number,
  firstArm: number,
  firstBlock: number,
): void {
  const rangeCount = countCases(state, firstArm, true);
  if (rangeCount === 0) {
    emitSwitch(state, node, value, defaultBlock, firstArm, firstBlock);
    return;
  }
  if (countCases(state, firstArm, false) > 0) {
    const tests = blockFor(state, WellKnownName.range, node);
    emitSwitch(state, node, value, tests, firstArm, firstBlock);
    if (state.fault !== NONE) return;
    startSealed(state, tests);
  }
  emitRangeTests(state, node, value, defaultBlock, firstArm, firstBlock, rangeCount);
}

/** Emits the tests of the ranges in order: the arm where one holds, the default where none does. */
function emitRangeTests(
  state: LowerState,
  node: number,
  value: number,
  defaultBlock: number,
  firstArm: number,
  firstBlock: number,
  rangeCount: number,
): void {
  let left = rangeCount;
  let block = firstBlock;
  for (let arm = firstArm; arm !== NONE; arm = nodeColumn(state, arm, HIR_NODE.nextSibling)) {
    let child = nodeColumn(state, arm, HIR_NODE.firstChild);
    while (nodeColumn(state, child, HIR_NODE.kind) === NodeKind.constant) {
      if (nodeColumn(state, child, HIR_NODE.b) !== NONE) {
        const isInside = emitRangeTest(state, child, value);
        const next = --left === 0 ? defaultBlock : blockFor(state, WellKnownName.range, child);
        emitConditionalBranch(state, node, isInside, block, next);
        if (left > 0) startSealed(state, next);
      }
      child = nodeColumn(state, child, HIR_NODE.nextSibling);
    }
    block++;
  }
}

/** Emits whether the value lies in a range, bounds included. */
function emitRangeTest(state: LowerState, child: number, value: number): number {
  const constants = state.inputs[LowerInput.constants] as Int32Array;
  const boolean = constants[WellKnownConstant.false * CONSTANT.stride + CONSTANT.type] as number;
  const isSigned = typeColumn(state, nodeColumn(state, child, HIR_NODE.type), TYPE.b) === 1;
  const position = positionOf(state, child);
  const { buffer } = state;
  const above = isSigned ? SGE : UGE;
  const low = newRow(buffer, Opcode.icmp, boolean, above, NONE, position, 0, child);
  addOperand(buffer, low, value);
  addOperand(buffer, low, -2 - nodeColumn(state, child, HIR_NODE.a));
  const below = isSigned ? SLE : ULE;
  const high = newRow(buffer, Opcode.icmp, boolean, below, NONE, position, 0, child);
  addOperand(buffer, high, value);
  addOperand(buffer, high, -2 - nodeColumn(state, child, HIR_NODE.b));
  const traits = nodeColumn(state, child, HIR_NODE.traits);
  const both = newRow(buffer, Opcode.and, boolean, 0, NONE, position, traits, child);
  addOperand(buffer, both, low);
  addOperand(buffer, both, high);
  pushValue(state, child, both);
  return state.valueStack.pop();
}

/** Emits the switch terminator: value, default block, then a constant and a block for each single value. */
function emitSwitch(
  state: LowerState,
  node: number,
  value: number,
  defaultBlock: number,
  firstArm: number,
  firstBlock: number,
): void {
  const { buffer } = state;
  const traits = nodeColumn(state, node, HIR_NODE.traits);
  const row = newRow(buffer, Opcode.switch, 0, 0, NONE, positionOf(state, node), traits, node);
  addOperand(buffer, row, value);
  addOperand(buffer, row, defaultBlock);
  addEdge(buffer, defaultBlock);
  let block = firstBlock;
  for (let arm = firstArm; arm !== NONE; arm = nodeColumn(state, arm, HIR_NODE.nextSibling)) {
    let child = nodeColumn(state, arm, HIR_NODE.firstChild);
    while (nodeColumn(state, child, HIR_NODE.kind) === NodeKind.constant) {
      if (nodeColumn(state, child, HIR_NODE.b) === NONE) {
        const constant = -2 - nodeColumn(state, child, HIR_NODE.a);
        state.values[child] = constant;
        addOperand(buffer, row, constant);
        addOperand(buffer, row, block);
        addEdge(buffer, block);
      }
      child = nodeColumn(state, child, HIR_NODE.nextSibling);
    }
    if (NODE_KINDS[nodeColumn(state, child, HIR_NODE.kind)]?.category === 'expression') {
      stop(state, CoreFaultNumber.category, child);
      return;
    }
    block++;
  }
  endBlock(buffer);
}

/** Begins an arm: its last edge, if the arm before falls through, is made. */
export function beginArm(state: LowerState, arm: number, block: number): void {
  let body = nodeColumn(state, arm, HIR_NODE.firstChild);
  while (nodeColumn(state, body, HIR_NODE.kind) !== NodeKind.block)
    body = nodeColumn(state, body, HIR_NODE.nextSibling);
  startSealed(state, block);
  push(state, Action.armEnd, arm, block);
  push(state, Action.statement, body);
}

/** Ends an arm: falls through into the next one, or leaves the switch. */
export function endArm(state: LowerState, arm: number, block: number): void {
  const next = nodeColumn(state, arm, HIR_NODE.nextSibling);
  const fallsThrough = nodeColumn(state, arm, HIR_NODE.a) === 1 && next !== NONE;
  const exit = state.frames.data[state.frames.length - FRAME_STRIDE + 1] as number;
  goTo(state, arm, fallsThrough ? block + 1 : exit);
  if (next !== NONE) push(state, Action.arm, next, block + 1);
}
