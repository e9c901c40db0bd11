// Twin of src/core/function-buffer.ts, which explains the algorithm.

#include "function-buffer.h"
#include <algorithm>
#include "dominator-growth.h"

namespace vct {

void clearBuffer(FunctionBuffer& buffer) {
  buffer.rows.length = 0;
  buffer.operands.length = 0;
  buffer.blocks.length = 0;
  buffer.edges.length = 0;
  buffer.startedBlocks.length = 0;
  buffer.rowCount = 0;
  buffer.blockCount = 0;
  buffer.edgeCount = 0;
  buffer.current = NONE;
  buffer.clock = 0;
  buffer.loop = NONE;
}

int32_t newBlock(FunctionBuffer& buffer, int32_t name, int32_t node, int32_t position) {
  const int32_t at = buffer.blocks.extend(BufferBlock::stride);
  int32_t* const block = buffer.blocks.data + at;
  std::fill_n(block, BufferBlock::stride, NONE);
  block[BufferBlock::name] = name;
  block[BufferBlock::position] = position;
  block[BufferBlock::node] = node;
  block[BufferBlock::sealed] = 0;
  block[BufferBlock::predecessorCount] = 0;
  block[BufferBlock::depth] = 0;
  block[BufferBlock::endTime] = STILL_OPEN;
  return buffer.blockCount++;
}

void startBlock(FunctionBuffer& buffer, int32_t block) {
  setBlock(buffer, block, BufferBlock::firstRow, buffer.rowCount);
  setBlock(buffer, block, BufferBlock::startTime, ++buffer.clock);
  setBlock(buffer, block, BufferBlock::loop, buffer.loop);
  buffer.startedBlocks.push(block);
  buffer.current = block;
  placeBlock(buffer, block);
}

void endBlock(FunctionBuffer& buffer) {
  setBlock(buffer, buffer.current, BufferBlock::endRow, buffer.rowCount);
  setBlock(buffer, buffer.current, BufferBlock::endTime, ++buffer.clock);
  buffer.current = NONE;
}

void addEdge(FunctionBuffer& buffer, int32_t target) {
  const int32_t from = buffer.current;
  const int32_t lastIn = getBlock(buffer, target, BufferBlock::lastIn);
  if (lastIn != NONE && getEdge(buffer, lastIn, BufferEdge::from) == from) return;
  const int32_t index = getBlock(buffer, target, BufferBlock::predecessorCount);
  const int32_t at = buffer.edges.extend(BufferEdge::stride);
  int32_t* const row = buffer.edges.data + at;
  row[BufferEdge::from] = from;
  row[BufferEdge::nextIn] = NONE;
  const int32_t edge = buffer.edgeCount++;
  setBlock(buffer, target, BufferBlock::predecessorCount, index + 1);
  if (lastIn == NONE)
    setBlock(buffer, target, BufferBlock::firstIn, edge);
  else
    setEdge(buffer, lastIn, BufferEdge::nextIn, edge);
  setBlock(buffer, target, BufferBlock::lastIn, edge);
}

int32_t newPhi(FunctionBuffer& buffer, int32_t block, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node) {
  const int32_t phi = newRow(buffer, Opcode::phi, type, aux, name, position, traits, node);
  appendPhi(buffer, block, phi);
  return phi;
}

void appendPhi(FunctionBuffer& buffer, int32_t block, int32_t phi) {
  if (getBlock(buffer, block, BufferBlock::firstPhi) == NONE)
    setBlock(buffer, block, BufferBlock::firstPhi, phi);
  else
    setRow(buffer, getBlock(buffer, block, BufferBlock::lastPhi), BufferRow::nextPhi, phi);
  setRow(buffer, phi, BufferRow::nextPhi, NONE);
  setBlock(buffer, block, BufferBlock::lastPhi, phi);
}

}  // namespace vct
