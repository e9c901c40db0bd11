// Twin of src/core/scan-writes.ts, which explains the algorithm.

#include "scan-writes.h"

namespace vct {

namespace Scan {
constexpr int32_t statements = 0;
constexpr int32_t statement = 1;
constexpr int32_t loopStart = 2;
constexpr int32_t loopEnd = 3;
constexpr int32_t scopeEnd = 4;
constexpr int32_t deferEnd = 5;
}  // namespace Scan

static void pushScan(LowerState& state, int32_t step, int32_t node) {
  state.work.push(step);
  state.work.push(node);
}

static void scanLoop(LowerState& state, int32_t node) {
  const int32_t first = nodeColumn(state, node, HIR_NODE::firstChild);
  const int32_t second = nodeColumn(state, first, HIR_NODE::nextSibling);
  pushScan(state, Scan::loopEnd, node);
  const int32_t kind = nodeColumn(state, node, HIR_NODE::kind);
  if (kind == NodeKind::for_) {
    // Init, condition, step, body: the init runs once, before the loop.
    pushScan(state, Scan::statements, nodeColumn(state, second, HIR_NODE::nextSibling));
    pushScan(state, Scan::loopStart, node);
    pushScan(state, Scan::statements, nodeColumn(state, first, HIR_NODE::firstChild));
  } else {
    pushScan(state, Scan::statement, kind == NodeKind::while_ ? second : first);
    pushScan(state, Scan::loopStart, node);
  }
}

int32_t labelOf(LowerState& state, int32_t node) {
  if (node == NONE || nodeColumn(state, node, HIR_NODE::kind) != NodeKind::label) return NONE;
  const int32_t label = state.values[node];
  const bool isKnown = label >= 0 && int64_t{label} * LABEL_STRIDE < state.labels.length;
  return isKnown && state.labels.data[label * LABEL_STRIDE] == node ? label : NONE;
}

static void scanJump(LowerState& state, int32_t node, bool isLabel) {
  if (state.deferFrame != NONE) {
    stop(state, CoreFaultNumber::jumpTarget, node);
    return;
  }
  if (!isLabel) {
    state.frames.push(node);
    return;
  }
  state.values[node] = state.labels.length / LABEL_STRIDE;
  state.labels.push(node);
  state.labels.push(NONE);
  state.labels.push(state.deferStack.length);
  state.labels.push(0);
}

static void countGotos(LowerState& state) {
  for (int32_t index = 0; index < state.frames.length && state.fault == NONE; index++) {
    const int32_t node = state.frames.data[index];
    const int32_t label = labelOf(state, nodeColumn(state, node, HIR_NODE::a));
    if (label == NONE)
      stop(state, CoreFaultNumber::jumpTarget, node);
    else
      state.labels.data[label * LABEL_STRIDE + 3]++;
  }
  state.frames.length = 0;
  state.deferStack.length = 0;
}

static void scanStatement(LowerState& state, int32_t node) {
  const int32_t first = nodeColumn(state, node, HIR_NODE::firstChild);
  switch (nodeColumn(state, node, HIR_NODE::kind)) {
    case NodeKind::declare:
    case NodeKind::assign: {
      const int32_t variable = localVariable(state, node);
      if (variable != NONE) state.ssa.writes.placeVariable.push(variable);
      return;
    }
    case NodeKind::while_:
    case NodeKind::doWhile:
      scanLoop(state, node);
      return;
    case NodeKind::for_:
      pushScan(state, Scan::scopeEnd, state.deferStack.length);
      scanLoop(state, node);
      return;
    case NodeKind::block:
      pushScan(state, Scan::scopeEnd, state.deferStack.length);
      pushScan(state, Scan::statements, first);
      return;
    case NodeKind::if_:
    case NodeKind::switch_:
    case NodeKind::case_:
    case NodeKind::default_:
      pushScan(state, Scan::statements, first);
      return;
    case NodeKind::defer:
      pushScan(state, Scan::deferEnd, state.deferFrame);
      pushScan(state, Scan::statement, first);
      state.deferFrame = node;
      return;
    case NodeKind::label:
    case NodeKind::goto_:
      scanJump(state, node, nodeColumn(state, node, HIR_NODE::kind) == NodeKind::label);
      return;
    default:
      return;
  }
}

void scanWrites(LowerState& state) {
  pushScan(state, Scan::statement, state.body);
  while (state.work.length > 0) {
    const int32_t node = state.work.pop();
    const int32_t step = state.work.pop();
    const int32_t place = state.ssa.writes.placeVariable.length;
    if (step == Scan::loopStart) {
      setConstruct(state, numberConstruct(state, node), Construct::firstPlace, place);
    } else if (step == Scan::loopEnd) {
      setConstruct(state, numberConstruct(state, node), Construct::endPlace, place);
    } else if (step == Scan::scopeEnd) {
      state.deferStack.length = node;
    } else if (step == Scan::deferEnd) {
      state.deferFrame = node;
      state.deferStack.push(NONE);
    } else if (node != NONE) {
      if (step == Scan::statements)
        pushScan(state, Scan::statements, nodeColumn(state, node, HIR_NODE::nextSibling));
      scanStatement(state, node);
    }
  }
  countGotos(state);
  sortPlaces(state.ssa.writes, state.variableCount);
}

}  // namespace vct
