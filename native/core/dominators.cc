// Twin of src/core/dominators.ts, which explains the algorithm.

#include "dominators.h"

namespace vct {

Dominators makeDominators(int32_t blockCapacity) {
  Dominators dominators;
  dominators.immediate.resize(blockCapacity);
  dominators.treeOrder.resize(blockCapacity);
  dominators.first.resize(blockCapacity);
  dominators.last.resize(blockCapacity);
  dominators.semidominator.resize(blockCapacity);
  dominators.label.resize(blockCapacity);
  dominators.ancestor.resize(blockCapacity);
  dominators.candidate.resize(blockCapacity);
  dominators.stack.resize(blockCapacity);
  dominators.firstChild.resize(blockCapacity);
  dominators.nextSibling.resize(blockCapacity);
  return dominators;
}

static void beginSemidominators(Dominators& dominators, const Graph& graph);
static void computeSemidominators(Dominators& dominators, const Graph& graph);
static void emptyBucket(Dominators& dominators, int32_t parent, int32_t linked);
static int32_t evaluate(Dominators& dominators, int32_t start, int32_t linked);
static void computeImmediate(Dominators& dominators, const Graph& graph);
static void numberTree(Dominators& dominators, const Graph& graph);

void computeDominators(Dominators& dominators, const Graph& graph) {
  beginSemidominators(dominators, graph);
  computeSemidominators(dominators, graph);
  computeImmediate(dominators, graph);
  numberTree(dominators, graph);
}

static void beginSemidominators(Dominators& dominators, const Graph& graph) {
  for (int32_t number = 0; number < graph.reachableCount; number++) {
    int32_t parent = graph.parent[graph.preorder[number]];
    int32_t parentNumber = parent == NONE ? NONE : graph.preorderIndex[parent];
    dominators.semidominator[number] = number;
    dominators.label[number] = number;
    dominators.ancestor[number] = parentNumber;
    dominators.candidate[number] = parentNumber;
    dominators.firstChild[number] = NONE;
  }
}

static void computeSemidominators(Dominators& dominators, const Graph& graph) {
  auto& semidominator = dominators.semidominator;
  for (int32_t number = graph.reachableCount - 1; number > 0; number--) {
    int32_t block = graph.preorder[number];
    int32_t parent = dominators.candidate[number];
    int32_t lowest = dominators.ancestor[number];
    int32_t end = graph.predecessorStart[block + 1];
    for (int32_t edge = graph.predecessorStart[block]; edge < end; edge++) {
      int32_t predecessor = graph.preorderIndex[graph.predecessors[edge]];
      if (predecessor == NONE) continue;
      int32_t reached = semidominator[evaluate(dominators, predecessor, number + 1)];
      if (reached < lowest) lowest = reached;
    }
    semidominator[number] = lowest;
    dominators.nextSibling[number] = dominators.firstChild[lowest];
    dominators.firstChild[lowest] = number;
    emptyBucket(dominators, parent, number);
  }
}

static void emptyBucket(Dominators& dominators, int32_t parent, int32_t linked) {
  int32_t below = dominators.firstChild[parent];
  dominators.firstChild[parent] = NONE;
  while (below != NONE) {
    int32_t best = evaluate(dominators, below, linked);
    dominators.candidate[below] = dominators.semidominator[best] < parent ? best : parent;
    below = dominators.nextSibling[below];
  }
}

static int32_t evaluate(Dominators& dominators, int32_t start, int32_t linked) {
  auto& semidominator = dominators.semidominator;
  auto& label = dominators.label;
  auto& ancestor = dominators.ancestor;
  auto& stack = dominators.stack;
  if (ancestor[start] < linked) return label[start];
  int32_t depth = 0;
  int32_t node = start;
  while (ancestor[node] >= linked) {
    stack[depth++] = node;
    node = ancestor[node];
  }
  while (depth > 0) {
    int32_t below = stack[--depth];
    ancestor[below] = ancestor[node];
    int32_t best = label[node];
    if (semidominator[best] < semidominator[label[below]]) label[below] = best;
    node = below;
  }
  return label[start];
}

static void computeImmediate(Dominators& dominators, const Graph& graph) {
  auto& semidominator = dominators.semidominator;
  auto& candidate = dominators.candidate;
  std::fill_n(dominators.immediate.begin(), graph.blockCount, NONE);
  for (int32_t number = 1; number < graph.reachableCount; number++) {
    int32_t above = candidate[number];
    if (above != semidominator[number]) above = candidate[above];
    candidate[number] = above;
    dominators.immediate[graph.preorder[number]] = graph.preorder[above];
  }
}

static void numberTree(Dominators& dominators, const Graph& graph) {
  auto& first = dominators.first;
  auto& last = dominators.last;
  auto& firstChild = dominators.firstChild;
  auto& nextSibling = dominators.nextSibling;
  auto& stack = dominators.stack;
  std::fill_n(first.begin(), graph.blockCount, NONE);
  std::fill_n(last.begin(), graph.blockCount, NONE);
  std::fill_n(firstChild.begin(), graph.blockCount, NONE);
  for (int32_t index = graph.reachableCount - 1; index > 0; index--) {
    int32_t block = graph.reversePostorder[index];
    int32_t above = dominators.immediate[block];
    nextSibling[block] = firstChild[above];
    firstChild[above] = block;
  }
  nextSibling[graph.entry] = NONE;
  int32_t count = 0;
  int32_t depth = 0;
  int32_t block = graph.entry;
  while (block != NONE) {
    first[block] = count;
    dominators.treeOrder[count++] = block;
    stack[depth++] = block;
    block = firstChild[block];
    while (block == NONE && depth > 0) {
      int32_t done = stack[--depth];
      last[done] = count - 1;
      block = nextSibling[done];
    }
  }
}

bool dominates(const Dominators& dominators, int32_t above, int32_t below) {
  int32_t place = dominators.first[below];
  return place != NONE && dominators.first[above] != NONE && place >= dominators.first[above] &&
         place <= dominators.last[above];
}

}  // namespace vct
