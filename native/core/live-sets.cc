// Twin of src/core/live-sets.ts, which explains the algorithm.

#include "live-sets.h"
#include <algorithm>
#include <new>
#include "analyse-graph.h"
#include "dominators.h"

namespace vct {

static constexpr int32_t MAXIMUM_LENGTH = INT32_MAX;

struct Sets {
  std::vector<int32_t> start;
  std::vector<int32_t> newest;
  std::vector<int32_t> cursor;
  int32_t total = 0;
};

struct Walk {
  Sets liveIn;
  Sets liveOut;
  std::vector<int32_t>& stack;
};

static int32_t blockOfUse(int32_t use);

static bool validateValues(const Int32Array* inputs, int32_t* header) {
  const Int32Array& definitions = inputs[3];
  const Int32Array& useStart = inputs[4];
  const Int32Array& uses = inputs[5];
  const int32_t blockCount = inputs[0].length - 1;
  const int32_t valueCount = definitions.length;
  if (useStart.length - 1 != valueCount) {
    reportFault(header, CoreFaultNumber::rowCount, 4);
    return false;
  }
  if (useStart[0] != 0 || useStart[valueCount] != uses.length) {
    reportFault(header, CoreFaultNumber::shape, 4, useStart[0] != 0 ? 0 : valueCount);
    return false;
  }
  for (int32_t value = 0; value < valueCount; value++) {
    if (useStart[value] > useStart[value + 1]) {
      reportFault(header, CoreFaultNumber::shape, 4, value);
      return false;
    }
    const int32_t definition = definitions[value];
    if (definition < NONE || definition >= blockCount) {
      reportFault(header, CoreFaultNumber::index, 3, value);
      return false;
    }
  }
  for (int32_t use = 0; use < uses.length; use++) {
    if (blockOfUse(uses[use]) >= blockCount) {
      reportFault(header, CoreFaultNumber::index, 5, use);
      return false;
    }
  }
  return true;
}

static int32_t blockOfUse(int32_t use) {
  return use < 0 ? -1 - use : use;
}

static bool validateDominance(const Graph& graph, const Dominators& dominators, const Int32Array* inputs,
                              int32_t* header) {
  const Int32Array& definitions = inputs[3];
  const Int32Array& useStart = inputs[4];
  const Int32Array& uses = inputs[5];
  for (int32_t value = 0; value < definitions.length; value++) {
    const int32_t definition = definitions[value];
    const int32_t end = useStart[value + 1];
    for (int32_t use = useStart[value]; use < end; use++) {
      const int32_t block = blockOfUse(uses[use]);
      if (!isReachable(graph, block)) continue;
      if (definition == NONE || !dominates(dominators, definition, block)) {
        reportFault(header, CoreFaultNumber::shape, 5, use);
        return false;
      }
    }
  }
  return true;
}

static Sets makeSets(int32_t blockCount) {
  Sets sets;
  sets.start.resize(static_cast<size_t>(blockCount) + 1);
  sets.newest.assign(static_cast<size_t>(blockCount), NONE);
  sets.cursor.resize(static_cast<size_t>(blockCount));
  return sets;
}

static bool addLive(Sets& sets, int32_t value, int32_t block, int32_t* values) {
  if (sets.newest[block] == value) return false;
  sets.newest[block] = value;
  if (values == nullptr) {
    sets.start[block + 1]++;
    if (sets.total == MAXIMUM_LENGTH) throw std::bad_alloc();
    sets.total++;
  } else {
    values[sets.cursor[block]] = value;
    sets.cursor[block]++;
  }
  return true;
}

static void placeSets(Sets& sets) {
  for (size_t block = 0; block < sets.cursor.size(); block++) {
    sets.start[block + 1] += sets.start[block];
    sets.cursor[block] = sets.start[block];
  }
  std::fill(sets.newest.begin(), sets.newest.end(), NONE);
}

static void eachRange(Walk& walk, const Graph& graph, const Int32Array* inputs, int32_t* liveIn,
                      int32_t* liveOut) {
  const Int32Array& definitions = inputs[3];
  const Int32Array& useStart = inputs[4];
  const Int32Array& uses = inputs[5];
  auto& stack = walk.stack;
  for (int32_t value = 0; value < definitions.length; value++) {
    const int32_t definition = definitions[value];
    const int32_t end = useStart[value + 1];
    for (int32_t index = useStart[value]; index < end; index++) {
      const int32_t use = uses[index];
      const int32_t block = blockOfUse(use);
      if (!isReachable(graph, block)) continue;
      if (use < 0) addLive(walk.liveOut, value, block, liveOut);
      int32_t depth = 0;
      if (block != definition && addLive(walk.liveIn, value, block, liveIn)) stack[depth++] = block;
      while (depth > 0) {
        const int32_t current = stack[--depth];
        const int32_t edgeEnd = graph.predecessorStart[current + 1];
        for (int32_t edge = graph.predecessorStart[current]; edge < edgeEnd; edge++) {
          const int32_t predecessor = graph.predecessors[edge];
          if (!isReachable(graph, predecessor)) continue;
          addLive(walk.liveOut, value, predecessor, liveOut);
          if (predecessor != definition && addLive(walk.liveIn, value, predecessor, liveIn))
            stack[depth++] = predecessor;
        }
      }
    }
  }
}

void liveSets(const Int32Array* inputs, const Int32Array* outputs, int32_t* header) {
  if (!validateGraph(inputs, header) || !validateValues(inputs, header)) return;
  Graph graph = readGraph(inputs[0], inputs[1], inputs[2][0]);
  const int32_t blockCount = graph.blockCount;
  Dominators dominators = makeDominators(blockCount);
  computeDominators(dominators, graph);
  if (!validateDominance(graph, dominators, inputs, header)) return;
  Walk walk{makeSets(blockCount), makeSets(blockCount), dominators.stack};
  // Data that is not null tells writing from counting, also where there is nothing to write.
  int32_t nothing = 0;
  eachRange(walk, graph, inputs, nullptr, nullptr);
  const int32_t sizes[liveOutputCount] = {blockCount + 1, walk.liveIn.total, blockCount + 1, walk.liveOut.total};
  bool fits = true;
  for (int32_t output = 0; output < liveOutputCount; output++) {
    header[CoreHeader::firstSize + output] = sizes[output];
    if (outputs[output].length < sizes[output]) fits = false;
  }
  header[CoreHeader::status] = fits ? CoreStatus::ok : CoreStatus::capacity;
  if (!fits) return;
  placeSets(walk.liveIn);
  placeSets(walk.liveOut);
  eachRange(walk, graph, inputs, walk.liveIn.total == 0 ? &nothing : outputs[1].data,
            walk.liveOut.total == 0 ? &nothing : outputs[3].data);
  std::copy_n(walk.liveIn.start.begin(), blockCount + 1, outputs[0].data);
  std::copy_n(walk.liveOut.start.begin(), blockCount + 1, outputs[2].data);
}

}  // namespace vct
