// Twin of src/core/analyse-graph.ts, which explains the algorithm.

#include "analyse-graph.h"
#include <algorithm>
#include "dominators.h"
#include "frontiers.h"
#include "loops.h"

namespace vct {

bool validateGraph(const Int32Array* inputs, int32_t* header) {
  const Int32Array& starts = inputs[0];
  const Int32Array& successors = inputs[1];
  const Int32Array& request = inputs[2];
  const int32_t blockCount = starts.length - 1;
  if (blockCount < 1 || request.length != 2) {
    reportFault(header, CoreFaultNumber::rowCount, blockCount < 1 ? 0 : 2);
    return false;
  }
  if (starts[0] != 0 || starts[blockCount] != successors.length) {
    reportFault(header, CoreFaultNumber::shape, 0, starts[0] != 0 ? 0 : blockCount);
    return false;
  }
  for (int32_t block = 0; block < blockCount; block++) {
    if (starts[block] > starts[block + 1]) {
      reportFault(header, CoreFaultNumber::shape, 0, block);
      return false;
    }
  }
  for (int32_t edge = 0; edge < successors.length; edge++) {
    const int32_t target = successors[edge];
    if (target < 0 || target >= blockCount) {
      reportFault(header, CoreFaultNumber::index, 1, edge);
      return false;
    }
  }
  const int32_t entry = request[0];
  if (entry < 0 || entry >= blockCount) {
    reportFault(header, CoreFaultNumber::index, 2, 0);
    return false;
  }
  return true;
}

Graph readGraph(const Int32Array& starts, const Int32Array& successors, int32_t entry) {
  const int32_t blockCount = starts.length - 1;
  Graph graph = makeGraph(blockCount, successors.length);
  graph.blockCount = blockCount;
  graph.entry = entry;
  std::fill_n(graph.cursor.begin(), blockCount, NONE);
  int32_t edgeCount = 0;
  for (int32_t block = 0; block < blockCount; block++) {
    graph.successorStart[block] = edgeCount;
    const int32_t end = starts[block + 1];
    for (int32_t edge = starts[block]; edge < end; edge++) {
      const int32_t target = successors[edge];
      if (graph.cursor[target] == block) continue;
      graph.cursor[target] = block;
      graph.successors[edgeCount++] = target;
    }
  }
  graph.successorStart[blockCount] = edgeCount;
  finishGraph(graph);
  return graph;
}

static void writeBlockRow(const Int32Array& blocks, const Graph& graph, const Dominators& dominators,
                          const Loops& loops, int32_t block) {
  int32_t* const row = blocks.data + static_cast<size_t>(block) * GRAPH_BLOCK::stride;
  const int32_t header = loops.isHeader[block] == 1 ? LoopFlag::header : 0;
  row[GRAPH_BLOCK::preorder] = graph.preorderIndex[block];
  row[GRAPH_BLOCK::reversePostorder] = graph.reversePostorderIndex[block];
  row[GRAPH_BLOCK::dominator] = dominators.immediate[block];
  row[GRAPH_BLOCK::treeFirst] = dominators.first[block];
  row[GRAPH_BLOCK::treeLast] = dominators.last[block];
  row[GRAPH_BLOCK::loopHeader] = loops.outer[block];
  row[GRAPH_BLOCK::loopDepth] = loops.depth[block];
  row[GRAPH_BLOCK::loopFlags] = header | (loops.isIrreducible[block] == 1 ? LoopFlag::irreducible : 0);
}

void analyseGraph(const Int32Array* inputs, const Int32Array* outputs, int32_t* header) {
  if (!validateGraph(inputs, header)) return;
  const Int32Array& request = inputs[2];
  Graph graph = readGraph(inputs[0], inputs[1], request[0]);
  const int32_t blockCount = graph.blockCount;
  Dominators dominators = makeDominators(blockCount);
  computeDominators(dominators, graph);
  std::vector<int32_t> frontierStart(static_cast<size_t>(blockCount) + 1);
  std::vector<int32_t> seen(static_cast<size_t>(blockCount));
  const int32_t frontierSize =
      request[1] == 1 ? countFrontiers(graph, dominators, frontierStart.data(), seen) : 0;
  const int32_t edgeCount = graph.successorStart[blockCount];
  const int32_t reachable = graph.reachableCount;
  const int64_t sizes[graphOutputCount] = {
      int64_t{blockCount} * GRAPH_BLOCK::stride,
      reachable,
      reachable,
      int64_t{blockCount} + 1,
      edgeCount,
      int64_t{blockCount} + 1,
      frontierSize,
  };
  bool fits = true;
  for (int32_t output = 0; output < graphOutputCount; output++) {
    if (sizes[output] > INT32_MAX) throw std::bad_alloc();
    header[CoreHeader::firstSize + output] = static_cast<int32_t>(sizes[output]);
    if (outputs[output].length < sizes[output]) fits = false;
  }
  header[CoreHeader::status] = fits ? CoreStatus::ok : CoreStatus::capacity;
  if (!fits) return;
  Loops loops = makeLoops(blockCount);
  computeLoops(loops, graph);
  if (frontierSize > 0) writeFrontiers(graph, dominators, frontierStart.data(), outputs[6].data, seen);
  for (int32_t block = 0; block < blockCount; block++)
    writeBlockRow(outputs[0], graph, dominators, loops, block);
  std::copy_n(graph.reversePostorder.begin(), reachable, outputs[1].data);
  std::copy_n(dominators.treeOrder.begin(), reachable, outputs[2].data);
  std::copy_n(graph.predecessorStart.begin(), blockCount + 1, outputs[3].data);
  std::copy_n(graph.predecessors.begin(), edgeCount, outputs[4].data);
  std::copy_n(frontierStart.begin(), blockCount + 1, outputs[5].data);
}

}  // namespace vct
