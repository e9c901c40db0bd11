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
  Words finalRow;
  Words finalBlock;
  Words phis;
  Words phiBlocks;
  Words firstOfVariable;
  Words sortedPhis;
  Words firstSorted;
  Words sortedCount;
  Words sortedEdges;
  std::vector<int32_t> regionOfNode;
  int32_t bodyRegion = NONE;
  int32_t rowCount = 0;
  int32_t operandCount = 0;
};

void writeFunction(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t id,
                   int32_t parameterCount, int32_t variableCount);

}  // namespace vct
