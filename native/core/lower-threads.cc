// Twin of src/core/lower-threads.ts, which explains the algorithm.

#include "lower-threads.h"
#include <algorithm>
#include <atomic>
#include <new>
#include <thread>
#include <vector>
#include "lower.h"

namespace vct {

constexpr int32_t CHUNKS_A_THREAD = 8;
constexpr int32_t MOST_THREADS = 64;

struct LowerJob {
  const Int32Array* inputs;
  Int32Array functions;
  Int32Array values;
  int32_t functionCount;
  int32_t chunkCount;
};

struct LoweredChunk {
  ModuleOutput output;
  int32_t fault = NONE;
  int32_t faultNode = NONE;
};

static int32_t firstOfChunk(const LowerJob& job, int32_t chunk) {
  return static_cast<int32_t>(int64_t{job.functionCount} * chunk / job.chunkCount);
}

static void lowerChunk(const LowerJob& job, int32_t chunk, LoweredChunk& lowered) {
  lowered.output.functions = job.functions;
  lowered.output.isGrowing = true;
  LowerState state(job.inputs, lowered.output, job.values);
  lowerRange(state, firstOfChunk(job, chunk), firstOfChunk(job, chunk + 1));
  lowered.fault = state.fault;
  lowered.faultNode = state.faultNode;
}

static void runChunks(const LowerJob& job, std::vector<LoweredChunk>& chunks, int32_t threads) {
  std::atomic<int32_t> next = 0;
  std::atomic<bool> isOutOfMemory = false;
  // No exception may leave a thread: the only one is that of a failed allocation.
  auto work = [&]() noexcept {
    try {
      for (int32_t chunk = next++; chunk < job.chunkCount; chunk = next++)
        lowerChunk(job, chunk, chunks[static_cast<uint32_t>(chunk)]);
    } catch (...) {
      isOutOfMemory = true;
      next = job.chunkCount;
    }
  };
  std::vector<std::thread> others;
  others.reserve(static_cast<uint32_t>(threads - 1));
  try {
    while (static_cast<int32_t>(others.size()) < threads - 1) others.emplace_back(work);
  } catch (...) {
    // Where the system gives no more threads, those that run do it all.
  }
  work();
  for (std::thread& other : others) other.join();
  if (isOutOfMemory) throw std::bad_alloc();
}

static void placeChunk(const LowerJob& job, int32_t chunk, const LoweredChunk& lowered, ModuleOutput& total) {
  const ModuleOutput& output = lowered.output;
  std::copy_n(output.instructions.data, output.instructionCount * VIR_INSTRUCTION::stride,
              total.instructions.data + total.instructionCount * VIR_INSTRUCTION::stride);
  std::copy_n(output.operands.data, output.operandCount, total.operands.data + total.operandCount);
  std::copy_n(output.blocks.data, output.blockCount * VIR_BLOCK::stride,
              total.blocks.data + total.blockCount * VIR_BLOCK::stride);
  for (int32_t id = firstOfChunk(job, chunk); id < firstOfChunk(job, chunk + 1); id++) {
    const int32_t at = id * VIR_FUNCTION::stride;
    job.functions[at + VIR_FUNCTION::firstInstruction] += total.instructionCount;
    job.functions[at + VIR_FUNCTION::firstBlock] += total.blockCount;
    job.functions[at + VIR_FUNCTION::firstOperand] += total.operandCount;
  }
}

static void countChunk(const LoweredChunk& lowered, ModuleOutput& total) {
  total.instructionCount += lowered.output.instructionCount;
  total.operandCount += lowered.output.operandCount;
  total.blockCount += lowered.output.blockCount;
}

static void joinChunks(const LowerJob& job, const std::vector<LoweredChunk>& chunks,
                       const Int32Array* outputs, int32_t* header) {
  ModuleOutput total;
  total.instructions = outputs[LowerOutput::instructions];
  total.operands = outputs[LowerOutput::operands];
  total.blocks = outputs[LowerOutput::blocks];
  total.functions = job.functions;
  for (const LoweredChunk& chunk : chunks) {
    if (chunk.fault != NONE) {
      reportFault(header, chunk.fault, LowerInput::nodes, chunk.faultNode);
      return;
    }
    countChunk(chunk, total);
  }
  total.isOverflow = int64_t{total.instructionCount} * VIR_INSTRUCTION::stride > total.instructions.length ||
                     total.operandCount > total.operands.length ||
                     int64_t{total.blockCount} * VIR_BLOCK::stride > total.blocks.length;
  reportSizes(header, total, job.functionCount, job.values.length);
  if (total.isOverflow) return;
  total.instructionCount = 0;
  total.operandCount = 0;
  total.blockCount = 0;
  for (int32_t chunk = 0; chunk < job.chunkCount; chunk++) {
    const LoweredChunk& lowered = chunks[static_cast<uint32_t>(chunk)];
    placeChunk(job, chunk, lowered, total);
    countChunk(lowered, total);
  }
}

void lower(const Int32Array* inputs, const Int32Array* outputs, int32_t* header) {
  const int32_t threads = std::min(header[CoreHeader::threads], MOST_THREADS);
  const int32_t nodeCount = inputs[LowerInput::nodes].length / HIR_NODE::stride;
  const int32_t functionCount = inputs[LowerInput::functions].length / HIR_FUNCTION::stride;
  const Int32Array& functions = outputs[LowerOutput::functions];
  const Int32Array& values = outputs[LowerOutput::values];
  const bool hasRoom =
      values.length >= nodeCount && functions.length >= int64_t{functionCount} * VIR_FUNCTION::stride;
  if (threads <= 1 || functionCount <= 1 || !hasRoom) {
    lowerWith(inputs, outputs, header, false);
    return;
  }
  if (!validateHir(inputs, header)) return;
  const int32_t chunkCount = std::min(functionCount, threads * CHUNKS_A_THREAD);
  const Int32Array nodeValues = {values.data, nodeCount};
  std::fill(nodeValues.data, nodeValues.data + nodeCount, NONE);
  const LowerJob job = {inputs, functions, nodeValues, functionCount, chunkCount};
  std::vector<LoweredChunk> chunks(static_cast<uint32_t>(chunkCount));
  runChunks(job, chunks, threads);
  joinChunks(job, chunks, outputs, header);
}

}  // namespace vct
