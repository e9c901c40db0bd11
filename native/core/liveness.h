// Twin of src/core/liveness.ts.
#pragma once

#include "dominators.h"
#include "loops.h"

namespace vct {

struct Flow {
  Graph graph;
  Dominators dominators;
  Loops loops;
  std::vector<int32_t> blockOf;
};

struct Liveness {
  std::vector<int32_t> useStart;
  std::vector<int32_t> uses;
  std::vector<int32_t> lastPlace;
  std::vector<int32_t> lastPosition;
  std::vector<int32_t> explored;
  std::vector<int32_t> stamp;
  std::vector<int32_t> keyValue;
  std::vector<int32_t> keyBlock;
  std::vector<int32_t> last;
  int32_t generation = 0;
  int32_t count = 0;
  int32_t capacity = 0;
  std::vector<int32_t> stack;
};

Liveness makeLiveness(int32_t instructionCapacity, int32_t operandCapacity, int32_t blockCapacity);
void collectUses(Liveness& liveness, const VirTables& tables, const FunctionRows& rows, const Graph& graph,
                 const std::vector<int32_t>& isWanted, const std::vector<int32_t>& isUsed);
bool isLiveAfter(Liveness& liveness, const Flow& flow, int32_t value, int32_t block, int32_t position);

}  // namespace vct
