// Twin of src/core/dominators.ts.
#pragma once

#include "graph.h"

namespace vct {

struct Dominators {
  std::vector<int32_t> immediate;
  std::vector<int32_t> treeOrder;
  std::vector<int32_t> first;
  std::vector<int32_t> last;
  std::vector<int32_t> semidominator;
  std::vector<int32_t> label;
  std::vector<int32_t> ancestor;
  std::vector<int32_t> candidate;
  std::vector<int32_t> stack;
  std::vector<int32_t> firstChild;
  std::vector<int32_t> nextSibling;
};

Dominators makeDominators(int32_t blockCapacity);
void computeDominators(Dominators& dominators, const Graph& graph);
bool dominates(const Dominators& dominators, int32_t above, int32_t below);

}  // namespace vct
