// Twin of src/core/scan-regions.ts.
#pragma once

#include "lower-state.h"

namespace vct {

void beginRegions(LowerState& state);
void scanRegions(LowerState& state, int32_t id);

}  // namespace vct
