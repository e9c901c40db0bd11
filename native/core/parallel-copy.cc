// Twin of src/core/parallel-copy.ts, which explains the algorithm.

#include "parallel-copy.h"

namespace vct {

ParallelCopy makeParallelCopy(int32_t variableCapacity, int32_t copyCapacity) {
  size_t twice = 2 * static_cast<size_t>(copyCapacity);
  ParallelCopy copy;
  copy.destination.resize(copyCapacity);
  copy.source.resize(copyCapacity);
  copy.moveDestination.resize(twice);
  copy.moveSource.resize(twice);
  copy.location.resize(variableCapacity, NONE);
  copy.wanted.resize(variableCapacity, NONE);
  copy.ready.resize(twice);
  return copy;
}

static void runReady(ParallelCopy& copy, int32_t readyCount);
static void addMove(ParallelCopy& copy, int32_t destination, int32_t source);

void sequentialize(ParallelCopy& copy, int32_t count) {
  auto& destination = copy.destination;
  auto& source = copy.source;
  auto& location = copy.location;
  auto& wanted = copy.wanted;
  auto& ready = copy.ready;
  copy.moveCount = 0;
  for (int32_t index = 0; index < count; index++) {
    if (destination[index] == source[index]) continue;
    location[source[index]] = source[index];
    wanted[destination[index]] = source[index];
  }
  int32_t readyCount = 0;
  for (int32_t index = count - 1; index >= 0; index--) {
    int32_t target = destination[index];
    if (target != source[index] && location[target] == NONE) ready[readyCount++] = target;
  }
  runReady(copy, readyCount);
  for (int32_t index = 0; index < count; index++) {
    int32_t target = destination[index];
    if (wanted[target] == NONE) continue;
    addMove(copy, -1 - target, target);
    location[target] = -1 - target;
    ready[0] = target;
    runReady(copy, 1);
  }
  for (int32_t index = 0; index < count; index++) location[source[index]] = NONE;
}

static void runReady(ParallelCopy& copy, int32_t readyCount) {
  auto& location = copy.location;
  auto& wanted = copy.wanted;
  auto& ready = copy.ready;
  while (readyCount > 0) {
    int32_t target = ready[--readyCount];
    int32_t origin = wanted[target];
    int32_t place = location[origin];
    addMove(copy, target, place);
    wanted[target] = NONE;
    if (place == origin && wanted[origin] != NONE) {
      location[origin] = target;
      ready[readyCount++] = origin;
    }
  }
}

static void addMove(ParallelCopy& copy, int32_t destination, int32_t source) {
  copy.moveDestination[copy.moveCount] = destination;
  copy.moveSource[copy.moveCount++] = source;
}

}  // namespace vct
