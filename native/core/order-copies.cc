// Twin of src/core/order-copies.ts, which explains the algorithm.

#include "order-copies.h"
#include <algorithm>
#include "parallel-copy.h"

namespace vct {

static bool validateCopies(const Int32Array* inputs, int32_t* header) {
  const Int32Array& destinations = inputs[0];
  const Int32Array& sources = inputs[1];
  const Int32Array& request = inputs[2];
  if (request.length != 1 || sources.length != destinations.length) {
    reportFault(header, CoreFaultNumber::rowCount, request.length != 1 ? 2 : 1);
    return false;
  }
  const int32_t variableCount = request[0];
  // More variables than the copies can name would take memory for nothing.
  if (variableCount < 0 || variableCount > 2 * int64_t{destinations.length}) {
    reportFault(header, CoreFaultNumber::index, 2, 0);
    return false;
  }
  std::vector<uint8_t> isSet(static_cast<size_t>(variableCount));
  for (int32_t index = 0; index < destinations.length; index++) {
    for (int32_t table = 0; table < 2; table++) {
      const int32_t variable = inputs[table][index];
      if (variable < 0 || variable >= variableCount) {
        reportFault(header, CoreFaultNumber::index, table, index);
        return false;
      }
    }
    const int32_t destination = destinations[index];
    if (isSet[destination] == 1) {
      reportFault(header, CoreFaultNumber::shape, 0, index);
      return false;
    }
    isSet[destination] = 1;
  }
  return true;
}

static void writeMoves(const ParallelCopy& copy, const Int32Array* outputs) {
  for (int32_t move = 0; move < copy.moveCount; move++) {
    outputs[0][move] = std::max(NONE, copy.moveDestination[move]);
    outputs[1][move] = std::max(NONE, copy.moveSource[move]);
  }
}

void orderCopies(const Int32Array* inputs, const Int32Array* outputs, int32_t* header) {
  if (!validateCopies(inputs, header)) return;
  const Int32Array& destinations = inputs[0];
  const Int32Array& sources = inputs[1];
  ParallelCopy copy = makeParallelCopy(inputs[2][0], destinations.length);
  std::copy_n(destinations.data, destinations.length, copy.destination.begin());
  std::copy_n(sources.data, sources.length, copy.source.begin());
  sequentialize(copy, destinations.length);
  bool fits = true;
  for (int32_t output = 0; output < copiesOutputCount; output++) {
    header[CoreHeader::firstSize + output] = copy.moveCount;
    if (outputs[output].length < copy.moveCount) fits = false;
  }
  header[CoreHeader::status] = fits ? CoreStatus::ok : CoreStatus::capacity;
  if (fits) writeMoves(copy, outputs);
}

}  // namespace vct
