// Twin of src/core/lower-state.ts.
#pragma once

#include <vector>
#include "border.h"
#include "function-layout.h"
#include "redundant-phis.h"
#include "ssa.h"
#include "validate-hir.h"

namespace vct {

namespace Action {
constexpr int32_t expression = 0;
constexpr int32_t operands = 1;
constexpr int32_t operation = 2;
constexpr int32_t condition = 3;
constexpr int32_t branchOnValue = 4;
constexpr int32_t logicalMiddle = 5;
constexpr int32_t logicalEnd = 6;
constexpr int32_t conditionalMiddle = 7;
constexpr int32_t conditionalEnd = 8;
constexpr int32_t drop = 9;
constexpr int32_t statement = 10;
constexpr int32_t statements = 11;
constexpr int32_t scopeEnd = 12;
constexpr int32_t write = 13;
constexpr int32_t start = 14;
constexpr int32_t goTo = 15;
constexpr int32_t join = 16;
constexpr int32_t loopLatch = 17;
constexpr int32_t constructExit = 18;
constexpr int32_t seal = 19;
constexpr int32_t forHeader = 20;
constexpr int32_t forStepEnd = 21;
constexpr int32_t switchDispatch = 22;
constexpr int32_t arm = 23;
constexpr int32_t armEnd = 24;
constexpr int32_t jump = 25;
constexpr int32_t returnValue = 26;
constexpr int32_t returnEnd = 27;
constexpr int32_t deferred = 28;
constexpr int32_t deferredEnd = 29;
constexpr int32_t gotoEnd = 30;
}  // namespace Action

constexpr int32_t WORK_STRIDE = 5;
constexpr int32_t FRAME_STRIDE = 4;
constexpr int32_t LABEL_STRIDE = 4;

namespace Construct {
constexpr int32_t node = 0;
constexpr int32_t frame = 1;
constexpr int32_t firstPlace = 2;
constexpr int32_t endPlace = 3;
constexpr int32_t stride = 4;
}  // namespace Construct

struct LowerState {
  FunctionBuffer buffer;
  SsaState ssa;
  LayoutScratch layout;
  RedundantPhis redundantPhis;
  Words work;
  Words valueStack;
  Words deferStack;
  Words frames;
  Words constructs;
  Words slots;
  Words labels;
  Words valuedNodes;
  int32_t firstVariable = 0;
  int32_t variableCount = 0;
  int32_t parameterCount = 0;
  int32_t body = NONE;
  bool isAlwaysGeneral = false;
  int32_t deferFrame = NONE;
  int32_t statementPosition = NONE;
  int32_t fault = NONE;
  int32_t faultNode = NONE;
  const Int32Array* inputs;
  ModuleOutput& output;
  Int32Array values;

  LowerState(const Int32Array* inputs, ModuleOutput& output, const Int32Array& values)
      : inputs(inputs), output(output), values(values) {}
};

inline int32_t nodeColumn(LowerState& state, int32_t node, int32_t column) {
  return state.inputs[LowerInput::nodes][node * HIR_NODE::stride + column];
}

inline int32_t variableColumn(LowerState& state, int32_t variable, int32_t column) {
  const Int32Array& table = state.inputs[LowerInput::variables];
  return table[(state.firstVariable + variable) * HIR_VARIABLE::stride + column];
}

inline int32_t functionColumn(LowerState& state, int32_t id, int32_t column) {
  return state.inputs[LowerInput::functions][id * HIR_FUNCTION::stride + column];
}

inline int32_t typeColumn(LowerState& state, int32_t type, int32_t column) {
  return state.inputs[LowerInput::types][type * TYPE::stride + column];
}

inline void push(LowerState& state, int32_t action, int32_t node, int32_t p = NONE, int32_t q = NONE,
          int32_t owner = NONE) {
  const int32_t at = state.work.extend(WORK_STRIDE);
  int32_t* const entry = state.work.data + at;
  entry[0] = action;
  entry[1] = node;
  entry[2] = p;
  entry[3] = q;
  entry[4] = owner;
}

inline int32_t workStride() {
  return WORK_STRIDE;
}

inline bool takeBack(LowerState& state, int32_t height) {
  if (state.work.length != height) return false;
  state.work.length -= WORK_STRIDE;
  return state.fault == NONE;
}

inline void stop(LowerState& state, int32_t fault, int32_t node) {
  state.fault = fault;
  state.faultNode = node;
}

inline int32_t positionOf(LowerState& state, int32_t node) {
  const int32_t position = nodeColumn(state, node, HIR_NODE::position);
  return position == NONE ? state.statementPosition : position;
}

int32_t blockFor(LowerState& state, int32_t name, int32_t node);
void startSealed(LowerState& state, int32_t block);
void ensureBlock(LowerState& state, int32_t deadName, int32_t node);

inline void pushValue(LowerState& state, int32_t node, int32_t value) {
  state.valueStack.push(value);
  // A defer makes a node's value once an exit; the node is listed once.
  if (state.values[node] == NONE) state.valuedNodes.push(node);
  state.values[node] = value;
}

void emitBranch(LowerState& state, int32_t node, int32_t target);
void emitConditionalBranch(LowerState& state, int32_t node, int32_t condition, int32_t whenTrue,
                           int32_t whenFalse);

inline int32_t localVariable(LowerState& state, int32_t node) {
  const int32_t variable = nodeColumn(state, node, HIR_NODE::a) - state.firstVariable;
  return variable >= 0 && variable < state.variableCount ? variable : NONE;
}

bool isInMemory(LowerState& state, int32_t variable);
int32_t readLocal(LowerState& state, int32_t node, int32_t variable);
void writeLocal(LowerState& state, int32_t node, int32_t variable, int32_t value);
int32_t constructOf(LowerState& state, int32_t node);
int32_t numberConstruct(LowerState& state, int32_t node);

inline int32_t getConstruct(const LowerState& state, int32_t construct, int32_t column) {
  return state.constructs.data[construct * Construct::stride + column];
}

inline void setConstruct(LowerState& state, int32_t construct, int32_t column, int32_t value) {
  state.constructs.data[construct * Construct::stride + column] = value;
}

void finishValues(LowerState& state);

}  // namespace vct
