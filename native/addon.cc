// The border between Node and the core, and the only file that knows Node: checks the arrays of a call as
// `checkArrays` of src/core/border.ts does, lends them to an entry, and lets no C++ exception out. Runs once
// in each thread that loads it; its state is the environment's instance data, so workers share nothing.

#include <napi.h>

#include <cstring>

#include "core/analyse-graph.h"
#include "core/border.h"
#include "core/live-sets.h"
#include "core/lower-threads.h"
#include "core/lower.h"
#include "core/order-copies.h"
#include "core/out-of-ssa.h"

namespace {

using vct::Int32Array;

/** Who compiled this. */
#if defined(__clang__)
constexpr const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* compiler = "gcc " __VERSION__;
#else
constexpr const char* compiler = "another compiler";
#endif

/** The most arrays that an entry takes. */
constexpr uint32_t maximumArrays = 24;

/** The arrays of one call: inputs, then outputs. */
struct Call {
  napi_value values[maximumArrays];
  Int32Array arrays[maximumArrays];
  uint32_t count = 0;
  int32_t* header = nullptr;
};

/** Appends the elements of a JavaScript array to the call; false unless it has exactly `expected`. May run
 * user code. */
bool collectValues(napi_env env, napi_value list, uint32_t expected, Call& call) {
  bool isArray = false;
  uint32_t length = 0;
  if (napi_is_array(env, list, &isArray) != napi_ok || !isArray) return false;
  if (napi_get_array_length(env, list, &length) != napi_ok || length != expected) return false;
  for (uint32_t at = 0; at < length; at++)
    if (napi_get_element(env, list, at, &call.values[call.count++]) != napi_ok) return false;
  return true;
}

/** The memory of an Int32Array; false when the value is none. Length and data are those of this moment. */
bool readInt32Array(napi_env env, napi_value value, int32_t*& data, size_t& length) {
  bool isTypedArray = false;
  napi_typedarray_type type;
  void* memory = nullptr;
  if (napi_is_typedarray(env, value, &isTypedArray) != napi_ok || !isTypedArray) return false;
  if (napi_get_typedarray_info(env, value, &type, &length, &memory, nullptr, nullptr) != napi_ok)
    return false;
  if (type != napi_int32_array) return false;
  data = static_cast<int32_t*>(memory);
  if (data == nullptr) length = 0;
  return true;
}

/** Whether two arrays share a byte. */
bool overlaps(const int32_t* left, size_t leftLength, const int32_t* right, size_t rightLength) {
  if (leftLength == 0 || rightLength == 0) return false;
  auto leftStart = reinterpret_cast<uintptr_t>(left);
  auto rightStart = reinterpret_cast<uintptr_t>(right);
  return leftStart < rightStart + rightLength * sizeof(int32_t) &&
         rightStart < leftStart + leftLength * sizeof(int32_t);
}

/** Every array that is written, the header too, must share no memory with another. */
bool checkOverlap(const Call& call, uint32_t inputCount) {
  for (uint32_t at = 0; at < call.count; at++) {
    const Int32Array& array = call.arrays[at];
    uint32_t first = at < inputCount ? inputCount : 0;
    for (uint32_t other = first; other < call.count; other++) {
      const Int32Array& second = call.arrays[other];
      if (other != at && overlaps(array.data, array.length, second.data, second.length)) {
        vct::reportFault(call.header, vct::CoreFaultNumber::overlap, static_cast<int32_t>(at));
        return false;
      }
    }
    if (overlaps(array.data, array.length, call.header, vct::CoreHeader::length)) {
      vct::reportFault(call.header, vct::CoreFaultNumber::overlap, static_cast<int32_t>(at));
      return false;
    }
  }
  return true;
}

/** The arrays as borrowed ones. Reports the first that is no Int32Array or too long for 32-bit indices. */
bool readArrays(napi_env env, Call& call) {
  for (uint32_t at = 0; at < call.count; at++) {
    size_t length = 0;
    Int32Array& array = call.arrays[at];
    if (!readInt32Array(env, call.values[at], array.data, length)) {
      vct::reportFault(call.header, vct::CoreFaultNumber::wrongArrays, static_cast<int32_t>(at));
      return false;
    }
    if (length > INT32_MAX) {
      vct::reportFault(call.header, vct::CoreFaultNumber::tooLarge, static_cast<int32_t>(at));
      return false;
    }
    array.length = static_cast<int32_t>(length);
  }
  return true;
}

class CoreAddon : public Napi::Addon<CoreAddon> {
 public:
  CoreAddon(Napi::Env env, Napi::Object exports) {
    DefineAddon(
        exports,
        {
            InstanceValue("schemaVersion", Napi::Number::New(env, vct::SCHEMA_VERSION), napi_enumerable),
            InstanceValue("layoutHash", Napi::Number::New(env, vct::LAYOUT_HASH), napi_enumerable),
            InstanceValue("compiler", Napi::String::New(env, compiler), napi_enumerable),
            InstanceMethod("lower", &CoreAddon::lower, napi_enumerable),
            InstanceMethod("outOfSsa", &CoreAddon::outOfSsa, napi_enumerable),
            InstanceMethod("analyseGraph", &CoreAddon::analyseGraph, napi_enumerable),
            InstanceMethod("orderCopies", &CoreAddon::orderCopies, napi_enumerable),
            InstanceMethod("liveSets", &CoreAddon::liveSets, napi_enumerable),
        });
  }

 private:
  Napi::Value lower(const Napi::CallbackInfo& info) {
    return run(info, vct::lower, vct::LowerInput::count, vct::LowerOutput::count);
  }
  Napi::Value outOfSsa(const Napi::CallbackInfo& info) {
    return run(info, vct::outOfSsa, vct::outOfSsaInputCount, vct::outOfSsaOutputCount);
  }
  Napi::Value analyseGraph(const Napi::CallbackInfo& info) {
    return run(info, vct::analyseGraph, vct::graphInputCount, vct::graphOutputCount);
  }
  Napi::Value orderCopies(const Napi::CallbackInfo& info) {
    return run(info, vct::orderCopies, vct::copiesInputCount, vct::copiesOutputCount);
  }
  Napi::Value liveSets(const Napi::CallbackInfo& info) {
    return run(info, vct::liveSets, vct::liveInputCount, vct::liveOutputCount);
  }

  /** One call of an entry: (inputs, outputs, header). */
  static Napi::Value run(const Napi::CallbackInfo& info, vct::CoreEntry entry, uint32_t inputCount,
                         uint32_t outputCount) {
    napi_env env = info.Env();
    Call call;
    // User code may run here, in a getter or a proxy; it must not run between the look at an array's memory
    // and the end of the entry. So values first, then memory.
    bool hasArrays = info.Length() >= 3 && collectValues(env, info[0], inputCount, call) &&
                     collectValues(env, info[1], outputCount, call);
    if (info.Env().IsExceptionPending()) return Napi::Value();
    size_t headerLength = 0;
    if (info.Length() < 3 || !readInt32Array(env, info[2], call.header, headerLength) ||
        headerLength < static_cast<size_t>(vct::CoreHeader::length)) {
      Napi::TypeError::New(info.Env(), "the header of a core call is too short").ThrowAsJavaScriptException();
      return Napi::Value();
    }
    // The one word of the header that says something to the core.
    const int32_t threads = call.header[vct::CoreHeader::threads];
    std::memset(call.header, 0, headerLength * sizeof(int32_t));
    call.header[vct::CoreHeader::threads] = threads;
    if (!hasArrays) {
      vct::reportFault(call.header, vct::CoreFaultNumber::wrongArrays);
    } else if (readArrays(env, call) && checkOverlap(call, inputCount)) {
      try {
        entry(call.arrays, call.arrays + inputCount, call.header);
      } catch (...) {
        // Only allocation throws: std::bad_alloc, or std::length_error of a vector.
        call.header[vct::CoreHeader::status] = vct::CoreStatus::outOfMemory;
      }
    }
    return info.Env().Undefined();
  }
};

}  // namespace

NODE_API_NAMED_ADDON(libvct, CoreAddon)
