// Twin of src/core/parallel-copy.ts.
#pragma once

#include <cstdint>
#include <vector>

#include "border.h"

namespace vct {

struct ParallelCopy {
  std::vector<int32_t> destination;
  std::vector<int32_t> source;
  std::vector<int32_t> moveDestination;
  std::vector<int32_t> moveSource;
  int32_t moveCount = 0;
  std::vector<int32_t> location;
  std::vector<int32_t> wanted;
  std::vector<int32_t> ready;
};

ParallelCopy makeParallelCopy(int32_t variableCapacity, int32_t copyCapacity);
void sequentialize(ParallelCopy& copy, int32_t count);

}  // namespace vct
