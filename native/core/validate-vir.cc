// Twin of src/core/validate-vir.ts, which explains the checks.

#include "validate-vir.h"

namespace vct {

static constexpr int32_t INSTRUCTIONS = 0;
static constexpr int32_t OPERANDS = 1;
static constexpr int32_t BLOCKS = 2;
static constexpr int32_t FUNCTIONS = 3;

static bool isWhole(const Int32Array& table, int32_t stride, int32_t number, int32_t* header);
static bool checkRanges(const VirTables& tables, const FunctionRows& rows, int32_t id, int32_t* header);
static bool isRange(int32_t first, int32_t count, int32_t length);
static bool validateFunctions(const VirTables& tables, int32_t functionCount, int32_t* header);
static bool validateParameters(const VirTables& tables, const FunctionRows& rows,
                               std::vector<int32_t>& isPlaced, int32_t* header);
static bool validateBlocks(const VirTables& tables, const FunctionRows& rows, std::vector<int32_t>& isPlaced,
                           int32_t* header);
static bool validateOperands(const VirTables& tables, const FunctionRows& rows,
                             const std::vector<int32_t>& isPlaced, int32_t* header);
static bool isArity(int32_t opcode, int32_t count);
static bool validateOperandsOf(const VirTables& tables, const FunctionRows& rows,
                               const std::vector<int32_t>& isPlaced, int32_t inst, int32_t* header);
static bool isValue(const FunctionRows& rows, const std::vector<int32_t>& isPlaced, int32_t operand);

bool validateVir(const VirTables& tables, int32_t* header) {
  if (!isWhole(tables.instructions, VIR_INSTRUCTION::stride, INSTRUCTIONS, header)) return false;
  if (!isWhole(tables.blocks, VIR_BLOCK::stride, BLOCKS, header)) return false;
  if (!isWhole(tables.functions, VIR_FUNCTION::stride, FUNCTIONS, header)) return false;
  int32_t functionCount = tables.functions.length / VIR_FUNCTION::stride;
  int32_t instructionTotal = tables.instructions.length / VIR_INSTRUCTION::stride;
  int32_t blockTotal = tables.blocks.length / VIR_BLOCK::stride;
  int32_t operandTotal = tables.operands.length;
  for (int32_t id = 0; id < functionCount; id++) {
    FunctionRows rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    if (!checkRanges(tables, rows, id, header)) return false;
    instructionTotal -= rows.instructionCount;
    blockTotal -= rows.blockCount;
    operandTotal -= rows.operandCount;
    if (instructionTotal < 0 || blockTotal < 0 || operandTotal < 0) {
      reportFault(header, CoreFaultNumber::rowCount, FUNCTIONS, id);
      return false;
    }
  }
  return validateFunctions(tables, functionCount, header);
}

static bool isWhole(const Int32Array& table, int32_t stride, int32_t number, int32_t* header) {
  if (table.length % stride == 0) return true;
  reportFault(header, CoreFaultNumber::partialRow, number);
  return false;
}

static bool checkRanges(const VirTables& tables, const FunctionRows& rows, int32_t id, int32_t* header) {
  bool isGood = isRange(rows.firstInstruction, rows.instructionCount,
                        tables.instructions.length / VIR_INSTRUCTION::stride) &&
                isRange(rows.firstBlock, rows.blockCount, tables.blocks.length / VIR_BLOCK::stride) &&
                isRange(rows.firstOperand, rows.operandCount, tables.operands.length) &&
                isRange(0, rows.parameterCount, rows.instructionCount);
  if (!isGood) reportFault(header, CoreFaultNumber::index, FUNCTIONS, id);
  return isGood;
}

static bool isRange(int32_t first, int32_t count, int32_t length) {
  return first >= 0 && count >= 0 && first <= length && count <= length - first;
}

static bool validateFunctions(const VirTables& tables, int32_t functionCount, int32_t* header) {
  int32_t largest = 0;
  for (int32_t id = 0; id < functionCount; id++) {
    FunctionRows rows = readFunctionRows(tables, id);
    if (rows.blockCount > 0 && rows.instructionCount > largest) largest = rows.instructionCount;
  }
  std::vector<int32_t> isPlaced(largest);
  for (int32_t id = 0; id < functionCount; id++) {
    FunctionRows rows = readFunctionRows(tables, id);
    if (rows.blockCount <= 0) continue;
    std::fill_n(isPlaced.begin(), rows.instructionCount, 0);
    if (!validateParameters(tables, rows, isPlaced, header)) return false;
    if (!validateBlocks(tables, rows, isPlaced, header)) return false;
    if (!validateOperands(tables, rows, isPlaced, header)) return false;
  }
  return true;
}

static bool validateParameters(const VirTables& tables, const FunctionRows& rows,
                               std::vector<int32_t>& isPlaced, int32_t* header) {
  for (int32_t inst = 0; inst < rows.parameterCount; inst++) {
    if (instructionOpcode(tables, rows, inst) != Opcode::param ||
        instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount) != 0) {
      reportFault(header, CoreFaultNumber::shape, INSTRUCTIONS, rows.firstInstruction + inst);
      return false;
    }
    isPlaced[inst] = 1;
  }
  return true;
}

static bool validateBlocks(const VirTables& tables, const FunctionRows& rows, std::vector<int32_t>& isPlaced,
                           int32_t* header) {
  for (int32_t block = 0; block < rows.blockCount; block++) {
    int32_t first = blockColumn(tables, rows, block, VIR_BLOCK::firstInstruction);
    int32_t count = blockColumn(tables, rows, block, VIR_BLOCK::instructionCount);
    if (!isRange(first, count, rows.instructionCount) || first < rows.parameterCount || count == 0) {
      reportFault(header, CoreFaultNumber::index, BLOCKS, rows.firstBlock + block);
      return false;
    }
    bool isAfterPhis = false;
    for (int32_t inst = first; inst < first + count; inst++) {
      int32_t opcode = instructionOpcode(tables, rows, inst);
      bool isLast = inst == first + count - 1;
      if (opcode < 0 || opcode >= OPCODE_COUNT) {
        reportFault(header, CoreFaultNumber::opcode, INSTRUCTIONS, rows.firstInstruction + inst);
        return false;
      }
      bool isEnd = opcode >= Opcode::br && opcode <= Opcode::unreachable;
      if (isPlaced[inst] != 0 || isEnd != isLast || opcode == Opcode::param ||
          (opcode == Opcode::phi && isAfterPhis)) {
        reportFault(header, CoreFaultNumber::shape, INSTRUCTIONS, rows.firstInstruction + inst);
        return false;
      }
      if (opcode != Opcode::phi) isAfterPhis = true;
      isPlaced[inst] = 1;
    }
  }
  return true;
}

static bool validateOperands(const VirTables& tables, const FunctionRows& rows,
                             const std::vector<int32_t>& isPlaced, int32_t* header) {
  int32_t total = rows.operandCount;
  for (int32_t inst = rows.parameterCount; inst < rows.instructionCount; inst++) {
    if (isPlaced[inst] == 0) continue;
    int32_t start = instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandStart);
    int32_t count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount);
    int32_t opcode = instructionOpcode(tables, rows, inst);
    const bool isGoodRange = isRange(start, count, rows.operandCount);
    total -= isGoodRange ? count : 0;
    if (!isGoodRange || total < 0 || !isArity(opcode, count)) {
      reportFault(header, CoreFaultNumber::arity, INSTRUCTIONS, rows.firstInstruction + inst);
      return false;
    }
    if (count > 0 && !validateOperandsOf(tables, rows, isPlaced, inst, header)) return false;
  }
  return true;
}

static bool isArity(int32_t opcode, int32_t count) {
  if (opcode == Opcode::phi) return count % 2 == 0;
  if (opcode == Opcode::br) return count == 1;
  if (opcode == Opcode::condbr) return count == 3;
  if (opcode == Opcode::switch_) return count >= 2 && count % 2 == 0;
  return true;
}

static bool validateOperandsOf(const VirTables& tables, const FunctionRows& rows,
                               const std::vector<int32_t>& isPlaced, int32_t inst, int32_t* header) {
  int32_t opcode = instructionOpcode(tables, rows, inst);
  int32_t start = operandsOf(tables, rows, inst);
  int32_t count = instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandCount);
  int32_t values = plainValueCount(opcode, count);
  for (int32_t index = 0; index < count; index++) {
    int32_t operand = tables.operands[start + index];
    bool isGood = true;
    if (opcode == Opcode::phi && index % 2 == 0) {
      isGood = operand < NONE || isValue(rows, isPlaced, operand);
    } else if (index < values) {
      isGood = operand < 0 || isValue(rows, isPlaced, operand);
    } else if (opcode != Opcode::switch_ || index % 2 == 1) {
      isGood = operand >= 0 && operand < rows.blockCount;
    }
    if (!isGood) {
      reportFault(header, CoreFaultNumber::index, OPERANDS, start + index);
      return false;
    }
  }
  return true;
}

static bool isValue(const FunctionRows& rows, const std::vector<int32_t>& isPlaced, int32_t operand) {
  return operand >= 0 && operand < rows.instructionCount && isPlaced[operand] != 0;
}

}  // namespace vct
