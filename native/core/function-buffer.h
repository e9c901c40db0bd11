// Twin of src/core/function-buffer.ts.
#pragma once

#include "../generated/layout.h"
#include "words.h"

namespace vct {

namespace BufferRow {
constexpr int32_t opcode = 0;
constexpr int32_t type = 1;
constexpr int32_t operandStart = 2;
constexpr int32_t operandCount = 3;
constexpr int32_t aux = 4;
constexpr int32_t name = 5;
constexpr int32_t position = 6;
constexpr int32_t traits = 7;
constexpr int32_t node = 8;
constexpr int32_t forward = 9;
constexpr int32_t nextPhi = 10;
constexpr int32_t final = 11;
constexpr int32_t stride = 12;
}  // namespace BufferRow

namespace BufferBlock {
constexpr int32_t firstRow = 0;
constexpr int32_t endRow = 1;
constexpr int32_t name = 2;
constexpr int32_t position = 3;
constexpr int32_t node = 4;
constexpr int32_t sealed = 5;
constexpr int32_t predecessorCount = 6;
constexpr int32_t firstIn = 7;
constexpr int32_t lastIn = 8;
constexpr int32_t firstPhi = 9;
constexpr int32_t lastPhi = 10;
constexpr int32_t dominator = 11;
constexpr int32_t depth = 12;
constexpr int32_t jump = 13;
constexpr int32_t startTime = 14;
constexpr int32_t endTime = 15;
constexpr int32_t loop = 16;
constexpr int32_t final = 17;
constexpr int32_t stride = 18;
}  // namespace BufferBlock

namespace BufferEdge {
constexpr int32_t from = 0;
constexpr int32_t nextIn = 1;
constexpr int32_t stride = 2;
}  // namespace BufferEdge

struct FunctionBuffer {
  Words rows;
  Words operands;
  Words blocks;
  Words edges;
  Words startedBlocks;
  int32_t rowCount = 0;
  int32_t blockCount = 0;
  int32_t edgeCount = 0;
  int32_t current = NONE;
  int32_t clock = 0;
  int32_t loop = NONE;
};

inline int32_t getRow(const FunctionBuffer& buffer, int32_t row, int32_t column) {
  return buffer.rows.data[row * BufferRow::stride + column];
}

inline void setRow(FunctionBuffer& buffer, int32_t row, int32_t column, int32_t value) {
  buffer.rows.data[row * BufferRow::stride + column] = value;
}

inline int32_t getBlock(const FunctionBuffer& buffer, int32_t block, int32_t column) {
  return buffer.blocks.data[block * BufferBlock::stride + column];
}

inline void setBlock(FunctionBuffer& buffer, int32_t block, int32_t column, int32_t value) {
  buffer.blocks.data[block * BufferBlock::stride + column] = value;
}

inline int32_t getEdge(const FunctionBuffer& buffer, int32_t edge, int32_t column) {
  return buffer.edges.data[edge * BufferEdge::stride + column];
}

inline void setEdge(FunctionBuffer& buffer, int32_t edge, int32_t column, int32_t value) {
  buffer.edges.data[edge * BufferEdge::stride + column] = value;
}

void clearBuffer(FunctionBuffer& buffer);
int32_t newBlock(FunctionBuffer& buffer, int32_t name, int32_t node, int32_t position);
void startBlock(FunctionBuffer& buffer, int32_t block);

inline int32_t newRow(FunctionBuffer& buffer, int32_t opcode, int32_t type, int32_t aux, int32_t name,
                      int32_t position, int32_t traits, int32_t node) {
  const int32_t at = buffer.rows.extend(BufferRow::stride);
  int32_t* const row = buffer.rows.data + at;
  row[BufferRow::opcode] = opcode;
  row[BufferRow::type] = type;
  row[BufferRow::operandStart] = buffer.operands.length;
  row[BufferRow::operandCount] = 0;
  row[BufferRow::aux] = aux;
  row[BufferRow::name] = name;
  row[BufferRow::position] = position;
  row[BufferRow::traits] = traits;
  row[BufferRow::node] = node;
  row[BufferRow::forward] = NONE;
  row[BufferRow::nextPhi] = NONE;
  row[BufferRow::final] = NONE;
  return buffer.rowCount++;
}

inline void addOperand(FunctionBuffer& buffer, int32_t row, int32_t operand) {
  buffer.operands.push(operand);
  setRow(buffer, row, BufferRow::operandCount, getRow(buffer, row, BufferRow::operandCount) + 1);
}

void endBlock(FunctionBuffer& buffer);
void addEdge(FunctionBuffer& buffer, int32_t target);
int32_t newPhi(FunctionBuffer& buffer, int32_t block, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node);
void appendPhi(FunctionBuffer& buffer, int32_t block, int32_t phi);

inline int32_t resolve(FunctionBuffer& buffer, int32_t value) {
  if (value < 0 || getRow(buffer, value, BufferRow::forward) == NONE) return value;
  int32_t end = value;
  while (end >= 0 && getRow(buffer, end, BufferRow::forward) != NONE)
    end = getRow(buffer, end, BufferRow::forward);
  int32_t passed = value;
  while (passed != end) {
    const int32_t next = getRow(buffer, passed, BufferRow::forward);
    setRow(buffer, passed, BufferRow::forward, end);
    passed = next;
  }
  return end;
}

}  // namespace vct
