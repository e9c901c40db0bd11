// Twin of src/core/validate-vir.ts.
#pragma once

#include "function-rows.h"

namespace vct {

bool validateVir(const VirTables& tables, int32_t* header);

}  // namespace vct
