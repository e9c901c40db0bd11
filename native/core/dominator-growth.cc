// Twin of src/core/dominator-growth.ts, which explains the algorithm.

#include "dominator-growth.h"

namespace vct {

int32_t commonDominator(FunctionBuffer& buffer, int32_t left, int32_t right) {
  const int32_t* depth = buffer.blockDepth.data;
  const int32_t* jump = buffer.blockJump.data;
  const int32_t* dominator = buffer.blockDominator.data;
  while (depth[left] > depth[right]) {
    const int32_t next = jump[left];
    left = depth[next] >= depth[right] ? next : dominator[left];
  }
  while (depth[right] > depth[left]) {
    const int32_t next = jump[right];
    right = depth[next] >= depth[left] ? next : dominator[right];
  }
  while (left != right) {
    if (dominator[left] == NONE) return NONE;
    if (jump[left] != jump[right]) {
      left = jump[left];
      right = jump[right];
    } else {
      left = dominator[left];
      right = dominator[right];
    }
  }
  return left;
}

void placeBlock(FunctionBuffer& buffer, int32_t block) {
  int32_t edge = buffer.blockFirstIn.data[block];
  int32_t dominator = edge == NONE ? NONE : buffer.edgeFrom.data[edge];
  while (edge != NONE && dominator != NONE) {
    dominator = commonDominator(buffer, dominator, buffer.edgeFrom.data[edge]);
    edge = buffer.edgeNextIn.data[edge];
  }
  buffer.blockDominator.data[block] = dominator;
  if (dominator == NONE) {
    buffer.blockDepth.data[block] = 0;
    buffer.blockJump.data[block] = block;
    return;
  }
  int32_t* depth = buffer.blockDepth.data;
  int32_t* jump = buffer.blockJump.data;
  const int32_t first = jump[dominator];
  const int32_t second = jump[first];
  const bool isEven = depth[dominator] - depth[first] == depth[first] - depth[second];
  depth[block] = depth[dominator] + 1;
  jump[block] = isEven ? second : dominator;
}

int32_t highestOpenAt(FunctionBuffer& buffer, int32_t block, int32_t time) {
  const int32_t* end = buffer.blockEndTime.data;
  const int32_t* jump = buffer.blockJump.data;
  const int32_t* dominator = buffer.blockDominator.data;
  int32_t current = block;
  for (;;) {
    const int32_t far = jump[current];
    if (far != current && end[far] >= time) {
      current = far;
      continue;
    }
    const int32_t near = dominator[current];
    if (near == NONE || end[near] < time) return current;
    current = near;
  }
}

}  // namespace vct
