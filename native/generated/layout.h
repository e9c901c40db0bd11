// Made by `npm run generate` from src/ir and src/traits; do not edit.
#pragma once

#include <cstdint>

namespace vct {

constexpr uint32_t LAYOUT_HASH = 2755073181u;
constexpr int32_t NONE = -1;
constexpr int32_t SCHEMA_VERSION = 1;

namespace TYPE {
constexpr int32_t kind = 0;
constexpr int32_t a = 1;
constexpr int32_t b = 2;
constexpr int32_t c = 3;
constexpr int32_t d = 4;
constexpr int32_t size = 5;
constexpr int32_t alignment = 6;
constexpr int32_t stride = 7;
}

namespace TYPE_MEMBER {
constexpr int32_t type = 0;
constexpr int32_t name = 1;
constexpr int32_t offset = 2;
constexpr int32_t stride = 3;
}

namespace CONSTANT {
constexpr int32_t kind = 0;
constexpr int32_t type = 1;
constexpr int32_t a = 2;
constexpr int32_t b = 3;
constexpr int32_t stride = 4;
}

namespace GLOBAL {
constexpr int32_t name = 0;
constexpr int32_t type = 1;
constexpr int32_t linkage = 2;
constexpr int32_t initializer = 3;
constexpr int32_t flags = 4;
constexpr int32_t traits = 5;
constexpr int32_t position = 6;
constexpr int32_t stride = 7;
}

namespace FUNCTION {
constexpr int32_t name = 0;
constexpr int32_t type = 1;
constexpr int32_t linkage = 2;
constexpr int32_t flags = 3;
constexpr int32_t traits = 4;
constexpr int32_t position = 5;
constexpr int32_t stride = 6;
}

namespace POSITION {
constexpr int32_t file = 0;
constexpr int32_t line = 1;
constexpr int32_t column = 2;
constexpr int32_t stride = 3;
}

namespace TRAIT_SET {
constexpr int32_t mask = 0;
constexpr int32_t firstEntry = 1;
constexpr int32_t entryCount = 2;
constexpr int32_t stride = 3;
}

namespace TRAIT_ENTRY {
constexpr int32_t trait = 0;
constexpr int32_t a = 1;
constexpr int32_t b = 2;
constexpr int32_t strength = 3;
constexpr int32_t stride = 4;
}

namespace RELATIONSHIP {
constexpr int32_t kind = 0;
constexpr int32_t firstEnd = 1;
constexpr int32_t leftCount = 2;
constexpr int32_t rightCount = 3;
constexpr int32_t position = 4;
constexpr int32_t stride = 5;
}

namespace RELATIONSHIP_END {
constexpr int32_t kind = 0;
constexpr int32_t function = 1;
constexpr int32_t row = 2;
constexpr int32_t stride = 3;
}

namespace HIR_NODE {
constexpr int32_t kind = 0;
constexpr int32_t type = 1;
constexpr int32_t firstChild = 2;
constexpr int32_t nextSibling = 3;
constexpr int32_t a = 4;
constexpr int32_t b = 5;
constexpr int32_t position = 6;
constexpr int32_t traits = 7;
constexpr int32_t name = 8;
constexpr int32_t epoch = 9;
constexpr int32_t statedEpoch = 10;
constexpr int32_t stride = 11;
}

namespace HIR_VARIABLE {
constexpr int32_t name = 0;
constexpr int32_t type = 1;
constexpr int32_t traits = 2;
constexpr int32_t position = 3;
constexpr int32_t access = 4;
constexpr int32_t declaration = 5;
constexpr int32_t undef = 6;
constexpr int32_t owner = 7;
constexpr int32_t slotType = 8;
constexpr int32_t epoch = 9;
constexpr int32_t statedEpoch = 10;
constexpr int32_t stride = 11;
}

namespace HIR_FUNCTION {
constexpr int32_t body = 0;
constexpr int32_t firstVariable = 1;
constexpr int32_t variableCount = 2;
constexpr int32_t parameterCount = 3;
constexpr int32_t epoch = 4;
constexpr int32_t statedEpoch = 5;
constexpr int32_t stride = 6;
}

namespace VIR_INSTRUCTION {
constexpr int32_t opcodeAndRegion = 0;
constexpr int32_t type = 1;
constexpr int32_t operandStart = 2;
constexpr int32_t operandCount = 3;
constexpr int32_t aux = 4;
constexpr int32_t name = 5;
constexpr int32_t position = 6;
constexpr int32_t traits = 7;
constexpr int32_t node = 8;
constexpr int32_t stride = 9;
}

namespace VIR_BLOCK {
constexpr int32_t firstInstruction = 0;
constexpr int32_t instructionCount = 1;
constexpr int32_t name = 2;
constexpr int32_t position = 3;
constexpr int32_t traits = 4;
constexpr int32_t node = 5;
constexpr int32_t stride = 6;
}

namespace VIR_FUNCTION {
constexpr int32_t firstInstruction = 0;
constexpr int32_t instructionCount = 1;
constexpr int32_t firstBlock = 2;
constexpr int32_t blockCount = 3;
constexpr int32_t firstOperand = 4;
constexpr int32_t operandCount = 5;
constexpr int32_t parameterCount = 6;
constexpr int32_t stride = 7;
}

namespace OUT_OF_SSA_COPY {
constexpr int32_t block = 0;
constexpr int32_t successor = 1;
constexpr int32_t destination = 2;
constexpr int32_t source = 3;
constexpr int32_t stride = 4;
}

namespace GRAPH_BLOCK {
constexpr int32_t preorder = 0;
constexpr int32_t reversePostorder = 1;
constexpr int32_t dominator = 2;
constexpr int32_t treeFirst = 3;
constexpr int32_t treeLast = 4;
constexpr int32_t loopHeader = 5;
constexpr int32_t loopDepth = 6;
constexpr int32_t loopFlags = 7;
constexpr int32_t stride = 8;
}

namespace OUT_OF_SSA_FUNCTION {
constexpr int32_t firstCopy = 0;
constexpr int32_t copyCount = 1;
constexpr int32_t variableCount = 2;
constexpr int32_t stride = 3;
}

namespace TypeKind {
constexpr int32_t void_ = 0;
constexpr int32_t integer = 1;
constexpr int32_t float_ = 2;
constexpr int32_t pointer = 3;
constexpr int32_t array = 4;
constexpr int32_t struct_ = 5;
constexpr int32_t union_ = 6;
constexpr int32_t function = 7;
}

namespace ConstantKind {
constexpr int32_t integer = 0;
constexpr int32_t float_ = 1;
constexpr int32_t null = 2;
constexpr int32_t undef = 3;
constexpr int32_t zero = 4;
constexpr int32_t globalAddress = 5;
constexpr int32_t functionAddress = 6;
constexpr int32_t aggregate = 7;
constexpr int32_t bytes = 8;
constexpr int32_t elementAddress = 9;
}

namespace Linkage {
constexpr int32_t internal = 0;
constexpr int32_t export_ = 1;
constexpr int32_t extern_ = 2;
constexpr int32_t weak = 3;
}

namespace GlobalFlag {
constexpr int32_t constant = 1;
constexpr int32_t threadLocal = 2;
}

namespace FunctionFlag {
constexpr int32_t hasBody = 1;
}

namespace Strength {
constexpr int32_t fact = 0;
constexpr int32_t weak = 1;
constexpr int32_t strong = 2;
}

namespace OpcodeAndRegion {
constexpr int32_t opcodeMask = 255;
constexpr int32_t regionShift = 8;
constexpr int32_t regionCount = 8388606;
}

namespace Aux {
constexpr int32_t orderingMask = 7;
constexpr int32_t volatile_ = 8;
constexpr int32_t failureOrderingShift = 4;
constexpr int32_t weak = 128;
constexpr int32_t operationShift = 8;
}

namespace LoopFlag {
constexpr int32_t header = 1;
constexpr int32_t irreducible = 2;
}

namespace Ordering {
constexpr int32_t not_atomic = 0;
constexpr int32_t unordered = 1;
constexpr int32_t monotonic = 2;
constexpr int32_t acquire = 3;
constexpr int32_t release = 4;
constexpr int32_t acq_rel = 5;
constexpr int32_t seq_cst = 6;
}

namespace IntegerPredicate {
constexpr int32_t eq = 0;
constexpr int32_t ne = 1;
constexpr int32_t slt = 2;
constexpr int32_t sle = 3;
constexpr int32_t sgt = 4;
constexpr int32_t sge = 5;
constexpr int32_t ult = 6;
constexpr int32_t ule = 7;
constexpr int32_t ugt = 8;
constexpr int32_t uge = 9;
}

namespace FloatPredicate {
constexpr int32_t oeq = 0;
constexpr int32_t ogt = 1;
constexpr int32_t oge = 2;
constexpr int32_t olt = 3;
constexpr int32_t ole = 4;
constexpr int32_t one = 5;
constexpr int32_t ord = 6;
constexpr int32_t ueq = 7;
constexpr int32_t ugt = 8;
constexpr int32_t uge = 9;
constexpr int32_t ult = 10;
constexpr int32_t ule = 11;
constexpr int32_t une = 12;
constexpr int32_t uno = 13;
}

namespace AtomicOperation {
constexpr int32_t xchg = 0;
constexpr int32_t add = 1;
constexpr int32_t sub = 2;
constexpr int32_t and_ = 3;
constexpr int32_t nand = 4;
constexpr int32_t or_ = 5;
constexpr int32_t xor_ = 6;
constexpr int32_t max = 7;
constexpr int32_t min = 8;
constexpr int32_t umax = 9;
constexpr int32_t umin = 10;
}

namespace WellKnownName {
constexpr int32_t entry = 0;
constexpr int32_t then = 1;
constexpr int32_t else_ = 2;
constexpr int32_t join = 3;
constexpr int32_t loopHeader = 4;
constexpr int32_t loopBody = 5;
constexpr int32_t loopLatch = 6;
constexpr int32_t loopExit = 7;
constexpr int32_t forInit = 8;
constexpr int32_t forHeader = 9;
constexpr int32_t forBody = 10;
constexpr int32_t forStep = 11;
constexpr int32_t forExit = 12;
constexpr int32_t case_ = 13;
constexpr int32_t default_ = 14;
constexpr int32_t switchExit = 15;
constexpr int32_t rhs = 16;
constexpr int32_t dead = 17;
constexpr int32_t range = 18;
}

namespace WellKnownConstant {
constexpr int32_t false_ = 0;
constexpr int32_t true_ = 1;
}

namespace CoreStatus {
constexpr int32_t ok = 0;
constexpr int32_t capacity = 1;
constexpr int32_t malformed = 2;
constexpr int32_t outOfMemory = 3;
}

namespace CoreHeader {
constexpr int32_t status = 0;
constexpr int32_t table = 1;
constexpr int32_t row = 2;
constexpr int32_t fault = 3;
constexpr int32_t firstSize = 4;
constexpr int32_t threads = 15;
constexpr int32_t length = 16;
}

namespace CoreFaultNumber {
constexpr int32_t wrongArrays = 0;
constexpr int32_t overlap = 1;
constexpr int32_t partialRow = 2;
constexpr int32_t rowCount = 3;
constexpr int32_t index = 4;
constexpr int32_t arity = 5;
constexpr int32_t shape = 6;
constexpr int32_t opcode = 7;
constexpr int32_t kind = 8;
constexpr int32_t tooLarge = 9;
constexpr int32_t category = 10;
constexpr int32_t owner = 11;
constexpr int32_t addressOfRegister = 12;
constexpr int32_t jumpTarget = 13;
constexpr int32_t staleTraits = 14;
constexpr int32_t contradictoryTraits = 15;
constexpr int32_t accessAgainstTraits = 16;
}

namespace Opcode {
constexpr int32_t param = 0;
constexpr int32_t add = 1;
constexpr int32_t sub = 2;
constexpr int32_t mul = 3;
constexpr int32_t sdiv = 4;
constexpr int32_t udiv = 5;
constexpr int32_t srem = 6;
constexpr int32_t urem = 7;
constexpr int32_t and_ = 8;
constexpr int32_t or_ = 9;
constexpr int32_t xor_ = 10;
constexpr int32_t shl = 11;
constexpr int32_t lshr = 12;
constexpr int32_t ashr = 13;
constexpr int32_t fadd = 14;
constexpr int32_t fsub = 15;
constexpr int32_t fmul = 16;
constexpr int32_t fdiv = 17;
constexpr int32_t frem = 18;
constexpr int32_t fneg = 19;
constexpr int32_t icmp = 20;
constexpr int32_t fcmp = 21;
constexpr int32_t trunc = 22;
constexpr int32_t zext = 23;
constexpr int32_t sext = 24;
constexpr int32_t fptrunc = 25;
constexpr int32_t fpext = 26;
constexpr int32_t fptosi = 27;
constexpr int32_t fptoui = 28;
constexpr int32_t sitofp = 29;
constexpr int32_t uitofp = 30;
constexpr int32_t ptrtoint = 31;
constexpr int32_t inttoptr = 32;
constexpr int32_t bitcast = 33;
constexpr int32_t select = 34;
constexpr int32_t phi = 35;
constexpr int32_t alloca = 36;
constexpr int32_t load = 37;
constexpr int32_t store = 38;
constexpr int32_t gep = 39;
constexpr int32_t extractvalue = 40;
constexpr int32_t insertvalue = 41;
constexpr int32_t call = 42;
constexpr int32_t cmpxchg = 43;
constexpr int32_t atomicrmw = 44;
constexpr int32_t fence = 45;
constexpr int32_t memcpy = 46;
constexpr int32_t memmove = 47;
constexpr int32_t memset = 48;
constexpr int32_t sqrt = 49;
constexpr int32_t fabs = 50;
constexpr int32_t ctpop = 51;
constexpr int32_t fshl = 52;
constexpr int32_t sadd_sat = 53;
constexpr int32_t uadd_sat = 54;
constexpr int32_t ssub_sat = 55;
constexpr int32_t usub_sat = 56;
constexpr int32_t sadd_overflow = 57;
constexpr int32_t uadd_overflow = 58;
constexpr int32_t ssub_overflow = 59;
constexpr int32_t usub_overflow = 60;
constexpr int32_t smul_overflow = 61;
constexpr int32_t umul_overflow = 62;
constexpr int32_t assume = 63;
constexpr int32_t br = 64;
constexpr int32_t condbr = 65;
constexpr int32_t switch_ = 66;
constexpr int32_t ret = 67;
constexpr int32_t unreachable = 68;
}

constexpr int32_t OPCODE_COUNT = 69;

namespace OpcodeClass {
constexpr int32_t parameter = 0;
constexpr int32_t integerBinary = 1;
constexpr int32_t floatBinary = 2;
constexpr int32_t floatUnary = 3;
constexpr int32_t integerCompare = 4;
constexpr int32_t floatCompare = 5;
constexpr int32_t cast = 6;
constexpr int32_t select = 7;
constexpr int32_t phi = 8;
constexpr int32_t alloca = 9;
constexpr int32_t load = 10;
constexpr int32_t store = 11;
constexpr int32_t address = 12;
constexpr int32_t extract = 13;
constexpr int32_t insert = 14;
constexpr int32_t call = 15;
constexpr int32_t compareExchange = 16;
constexpr int32_t atomicUpdate = 17;
constexpr int32_t fence = 18;
constexpr int32_t memoryCopy = 19;
constexpr int32_t memorySet = 20;
constexpr int32_t integerUnary = 21;
constexpr int32_t integerTernary = 22;
constexpr int32_t integerOverflow = 23;
constexpr int32_t assume = 24;
constexpr int32_t terminator = 25;
}

constexpr int32_t opcodeClass[] = {
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3,
    4, 5, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 6, 7, 8, 9, 10, 11, 12,
    13, 14, 15, 16, 17, 18, 19, 19, 20, 3, 3, 21, 22, 1, 1, 1, 1, 23, 23, 23,
    23, 23, 23, 24, 25, 25, 25, 25, 25,
};

namespace ResultRule {
constexpr int32_t explicit_ = 0;
constexpr int32_t operand = 1;
constexpr int32_t boolean = 2;
constexpr int32_t none = 3;
constexpr int32_t result = 4;
constexpr int32_t overflow = 5;
}

constexpr int32_t opcodeResult[] = {
    0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
    2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0,
    0, 1, 4, 0, 0, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 5, 5, 5,
    5, 5, 5, 3, 3, 3, 3, 3, 3,
};

namespace AuxKind {
constexpr int32_t none = 0;
constexpr int32_t integerPredicate = 1;
constexpr int32_t floatPredicate = 2;
constexpr int32_t type = 3;
constexpr int32_t memory = 4;
constexpr int32_t functionType = 5;
}

constexpr int32_t opcodeAux[] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4, 4, 3,
    0, 0, 5, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0,
};

namespace NodeKind {
constexpr int32_t constant = 0;
constexpr int32_t variable = 1;
constexpr int32_t address = 2;
constexpr int32_t operation = 3;
constexpr int32_t logicalAnd = 4;
constexpr int32_t logicalOr = 5;
constexpr int32_t conditional = 6;
constexpr int32_t block = 7;
constexpr int32_t declare = 8;
constexpr int32_t assign = 9;
constexpr int32_t if_ = 10;
constexpr int32_t while_ = 11;
constexpr int32_t doWhile = 12;
constexpr int32_t for_ = 13;
constexpr int32_t switch_ = 14;
constexpr int32_t case_ = 15;
constexpr int32_t default_ = 16;
constexpr int32_t break_ = 17;
constexpr int32_t continue_ = 18;
constexpr int32_t return_ = 19;
constexpr int32_t defer = 20;
constexpr int32_t unreachable = 21;
constexpr int32_t label = 22;
constexpr int32_t goto_ = 23;
}

constexpr int32_t NODE_KIND_COUNT = 24;

namespace NodeCategory {
constexpr int32_t expression = 0;
constexpr int32_t statement = 1;
constexpr int32_t arm = 2;
}

constexpr int32_t nodeCategory[] = {
    0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1,
    1, 1, 1, 1,
};

namespace NodeColumnA {
constexpr int32_t constant = 0;
constexpr int32_t variable = 1;
constexpr int32_t opcode = 2;
constexpr int32_t none = 3;
constexpr int32_t fallthrough = 4;
constexpr int32_t target = 5;
}

constexpr int32_t nodeColumnA[] = {
    0, 1, 1, 2, 3, 3, 3, 3, 1, 1, 3, 3, 3, 3, 3, 4, 4, 5, 5, 3,
    3, 3, 3, 5,
};

constexpr int32_t nodeMinimumChildren[] = {
    0, 0, 0, 0, 2, 2, 3, 0, 0, 1, 2, 2, 2, 4, 1, 2, 1, 0, 0, 0,
    1, 0, 0, 0,
};

// INT32_MAX stands for any number.
constexpr int32_t nodeMaximumChildren[] = {
    0, 0, 0, 2147483647, 2, 2, 3, 2147483647, 1, 1, 3, 2, 2, 4, 2147483647, 2147483647, 1, 0, 0, 1,
    1, 0, 0, 0,
};

constexpr const char* nodeChildren[] = {
    "",
    "",
    "",
    "e*",
    "ee",
    "ee",
    "eee",
    "s*",
    "e",
    "e",
    "ebb",
    "eb",
    "be",
    "bebb",
    "ea*",
    "e*b",
    "b",
    "",
    "",
    "e",
    "s",
    "",
    "",
    "",
};

// Traits with a bit in the mask of a trait set.
namespace Trait {
constexpr int32_t isAddressed = 0;
constexpr int32_t escapes = 1;
constexpr int32_t isRuntimeMutable = 2;
constexpr int32_t isVolatile = 3;
constexpr int32_t isAtomic = 4;
constexpr int32_t mayChangeAtRuntime = 5;
constexpr int32_t comptime = 6;
constexpr int32_t complex = 7;
constexpr int32_t NoOptimize = 8;
constexpr int32_t Restrict = 9;
constexpr int32_t NoAlias = 10;
constexpr int32_t ReadOnly = 11;
constexpr int32_t WriteOnly = 12;
constexpr int32_t NoRead = 13;
constexpr int32_t NoWrite = 14;
constexpr int32_t NonNull = 15;
constexpr int32_t Align = 16;
constexpr int32_t Range = 17;
constexpr int32_t NoReturn = 18;
constexpr int32_t WillReturn = 19;
constexpr int32_t NoThrow = 20;
constexpr int32_t NoUndef = 21;
constexpr int32_t Inline = 22;
constexpr int32_t AlwaysInline = 23;
constexpr int32_t NoInline = 24;
constexpr int32_t TailCall = 25;
constexpr int32_t MustTail = 26;
constexpr int32_t NoTail = 27;
constexpr int32_t ColdCall = 28;
constexpr int32_t LikelyCall = 29;
constexpr int32_t UnlikelyCall = 30;
constexpr int32_t HotPath = 31;
}

// Per such trait, the bits of those that contradict it.
constexpr int32_t contradictionMasks[] = {
    0, 0, 64, 64, 64, 64, 60, 0, 0, 0, 0, 4096, 2048, 0, 0, 0, 0, 0, 524288, 262144,
    0, 0, 16777216, 16777216, 12582912, 134217728, 134217728, 100663296, 536870912, 1342177280, 536870912, 0,
};

}  // namespace vct
