// Twin of src/core/lower-state.ts, which explains the algorithm.

#include "lower-state.h"

namespace vct {

static constexpr int32_t WORK_STRIDE = 5;

int32_t nodeColumn(LowerState& state, int32_t node, int32_t column) {
  return state.inputs[LowerInput::nodes][node * HIR_NODE::stride + column];
}

int32_t variableColumn(LowerState& state, int32_t variable, int32_t column) {
  const Int32Array& table = state.inputs[LowerInput::variables];
  return table[(state.firstVariable + variable) * HIR_VARIABLE::stride + column];
}

int32_t functionColumn(LowerState& state, int32_t id, int32_t column) {
  return state.inputs[LowerInput::functions][id * HIR_FUNCTION::stride + column];
}

int32_t typeColumn(LowerState& state, int32_t type, int32_t column) {
  return state.inputs[LowerInput::types][type * TYPE::stride + column];
}

void push(LowerState& state, int32_t action, int32_t node, int32_t p, int32_t q, int32_t owner) {
  state.work.push(action);
  state.work.push(node);
  state.work.push(p);
  state.work.push(q);
  state.work.push(owner);
}

int32_t workStride() {
  return WORK_STRIDE;
}

void stop(LowerState& state, int32_t fault, int32_t node) {
  state.fault = fault;
  state.faultNode = node;
}

int32_t positionOf(LowerState& state, int32_t node) {
  const int32_t position = nodeColumn(state, node, HIR_NODE::position);
  return position == NONE ? state.statementPosition : position;
}

int32_t blockFor(LowerState& state, int32_t name, int32_t node) {
  return newBlock(state.buffer, name, node, positionOf(state, node));
}

void startSealed(LowerState& state, int32_t block) {
  startBlock(state.buffer, block);
  sealBlock(state.buffer, state.ssa, block);
}

void ensureBlock(LowerState& state, int32_t deadName, int32_t node) {
  if (state.buffer.current != NONE) return;
  startSealed(state, blockFor(state, deadName, node));
}

void pushValue(LowerState& state, int32_t node, int32_t value) {
  state.valueStack.push(value);
  // A defer makes a node's value once an exit; the node is listed once.
  if (state.values[node] == NONE) state.valuedNodes.push(node);
  state.values[node] = value;
}

void emitBranch(LowerState& state, int32_t node, int32_t target) {
  const int32_t row = newRow(state.buffer, Opcode::br, 0, 0, NONE, positionOf(state, node),
                             nodeColumn(state, node, HIR_NODE::traits), node);
  addOperand(state.buffer, row, target);
  addEdge(state.buffer, target);
  endBlock(state.buffer);
}

void emitConditionalBranch(LowerState& state, int32_t node, int32_t condition, int32_t whenTrue,
                           int32_t whenFalse) {
  const int32_t row = newRow(state.buffer, Opcode::condbr, 0, 0, NONE, positionOf(state, node),
                             nodeColumn(state, node, HIR_NODE::traits), node);
  addOperand(state.buffer, row, condition);
  addOperand(state.buffer, row, whenTrue);
  addOperand(state.buffer, row, whenFalse);
  addEdge(state.buffer, whenTrue);
  addEdge(state.buffer, whenFalse);
  endBlock(state.buffer);
}

int32_t localVariable(LowerState& state, int32_t node) {
  const int32_t variable = nodeColumn(state, node, HIR_NODE::a) - state.firstVariable;
  return variable >= 0 && variable < state.variableCount ? variable : NONE;
}

bool isInMemory(LowerState& state, int32_t variable) {
  const int32_t set = variableColumn(state, variable, HIR_VARIABLE::traits);
  const int32_t mask = state.inputs[LowerInput::traitSets][set * TRAIT_SET::stride + TRAIT_SET::mask];
  const int32_t inMemory = (1 << Trait::isAddressed) | (1 << Trait::escapes) |
                           (1 << Trait::isRuntimeMutable) | (1 << Trait::isVolatile) | (1 << Trait::isAtomic);
  if ((mask & inMemory) != 0) return true;
  const int32_t kind = typeColumn(state, variableColumn(state, variable, HIR_VARIABLE::type), TYPE::kind);
  return kind == TypeKind::array || kind == TypeKind::struct_ || kind == TypeKind::union_;
}

static int32_t accessWord(int32_t access, bool isLoad) {
  const int32_t ordering = access & Aux::orderingMask;
  const int32_t rest = access - ordering;
  if (ordering == Ordering::acq_rel) return rest | (isLoad ? Ordering::acquire : Ordering::release);
  if (ordering == (isLoad ? Ordering::release : Ordering::acquire)) return rest | Ordering::monotonic;
  return access;
}

int32_t readLocal(LowerState& state, int32_t node, int32_t variable) {
  const int32_t slot = state.slots.data[variable];
  if (slot == NONE) return readVariable(state.buffer, state.ssa, variable);
  const int32_t row = newRow(state.buffer, Opcode::load, variableColumn(state, variable, HIR_VARIABLE::type),
                             accessWord(variableColumn(state, variable, HIR_VARIABLE::access), true), NONE,
                             positionOf(state, node), nodeColumn(state, node, HIR_NODE::traits), node);
  addOperand(state.buffer, row, slot);
  return row;
}

void writeLocal(LowerState& state, int32_t node, int32_t variable, int32_t value) {
  FunctionBuffer& buffer = state.buffer;
  const int32_t slot = state.slots.data[variable];
  if (slot == NONE) {
    const bool isNewest = value >= 0 && value == buffer.rowOpcode.length - 1;
    if (isNewest && buffer.rowName.data[value] == NONE) {
      buffer.rowName.data[value] = variableColumn(state, variable, HIR_VARIABLE::name);
    }
    writeVariable(buffer, state.ssa, variable, value);
    return;
  }
  const int32_t row =
      newRow(buffer, Opcode::store, 0, accessWord(variableColumn(state, variable, HIR_VARIABLE::access), false),
             NONE, positionOf(state, node), 0, node);
  addOperand(buffer, row, value);
  addOperand(buffer, row, slot);
}

void finishValues(LowerState& state) {
  for (int32_t index = 0; index < state.valuedNodes.length; index++) {
    const int32_t node = state.valuedNodes.data[index];
    const int32_t value = resolve(state.buffer, state.values[node]);
    state.values[node] = value < 0 ? value : state.layout.finalRow.data[value];
  }
}

}  // namespace vct
