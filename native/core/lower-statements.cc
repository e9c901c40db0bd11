// Twin of src/core/lower-statements.ts, which explains the algorithm.

#include "lower-statements.h"
#include "lower-expressions.h"
#include "lower-jumps.h"

namespace vct {

static void dropValue(LowerState& state, int32_t node);
static void beginWrite(LowerState& state, int32_t node, int32_t value);
static void lowerIf(LowerState& state, int32_t node, int32_t condition);
static void lowerWhile(LowerState& state, int32_t node, int32_t condition);
static void lowerDoWhile(LowerState& state, int32_t node, int32_t bodyNode);
static void lowerFor(LowerState& state, int32_t node, int32_t init);
static int32_t countCases(LowerState& state, int32_t firstArm, bool isRange);
static void emitDispatch(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock, int32_t firstArm,
                         int32_t firstBlock);
static void emitRangeTests(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock,
                           int32_t firstArm, int32_t firstBlock, int32_t rangeCount);
static int32_t emitRangeTest(LowerState& state, int32_t child, int32_t value);
static void emitSwitch(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock, int32_t firstArm,
                       int32_t firstBlock);

void lowerStatement(LowerState& state, int32_t node) {
  const int32_t position = nodeColumn(state, node, HIR_NODE::position);
  if (position != NONE) state.statementPosition = position;
  const int32_t first = nodeColumn(state, node, HIR_NODE::firstChild);
  switch (nodeColumn(state, node, HIR_NODE::kind)) {
    case NodeKind::block:
      push(state, Action::scopeEnd, node, state.deferStack.length);
      push(state, Action::statements, first);
      return;
    case NodeKind::declare:
    case NodeKind::assign:
      beginWrite(state, node, first);
      return;
    case NodeKind::if_:
      lowerIf(state, node, first);
      return;
    case NodeKind::while_:
      lowerWhile(state, node, first);
      return;
    case NodeKind::doWhile:
      lowerDoWhile(state, node, first);
      return;
    case NodeKind::for_:
      lowerFor(state, node, first);
      return;
    case NodeKind::switch_:
      push(state, Action::switchDispatch, node);
      push(state, Action::expression, first);
      return;
    case NodeKind::break_:
    case NodeKind::continue_:
      lowerJump(state, node);
      return;
    case NodeKind::return_:
      lowerReturn(state, node, first);
      return;
    case NodeKind::defer:
      state.deferStack.push(first);
      return;
    case NodeKind::unreachable:
      emitUnreachable(state, node);
      return;
    case NodeKind::label:
      lowerLabel(state, node);
      return;
    case NodeKind::goto_:
      lowerGoto(state, node);
      return;
    default:
      dropValue(state, node);
  }
}

static void dropValue(LowerState& state, int32_t node) {
  push(state, Action::drop, node);
  const int32_t height = state.work.length;
  lowerExpression(state, node);
  if (takeBack(state, height)) state.valueStack.pop();
}

void lowerStatements(LowerState& state, int32_t first) {
  int32_t node = first;
  while (node != NONE) {
    const int32_t next = nodeColumn(state, node, HIR_NODE::nextSibling);
    push(state, Action::statements, next);
    const int32_t height = state.work.length;
    lowerStatement(state, node);
    if (!takeBack(state, height)) return;
    node = next;
  }
}

static void beginWrite(LowerState& state, int32_t node, int32_t value) {
  const int32_t variable = localVariable(state, node);
  if (variable == NONE) {
    stop(state, CoreFaultNumber::owner, node);
    return;
  }
  if (value != NONE) {
    push(state, Action::write, node);
    const int32_t height = state.work.length;
    lowerExpression(state, value);
    if (takeBack(state, height)) finishWrite(state, node);
  } else if (state.slots.data[variable] == NONE && state.buffer.current != NONE) {
    writeLocal(state, node, variable, state.ssa.variableUndef.data[variable]);
  }
}

void finishWrite(LowerState& state, int32_t node) {
  ensureBlock(state, WellKnownName::dead, node);
  writeLocal(state, node, nodeColumn(state, node, HIR_NODE::a) - state.firstVariable, state.valueStack.pop());
}

void endScope(LowerState& state, int32_t node, int32_t height) {
  if (state.deferStack.length <= height) return;
  if (state.buffer.current == NONE) {
    state.deferStack.length = height;
    return;
  }
  const int32_t deferred = state.deferStack.pop();
  push(state, Action::scopeEnd, node, height);
  push(state, Action::deferred, deferred);
}

void lowerDeferred(LowerState& state, int32_t node) {
  const int32_t frame = state.frames.length;
  state.frames.push(NONE);
  state.frames.push(state.deferFrame);
  state.frames.push(NONE);
  state.frames.push(state.deferStack.length);
  state.deferFrame = frame;
  push(state, Action::deferredEnd, node);
  push(state, Action::scopeEnd, node, state.deferStack.length);
  push(state, Action::statement, node);
}

void endDeferred(LowerState& state) {
  state.frames.length -= FRAME_STRIDE;
  state.deferFrame = state.frames.data[state.frames.length + 1];
}

static void startHeader(LowerState& state, int32_t node, int32_t header) {
  const int32_t loop = numberConstruct(state, node);
  const int32_t first = getConstruct(state, loop, Construct::firstPlace);
  beginLoop(state.buffer, state.ssa.writes, header, first, getConstruct(state, loop, Construct::endPlace));
  startBlock(state.buffer, header);
}

static void pushFrame(LowerState& state, int32_t node, int32_t exit, int32_t continueBlock) {
  setConstruct(state, numberConstruct(state, node), Construct::frame, state.frames.length);
  state.frames.push(node);
  state.frames.push(exit);
  state.frames.push(continueBlock);
  state.frames.push(state.deferStack.length);
}

void endConstruct(LowerState& state, int32_t exit) {
  state.frames.length -= FRAME_STRIDE;
  const int32_t node = state.frames.data[state.frames.length];
  setConstruct(state, constructOf(state, node), Construct::frame, NONE);
  if (state.frames.data[state.frames.length + 2] != NONE) leaveLoop(state.buffer, state.ssa.writes);
  joinAt(state, exit);
}

static void lowerIf(LowerState& state, int32_t node, int32_t condition) {
  const int32_t thenNode = nodeColumn(state, condition, HIR_NODE::nextSibling);
  const int32_t elseNode = nodeColumn(state, thenNode, HIR_NODE::nextSibling);
  const int32_t thenBlock = blockFor(state, WellKnownName::then, node);
  const int32_t elseBlock = elseNode == NONE ? NONE : blockFor(state, WellKnownName::else_, node);
  const int32_t join = blockFor(state, WellKnownName::join, node);
  push(state, Action::join, node, join);
  if (elseNode != NONE) {
    push(state, Action::goTo, node, join);
    push(state, Action::statement, elseNode);
    push(state, Action::start, node, elseBlock);
  }
  push(state, Action::goTo, node, join);
  push(state, Action::statement, thenNode);
  push(state, Action::start, node, thenBlock);
  push(state, Action::condition, condition, thenBlock, elseNode == NONE ? join : elseBlock, node);
}

static void lowerWhile(LowerState& state, int32_t node, int32_t condition) {
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t header = blockFor(state, WellKnownName::loopHeader, node);
  const int32_t body = blockFor(state, WellKnownName::loopBody, node);
  const int32_t latch = blockFor(state, WellKnownName::loopLatch, node);
  const int32_t exit = blockFor(state, WellKnownName::loopExit, node);
  emitBranch(state, node, header);
  startHeader(state, node, header);
  pushFrame(state, node, exit, latch);
  push(state, Action::constructExit, node, exit);
  push(state, Action::loopLatch, node, latch, header);
  push(state, Action::goTo, node, latch);
  push(state, Action::statement, nodeColumn(state, condition, HIR_NODE::nextSibling));
  push(state, Action::start, node, body);
  push(state, Action::condition, condition, body, exit, node);
}

void endLoop(LowerState& state, int32_t node, int32_t latch, int32_t header) {
  joinAt(state, latch);
  goTo(state, node, header);
  sealBlock(state.buffer, state.ssa, header);
}

static void lowerDoWhile(LowerState& state, int32_t node, int32_t bodyNode) {
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t body = blockFor(state, WellKnownName::loopBody, node);
  const int32_t latch = blockFor(state, WellKnownName::loopLatch, node);
  const int32_t exit = blockFor(state, WellKnownName::loopExit, node);
  emitBranch(state, node, body);
  startHeader(state, node, body);
  pushFrame(state, node, exit, latch);
  push(state, Action::constructExit, node, exit);
  push(state, Action::seal, node, body);
  push(state, Action::condition, nodeColumn(state, bodyNode, HIR_NODE::nextSibling), body, exit, node);
  push(state, Action::start, node, latch);
  push(state, Action::goTo, node, latch);
  push(state, Action::statement, bodyNode);
}

static void lowerFor(LowerState& state, int32_t node, int32_t init) {
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t initBlock = blockFor(state, WellKnownName::forInit, node);
  emitBranch(state, node, initBlock);
  startSealed(state, initBlock);
  push(state, Action::scopeEnd, node, state.deferStack.length);
  push(state, Action::forHeader, node);
  push(state, Action::statements, nodeColumn(state, init, HIR_NODE::firstChild));
}

void lowerForHeader(LowerState& state, int32_t node) {
  const int32_t init = nodeColumn(state, node, HIR_NODE::firstChild);
  const int32_t condition = nodeColumn(state, init, HIR_NODE::nextSibling);
  const int32_t stepNode = nodeColumn(state, condition, HIR_NODE::nextSibling);
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t header = blockFor(state, WellKnownName::forHeader, node);
  const int32_t body = blockFor(state, WellKnownName::forBody, node);
  const int32_t step = blockFor(state, WellKnownName::forStep, node);
  const int32_t exit = blockFor(state, WellKnownName::forExit, node);
  emitBranch(state, node, header);
  startHeader(state, node, header);
  pushFrame(state, node, exit, step);
  push(state, Action::constructExit, node, exit);
  push(state, Action::forStepEnd, node, header);
  push(state, Action::statement, stepNode);
  push(state, Action::join, node, step);
  push(state, Action::goTo, node, step);
  push(state, Action::statement, nodeColumn(state, stepNode, HIR_NODE::nextSibling));
  push(state, Action::start, node, body);
  push(state, Action::condition, condition, body, exit, node);
}

void endForStep(LowerState& state, int32_t node, int32_t header) {
  goTo(state, node, header);
  sealBlock(state.buffer, state.ssa, header);
}

void dispatchSwitch(LowerState& state, int32_t node) {
  const int32_t value = state.valueStack.pop();
  ensureBlock(state, WellKnownName::dead, node);
  const int32_t exit = blockFor(state, WellKnownName::switchExit, node);
  const int32_t firstArm =
      nodeColumn(state, nodeColumn(state, node, HIR_NODE::firstChild), HIR_NODE::nextSibling);
  const int32_t firstBlock = exit + 1;
  int32_t defaultBlock = exit;
  int32_t block = firstBlock;
  for (int32_t arm = firstArm; arm != NONE; arm = nodeColumn(state, arm, HIR_NODE::nextSibling)) {
    const bool isDefault = nodeColumn(state, arm, HIR_NODE::kind) == NodeKind::default_;
    blockFor(state, isDefault ? WellKnownName::default_ : WellKnownName::case_, arm);
    if (isDefault) defaultBlock = block;
    block++;
  }
  emitDispatch(state, node, value, defaultBlock, firstArm, firstBlock);
  pushFrame(state, node, exit, NONE);
  push(state, Action::constructExit, node, exit);
  if (firstArm != NONE) push(state, Action::arm, firstArm, firstBlock);
}

static int32_t countCases(LowerState& state, int32_t firstArm, bool isRange) {
  int32_t count = 0;
  for (int32_t arm = firstArm; arm != NONE; arm = nodeColumn(state, arm, HIR_NODE::nextSibling)) {
    int32_t child = nodeColumn(state, arm, HIR_NODE::firstChild);
    while (nodeColumn(state, child, HIR_NODE::kind) == NodeKind::constant) {
      if ((nodeColumn(state, child, HIR_NODE::b) != NONE) == isRange) count++;
      child = nodeColumn(state, child, HIR_NODE::nextSibling);
    }
  }
  return count;
}

static void emitDispatch(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock, int32_t firstArm,
                         int32_t firstBlock) {
  const int32_t rangeCount = countCases(state, firstArm, true);
  if (rangeCount == 0) {
    emitSwitch(state, node, value, defaultBlock, firstArm, firstBlock);
    return;
  }
  if (countCases(state, firstArm, false) > 0) {
    const int32_t tests = blockFor(state, WellKnownName::range, node);
    emitSwitch(state, node, value, tests, firstArm, firstBlock);
    if (state.fault != NONE) return;
    startSealed(state, tests);
  }
  emitRangeTests(state, node, value, defaultBlock, firstArm, firstBlock, rangeCount);
}

static void emitRangeTests(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock,
                           int32_t firstArm, int32_t firstBlock, int32_t rangeCount) {
  int32_t left = rangeCount;
  int32_t block = firstBlock;
  for (int32_t arm = firstArm; arm != NONE; arm = nodeColumn(state, arm, HIR_NODE::nextSibling)) {
    int32_t child = nodeColumn(state, arm, HIR_NODE::firstChild);
    while (nodeColumn(state, child, HIR_NODE::kind) == NodeKind::constant) {
      if (nodeColumn(state, child, HIR_NODE::b) != NONE) {
        const int32_t isInside = emitRangeTest(state, child, value);
        const int32_t next = --left == 0 ? defaultBlock : blockFor(state, WellKnownName::range, child);
        emitConditionalBranch(state, node, isInside, block, next);
        if (left > 0) startSealed(state, next);
      }
      child = nodeColumn(state, child, HIR_NODE::nextSibling);
    }
    block++;
  }
}

static int32_t emitRangeTest(LowerState& state, int32_t child, int32_t value) {
  const Int32Array& constants = state.inputs[LowerInput::constants];
  const int32_t boolean = constants[WellKnownConstant::false_ * CONSTANT::stride + CONSTANT::type];
  const bool isSigned = typeColumn(state, nodeColumn(state, child, HIR_NODE::type), TYPE::b) == 1;
  const int32_t position = positionOf(state, child);
  FunctionBuffer& buffer = state.buffer;
  const int32_t above = isSigned ? IntegerPredicate::sge : IntegerPredicate::uge;
  const int32_t low = newRow(buffer, Opcode::icmp, boolean, above, NONE, position, 0, child);
  addOperand(buffer, low, value);
  addOperand(buffer, low, -2 - nodeColumn(state, child, HIR_NODE::a));
  const int32_t below = isSigned ? IntegerPredicate::sle : IntegerPredicate::ule;
  const int32_t high = newRow(buffer, Opcode::icmp, boolean, below, NONE, position, 0, child);
  addOperand(buffer, high, value);
  addOperand(buffer, high, -2 - nodeColumn(state, child, HIR_NODE::b));
  const int32_t traits = nodeColumn(state, child, HIR_NODE::traits);
  const int32_t both = newRow(buffer, Opcode::and_, boolean, 0, NONE, position, traits, child);
  addOperand(buffer, both, low);
  addOperand(buffer, both, high);
  pushValue(state, child, both);
  return state.valueStack.pop();
}

static void emitSwitch(LowerState& state, int32_t node, int32_t value, int32_t defaultBlock, int32_t firstArm,
                       int32_t firstBlock) {
  FunctionBuffer& buffer = state.buffer;
  const int32_t traits = nodeColumn(state, node, HIR_NODE::traits);
  const int32_t row = newRow(buffer, Opcode::switch_, 0, 0, NONE, positionOf(state, node), traits, node);
  addOperand(buffer, row, value);
  addOperand(buffer, row, defaultBlock);
  addEdge(buffer, defaultBlock);
  int32_t block = firstBlock;
  for (int32_t arm = firstArm; arm != NONE; arm = nodeColumn(state, arm, HIR_NODE::nextSibling)) {
    int32_t child = nodeColumn(state, arm, HIR_NODE::firstChild);
    while (nodeColumn(state, child, HIR_NODE::kind) == NodeKind::constant) {
      if (nodeColumn(state, child, HIR_NODE::b) == NONE) {
        const int32_t constant = -2 - nodeColumn(state, child, HIR_NODE::a);
        state.values[child] = constant;
        addOperand(buffer, row, constant);
        addOperand(buffer, row, block);
        addEdge(buffer, block);
      }
      child = nodeColumn(state, child, HIR_NODE::nextSibling);
    }
    if (nodeCategory[nodeColumn(state, child, HIR_NODE::kind)] == NodeCategory::expression) {
      stop(state, CoreFaultNumber::category, child);
      return;
    }
    block++;
  }
  endBlock(buffer);
}

void beginArm(LowerState& state, int32_t arm, int32_t block) {
  int32_t body = nodeColumn(state, arm, HIR_NODE::firstChild);
  while (nodeColumn(state, body, HIR_NODE::kind) != NodeKind::block)
    body = nodeColumn(state, body, HIR_NODE::nextSibling);
  startSealed(state, block);
  push(state, Action::armEnd, arm, block);
  push(state, Action::statement, body);
}

void endArm(LowerState& state, int32_t arm, int32_t block) {
  const int32_t next = nodeColumn(state, arm, HIR_NODE::nextSibling);
  const bool fallsThrough = nodeColumn(state, arm, HIR_NODE::a) == 1 && next != NONE;
  const int32_t exit = state.frames.data[state.frames.length - FRAME_STRIDE + 1];
  goTo(state, arm, fallsThrough ? block + 1 : exit);
  if (next != NONE) push(state, Action::arm, next, block + 1);
}

}  // namespace vct
