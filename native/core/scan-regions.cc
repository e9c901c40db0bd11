// Twin of src/core/scan-regions.ts, which explains the algorithm.

#include "scan-regions.h"

namespace vct {

constexpr int32_t REGION_MASK = (1 << Trait::complex) | (1 << Trait::NoOptimize);

static bool makesRegion(LowerState& state, int32_t set) {
  if (set < 0) return false;
  const Int32Array& sets = state.inputs[LowerInput::traitSets];
  return (sets[set * TRAIT_SET::stride + TRAIT_SET::mask] & REGION_MASK) != 0;
}

void beginRegions(LowerState& state) {
  const int32_t sets = state.inputs[LowerInput::traitSets].length / TRAIT_SET::stride;
  for (int32_t set = 0; set < sets; set++) {
    if (!makesRegion(state, set)) continue;
    state.layout.regionOfNode.assign(static_cast<uint32_t>(state.values.length), NONE);
    return;
  }
}

void scanRegions(LowerState& state, int32_t id) {
  LayoutScratch& layout = state.layout;
  Words& work = state.work;
  if (layout.regionOfNode.empty()) return;
  const Int32Array& signatures = state.inputs[LowerInput::signatures];
  int32_t count = 0;
  int32_t around = NONE;
  if (makesRegion(state, signatures[id * FUNCTION::stride + FUNCTION::traits])) around = count++;
  const int32_t ofFunction = around;
  work.push(state.body);
  work.push(around);
  while (work.length > 0) {
    around = work.pop();
    const int32_t node = work.pop();
    int32_t region = around;
    // The function and its body are one region, whichever of them says so.
    const bool isKnown = node == state.body && ofFunction != NONE;
    if (!isKnown && makesRegion(state, nodeColumn(state, node, HIR_NODE::traits))) region = count++;
    if (count > OpcodeAndRegion::regionCount) {
      stop(state, CoreFaultNumber::tooLarge, node);
      break;
    }
    layout.regionOfNode[node] = region;
    const int32_t next = nodeColumn(state, node, HIR_NODE::nextSibling);
    if (next != NONE) {
      work.push(next);
      work.push(around);
    }
    const int32_t first = nodeColumn(state, node, HIR_NODE::firstChild);
    if (first != NONE) {
      work.push(first);
      work.push(region);
    }
  }
  layout.bodyRegion = layout.regionOfNode[state.body];
}

}  // namespace vct
