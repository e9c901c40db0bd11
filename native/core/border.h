// What every entry of the core is given; the twin of the types and `reportFault` of src/core/border.ts. No
// file of the core but addon.cc knows Node: an entry borrows arrays for the length of a call, and reports in
// the header.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../generated/layout.h"

namespace vct {

/** A borrowed Int32Array of JavaScript. An empty one may have no data. */
struct Int32Array {
  int32_t* data;
  int32_t length;

  int32_t& operator[](int32_t index) const {
    return data[index];
  }
};

/** One algorithm over whole tables. `header` has CoreHeader::length words. May throw std::bad_alloc alone. */
using CoreEntry = void (*)(const Int32Array* inputs, const Int32Array* outputs, int32_t* header);

/** Records that an input is malformed. `table` and `row` are NONE where there is none. */
inline void reportFault(int32_t* header, int32_t fault, int32_t table = NONE, int32_t row = NONE) {
  header[CoreHeader::status] = CoreStatus::malformed;
  header[CoreHeader::table] = table;
  header[CoreHeader::row] = row;
  header[CoreHeader::fault] = fault;
}

}  // namespace vct
