// Twin of src/core/analyse-graph.ts.
#pragma once

#include "border.h"

namespace vct {

constexpr int32_t graphInputCount = 3;
constexpr int32_t graphOutputCount = 7;

void analyseGraph(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
