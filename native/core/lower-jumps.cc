// Twin of src/core/lower-jumps.ts, which explains the algorithm.

#include "lower-jumps.h"
#include "scan-writes.h"

namespace vct {

void joinAt(LowerState& state, int32_t block) {
  if (getBlock(state.buffer, block, BufferBlock::predecessorCount) > 0) startSealed(state, block);
}

void goTo(LowerState& state, int32_t node, int32_t target) {
  if (state.buffer.current != NONE) emitBranch(state, node, target);
}

static void pushDefers(LowerState& state, int32_t height) {
  for (int32_t index = height; index < state.deferStack.length; index++) {
    push(state, Action::deferred, state.deferStack.data[index]);
  }
}

static int32_t targetFrame(LowerState& state, int32_t node) {
  const int32_t target = nodeColumn(state, node, HIR_NODE::a);
  const bool needsLoop = nodeColumn(state, node, HIR_NODE::kind) == NodeKind::continue_;
  if (target != NONE) {
    const int32_t construct = constructOf(state, target);
    const int32_t frame = construct == NONE ? NONE : getConstruct(state, construct, Construct::frame);
    if (frame <= state.deferFrame || (needsLoop && state.frames.data[frame + 2] == NONE)) return NONE;
    return frame;
  }
  int32_t frame = state.frames.length - FRAME_STRIDE;
  while (needsLoop && frame > state.deferFrame && state.frames.data[frame + 2] == NONE) frame -= FRAME_STRIDE;
  return frame > state.deferFrame ? frame : NONE;
}

static bool isFilled(LowerState& state, int32_t node, int32_t frame) {
  if (nodeColumn(state, node, HIR_NODE::kind) != NodeKind::continue_) return false;
  const int32_t target = state.frames.data[frame + 2];
  return getBlock(state.buffer, target, BufferBlock::firstRow) != NONE;
}

void lowerJump(LowerState& state, int32_t node) {
  const int32_t frame = targetFrame(state, node);
  if (frame == NONE || isFilled(state, node, frame)) {
    stop(state, CoreFaultNumber::jumpTarget, node);
    return;
  }
  if (state.buffer.current == NONE) return;
  const bool isContinue = nodeColumn(state, node, HIR_NODE::kind) == NodeKind::continue_;
  push(state, Action::jump, node, state.frames.data[frame + (isContinue ? 2 : 1)]);
  pushDefers(state, state.frames.data[frame + 3]);
}

void beginLabels(LowerState& state) {
  for (int32_t at = 0; at < state.labels.length; at += LABEL_STRIDE) {
    const int32_t node = state.labels.data[at];
    const int32_t name = nodeColumn(state, node, HIR_NODE::name);
    const int32_t position = nodeColumn(state, node, HIR_NODE::position);
    state.labels.data[at + 1] = newBlock(state.buffer, name, node, position);
  }
}

void lowerLabel(LowerState& state, int32_t node) {
  const int32_t at = labelOf(state, node) * LABEL_STRIDE;
  const int32_t block = state.labels.data[at + 1];
  const bool isAwaited = state.labels.data[at + 3] > 0;
  if (state.buffer.current != NONE) emitBranch(state, node, block);
  if (isAwaited)
    startBlock(state.buffer, block);
  else
    joinAt(state, block);
}

void lowerGoto(LowerState& state, int32_t node) {
  const int32_t label = labelOf(state, nodeColumn(state, node, HIR_NODE::a));
  const int32_t height = label == NONE ? 0 : state.labels.data[label * LABEL_STRIDE + 2];
  if (label == NONE || height > state.deferStack.length) {
    stop(state, CoreFaultNumber::jumpTarget, node);
    return;
  }
  push(state, Action::gotoEnd, node, label);
  if (state.buffer.current != NONE) pushDefers(state, height);
}

void endGoto(LowerState& state, int32_t node, int32_t label) {
  FunctionBuffer& buffer = state.buffer;
  Words& labels = state.labels;
  const int32_t block = labels.data[label * LABEL_STRIDE + 1];
  goTo(state, node, block);
  const int32_t awaited = labels.data[label * LABEL_STRIDE + 3] - 1;
  labels.data[label * LABEL_STRIDE + 3] = awaited;
  if (awaited == 0 && getBlock(buffer, block, BufferBlock::firstRow) != NONE) sealBlock(buffer, state.ssa, block);
}

void lowerReturn(LowerState& state, int32_t node, int32_t value) {
  if (state.deferFrame != NONE) {
    stop(state, CoreFaultNumber::jumpTarget, node);
    return;
  }
  if (value == NONE) {
    if (state.buffer.current == NONE) return;
    push(state, Action::returnEnd, node, 0);
    pushDefers(state, 0);
    return;
  }
  push(state, Action::returnValue, node);
  push(state, Action::expression, value);
}

void afterReturnValue(LowerState& state, int32_t node) {
  push(state, Action::returnEnd, node, 1);
  pushDefers(state, 0);
}

void emitReturn(LowerState& state, int32_t node, int32_t hasValue) {
  if (hasValue == 0 && state.buffer.current == NONE) return;
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t row = newRow(state.buffer, Opcode::ret, 0, 0, NONE, positionOf(state, node),
                             nodeColumn(state, node, HIR_NODE::traits), node);
  if (hasValue == 1) addOperand(state.buffer, row, state.valueStack.pop());
  endBlock(state.buffer);
}

}  // namespace vct
