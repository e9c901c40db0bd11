// Twin of src/core/order-copies.ts.
#pragma once

#include "border.h"

namespace vct {

constexpr int32_t copiesInputCount = 3;
constexpr int32_t copiesOutputCount = 2;

void orderCopies(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
