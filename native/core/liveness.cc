// Twin of src/core/liveness.ts, which explains the algorithm.

#include "liveness.h"

#include <new>

namespace vct {

static constexpr int32_t MAXIMUM_CLIMB = 32;

static constexpr int32_t MAXIMUM_OPERAND_SHARE = 1 << 20;

static constexpr int32_t LIVE_OUT = INT32_MAX;

static int32_t cacheCapacity(int32_t blockCount, int32_t operandCount);
static void eachUse(Liveness& liveness, const VirTables& tables, const FunctionRows& rows, const Graph& graph,
                    const std::vector<int32_t>& isWanted, const std::vector<int32_t>& isUsed, bool isStoring);
static void addUse(Liveness& liveness, const Graph& graph, int32_t value, int32_t use, int32_t block,
                   const std::vector<int32_t>& isWanted, bool isStoring);
static int32_t totalUses(Liveness& liveness);
static void clearCache(Liveness& liveness);

Liveness makeLiveness(int32_t instructionCapacity, int32_t operandCapacity, int32_t blockCapacity) {
  int32_t capacity = cacheCapacity(blockCapacity, operandCapacity);
  Liveness liveness;
  liveness.useStart.resize(instructionCapacity + 1);
  liveness.uses.resize(operandCapacity);
  liveness.lastPlace.resize(instructionCapacity);
  liveness.lastPosition.resize(instructionCapacity);
  liveness.explored.resize(instructionCapacity);
  liveness.stamp.resize(capacity);
  liveness.keyValue.resize(capacity);
  liveness.keyBlock.resize(capacity);
  liveness.last.resize(capacity);
  liveness.capacity = capacity;
  liveness.stack.resize(blockCapacity + 1);
  return liveness;
}

static int32_t cacheCapacity(int32_t blockCount, int32_t operandCount) {
  int64_t wanted =
      std::max<int64_t>(4 * static_cast<int64_t>(blockCount), 2 * std::min(operandCount, MAXIMUM_OPERAND_SHARE));
  int64_t capacity = 64;
  while (capacity < wanted) capacity *= 2;
  if (capacity > INT32_MAX) throw std::bad_alloc();
  return static_cast<int32_t>(capacity);
}

void collectUses(Liveness& liveness, const VirTables& tables, const FunctionRows& rows, const Graph& graph,
                 const std::vector<int32_t>& isWanted, const std::vector<int32_t>& isUsed) {
  auto& useStart = liveness.useStart;
  std::fill_n(useStart.begin(), rows.instructionCount + 1, 0);
  std::fill_n(liveness.lastPlace.begin(), rows.instructionCount, NONE);
  std::fill_n(liveness.explored.begin(), rows.instructionCount, 0);
  liveness.capacity = cacheCapacity(rows.blockCount, rows.operandCount);
  clearCache(liveness);
  eachUse(liveness, tables, rows, graph, isWanted, isUsed, false);
  for (int32_t value = 0; value < rows.instructionCount; value++) useStart[value + 1] += useStart[value];
  eachUse(liveness, tables, rows, graph, isWanted, isUsed, true);
  for (int32_t value = 0; value < rows.instructionCount; value++) useStart[value] = useStart[value + 1];
  useStart[rows.instructionCount] = totalUses(liveness);
}

static void eachUse(Liveness& liveness, const VirTables& tables, const FunctionRows& rows, const Graph& graph,
                    const std::vector<int32_t>& isWanted, const std::vector<int32_t>& isUsed,
                    bool isStoring) {
  if (!isStoring) liveness.count = 0;
  for (int32_t index = 0; index < graph.reachableCount; index++) {
    int32_t block = graph.preorder[index];
    int32_t first = blockColumn(tables, rows, block, VIR_BLOCK::firstInstruction);
    int32_t end = first + blockColumn(tables, rows, block, VIR_BLOCK::instructionCount);
    for (int32_t inst = first; inst < end; inst++) {
      int32_t opcode = instructionOpcode(tables, rows, inst);
      int32_t start = operandsOf(tables, rows, inst);
      int32_t count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount);
      if (opcode == Opcode::phi) {
        if (isUsed[inst] == 0) continue;
        for (int32_t pair = 0; pair < count; pair += 2) {
          int32_t predecessor = tables.operands[start + pair + 1];
          if (isReachable(graph, predecessor))
            addUse(liveness, graph, tables.operands[start + pair], -1 - predecessor, predecessor, isWanted, isStoring);
        }
      } else {
        int32_t values = plainValueCount(opcode, count);
        for (int32_t operand = 0; operand < values; operand++)
          addUse(liveness, graph, tables.operands[start + operand], inst, block, isWanted, isStoring);
      }
    }
  }
}

static void addUse(Liveness& liveness, const Graph& graph, int32_t value, int32_t use, int32_t block,
                   const std::vector<int32_t>& isWanted, bool isStoring) {
  if (value < 0 || isWanted[value] == 0) return;
  if (isStoring) {
    int32_t slot = liveness.useStart[value + 1] - 1;
    liveness.useStart[value + 1] = slot;
    liveness.uses[slot] = use;
    return;
  }
  liveness.useStart[value + 1]++;
  liveness.count++;
  int32_t place = graph.reversePostorderIndex[block];
  int32_t position = use < 0 ? LIVE_OUT : use;
  if (place > liveness.lastPlace[value]) {
    liveness.lastPlace[value] = place;
    liveness.lastPosition[value] = position;
  } else if (place == liveness.lastPlace[value] && position > liveness.lastPosition[value]) {
    liveness.lastPosition[value] = position;
  }
}

static int32_t totalUses(Liveness& liveness) {
  int32_t total = liveness.count;
  liveness.count = 0;
  return total;
}

static void clearCache(Liveness& liveness) {
  liveness.generation++;
  liveness.count = 0;
}

static int32_t findEntry(const Liveness& liveness, int32_t value, int32_t block) {
  uint32_t mask = static_cast<uint32_t>(liveness.capacity) - 1;
  uint32_t hash = static_cast<uint32_t>(value) * 0x1e3779b1u ^ static_cast<uint32_t>(block) * 0x05ebca6bu;
  hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
  uint32_t entry = (hash ^ (hash >> 13)) & mask;
  while (liveness.stamp[entry] == liveness.generation &&
         (liveness.keyValue[entry] != value || liveness.keyBlock[entry] != block)) {
    entry = (entry + 1) & mask;
  }
  return static_cast<int32_t>(entry);
}

static bool extend(Liveness& liveness, int32_t value, int32_t block, int32_t position) {
  int32_t entry = findEntry(liveness, value, block);
  if (liveness.stamp[entry] == liveness.generation) {
    if (liveness.last[entry] < position) liveness.last[entry] = position;
    return false;
  }
  liveness.stamp[entry] = liveness.generation;
  liveness.keyValue[entry] = value;
  liveness.keyBlock[entry] = block;
  liveness.last[entry] = position;
  liveness.count++;
  return true;
}

static void explore(Liveness& liveness, const Graph& graph, const std::vector<int32_t>& blockOf,
                    int32_t value) {
  if (2 * (static_cast<int64_t>(liveness.count) + graph.blockCount) > liveness.capacity) clearCache(liveness);
  liveness.explored[value] = liveness.generation;
  int32_t definition = blockOf[value];
  auto& stack = liveness.stack;
  int32_t end = liveness.useStart[value + 1];
  for (int32_t index = liveness.useStart[value]; index < end; index++) {
    int32_t use = liveness.uses[index];
    int32_t block = use < 0 ? -1 - use : blockOf[use];
    bool isNew = extend(liveness, value, block, use < 0 ? LIVE_OUT : use);
    int32_t depth = 0;
    if (isNew && block != definition) stack[depth++] = block;
    while (depth > 0) {
      int32_t current = stack[--depth];
      int32_t edgeEnd = graph.predecessorStart[current + 1];
      for (int32_t edge = graph.predecessorStart[current]; edge < edgeEnd; edge++) {
        int32_t predecessor = graph.predecessors[edge];
        if (!isReachable(graph, predecessor)) continue;
        if (extend(liveness, value, predecessor, LIVE_OUT) && predecessor != definition)
          stack[depth++] = predecessor;
      }
    }
  }
}

static bool isPast(const Liveness& liveness, const Flow& flow, int32_t value, int32_t block, int32_t position) {
  auto& loops = flow.loops;
  if (loops.hasIrreducible) return false;
  int32_t definition = flow.blockOf[value];
  int32_t outermost = NONE;
  int32_t header = loops.isHeader[block] != 0 ? block : loops.outer[block];
  int32_t climbed = 0;
  while (header != NONE && !dominates(flow.dominators, header, definition)) {
    if (++climbed > MAXIMUM_CLIMB) return false;
    outermost = header;
    header = loops.outer[header];
  }
  int32_t lastPlace = liveness.lastPlace[value];
  if (outermost != NONE) return lastPlace < flow.graph.reversePostorderIndex[outermost];
  int32_t place = flow.graph.reversePostorderIndex[block];
  return lastPlace < place || (lastPlace == place && liveness.lastPosition[value] <= position);
}

bool isLiveAfter(Liveness& liveness, const Flow& flow, int32_t value, int32_t block, int32_t position) {
  if (isPast(liveness, flow, value, block, position)) return false;
  if (liveness.explored[value] != liveness.generation) explore(liveness, flow.graph, flow.blockOf, value);
  int32_t entry = findEntry(liveness, value, block);
  return liveness.stamp[entry] == liveness.generation && liveness.last[entry] > position;
}

}  // namespace vct
