// Twin of src/core/ssa.ts, which explains the algorithm.

#include "ssa.h"
#include <algorithm>
#include <utility>
#include "dominator-growth.h"

namespace vct {

void clearSsa(SsaState& state) {
  state.variableType.length = 0;
  state.variableName.length = 0;
  state.variablePosition.length = 0;
  state.variableTraits.length = 0;
  state.variableNode.length = 0;
  state.variableUndef.length = 0;
  state.stamp++;
  state.mapCount = 0;
  state.pendingPhis.length = 0;
  state.firstUser.length = 0;
  state.lastUser.length = 0;
  state.userPhi.length = 0;
  state.userNext.length = 0;
  state.suspects.length = 0;
  state.phiBlock.length = 0;
  state.nextIncomplete.length = 0;
  state.firstIncomplete.length = 0;
  clearWrites(state.writes);
}

static int32_t findEntry(SsaState& state, int32_t block, int32_t variable) {
  const std::vector<int32_t>& map = state.map;
  const int32_t stamp = state.stamp;
  const auto mask = static_cast<uint32_t>(map.size() - 1);
  uint32_t hash = static_cast<uint32_t>(block) * 0x9e3779b1u ^ static_cast<uint32_t>(variable) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 15)) * 0x2c1b3c6du;
  hash ^= hash >> 13;
  uint32_t at = (hash * MapEntry::stride) & mask;
  while (map[at + MapEntry::stamp] == stamp) {
    if (map[at + MapEntry::block] == block && map[at + MapEntry::variable] == variable) {
      return static_cast<int32_t>(at);
    }
    at = (at + MapEntry::stride) & mask;
  }
  return static_cast<int32_t>(at);
}

static void growMap(SsaState& state) {
  const size_t size = state.map.size() * 2;
  if (size > INT32_MAX) throw std::bad_alloc();
  const std::vector<int32_t> old = std::exchange(state.map, std::vector<int32_t>(size));
  for (size_t from = 0; from < old.size(); from += MapEntry::stride) {
    if (old[from + MapEntry::stamp] != state.stamp) continue;
    const int32_t at = findEntry(state, old[from + MapEntry::block], old[from + MapEntry::variable]);
    for (int32_t word = 0; word < MapEntry::stride; word++) state.map[at + word] = old[from + word];
  }
}

static int32_t findDefinition(SsaState& state, int32_t block, int32_t variable) {
  const int32_t at = findEntry(state, block, variable);
  return state.map[at + MapEntry::stamp] == state.stamp ? state.map[at + MapEntry::value] : NONE;
}

static void recordDefinition(SsaState& state, int32_t block, int32_t variable, int32_t value) {
  if (static_cast<size_t>(state.mapCount) * 2 * MapEntry::stride >= state.map.size()) growMap(state);
  const int32_t at = findEntry(state, block, variable);
  if (state.map[at + MapEntry::stamp] != state.stamp) {
    state.map[at + MapEntry::stamp] = state.stamp;
    state.map[at + MapEntry::block] = block;
    state.map[at + MapEntry::variable] = variable;
    state.mapCount++;
  }
  state.map[at + MapEntry::value] = value;
}

void writeVariable(FunctionBuffer& buffer, SsaState& state, int32_t variable, int32_t value) {
  if (state.isGeneral)
    recordDefinition(state, buffer.current, variable, value);
  else
    appendWrite(buffer, state.writes, variable, value);
}

static int32_t newVariablePhi(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable) {
  const int32_t phi = newPhi(buffer, block, state.variableType.data[variable], variable,
                             state.variableName.data[variable], state.variablePosition.data[variable],
                             state.variableTraits.data[variable], state.variableNode.data[variable]);
  state.phiBlock.resize(phi + 1, NONE);
  state.phiBlock.data[phi] = block;
  recordDefinition(state, block, variable, phi);
  return phi;
}

static int32_t newWaitingPhi(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable) {
  const int32_t phi = newVariablePhi(buffer, state, block, variable);
  if (getBlock(buffer, block, BufferBlock::sealed) == 1) {
    state.pendingPhis.push(phi);
    return phi;
  }
  state.firstIncomplete.resize(buffer.blockCount, NONE);
  state.nextIncomplete.resize(int64_t{phi} + 1, NONE);
  state.nextIncomplete.data[phi] = state.firstIncomplete.data[block];
  state.firstIncomplete.data[block] = phi;
  return phi;
}

static int32_t onlyPredecessor(FunctionBuffer& buffer, int32_t block) {
  return getEdge(buffer, getBlock(buffer, block, BufferBlock::firstIn), BufferEdge::from);
}

static int32_t readGeneral(FunctionBuffer& buffer, SsaState& state, int32_t start, int32_t variable) {
  int32_t block = start;
  int32_t value = NONE;
  int32_t mark = NONE;
  int64_t stepsLeft = 1;
  int64_t stepLimit = 1;
  for (;;) {
    value = findDefinition(state, block, variable);
    if (value != NONE) {
      value = resolve(buffer, value);
      break;
    }
    const int32_t predecessorCount = getBlock(buffer, block, BufferBlock::predecessorCount);
    if (getBlock(buffer, block, BufferBlock::sealed) == 0 || predecessorCount > 1) {
      value = newWaitingPhi(buffer, state, block, variable);
      break;
    }
    if (predecessorCount == 0 || block == mark) {
      value = state.variableUndef.data[variable];
      recordDefinition(state, block, variable, value);
      break;
    }
    if (--stepsLeft == 0) {
      mark = block;
      stepLimit *= 2;
      stepsLeft = stepLimit;
    }
    block = onlyPredecessor(buffer, block);
  }
  int32_t passed = start;
  while (passed != block) {
    recordDefinition(state, passed, variable, value);
    passed = onlyPredecessor(buffer, passed);
  }
  return value;
}

static int32_t phiOf(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable) {
  const int32_t known = findDefinition(state, block, variable);
  return known == NONE ? newWaitingPhi(buffer, state, block, variable) : resolve(buffer, known);
}

static int32_t readStructured(FunctionBuffer& buffer, SsaState& state, int32_t start, int32_t variable,
                              int32_t latest) {
  WriteLists& writes = state.writes;
  int32_t block = start;
  int32_t write = latest;
  for (;;) {
    const int32_t time = write == NONE ? NONE : writes.time.data[write];
    const int32_t top = highestOpenAt(buffer, block, time);
    const int32_t topStart = getBlock(buffer, top, BufferBlock::startTime);
    const int32_t header = writingLoop(buffer, writes, block, variable, std::max(time, topStart));
    if (header != NONE) return phiOf(buffer, state, header, variable);
    if (time >= topStart) return resolve(buffer, writes.value.data[write]);
    const int32_t predecessorCount = getBlock(buffer, top, BufferBlock::predecessorCount);
    if (predecessorCount == 0) return state.variableUndef.data[variable];
    if (predecessorCount > 1) return phiOf(buffer, state, top, variable);
    block = onlyPredecessor(buffer, top);
    write = writeUpTo(writes, write, getBlock(buffer, block, BufferBlock::endTime));
  }
}

static int32_t readAtEnd(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable) {
  if (state.isGeneral) return readGeneral(buffer, state, block, variable);
  WriteLists& writes = state.writes;
  const int32_t write = writeUpTo(writes, latestWrite(writes, variable), getBlock(buffer, block, BufferBlock::endTime));
  return readStructured(buffer, state, block, variable, write);
}

static int32_t rememberedRead(FunctionBuffer& buffer, SsaState& state, int32_t block, int32_t variable) {
  WriteLists& writes = state.writes;
  const int32_t readBlock = writes.readBlock.data[variable];
  if (readBlock == NONE) return NONE;
  const int32_t value = resolve(buffer, writes.readValue.data[variable]);
  if (readBlock == block) return value;
  const int32_t time = writes.readTime.data[variable];
  if (highestOpenAt(buffer, block, time) != readBlock) return NONE;
  const int32_t header = writingLoop(buffer, writes, block, variable, time);
  return header == NONE ? value : phiOf(buffer, state, header, variable);
}

static int32_t readHere(FunctionBuffer& buffer, SsaState& state, int32_t variable) {
  const int32_t block = buffer.current;
  if (state.isGeneral) return readGeneral(buffer, state, block, variable);
  WriteLists& writes = state.writes;
  const int32_t write = latestWrite(writes, variable);
  const int32_t start = getBlock(buffer, block, BufferBlock::startTime);
  if (write != NONE && writes.time.data[write] >= start) {
    return resolve(buffer, writes.value.data[write]);
  }
  const int32_t remembered = rememberedRead(buffer, state, block, variable);
  const int32_t value =
      remembered == NONE ? readStructured(buffer, state, block, variable, write) : remembered;
  rememberRead(buffer, writes, variable, value);
  return value;
}

static void addUser(SsaState& state, int32_t row, int32_t phi) {
  state.firstUser.resize(std::max(state.firstUser.length, row + 1), NONE);
  state.lastUser.resize(std::max(state.lastUser.length, row + 1), NONE);
  const int32_t cell = state.userPhi.push(phi);
  state.userNext.push(NONE);
  const int32_t last = state.lastUser.data[row];
  if (last == NONE)
    state.firstUser.data[row] = cell;
  else
    state.userNext.data[last] = cell;
  state.lastUser.data[row] = cell;
}

static void moveUsers(SsaState& state, int32_t from, int32_t to) {
  if (from >= state.firstUser.length || state.firstUser.data[from] == NONE) return;
  state.firstUser.resize(std::max(state.firstUser.length, to + 1), NONE);
  state.lastUser.resize(std::max(state.lastUser.length, to + 1), NONE);
  const int32_t last = state.lastUser.data[to];
  if (last == NONE)
    state.firstUser.data[to] = state.firstUser.data[from];
  else
    state.userNext.data[last] = state.firstUser.data[from];
  state.lastUser.data[to] = state.lastUser.data[from];
  state.firstUser.data[from] = NONE;
  state.lastUser.data[from] = NONE;
}

static void fillPhi(FunctionBuffer& buffer, SsaState& state, int32_t phi) {
  const int32_t block = state.phiBlock.data[phi];
  const int32_t variable = getRow(buffer, phi, BufferRow::aux);
  const int32_t count = getBlock(buffer, block, BufferBlock::predecessorCount);
  const int32_t start = buffer.operands.length;
  // The operands get their place first: reading one may make other phis, but those are filled later.
  buffer.operands.resize(start + count, NONE);
  int32_t edge = getBlock(buffer, block, BufferBlock::firstIn);
  for (int32_t index = 0; index < count; index++) {
    const int32_t value = readAtEnd(buffer, state, getEdge(buffer, edge, BufferEdge::from), variable);
    buffer.operands.data[start + index] = value;
    edge = getEdge(buffer, edge, BufferEdge::nextIn);
  }
  setRow(buffer, phi, BufferRow::operandStart, start);
  setRow(buffer, phi, BufferRow::operandCount, count);
  if (state.isRemovalLate) return;
  for (int32_t index = 0; index < count; index++) {
    const int32_t value = resolve(buffer, buffer.operands.data[start + index]);
    if (value >= 0 && value != phi && value < state.phiBlock.length && state.phiBlock.data[value] != NONE) {
      addUser(state, value, phi);
    }
  }
  state.suspects.push(phi);
}

static int32_t onlyValue(FunctionBuffer& buffer, SsaState& state, int32_t phi) {
  const int32_t start = getRow(buffer, phi, BufferRow::operandStart);
  const int32_t count = getRow(buffer, phi, BufferRow::operandCount);
  int32_t same = NONE;
  for (int32_t index = 0; index < count; index++) {
    const int32_t value = resolve(buffer, buffer.operands.data[start + index]);
    if (value == phi || value == same) continue;
    if (same != NONE) return phi;
    same = value;
  }
  return same == NONE ? state.variableUndef.data[getRow(buffer, phi, BufferRow::aux)] : same;
}

static bool isUnreached(FunctionBuffer& buffer, SsaState& state, int32_t phi) {
  const int32_t block = state.phiBlock.data[phi];
  return getBlock(buffer, block, BufferBlock::sealed) == 1 && getBlock(buffer, block, BufferBlock::predecessorCount) == 0;
}

static void removeTrivialPhis(FunctionBuffer& buffer, SsaState& state) {
  while (state.suspects.length > 0) {
    const int32_t phi = state.suspects.pop();
    // A phi without operands is still to be filled, and becomes a suspect then; or its block turned out to have no predecessor.
    const bool isWaiting = getRow(buffer, phi, BufferRow::operandCount) == 0 && !isUnreached(buffer, state, phi);
    if (getRow(buffer, phi, BufferRow::forward) != NONE || isWaiting) continue;
    const int32_t value = onlyValue(buffer, state, phi);
    if (value == phi) continue;
    setRow(buffer, phi, BufferRow::forward, value);
    int32_t cell = phi < state.firstUser.length ? state.firstUser.data[phi] : NONE;
    while (cell != NONE) {
      state.suspects.push(state.userPhi.data[cell]);
      cell = state.userNext.data[cell];
    }
    if (value >= 0 && value < state.phiBlock.length && state.phiBlock.data[value] != NONE) {
      moveUsers(state, phi, value);
    }
  }
}

static void fillPendingPhis(FunctionBuffer& buffer, SsaState& state) {
  while (state.pendingPhis.length > 0) fillPhi(buffer, state, state.pendingPhis.pop());
  if (!state.isRemovalLate) removeTrivialPhis(buffer, state);
}

int32_t readVariable(FunctionBuffer& buffer, SsaState& state, int32_t variable) {
  const int32_t value = readHere(buffer, state, variable);
  if (state.pendingPhis.length > 0) fillPendingPhis(buffer, state);
  return resolve(buffer, value);
}

void sealBlock(FunctionBuffer& buffer, SsaState& state, int32_t block) {
  setBlock(buffer, block, BufferBlock::sealed, 1);
  if (block >= state.firstIncomplete.length) return;
  int32_t phi = state.firstIncomplete.data[block];
  state.firstIncomplete.data[block] = NONE;
  while (phi != NONE) {
    state.pendingPhis.push(phi);
    phi = state.nextIncomplete.data[phi];
  }
  fillPendingPhis(buffer, state);
}

}  // namespace vct
