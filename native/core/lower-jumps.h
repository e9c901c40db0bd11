// Twin of src/core/lower-jumps.ts.
#pragma once

#include "lower-state.h"

namespace vct {

void joinAt(LowerState& state, int32_t block);
void goTo(LowerState& state, int32_t node, int32_t target);
void lowerJump(LowerState& state, int32_t node);
void beginLabels(LowerState& state);
void lowerLabel(LowerState& state, int32_t node);
void lowerGoto(LowerState& state, int32_t node);
void endGoto(LowerState& state, int32_t node, int32_t label);
void lowerReturn(LowerState& state, int32_t node, int32_t value);
void afterReturnValue(LowerState& state, int32_t node);
void emitReturn(LowerState& state, int32_t node, int32_t hasValue);

}  // namespace vct
