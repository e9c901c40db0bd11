// Twin of src/core/frontiers.ts.
#pragma once

#include "dominators.h"

namespace vct {

int32_t countFrontiers(const Graph& graph, const Dominators& dominators, int32_t* start,
                       std::vector<int32_t>& seen);
void writeFrontiers(Graph& graph, const Dominators& dominators, int32_t* start, int32_t* frontiers,
                    std::vector<int32_t>& seen);

}  // namespace vct
