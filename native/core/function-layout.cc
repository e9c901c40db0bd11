// Twin of src/core/function-layout.ts, which explains the algorithm.

#include "function-layout.h"

namespace vct {

static void collectPhis(FunctionBuffer& buffer, LayoutScratch& scratch, int32_t variableCount) {
  scratch.phis.length = 0;
  scratch.phiBlocks.length = 0;
  scratch.firstOfVariable.length = 0;
  scratch.firstOfVariable.resize(int64_t{variableCount} + 2, 0);
  for (int32_t index = 0; index < buffer.startedBlocks.length; index++) {
    const int32_t block = buffer.startedBlocks.data[index];
    int32_t phi = buffer.blockFirstPhi.data[block];
    while (phi != NONE) {
      if (buffer.rowForward.data[phi] == NONE) {
        scratch.phis.push(phi);
        scratch.phiBlocks.push(block);
        scratch.firstOfVariable.data[buffer.rowAux.data[phi] + 2]++;
      }
      phi = buffer.rowNextPhi.data[phi];
    }
  }
}

static void orderPhis(FunctionBuffer& buffer, LayoutScratch& scratch, int32_t variableCount) {
  collectPhis(buffer, scratch, variableCount);
  int32_t* first = scratch.firstOfVariable.data;
  for (int32_t variable = 1; variable < variableCount + 2; variable++) {
    first[variable] += first[variable - 1];
  }
  scratch.sortedPhis.resize(scratch.phis.length, NONE);
  for (int32_t index = 0; index < scratch.phis.length; index++) {
    const int32_t variable = buffer.rowAux.data[scratch.phis.data[index]];
    scratch.sortedPhis.data[first[variable + 1]] = index;
    first[variable + 1]++;
    buffer.blockFirstPhi.data[scratch.phiBlocks.data[index]] = NONE;
  }
  for (int32_t place = 0; place < scratch.phis.length; place++) {
    const int32_t index = scratch.sortedPhis.data[place];
    appendPhi(buffer, scratch.phiBlocks.data[index], scratch.phis.data[index]);
  }
}

static void numberRows(FunctionBuffer& buffer, LayoutScratch& scratch, int32_t parameterCount) {
  const int32_t rowCount = buffer.rowOpcode.length;
  scratch.finalRow.length = 0;
  scratch.finalRow.resize(rowCount, NONE);
  scratch.finalBlock.length = 0;
  scratch.finalBlock.resize(buffer.blockName.length, NONE);
  scratch.operandCount = 0;
  int32_t next = 0;
  for (int32_t row = 0; row < parameterCount; row++) scratch.finalRow.data[row] = next++;
  for (int32_t index = 0; index < buffer.startedBlocks.length; index++) {
    const int32_t block = buffer.startedBlocks.data[index];
    scratch.finalBlock.data[block] = index;
    int32_t phi = buffer.blockFirstPhi.data[block];
    while (phi != NONE) {
      if (buffer.rowForward.data[phi] == NONE) {
        scratch.finalRow.data[phi] = next++;
        scratch.operandCount += 2 * buffer.rowOperandCount.data[phi];
      }
      phi = buffer.rowNextPhi.data[phi];
    }
    const int32_t end = buffer.blockEndRow.data[block];
    for (int32_t row = buffer.blockFirstRow.data[block]; row < end; row++) {
      if (buffer.rowOpcode.data[row] == Opcode::phi) continue;
      scratch.finalRow.data[row] = next++;
      scratch.operandCount += buffer.rowOperandCount.data[row];
    }
  }
  scratch.rowCount = next;
}

static void sortEdges(FunctionBuffer& buffer, LayoutScratch& scratch) {
  const int32_t blockCount = buffer.blockName.length;
  scratch.firstSorted.length = 0;
  scratch.firstSorted.resize(blockCount, 0);
  scratch.sortedCount.length = 0;
  scratch.sortedCount.resize(blockCount, 0);
  scratch.sortedEdges.length = 0;
  scratch.sortedEdges.resize(buffer.edgeFrom.length, NONE);
  int32_t next = 0;
  for (int32_t block = 0; block < blockCount; block++) {
    scratch.firstSorted.data[block] = next;
    next += buffer.blockPredecessorCount.data[block];
  }
  for (int32_t index = 0; index < buffer.startedBlocks.length; index++) {
    int32_t edge = buffer.blockFirstOut.data[buffer.startedBlocks.data[index]];
    while (edge != NONE) {
      const int32_t target = buffer.edgeTo.data[edge];
      const int32_t place = scratch.firstSorted.data[target] + scratch.sortedCount.data[target];
      scratch.sortedEdges.data[place] = edge;
      scratch.sortedCount.data[target]++;
      edge = buffer.edgeNextOut.data[edge];
    }
  }
}

static int32_t finalValue(FunctionBuffer& buffer, LayoutScratch& scratch, int32_t value) {
  const int32_t end = resolve(buffer, value);
  return end < 0 ? end : scratch.finalRow.data[end];
}

static void writePhiOperands(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output,
                             int32_t block, int32_t phi) {
  const int32_t first = scratch.firstSorted.data[block];
  const int32_t count = buffer.rowOperandCount.data[phi];
  const int32_t start = buffer.rowOperandStart.data[phi];
  for (int32_t index = 0; index < count; index++) {
    const int32_t edge = scratch.sortedEdges.data[first + index];
    const int32_t operand = buffer.operands.data[start + (buffer.edgeIndex.data[edge])];
    output.operands[output.operandCount++] = finalValue(buffer, scratch, operand);
    output.operands[output.operandCount++] = scratch.finalBlock.data[buffer.edgeFrom.data[edge]];
  }
}

static bool isBlockOperand(int32_t opcode, int32_t index) {
  if (opcode == Opcode::br) return true;
  if (opcode == Opcode::condbr) return index > 0;
  if (opcode == Opcode::switch_) return index % 2 == 1;
  return false;
}

static void writeOperands(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t row) {
  const int32_t opcode = buffer.rowOpcode.data[row];
  const int32_t start = buffer.rowOperandStart.data[row];
  const int32_t count = buffer.rowOperandCount.data[row];
  for (int32_t index = 0; index < count; index++) {
    const int32_t operand = buffer.operands.data[start + index];
    output.operands[output.operandCount++] = isBlockOperand(opcode, index)
                                                 ? scratch.finalBlock.data[operand]
                                                 : finalValue(buffer, scratch, operand);
  }
}

static int32_t regionOf(const FunctionBuffer& buffer, const LayoutScratch& scratch, int32_t row) {
  if (scratch.regionOfNode.empty()) return NONE;
  if (buffer.rowOpcode.data[row] == Opcode::alloca) return scratch.bodyRegion;
  return scratch.regionOfNode[buffer.rowNode.data[row]];
}

static int32_t blockRegion(const FunctionBuffer& buffer, const LayoutScratch& scratch, int32_t block) {
  int32_t row = buffer.blockFirstRow.data[block];
  while (buffer.rowOpcode.data[row] == Opcode::phi) row++;
  return regionOf(buffer, scratch, row);
}

static void writeRow(FunctionBuffer& buffer, ModuleOutput& output, int32_t firstOperand, int32_t row,
                     int32_t region) {
  const int32_t at = output.instructionCount * VIR_INSTRUCTION::stride;
  const int32_t opcode = buffer.rowOpcode.data[row];
  const int32_t count = buffer.rowOperandCount.data[row];
  output.instructions[at + VIR_INSTRUCTION::opcodeAndRegion] =
      opcode | ((region + 1) << OpcodeAndRegion::regionShift);
  output.instructions[at + VIR_INSTRUCTION::type] = buffer.rowType.data[row];
  output.instructions[at + VIR_INSTRUCTION::operandStart] = output.operandCount - firstOperand;
  output.instructions[at + VIR_INSTRUCTION::operandCount] = opcode == Opcode::phi ? 2 * count : count;
  output.instructions[at + VIR_INSTRUCTION::aux] = opcode == Opcode::phi ? 0 : buffer.rowAux.data[row];
  output.instructions[at + VIR_INSTRUCTION::name] = buffer.rowName.data[row];
  output.instructions[at + VIR_INSTRUCTION::position] = buffer.rowPosition.data[row];
  output.instructions[at + VIR_INSTRUCTION::traits] = buffer.rowTraits.data[row];
  output.instructions[at + VIR_INSTRUCTION::node] = buffer.rowNode.data[row];
  output.instructionCount++;
}

static void writeBlock(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t block,
                       int32_t firstRow, int32_t firstOperand) {
  const int32_t blockStart = output.instructionCount;
  const int32_t region = blockRegion(buffer, scratch, block);
  int32_t phi = buffer.blockFirstPhi.data[block];
  while (phi != NONE) {
    if (buffer.rowForward.data[phi] == NONE) {
      writeRow(buffer, output, firstOperand, phi, region);
      writePhiOperands(buffer, scratch, output, block, phi);
    }
    phi = buffer.rowNextPhi.data[phi];
  }
  const int32_t end = buffer.blockEndRow.data[block];
  for (int32_t row = buffer.blockFirstRow.data[block]; row < end; row++) {
    if (buffer.rowOpcode.data[row] == Opcode::phi) continue;
    writeRow(buffer, output, firstOperand, row, regionOf(buffer, scratch, row));
    writeOperands(buffer, scratch, output, row);
  }
  const int32_t at = output.blockCount * VIR_BLOCK::stride;
  output.blocks[at + VIR_BLOCK::firstInstruction] = blockStart - firstRow;
  output.blocks[at + VIR_BLOCK::instructionCount] = output.instructionCount - blockStart;
  output.blocks[at + VIR_BLOCK::name] = buffer.blockName.data[block];
  output.blocks[at + VIR_BLOCK::position] = buffer.blockPosition.data[block];
  output.blocks[at + VIR_BLOCK::traits] = 0;
  output.blocks[at + VIR_BLOCK::node] = buffer.blockNode.data[block];
  output.blockCount++;
}

static bool fits(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output) {
  return ((int64_t{output.instructionCount} + scratch.rowCount) * VIR_INSTRUCTION::stride <=
              output.instructions.length &&
          int64_t{output.operandCount} + scratch.operandCount <= output.operands.length &&
          (int64_t{output.blockCount} + buffer.startedBlocks.length) * VIR_BLOCK::stride <=
              output.blocks.length);
}

static Int32Array grown(Words& own, const Int32Array& rows, int64_t length) {
  if (length <= rows.length) return rows;
  own.length = rows.length;
  own.reserve(length < 1024 ? 1024 : length);
  return {own.data, own.room()};
}

static void growOutput(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output) {
  const int64_t instructions =
      (int64_t{output.instructionCount} + scratch.rowCount) * VIR_INSTRUCTION::stride;
  const int64_t blocks = (int64_t{output.blockCount} + buffer.startedBlocks.length) * VIR_BLOCK::stride;
  output.instructions = grown(output.ownInstructions, output.instructions, instructions);
  output.operands =
      grown(output.ownOperands, output.operands, int64_t{output.operandCount} + scratch.operandCount);
  output.blocks = grown(output.ownBlocks, output.blocks, blocks);
}

static void writeFunctionRow(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t id,
                             int32_t parameterCount) {
  const int32_t at = id * VIR_FUNCTION::stride;
  output.functions[at + VIR_FUNCTION::firstInstruction] = output.instructionCount;
  output.functions[at + VIR_FUNCTION::instructionCount] = scratch.rowCount;
  output.functions[at + VIR_FUNCTION::firstBlock] = output.blockCount;
  output.functions[at + VIR_FUNCTION::blockCount] = buffer.startedBlocks.length;
  output.functions[at + VIR_FUNCTION::firstOperand] = output.operandCount;
  output.functions[at + VIR_FUNCTION::operandCount] = scratch.operandCount;
  output.functions[at + VIR_FUNCTION::parameterCount] = parameterCount;
}

void writeFunction(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t id,
                   int32_t parameterCount, int32_t variableCount) {
  orderPhis(buffer, scratch, variableCount);
  numberRows(buffer, scratch, parameterCount);
  if (output.isGrowing) growOutput(buffer, scratch, output);
  if (output.isOverflow || !fits(buffer, scratch, output)) {
    output.isOverflow = true;
    output.instructionCount += scratch.rowCount;
    output.operandCount += scratch.operandCount;
    output.blockCount += buffer.startedBlocks.length;
    return;
  }
  sortEdges(buffer, scratch);
  writeFunctionRow(buffer, scratch, output, id, parameterCount);
  const int32_t firstRow = output.instructionCount;
  const int32_t firstOperand = output.operandCount;
  for (int32_t row = 0; row < parameterCount; row++) writeRow(buffer, output, firstOperand, row, NONE);
  for (int32_t index = 0; index < buffer.startedBlocks.length; index++) {
    const int32_t block = buffer.startedBlocks.data[index];
    writeBlock(buffer, scratch, output, block, firstRow, firstOperand);
  }
}

}  // namespace vct
