#include "backends/simd/movement/moves.h"

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <memory>
#include <new>
#include <numeric>

#include "backends/calls/moves.h"
#include "backends/calls/tensors.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/run_nest.h"

namespace assay::simd {
namespace {

constexpr int64_t kNumbersAtATime = int64_t{1} << 16;

}  // namespace

const char* RunMoves(const AssayCall& call, const Options& options) {
  calls::Moves moves;
  if (const char* unread = calls::ReadMoves(call, &moves)) return unread;
  std::unique_ptr<unsigned char[]> between;
  if (moves.between_bytes > 0) {
    between.reset(new (std::nothrow) unsigned char[moves.between_bytes]);
    if (between == nullptr) return "a copy without memory for it";
    moves.PlaceBetween(between.get());
  }
  const size_t bytes = moves.bytes();
  const auto function = MakeCopy(bytes, options.target);
  auto nest = std::make_unique<Nest>();
  for (const calls::Copy& copy : moves.copies) {
    const DLTensor from = copy.from.Tensor(call.outputs[0].tensor);
    const DLTensor to = copy.to.Tensor(call.outputs[0].tensor);
    const NestTensor input = {&from, bytes};
    const NestTensor output = {&to, bytes};
    MakeNest(&input, 1, &output, 1, nest.get());
    const char* failure =
        RunNest(*nest, *function, options.target, options.threads);
    if (failure != nullptr) return failure;
  }
  return nullptr;
}

const char* RunIota(const AssayCall& call, const Options& options) {
  calls::Indices indices;
  if (const char* unread = calls::ReadIota(call, &indices)) return unread;
  calls::Type type;
  if (!calls::ParseType(call.outputs[0], &type)) return "element type";
  // The result is written part by part along the dimension, so that the numbers
  // of a long one take little memory.
  const int64_t most = std::min(indices.count, kNumbersAtATime);
  const std::unique_ptr<int64_t[]> numbers(
      new (std::nothrow) int64_t[static_cast<size_t>(most)]);
  if (numbers == nullptr) return "an iota without memory for its indices";
  indices.view.first = reinterpret_cast<unsigned char*>(numbers.get());
  const DLTensor& whole = call.outputs[0].tensor;
  calls::DimsView part = calls::DimsView::Of(whole);
  AssayTensor input = call.outputs[0], output = call.outputs[0];
  AssayCall convert = call;
  convert.op = "convert";
  convert.num_inputs = 1;
  convert.inputs = &input;
  convert.outputs = &output;
  convert.num_attributes = 0;
  int64_t begin = 0;
  do {
    const int64_t count = std::min(indices.count - begin, most);
    std::iota(numbers.get(), numbers.get() + count, begin);
    if (count > 0) {
      indices.view.shape[indices.dimension] = count;
      part.shape[indices.dimension] = count;
    }
    input.tensor = indices.view.Tensor(whole);
    input.tensor.dtype = {kDLInt, 64, 1};
    output.tensor = part.Tensor(whole);
    if (const char* failure = RunElementwise(convert, options, false))
      return failure;
    part.Advance(count * part.strides[indices.dimension], type.bytes());
    begin += count;
  } while (begin < indices.count);
  return nullptr;
}

}  // namespace assay::simd
