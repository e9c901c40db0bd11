// Twin of src/core/validate-hir.ts, which explains the algorithm.

#include "validate-hir.h"
#include <cstring>
#include <iterator>
#include <vector>

namespace vct {

static constexpr int32_t STRIDES[] = {
    HIR_NODE::stride, HIR_VARIABLE::stride, HIR_FUNCTION::stride, TYPE::stride,
    CONSTANT::stride, TRAIT_SET::stride,    FUNCTION::stride,
};

static bool isAllowedChild(char letter, int32_t kind) {
  if (letter == 'b') return kind == NodeKind::block;
  const int32_t category = nodeCategory[kind];
  if (letter == 'e') return category == NodeCategory::expression;
  if (letter == 'a') return category == NodeCategory::arm;
  return category != NodeCategory::arm;
}

static bool isAllowedAt(const char* pattern, int32_t index, int32_t count, int32_t kind) {
  const char* const starAt = std::strchr(pattern, '*');
  if (starAt == nullptr) return isAllowedChild(pattern[index], kind);
  const auto star = static_cast<int32_t>(starAt - pattern);
  const int32_t after = static_cast<int32_t>(std::strlen(pattern)) - star - 1;
  if (index < star - 1) return isAllowedChild(pattern[index], kind);
  if (index >= count - after) return isAllowedChild(pattern[star + 1 + index - (count - after)], kind);
  return isAllowedChild(pattern[star - 1], kind);
}

static bool isOperationOpcode(int32_t opcode) {
  return (opcode >= 0 && opcode < OPCODE_COUNT && opcode != Opcode::param && opcode != Opcode::phi &&
          opcode != Opcode::alloca && opcode < Opcode::br);
}

static bool isIndex(int32_t value, int32_t count) {
  return value >= 0 && value < count;
}

static bool isIndexOrNone(int32_t value, int32_t count) {
  return value >= NONE && value < count;
}

static bool validateLengths(const Int32Array* inputs, int32_t* header) {
  for (int32_t table = 0; table < LowerInput::count; table++) {
    if (inputs[table].length % STRIDES[table] != 0) {
      reportFault(header, CoreFaultNumber::partialRow, table);
      return false;
    }
  }
  return true;
}

static bool validateSignatures(const Int32Array* inputs, int32_t* header) {
  const Int32Array& signatures = inputs[LowerInput::signatures];
  const Int32Array& types = inputs[LowerInput::types];
  const int32_t typeCount = types.length / TYPE::stride;
  const int32_t functionCount = inputs[LowerInput::functions].length / HIR_FUNCTION::stride;
  if (signatures.length / FUNCTION::stride != functionCount) {
    reportFault(header, CoreFaultNumber::rowCount, LowerInput::signatures);
    return false;
  }
  const int32_t traitSetCount = inputs[LowerInput::traitSets].length / TRAIT_SET::stride;
  for (int32_t id = 0; id < functionCount; id++) {
    const int32_t type = signatures[id * FUNCTION::stride + FUNCTION::type];
    const bool isValid = isIndex(type, typeCount) &&
                         types[type * TYPE::stride + TYPE::kind] == TypeKind::function &&
                         isIndex(types[type * TYPE::stride + TYPE::c], typeCount) &&
                         isIndexOrNone(signatures[id * FUNCTION::stride + FUNCTION::traits], traitSetCount);
    if (!isValid) {
      reportFault(header, CoreFaultNumber::index, LowerInput::signatures, id);
      return false;
    }
  }
  return true;
}

static bool validateVariables(const Int32Array* inputs, int32_t* header) {
  const Int32Array& variables = inputs[LowerInput::variables];
  const int32_t functionCount = inputs[LowerInput::functions].length / HIR_FUNCTION::stride;
  const int32_t typeCount = inputs[LowerInput::types].length / TYPE::stride;
  const int32_t constantCount = inputs[LowerInput::constants].length / CONSTANT::stride;
  const int32_t traitSetCount = inputs[LowerInput::traitSets].length / TRAIT_SET::stride;
  const int32_t nodeCount = inputs[LowerInput::nodes].length / HIR_NODE::stride;
  for (int32_t at = 0; at < variables.length; at += HIR_VARIABLE::stride) {
    const bool isValid = isIndex(variables[at + HIR_VARIABLE::type], typeCount) &&
                         isIndex(variables[at + HIR_VARIABLE::slotType], typeCount) &&
                         isIndex(variables[at + HIR_VARIABLE::undef], constantCount) &&
                         isIndex(variables[at + HIR_VARIABLE::traits], traitSetCount) &&
                         isIndex(variables[at + HIR_VARIABLE::owner], functionCount) &&
                         isIndexOrNone(variables[at + HIR_VARIABLE::declaration], nodeCount);
    if (!isValid) {
      reportFault(header, CoreFaultNumber::index, LowerInput::variables, at / HIR_VARIABLE::stride);
      return false;
    }
  }
  return true;
}

static bool validateNodeColumns(const Int32Array* inputs, int32_t* header, int32_t node) {
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const int32_t nodeCount = nodes.length / HIR_NODE::stride;
  const int32_t at = node * HIR_NODE::stride;
  const int32_t kind = nodes[at + HIR_NODE::kind];
  if (!isIndex(kind, NODE_KIND_COUNT)) {
    reportFault(header, CoreFaultNumber::kind, LowerInput::nodes, node);
    return false;
  }
  const int32_t a = nodes[at + HIR_NODE::a];
  bool isValid = isIndex(nodes[at + HIR_NODE::type], inputs[LowerInput::types].length / TYPE::stride) &&
                 isIndexOrNone(nodes[at + HIR_NODE::firstChild], nodeCount) &&
                 isIndexOrNone(nodes[at + HIR_NODE::nextSibling], nodeCount) &&
                 isIndexOrNone(nodes[at + HIR_NODE::traits],
                               inputs[LowerInput::traitSets].length / TRAIT_SET::stride);
  const int32_t meaning = nodeColumnA[kind];
  if (meaning == NodeColumnA::constant) {
    const int32_t constantCount = inputs[LowerInput::constants].length / CONSTANT::stride;
    isValid = isValid && isIndex(a, constantCount) && isIndexOrNone(nodes[at + HIR_NODE::b], constantCount);
  } else if (meaning == NodeColumnA::variable) {
    isValid = isValid && isIndex(a, inputs[LowerInput::variables].length / HIR_VARIABLE::stride);
  } else if (meaning == NodeColumnA::target) {
    isValid = isValid && isIndexOrNone(a, nodeCount);
  }
  if (!isValid) {
    reportFault(header, CoreFaultNumber::index, LowerInput::nodes, node);
    return false;
  }
  if (meaning == NodeColumnA::opcode && !isOperationOpcode(a)) {
    reportFault(header, CoreFaultNumber::opcode, LowerInput::nodes, node);
    return false;
  }
  return true;
}

static bool markUsed(std::vector<uint8_t>& used, int32_t* header, int32_t node) {
  if (node == NONE) return true;
  if (used[node] != 0) {
    reportFault(header, CoreFaultNumber::shape, LowerInput::nodes, node);
    return false;
  }
  used[node] = 1;
  return true;
}

static bool validateFunctions(const Int32Array* inputs, int32_t* header, std::vector<uint8_t>& used) {
  const Int32Array& functions = inputs[LowerInput::functions];
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const Int32Array& variables = inputs[LowerInput::variables];
  const int32_t variableTotal = variables.length / HIR_VARIABLE::stride;
  for (int32_t id = 0; id * HIR_FUNCTION::stride < functions.length; id++) {
    const int32_t at = id * HIR_FUNCTION::stride;
    const int32_t body = functions[at + HIR_FUNCTION::body];
    const int32_t first = functions[at + HIR_FUNCTION::firstVariable];
    const int32_t count = functions[at + HIR_FUNCTION::variableCount];
    const int32_t parameterCount = functions[at + HIR_FUNCTION::parameterCount];
    const bool isInRange = isIndexOrNone(body, nodes.length / HIR_NODE::stride) && first >= 0 && count >= 0 &&
                           count <= variableTotal - first && parameterCount >= 0 && parameterCount <= count;
    if (!isInRange) {
      reportFault(header, CoreFaultNumber::index, LowerInput::functions, id);
      return false;
    }
    if (body != NONE && nodes[body * HIR_NODE::stride + HIR_NODE::kind] != NodeKind::block) {
      reportFault(header, CoreFaultNumber::category, LowerInput::functions, id);
      return false;
    }
    for (int32_t variable = first; variable < first + count; variable++) {
      if (variables[variable * HIR_VARIABLE::stride + HIR_VARIABLE::owner] != id) {
        reportFault(header, CoreFaultNumber::owner, LowerInput::variables, variable);
        return false;
      }
    }
    if (!markUsed(used, header, body)) return false;
  }
  return true;
}

static bool validateChildren(const Int32Array* inputs, int32_t* header, int32_t node) {
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const int32_t kind = nodes[node * HIR_NODE::stride + HIR_NODE::kind];
  const int32_t first = nodes[node * HIR_NODE::stride + HIR_NODE::firstChild];
  int32_t count = 0;
  for (int32_t child = first; child != NONE; child = nodes[child * HIR_NODE::stride + HIR_NODE::nextSibling])
    count++;
  if (count < nodeMinimumChildren[kind] || count > nodeMaximumChildren[kind]) {
    reportFault(header, CoreFaultNumber::arity, LowerInput::nodes, node);
    return false;
  }
  int32_t child = first;
  for (int32_t index = 0; index < count; index++) {
    if (!isAllowedAt(nodeChildren[kind], index, count, nodes[child * HIR_NODE::stride + HIR_NODE::kind])) {
      reportFault(header, CoreFaultNumber::category, LowerInput::nodes, child);
      return false;
    }
    child = nodes[child * HIR_NODE::stride + HIR_NODE::nextSibling];
  }
  return true;
}

static std::vector<uint8_t> contradictorySets(const Int32Array* inputs) {
  const Int32Array& sets = inputs[LowerInput::traitSets];
  std::vector<uint8_t> result(static_cast<uint32_t>(sets.length / TRAIT_SET::stride));
  for (int32_t set = 0; set < static_cast<int32_t>(result.size()); set++) {
    const auto mask = static_cast<uint32_t>(sets[set * TRAIT_SET::stride + TRAIT_SET::mask]);
    for (int32_t trait = 0; trait < static_cast<int32_t>(std::size(contradictionMasks)); trait++) {
      const bool isHeld = ((mask >> trait) & 1) != 0;
      if (isHeld && (mask & static_cast<uint32_t>(contradictionMasks[trait])) != 0) result[set] = 1;
    }
  }
  return result;
}

static bool validateTraitsOf(int32_t* header, int32_t table, int32_t row, bool isFresh,
                             const std::vector<uint8_t>& contradictory, int32_t set) {
  if (!isFresh) {
    reportFault(header, CoreFaultNumber::staleTraits, table, row);
    return false;
  }
  if (set != NONE && contradictory[set] != 0) {
    reportFault(header, CoreFaultNumber::contradictoryTraits, table, row);
    return false;
  }
  return true;
}

static bool isAccessedAsStated(const Int32Array* inputs, int32_t at) {
  const Int32Array& variables = inputs[LowerInput::variables];
  const int32_t set = variables[at + HIR_VARIABLE::traits];
  const int32_t mask = inputs[LowerInput::traitSets][set * TRAIT_SET::stride + TRAIT_SET::mask];
  const int32_t access = variables[at + HIR_VARIABLE::access];
  const bool isVolatile = (mask & (1 << Trait::isVolatile)) != 0;
  const bool isAtomic = (mask & (1 << Trait::isAtomic)) != 0;
  return isVolatile == ((access & Aux::volatile_) != 0) && isAtomic == ((access & Aux::orderingMask) != 0);
}

static std::vector<uint8_t> reachedNodes(const Int32Array* inputs) {
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const Int32Array& functions = inputs[LowerInput::functions];
  std::vector<uint8_t> reached(static_cast<uint32_t>(nodes.length / HIR_NODE::stride));
  std::vector<int32_t> stack;
  for (int32_t at = 0; at < functions.length; at += HIR_FUNCTION::stride) {
    const int32_t body = functions[at + HIR_FUNCTION::body];
    if (body == NONE) continue;
    reached[body] = 1;
    const int32_t first = nodes[body * HIR_NODE::stride + HIR_NODE::firstChild];
    if (first != NONE) stack.push_back(first);
  }
  while (!stack.empty()) {
    const int32_t node = stack.back();
    stack.pop_back();
    reached[node] = 1;
    const int32_t first = nodes[node * HIR_NODE::stride + HIR_NODE::firstChild];
    const int32_t next = nodes[node * HIR_NODE::stride + HIR_NODE::nextSibling];
    if (first != NONE) stack.push_back(first);
    if (next != NONE) stack.push_back(next);
  }
  return reached;
}

static bool validateTraits(const Int32Array* inputs, int32_t* header) {
  const Int32Array& functions = inputs[LowerInput::functions];
  const Int32Array& signatures = inputs[LowerInput::signatures];
  const Int32Array& variables = inputs[LowerInput::variables];
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const std::vector<uint8_t> contradictory = contradictorySets(inputs);
  for (int32_t id = 0; id * HIR_FUNCTION::stride < functions.length; id++) {
    const int32_t at = id * HIR_FUNCTION::stride;
    const bool isFresh = functions[at + HIR_FUNCTION::epoch] == functions[at + HIR_FUNCTION::statedEpoch];
    const int32_t set = signatures[id * FUNCTION::stride + FUNCTION::traits];
    if (!validateTraitsOf(header, LowerInput::functions, id, isFresh, contradictory, set)) return false;
  }
  for (int32_t row = 0; row * HIR_VARIABLE::stride < variables.length; row++) {
    const int32_t at = row * HIR_VARIABLE::stride;
    const bool isFresh = variables[at + HIR_VARIABLE::epoch] == variables[at + HIR_VARIABLE::statedEpoch];
    const int32_t set = variables[at + HIR_VARIABLE::traits];
    if (!validateTraitsOf(header, LowerInput::variables, row, isFresh, contradictory, set)) return false;
    if (!isAccessedAsStated(inputs, at)) {
      reportFault(header, CoreFaultNumber::accessAgainstTraits, LowerInput::variables, row);
      return false;
    }
  }
  std::vector<uint8_t> reached;
  for (int32_t node = 0; node * HIR_NODE::stride < nodes.length; node++) {
    const int32_t at = node * HIR_NODE::stride;
    const bool isFresh = nodes[at + HIR_NODE::epoch] == nodes[at + HIR_NODE::statedEpoch];
    const int32_t set = nodes[at + HIR_NODE::traits];
    if (isFresh && (set == NONE || contradictory[set] == 0)) continue;
    if (reached.empty()) reached = reachedNodes(inputs);
    if (reached[node] == 0) continue;
    return validateTraitsOf(header, LowerInput::nodes, node, isFresh, contradictory, set);
  }
  return true;
}

bool validateHir(const Int32Array* inputs, int32_t* header) {
  if (!validateLengths(inputs, header) || !validateSignatures(inputs, header)) return false;
  if (!validateVariables(inputs, header)) return false;
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const int32_t nodeCount = nodes.length / HIR_NODE::stride;
  for (int32_t node = 0; node < nodeCount; node++) {
    if (!validateNodeColumns(inputs, header, node)) return false;
  }
  std::vector<uint8_t> used(static_cast<uint32_t>(nodeCount));
  if (!validateFunctions(inputs, header, used)) return false;
  for (int32_t node = 0; node < nodeCount; node++) {
    if (!markUsed(used, header, nodes[node * HIR_NODE::stride + HIR_NODE::firstChild])) return false;
    if (!markUsed(used, header, nodes[node * HIR_NODE::stride + HIR_NODE::nextSibling])) return false;
  }
  for (int32_t node = 0; node < nodeCount; node++) {
    if (!validateChildren(inputs, header, node)) return false;
  }
  return validateTraits(inputs, header);
}

}  // namespace vct
