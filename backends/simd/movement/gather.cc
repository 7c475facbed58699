#include "backends/simd/movement/gather.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <vector>

#include "backends/calls/attributes.h"
#include "backends/calls/overlap.h"
#include "backends/calls/tensors.h"
#include "backends/calls/violations.h"
#include "backends/calls/windows.h"
#include "backends/simd/core/parts.h"
#include "backends/simd/core/run_nest.h"
#include "backends/simd/movement/moves.h"
#include "backends/simd/movement/row_indices.h"
#include "backends/simd/movement/window_copy.h"

namespace assay::simd {
namespace {

WindowCopy CopyOf(const calls::Windows& windows, size_t bytes) {
  std::vector<BoxDim> dims;
  const auto size = static_cast<int64_t>(bytes);
  for (const calls::Windows::Dim& dim : windows.dims) {
    dims.push_back(
        {dim.window_size, dim.stride * size, dim.other_stride * size});
  }
  return {std::move(dims), bytes};
}

template <size_t kBytes>
void CopyRows(const unsigned char* const* from, int64_t count, size_t bytes,
              unsigned char* to, int64_t to_stride) {
  for (int64_t i = 0; i < count; ++i)
    memcpy(to + i * to_stride, from[i], kBytes == 0 ? bytes : kBytes);
}

// Copies the windows [begin, end), which are rows.
void GatherRows(const RowIndices& rows, size_t row_bytes,
                const unsigned char* operand, unsigned char* result,
                size_t bytes, int64_t begin, int64_t end) {
  const auto size = static_cast<int64_t>(bytes);
  const calls::Windows::Dim& dim = rows.dim();
  // A slice without elements may begin behind the last one.
  const int64_t last = std::min(dim.size - dim.slice_size, dim.size - 1);
  const int64_t to_stride = rows.other_stride() * size;
  const auto copy = row_bytes == 1    ? CopyRows<1>
                    : row_bytes == 2  ? CopyRows<2>
                    : row_bytes == 4  ? CopyRows<4>
                    : row_bytes == 8  ? CopyRows<8>
                    : row_bytes == 16 ? CopyRows<16>
                    : row_bytes == 64 ? CopyRows<64>
                                      : CopyRows<0>;
  int64_t indices[RowIndices::kAtATime];
  const unsigned char* from[RowIndices::kAtATime];
  for (; begin < end; begin += RowIndices::kAtATime) {
    const int64_t count = std::min(end - begin, RowIndices::kAtATime);
    rows.Read(begin, count, indices);
    for (int64_t i = 0; i < count; ++i) {
      const int64_t at = std::clamp(indices[i], int64_t{0}, last);
      from[i] = operand + at * dim.stride * size;
      __builtin_prefetch(from[i]);
    }
    copy(from, count, row_bytes, result + begin * to_stride, to_stride);
  }
}

// Copies the windows [begin, end) of the batch.
void Gather(const calls::Windows& windows, const WindowCopy& copy,
            const unsigned char* operand, unsigned char* result, size_t bytes,
            int64_t begin, int64_t end) {
  const auto size = static_cast<int64_t>(bytes);
  calls::WindowCursor cursor(windows, begin);
  for (int64_t i = begin; i < end; ++i) {
    if (i > begin) cursor.Next();
    const calls::Window& window = cursor.window();
    int64_t place = 0;
    for (size_t d = 0; d < windows.dims.size(); ++d) {
      const calls::Windows::Dim& dim = windows.dims[d];
      int64_t at = window.begin[d];
      // An index of the batch is where it should be. A slice without elements
      // may begin behind the last one.
      if (dim.batch < 0)
        at = std::min(std::clamp(at, int64_t{0}, dim.size - dim.slice_size),
                      dim.size - dim.window_size);
      place += at * dim.stride;
    }
    copy(operand + place * size, result + window.other * size);
  }
}

// Gathers to memory of its own, and copies from there: the result lies in that
// of an operand.
const char* GatherApart(const AssayCall& call, const Options& options) {
  const DLTensor& output = call.outputs[0].tensor;
  calls::Type type;
  if (!calls::ParseType(call.outputs[0], &type)) return "element type";
  calls::DimsView view = calls::DimsView::Of(output);
  view.strides = calls::RowMajor(view.shape);
  const std::unique_ptr<unsigned char[]> memory(new (
      std::nothrow) unsigned char[calls::CountElements(output) * type.bytes()]);
  if (memory == nullptr) return "a copy without memory for it";
  view.first = memory.get();
  AssayTensor apart = call.outputs[0];
  apart.tensor = view.Tensor(output);
  AssayCall gather = call;
  gather.outputs = &apart;
  if (const char* failure = RunGather(gather, options)) return failure;
  return RunMoves(calls::MakeCall("reshape", {&apart, 1}, call.outputs[0]),
                  options);
}

}  // namespace

const char* RunGather(const AssayCall& call, const Options& options) {
  calls::Windows windows;
  if (const char* unread =
          calls::ReadGather(call, calls::ReadHostIntegers, &windows))
    return unread;
  calls::Type type, result_type;
  if (!calls::ParseType(call.inputs[0], &type) ||
      !calls::ParseType(call.outputs[0], &result_type))
    return "element type";
  if (type != result_type) return calls::kResultType;
  const DLTensor& output = call.outputs[0].tensor;
  if (calls::CountElements(output) == 0) return nullptr;
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (calls::CountElements(input) == 0) continue;
    calls::IntegerType index_type;
    const size_t bytes =
        k > 0 && calls::ReadIntegerType(call.inputs[k], &index_type)
            ? index_type.bytes()
            : type.bytes();
    if (calls::Overlap(input, bytes, output, type.bytes()))
      return GatherApart(call, options);
  }
  if (calls::CountElements(call.inputs[0].tensor) == 0)
    return "a slice without elements of an operand without elements";
  const WindowCopy copy = CopyOf(windows, type.bytes());
  const int64_t count = windows.BatchCount();
  const unsigned char* const operand =
      calls::FirstElement(call.inputs[0].tensor);
  unsigned char* const result = calls::FirstElement(output);
  const bool is_large =
      count * copy.bytes() >= 4 * kThreadedElements && options.threads > 1;
  const int64_t parts =
      is_large ? std::min<int64_t>(options.threads, count) : 1;
  const auto rows =
      copy.IsRow() ? RowIndices::Of(windows) : std::optional<RowIndices>();
  RunInThreads(parts, [&](int64_t part) {
    const int64_t begin = count * part / parts;
    const int64_t end = count * (part + 1) / parts;
    if (rows) {
      GatherRows(*rows, static_cast<size_t>(copy.bytes()), operand, result,
                 type.bytes(), begin, end);
    } else {
      Gather(windows, copy, operand, result, type.bytes(), begin, end);
    }
  });
  return nullptr;
}

const char* RunDimensionSize(const AssayCall& call) {
  if (call.num_inputs != 1 || call.num_outputs != 1)
    return "number of operands";
  if (call.num_attributes != 1 || call.num_regions != 0)
    return "an attribute or region";
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  const auto dimension =
      calls::DimensionOf(call, "dimension", static_cast<size_t>(input.ndim));
  if (!dimension) return "attribute value";
  if (output.dtype.code != kDLInt || output.dtype.bits != 32 ||
      output.ndim != 0)
    return "result type";
  const auto size = static_cast<int32_t>(input.shape[*dimension]);
  memcpy(calls::FirstElement(output), &size, sizeof(size));
  return nullptr;
}

void MoveElements(const void* from, const std::vector<int64_t>& from_places,
                  void* to, const std::vector<int64_t>& to_places,
                  size_t bytes) {
  const WindowCopy copy({}, bytes);
  const auto size = static_cast<int64_t>(bytes);
  const auto place = [](const std::vector<int64_t>& places, size_t i) {
    return places.empty() ? static_cast<int64_t>(i) : places[i];
  };
  const size_t count = std::max(from_places.size(), to_places.size());
  for (size_t i = 0; i < count; ++i)
    copy(static_cast<const unsigned char*>(from) + place(from_places, i) * size,
         static_cast<unsigned char*>(to) + place(to_places, i) * size);
}

}  // namespace assay::simd
