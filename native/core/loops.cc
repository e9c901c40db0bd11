// Twin of src/core/loops.ts, which explains the algorithm.

#include "loops.h"

namespace vct {

Loops makeLoops(int32_t blockCapacity) {
  Loops loops;
  loops.outer.resize(blockCapacity);
  loops.isHeader.resize(blockCapacity);
  loops.isIrreducible.resize(blockCapacity);
  loops.depth.resize(blockCapacity);
  loops.pathDepth.resize(blockCapacity);
  loops.stack.resize(blockCapacity);
  loops.cursor.resize(blockCapacity);
  loops.isMet.resize(blockCapacity);
  return loops;
}

static void visitEdge(Loops& loops, int32_t block, int32_t successor);
static void weave(Loops& loops, int32_t block, int32_t header);
static void computeDepths(Loops& loops, const Graph& graph);

void computeLoops(Loops& loops, const Graph& graph) {
  auto& outer = loops.outer;
  auto& stack = loops.stack;
  auto& cursor = loops.cursor;
  auto& pathDepth = loops.pathDepth;
  auto& isMet = loops.isMet;
  std::fill_n(outer.begin(), graph.blockCount, NONE);
  std::fill_n(loops.isHeader.begin(), graph.blockCount, 0);
  std::fill_n(loops.isIrreducible.begin(), graph.blockCount, 0);
  loops.hasIrreducible = false;
  std::fill_n(pathDepth.begin(), graph.blockCount, 0);
  std::fill_n(isMet.begin(), graph.blockCount, 0);
  int32_t depth = 0;
  int32_t entered = graph.entry;
  while (entered != NONE) {
    isMet[entered] = 1;
    cursor[entered] = graph.successorStart[entered];
    stack[depth++] = entered;
    pathDepth[entered] = depth;
    entered = NONE;
    while (depth > 0 && entered == NONE) {
      int32_t block = stack[depth - 1];
      int32_t edge = cursor[block];
      if (edge == graph.successorStart[block + 1]) {
        pathDepth[block] = 0;
        depth--;
        if (depth > 0) weave(loops, stack[depth - 1], outer[block]);
        continue;
      }
      cursor[block] = edge + 1;
      int32_t successor = graph.successors[edge];
      if (isMet[successor] == 0) {
        entered = successor;
      } else {
        visitEdge(loops, block, successor);
      }
    }
  }
  computeDepths(loops, graph);
}

static void visitEdge(Loops& loops, int32_t block, int32_t successor) {
  auto& outer = loops.outer;
  auto& pathDepth = loops.pathDepth;
  if (pathDepth[successor] > 0) {
    loops.isHeader[successor] = 1;
    weave(loops, block, successor);
    return;
  }
  int32_t header = outer[successor];
  while (header != NONE) {
    if (pathDepth[header] > 0) {
      weave(loops, block, header);
      return;
    }
    loops.isIrreducible[header] = 1;
    loops.hasIrreducible = true;
    header = outer[header];
  }
}

static void weave(Loops& loops, int32_t block, int32_t header) {
  auto& outer = loops.outer;
  auto& pathDepth = loops.pathDepth;
  if (header == NONE || block == header) return;
  int32_t inner = block;
  int32_t around = header;
  while (outer[inner] != NONE) {
    int32_t next = outer[inner];
    if (next == around) return;
    if (pathDepth[next] < pathDepth[around]) {
      outer[inner] = around;
      inner = around;
      around = next;
    } else {
      inner = next;
    }
  }
  outer[inner] = around;
}

static void computeDepths(Loops& loops, const Graph& graph) {
  std::fill_n(loops.depth.begin(), graph.blockCount, 0);
  for (int32_t index = 0; index < graph.reachableCount; index++) {
    int32_t block = graph.preorder[index];
    int32_t header = loops.outer[block];
    loops.depth[block] = (header == NONE ? 0 : loops.depth[header]) + loops.isHeader[block];
  }
}

}  // namespace vct
