/**
 * Statements that jump (005 §4.2): break, continue, return, goto, and labels; all run the defers of what they leave. Twin:
 * native/core/lower-jumps.cc.
 *
 * A block is started only when control can come there or a value-producing node stands in it; a jump after a jump makes nothing.
 */

import { NONE } from '../ir/entities.js';
import { NodeKind } from '../ir/node-kinds.js';
import { Opcode } from '../ir/opcodes.js';
import { CoreFaultNumber, HIR_NODE } from '../ir/schema.js';
import {
  addOperand,
  BufferBlock,
  endBlock,
  getBlock,
  newBlock,
  newRow,
  startBlock,
} from './function-buffer.js';
import {
  Action,
  Construct,
  constructOf,
  emitBranch,
  ensureBlock,
  FRAME_STRIDE,
  getConstruct,
  LABEL_STRIDE,
  type LowerState,
  nodeColumn,
  positionOf,
  push,
  startSealed,
  stop,
} from './lower-state.js';
import { labelOf } from './scan-writes.js';
import { sealBlock } from './ssa.js';
import { WellKnownName } from './well-known-names.js';

/** Goes on in a block when something leads there; else control does not come here. */
export function joinAt(state: LowerState, block: number): void {
  if (getBlock(state.buffer, block, BufferBlock.predecessorCount) > 0) startSealed(state, block);
}

/** Goes to a block, when control comes here. */
export function goTo(state: LowerState, node: number, target: number): void {
  if (state.buffer.current !== NONE) emitBranch(state, node, target);
}

/** Pushes the defers above a height, so that the last registered runs first; they stay registered. */
function pushDefers(state: LowerState, height: number): void {
  for (let index = height; index < state.deferStack.length; index++) {
    push(state, Action.deferred, state.deferStack.data[index] as number);
  }
}

/** The frame that a break or continue means, or NONE. */
function targetFrame(state: LowerState, node: number): number {
  const target = nodeColumn(state, node, HIR_NODE.a);
  const needsLoop = nodeColumn(state, node, HIR_NODE.kind) === NodeKind.continue;
  if (target !== NONE) {
    const construct = constructOf(state, target);
    const frame = construct === NONE ? NONE : getConstruct(state, construct, Construct.frame);
    if (frame <= state.deferFrame || (needsLoop && state.frames.data[frame + 2] === NONE)) return NONE;
    return frame;
  }
  let frame = state.frames.length - FRAME_STRIDE;
  while (needsLoop && frame > state.deferFrame && state.frames.data[frame + 2] === NONE)
    frame -= FRAME_STRIDE;
  return frame > state.deferFrame ? frame : NONE;
}

/** Whether a `continue` stands behind the beginning of what it goes on with, as in the step of a `for`: its edges are made. */
function isFilled(state: LowerState, node: number, frame: number): boolean {
  if (nodeColumn(state, node, HIR_NODE.kind) !== NodeKind.continue) return false;
  const target = state.frames.data[frame + 2] as number;
  return getBlock(state.buffer, target, BufferBlock.firstRow) !== NONE;
}

/** Break and continue: the defers between here and the target, then the branch. */
export function lowerJump(state: LowerState, node: number): void {
  const frame = targetFrame(state, node);
  if (frame === NONE || isFilled(state, node, frame)) {
    stop(state, CoreFaultNumber.jumpTarget, node);
    return;
  }
  if (state.buffer.current === NONE) return;
  const isContinue = nodeColumn(state, node, HIR_NODE.kind) === NodeKind.continue;
  push(state, Action.jump, node, state.frames.data[frame + (isContinue ? 2 : 1)] as number);
  pushDefers(state, state.frames.data[frame + 3] as number);
}

/** Makes the blocks of all labels, which gotos before them need. */
export function beginLabels(state: LowerState): void {
  for (let at = 0; at < state.labels.length; at += LABEL_STRIDE) {
    const node = state.labels.data[at] as number;
    const name = nodeColumn(state, node, HIR_NODE.name);
    const position = nodeColumn(state, node, HIR_NODE.position);
    state.labels.data[at + 1] = newBlock(state.buffer, name, node, position);
  }
}

/**
 * Goes on in the block of a label, when control comes here or some goto leads or may still lead there. It is sealed now, or once the
 * last goto to it is made (005/L-21).
 */
export function lowerLabel(state: LowerState, node: number): void {
  const at = labelOf(state, node) * LABEL_STRIDE;
  const block = state.labels.data[at + 1] as number;
  const isAwaited = (state.labels.data[at + 3] as number) > 0;
  if (state.buffer.current !== NONE) emitBranch(state, node, block);
  if (isAwaited) startBlock(state.buffer, block);
  else joinAt(state, block);
}

/** Goto: the defers that are active here and not at the label, then the branch. */
export function lowerGoto(state: LowerState, node: number): void {
  const label = labelOf(state, nodeColumn(state, node, HIR_NODE.a));
  const height = label === NONE ? 0 : (state.labels.data[label * LABEL_STRIDE + 2] as number);
  if (label === NONE || height > state.deferStack.length) {
    stop(state, CoreFaultNumber.jumpTarget, node);
    return;
  }
  push(state, Action.gotoEnd, node, label);
  if (state.buffer.current !== NONE) pushDefers(state, height);
}

/** After the defers of a goto: branches, and seals the label's block when this was the last goto to it and the block is begun. */
export function endGoto(state: LowerState, node: number, label: number): void {
  const { buffer, labels } = state;
  const block = labels.data[label * LABEL_STRIDE + 1] as number;
  goTo(state, node, block);
  const awaited = (labels.data[label * LABEL_STRIDE + 3] as number) - 1;
  labels.data[label * LABEL_STRIDE + 3] = awaited;
  if (awaited === 0 && getBlock(buffer, block, BufferBlock.firstRow) !== NONE)
    sealBlock(buffer, state.ssa, block);
}

/** Return: the value first, then every defer, then `ret`. */
export function lowerReturn(state: LowerState, node: number, value: number): void {
  if (state.deferFrame !== NONE) {
    stop(state, CoreFaultNumber.jumpTarget, node);
    return;
  }
  if (value === NONE) {
    if (state.buffer.current === NONE) return;
    push(state, Action.returnEnd, node, 0);
    pushDefers(state, 0);
    return;
  }
  push(state, Action.returnValue, node);
  push(state, Action.expression, value);
}

/** After the value of a return, which stays on the stack while the defers run. */
export function afterReturnValue(state: LowerState, node: number): void {
  push(state, Action.returnEnd, node, 1);
  pushDefers(state, 0);
}

/** Emits `ret`. */
export function emitReturn(state: LowerState, node: number, hasValue: number): void {
  if (hasValue === 0 && state.buffer.current === NONE) return;
  ensureBlock(state, WellKnownName.dead, node);
  const row = newRow(
    state.buffer,
    Opcode.ret,
    0,
    0,
    NONE,
    positionOf(state, node),
    nodeColumn(state, node, HIR_NODE.traits),
    node,
  );
  if (hasValue === 1) addOperand(state.buffer, row, state.valueStack.pop());
  endBlock(state.buffer);
}
