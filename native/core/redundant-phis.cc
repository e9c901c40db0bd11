// Twin of src/core/redundant-phis.ts, which explains the algorithm.

#include "redundant-phis.h"
#include <algorithm>
#include "dominators.h"

namespace vct {

static int32_t collectPhiNodes(FunctionBuffer& buffer, SsaState& state, RedundantPhis& graph) {
  graph.values.length = 0;
  graph.edges.length = 0;
  graph.values.push(NONE);
  graph.nodeOfRow.length = 0;
  graph.nodeOfRow.resize(buffer.rowCount, NONE);
  for (int32_t row = 0; row < state.phiBlock.length; row++) {
    if (state.phiBlock.data[row] == NONE || getRow(buffer, row, BufferRow::forward) != NONE) continue;
    graph.nodeOfRow.data[row] = graph.values.push(row);
  }
  return graph.values.length;
}

static int32_t nodeOf(RedundantPhis& graph, int32_t value) {
  Words& list = value < 0 ? graph.nodeOfConstant : graph.nodeOfRow;
  const int32_t index = value < 0 ? -2 - value : value;
  list.resize(std::max(list.length, index + 1), NONE);
  const int32_t known = list.data[index];
  if (known != NONE) return known;
  const int32_t node = graph.values.push(value);
  list.data[index] = node;
  graph.edges.push(0);
  graph.edges.push(node);
  return node;
}

static void collectEdges(FunctionBuffer& buffer, RedundantPhis& graph, int32_t phiEnd) {
  for (int32_t node = 1; node < phiEnd; node++) {
    const int32_t phi = graph.values.data[node];
    const int32_t start = getRow(buffer, phi, BufferRow::operandStart);
    const int32_t count = getRow(buffer, phi, BufferRow::operandCount);
    for (int32_t index = 0; index < count; index++) {
      const int32_t value = resolve(buffer, buffer.operands.data[start + index]);
      if (value == phi) continue;
      const int32_t from = nodeOf(graph, value);
      graph.edges.push(from);
      graph.edges.push(node);
    }
  }
}

static void forgetConstants(RedundantPhis& graph, int32_t phiEnd) {
  for (int32_t node = phiEnd; node < graph.values.length; node++) {
    const int32_t value = graph.values.data[node];
    if (value < 0) graph.nodeOfConstant.data[-2 - value] = NONE;
  }
}

static Graph buildValueGraph(RedundantPhis& graph) {
  const int32_t nodeCount = graph.values.length;
  const int32_t edgeCount = graph.edges.length / 2;
  Graph result = makeGraph(nodeCount, edgeCount);
  result.blockCount = nodeCount;
  for (int32_t edge = 0; edge < edgeCount; edge++) result.successorStart[graph.edges.data[2 * edge] + 1]++;
  for (int32_t node = 0; node < nodeCount; node++) {
    result.successorStart[node + 1] += result.successorStart[node];
    result.cursor[node] = result.successorStart[node];
  }
  for (int32_t edge = 0; edge < edgeCount; edge++) {
    const int32_t from = graph.edges.data[2 * edge];
    result.successors[result.cursor[from]++] = graph.edges.data[2 * edge + 1];
  }
  finishGraph(result);
  return result;
}

static void findTops(RedundantPhis& graph, const Dominators& dominators, int32_t reachableCount) {
  graph.tops.length = 0;
  graph.tops.resize(graph.values.length, NONE);
  for (int32_t place = 1; place < reachableCount; place++) {
    const int32_t node = dominators.treeOrder[place];
    const int32_t above = dominators.immediate[node];
    graph.tops.data[node] = above == 0 ? node : graph.tops.data[above];
  }
}

void removeRedundantPhis(FunctionBuffer& buffer, SsaState& state, RedundantPhis& graph) {
  const int32_t phiEnd = collectPhiNodes(buffer, state, graph);
  collectEdges(buffer, graph, phiEnd);
  forgetConstants(graph, phiEnd);
  const Graph valueGraph = buildValueGraph(graph);
  Dominators dominators = makeDominators(graph.values.length);
  computeDominators(dominators, valueGraph);
  findTops(graph, dominators, valueGraph.reachableCount);
  for (int32_t node = 1; node < phiEnd; node++) {
    const int32_t top = graph.tops.data[node];
    if (top == node) continue;
    const int32_t phi = graph.values.data[node];
    const int32_t variable = getRow(buffer, phi, BufferRow::aux);
    setRow(buffer, phi, BufferRow::forward, top == NONE ? state.variableUndef.data[variable] : graph.values.data[top]);
  }
}

}  // namespace vct
