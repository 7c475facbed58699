#include "backends/broken/kernel/moves.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <numeric>

#include "backends/broken/kernel/broadcast.h"
#include "backends/broken/kernel/conversions.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

bool IsIota(const AssayCall& call) { return strcmp(call.op, "iota") == 0; }

// A SeenCall has the operands of a call as the hook `view` shows them.
class SeenCall {
 public:
  explicit SeenCall(const AssayCall& call)
      : inputs_(call.inputs, call.inputs + call.num_inputs),
        outputs_(call.outputs, call.outputs + call.num_outputs),
        call_(call) {
    tensors_.reserve(inputs_.size() + outputs_.size());
    for (AssayTensor& input : inputs_) See(false, &input.tensor);
    for (AssayTensor& output : outputs_) See(true, &output.tensor);
    call_.inputs = inputs_.data();
    call_.outputs = outputs_.data();
  }
  SeenCall(const SeenCall&) = delete;
  SeenCall& operator=(const SeenCall&) = delete;

  const AssayCall& call() const { return call_; }

 private:
  void See(bool is_output, DLTensor* tensor) {
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

  std::vector<AssayTensor> inputs_, outputs_;
  std::vector<Tensor> tensors_;
  AssayCall call_;
};

calls::DimsView Whole(const DLTensor& tensor) {
  return {{tensor.shape, tensor.shape + tensor.ndim},
          {tensor.strides, tensor.strides + tensor.ndim},
          calls::FirstElement(tensor)};
}

// `view` has the shape of the job.
Tensor TensorOf(const calls::DimsView& view, const Type& type) {
  Tensor tensor = {view.first, {}, type};
  std::ranges::copy(view.strides, tensor.strides);
  return tensor;
}

// Returns a job without a function that writes all elements of `to`.
Job JobTo(const calls::DimsView& to, const Type& type) {
  Job job = {};
  job.out = TensorOf(to, type);
  job.rank = static_cast<int>(to.shape.size());
  std::ranges::copy(to.shape, job.shape);
  return job;
}

const char* RunCopies(const AssayCall& call, const Type& type) {
  calls::Moves moves;
  if (const char* missing = ActiveHooks().moves(call, &moves)) return missing;
  // Such calls are walked as well, for the bugs of walks over nothing.
  const DLTensor& output = call.outputs[0].tensor;
  if (calls::CountElements(output) == 0)
    moves.copies.push_back({Whole(output), Whole(output)});
  std::vector<unsigned char> between(moves.between_bytes);
  moves.PlaceBetween(between.data());
  for (const calls::Copy& copy : moves.copies) {
    Job job = JobTo(copy.to, type);
    MoveFrom(TensorOf(copy.from, type), &job);
    RunJob(job);
  }
  return nullptr;
}

const char* RunIota(const AssayCall& call, const Type& type) {
  Counting counting;
  if (const char* missing = ActiveHooks().count(call, &counting))
    return missing;
  Job job = JobTo(Whole(call.outputs[0].tensor), type);
  counting.view.first =
      reinterpret_cast<unsigned char*>(counting.numbers.data());
  job.in[0] = TensorOf(counting.view, IntegerType(64));
  job.num_inputs = 1;
  job.type = job.takes[0] = job.in[0].type;
  job.gives = type;
  SetConversion(&job);
  RunJob(job);
  return nullptr;
}

}  // namespace

bool IsMoveOrIota(const AssayCall& call) {
  return IsIota(call) || (calls::IsMove(call.op) && !IsBroadcastInDim(call));
}

const char* Count(const AssayCall& call, Counting* counting) {
  calls::Indices indices;
  if (const char* missing = calls::ReadIota(call, &indices)) return missing;
  counting->view = std::move(indices.view);
  counting->numbers.resize(static_cast<size_t>(indices.count));
  std::iota(counting->numbers.begin(), counting->numbers.end(), int64_t{0});
  return nullptr;
}

const char* RunMoves(const AssayCall& call) {
  if (call.num_outputs != 1) return "number of operands";
  Type type;
  if (!ParseType(call.outputs[0], &type)) return "element type";
  const SeenCall seen(call);
  return (IsIota(call) ? RunIota : RunCopies)(seen.call(), type);
}

std::vector<int64_t> NumbersOf(const AssayCall& call, const char* name) {
  constexpr char kDigits[] = "0123456789";
  std::vector<int64_t> numbers;
  const char* text = AttributeText(call, name);
  while (*(text += strcspn(text, kDigits)) != '\0') {
    char* end = nullptr;
    numbers.push_back(strtoll(text, &end, 10));
    text = end;
  }
  return numbers;
}

}  // namespace assay::broken
