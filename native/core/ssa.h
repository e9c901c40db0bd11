// Twin of src/core/ssa.ts.
#pragma once

#include <vector>
#include "function-buffer.h"
#include "write-lists.h"

namespace vct {

namespace MapEntry {
constexpr int32_t stamp = 0;
constexpr int32_t block = 1;
constexpr int32_t variable = 2;
constexpr int32_t value = 3;
constexpr int32_t stride = 4;
}  // namespace MapEntry

struct SsaState {
  Words variableType;
  Words variableName;
  Words variablePosition;
  Words variableTraits;
  Words variableNode;
  Words variableUndef;
  std::vector<int32_t> map = std::vector<int32_t>(64 * MapEntry::stride);
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
  WriteLists writes;
  bool isGeneral = false;
  bool isRemovalLate = false;
};

void clearSsa(SsaState& state);
void writeVariable(FunctionBuffer& buffer, SsaState& state, int32_t variable, int32_t value);
int32_t readVariable(FunctionBuffer& buffer, SsaState& state, int32_t variable);
void sealBlock(FunctionBuffer& buffer, SsaState& state, int32_t block);

}  // namespace vct
