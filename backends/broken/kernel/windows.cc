#include "backends/broken/kernel/windows.h"

#include <string.h>

#include <algorithm>
#include <numeric>

#include "backends/broken/kernel/regions.h"
#include "backends/broken/kernel/seen_call.h"
#include "backends/broken/kernel/types.h"
#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"

namespace assay::broken {
namespace {

using calls::DimsView;
using calls::Windows;
using Numbers = std::vector<int64_t>;

// The indices of a call, in host memory and row-major order, as 64 bits each.
class Indices {
 public:
  explicit Indices(const AssayTensor& indices) : tensor_(indices) {
    failure_ = ActiveHooks().indices(indices, &integers_);
    view_ = DimsView::Of(indices.tensor);
    view_.strides = calls::RowMajor(view_.shape);
    view_.first = reinterpret_cast<unsigned char*>(integers_.data());
    tensor_.tensor = view_.Tensor(indices.tensor);
    tensor_.tensor.dtype = {kDLInt, 64, 1};
  }
  Indices(const Indices&) = delete;
  Indices& operator=(const Indices&) = delete;
  const char* failure() const { return failure_; }
  const AssayTensor& tensor() const { return tensor_; }

 private:
  const char* failure_;
  Numbers integers_;
  DimsView view_;
  AssayTensor tensor_;
};

// Calls `f` with each index of a shape.
template <class F>
void ForEachIndex(const Numbers& shape, F f) {
  Numbers index(shape.size());
  for (int64_t left = calls::CountOf(shape); left > 0; --left) {
    f(index);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

// Moves one window of an operand.
void CopyWindow(const Windows& windows, const calls::Window& window,
                unsigned char* operand, unsigned char* result,
                const Type& type) {
  DimsView from, to;
  int64_t place = 0;
  for (size_t d = 0; d < windows.dims.size(); ++d) {
    const Windows::Dim& dim = windows.dims[d];
    int64_t begin = window.begin[d];
    if (dim.batch < 0)
      begin =
          std::min(ActiveHooks().start(dim, begin), dim.size - dim.window_size);
    place += begin * dim.stride;
    from.shape.push_back(dim.window_size);
    from.strides.push_back(dim.stride);
    to.strides.push_back(dim.other_stride);
  }
  to.shape = from.shape;
  from.first = operand + place * type.bytes;
  to.first = result + window.other * type.bytes;
  CopyElements(from, to, type);
}

}  // namespace

const char* ReadWindows(const AssayCall& call, Windows* windows) {
  if (strcmp(call.op, "scatter") != 0)
    return calls::ReadGather(call, calls::ReadHostIntegers, windows);
  const int32_t count = call.input_group_sizes[0];
  return calls::ReadScatter(call, call.inputs[0].tensor, call.inputs[count],
                            call.inputs[count + 1].tensor, windows);
}

int64_t Clamped(const Windows::Dim& dim, int64_t index) {
  return std::clamp(index, int64_t{0}, dim.size - dim.slice_size);
}

const char* RunGather(const AssayCall& call) {
  if (call.num_inputs < 2 || call.num_outputs != 1) return "number of operands";
  Type type, result_type;
  if (!ParseType(call.inputs[0], &type) ||
      !ParseType(call.outputs[0], &result_type))
    return "element type";
  const DLDataType &from = call.inputs[0].tensor.dtype,
                   &to = call.outputs[0].tensor.dtype;
  if (from.code != to.code || from.bits != to.bits) return "result type";
  const SeenCall seen(call);
  const Indices indices(seen.call().inputs[1]);
  if (indices.failure() != nullptr) return indices.failure();
  // The operand may lie where the result will be, and is copied first.
  const DimsView view = DimsView::Of(seen.call().inputs[0].tensor);
  DimsView copy = {view.shape, calls::RowMajor(view.shape)};
  std::vector<unsigned char> elements(
      static_cast<size_t>(calls::CountOf(view.shape) * type.bytes));
  copy.first = elements.data();
  std::vector<AssayTensor> inputs(seen.call().inputs,
                                  seen.call().inputs + call.num_inputs);
  inputs[0].tensor = copy.Tensor(inputs[0].tensor);
  inputs[1] = indices.tensor();
  AssayCall gather = seen.call();
  gather.inputs = inputs.data();
  Windows windows;
  if (const char* missing = ActiveHooks().windows(gather, &windows))
    return missing;
  if (calls::CountElements(call.outputs[0].tensor) == 0) return nullptr;
  if (elements.empty())
    return "a slice without elements of an operand without elements";
  CopyElements(view, copy, type);
  calls::WindowCursor cursor(windows, 0);
  for (int64_t i = 0; i < windows.BatchCount(); ++i) {
    if (i > 0) cursor.Next();
    CopyWindow(windows, cursor.window(), elements.data(),
               calls::FirstElement(gather.outputs[0].tensor), type);
  }
  return nullptr;
}

bool IsInside(const Windows& windows, const Numbers& begin,
              const Numbers& offset) {
  for (size_t d = 0; d < begin.size(); ++d) {
    // The sum may be more than 64 bits have.
    if (begin[d] < -offset[d] || begin[d] >= windows.dims[d].size - offset[d])
      return false;
  }
  return true;
}

Tuple ElementsOfHit(const FunctionCall&, const std::vector<Elements>& of,
                    int64_t element) {
  Tuple tuple;
  for (const Elements& elements : of) tuple.push_back(elements.At(element));
  return tuple;
}

void ApplyHit(FunctionCall* call, const Tuple& element, const Hit& hit) {
  Tuple update;
  const size_t count = call->outputs.size();
  for (size_t k = 0; k < count; ++k)
    update.push_back(call->init_values[k + 1].At(hit.update));
  const Tuple updated =
      ApplyToPair(*call, element, InTypesOfResults(*call, update));
  if (updated.size() != count) call->Fail("number of operands");
  for (size_t k = 0; k < count && !call->IsDone(); ++k) {
    if (HasType(updated[k], call->outputs[k].type))
      call->outputs[k].Set(hit.element, updated[k]);
    else
      call->Fail("result type");
  }
}

void ApplyHits(FunctionCall* call, const std::vector<Hit>& hits) {
  for (const Hit& hit : hits) {
    if (call->IsDone()) return;
    ApplyHit(call, ElementsOfHit(*call, call->outputs, hit.element), hit);
  }
}

void RunScatter(FunctionCall* call) {
  const size_t count = call->inputs.size();
  if (call->outputs.size() != count || call->init_values.size() != count + 1)
    return call->Fail("number of operands");
  const Numbers shape = call->inputs[0].shape;
  const Numbers updates = call->init_values[1].shape;
  for (size_t k = 0; k < count; ++k) {
    if (call->outputs[k].shape != shape ||
        call->init_values[k + 1].shape != updates)
      return call->Fail("mix of operand shapes");
  }
  const Indices indices(call->call.inputs[count]);
  if (indices.failure() != nullptr) return call->Fail(indices.failure());
  // Elements lie in row-major order.
  const DimsView operand = {shape, calls::RowMajor(shape)};
  const DimsView update = {updates, calls::RowMajor(updates)};
  std::vector<AssayTensor> inputs(call->call.inputs,
                                  call->call.inputs + call->call.num_inputs);
  inputs[0].tensor = operand.Tensor(inputs[0].tensor);
  inputs[count] = indices.tensor();
  inputs[count + 1].tensor = update.Tensor(inputs[count + 1].tensor);
  AssayCall scatter = call->call;
  scatter.inputs = inputs.data();
  Windows windows;
  if (const char* missing = ActiveHooks().windows(scatter, &windows))
    return call->Fail(missing);
  for (size_t k = 0; k < count; ++k) {
    for (int64_t i = 0; i < calls::CountOf(shape); ++i)
      call->outputs[k].Set(
          i, InTypesOfResults(*call, ElementsOfHit(*call, call->inputs, i))[k]);
  }
  std::vector<Hit> hits;
  Numbers sizes;
  for (const Windows::Dim& dim : windows.dims) sizes.push_back(dim.window_size);
  const int64_t batch = windows.BatchCount();
  if (batch > 0) {
    calls::WindowCursor cursor(windows, 0);
    for (int64_t i = 0; i < batch; ++i) {
      if (i > 0) cursor.Next();
      const calls::Window& window = cursor.window();
      ForEachIndex(sizes, [&](const Numbers& offset) {
        if (!ActiveHooks().is_inside(windows, window.begin, offset)) return;
        Hit hit = {0, window.other};
        for (size_t d = 0; d < sizes.size(); ++d) {
          const Windows::Dim& dim = windows.dims[d];
          hit.element += std::clamp(window.begin[d] + offset[d], int64_t{0},
                                    dim.size - 1) *
                         dim.stride;
          hit.update += offset[d] * dim.other_stride;
        }
        hits.push_back(hit);
      });
    }
  }
  ActiveHooks().hits(call, hits);
}

bool IsDimensionSize(const AssayCall& call) {
  return strcmp(call.op, "get_dimension_size") == 0;
}

int64_t SizeOf(const AssayCall& call, int64_t dimension) {
  return call.inputs[0].tensor.shape[dimension];
}

const char* RunDimensionSize(const AssayCall& call) {
  if (call.num_inputs != 1 || call.num_outputs != 1)
    return "number of operands";
  const auto dimension = calls::DimensionOf(
      call, "dimension", static_cast<size_t>(call.inputs[0].tensor.ndim));
  if (!dimension || call.num_attributes != 1) return "attribute value";
  const DLTensor& output = call.outputs[0].tensor;
  if (output.ndim != 0 || output.dtype.code != kDLInt ||
      output.dtype.bits != 32)
    return "result type";
  const auto size = static_cast<int32_t>(
      ActiveHooks().size(call, static_cast<int64_t>(*dimension)));
  memcpy(calls::FirstElement(output), &size, sizeof(size));
  return nullptr;
}

}  // namespace assay::broken
