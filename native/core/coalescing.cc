// Twin of src/core/coalescing.ts, which explains the algorithm.

#include "coalescing.h"

namespace vct {

static constexpr int32_t MAXIMUM_ATTEMPTS = 16;

Classes makeClasses(int32_t instructionCapacity, int32_t operandCapacity) {
  Classes classes;
  classes.classOf.resize(instructionCapacity);
  classes.isUsed.resize(instructionCapacity);
  classes.isBound.resize(instructionCapacity);
  classes.web.resize(instructionCapacity);
  classes.webClass.resize(instructionCapacity);
  classes.wishStart.resize(instructionCapacity + 1);
  classes.wishPhi.resize(operandCapacity);
  classes.wishBlock.resize(operandCapacity);
  classes.preferred.resize(instructionCapacity);
  classes.holder.resize(instructionCapacity);
  classes.weight.resize(instructionCapacity);
  classes.previousHolder.resize(instructionCapacity);
  classes.held.resize(instructionCapacity);
  classes.candidates.resize(instructionCapacity);
  return classes;
}

static bool markUsed(Classes& classes, const ClassInput& input, const FunctionRows& rows);
static bool isReachablePhi(const ClassInput& input, const FunctionRows& rows, int32_t inst);
static void collectWishes(Classes& classes, const ClassInput& input, const FunctionRows& rows);
static void eachWish(Classes& classes, const ClassInput& input, const FunctionRows& rows, bool isStoring);
static void storeWish(Classes& classes, int32_t value, int32_t phi, int32_t block);
static bool mayShare(const VirTables& tables, const FunctionRows& rows, int32_t phi, int32_t value);
static int32_t findWeb(Classes& classes, int32_t value);
static void uniteWebs(Classes& classes, int32_t left, int32_t right);
static void walkTree(Classes& classes, ClassInput& input, const FunctionRows& rows);
static void leaveBlocks(Classes& classes, const ClassInput& input, int32_t block);
static void giveClass(Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value);
static void collectGiven(Classes& classes, const ClassInput& input, const FunctionRows& rows, int32_t value);
static void collectPreferred(Classes& classes, const ClassInput& input, const FunctionRows& rows,
                             int32_t value);
static void addCandidate(Classes& classes, const ClassInput& input, int32_t candidate, int32_t block);
static int32_t chooseCandidate(Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value);
static bool isFree(const Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value,
                   int32_t candidate);

void findClasses(Classes& classes, ClassInput& input, const FunctionRows& rows) {
  int32_t count = rows.instructionCount;
  std::fill_n(classes.classOf.begin(), count, NONE);
  std::fill_n(classes.isUsed.begin(), count, 0);
  std::fill_n(classes.isBound.begin(), count, 0);
  std::fill_n(classes.webClass.begin(), count, NONE);
  std::fill_n(classes.preferred.begin(), count, NONE);
  std::fill_n(classes.wishStart.begin(), count + 1, 0);
  for (int32_t value = 0; value < count; value++) classes.web[value] = value;
  classes.classCount = 0;
  classes.heldCount = 0;
  classes.candidateCount = 0;
  if (!markUsed(classes, input, rows)) return;
  collectWishes(classes, input, rows);
  collectUses(input.liveness, input.tables, rows, input.graph, classes.isBound, classes.isUsed);
  walkTree(classes, input, rows);
}

static bool markUsed(Classes& classes, const ClassInput& input, const FunctionRows& rows) {
  const VirTables& tables = input.tables;
  auto& isUsed = classes.isUsed;
  auto& held = classes.held;
  int32_t waiting = 0;
  bool hasPhi = false;
  for (int32_t inst = rows.parameterCount; inst < rows.instructionCount; inst++) {
    if (input.blockOf[inst] == NONE) continue;
    int32_t start = operandsOf(tables, rows, inst);
    int32_t values = plainValueCount(instructionOpcode(tables, rows, inst),
                                     instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount));
    for (int32_t index = 0; index < values; index++) {
      int32_t value = tables.operands[start + index];
      if (value < 0 || isUsed[value] != 0) continue;
      isUsed[value] = 1;
      held[waiting++] = value;
    }
  }
  while (waiting > 0) {
    int32_t phi = held[--waiting];
    if (!isReachablePhi(input, rows, phi)) continue;
    hasPhi = true;
    int32_t start = operandsOf(tables, rows, phi);
    int32_t count = instructionColumn(tables, rows, phi, VIR_INSTRUCTION::operandCount);
    for (int32_t pair = 0; pair < count; pair += 2) {
      int32_t value = tables.operands[start + pair];
      if (value < 0 || isUsed[value] != 0) continue;
      if (!isReachable(input.graph, tables.operands[start + pair + 1])) continue;
      isUsed[value] = 1;
      held[waiting++] = value;
    }
  }
  return hasPhi;
}

static bool isReachablePhi(const ClassInput& input, const FunctionRows& rows, int32_t inst) {
  return instructionOpcode(input.tables, rows, inst) == Opcode::phi &&
         isReachable(input.graph, input.blockOf[inst]);
}

static void collectWishes(Classes& classes, const ClassInput& input, const FunctionRows& rows) {
  auto& wishStart = classes.wishStart;
  eachWish(classes, input, rows, false);
  for (int32_t value = 0; value < rows.instructionCount; value++) wishStart[value + 1] += wishStart[value];
  int32_t total = wishStart[rows.instructionCount];
  eachWish(classes, input, rows, true);
  for (int32_t value = 0; value < rows.instructionCount; value++) wishStart[value] = wishStart[value + 1];
  wishStart[rows.instructionCount] = total;
}

static void eachWish(Classes& classes, const ClassInput& input, const FunctionRows& rows, bool isStoring) {
  const VirTables& tables = input.tables;
  for (int32_t phi = rows.instructionCount - 1; phi >= rows.parameterCount; phi--) {
    if (classes.isUsed[phi] == 0 || !isReachablePhi(input, rows, phi)) continue;
    int32_t start = operandsOf(tables, rows, phi);
    int32_t count = instructionColumn(tables, rows, phi, VIR_INSTRUCTION::operandCount);
    classes.isBound[phi] = 1;
    for (int32_t pair = count - 2; pair >= 0; pair -= 2) {
      int32_t value = tables.operands[start + pair];
      int32_t block = tables.operands[start + pair + 1];
      if (!isReachable(input.graph, block) || !mayShare(tables, rows, phi, value)) continue;
      if (isStoring) {
        storeWish(classes, value, phi, block);
      } else {
        classes.isBound[value] = 1;
        uniteWebs(classes, value, phi);
        classes.wishStart[value + 1]++;
      }
    }
  }
}

static void storeWish(Classes& classes, int32_t value, int32_t phi, int32_t block) {
  int32_t place = classes.wishStart[value + 1] - 1;
  classes.wishStart[value + 1] = place;
  classes.wishPhi[place] = phi;
  classes.wishBlock[place] = block;
}

static bool mayShare(const VirTables& tables, const FunctionRows& rows, int32_t phi, int32_t value) {
  return value >= 0 && value != phi &&
         instructionColumn(tables, rows, value, VIR_INSTRUCTION::type) ==
             instructionColumn(tables, rows, phi, VIR_INSTRUCTION::type);
}

static int32_t findWeb(Classes& classes, int32_t value) {
  auto& web = classes.web;
  while (web[value] != value) {
    web[value] = web[web[value]];
    value = web[value];
  }
  return value;
}

static void uniteWebs(Classes& classes, int32_t left, int32_t right) {
  int32_t leftRoot = findWeb(classes, left);
  int32_t rightRoot = findWeb(classes, right);
  if (leftRoot < rightRoot) {
    classes.web[rightRoot] = leftRoot;
  } else {
    classes.web[leftRoot] = rightRoot;
  }
}

static void walkTree(Classes& classes, ClassInput& input, const FunctionRows& rows) {
  const VirTables& tables = input.tables;
  for (int32_t inst = 0; inst < rows.parameterCount; inst++)
    if (classes.isBound[inst] != 0 && classes.isUsed[inst] != 0) giveClass(classes, input, rows, inst);
  for (int32_t index = 0; index < input.graph.reachableCount; index++) {
    int32_t block = input.dominators.treeOrder[index];
    leaveBlocks(classes, input, block);
    int32_t first = blockColumn(tables, rows, block, VIR_BLOCK::firstInstruction);
    int32_t end = first + blockColumn(tables, rows, block, VIR_BLOCK::instructionCount);
    for (int32_t inst = first; inst < end; inst++)
      if (classes.isBound[inst] != 0 && classes.isUsed[inst] != 0) giveClass(classes, input, rows, inst);
  }
}

static void leaveBlocks(Classes& classes, const ClassInput& input, int32_t block) {
  while (classes.heldCount > 0) {
    int32_t value = classes.held[classes.heldCount - 1];
    if (dominates(input.dominators, input.blockOf[value], block)) return;
    classes.holder[classes.classOf[value]] = classes.previousHolder[value];
    classes.heldCount--;
  }
}

static void giveClass(Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value) {
  collectGiven(classes, input, rows, value);
  bool hasWish = classes.candidateCount > 0;
  int32_t chosen = chooseCandidate(classes, input, rows, value);
  if (chosen == NONE) {
    collectPreferred(classes, input, rows, value);
    hasWish = hasWish || classes.candidateCount > 0;
    chosen = chooseCandidate(classes, input, rows, value);
  }
  int32_t root = findWeb(classes, value);
  int32_t first = classes.webClass[root];
  if (chosen == NONE && !hasWish && first != NONE && isFree(classes, input, rows, value, first)) chosen = first;
  if (chosen == NONE) {
    chosen = classes.classCount++;
    classes.holder[chosen] = NONE;
    classes.weight[chosen] = 0;
    if (first == NONE) classes.webClass[root] = chosen;
  }
  classes.classOf[value] = chosen;
  classes.previousHolder[value] = classes.holder[chosen];
  classes.holder[chosen] = value;
  classes.held[classes.heldCount++] = value;
  int32_t end = classes.wishStart[value + 1];
  for (int32_t wish = classes.wishStart[value]; wish < end; wish++) {
    int32_t phi = classes.wishPhi[wish];
    if (classes.preferred[phi] == NONE) classes.preferred[phi] = chosen;
  }
}

static void collectGiven(Classes& classes, const ClassInput& input, const FunctionRows& rows, int32_t value) {
  const VirTables& tables = input.tables;
  if (isReachablePhi(input, rows, value)) {
    int32_t start = operandsOf(tables, rows, value);
    int32_t count = instructionColumn(tables, rows, value, VIR_INSTRUCTION::operandCount);
    for (int32_t pair = 0; pair < count; pair += 2) {
      int32_t operand = tables.operands[start + pair];
      int32_t block = tables.operands[start + pair + 1];
      if (isReachable(input.graph, block) && mayShare(tables, rows, value, operand))
        addCandidate(classes, input, classes.classOf[operand], block);
    }
  }
  int32_t end = classes.wishStart[value + 1];
  for (int32_t wish = classes.wishStart[value]; wish < end; wish++) {
    int32_t given = classes.classOf[classes.wishPhi[wish]];
    addCandidate(classes, input, given, classes.wishBlock[wish]);
  }
}

static void collectPreferred(Classes& classes, const ClassInput& input, const FunctionRows& rows,
                             int32_t value) {
  bool isPhi = isReachablePhi(input, rows, value);
  int32_t end = classes.wishStart[value + 1];
  for (int32_t wish = classes.wishStart[value]; wish < end; wish++) {
    int32_t phi = classes.wishPhi[wish];
    if (classes.classOf[phi] != NONE || (isPhi && input.blockOf[phi] == input.blockOf[value])) continue;
    addCandidate(classes, input, classes.preferred[phi], classes.wishBlock[wish]);
  }
}

static void addCandidate(Classes& classes, const ClassInput& input, int32_t candidate, int32_t block) {
  if (candidate == NONE) return;
  int32_t before = classes.weight[candidate];
  if (before == 0) classes.candidates[classes.candidateCount++] = candidate;
  int32_t sum = before + (1 << (3 * std::min(input.loops.depth[block], 6)));
  classes.weight[candidate] = std::min(sum, 1 << 28);
}

static int32_t chooseCandidate(Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value) {
  auto& candidates = classes.candidates;
  auto& weight = classes.weight;
  int32_t chosen = NONE;
  for (int32_t attempt = 0; attempt < MAXIMUM_ATTEMPTS && chosen == NONE; attempt++) {
    int32_t heaviest = NONE;
    for (int32_t index = 0; index < classes.candidateCount; index++) {
      int32_t candidate = candidates[index];
      if (weight[candidate] > (heaviest == NONE ? 0 : weight[heaviest])) heaviest = candidate;
    }
    if (heaviest == NONE) break;
    weight[heaviest] = 0;
    if (isFree(classes, input, rows, value, heaviest)) chosen = heaviest;
  }
  for (int32_t index = 0; index < classes.candidateCount; index++) weight[candidates[index]] = 0;
  classes.candidateCount = 0;
  return chosen;
}

static bool isFree(const Classes& classes, ClassInput& input, const FunctionRows& rows, int32_t value,
                   int32_t candidate) {
  int32_t above = classes.holder[candidate];
  if (above == NONE) return true;
  int32_t block = input.blockOf[value];
  if (input.blockOf[above] == block && isReachablePhi(input, rows, above) && isReachablePhi(input, rows, value))
    return false;
  return !isLiveAfter(input.liveness, input, above, block, value);
}

}  // namespace vct
