// Twin of src/core/lower-expressions.ts.
#pragma once

#include "lower-state.h"

namespace vct {

void lowerExpression(LowerState& state, int32_t node);
void lowerOperands(LowerState& state, int32_t first);
void finishOperation(LowerState& state, int32_t node, int32_t height);
void lowerCondition(LowerState& state, int32_t node, int32_t whenTrue, int32_t whenFalse, int32_t owner);
void branchOnValue(LowerState& state, int32_t whenTrue, int32_t whenFalse, int32_t owner);
void lowerLogicalMiddle(LowerState& state, int32_t node);
void lowerLogicalEnd(LowerState& state, int32_t node, int32_t join);
void lowerConditionalMiddle(LowerState& state, int32_t node, int32_t join);
void lowerConditionalEnd(LowerState& state, int32_t node, int32_t join);
void emitUnreachable(LowerState& state, int32_t node);

}  // namespace vct
