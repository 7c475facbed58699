#include "backends/simd/movement/moves.h"

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <new>
#include <numeric>

#include "backends/calls/moves.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/run_nest.h"

namespace assay::simd {

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
  const auto count = static_cast<size_t>(indices.count);
  const std::unique_ptr<int64_t[]> numbers(new (std::nothrow) int64_t[count]);
  if (numbers == nullptr) return "an iota without memory for its indices";
  std::iota(numbers.get(), numbers.get() + count, int64_t{0});
  indices.view.first = reinterpret_cast<unsigned char*>(numbers.get());
  AssayTensor input = call.outputs[0];
  input.tensor = indices.view.Tensor(call.outputs[0].tensor);
  input.tensor.dtype = {kDLInt, 64, 1};
  AssayCall convert = call;
  convert.op = "convert";
  convert.num_inputs = 1;
  convert.inputs = &input;
  convert.num_attributes = 0;
  return RunElementwise(convert, options, false);
}

}  // namespace assay::simd
