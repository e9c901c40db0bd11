// Twin of src/core/function-buffer.ts.
#pragma once

#include "../generated/layout.h"
#include "words.h"

namespace vct {

struct FunctionBuffer {
  Words rowOpcode;
  Words rowType;
  Words rowOperandStart;
  Words rowOperandCount;
  Words rowAux;
  Words rowName;
  Words rowPosition;
  Words rowTraits;
  Words rowNode;
  Words rowForward;
  Words rowNextPhi;
  Words operands;
  Words blockFirstRow;
  Words blockEndRow;
  Words blockName;
  Words blockPosition;
  Words blockNode;
  Words blockSealed;
  Words blockPredecessorCount;
  Words blockFirstIn;
  Words blockLastIn;
  Words blockFirstOut;
  Words blockLastOut;
  Words blockFirstPhi;
  Words blockLastPhi;
  Words blockDominator;
  Words blockDepth;
  Words blockJump;
  Words blockStartTime;
  Words blockEndTime;
  Words blockLoop;
  Words startedBlocks;
  Words edgeFrom;
  Words edgeTo;
  Words edgeIndex;
  Words edgeNextIn;
  Words edgeNextOut;
  int32_t current = NONE;
  int32_t clock = 0;
  int32_t loop = NONE;
};

void clearBuffer(FunctionBuffer& buffer);
int32_t newBlock(FunctionBuffer& buffer, int32_t name, int32_t node, int32_t position);
void startBlock(FunctionBuffer& buffer, int32_t block);
int32_t newRow(FunctionBuffer& buffer, int32_t opcode, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node);
void addOperand(FunctionBuffer& buffer, int32_t row, int32_t operand);
void endBlock(FunctionBuffer& buffer);
void addEdge(FunctionBuffer& buffer, int32_t target);
int32_t newPhi(FunctionBuffer& buffer, int32_t block, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node);
void appendPhi(FunctionBuffer& buffer, int32_t block, int32_t phi);
int32_t resolve(FunctionBuffer& buffer, int32_t value);

}  // namespace vct
