// Twin of src/core/dominator-growth.ts.
#pragma once

#include "function-buffer.h"

namespace vct {

constexpr int32_t STILL_OPEN = 0x7fffffff;

int32_t commonDominator(FunctionBuffer& buffer, int32_t left, int32_t right);
void placeBlock(FunctionBuffer& buffer, int32_t block);
int32_t highestOpenAt(FunctionBuffer& buffer, int32_t block, int32_t time);

}  // namespace vct
