// Scratch memory of the core. Twin: src/core/words.ts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <new>

#include "scratch-pool.h"

namespace vct {

struct Words {
  int32_t* data = nullptr;
  int32_t length = 0;

  Words() = default;
  Words(const Words&) = delete;
  Words& operator=(const Words&) = delete;
  ~Words() {
    if (data != nullptr) scratchPool.give(data, capacity);
  }

  int32_t push(int32_t value) {
    int32_t index = length;
    if (index == capacity) reserve(static_cast<int64_t>(index) + 1);
    data[index] = value;
    length = index + 1;
    return index;
  }

  int32_t extend(int32_t count) {
    const int32_t index = length;
    if (count > capacity - index) reserve(int64_t{index} + count);
    length = index + count;
    return index;
  }

  int32_t pop() {
    length--;
    return data[length];
  }

  void resize(int64_t newLength, int32_t fill) {
    if (newLength > capacity) reserve(newLength);
    for (int64_t index = length; index < newLength; index++) data[index] = fill;
    length = static_cast<int32_t>(newLength);
  }

  void reserve(int64_t newLength) {
    if (newLength <= capacity) return;
    if (newLength > INT32_MAX) throw std::bad_alloc();
    int64_t grown = static_cast<int64_t>(capacity) * 2;
    if (grown < 64) grown = 64;
    if (grown < newLength) grown = newLength;
    if (grown > INT32_MAX) grown = INT32_MAX;
    auto words = static_cast<int32_t>(grown);
    int32_t* const moved = scratchPool.take(words);
    std::copy_n(data, length, moved);
    if (data != nullptr) scratchPool.give(data, capacity);
    data = moved;
    capacity = words;
  }

  int32_t room() const {
    return capacity;
  }

 private:
  int32_t capacity = 0;
};

}  // namespace vct
