// Twin of src/core/ssa.ts.
#pragma once

#include <vector>
#include "function-buffer.h"

namespace vct {

struct SsaState {
  Words variableType;
  Words variableName;
  Words variablePosition;
  Words variableTraits;
  Words variableNode;
  Words variableUndef;
  std::vector<int32_t> mapStamp = std::vector<int32_t>(64);
  std::vector<int32_t> mapBlock = std::vector<int32_t>(64);
  std::vector<int32_t> mapVariable = std::vector<int32_t>(64);
  std::vector<int32_t> mapValue = std::vector<int32_t>(64);
  int32_t mapCount = 0;
  int32_t stamp = 0;
  Words pendingPhis;
  Words firstUser;
  Words lastUser;
  Words userPhi;
  Words userNext;
  Words suspects;
  Words phiBlock;
  Words nextIncomplete;
  Words firstIncomplete;
};

void clearSsa(SsaState& state);
void writeVariable(SsaState& state, int32_t block, int32_t variable, int32_t value);
int32_t readVariable(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable);
void sealBlock(FunctionBuffer& buffer, SsaState& state, int32_t block);

}  // namespace vct
