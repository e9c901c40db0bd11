// Twin of src/core/coalescing.ts.
#pragma once

#include "liveness.h"

namespace vct {

struct Classes {
  int32_t classCount = 0;
  std::vector<int32_t> classOf;
  std::vector<int32_t> isUsed;
  std::vector<int32_t> isBound;
  std::vector<int32_t> web;
  std::vector<int32_t> webClass;
  std::vector<int32_t> wishStart;
  std::vector<int32_t> wishPhi;
  std::vector<int32_t> wishBlock;
  std::vector<int32_t> preferred;
  std::vector<int32_t> holder;
  std::vector<int32_t> weight;
  std::vector<int32_t> previousHolder;
  std::vector<int32_t> held;
  int32_t heldCount = 0;
  std::vector<int32_t> candidates;
  int32_t candidateCount = 0;
};

struct ClassInput : Flow {
  VirTables tables;
  Liveness liveness;
};

Classes makeClasses(int32_t instructionCapacity, int32_t operandCapacity);
void findClasses(Classes& classes, ClassInput& input, const FunctionRows& rows);

}  // namespace vct
