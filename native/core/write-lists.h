// Twin of src/core/write-lists.ts.
#pragma once

#include "function-buffer.h"

namespace vct {

struct WriteLists {
  Words time;
  Words value;
  Words before;
  Words depth;
  Words jump;
  Words latest;
  Words readBlock;
  Words readTime;
  Words readValue;
  Words firstPlace;
  Words places;
  Words placeVariable;
  Words loopFirstPlace;
  Words loopEndPlace;
  Words loopOuter;
};

void clearWrites(WriteLists& writes);
void sortPlaces(WriteLists& writes, int32_t variableCount);
int32_t writingLoop(FunctionBuffer& buffer, WriteLists& writes, int32_t block, int32_t variable, int32_t time);
void beginLoop(FunctionBuffer& buffer, WriteLists& writes, int32_t header, int32_t firstPlace,
               int32_t endPlace);
void leaveLoop(FunctionBuffer& buffer, WriteLists& writes);
void appendWrite(FunctionBuffer& buffer, WriteLists& writes, int32_t variable, int32_t value);
int32_t latestWrite(WriteLists& writes, int32_t variable);
int32_t writeUpTo(WriteLists& writes, int32_t write, int32_t time);
void rememberRead(FunctionBuffer& buffer, WriteLists& writes, int32_t variable, int32_t value);

}  // namespace vct
