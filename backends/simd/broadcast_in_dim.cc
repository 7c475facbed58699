// broadcast_in_dim: a copy of a view of the operand whose dimensions lie where
// the attribute puts them, with stride 0 where it repeats its elements.
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <new>

#include "backends/simd/bit_moves.h"
#include "backends/simd/nest.h"
#include "backends/simd/overlap.h"
#include "backends/simd/run_nest.h"
#include "backends/simd/tensors.h"

namespace assay::simd {
namespace {

// Reads "[0, 2]". False unless there are `count` numbers.
bool ReadNumbers(const char* text, int count, int64_t* numbers) {
  const auto skip = [&text](char wanted) {
    while (isspace(static_cast<unsigned char>(*text))) ++text;
    if (*text != wanted) return false;
    ++text;
    return true;
  };
  if (!skip('[')) return false;
  for (int i = 0; i < count; ++i) {
    if (i > 0 && !skip(',')) return false;
    char* end = nullptr;
    numbers[i] = strtoll(text, &end, 10);
    if (end == text) return false;
    text = end;
  }
  return skip(']') && *text == '\0';
}

}  // namespace

const char* RunBroadcastInDim(const AssayCall& call,
                              const hwy::ChosenTarget& target, int threads) {
  if (call.num_inputs != 1 || call.num_outputs != 1) {
    return "number of operands";
  }
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  Type type;
  Type result;
  if (!ParseType(call.inputs[0], &type) ||
      !ParseType(call.outputs[0], &result)) {
    return "element type";
  }
  if (type != result) return "result type";
  int64_t dims[kMaxDims];
  int64_t shape[kMaxDims];
  int64_t strides[kMaxDims];
  if (input.ndim > output.ndim || output.ndim > kMaxDims) return "rank";
  if (call.num_attributes != 1 ||
      !ReadNumbers(call.attributes[0].text, input.ndim, dims)) {
    return "attribute value";
  }
  std::fill(shape, shape + output.ndim, 1);
  for (int i = 0; i < input.ndim; ++i) {
    if (dims[i] < 0 || dims[i] >= output.ndim) return "attribute value";
    if (input.shape[i] == 1) continue;
    if (input.shape[i] != output.shape[dims[i]] || shape[dims[i]] != 1) {
      return "mix of operand shapes";
    }
    shape[dims[i]] = input.shape[i];
    strides[dims[i]] = input.strides[i];
  }
  if (CountElements(output) == 0) return nullptr;
  DLTensor view = input;
  view.ndim = output.ndim;
  view.shape = shape;
  view.strides = strides;
  const size_t bytes = type.bytes();
  const auto copy = MakeCopy(bytes, target);
  auto nest = std::make_unique<Nest>();
  NestTensor from = {&view, bytes};
  const NestTensor to = {&output, bytes};
  // Dimensions that change places in the operand's memory: an element would be
  // overwritten that is yet to be read.
  std::unique_ptr<unsigned char[]> memory;
  DLTensor copied = view;
  int64_t copied_strides[kMaxDims];
  if (!IsSamePlace(view, output) && Overlap(view, bytes, output, bytes)) {
    int64_t count = 1;
    for (int i = view.ndim; i-- > 0; count *= shape[i]) {
      copied_strides[i] = count;
    }
    memory.reset(
        new (std::nothrow) unsigned char[static_cast<size_t>(count) * bytes]);
    if (memory == nullptr) return "a copy without memory for it";
    copied.data = memory.get();
    copied.byte_offset = 0;
    copied.strides = copied_strides;
    const NestTensor all = {&copied, bytes};
    MakeNest(&from, 1, &all, 1, nest.get());
    const char* failure = RunNest(*nest, *copy, target, threads);
    if (failure != nullptr) return failure;
    from.tensor = &copied;
  }
  MakeNest(&from, 1, &to, 1, nest.get());
  return RunNest(*nest, *copy, target, threads);
}

}  // namespace assay::simd
