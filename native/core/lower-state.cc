// Twin of src/core/lower-state.ts, which explains the algorithm.

#include "lower-state.h"

namespace vct {

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
    const bool isNewest = value >= 0 && value == buffer.rowCount - 1;
    if (isNewest && getRow(buffer, value, BufferRow::name) == NONE) {
      setRow(buffer, value, BufferRow::name, variableColumn(state, variable, HIR_VARIABLE::name));
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

int32_t constructOf(LowerState& state, int32_t node) {
  const int32_t construct = state.values[node];
  const int64_t at = int64_t{construct} * Construct::stride;
  const bool isKnown = construct >= 0 && at < state.constructs.length;
  return isKnown && state.constructs.data[at + Construct::node] == node ? construct : NONE;
}

int32_t numberConstruct(LowerState& state, int32_t node) {
  const int32_t known = constructOf(state, node);
  if (known != NONE) return known;
  const int32_t at = state.constructs.extend(Construct::stride);
  int32_t* const data = state.constructs.data;
  data[at + Construct::node] = node;
  data[at + Construct::frame] = NONE;
  data[at + Construct::firstPlace] = 0;
  data[at + Construct::endPlace] = 0;
  state.values[node] = at / Construct::stride;
  return at / Construct::stride;
}

void finishValues(LowerState& state) {
  for (int32_t index = 0; index < state.valuedNodes.length; index++) {
    const int32_t node = state.valuedNodes.data[index];
    state.values[node] = finalValue(state.buffer, state.values[node]);
  }
  for (int32_t at = 0; at < state.constructs.length; at += Construct::stride)
    state.values[state.constructs.data[at + Construct::node]] = NONE;
  for (int32_t at = 0; at < state.labels.length; at += LABEL_STRIDE)
    state.values[state.labels.data[at]] = NONE;
}

}  // namespace vct
