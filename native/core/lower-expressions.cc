// Twin of src/core/lower-expressions.ts, which explains the algorithm.

#include "lower-expressions.h"

namespace vct {

static void lowerVariableRead(LowerState& state, int32_t node);
static void lowerOperation(LowerState& state, int32_t node);
static void lowerAddress(LowerState& state, int32_t node);
static void beginConditional(LowerState& state, int32_t node);
static void joinValues(LowerState& state, int32_t node, int32_t join, int32_t first, int32_t second);

static int32_t constantValue(int32_t constant) {
  return -2 - constant;
}

void lowerExpression(LowerState& state, int32_t node) {
  switch (nodeColumn(state, node, HIR_NODE::kind)) {
    case NodeKind::constant:
      pushValue(state, node, constantValue(nodeColumn(state, node, HIR_NODE::a)));
      return;
    case NodeKind::variable:
      lowerVariableRead(state, node);
      return;
    case NodeKind::address:
      lowerAddress(state, node);
      return;
    case NodeKind::operation:
      lowerOperation(state, node);
      return;
    case NodeKind::logicalAnd:
    case NodeKind::logicalOr:
      push(state, Action::logicalMiddle, node);
      push(state, Action::expression, nodeColumn(state, node, HIR_NODE::firstChild));
      return;
    default:
      beginConditional(state, node);
  }
}

static void lowerVariableRead(LowerState& state, int32_t node) {
  const int32_t variable = localVariable(state, node);
  if (variable == NONE) {
    stop(state, CoreFaultNumber::owner, node);
    return;
  }
  ensureBlock(state, WellKnownName::dead, node);
  pushValue(state, node, readLocal(state, node, variable));
}

static void lowerAddress(LowerState& state, int32_t node) {
  const int32_t variable = localVariable(state, node);
  if (variable == NONE) {
    stop(state, CoreFaultNumber::owner, node);
    return;
  }
  const int32_t slot = state.slots.data[variable];
  // A variable whose address is taken without a trait that says so contradicts itself (005/L-4).
  if (slot == NONE) {
    stop(state, CoreFaultNumber::addressOfRegister, node);
    return;
  }
  pushValue(state, node, slot);
}

static void lowerOperation(LowerState& state, int32_t node) {
  const int32_t height = state.valueStack.length;
  int32_t child = nodeColumn(state, node, HIR_NODE::firstChild);
  while (child != NONE && nodeColumn(state, child, HIR_NODE::kind) <= NodeKind::address) {
    lowerExpression(state, child);
    if (state.fault != NONE) return;
    child = nodeColumn(state, child, HIR_NODE::nextSibling);
  }
  if (child == NONE) {
    finishOperation(state, node, height);
    return;
  }
  push(state, Action::operation, node, height);
  push(state, Action::operands, child);
}

void lowerOperands(LowerState& state, int32_t first) {
  int32_t node = first;
  while (node != NONE) {
    const int32_t next = nodeColumn(state, node, HIR_NODE::nextSibling);
    push(state, Action::operands, next);
    const int32_t height = state.work.length;
    lowerExpression(state, node);
    if (!takeBack(state, height)) return;
    node = next;
  }
}

void finishOperation(LowerState& state, int32_t node, int32_t height) {
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t aux = nodeColumn(state, node, HIR_NODE::b);
  const int32_t row =
      newRow(state.buffer, nodeColumn(state, node, HIR_NODE::a), nodeColumn(state, node, HIR_NODE::type),
             aux == NONE ? 0 : aux, nodeColumn(state, node, HIR_NODE::name), positionOf(state, node),
             nodeColumn(state, node, HIR_NODE::traits), node);
  for (int32_t index = height; index < state.valueStack.length; index++) {
    addOperand(state.buffer, row, state.valueStack.data[index]);
  }
  state.valueStack.length = height;
  pushValue(state, node, row);
}

void lowerCondition(LowerState& state, int32_t node, int32_t whenTrue, int32_t whenFalse, int32_t owner) {
  const int32_t kind = nodeColumn(state, node, HIR_NODE::kind);
  if (kind != NodeKind::logicalAnd && kind != NodeKind::logicalOr) {
    push(state, Action::branchOnValue, node, whenTrue, whenFalse, owner);
    const int32_t height = state.work.length;
    lowerExpression(state, node);
    if (takeBack(state, height)) branchOnValue(state, whenTrue, whenFalse, owner);
    return;
  }
  const int32_t first = nodeColumn(state, node, HIR_NODE::firstChild);
  const int32_t second = nodeColumn(state, first, HIR_NODE::nextSibling);
  const int32_t middle = blockFor(state, WellKnownName::rhs, node);
  push(state, Action::condition, second, whenTrue, whenFalse, owner);
  push(state, Action::start, node, middle);
  if (kind == NodeKind::logicalAnd)
    push(state, Action::condition, first, middle, whenFalse, node);
  else
    push(state, Action::condition, first, whenTrue, middle, node);
}

void branchOnValue(LowerState& state, int32_t whenTrue, int32_t whenFalse, int32_t owner) {
  const int32_t condition = state.valueStack.pop();
  ensureBlock(state, WellKnownName::dead, owner);
  emitConditionalBranch(state, owner, condition, whenTrue, whenFalse);
}

void lowerLogicalMiddle(LowerState& state, int32_t node) {
  const int32_t first = state.valueStack.pop();
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t rhs = blockFor(state, WellKnownName::rhs, node);
  const int32_t join = blockFor(state, WellKnownName::join, node);
  if (nodeColumn(state, node, HIR_NODE::kind) == NodeKind::logicalAnd) {
    emitConditionalBranch(state, node, first, rhs, join);
  } else {
    emitConditionalBranch(state, node, first, join, rhs);
  }
  startSealed(state, rhs);
  const int32_t firstChild = nodeColumn(state, node, HIR_NODE::firstChild);
  push(state, Action::logicalEnd, node, join);
  push(state, Action::expression, nodeColumn(state, firstChild, HIR_NODE::nextSibling));
}

void lowerLogicalEnd(LowerState& state, int32_t node, int32_t join) {
  const int32_t second = state.valueStack.pop();
  const bool isAnd = nodeColumn(state, node, HIR_NODE::kind) == NodeKind::logicalAnd;
  ensureBlock(state, WellKnownName::dead, node);
  emitBranch(state, node, join);
  startSealed(state, join);
  joinValues(state, node, join, constantValue(isAnd ? WellKnownConstant::false_ : WellKnownConstant::true_),
             second);
}

static void beginConditional(LowerState& state, int32_t node) {
  const int32_t condition = nodeColumn(state, node, HIR_NODE::firstChild);
  const int32_t first = nodeColumn(state, condition, HIR_NODE::nextSibling);
  const int32_t second = nodeColumn(state, first, HIR_NODE::nextSibling);
  const int32_t whenTrue = blockFor(state, WellKnownName::then, node);
  const int32_t whenFalse = blockFor(state, WellKnownName::else_, node);
  const int32_t join = blockFor(state, WellKnownName::join, node);
  push(state, Action::conditionalEnd, node, join);
  push(state, Action::expression, second);
  push(state, Action::start, node, whenFalse);
  push(state, Action::conditionalMiddle, node, join);
  push(state, Action::expression, first);
  push(state, Action::start, node, whenTrue);
  push(state, Action::condition, condition, whenTrue, whenFalse, node);
}

void lowerConditionalMiddle(LowerState& state, int32_t node, int32_t join) {
  ensureBlock(state, WellKnownName::dead, node);
  emitBranch(state, node, join);
}

void lowerConditionalEnd(LowerState& state, int32_t node, int32_t join) {
  const int32_t second = state.valueStack.pop();
  const int32_t first = state.valueStack.pop();
  ensureBlock(state, WellKnownName::dead, node);
  emitBranch(state, node, join);
  startSealed(state, join);
  joinValues(state, node, join, first, second);
}

static void joinValues(LowerState& state, int32_t node, int32_t join, int32_t first, int32_t second) {
  const int32_t phi = newPhi(state.buffer, join, nodeColumn(state, node, HIR_NODE::type), NONE,
                             nodeColumn(state, node, HIR_NODE::name), positionOf(state, node),
                             nodeColumn(state, node, HIR_NODE::traits), node);
  addOperand(state.buffer, phi, first);
  addOperand(state.buffer, phi, second);
  pushValue(state, node, phi);
}

void emitUnreachable(LowerState& state, int32_t node) {
  if (state.buffer.current == NONE) return;
  newRow(state.buffer, Opcode::unreachable, 0, 0, NONE, positionOf(state, node),
         nodeColumn(state, node, HIR_NODE::traits), node);
  endBlock(state.buffer);
}

}  // namespace vct
