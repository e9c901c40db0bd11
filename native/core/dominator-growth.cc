// Twin of src/core/dominator-growth.ts, which explains the algorithm.

#include "dominator-growth.h"

namespace vct {

static int32_t depthOf(const FunctionBuffer& buffer, int32_t block) {
  return getBlock(buffer, block, BufferBlock::depth);
}

static int32_t jumpOf(const FunctionBuffer& buffer, int32_t block) {
  return getBlock(buffer, block, BufferBlock::jump);
}

static int32_t dominatorOf(const FunctionBuffer& buffer, int32_t block) {
  return getBlock(buffer, block, BufferBlock::dominator);
}

int32_t commonDominator(FunctionBuffer& buffer, int32_t left, int32_t right) {
  while (depthOf(buffer, left) > depthOf(buffer, right)) {
    const int32_t next = jumpOf(buffer, left);
    left = depthOf(buffer, next) >= depthOf(buffer, right) ? next : dominatorOf(buffer, left);
  }
  while (depthOf(buffer, right) > depthOf(buffer, left)) {
    const int32_t next = jumpOf(buffer, right);
    right = depthOf(buffer, next) >= depthOf(buffer, left) ? next : dominatorOf(buffer, right);
  }
  while (left != right) {
    if (dominatorOf(buffer, left) == NONE) return NONE;
    const bool isFar = jumpOf(buffer, left) != jumpOf(buffer, right);
    left = isFar ? jumpOf(buffer, left) : dominatorOf(buffer, left);
    right = isFar ? jumpOf(buffer, right) : dominatorOf(buffer, right);
  }
  return left;
}

void placeBlock(FunctionBuffer& buffer, int32_t block) {
  int32_t edge = getBlock(buffer, block, BufferBlock::firstIn);
  int32_t dominator = edge == NONE ? NONE : getEdge(buffer, edge, BufferEdge::from);
  while (edge != NONE && dominator != NONE) {
    dominator = commonDominator(buffer, dominator, getEdge(buffer, edge, BufferEdge::from));
    edge = getEdge(buffer, edge, BufferEdge::nextIn);
  }
  setBlock(buffer, block, BufferBlock::dominator, dominator);
  if (dominator == NONE) {
    setBlock(buffer, block, BufferBlock::depth, 0);
    setBlock(buffer, block, BufferBlock::jump, block);
    return;
  }
  const int32_t first = jumpOf(buffer, dominator);
  const int32_t second = jumpOf(buffer, first);
  const int32_t near = depthOf(buffer, dominator) - depthOf(buffer, first);
  const int32_t far = depthOf(buffer, first) - depthOf(buffer, second);
  setBlock(buffer, block, BufferBlock::depth, depthOf(buffer, dominator) + 1);
  setBlock(buffer, block, BufferBlock::jump, near == far ? second : dominator);
}

int32_t highestOpenAt(FunctionBuffer& buffer, int32_t block, int32_t time) {
  int32_t current = block;
  for (;;) {
    const int32_t far = jumpOf(buffer, current);
    if (far != current && getBlock(buffer, far, BufferBlock::endTime) >= time) {
      current = far;
      continue;
    }
    const int32_t near = dominatorOf(buffer, current);
    if (near == NONE || getBlock(buffer, near, BufferBlock::endTime) < time) return current;
    current = near;
  }
}

}  // namespace vct
