// Twin of src/core/validate-hir.ts, which explains the algorithm.

#include "validate-hir.h"
#include <array>
#include <iterator>
#include <vector>

namespace vct {

static constexpr int32_t STRIDES[] = {
    HIR_NODE::stride, HIR_VARIABLE::stride, HIR_FUNCTION::stride, TYPE::stride,
    CONSTANT::stride, TRAIT_SET::stride,    FUNCTION::stride,
};

static constexpr const char* LETTERS = "esba";

static constexpr int32_t letterBit(char letter) {
  int32_t index = 0;
  while (LETTERS[index] != letter) index++;
  return 1 << index;
}

static constexpr int32_t lettersOf(int32_t kind) {
  const int32_t category = nodeCategory[kind];
  if (category == NodeCategory::expression) return letterBit('e') | letterBit('s');
  if (category == NodeCategory::arm) return letterBit('a');
  return letterBit('s') | (kind == NodeKind::block ? letterBit('b') : 0);
}

struct Pattern {
  int32_t leading = 0;
  int32_t leadingCount = 0;
  int32_t starred = 0;
  int32_t last = 0;
  int32_t letters = 0;
};

using Patterns = std::array<Pattern, NODE_KIND_COUNT>;

static constexpr Patterns childPatterns() {
  Patterns result;
  for (int32_t kind = 0; kind < NODE_KIND_COUNT; kind++) {
    const char* const text = nodeChildren[kind];
    Pattern& pattern = result[static_cast<uint32_t>(kind)];
    pattern.letters = lettersOf(kind);
    int32_t length = 0;
    while (text[length] != 0) length++;
    int32_t star = 0;
    while (star < length && text[star] != '*') star++;
    pattern.leadingCount = star == length ? length : star - 1;
    for (int32_t index = 0; index < pattern.leadingCount; index++)
      pattern.leading |= letterBit(text[index]) << (4 * index);
    if (star == length) continue;
    pattern.starred = letterBit(text[star - 1]);
    pattern.last = letterBit(text[star + 1 < length ? star + 1 : star - 1]);
  }
  return result;
}

static constexpr Patterns PATTERNS = childPatterns();

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

struct RowCounts {
  int32_t nodes;
  int32_t variables;
  int32_t types;
  int32_t constants;
  int32_t traitSets;
};

static RowCounts countRows(const Int32Array* inputs) {
  return {
      inputs[LowerInput::nodes].length / HIR_NODE::stride,
      inputs[LowerInput::variables].length / HIR_VARIABLE::stride,
      inputs[LowerInput::types].length / TYPE::stride,
      inputs[LowerInput::constants].length / CONSTANT::stride,
      inputs[LowerInput::traitSets].length / TRAIT_SET::stride,
  };
}

static bool validateNodeColumns(const Int32Array& nodes, const RowCounts& counts, int32_t* header,
                                int32_t node) {
  const int32_t* const row = nodes.data + node * HIR_NODE::stride;
  const int32_t kind = row[HIR_NODE::kind];
  if (!isIndex(kind, NODE_KIND_COUNT)) {
    reportFault(header, CoreFaultNumber::kind, LowerInput::nodes, node);
    return false;
  }
  const int32_t a = row[HIR_NODE::a];
  bool isValid = isIndex(row[HIR_NODE::type], counts.types) &&
                 isIndexOrNone(row[HIR_NODE::firstChild], counts.nodes) &&
                 isIndexOrNone(row[HIR_NODE::nextSibling], counts.nodes) &&
                 isIndexOrNone(row[HIR_NODE::traits], counts.traitSets);
  const int32_t meaning = nodeColumnA[kind];
  if (meaning == NodeColumnA::constant) {
    isValid = isValid && isIndex(a, counts.constants) && isIndexOrNone(row[HIR_NODE::b], counts.constants);
  } else if (meaning == NodeColumnA::variable) {
    isValid = isValid && isIndex(a, counts.variables);
  } else if (meaning == NodeColumnA::target) {
    isValid = isValid && isIndexOrNone(a, counts.nodes);
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

static int32_t countChildren(const Int32Array& nodes, int32_t node) {
  int32_t count = 0;
  int32_t child = nodes[node * HIR_NODE::stride + HIR_NODE::firstChild];
  while (child != NONE) {
    count++;
    child = nodes[child * HIR_NODE::stride + HIR_NODE::nextSibling];
  }
  return count;
}

static bool validateChildren(const Int32Array& nodes, int32_t* header, int32_t node) {
  const int32_t kind = nodes[node * HIR_NODE::stride + HIR_NODE::kind];
  const Pattern& pattern = PATTERNS[static_cast<uint32_t>(kind)];
  int32_t leading = pattern.leading;
  int32_t child = nodes[node * HIR_NODE::stride + HIR_NODE::firstChild];
  int32_t misplaced = NONE;
  int32_t count = 0;
  while (child != NONE) {
    const int32_t* const row = nodes.data + child * HIR_NODE::stride;
    const int32_t next = row[HIR_NODE::nextSibling];
    int32_t allowed = leading & 15;
    if (count >= pattern.leadingCount) allowed = next == NONE ? pattern.last : pattern.starred;
    if ((PATTERNS[static_cast<uint32_t>(row[HIR_NODE::kind])].letters & allowed) == 0) {
      misplaced = child;
      break;
    }
    leading >>= 4;
    count++;
    child = next;
  }
  if (misplaced != NONE) count = countChildren(nodes, node);
  if (count < nodeMinimumChildren[kind] || count > nodeMaximumChildren[kind]) {
    reportFault(header, CoreFaultNumber::arity, LowerInput::nodes, node);
    return false;
  }
  if (misplaced == NONE) return true;
  reportFault(header, CoreFaultNumber::category, LowerInput::nodes, misplaced);
  return false;
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

static bool validateTraits(const Int32Array* inputs, int32_t* header,
                           const std::vector<uint8_t>& contradictory) {
  const Int32Array& functions = inputs[LowerInput::functions];
  const Int32Array& signatures = inputs[LowerInput::signatures];
  const Int32Array& variables = inputs[LowerInput::variables];
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
  return true;
}

static bool hasSoundTraits(const Int32Array& nodes, int32_t node, const std::vector<uint8_t>& contradictory) {
  const int32_t* const row = nodes.data + node * HIR_NODE::stride;
  const int32_t set = row[HIR_NODE::traits];
  return row[HIR_NODE::epoch] == row[HIR_NODE::statedEpoch] &&
         (set == NONE || contradictory[static_cast<uint32_t>(set)] == 0);
}

static bool validateNodeTraits(const Int32Array* inputs, int32_t* header,
                               const std::vector<uint8_t>& contradictory) {
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const std::vector<uint8_t> reached = reachedNodes(inputs);
  for (int32_t node = 0; node < static_cast<int32_t>(reached.size()); node++) {
    if (reached[static_cast<uint32_t>(node)] == 0 || hasSoundTraits(nodes, node, contradictory)) continue;
    const int32_t at = node * HIR_NODE::stride;
    const bool isFresh = nodes[at + HIR_NODE::epoch] == nodes[at + HIR_NODE::statedEpoch];
    const int32_t set = nodes[at + HIR_NODE::traits];
    return validateTraitsOf(header, LowerInput::nodes, node, isFresh, contradictory, set);
  }
  return true;
}

bool validateHir(const Int32Array* inputs, int32_t* header) {
  if (!validateLengths(inputs, header) || !validateSignatures(inputs, header)) return false;
  if (!validateVariables(inputs, header)) return false;
  const Int32Array& nodes = inputs[LowerInput::nodes];
  const RowCounts counts = countRows(inputs);
  std::vector<uint8_t> used(static_cast<uint32_t>(counts.nodes));
  if (!validateFunctions(inputs, header, used)) return false;
  for (int32_t node = 0; node < counts.nodes; node++) {
    if (!validateNodeColumns(nodes, counts, header, node)) return false;
    if (!markUsed(used, header, nodes[node * HIR_NODE::stride + HIR_NODE::firstChild])) return false;
    if (!markUsed(used, header, nodes[node * HIR_NODE::stride + HIR_NODE::nextSibling])) return false;
  }
  const std::vector<uint8_t> contradictory = contradictorySets(inputs);
  bool isSound = true;
  for (int32_t node = 0; node < counts.nodes; node++) {
    if (!validateChildren(nodes, header, node)) return false;
    if (!hasSoundTraits(nodes, node, contradictory)) isSound = false;
  }
  if (!validateTraits(inputs, header, contradictory)) return false;
  return isSound || validateNodeTraits(inputs, header, contradictory);
}

}  // namespace vct
