#include "backends/cuda/movement/gather.h"

#include <algorithm>

#include "backends/calls/attributes.h"
#include "backends/calls/overlap.h"
#include "backends/calls/tensors.h"
#include "backends/calls/windows.h"
#include "backends/cuda/core/runtime.h"
#include "backends/cuda/movement/windows.h"

namespace assay::cuda {
namespace {

constexpr Failure kNoMemory = {ASSAY_ERROR,
                               "no memory on the device for indices"};

}  // namespace

int UnitOf(const calls::Type& type) {
  const auto bytes = static_cast<int>(type.bytes());
  return type.kind == calls::Kind::kComplex ? bytes / 2 : bytes;
}

const char* MakeWindowsJob(const calls::Windows& windows,
                           const calls::Type& type, WindowsJob* job) {
  const auto bytes = static_cast<int64_t>(type.bytes());
  const int64_t unit = UnitOf(type);
  const size_t parts = static_cast<size_t>(bytes / unit);
  if (windows.dims.size() + (parts > 1 ? 1 : 0) > kMaxWindowDims ||
      windows.batch.size() > kMaxWindowDims)
    return "rank";
  const auto index_bytes = static_cast<int64_t>(windows.index_type.bytes());
  job->indices = windows.indices;
  job->index_bits = windows.index_type.bits;
  job->is_signed = windows.index_type.is_signed;
  job->tuple_stride = windows.tuple_stride * index_bytes;
  job->num_dims = job->num_batch = 0;
  job->count = static_cast<int64_t>(parts) * windows.BatchCount() *
               windows.WindowCount();
  for (const calls::Windows::Dim& dim : windows.dims)
    job->dims[job->num_dims++] = {
        dim.size,       dim.stride * bytes,       dim.window_size,
        dim.slice_size, dim.other_stride * bytes, dim.index,
        dim.batch};
  if (parts > 1) job->dims[job->num_dims++] = {2, unit, 2, 2, unit, -1, -1};
  for (const calls::Windows::BatchDim& dim : windows.batch)
    job->batch[job->num_batch++] = {dim.size, dim.index_stride * index_bytes,
                                    dim.other_stride * bytes};
  return nullptr;
}

namespace {

// Makes larger units of elements that lie side by side on both sides, where
// everything else is a multiple of them. Returns their bytes.
int Widen(GatherJob* job, int bytes) {
  const auto is_multiple = [](int64_t number, int64_t of) {
    return number % of == 0;
  };
  while (bytes < 16) {
    // The innermost dimension of the windows that has a size.
    int inner = job->num_dims - 1;
    while (inner >= 0 && job->dims[inner].window_size == 1) --inner;
    if (inner < 0) return bytes;
    WindowsJob::Dim& row = job->dims[inner];
    const int wide = 2 * bytes;
    if (row.stride != bytes || row.other_stride != bytes || row.index >= 0 ||
        row.batch >= 0 || !is_multiple(row.window_size, 2) ||
        !is_multiple(reinterpret_cast<intptr_t>(job->operand), wide) ||
        !is_multiple(reinterpret_cast<intptr_t>(job->result), wide))
      return bytes;
    for (int d = 0; d < job->num_dims; ++d) {
      if (d != inner && (!is_multiple(job->dims[d].stride, wide) ||
                         !is_multiple(job->dims[d].other_stride, wide)))
        return bytes;
    }
    for (int b = 0; b < job->num_batch; ++b) {
      if (!is_multiple(job->batch[b].other_stride, wide)) return bytes;
    }
    row.window_size /= 2;
    row.slice_size = row.size = row.window_size;
    row.stride = row.other_stride = wide;
    job->count /= 2;
    bytes = wide;
  }
  return bytes;
}

// Gathers to memory of its own, and copies from there: the result lies in that
// of an operand.
Failure GatherApart(const AssayCall& call, const calls::Type& type) {
  const DLTensor& output = call.outputs[0].tensor;
  calls::DimsView view = calls::DimsView::Of(output);
  view.strides = calls::RowMajor(view.shape);
  view.first = static_cast<unsigned char*>(
      Workspace(2, calls::CountElements(output) * type.bytes()));
  if (view.first == nullptr) return kNoMemory;
  AssayTensor apart = call.outputs[0];
  apart.tensor = view.Tensor(output);
  AssayCall gather = call;
  gather.outputs = &apart;
  const Failure failure = RunGather(gather);
  return failure.is() ? failure : CopyElements(type, apart.tensor, output);
}

}  // namespace

Failure RunGather(const AssayCall& call) {
  calls::Windows windows;
  if (const char* unread =
          calls::ReadGather(call, ReadDeviceIntegers, &windows))
    return {ASSAY_UNSUPPORTED, unread};
  calls::Type type, result_type;
  if (!calls::ParseType(call.inputs[0], &type) ||
      !calls::ParseType(call.outputs[0], &result_type))
    return {ASSAY_UNSUPPORTED, "element type"};
  if (type != result_type) return {ASSAY_UNSUPPORTED, "result type"};
  const DLTensor& output = call.outputs[0].tensor;
  if (calls::CountElements(output) == 0) return {};
  for (int32_t k = 0; k < 2; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    const size_t bytes = k == 0 ? type.bytes() : windows.index_type.bytes();
    if (calls::CountElements(input) > 0 &&
        calls::Overlap(input, bytes, output, type.bytes()))
      return GatherApart(call, type);
  }
  if (calls::CountElements(call.inputs[0].tensor) == 0)
    return {ASSAY_UNSUPPORTED,
            "a slice without elements of an operand without elements"};
  GatherJob job = {};
  if (const char* what = MakeWindowsJob(windows, type, &job))
    return {ASSAY_UNSUPPORTED, what};
  job.operand = calls::FirstElement(call.inputs[0].tensor);
  job.result = calls::FirstElement(output);
  if (const Failure failure = FlushBatch(); failure.is()) return failure;
  const int bytes = Widen(&job, UnitOf(type));
  LaunchGather(job, bytes);
  return Launched();
}

Failure RunDimensionSize(const AssayCall& call) {
  if (call.num_inputs != 1 || call.num_outputs != 1)
    return {ASSAY_UNSUPPORTED, "number of operands"};
  if (call.num_attributes != 1 || call.num_regions != 0)
    return {ASSAY_UNSUPPORTED, "an attribute or region"};
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  const auto dimension =
      calls::DimensionOf(call, "dimension", static_cast<size_t>(input.ndim));
  if (!dimension) return {ASSAY_UNSUPPORTED, "attribute value"};
  calls::Type type;
  if (!calls::ParseType(call.outputs[0], &type) || output.ndim != 0 ||
      type.kind != calls::Kind::kSigned || type.bits != 32)
    return {ASSAY_UNSUPPORTED, "result type"};
  const auto size = static_cast<int32_t>(input.shape[*dimension]);
  DLTensor value = output;
  value.data = UploadValues(&size, sizeof(size));
  value.byte_offset = 0;
  if (value.data == nullptr) return kNoMemory;
  return CopyElements(type, value, output);
}

const char* ReadDeviceIntegers(const AssayTensor& tensor,
                               std::vector<int64_t>* integers) {
  return calls::ReadIntegersBy(
      [](const void* from, size_t bytes, void* to) {
        return !FlushBatch().is() && Download(from, bytes, to) == nullptr;
      },
      tensor, integers);
}

Failure MoveElements(const void* from, const std::vector<int64_t>& from_places,
                     void* to, const std::vector<int64_t>& to_places,
                     size_t bytes) {
  MoveJob job = {
      static_cast<const unsigned char*>(from), static_cast<unsigned char*>(to),
      nullptr, nullptr,
      static_cast<int64_t>(std::max(from_places.size(), to_places.size()))};
  if (job.count == 0) return {};
  if (const Failure failure = FlushBatch(); failure.is()) return failure;
  for (const bool is_from : {true, false}) {
    const std::vector<int64_t>& places = is_from ? from_places : to_places;
    if (places.empty()) continue;
    const auto* const copy = static_cast<const int64_t*>(
        UploadValues(places.data(), places.size() * sizeof(int64_t)));
    if (copy == nullptr) return kNoMemory;
    (is_from ? job.from_places : job.to_places) = copy;
  }
  LaunchMove(job, static_cast<int>(bytes));
  return Launched();
}

}  // namespace assay::cuda
