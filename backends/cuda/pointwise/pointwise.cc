// A pointwise call is a list of ops with one result each. They run on slices of
// the operands that are small enough for intermediate results to stay in the
// cache of the device and out of its memory.
#include "backends/calls/pointwise.h"

#include <algorithm>

#include "backends/calls/stages.h"
#include "backends/cuda/core/batch.h"
#include "backends/cuda/core/calls.h"
#include "backends/cuda/core/runtime.h"

namespace assay::cuda {
namespace {

constexpr int64_t kSliceElements = int64_t{1} << 22;

using calls::PointwiseStages;
using calls::Slot;

// A Value is the tensor of a slot, with its own shape or the part of it in the
// slice.
struct Value {
  DLTensor tensor = {};
  calls::Type type = {};
  int64_t shape[calls::kMaxDims];
  int64_t strides[calls::kMaxDims];

  void Set(const DLTensor& from, const calls::Type& of_type) {
    tensor = from;
    type = of_type;
    std::copy(from.shape, from.shape + from.ndim, shape);
    std::copy(from.strides, from.strides + from.ndim, strides);
    tensor.shape = shape;
    tensor.strides = strides;
  }
};

class Program {
 public:
  Program(const AssayCall& call, const calls::PointwiseProgram& program,
          Math math)
      : list_(calls::MakeStages(program)), math_(math) {
    for (int k = 0; k < call.num_inputs; ++k)
      inputs_[k].Set(call.inputs[k].tensor, program.inputs[k]);
    for (int o = 0; o < call.num_outputs; ++o)
      outputs_[o].Set(call.outputs[o].tensor, program.outputs[o].result);
  }

  Failure Run() { return RunSlices(0); }

 private:
  // Cuts this dimension of the outputs, and then the next ones, until the
  // slices are small.
  Failure RunSlices(int dim) {
    const DLTensor& output = outputs_[0].tensor;
    // One op alone has no intermediate results.
    const bool is_plain = list_.num_stages == 1 && list_.num_outputs == 1;
    const auto count = static_cast<int64_t>(calls::CountElements(output));
    if (is_plain || count <= kSliceElements || dim == output.ndim)
      return RunSlice();
    const int64_t extent = output.shape[dim];
    const int64_t step = std::max<int64_t>(
        1, kSliceElements / std::max<int64_t>(1, count / extent));
    for (int64_t begin = 0; begin < extent; begin += step) {
      const int64_t size = std::min(step, extent - begin);
      Program slice = *this;
      slice.Narrow(output.ndim - dim, begin, size);
      const ArenaMark mark = MarkArena();
      const Failure failure = slice.RunSlices(dim + 1);
      if (failure.is()) return failure;
      // Once a slice is launched, the next slice may use its memory.
      const Batch* const batch = Batch::Current();
      if (batch == nullptr || batch->is_empty()) RewindArena(mark);
    }
    return {};
  }

  // `from_last` counts dimensions from the last one, which is 1.
  void Narrow(int from_last, int64_t begin, int64_t size) {
    const auto narrow = [&](Value* value) {
      const int dim = value->tensor.ndim - from_last;
      if (dim < 0 || value->shape[dim] == 1) return;
      value->tensor.byte_offset +=
          static_cast<uint64_t>(begin * value->strides[dim] *
                                static_cast<int64_t>(value->type.bytes()));
      value->shape[dim] = size;
    };
    for (Value& value : inputs_) narrow(&value);
    for (Value& value : outputs_) narrow(&value);
    Repoint();
  }

  // Points the tensors to the shapes and strides of this object after it was
  // copied.
  void Repoint() {
    for (Value* values : {inputs_, outputs_}) {
      const int size =
          values == inputs_ ? calls::kMaxInputs : calls::kMaxOutputs;
      for (int i = 0; i < size; ++i) {
        values[i].tensor.shape = values[i].shape;
        values[i].tensor.strides = values[i].strides;
      }
    }
  }

  Failure RunSlice() {
    Repoint();
    for (int s = 0; s < list_.num_stages; ++s) {
      const calls::Stage& stage = list_.stages[s];
      const DLTensor* operands[calls::kMaxInputs];
      for (int k = 0; k < stage.signature.num_inputs; ++k)
        operands[k] = &At(stage.inputs[k]).tensor;
      const bool is_last = list_.num_outputs == 1 && s == list_.num_stages - 1;
      if (!is_last && !Place(s, stage.signature, operands))
        return {ASSAY_ERROR, "no memory on the device for what is in between"};
      const Failure failure =
          RunOp(stage.signature, operands,
                is_last ? outputs_[0].tensor : results_[s].tensor, math_);
      if (failure.is()) return failure;
    }
    const bool is_written = list_.num_outputs == 1 && list_.num_stages > 0 &&
                            list_.outputs[0] >= list_.num_inputs;
    for (int o = 0; !is_written && o < list_.num_outputs; ++o) {
      calls::Signature copy = {};
      copy.op = "convert";
      copy.num_inputs = 1;
      copy.inputs[0] = copy.output = outputs_[o].type;
      const DLTensor* from = &At(list_.outputs[o]).tensor;
      const Failure failure = RunOp(copy, &from, outputs_[o].tensor, math_);
      if (failure.is()) return failure;
    }
    return {};
  }

  Value& At(Slot slot) {
    return slot < list_.num_inputs ? inputs_[slot]
                                   : results_[slot - list_.num_inputs];
  }

  // Reserves memory for the result of a stage, whose shape follows from its
  // operands.
  bool Place(int stage, const calls::Signature& signature,
             const DLTensor* const* operands) {
    Value& value = results_[stage];
    value.type = signature.output;
    DLTensor& tensor = value.tensor;
    tensor = outputs_[0].tensor;
    if (signature.num_inputs == 1) tensor.ndim = operands[0]->ndim;
    for (int i = 1; i <= tensor.ndim; ++i) {
      int64_t size = outputs_[0].shape[outputs_[0].tensor.ndim - i];
      if (signature.num_inputs == 1)
        size = operands[0]->shape[operands[0]->ndim - i];
      value.shape[tensor.ndim - i] = size;
    }
    int64_t count = 1;
    for (int i = tensor.ndim; i-- > 0; count *= value.shape[i])
      value.strides[i] = count;
    tensor.shape = value.shape;
    tensor.strides = value.strides;
    tensor.byte_offset = 0;
    tensor.data =
        Workspace(stage, static_cast<size_t>(count) * value.type.bytes());
    return tensor.data != nullptr;
  }

  PointwiseStages list_;
  Math math_;
  Value inputs_[calls::kMaxInputs];
  Value outputs_[calls::kMaxOutputs];
  Value results_[calls::kMaxStages];
};

}  // namespace

AssayStatus RunPointwise(const AssayCall& call, Math math,
                         calls::Complaint* complaint) {
  calls::PointwiseProgram program;
  const AssayStatus status = calls::ReadPointwise(call, &program, complaint);
  if (status != ASSAY_OK) return status;
  const Failure failure = Program(call, program, math).Run();
  if (failure.status == ASSAY_UNSUPPORTED) {
    complaint->Say("%s: %s not implemented", call.op, failure.text);
  } else if (failure.is()) {
    complaint->Say("%s: %s", call.op, failure.text);
  }
  return failure.status;
}

}  // namespace assay::cuda
