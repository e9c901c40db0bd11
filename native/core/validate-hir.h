// Twin of src/core/validate-hir.ts.
#pragma once

#include "border.h"

namespace vct {

namespace LowerInput {
constexpr int32_t nodes = 0;
constexpr int32_t variables = 1;
constexpr int32_t functions = 2;
constexpr int32_t types = 3;
constexpr int32_t constants = 4;
constexpr int32_t traitSets = 5;
constexpr int32_t signatures = 6;
constexpr int32_t count = 7;
}  // namespace LowerInput

bool validateHir(const Int32Array* inputs, int32_t* header);

}  // namespace vct
