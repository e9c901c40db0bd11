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
    int32_t phi = getBlock(buffer, block, BufferBlock::firstPhi);
    while (phi != NONE) {
      if (getRow(buffer, phi, BufferRow::forward) == NONE) {
        scratch.phis.push(phi);
        scratch.phiBlocks.push(block);
        scratch.firstOfVariable.data[getRow(buffer, phi, BufferRow::aux) + 2]++;
      }
      phi = getRow(buffer, phi, BufferRow::nextPhi);
    }
    setBlock(buffer, block, BufferBlock::firstPhi, NONE);
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
    const int32_t variable = getRow(buffer, scratch.phis.data[index], BufferRow::aux);
    scratch.sortedPhis.data[first[variable + 1]] = index;
    first[variable + 1]++;
  }
  for (int32_t place = 0; place < scratch.phis.length; place++) {
    const int32_t index = scratch.sortedPhis.data[place];
    appendPhi(buffer, scratch.phiBlocks.data[index], scratch.phis.data[index]);
  }
}

static void numberRows(FunctionBuffer& buffer, LayoutScratch& scratch, int32_t parameterCount) {
  scratch.operandCount = 0;
  int32_t next = 0;
  for (int32_t row = 0; row < parameterCount; row++) setRow(buffer, row, BufferRow::final, next++);
  for (int32_t index = 0; index < buffer.startedBlocks.length; index++) {
    const int32_t block = buffer.startedBlocks.data[index];
    setBlock(buffer, block, BufferBlock::final, index);
    int32_t phi = getBlock(buffer, block, BufferBlock::firstPhi);
    while (phi != NONE) {
      setRow(buffer, phi, BufferRow::final, next++);
      scratch.operandCount += 2 * getRow(buffer, phi, BufferRow::operandCount);
      phi = getRow(buffer, phi, BufferRow::nextPhi);
    }
    const int32_t end = getBlock(buffer, block, BufferBlock::endRow);
    for (int32_t row = getBlock(buffer, block, BufferBlock::firstRow); row < end; row++) {
      if (getRow(buffer, row, BufferRow::opcode) == Opcode::phi) continue;
      setRow(buffer, row, BufferRow::final, next++);
      scratch.operandCount += getRow(buffer, row, BufferRow::operandCount);
    }
  }
  scratch.rowCount = next;
}

static void writePhiOperands(FunctionBuffer& buffer, ModuleOutput& output, int32_t block, int32_t phi) {
  const int32_t count = getRow(buffer, phi, BufferRow::operandCount);
  const int32_t start = getRow(buffer, phi, BufferRow::operandStart);
  int32_t edge = getBlock(buffer, block, BufferBlock::firstIn);
  for (int32_t index = 0; index < count; index++) {
    const int32_t from = getEdge(buffer, edge, BufferEdge::from);
    output.operands[output.operandCount++] = finalValue(buffer, buffer.operands.data[start + index]);
    output.operands[output.operandCount++] = getBlock(buffer, from, BufferBlock::final);
    edge = getEdge(buffer, edge, BufferEdge::nextIn);
  }
}

static bool isBlockOperand(int32_t opcode, int32_t index) {
  if (opcode == Opcode::br) return true;
  if (opcode == Opcode::condbr) return index > 0;
  return opcode == Opcode::switch_ && index % 2 == 1;
}

static void writeOperands(FunctionBuffer& buffer, ModuleOutput& output, int32_t row) {
  const int32_t opcode = getRow(buffer, row, BufferRow::opcode);
  const int32_t start = getRow(buffer, row, BufferRow::operandStart);
  const int32_t count = getRow(buffer, row, BufferRow::operandCount);
  for (int32_t index = 0; index < count; index++) {
    const int32_t operand = buffer.operands.data[start + index];
    const bool isBlock = opcode >= Opcode::br && isBlockOperand(opcode, index);
    output.operands[output.operandCount++] =
        isBlock ? getBlock(buffer, operand, BufferBlock::final) : finalValue(buffer, operand);
  }
}

static int32_t regionOf(const FunctionBuffer& buffer, const LayoutScratch& scratch, int32_t row) {
  if (scratch.regionOfNode.empty()) return NONE;
  if (getRow(buffer, row, BufferRow::opcode) == Opcode::alloca) return scratch.bodyRegion;
  return scratch.regionOfNode[getRow(buffer, row, BufferRow::node)];
}

static int32_t blockRegion(const FunctionBuffer& buffer, const LayoutScratch& scratch, int32_t block) {
  int32_t row = getBlock(buffer, block, BufferBlock::firstRow);
  while (getRow(buffer, row, BufferRow::opcode) == Opcode::phi) row++;
  return regionOf(buffer, scratch, row);
}

static void writeRow(FunctionBuffer& buffer, ModuleOutput& output, int32_t firstOperand, int32_t row,
                     int32_t region) {
  const int32_t at = output.instructionCount * VIR_INSTRUCTION::stride;
  const int32_t opcode = getRow(buffer, row, BufferRow::opcode);
  const int32_t count = getRow(buffer, row, BufferRow::operandCount);
  output.instructions[at + VIR_INSTRUCTION::opcodeAndRegion] =
      opcode | ((region + 1) << OpcodeAndRegion::regionShift);
  output.instructions[at + VIR_INSTRUCTION::type] = getRow(buffer, row, BufferRow::type);
  output.instructions[at + VIR_INSTRUCTION::operandStart] = output.operandCount - firstOperand;
  output.instructions[at + VIR_INSTRUCTION::operandCount] = opcode == Opcode::phi ? 2 * count : count;
  output.instructions[at + VIR_INSTRUCTION::aux] = opcode == Opcode::phi ? 0 : getRow(buffer, row, BufferRow::aux);
  output.instructions[at + VIR_INSTRUCTION::name] = getRow(buffer, row, BufferRow::name);
  output.instructions[at + VIR_INSTRUCTION::position] = getRow(buffer, row, BufferRow::position);
  output.instructions[at + VIR_INSTRUCTION::traits] = getRow(buffer, row, BufferRow::traits);
  output.instructions[at + VIR_INSTRUCTION::node] = getRow(buffer, row, BufferRow::node);
  output.instructionCount++;
}

static void writeBlock(FunctionBuffer& buffer, LayoutScratch& scratch, ModuleOutput& output, int32_t block,
                       int32_t firstRow, int32_t firstOperand) {
  const int32_t blockStart = output.instructionCount;
  const int32_t region = blockRegion(buffer, scratch, block);
  int32_t phi = getBlock(buffer, block, BufferBlock::firstPhi);
  while (phi != NONE) {
    writeRow(buffer, output, firstOperand, phi, region);
    writePhiOperands(buffer, output, block, phi);
    phi = getRow(buffer, phi, BufferRow::nextPhi);
  }
  const int32_t end = getBlock(buffer, block, BufferBlock::endRow);
  for (int32_t row = getBlock(buffer, block, BufferBlock::firstRow); row < end; row++) {
    if (getRow(buffer, row, BufferRow::opcode) == Opcode::phi) continue;
    writeRow(buffer, output, firstOperand, row, regionOf(buffer, scratch, row));
    writeOperands(buffer, output, row);
  }
  const int32_t at = output.blockCount * VIR_BLOCK::stride;
  output.blocks[at + VIR_BLOCK::firstInstruction] = blockStart - firstRow;
  output.blocks[at + VIR_BLOCK::instructionCount] = output.instructionCount - blockStart;
  output.blocks[at + VIR_BLOCK::name] = getBlock(buffer, block, BufferBlock::name);
  output.blocks[at + VIR_BLOCK::position] = getBlock(buffer, block, BufferBlock::position);
  output.blocks[at + VIR_BLOCK::traits] = 0;
  output.blocks[at + VIR_BLOCK::node] = getBlock(buffer, block, BufferBlock::node);
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
