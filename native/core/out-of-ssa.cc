// Twin of src/core/out-of-ssa.ts, which explains the algorithm.

#include "out-of-ssa.h"

#include "coalescing.h"
#include "parallel-copy.h"
#include "validate-vir.h"

namespace vct {

static constexpr int64_t MAXIMUM_WORDS = INT32_MAX;

namespace {

struct OutOfSsaState : ClassInput {
  Classes classes;
  ParallelCopy parallelCopy;
  Int32Array variables;
  Int32Array copies;
  Int32Array functions;
  int32_t* header;
  int32_t copyCount = 0;
  int32_t variableCount = 0;
  std::vector<int32_t> classVariable;
  std::vector<int32_t> firstValue;
  std::vector<int32_t> temporaryType;
  std::vector<int32_t> temporaryVariable;
  int32_t temporaryCount = 0;
  std::vector<int32_t> slotOf;
  std::vector<int32_t> slotOwner;
  std::vector<int32_t> seenBy;
  int32_t moveCount = 0;
  std::vector<int32_t> moveDestination;
  std::vector<int32_t> moveSource;
  std::vector<int32_t> constantDestination;
  std::vector<int32_t> constantSource;
};

}  // namespace

static int64_t boundCopies(const VirTables& tables, int32_t functionCount);
static void makeState(OutOfSsaState& state, int32_t functionCount);
static bool leaveFunction(OutOfSsaState& state, int32_t id);
static void numberVariables(OutOfSsaState& state, const FunctionRows& rows);
static bool copyIntoBlock(OutOfSsaState& state, const FunctionRows& rows, int32_t block);
static bool sortMoves(OutOfSsaState& state, const FunctionRows& rows, int32_t block, int32_t first,
                      int32_t end, int32_t predecessorCount);
static bool isComplete(OutOfSsaState& state, const FunctionRows& rows, int32_t block, int32_t phi,
                       int32_t predecessorCount);
static void writeMoves(OutOfSsaState& state, const FunctionRows& rows, int32_t predecessor, int32_t block,
                       int32_t slot);
static int32_t resolve(OutOfSsaState& state, const FunctionRows& rows, int32_t end);
static void addCopy(OutOfSsaState& state, int32_t predecessor, int32_t block, int32_t destination,
                    int32_t source);

void outOfSsa(const Int32Array* inputs, const Int32Array* outputs, int32_t* header) {
  OutOfSsaState state;
  state.tables = {inputs[0], inputs[1], inputs[2], inputs[3]};
  const VirTables& tables = state.tables;
  if (!validateVir(tables, header)) return;
  int32_t variableRows = tables.instructions.length / VIR_INSTRUCTION::stride;
  int32_t functionCount = tables.functions.length / VIR_FUNCTION::stride;
  int64_t copyWords = OUT_OF_SSA_COPY::stride * boundCopies(tables, functionCount);
  if (copyWords > MAXIMUM_WORDS) {
    reportFault(header, CoreFaultNumber::tooLarge, 1);
    return;
  }
  header[CoreHeader::firstSize] = variableRows;
  header[CoreHeader::firstSize + 1] = static_cast<int32_t>(copyWords);
  header[CoreHeader::firstSize + 2] = functionCount * OUT_OF_SSA_FUNCTION::stride;
  state.variables = outputs[0];
  state.copies = outputs[1];
  state.functions = outputs[2];
  state.header = header;
  if (state.variables.length < variableRows || state.copies.length < copyWords ||
      state.functions.length < functionCount * OUT_OF_SSA_FUNCTION::stride) {
    header[CoreHeader::status] = CoreStatus::capacity;
    return;
  }
  std::fill_n(state.variables.data, variableRows, NONE);
  makeState(state, functionCount);
  for (int32_t id = 0; id < functionCount; id++)
    if (!leaveFunction(state, id)) return;
  header[CoreHeader::firstSize + 1] = state.copyCount * OUT_OF_SSA_COPY::stride;
}

static int64_t boundCopies(const VirTables& tables, int32_t functionCount) {
  int64_t bound = 0;
  for (int32_t id = 0; id < functionCount; id++) {
    FunctionRows rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    int64_t most = rows.operandCount >> 1;
    int64_t pairs = 0;
    for (int32_t inst = 0; inst < rows.instructionCount && pairs < most; inst++) {
      if (instructionOpcode(tables, rows, inst) == Opcode::phi)
        pairs += std::max(0, instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount)) >> 1;
    }
    pairs = std::min(pairs, most);
    bound += pairs + (pairs >> 1);
  }
  return bound;
}

static void makeState(OutOfSsaState& state, int32_t functionCount) {
  int32_t instructions = 0;
  int32_t operands = 0;
  int32_t blocks = 0;
  for (int32_t id = 0; id < functionCount; id++) {
    FunctionRows rows = readFunctionRows(state.tables, id);
    if (rows.blockCount <= 0) continue;
    instructions = std::max(instructions, rows.instructionCount);
    operands = std::max(operands, rows.operandCount);
    blocks = std::max(blocks, rows.blockCount);
  }
  state.graph = makeGraph(blocks, operands);
  state.dominators = makeDominators(blocks);
  state.loops = makeLoops(blocks);
  state.liveness = makeLiveness(instructions, operands, blocks);
  state.blockOf.resize(instructions);
  state.classes = makeClasses(instructions, operands);
  state.parallelCopy = makeParallelCopy(instructions, operands);
  state.classVariable.resize(instructions);
  state.firstValue.resize(instructions);
  state.temporaryType.resize(operands);
  state.temporaryVariable.resize(operands);
  state.slotOf.resize(blocks);
  state.slotOwner.resize(blocks);
  state.seenBy.resize(blocks);
  state.moveDestination.resize(operands);
  state.moveSource.resize(operands);
  state.constantDestination.resize(operands);
  state.constantSource.resize(operands);
}

static bool leaveFunction(OutOfSsaState& state, int32_t id) {
  FunctionRows rows = readFunctionRows(state.tables, id);
  int32_t firstCopy = state.copyCount;
  state.variableCount = 0;
  state.temporaryCount = 0;
  if (rows.blockCount > 0) {
    placeInstructions(state.tables, rows, state.blockOf);
    buildGraph(state.graph, state.tables, rows);
    computeDominators(state.dominators, state.graph);
    computeLoops(state.loops, state.graph);
    findClasses(state.classes, state, rows);
    numberVariables(state, rows);
    std::fill_n(state.slotOwner.begin(), rows.blockCount, NONE);
    std::fill_n(state.seenBy.begin(), rows.blockCount, NONE);
    for (int32_t block = 0; block < rows.blockCount; block++)
      if (!copyIntoBlock(state, rows, block)) return false;
  }
  int32_t* row = state.functions.data + static_cast<size_t>(id) * OUT_OF_SSA_FUNCTION::stride;
  row[OUT_OF_SSA_FUNCTION::firstCopy] = firstCopy;
  row[OUT_OF_SSA_FUNCTION::copyCount] = state.copyCount - firstCopy;
  row[OUT_OF_SSA_FUNCTION::variableCount] = state.variableCount;
  return true;
}

static void numberVariables(OutOfSsaState& state, const FunctionRows& rows) {
  auto& classes = state.classes;
  auto& classVariable = state.classVariable;
  std::fill_n(classVariable.begin(), classes.classCount, NONE);
  for (int32_t inst = 0; inst < rows.instructionCount; inst++) {
    if (classes.isUsed[inst] == 0) continue;
    int32_t owner = classes.classOf[inst];
    int32_t variable = owner == NONE ? NONE : classVariable[owner];
    if (variable == NONE) {
      variable = state.variableCount++;
      state.firstValue[variable] = inst;
      if (owner != NONE) classVariable[owner] = variable;
    }
    state.variables[rows.firstInstruction + inst] = variable;
  }
}

static bool copyIntoBlock(OutOfSsaState& state, const FunctionRows& rows, int32_t block) {
  auto& graph = state.graph;
  if (!isReachable(graph, block)) return true;
  int32_t first = blockColumn(state.tables, rows, block, VIR_BLOCK::firstInstruction);
  int32_t end = first;
  while (instructionOpcode(state.tables, rows, end) == Opcode::phi) end++;
  if (end == first) return true;
  int32_t predecessorStart = graph.predecessorStart[block];
  int32_t predecessorCount = graph.predecessorStart[block + 1] - predecessorStart;
  for (int32_t slot = 0; slot < predecessorCount; slot++) {
    int32_t predecessor = graph.predecessors[predecessorStart + slot];
    state.slotOf[predecessor] = slot;
    state.slotOwner[predecessor] = block;
  }
  if (!sortMoves(state, rows, block, first, end, predecessorCount)) return false;
  for (int32_t slot = 0; slot < predecessorCount; slot++) {
    int32_t predecessor = graph.predecessors[predecessorStart + slot];
    if (isReachable(graph, predecessor)) writeMoves(state, rows, predecessor, block, slot);
  }
  return true;
}

static bool sortMoves(OutOfSsaState& state, const FunctionRows& rows, int32_t block, int32_t first,
                      int32_t end, int32_t predecessorCount) {
  const VirTables& tables = state.tables;
  state.moveCount = 0;
  for (int32_t phi = first; phi < end; phi++) {
    if (!isComplete(state, rows, block, phi, predecessorCount)) return false;
    state.moveCount += state.classes.isUsed[phi];
  }
  int32_t ordinal = 0;
  for (int32_t phi = first; phi < end; phi++) {
    if (state.classes.isUsed[phi] == 0) continue;
    int32_t start = operandsOf(tables, rows, phi);
    for (int32_t pair = 0; pair < 2 * predecessorCount; pair += 2) {
      int32_t slot = state.slotOf[tables.operands[start + pair + 1]];
      int32_t place = slot * state.moveCount + ordinal;
      state.moveDestination[place] = state.variables[rows.firstInstruction + phi];
      state.moveSource[place] = tables.operands[start + pair];
    }
    ordinal++;
  }
  return true;
}

static bool isComplete(OutOfSsaState& state, const FunctionRows& rows, int32_t block, int32_t phi,
                       int32_t predecessorCount) {
  int32_t start = operandsOf(state.tables, rows, phi);
  int32_t count = instructionColumn(state.tables, rows, phi, VIR_INSTRUCTION::operandCount);
  bool isGood = count == 2 * predecessorCount;
  for (int32_t pair = 0; isGood && pair < count; pair += 2) {
    int32_t predecessor = state.tables.operands[start + pair + 1];
    isGood = state.slotOwner[predecessor] == block && state.seenBy[predecessor] != phi;
    state.seenBy[predecessor] = phi;
  }
  if (!isGood) reportFault(state.header, CoreFaultNumber::arity, 0, rows.firstInstruction + phi);
  return isGood;
}

static void writeMoves(OutOfSsaState& state, const FunctionRows& rows, int32_t predecessor, int32_t block,
                       int32_t slot) {
  auto& parallelCopy = state.parallelCopy;
  int32_t start = slot * state.moveCount;
  int32_t copies = 0;
  int32_t constants = 0;
  for (int32_t index = start; index < start + state.moveCount; index++) {
    int32_t source = state.moveSource[index];
    if (source < 0) {
      state.constantDestination[constants] = state.moveDestination[index];
      state.constantSource[constants++] = source;
    } else {
      parallelCopy.destination[copies] = state.moveDestination[index];
      parallelCopy.source[copies++] = state.variables[rows.firstInstruction + source];
    }
  }
  sequentialize(parallelCopy, copies);
  for (int32_t index = 0; index < parallelCopy.moveCount; index++) {
    int32_t destination = resolve(state, rows, parallelCopy.moveDestination[index]);
    int32_t source = resolve(state, rows, parallelCopy.moveSource[index]);
    addCopy(state, predecessor, block, destination, source);
  }
  for (int32_t index = 0; index < constants; index++) {
    int32_t destination = state.constantDestination[index];
    addCopy(state, predecessor, block, destination, state.constantSource[index]);
  }
}

static int32_t resolve(OutOfSsaState& state, const FunctionRows& rows, int32_t end) {
  if (end >= 0) return end;
  int32_t saved = state.firstValue[-1 - end];
  int32_t type = instructionColumn(state.tables, rows, saved, VIR_INSTRUCTION::type);
  for (int32_t index = 0; index < state.temporaryCount; index++)
    if (state.temporaryType[index] == type) return state.temporaryVariable[index];
  state.temporaryType[state.temporaryCount] = type;
  state.temporaryVariable[state.temporaryCount++] = state.variableCount;
  return state.variableCount++;
}

static void addCopy(OutOfSsaState& state, int32_t predecessor, int32_t block, int32_t destination,
                    int32_t source) {
  int32_t* row = state.copies.data + static_cast<size_t>(state.copyCount++) * OUT_OF_SSA_COPY::stride;
  row[OUT_OF_SSA_COPY::block] = predecessor;
  row[OUT_OF_SSA_COPY::successor] = block;
  row[OUT_OF_SSA_COPY::destination] = destination;
  row[OUT_OF_SSA_COPY::source] = source;
}

}  // namespace vct
