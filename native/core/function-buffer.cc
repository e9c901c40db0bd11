// Twin of src/core/function-buffer.ts, which explains the algorithm.

#include "function-buffer.h"
#include <initializer_list>
#include "dominator-growth.h"

namespace vct {

void clearBuffer(FunctionBuffer& buffer) {
  for (Words* list : {
           &buffer.rowOpcode,
           &buffer.rowType,
           &buffer.rowOperandStart,
           &buffer.rowOperandCount,
           &buffer.rowAux,
           &buffer.rowName,
           &buffer.rowPosition,
           &buffer.rowTraits,
           &buffer.rowNode,
           &buffer.rowForward,
           &buffer.rowNextPhi,
           &buffer.operands,
           &buffer.blockFirstRow,
           &buffer.blockEndRow,
           &buffer.blockName,
           &buffer.blockPosition,
           &buffer.blockNode,
           &buffer.blockSealed,
           &buffer.blockPredecessorCount,
           &buffer.blockFirstIn,
           &buffer.blockLastIn,
           &buffer.blockFirstOut,
           &buffer.blockLastOut,
           &buffer.blockFirstPhi,
           &buffer.blockLastPhi,
           &buffer.blockDominator,
           &buffer.blockDepth,
           &buffer.blockJump,
           &buffer.blockStartTime,
           &buffer.blockEndTime,
           &buffer.blockLoop,
           &buffer.startedBlocks,
           &buffer.edgeFrom,
           &buffer.edgeTo,
           &buffer.edgeIndex,
           &buffer.edgeNextIn,
           &buffer.edgeNextOut,
       }) {
    list->length = 0;
  }
  buffer.current = NONE;
  buffer.clock = 0;
  buffer.loop = NONE;
}

int32_t newBlock(FunctionBuffer& buffer, int32_t name, int32_t node, int32_t position) {
  buffer.blockFirstRow.push(NONE);
  buffer.blockEndRow.push(NONE);
  buffer.blockPosition.push(position);
  buffer.blockNode.push(node);
  buffer.blockSealed.push(0);
  buffer.blockPredecessorCount.push(0);
  buffer.blockFirstIn.push(NONE);
  buffer.blockLastIn.push(NONE);
  buffer.blockFirstOut.push(NONE);
  buffer.blockLastOut.push(NONE);
  buffer.blockFirstPhi.push(NONE);
  buffer.blockLastPhi.push(NONE);
  buffer.blockDominator.push(NONE);
  buffer.blockDepth.push(0);
  buffer.blockJump.push(NONE);
  buffer.blockStartTime.push(NONE);
  buffer.blockEndTime.push(STILL_OPEN);
  buffer.blockLoop.push(NONE);
  return buffer.blockName.push(name);
}

void startBlock(FunctionBuffer& buffer, int32_t block) {
  buffer.blockFirstRow.data[block] = buffer.rowOpcode.length;
  buffer.blockStartTime.data[block] = ++buffer.clock;
  buffer.blockLoop.data[block] = buffer.loop;
  buffer.startedBlocks.push(block);
  buffer.current = block;
  placeBlock(buffer, block);
}

int32_t newRow(FunctionBuffer& buffer, int32_t opcode, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node) {
  buffer.rowType.push(type);
  buffer.rowOperandStart.push(buffer.operands.length);
  buffer.rowOperandCount.push(0);
  buffer.rowAux.push(aux);
  buffer.rowName.push(name);
  buffer.rowPosition.push(position);
  buffer.rowTraits.push(traits);
  buffer.rowNode.push(node);
  buffer.rowForward.push(NONE);
  buffer.rowNextPhi.push(NONE);
  return buffer.rowOpcode.push(opcode);
}

void addOperand(FunctionBuffer& buffer, int32_t row, int32_t operand) {
  buffer.operands.push(operand);
  buffer.rowOperandCount.data[row]++;
}

void endBlock(FunctionBuffer& buffer) {
  buffer.blockEndRow.data[buffer.current] = buffer.rowOpcode.length;
  buffer.blockEndTime.data[buffer.current] = ++buffer.clock;
  buffer.current = NONE;
}

void addEdge(FunctionBuffer& buffer, int32_t target) {
  const int32_t from = buffer.current;
  const int32_t lastIn = buffer.blockLastIn.data[target];
  if (lastIn != NONE && buffer.edgeFrom.data[lastIn] == from) return;
  const int32_t edge = buffer.edgeFrom.push(from);
  buffer.edgeTo.push(target);
  buffer.edgeIndex.push(buffer.blockPredecessorCount.data[target]);
  buffer.edgeNextIn.push(NONE);
  buffer.edgeNextOut.push(NONE);
  buffer.blockPredecessorCount.data[target]++;
  if (lastIn == NONE)
    buffer.blockFirstIn.data[target] = edge;
  else
    buffer.edgeNextIn.data[lastIn] = edge;
  buffer.blockLastIn.data[target] = edge;
  const int32_t lastOut = buffer.blockLastOut.data[from];
  if (lastOut == NONE)
    buffer.blockFirstOut.data[from] = edge;
  else
    buffer.edgeNextOut.data[lastOut] = edge;
  buffer.blockLastOut.data[from] = edge;
}

int32_t newPhi(FunctionBuffer& buffer, int32_t block, int32_t type, int32_t aux, int32_t name,
               int32_t position, int32_t traits, int32_t node) {
  const int32_t phi = newRow(buffer, Opcode::phi, type, aux, name, position, traits, node);
  appendPhi(buffer, block, phi);
  return phi;
}

void appendPhi(FunctionBuffer& buffer, int32_t block, int32_t phi) {
  if (buffer.blockFirstPhi.data[block] == NONE)
    buffer.blockFirstPhi.data[block] = phi;
  else
    buffer.rowNextPhi.data[buffer.blockLastPhi.data[block]] = phi;
  buffer.rowNextPhi.data[phi] = NONE;
  buffer.blockLastPhi.data[block] = phi;
}

int32_t resolve(FunctionBuffer& buffer, int32_t value) {
  int32_t* const forward = buffer.rowForward.data;
  int32_t end = value;
  while (end >= 0 && forward[end] != NONE) end = forward[end];
  while (value >= 0 && value != end) {
    const int32_t next = forward[value];
    forward[value] = end;
    value = next;
  }
  return end;
}

}  // namespace vct
