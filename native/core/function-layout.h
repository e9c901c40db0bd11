// Twin of src/core/function-layout.ts.
#pragma once

#include <vector>
#include "border.h"
#include "function-buffer.h"

namespace vct {

struct ModuleOutput {
  Int32Array instructions;
  Int32Array operands;
  Int32Array blocks;
  Int32Array functions;
  bool isGrowing = false;
  Words ownInstructions;
  Words ownOperands;
  Words ownBlocks;
  int32_t instructionCount = 0;
  int32_t operandCount = 0;
  int32_t blockCount = 0;
  bool isOverflow = false;
};

struct LayoutScratch {
  Words phis;
  Words phiBlocks;
  Words firstOfVariable;
  Words sortedPhis;
  std::vector<int32_t> regionOfNode;
  int32_t bodyRegion = NONE;
  int32_t rowCount = 0;
  int32_t operandCount = 0;
};

inline int32_t finalValue(FunctionBuffer& buffer, int32_t value) {
  const int32_t end = resolve(buffer, value);
  return end < 0 ? end : getRow(buffer, end, BufferRow::final);
}

void writeFunction(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t id,
                   int32_t parameterCount, int32_t variableCount);

}  // namespace vct
