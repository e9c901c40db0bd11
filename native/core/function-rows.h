// Twin of src/core/function-rows.ts.
#pragma once

#include <algorithm>
#include <vector>

#include "border.h"

namespace vct {

struct VirTables {
  Int32Array instructions;
  Int32Array operands;
  Int32Array blocks;
  Int32Array functions;
};

struct FunctionRows {
  int32_t firstInstruction;
  int32_t instructionCount;
  int32_t firstBlock;
  int32_t blockCount;
  int32_t firstOperand;
  int32_t operandCount;
  int32_t parameterCount;
};

inline FunctionRows readFunctionRows(const VirTables& tables, int32_t id) {
  const int32_t* row = tables.functions.data + static_cast<size_t>(id) * VIR_FUNCTION::stride;
  return {
      row[VIR_FUNCTION::firstInstruction], row[VIR_FUNCTION::instructionCount],
      row[VIR_FUNCTION::firstBlock],       row[VIR_FUNCTION::blockCount],
      row[VIR_FUNCTION::firstOperand],     row[VIR_FUNCTION::operandCount],
      row[VIR_FUNCTION::parameterCount],
  };
}

inline int32_t instructionColumn(const VirTables& tables, const FunctionRows& rows, int32_t inst,
                                 int32_t column) {
  return tables.instructions
      .data[static_cast<size_t>(rows.firstInstruction + inst) * VIR_INSTRUCTION::stride + column];
}

inline int32_t instructionOpcode(const VirTables& tables, const FunctionRows& rows, int32_t inst) {
  return instructionColumn(tables, rows, inst, VIR_INSTRUCTION::opcodeAndRegion) & OpcodeAndRegion::opcodeMask;
}

inline int32_t blockColumn(const VirTables& tables, const FunctionRows& rows, int32_t block, int32_t column) {
  return tables.blocks.data[static_cast<size_t>(rows.firstBlock + block) * VIR_BLOCK::stride + column];
}

inline int32_t operandsOf(const VirTables& tables, const FunctionRows& rows, int32_t inst) {
  return rows.firstOperand + instructionColumn(tables, rows, inst, VIR_INSTRUCTION::operandStart);
}

inline int32_t plainValueCount(int32_t opcode, int32_t operandCount) {
  if (opcode == Opcode::phi || opcode == Opcode::br) return 0;
  if (opcode == Opcode::condbr || opcode == Opcode::switch_) return 1;
  return operandCount;
}

inline void placeInstructions(const VirTables& tables, const FunctionRows& rows,
                              std::vector<int32_t>& blockOf) {
  std::fill_n(blockOf.begin(), rows.instructionCount, NONE);
  std::fill_n(blockOf.begin(), rows.parameterCount, 0);
  for (int32_t block = 0; block < rows.blockCount; block++) {
    int32_t first = blockColumn(tables, rows, block, VIR_BLOCK::firstInstruction);
    std::fill_n(blockOf.begin() + first, blockColumn(tables, rows, block, VIR_BLOCK::instructionCount),
                block);
  }
}

}  // namespace vct
