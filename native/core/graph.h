// Twin of src/core/graph.ts.
#pragma once

#include "function-rows.h"

namespace vct {

struct Graph {
  int32_t blockCount = 0;
  int32_t entry = 0;
  std::vector<int32_t> successorStart;
  std::vector<int32_t> successors;
  std::vector<int32_t> predecessorStart;
  std::vector<int32_t> predecessors;
  int32_t reachableCount = 0;
  std::vector<int32_t> preorder;
  std::vector<int32_t> preorderIndex;
  std::vector<int32_t> parent;
  std::vector<int32_t> reversePostorder;
  std::vector<int32_t> reversePostorderIndex;
  std::vector<int32_t> stack;
  std::vector<int32_t> cursor;
};

Graph makeGraph(int32_t blockCapacity, int32_t edgeCapacity);
void buildGraph(Graph& graph, const VirTables& tables, const FunctionRows& rows);
void finishGraph(Graph& graph);
bool isReachable(const Graph& graph, int32_t block);

}  // namespace vct
