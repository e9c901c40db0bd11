// Twin of src/core/scan-writes.ts, which explains the algorithm.

#include "scan-writes.h"

namespace vct {

namespace Scan {
constexpr int32_t statements = 0;
constexpr int32_t statement = 1;
constexpr int32_t loopStart = 2;
constexpr int32_t loopEnd = 3;
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
    pushScan(state, Scan::statement, first);
  } else {
    pushScan(state, Scan::statement, kind == NodeKind::while_ ? second : first);
    pushScan(state, Scan::loopStart, node);
  }
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
    case NodeKind::for_:
      scanLoop(state, node);
      return;
    case NodeKind::block:
    case NodeKind::if_:
    case NodeKind::switch_:
    case NodeKind::case_:
    case NodeKind::default_:
    case NodeKind::defer:
      pushScan(state, Scan::statements, first);
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
    if (step == Scan::loopStart) {
      state.nodes.loopFirstPlace[node] = state.ssa.writes.placeVariable.length;
    } else if (step == Scan::loopEnd) {
      state.nodes.loopEndPlace[node] = state.ssa.writes.placeVariable.length;
    } else if (node != NONE) {
      if (step == Scan::statements)
        pushScan(state, Scan::statements, nodeColumn(state, node, HIR_NODE::nextSibling));
      scanStatement(state, node);
    }
  }
  sortPlaces(state.ssa.writes, state.variableCount);
}

}  // namespace vct
