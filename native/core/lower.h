// Twin of src/core/lower.ts.
#pragma once

#include "lower-state.h"

namespace vct {

namespace LowerOutput {
constexpr int32_t instructions = 0;
constexpr int32_t operands = 1;
constexpr int32_t blocks = 2;
constexpr int32_t functions = 3;
constexpr int32_t values = 4;
constexpr int32_t count = 5;
}  // namespace LowerOutput

void lowerRange(LowerState& state, int32_t first, int32_t end);
void reportSizes(int32_t* header, const ModuleOutput& output, int32_t functionCount, int32_t nodeCount);
void lowerWith(const Int32Array* inputs, const Int32Array* outputs, int32_t* header, bool isGeneral);

}  // namespace vct
