// Twin of src/core/scan-writes.ts.
#pragma once

#include "lower-state.h"

namespace vct {

int32_t labelOf(LowerState& state, int32_t node);
void scanWrites(LowerState& state);

}  // namespace vct
