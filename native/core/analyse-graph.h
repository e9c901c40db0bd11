// Twin of src/core/analyse-graph.ts.
#pragma once

#include "graph.h"

namespace vct {

constexpr int32_t graphInputCount = 3;
constexpr int32_t graphOutputCount = 7;

bool validateGraph(const Int32Array* inputs, int32_t* header);
Graph readGraph(const Int32Array& starts, const Int32Array& successors, int32_t entry);
void analyseGraph(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
