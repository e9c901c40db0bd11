// Twin of src/core/lower.ts, which explains the algorithm.

#include "lower.h"
#include <algorithm>
#include <vector>
#include "lower-expressions.h"
#include "lower-jumps.h"
#include "lower-statements.h"
#include "redundant-phis.h"
#include "scan-regions.h"
#include "scan-writes.h"

namespace vct {

static void step(LowerState& state, int32_t action, int32_t node, int32_t p, int32_t q, int32_t owner) {
  switch (action) {
    case Action::expression:
      lowerExpression(state, node);
      break;
    case Action::operands:
      lowerOperands(state, node);
      break;
    case Action::operation:
      finishOperation(state, node, p);
      break;
    case Action::condition:
      lowerCondition(state, node, p, q, owner);
      break;
    case Action::branchOnValue:
      branchOnValue(state, p, q, owner);
      break;
    case Action::logicalMiddle:
      lowerLogicalMiddle(state, node);
      break;
    case Action::logicalEnd:
      lowerLogicalEnd(state, node, p);
      break;
    case Action::conditionalMiddle:
      lowerConditionalMiddle(state, node, p);
      break;
    case Action::conditionalEnd:
      lowerConditionalEnd(state, node, p);
      break;
    case Action::drop:
      state.valueStack.pop();
      break;
    case Action::statement:
      lowerStatement(state, node);
      break;
    case Action::statements:
      lowerStatements(state, node);
      break;
    case Action::scopeEnd:
      endScope(state, node, p);
      break;
    case Action::write:
      finishWrite(state, node);
      break;
    case Action::start:
      startSealed(state, p);
      break;
    case Action::goTo:
      goTo(state, node, p);
      break;
    case Action::join:
      joinAt(state, p);
      break;
    case Action::loopLatch:
      endLoop(state, node, p, q);
      break;
    case Action::constructExit:
      endConstruct(state, p);
      break;
    case Action::seal:
      sealBlock(state.buffer, state.ssa, p);
      break;
    case Action::forHeader:
      lowerForHeader(state, node);
      break;
    case Action::forStepEnd:
      endForStep(state, node, p);
      break;
    case Action::switchDispatch:
      dispatchSwitch(state, node);
      break;
    case Action::arm:
      beginArm(state, node, p);
      break;
    case Action::armEnd:
      endArm(state, node, p);
      break;
    case Action::jump:
      ensureBlock(state, WellKnownName::dead, node);
      emitBranch(state, node, p);
      break;
    case Action::deferred:
      lowerDeferred(state, node);
      break;
    case Action::deferredEnd:
      endDeferred(state);
      break;
    case Action::gotoEnd:
      endGoto(state, node, p);
      break;
    case Action::returnValue:
      afterReturnValue(state, node);
      break;
    default:
      emitReturn(state, node, p);
      break;
  }
}

static void walk(LowerState& state) {
  Words& work = state.work;
  while (work.length > 0 && state.fault == NONE) {
    work.length -= workStride();
    const int32_t at = work.length;
    const int32_t* const data = work.data;
    step(state, data[at], data[at + 1], data[at + 2], data[at + 3], data[at + 4]);
  }
}

static void clearState(LowerState& state, int32_t id) {
  clearBuffer(state.buffer);
  clearSsa(state.ssa);
  state.work.length = 0;
  state.valueStack.length = 0;
  state.deferStack.length = 0;
  state.frames.length = 0;
  state.constructs.length = 0;
  state.slots.length = 0;
  state.labels.length = 0;
  state.valuedNodes.length = 0;
  state.deferFrame = NONE;
  state.statementPosition = NONE;
  state.body = functionColumn(state, id, HIR_FUNCTION::body);
  state.firstVariable = functionColumn(state, id, HIR_FUNCTION::firstVariable);
  state.variableCount = functionColumn(state, id, HIR_FUNCTION::variableCount);
  state.parameterCount = functionColumn(state, id, HIR_FUNCTION::parameterCount);
}

static int32_t variableNode(LowerState& state, int32_t variable) {
  const int32_t declaration = variableColumn(state, variable, HIR_VARIABLE::declaration);
  return declaration == NONE ? state.body : declaration;
}

static void beginVariables(LowerState& state) {
  SsaState& ssa = state.ssa;
  for (int32_t variable = 0; variable < state.variableCount; variable++) {
    const int32_t type = variableColumn(state, variable, HIR_VARIABLE::type);
    const int32_t name = variableColumn(state, variable, HIR_VARIABLE::name);
    const int32_t position = variableColumn(state, variable, HIR_VARIABLE::position);
    const int32_t traits = variableColumn(state, variable, HIR_VARIABLE::traits);
    const int32_t node = variableNode(state, variable);
    ssa.variableType.push(type);
    ssa.variableName.push(name);
    ssa.variablePosition.push(position);
    ssa.variableTraits.push(traits);
    ssa.variableNode.push(node);
    ssa.variableUndef.push(-2 - variableColumn(state, variable, HIR_VARIABLE::undef));
    state.slots.push(NONE);
    if (variable < state.parameterCount)
      newRow(state.buffer, Opcode::param, type, 0, name, position, traits, node);
  }
}

static void beginSlots(LowerState& state) {
  for (int32_t variable = 0; variable < state.variableCount; variable++) {
    if (!isInMemory(state, variable)) continue;
    state.slots.data[variable] =
        newRow(state.buffer, Opcode::alloca, variableColumn(state, variable, HIR_VARIABLE::slotType),
               variableColumn(state, variable, HIR_VARIABLE::type),
               variableColumn(state, variable, HIR_VARIABLE::name),
               variableColumn(state, variable, HIR_VARIABLE::position),
               variableColumn(state, variable, HIR_VARIABLE::traits), variableNode(state, variable));
  }
  for (int32_t variable = 0; variable < state.parameterCount; variable++) {
    writeLocal(state, state.body, variable, variable);
  }
}

static void endFunction(LowerState& state, bool returnsVoid) {
  if (state.buffer.current == NONE) return;
  if (!returnsVoid) {
    emitUnreachable(state, state.body);
    return;
  }
  newRow(state.buffer, Opcode::ret, 0, 0, NONE, positionOf(state, state.body), 0, state.body);
  endBlock(state.buffer);
}

static bool returnsVoid(LowerState& state, int32_t id) {
  const Int32Array& signatures = state.inputs[LowerInput::signatures];
  const int32_t type = signatures[id * FUNCTION::stride + FUNCTION::type];
  return typeColumn(state, typeColumn(state, type, TYPE::c), TYPE::kind) == TypeKind::void_;
}

static void lowerFunction(LowerState& state, int32_t id) {
  clearState(state, id);
  beginVariables(state);
  if (state.body == NONE) return;
  scanWrites(state);
  if (state.fault != NONE) return;
  state.ssa.isRemovalLate = state.labels.length > 0;
  state.ssa.isGeneral = state.isAlwaysGeneral || state.ssa.isRemovalLate;
  scanRegions(state, id);
  if (state.fault != NONE) return;
  startSealed(state, blockFor(state, WellKnownName::entry, state.body));
  beginLabels(state);
  beginSlots(state);
  push(state, Action::statement, state.body);
  walk(state);
  if (state.fault != NONE) return;
  endFunction(state, returnsVoid(state, id));
  if (state.ssa.isRemovalLate) removeRedundantPhis(state.buffer, state.ssa, state.redundantPhis);
}

void lowerRange(LowerState& state, int32_t first, int32_t end) {
  beginRegions(state);
  for (int32_t id = first; id < end; id++) {
    lowerFunction(state, id);
    if (state.fault != NONE) return;
    writeFunction(state.buffer, state.layout, state.output, id, state.parameterCount, state.variableCount);
    finishValues(state);
  }
}

void reportSizes(int32_t* header, const ModuleOutput& output, int32_t functionCount, int32_t nodeCount) {
  header[CoreHeader::status] = output.isOverflow ? CoreStatus::capacity : CoreStatus::ok;
  header[CoreHeader::firstSize + LowerOutput::instructions] =
      output.instructionCount * VIR_INSTRUCTION::stride;
  header[CoreHeader::firstSize + LowerOutput::operands] = output.operandCount;
  header[CoreHeader::firstSize + LowerOutput::blocks] = output.blockCount * VIR_BLOCK::stride;
  header[CoreHeader::firstSize + LowerOutput::functions] = functionCount * VIR_FUNCTION::stride;
  header[CoreHeader::firstSize + LowerOutput::values] = nodeCount;
}

void lowerWith(const Int32Array* inputs, const Int32Array* outputs, int32_t* header, bool isGeneral) {
  if (!validateHir(inputs, header)) return;
  const int32_t nodeCount = inputs[LowerInput::nodes].length / HIR_NODE::stride;
  const int32_t functionCount = inputs[LowerInput::functions].length / HIR_FUNCTION::stride;
  const Int32Array& values = outputs[LowerOutput::values];
  const Int32Array& functions = outputs[LowerOutput::functions];
  ModuleOutput output;
  output.instructions = outputs[LowerOutput::instructions];
  output.operands = outputs[LowerOutput::operands];
  output.blocks = outputs[LowerOutput::blocks];
  output.functions = functions;
  output.isOverflow =
      values.length < nodeCount || functions.length < int64_t{functionCount} * VIR_FUNCTION::stride;
  std::vector<int32_t> spare(static_cast<uint32_t>(values.length < nodeCount ? nodeCount : 0));
  const Int32Array nodeValues = {values.length < nodeCount ? spare.data() : values.data, nodeCount};
  std::fill(nodeValues.data, nodeValues.data + nodeCount, NONE);
  LowerState state(inputs, output, nodeValues);
  state.isAlwaysGeneral = isGeneral;
  lowerRange(state, 0, functionCount);
  if (state.fault == NONE)
    reportSizes(header, output, functionCount, nodeCount);
  else
    reportFault(header, state.fault, LowerInput::nodes, state.faultNode);
}

}  // namespace vct
