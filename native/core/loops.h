// Twin of src/core/loops.ts.
#pragma once

#include "graph.h"

namespace vct {

struct Loops {
  std::vector<int32_t> outer;
  std::vector<int32_t> isHeader;
  std::vector<int32_t> isIrreducible;
  bool hasIrreducible = false;
  std::vector<int32_t> depth;
  std::vector<int32_t> pathDepth;
  std::vector<int32_t> stack;
  std::vector<int32_t> cursor;
  std::vector<int32_t> isMet;
};

Loops makeLoops(int32_t blockCapacity);
void computeLoops(Loops& loops, const Graph& graph);

}  // namespace vct
