#include "backends/simd/pointwise/pointwise_function.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <utility>

namespace assay::simd {
namespace {

constexpr size_t kChunkSize = 512;

// The slots are those of at most kMaxInputs inputs and calls::kMaxStages
// stages.
constexpr size_t kMaxSlots = 16;

struct alignas(kMaxVectorBytes) Chunk {
  unsigned char bytes[kChunkSize * 16];
};

// Runs a stage with `subnormals` as the function asks for.
const char* RunStage(const BlockFunction& function, const Blocks& blocks) {
  if (function.subnormals == Subnormals::kKeep) return function.Run(blocks);
  const Environment environment(function.subnormals);
  return function.Run(blocks);
}

}  // namespace

PointwiseFunction::PointwiseFunction(int num_inputs, const size_t* input_bytes)
    : num_inputs_(num_inputs), bytes_(input_bytes, input_bytes + num_inputs) {}

Slot PointwiseFunction::Add(Stage stage) {
  bytes_.push_back(stage.bytes);
  stages_.push_back(std::move(stage));
  return static_cast<Slot>(bytes_.size()) - 1;
}

std::unique_ptr<BlockFunction> PointwiseFunction::Reduced() {
  if (stages_.size() != 1 || outputs_.size() != 1) return nullptr;
  const Stage& stage = stages_[0];
  if (stage.num_inputs != num_inputs_) return nullptr;
  for (int k = 0; k < num_inputs_; ++k) {
    if (stage.inputs[k] != k) return nullptr;
  }
  return std::move(stages_[0].function);
}

const char* PointwiseFunction::Run(const Blocks& blocks) const {
  // A streamed chunk begins with a cache line where elements do so.
  const uintptr_t address = reinterpret_cast<uintptr_t>(blocks.out[0]);
  const size_t bytes = bytes_[static_cast<size_t>(outputs_[0])];
  const size_t to_line = -address % kMaxVectorBytes / bytes;
  size_t count = blocks.stream && to_line != 0 ? to_line : kChunkSize;
  for (size_t i = 0; i < blocks.count; i += count, count = kChunkSize) {
    count = std::min(count, blocks.count - i);
    const char* failure = RunChunk(blocks, i, count);
    if (failure != nullptr) return failure;
  }
  return nullptr;
}

// If there is only one output, the last stage writes it in place. One of
// several outputs may take the place of an input that the others have yet to
// read.
const char* PointwiseFunction::RunChunk(const Blocks& blocks, size_t begin,
                                        size_t count) const {
  Chunk chunks[kMaxSlots];
  unsigned char* slots[kMaxSlots];
  for (int k = 0; k < num_inputs_; ++k) {
    slots[k] = const_cast<unsigned char*>(blocks.in[k]) +
               begin * bytes_[static_cast<size_t>(k)];
  }
  auto slot = static_cast<size_t>(num_inputs_);
  for (size_t i = 0; i < stages_.size(); ++i, ++slot) {
    const Stage& stage = stages_[i];
    const bool is_last = outputs_.size() == 1 && i + 1 == stages_.size();
    Blocks part = {};
    part.count = count;
    part.stream = is_last && blocks.stream;
    for (int k = 0; k < stage.num_inputs; ++k) {
      part.in[k] = slots[stage.inputs[k]];
    }
    slots[slot] =
        is_last ? blocks.out[0] + begin * stage.bytes : chunks[slot].bytes;
    part.out[0] = slots[slot];
    const char* failure = RunStage(*stage.function, part);
    if (failure != nullptr) return failure;
  }
  for (size_t o = 0; outputs_.size() > 1 && o < outputs_.size(); ++o) {
    const auto from = static_cast<size_t>(outputs_[o]);
    memcpy(blocks.out[o] + begin * bytes_[from], slots[from],
           count * bytes_[from]);
  }
  return nullptr;
}

}  // namespace assay::simd
