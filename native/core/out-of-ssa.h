// Twin of src/core/out-of-ssa.ts.
#pragma once

#include "border.h"

namespace vct {

constexpr int32_t outOfSsaInputCount = 4;
constexpr int32_t outOfSsaOutputCount = 3;

void outOfSsa(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
