// Twin of src/core/live-sets.ts.
#pragma once

#include "border.h"

namespace vct {

constexpr int32_t liveInputCount = 6;
constexpr int32_t liveOutputCount = 4;

void liveSets(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
