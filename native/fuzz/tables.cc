// Calls the entries of the core without Node, on tables that come as bytes. Built in two ways:
//
// - with libFuzzer, which makes the bytes: whatever the tables hold, an entry ends, reads and writes nothing but what it was lent, and
//   gives the same once more;
// - with VCT_REPLAY, as a program over files of such bytes, which also lowers each of them on several threads: built for the thread
//   sanitizer, it sees whether they get into each other's way.
//
// The bytes are int32s: the number of the entry, the number of words of each input, and then the words of the inputs one behind the other.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <new>
#include <vector>

#include "../core/analyse-graph.h"
#include "../core/live-sets.h"
#include "../core/lower-threads.h"
#include "../core/lower.h"
#include "../core/order-copies.h"
#include "../core/out-of-ssa.h"
#include "../core/validate-hir.h"

namespace {

using vct::Int32Array;
using Words = std::vector<int32_t>;

struct Entry {
  vct::CoreEntry run;
  int32_t inputCount;
  int32_t outputCount;
};

constexpr Entry ENTRIES[] = {
    {vct::lower, vct::LowerInput::count, vct::LowerOutput::count},
    {vct::outOfSsa, vct::outOfSsaInputCount, vct::outOfSsaOutputCount},
    {vct::analyseGraph, vct::graphInputCount, vct::graphOutputCount},
    {vct::orderCopies, vct::copiesInputCount, vct::copiesOutputCount},
    {vct::liveSets, vct::liveInputCount, vct::liveOutputCount},
};
constexpr int32_t ENTRY_COUNT = static_cast<int32_t>(std::size(ENTRIES));

/** Outputs of more words than this are not asked for: the memory would only slow the search down. */
constexpr int32_t MOST_WORDS = 1 << 24;

/** What a call is given. Each input has memory of its own, so that a sanitizer sees a step over its end. */
struct Case {
  const Entry* entry = nullptr;
  std::vector<Words> inputs;
};

/** What a call said and wrote. */
struct Answer {
  Words header = Words(vct::CoreHeader::length);
  std::vector<Words> outputs;

  bool operator==(const Answer& other) const {
    return header == other.header && outputs == other.outputs;
  }
};

/** Reads what the head of the file says; what is missing at the end is missing from the inputs. */
Case readCase(const uint8_t* bytes, size_t size) {
  Words words(size / sizeof(int32_t));
  if (!words.empty()) std::memcpy(words.data(), bytes, words.size() * sizeof(int32_t));
  Case result;
  const uint32_t number = words.empty() ? 0 : static_cast<uint32_t>(words[0]);
  result.entry = &ENTRIES[number % ENTRY_COUNT];
  const auto inputCount = static_cast<size_t>(result.entry->inputCount);
  size_t at = std::min(words.size(), 1 + inputCount);
  for (size_t input = 0; input < inputCount; input++) {
    const size_t wanted = 1 + input < words.size() ? static_cast<uint32_t>(words[1 + input]) : 0;
    const size_t length = std::min(wanted, words.size() - at);
    const auto first = words.begin() + static_cast<std::ptrdiff_t>(at);
    result.inputs.emplace_back(first, first + static_cast<std::ptrdiff_t>(length));
    at += length;
  }
  return result;
}

Int32Array lend(Words& words) {
  return {words.data(), static_cast<int32_t>(words.size())};
}

/** One call, with outputs of these sizes. */
Answer callOnce(Case& given, const Words& sizes, int32_t threads) {
  Answer answer;
  std::vector<Int32Array> inputs;
  std::vector<Int32Array> outputs;
  for (Words& input : given.inputs) inputs.push_back(lend(input));
  for (const int32_t size : sizes) answer.outputs.emplace_back(static_cast<size_t>(size));
  for (Words& output : answer.outputs) outputs.push_back(lend(output));
  answer.header[vct::CoreHeader::threads] = threads;
  given.entry->run(inputs.data(), outputs.data(), answer.header.data());
  return answer;
}

/** Calls an entry without room, and again with what it asks for, as the loader does. */
Answer call(Case& given, int32_t threads) {
  const auto count = static_cast<size_t>(given.entry->outputCount);
  Answer answer = callOnce(given, Words(count), threads);
  if (answer.header[vct::CoreHeader::status] != vct::CoreStatus::capacity) return answer;
  const auto first = answer.header.begin() + vct::CoreHeader::firstSize;
  const Words sizes(first, first + given.entry->outputCount);
  if (*std::max_element(sizes.begin(), sizes.end()) > MOST_WORDS) return answer;
  answer = callOnce(given, sizes, threads);
  // An entry that asks for more than it asked for would never end.
  if (answer.header[vct::CoreHeader::status] == vct::CoreStatus::capacity) std::abort();
  for (size_t output = 0; output < count; output++)
    answer.outputs[output].resize(
        static_cast<size_t>(answer.header[vct::CoreHeader::firstSize + static_cast<int32_t>(output)]));
  return answer;
}

/** Aborts unless the entry gives the same words on so many threads as on one, and leaves its inputs alone. */
void expectSame(Case& given, int32_t threads) {
  try {
    const std::vector<Words> before = given.inputs;
    Answer alone = call(given, 1);
    Answer again = call(given, threads);
    alone.header[vct::CoreHeader::threads] = threads;
    again.header[vct::CoreHeader::threads] = threads;
    if (!(again == alone) || before != given.inputs) std::abort();
  } catch (const std::bad_alloc&) {
    // What addon.cc makes a diagnostic of.
  } catch (const std::length_error&) {
  }
}

}  // namespace

#ifdef VCT_REPLAY

int main(int argc, char** argv) {
  for (int at = 1; at < argc; at++) {
    std::ifstream file(argv[at], std::ios::binary);
    const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    Case given = readCase(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    for (const int32_t threads : {2, 4, 8}) expectSame(given, threads);
  }
  std::printf("%d files, each on 1, 2, 4 and 8 threads: the same words\n", argc - 1);
}

#else

/** Does to a word what a forger would: moves it a little, sets it to a limit, or takes another word of the file. */
static int32_t forge(const Words& words, int32_t old, uint32_t seed) {
  const uint32_t choice = seed >> 8;
  constexpr int32_t limits[] = {-1, 0, 1, -2, INT32_MAX, INT32_MIN, INT32_MAX - 1};
  switch (seed % 4) {
    case 0:
      return static_cast<int32_t>(static_cast<uint32_t>(old) + choice % 5 - 2);
    case 1:
      return limits[choice % std::size(limits)];
    case 2:
      return words[choice % words.size()];
    default:
      return static_cast<int32_t>(choice % 40) - 2;
  }
}

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t maximum);

/** Forges single words mostly, since bytes of a word seldom say something by themselves. */
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t maximum, unsigned int seed) {
  if (size < sizeof(int32_t) || seed % 8 == 0) return LLVMFuzzerMutate(data, size, maximum);
  Words words(size / sizeof(int32_t));
  std::memcpy(words.data(), data, words.size() * sizeof(int32_t));
  uint32_t state = seed;
  const uint32_t changes = 1 + seed % 3;
  for (uint32_t change = 0; change < changes; change++) {
    state = state * 1664525u + 1013904223u;
    const uint32_t place = (state >> 8) % static_cast<uint32_t>(words.size());
    state = state * 1664525u + 1013904223u;
    words[place] = forge(words, words[place], state >> 4);
  }
  std::memcpy(data, words.data(), words.size() * sizeof(int32_t));
  return words.size() * sizeof(int32_t);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  Case given = readCase(bytes, size);
  expectSame(given, 1);
  return 0;
}

#endif
