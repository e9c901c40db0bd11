// Twin of src/core/graph.ts, which explains the algorithm.

#include "graph.h"

namespace vct {

Graph makeGraph(int32_t blockCapacity, int32_t edgeCapacity) {
  Graph graph;
  graph.successorStart.resize(blockCapacity + 1);
  graph.successors.resize(edgeCapacity);
  graph.predecessorStart.resize(blockCapacity + 1);
  graph.predecessors.resize(edgeCapacity);
  graph.preorder.resize(blockCapacity);
  graph.preorderIndex.resize(blockCapacity);
  graph.parent.resize(blockCapacity);
  graph.reversePostorder.resize(blockCapacity);
  graph.reversePostorderIndex.resize(blockCapacity);
  graph.stack.resize(blockCapacity);
  graph.cursor.resize(blockCapacity);
  return graph;
}

static int32_t collectSuccessors(Graph& graph, const VirTables& tables, const FunctionRows& rows,
                                 int32_t block, int32_t edgeCount);
static void collectPredecessors(Graph& graph);
static void walkGraph(Graph& graph);

void buildGraph(Graph& graph, const VirTables& tables, const FunctionRows& rows) {
  graph.blockCount = rows.blockCount;
  std::fill_n(graph.cursor.begin(), rows.blockCount, NONE);
  int32_t edgeCount = 0;
  for (int32_t block = 0; block < rows.blockCount; block++) {
    graph.successorStart[block] = edgeCount;
    edgeCount = collectSuccessors(graph, tables, rows, block, edgeCount);
  }
  graph.successorStart[rows.blockCount] = edgeCount;
  finishGraph(graph);
}

static int32_t collectSuccessors(Graph& graph, const VirTables& tables, const FunctionRows& rows,
                                 int32_t block, int32_t edgeCount) {
  int32_t last = blockColumn(tables, rows, block, VIR_BLOCK::firstInstruction) +
                 blockColumn(tables, rows, block, VIR_BLOCK::instructionCount) - 1;
  int32_t opcode = instructionOpcode(tables, rows, last);
  if (opcode == Opcode::ret || opcode == Opcode::unreachable) return edgeCount;
  int32_t start = operandsOf(tables, rows, last);
  int32_t count = instructionColumn(tables, rows, last, VIR_INSTRUCTION::operandCount);
  int32_t step = opcode == Opcode::switch_ ? 2 : 1;
  for (int32_t index = opcode == Opcode::br ? 0 : 1; index < count; index += step) {
    int32_t target = tables.operands[start + index];
    if (graph.cursor[target] == block) continue;
    graph.cursor[target] = block;
    graph.successors[edgeCount++] = target;
  }
  return edgeCount;
}

void finishGraph(Graph& graph) {
  collectPredecessors(graph);
  walkGraph(graph);
}

static void collectPredecessors(Graph& graph) {
  int32_t blockCount = graph.blockCount;
  auto& successorStart = graph.successorStart;
  auto& successors = graph.successors;
  auto& predecessorStart = graph.predecessorStart;
  auto& predecessors = graph.predecessors;
  auto& cursor = graph.cursor;
  int32_t edgeCount = successorStart[blockCount];
  std::fill_n(predecessorStart.begin(), blockCount + 1, 0);
  for (int32_t edge = 0; edge < edgeCount; edge++) predecessorStart[successors[edge] + 1]++;
  for (int32_t block = 0; block < blockCount; block++) {
    predecessorStart[block + 1] += predecessorStart[block];
    cursor[block] = predecessorStart[block];
  }
  for (int32_t block = 0; block < blockCount; block++) {
    int32_t end = successorStart[block + 1];
    for (int32_t edge = successorStart[block]; edge < end; edge++) {
      int32_t successor = successors[edge];
      predecessors[cursor[successor]] = block;
      cursor[successor]++;
    }
  }
}

static void walkGraph(Graph& graph) {
  int32_t blockCount = graph.blockCount;
  auto& successorStart = graph.successorStart;
  auto& preorder = graph.preorder;
  auto& preorderIndex = graph.preorderIndex;
  auto& reversePostorder = graph.reversePostorder;
  auto& stack = graph.stack;
  auto& cursor = graph.cursor;
  std::fill_n(preorderIndex.begin(), blockCount, NONE);
  std::fill_n(graph.reversePostorderIndex.begin(), blockCount, NONE);
  int32_t met = 0;
  int32_t left = 0;
  int32_t depth = 0;
  const int32_t entry = graph.entry;
  preorder[met] = entry;
  preorderIndex[entry] = met++;
  graph.parent[entry] = NONE;
  cursor[entry] = successorStart[entry];
  stack[depth++] = entry;
  while (depth > 0) {
    int32_t block = stack[depth - 1];
    int32_t edge = cursor[block];
    if (edge == successorStart[block + 1]) {
      reversePostorder[left++] = block;
      depth--;
      continue;
    }
    cursor[block] = edge + 1;
    int32_t successor = graph.successors[edge];
    if (preorderIndex[successor] != NONE) continue;
    preorder[met] = successor;
    preorderIndex[successor] = met++;
    graph.parent[successor] = block;
    cursor[successor] = successorStart[successor];
    stack[depth++] = successor;
  }
  graph.reachableCount = met;
  std::reverse(reversePostorder.begin(), reversePostorder.begin() + met);
  for (int32_t index = 0; index < met; index++) graph.reversePostorderIndex[reversePostorder[index]] = index;
}

bool isReachable(const Graph& graph, int32_t block) {
  return graph.preorderIndex[block] != NONE;
}

}  // namespace vct
