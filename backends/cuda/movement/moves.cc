#include "backends/cuda/movement/moves.h"

#include <functional>
#include <numeric>
#include <vector>

#include "backends/calls/moves.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/movement/gather.h"

namespace assay::cuda {
namespace {

constexpr Failure kNoMemory = {
    ASSAY_ERROR, "no memory on the device for a copy of elements"};

int64_t CountOf(const calls::DimsView& view) {
  return std::accumulate(view.shape.begin(), view.shape.end(), int64_t{1},
                         std::multiplies<>());
}

}  // namespace

Failure RunMoves(const AssayCall& call) {
  calls::Moves moves;
  if (const char* what = calls::ReadMoves(call, ReadDeviceIntegers, &moves))
    return {ASSAY_UNSUPPORTED, what};
  if (moves.between_bytes > 0) {
    void* const between = Workspace(0, moves.between_bytes);
    if (between == nullptr) return kNoMemory;
    moves.PlaceBetween(between);
  }
  for (calls::Copy& copy : moves.copies) {
    if (copy.from_place == calls::Copy::Place::kHost) {
      const auto bytes =
          static_cast<size_t>(CountOf(copy.from)) * moves.bytes();
      copy.from.first =
          static_cast<unsigned char*>(UploadValues(copy.from.first, bytes));
      if (copy.from.first == nullptr) return kNoMemory;
    }
    const DLTensor& like = call.outputs[0].tensor;
    const Failure failure =
        CopyElements(moves.type, copy.from.Tensor(like), copy.to.Tensor(like));
    if (failure.is()) return failure;
  }
  return {};
}

Failure RunIota(const AssayCall& call, Math math) {
  calls::Indices indices;
  if (const char* what = calls::ReadIota(call, &indices))
    return {ASSAY_UNSUPPORTED, what};
  calls::Signature convert = {};
  if (const char* what = calls::ReadSignature(call, &convert))
    return {ASSAY_UNSUPPORTED, what};
  convert.op = "convert";
  convert.num_attributes = 0;
  convert.num_inputs = 1;
  convert.inputs[0] = {calls::Kind::kSigned, 64, 3, {}};
  std::vector<int64_t> numbers(static_cast<size_t>(indices.count));
  std::iota(numbers.begin(), numbers.end(), int64_t{0});
  if (!numbers.empty()) {
    indices.view.first = static_cast<unsigned char*>(
        UploadValues(numbers.data(), numbers.size() * sizeof(int64_t)));
    if (indices.view.first == nullptr) return kNoMemory;
  }
  const DLTensor& output = call.outputs[0].tensor;
  const DLTensor input = indices.view.Tensor(output);
  const DLTensor* inputs[] = {&input};
  return RunOp(convert, inputs, output, math);
}

}  // namespace assay::cuda
