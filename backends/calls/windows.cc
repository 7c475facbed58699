#include "backends/calls/windows.h"

#include <string.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "backends/calls/attributes.h"
#include "backends/calls/tensors.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;

int64_t PlaceIn(const Numbers& numbers, int64_t number) {
  const auto at = std::ranges::find(numbers, number);
  return at == numbers.end() ? -1 : at - numbers.begin();
}

// Returns whether the numbers are dimensions below `rank`, none of them twice.
bool AreDimensions(const Numbers& numbers, size_t rank) {
  bool is_taken[64] = {};
  return std::ranges::all_of(numbers, [&](int64_t d) {
    return d >= 0 && static_cast<size_t>(d) < rank &&
           !std::exchange(is_taken[d], true);
  });
}

bool AreSortedDimensions(const Numbers& numbers, size_t rank) {
  return std::ranges::is_sorted(numbers) && AreDimensions(numbers, rank);
}

// The dimension numbers of both ops.
struct DimensionNumbers {
  std::optional<Numbers> window_dims;   // offset_dims, update_window_dims
  std::optional<Numbers> dropped_dims;  // collapsed_slice_dims, inserted_..
  std::optional<Numbers> operand_batching_dims;
  std::optional<Numbers> index_batching_dims;
  std::optional<Numbers> index_map;  // start_index_map, scatter_dims_to_..
  std::optional<int64_t> index_vector_dim;
};

constexpr char kSizesAtRunTime[] =
    "a window that is larger than the operand when the call runs";

// Fills `windows`, but for the sizes of windows.
const char* Read(const DimensionNumbers& numbers, const DLTensor& operand,
                 const AssayTensor& indices, const DLTensor& other,
                 Windows* windows) {
  if (!numbers.window_dims || !numbers.dropped_dims ||
      !numbers.operand_batching_dims || !numbers.index_batching_dims ||
      !numbers.index_map || !numbers.index_vector_dim)
    return kAttributeValue;
  const DimsView of_operand = DimsView::Of(operand),
                 of_indices = DimsView::Of(indices.tensor),
                 of_other = DimsView::Of(other);
  const size_t rank = of_operand.shape.size(),
               index_rank = of_indices.shape.size(),
               other_rank = of_other.shape.size();
  const int64_t vector_dim = *numbers.index_vector_dim;
  if (!AreSortedDimensions(*numbers.window_dims, other_rank) ||
      !AreSortedDimensions(*numbers.dropped_dims, rank) ||
      !AreSortedDimensions(*numbers.operand_batching_dims, rank) ||
      !AreDimensions(*numbers.index_batching_dims, index_rank) ||
      !AreDimensions(*numbers.index_map, rank) || vector_dim < 0 ||
      vector_dim > static_cast<int64_t>(index_rank) ||
      numbers.index_batching_dims->size() !=
          numbers.operand_batching_dims->size() ||
      PlaceIn(*numbers.index_batching_dims, vector_dim) >= 0 ||
      numbers.window_dims->size() + numbers.dropped_dims->size() +
              numbers.operand_batching_dims->size() !=
          rank)
    return kAttributeValue;
  if (!ReadIntegerType(indices, &windows->index_type)) return kIndexType;
  const bool has_vectors = vector_dim < static_cast<int64_t>(index_rank);
  const auto v = static_cast<size_t>(vector_dim);
  const int64_t tuple = has_vectors ? of_indices.shape[v] : 1;
  if (tuple != static_cast<int64_t>(numbers.index_map->size()))
    return kOperandShapes;
  windows->tuple_stride = has_vectors ? of_indices.strides[v] : 0;
  windows->indices = of_indices.first;
  // The dimensions of the batch are those of the indices but for that of the
  // tuples, and those of the other tensor but for those of the windows.
  std::vector<int> batch_of_index_dim(index_rank, -1);
  for (size_t d = 0; d < index_rank; ++d) {
    if (d == v && has_vectors) continue;
    batch_of_index_dim[d] = static_cast<int>(windows->batch.size());
    windows->batch.push_back({of_indices.shape[d], of_indices.strides[d], 0});
  }
  size_t batch = 0;
  for (size_t d = 0; d < other_rank; ++d) {
    if (PlaceIn(*numbers.window_dims, static_cast<int64_t>(d)) >= 0) continue;
    if (batch == windows->batch.size() ||
        of_other.shape[d] != windows->batch[batch].size)
      return kOperandShapes;
    windows->batch[batch++].other_stride = of_other.strides[d];
  }
  if (batch != windows->batch.size()) return kOperandShapes;
  size_t window = 0;
  for (size_t d = 0; d < rank; ++d) {
    const auto number = static_cast<int64_t>(d);
    Windows::Dim dim = {of_operand.shape[d], of_operand.strides[d], 1, 1, 0};
    dim.index = static_cast<int>(PlaceIn(*numbers.index_map, number));
    const int64_t batching = PlaceIn(*numbers.operand_batching_dims, number);
    if (batching >= 0) {
      dim.batch = batch_of_index_dim[static_cast<size_t>(
          (*numbers.index_batching_dims)[static_cast<size_t>(batching)])];
      if (windows->batch[static_cast<size_t>(dim.batch)].size != dim.size ||
          dim.index >= 0)
        return kOperandShapes;
    } else if (PlaceIn(*numbers.dropped_dims, number) < 0) {
      if (window == numbers.window_dims->size()) return kAttributeValue;
      const auto o = static_cast<size_t>((*numbers.window_dims)[window++]);
      dim.window_size = of_other.shape[o];
      dim.other_stride = of_other.strides[o];
      if (dim.window_size > dim.size) return kWindowSize;
    }
    windows->dims.push_back(dim);
  }
  return nullptr;
}

}  // namespace

bool IsGather(const char* op) {
  return strcmp(op, "gather") == 0 || strcmp(op, "dynamic_gather") == 0;
}

int64_t Windows::BatchCount() const {
  int64_t count = 1;
  for (const BatchDim& dim : batch) count *= dim.size;
  return count;
}

int64_t Windows::WindowCount() const {
  int64_t count = 1;
  for (const Dim& dim : dims) count *= dim.window_size;
  return count;
}

const char* ReadGather(const AssayCall& call, const ReadIntegers& read,
                       Windows* windows) {
  const bool is_dynamic = strcmp(call.op, "dynamic_gather") == 0;
  if (call.num_inputs != (is_dynamic ? 3 : 2) || call.num_outputs != 1)
    return "number of operands";
  if (call.num_attributes > (is_dynamic ? 5 : 8) || call.num_regions != 0)
    return "an attribute or region";
  DimensionNumbers numbers = {ListOf(call, "offset_dims"),
                              ListOf(call, "collapsed_slice_dims"),
                              Numbers(),
                              Numbers(),
                              ListOf(call, "start_index_map"),
                              NumberOf(call, "index_vector_dim")};
  std::optional<Numbers> sizes;
  if (is_dynamic) {
    IntegerType type;
    if (!ReadIntegerType(call.inputs[2], &type)) return kIndexType;
    if (call.inputs[2].tensor.ndim != 1) return kOperandShapes;
    sizes.emplace();
    if (const char* failure = read(call.inputs[2], &*sizes)) return failure;
  } else {
    numbers.operand_batching_dims = ListOf(call, "operand_batching_dims");
    numbers.index_batching_dims = ListOf(call, "start_indices_batching_dims");
    sizes = ListOf(call, "slice_sizes");
  }
  if (const char* failure = Read(numbers, call.inputs[0].tensor, call.inputs[1],
                                 call.outputs[0].tensor, windows))
    return failure == kWindowSize && is_dynamic ? kSizesAtRunTime : failure;
  if (!sizes || sizes->size() != windows->dims.size()) return kAttributeValue;
  for (size_t d = 0; d < sizes->size(); ++d) {
    Windows::Dim& dim = windows->dims[d];
    const int64_t size = (*sizes)[d];
    const bool is_dropped =
        dim.batch >= 0 ||
        PlaceIn(*numbers.dropped_dims, static_cast<int64_t>(d)) >= 0;
    if (size < 0 || size > dim.size || (is_dropped && size > 1) ||
        (!is_dropped && size != dim.window_size)) {
      if (!is_dynamic) return kOperandShapes;
      // No constraint says which sizes operands have when the call runs: any
      // result is right.
      dim.slice_size = dim.window_size;
      continue;
    }
    dim.slice_size = size;
  }
  return nullptr;
}

const char* ReadScatter(const AssayCall& call, const DLTensor& operand,
                        const AssayTensor& indices, const DLTensor& updates,
                        Windows* windows) {
  return Read(
      {ListOf(call, "update_window_dims"), ListOf(call, "inserted_window_dims"),
       ListOf(call, "input_batching_dims"),
       ListOf(call, "scatter_indices_batching_dims"),
       ListOf(call, "scatter_dims_to_operand_dims"),
       NumberOf(call, "index_vector_dim")},
      operand, indices, updates, windows);
}

WindowCursor::WindowCursor(const Windows& windows, int64_t first)
    : windows_(windows), index_(windows.batch.size()) {
  window_.begin.resize(windows.dims.size());
  for (size_t d = index_.size(); d-- > 0;) {
    index_[d] = first % windows.batch[d].size;
    first /= windows.batch[d].size;
  }
  Read();
}

void WindowCursor::Next() {
  for (size_t d = index_.size(); d-- > 0;) {
    if (++index_[d] < windows_.batch[d].size) break;
    index_[d] = 0;
  }
  Read();
}

void WindowCursor::Read() {
  int64_t place = 0;
  window_.other = 0;
  for (size_t d = 0; d < index_.size(); ++d) {
    place += index_[d] * windows_.batch[d].index_stride;
    window_.other += index_[d] * windows_.batch[d].other_stride;
  }
  const auto bytes = static_cast<int64_t>(windows_.index_type.bytes());
  for (size_t d = 0; d < windows_.dims.size(); ++d) {
    const Windows::Dim& dim = windows_.dims[d];
    if (dim.batch >= 0) {
      window_.begin[d] = index_[static_cast<size_t>(dim.batch)];
    } else if (dim.index >= 0) {
      window_.begin[d] = windows_.index_type.Read(
          windows_.indices +
          (place + dim.index * windows_.tuple_stride) * bytes);
    } else {
      window_.begin[d] = 0;
    }
  }
}

}  // namespace assay::calls
