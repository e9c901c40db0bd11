// Twin of src/core/write-lists.ts, which explains the algorithm.

#include "write-lists.h"

namespace vct {

void clearWrites(WriteLists& writes) {
  writes.time.length = 0;
  writes.value.length = 0;
  writes.before.length = 0;
  writes.depth.length = 0;
  writes.jump.length = 0;
  writes.latest.length = 0;
  writes.readBlock.length = 0;
  writes.readTime.length = 0;
  writes.readValue.length = 0;
  writes.firstPlace.length = 0;
  writes.places.length = 0;
  writes.placeVariable.length = 0;
  writes.loopFirstPlace.length = 0;
  writes.loopEndPlace.length = 0;
  writes.loopOuter.length = 0;
}

void sortPlaces(WriteLists& writes, int32_t variableCount) {
  writes.latest.resize(variableCount, NONE);
  writes.readBlock.resize(variableCount, NONE);
  writes.readTime.resize(variableCount, NONE);
  writes.readValue.resize(variableCount, NONE);
  writes.firstPlace.resize(int64_t{variableCount} + 2, 0);
  const int32_t count = writes.placeVariable.length;
  int32_t* first = writes.firstPlace.data;
  for (int32_t place = 0; place < count; place++) first[writes.placeVariable.data[place] + 2]++;
  for (int32_t variable = 2; variable < variableCount + 2; variable++) {
    first[variable] += first[variable - 1];
  }
  writes.places.resize(count, 0);
  for (int32_t place = 0; place < count; place++) {
    const int32_t variable = writes.placeVariable.data[place];
    writes.places.data[first[variable + 1]] = place;
    first[variable + 1]++;
  }
}

static bool isWrittenIn(WriteLists& writes, int32_t variable, int32_t header) {
  const int32_t start = writes.loopFirstPlace.data[header];
  int32_t low = writes.firstPlace.data[variable];
  const int32_t end = writes.firstPlace.data[variable + 1];
  int32_t high = end;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (writes.places.data[middle] < start)
      low = middle + 1;
    else
      high = middle;
  }
  return low < end && writes.places.data[low] < writes.loopEndPlace.data[header];
}

int32_t writingLoop(FunctionBuffer& buffer, WriteLists& writes, int32_t block, int32_t variable,
                    int32_t time) {
  int32_t header = getBlock(buffer, block, BufferBlock::loop);
  while (header != NONE && getBlock(buffer, header, BufferBlock::startTime) > time) {
    if (isWrittenIn(writes, variable, header)) return header;
    header = writes.loopOuter.data[header];
  }
  return NONE;
}

void beginLoop(FunctionBuffer& buffer, WriteLists& writes, int32_t header, int32_t firstPlace,
               int32_t endPlace) {
  writes.loopFirstPlace.resize(int64_t{header} + 1, NONE);
  writes.loopEndPlace.resize(int64_t{header} + 1, NONE);
  writes.loopOuter.resize(int64_t{header} + 1, NONE);
  writes.loopFirstPlace.data[header] = firstPlace;
  writes.loopEndPlace.data[header] = endPlace;
  writes.loopOuter.data[header] = buffer.loop;
  buffer.loop = header;
}

void leaveLoop(FunctionBuffer& buffer, WriteLists& writes) {
  buffer.loop = writes.loopOuter.data[buffer.loop];
}

static int32_t jumpFrom(WriteLists& writes, int32_t before) {
  if (before == NONE) return NONE;
  const int32_t first = writes.jump.data[before];
  if (first == NONE) return before;
  const int32_t second = writes.jump.data[first];
  if (second == NONE) return before;
  const int32_t near = writes.depth.data[before] - writes.depth.data[first];
  const int32_t far = writes.depth.data[first] - writes.depth.data[second];
  return near == far ? second : before;
}

void appendWrite(FunctionBuffer& buffer, WriteLists& writes, int32_t variable, int32_t value) {
  const int32_t before = writes.latest.data[variable];
  writes.time.push(++buffer.clock);
  writes.value.push(value);
  writes.before.push(before);
  writes.depth.push(before == NONE ? 0 : writes.depth.data[before] + 1);
  writes.latest.data[variable] = writes.jump.push(jumpFrom(writes, before));
  writes.readBlock.data[variable] = NONE;
}

int32_t latestWrite(WriteLists& writes, int32_t variable) {
  return writes.latest.data[variable];
}

int32_t writeUpTo(WriteLists& writes, int32_t write, int32_t time) {
  const int32_t* times = writes.time.data;
  while (write != NONE && times[write] > time) {
    const int32_t far = writes.jump.data[write];
    write = far != NONE && times[far] > time ? far : writes.before.data[write];
  }
  return write;
}

void rememberRead(FunctionBuffer& buffer, WriteLists& writes, int32_t variable, int32_t value) {
  writes.readBlock.data[variable] = buffer.current;
  writes.readTime.data[variable] = buffer.clock;
  writes.readValue.data[variable] = value;
}

}  // namespace vct
