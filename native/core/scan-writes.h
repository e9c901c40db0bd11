// Twin of src/core/scan-writes.ts.
#pragma once

#include "lower-state.h"

namespace vct {

void scanWrites(LowerState& state);

}  // namespace vct
