// broadcast_in_dim is a copy of the view that backends/calls/views.h makes of
// the operand.
#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <new>

#include "backends/calls/views.h"
#include "backends/simd/core/bit_moves.h"
#include "backends/simd/core/names.h"
#include "backends/simd/core/nest.h"
#include "backends/simd/core/run_nest.h"

namespace assay::simd {

const char* RunBroadcastInDim(const AssayCall& call,
                              const hwy::ChosenTarget& target, int threads) {
  calls::BroadcastView operand;
  const char* unread = calls::ReadBroadcastInDim(call, &operand);
  if (unread != nullptr || operand.is_empty) return unread;
  const DLTensor& view = operand.view.tensor;
  const DLTensor& output = call.outputs[0].tensor;
  const size_t bytes = operand.bytes;
  const auto copy = MakeCopy(bytes, target);
  auto nest = std::make_unique<Nest>();
  NestTensor from = {&view, bytes};
  const NestTensor to = {&output, bytes};
  std::unique_ptr<unsigned char[]> memory;
  DLTensor copied = view;
  int64_t copied_strides[kMaxDims];
  if (operand.must_copy) {
    int64_t count = 1;
    for (int i = view.ndim; i-- > 0; count *= view.shape[i]) {
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
