// Twin of src/core/redundant-phis.ts.
#pragma once

#include "ssa.h"

namespace vct {

struct RedundantPhis {
  Words values;
  Words nodeOfRow;
  Words nodeOfConstant;
  Words edges;
  Words tops;
};

void removeRedundantPhis(FunctionBuffer& buffer, SsaState& state, RedundantPhis& graph);

}  // namespace vct
