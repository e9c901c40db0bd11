// Twin of src/core/frontiers.ts, which explains the algorithm.

#include "frontiers.h"
#include <algorithm>

namespace vct {

int32_t countFrontiers(const Graph& graph, const Dominators& dominators, int32_t* start,
                       std::vector<int32_t>& seen) {
  std::fill_n(start, graph.blockCount + 1, 0);
  std::fill_n(seen.begin(), graph.blockCount, NONE);
  int64_t total = 0;
  for (int32_t block = 0; block < graph.blockCount; block++) {
    if (!isReachable(graph, block)) continue;
    const int32_t stop = dominators.immediate[block];
    const int32_t end = graph.predecessorStart[block + 1];
    for (int32_t edge = graph.predecessorStart[block]; edge < end; edge++) {
      int32_t above = graph.predecessors[edge];
      if (!isReachable(graph, above)) continue;
      while (above != stop && above != NONE && seen[above] != block) {
        seen[above] = block;
        start[above + 1]++;
        if (++total > INT32_MAX) throw std::bad_alloc();
        above = dominators.immediate[above];
      }
    }
  }
  return static_cast<int32_t>(total);
}

void writeFrontiers(Graph& graph, const Dominators& dominators, int32_t* start, int32_t* frontiers,
                    std::vector<int32_t>& seen) {
  auto& cursor = graph.cursor;
  for (int32_t block = 0; block < graph.blockCount; block++) {
    start[block + 1] += start[block];
    cursor[block] = start[block];
  }
  std::fill_n(seen.begin(), graph.blockCount, NONE);
  for (int32_t block = 0; block < graph.blockCount; block++) {
    if (!isReachable(graph, block)) continue;
    const int32_t stop = dominators.immediate[block];
    const int32_t end = graph.predecessorStart[block + 1];
    for (int32_t edge = graph.predecessorStart[block]; edge < end; edge++) {
      int32_t above = graph.predecessors[edge];
      if (!isReachable(graph, above)) continue;
      while (above != stop && above != NONE && seen[above] != block) {
        seen[above] = block;
        frontiers[cursor[above]] = block;
        cursor[above]++;
        above = dominators.immediate[above];
      }
    }
  }
}

}  // namespace vct
