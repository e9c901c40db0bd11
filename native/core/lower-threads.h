// Twin of src/core/lower-threads.ts.
#pragma once

#include "border.h"

namespace vct {

void lower(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

}  // namespace vct
