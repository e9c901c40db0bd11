// Twin of src/core/lower-statements.ts.
#pragma once

#include "lower-state.h"

namespace vct {

void lowerStatement(LowerState& state, int32_t node);
void lowerStatements(LowerState& state, int32_t node);
void finishWrite(LowerState& state, int32_t node);
void endScope(LowerState& state, int32_t node, int32_t height);
void lowerDeferred(LowerState& state, int32_t node);
void endDeferred(LowerState& state);
void endConstruct(LowerState& state, int32_t exit);
void endLoop(LowerState& state, int32_t node, int32_t latch, int32_t header);
void lowerForHeader(LowerState& state, int32_t node);
void endForStep(LowerState& state, int32_t node, int32_t header);
void dispatchSwitch(LowerState& state, int32_t node);
void beginArm(LowerState& state, int32_t arm, int32_t block);
void endArm(LowerState& state, int32_t arm, int32_t block);

}  // namespace vct
