// Scratch memory that a thread has used and may use again. Pages that the system must clear cost a large function more than the work
// on them; a thread keeps some megabytes until it ends. TypeScript leaves this to the garbage collector.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

namespace vct {

class ScratchPool {
 public:
  ScratchPool() = default;
  ScratchPool(const ScratchPool&) = delete;
  ScratchPool& operator=(const ScratchPool&) = delete;
  ~ScratchPool() {
    for (int32_t at = 0; at < count; at++) std::free(blocks[at].data);
  }

  /** Memory of at least `wanted` words, which becomes how many there are. Throws std::bad_alloc. */
  int32_t* take(int32_t& wanted) {
    int32_t best = -1;
    for (int32_t at = 0; at < count; at++) {
      const int32_t words = blocks[at].words;
      if (words >= wanted && (best < 0 || words < blocks[best].words)) best = at;
    }
    if (best < 0) {
      void* const fresh = std::malloc(static_cast<size_t>(wanted) * sizeof(int32_t));
      if (fresh == nullptr) throw std::bad_alloc();
      return static_cast<int32_t*>(fresh);
    }
    int32_t* const data = blocks[best].data;
    wanted = blocks[best].words;
    kept -= wanted;
    blocks[best] = blocks[--count];
    return data;
  }

  /** Takes memory back that `take` gave. */
  void give(int32_t* data, int32_t words) {
    if (words < FEWEST_WORDS || kept + words > MOST_WORDS || count == MOST_BLOCKS) {
      std::free(data);
      return;
    }
    blocks[count++] = {data, words};
    kept += words;
  }

 private:
  struct Block {
    int32_t* data;
    int32_t words;
  };

  /** Small blocks are as cheap from the allocator; more than 64 megabytes are too much to keep. */
  static constexpr int32_t FEWEST_WORDS = 1 << 13;
  static constexpr int64_t MOST_WORDS = 1 << 24;
  static constexpr int32_t MOST_BLOCKS = 64;

  Block blocks[MOST_BLOCKS];
  int32_t count = 0;
  int64_t kept = 0;
};

inline thread_local ScratchPool scratchPool;

}  // namespace vct
