#include "backends/broken/kernel/seen_call.h"

#include <algorithm>
#include <numeric>

namespace assay::broken {

SeenCall::SeenCall(const AssayCall& call)
    : inputs_(call.inputs, call.inputs + call.num_inputs),
      outputs_(call.outputs, call.outputs + call.num_outputs),
      call_(call) {
  tensors_.reserve(inputs_.size() + outputs_.size());
  for (AssayTensor& input : inputs_) See(false, &input.tensor);
  for (AssayTensor& output : outputs_) See(true, &output.tensor);
  call_.inputs = inputs_.data();
  call_.outputs = outputs_.data();
}

void SeenCall::See(bool is_output, DLTensor* tensor) {
  // Calls of such tensors are declined.
  if (tensor->ndim > kMaxRank) return;
  Job job = {};
  job.rank = tensor->ndim;
  std::copy_n(tensor->shape, tensor->ndim, job.shape);
  int dimensions[kMaxRank];
  std::iota(dimensions, dimensions + job.rank, 0);
  Tensor& seen = tensors_.emplace_back(
      ActiveHooks().view(*tensor, dimensions, job, is_output));
  tensor->data = seen.data;
  tensor->byte_offset = 0;
  tensor->strides = seen.strides;
}

Tensor TensorOf(const calls::DimsView& view, const Type& type) {
  Tensor tensor = {view.first, {}, type};
  std::ranges::copy(view.strides, tensor.strides);
  return tensor;
}

Job JobTo(const calls::DimsView& to, const Type& type) {
  Job job = {};
  job.out = TensorOf(to, type);
  job.rank = static_cast<int>(to.shape.size());
  std::ranges::copy(to.shape, job.shape);
  return job;
}

void CopyElements(const calls::DimsView& from, const calls::DimsView& to,
                  const Type& type) {
  Job job = JobTo(to, type);
  MoveFrom(TensorOf(from, type), &job);
  RunJob(job);
}

}  // namespace assay::broken
