#include "backends/calls/moves.h"

#include <string.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "backends/calls/attributes.h"
#include "backends/calls/integers.h"
#include "backends/calls/limits.h"
#include "backends/calls/overlap.h"
#include "backends/calls/paddings.h"
#include "backends/calls/violations.h"

namespace assay::calls {
namespace {

using Numbers = std::vector<int64_t>;

// Returns whether the numbers are dimensions below `rank`, none of them twice.
bool AreDimensions(const Numbers& numbers, size_t rank) {
  bool is_taken[kMaxDims] = {};
  return std::ranges::all_of(numbers, [&](int64_t d) {
    return d >= 0 && static_cast<size_t>(d) < rank &&
           !std::exchange(is_taken[d], true);
  });
}

// Each of these appends the copies of an op, for views that share no memory.
// They return what is not implemented, or nullptr. Operands that say where
// elements go are read by `read`.

const char* ReadBroadcastInDim(const AssayCall& call, const ReadIntegers&,
                               Moves* moves) {
  const DimsView operand = DimsView::Of(call.inputs[0].tensor);
  Copy copy{{}, DimsView::Of(call.outputs[0].tensor)};
  const size_t rank = copy.to.shape.size();
  const auto dimensions = ListOf(call, "broadcast_dimensions");
  if (!dimensions || dimensions->size() != operand.shape.size() ||
      !AreDimensions(*dimensions, rank))
    return kAttributeValue;
  copy.from = {Numbers(rank, 1), Numbers(rank, 0), operand.first};
  for (size_t i = 0; i < operand.shape.size(); ++i) {
    const auto d = static_cast<size_t>((*dimensions)[i]);
    if (operand.shape[i] == 1) continue;
    if (operand.shape[i] != copy.to.shape[d]) return kOperandShapes;
    copy.from.shape[d] = operand.shape[i];
    copy.from.strides[d] = operand.strides[i];
  }
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

const char* ReadDynamicBroadcastInDim(const AssayCall& call,
                                      const ReadIntegers& read, Moves* moves) {
  if (const char* wrong =
          CheckList(call.inputs[1], call.outputs[0].tensor.ndim))
    return wrong;
  Numbers known;
  for (const char* name :
       {"known_expanding_dimensions", "known_nonexpanding_dimensions"}) {
    if (FindAttribute(call, name) == nullptr) continue;
    const auto dimensions = ListOf(call, name);
    if (!dimensions) return kAttributeValue;
    known.insert(known.end(), dimensions->begin(), dimensions->end());
  }
  const auto rank = static_cast<size_t>(call.inputs[0].tensor.ndim);
  if (!AreDimensions(known, rank)) return kAttributeValue;
  return ReadBroadcastInDim(call, read, moves);
}

const char* ReadConcatenate(const AssayCall& call, const ReadIntegers&,
                            Moves* moves) {
  const DimsView result = DimsView::Of(call.outputs[0].tensor);
  const auto dimension = DimensionOf(call, "dimension", result.shape.size());
  if (!dimension) return kAttributeValue;
  int64_t start = 0;
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    Copy copy{DimsView::Of(call.inputs[k].tensor), result};
    if (copy.from.shape.size() != result.shape.size()) return kOperandShapes;
    const int64_t size = copy.from.shape[*dimension];
    copy.to.shape[*dimension] = size;
    if (copy.to.shape != copy.from.shape ||
        size > result.shape[*dimension] - start)
      return kOperandShapes;
    copy.to.Advance(start * result.strides[*dimension], moves->bytes());
    start += size;
    if (CountOf(copy.from.shape) != 0) moves->copies.push_back(std::move(copy));
  }
  return start == result.shape[*dimension] ? nullptr : kOperandShapes;
}

const char* ReadConstant(const AssayCall& call, const ReadIntegers&,
                         Moves* moves) {
  const AssayAttribute* attribute = FindAttribute(call, "value");
  if (attribute == nullptr || attribute->value == nullptr)
    return kAttributeValue;
  const AssayTensor& value = *attribute->value;
  Type type;
  if (!ParseType(value, &type) || type != moves->type) return kAttributeValue;
  if (!IsSameShape(value.tensor, call.outputs[0].tensor)) return kOperandShapes;
  Copy copy{DimsView::Of(value.tensor), DimsView::Of(call.outputs[0].tensor),
            Copy::Place::kHost};
  if (!copy.from.IsRowMajor()) return kAttributeValue;
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

// A dimension of the result may be cut where one of the operand ends, and the
// other way round; where they end in different places, there is no such view.
// One of two tensors in row-major order has the other's shape.
const char* ReadReshape(const AssayCall& call, const ReadIntegers&,
                        Moves* moves) {
  Copy copy{DimsView::Of(call.inputs[0].tensor),
            DimsView::Of(call.outputs[0].tensor)};
  if (CountOf(copy.from.shape) != CountOf(copy.to.shape)) return kOperandShapes;
  if (copy.from.IsRowMajor()) {
    copy.from.shape = copy.to.shape;
    copy.from.strides = RowMajor(copy.to.shape);
  } else if (copy.to.IsRowMajor()) {
    copy.to.shape = copy.from.shape;
    copy.to.strides = RowMajor(copy.from.shape);
  } else if (copy.from.shape != copy.to.shape) {
    Copy first{copy.from, {copy.from.shape, RowMajor(copy.from.shape)}};
    first.to_between = true;
    moves->copies.push_back(std::move(first));
    moves->between_bytes =
        static_cast<size_t>(CountOf(copy.from.shape)) * moves->bytes();
    copy.from = {copy.to.shape, RowMajor(copy.to.shape)};
    copy.from_place = Copy::Place::kBetween;
  }
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

const char* ReadDynamicReshape(const AssayCall& call, const ReadIntegers& read,
                               Moves* moves) {
  const char* const wrong =
      CheckList(call.inputs[1], call.outputs[0].tensor.ndim);
  return wrong != nullptr ? wrong : ReadReshape(call, read, moves);
}

const char* ReadReverse(const AssayCall& call, const ReadIntegers&,
                        Moves* moves) {
  Copy copy{DimsView::Of(call.inputs[0].tensor),
            DimsView::Of(call.outputs[0].tensor)};
  if (copy.from.shape != copy.to.shape) return kOperandShapes;
  const auto dimensions = ListOf(call, "dimensions");
  if (!dimensions || !AreDimensions(*dimensions, copy.from.shape.size()))
    return kAttributeValue;
  for (const int64_t number : *dimensions) {
    const auto d = static_cast<size_t>(number);
    copy.from.Advance((copy.from.shape[d] - 1) * copy.from.strides[d],
                      moves->bytes());
    copy.from.strides[d] = -copy.from.strides[d];
  }
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

const char* ReadSlice(const AssayCall& call, const ReadIntegers&,
                      Moves* moves) {
  Copy copy{DimsView::Of(call.inputs[0].tensor),
            DimsView::Of(call.outputs[0].tensor)};
  const size_t rank = copy.from.shape.size();
  if (rank != copy.to.shape.size()) return kOperandShapes;
  const auto starts = ListOf(call, "start_indices");
  const auto limits = ListOf(call, "limit_indices");
  const auto strides = ListOf(call, "strides");
  if (!starts || !limits || !strides || starts->size() != rank ||
      limits->size() != rank || strides->size() != rank)
    return kAttributeValue;
  for (size_t d = 0; d < rank; ++d) {
    const int64_t start = (*starts)[d];
    const int64_t limit = (*limits)[d];
    const int64_t step = (*strides)[d];
    if (start < 0 || start > limit || limit > copy.from.shape[d] || step < 1)
      return kAttributeValue;
    const int64_t size = limit == start ? 0 : (limit - start - 1) / step + 1;
    if (size != copy.to.shape[d]) return kOperandShapes;
    copy.from.shape[d] = size;
    copy.from.Advance(start * copy.from.strides[d], moves->bytes());
    // A stride that is larger than the operand is not used.
    copy.from.strides[d] *= size > 1 ? step : 1;
  }
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

// Sets `starts` to clamp(0, start_indices, shape - sizes), of the indices from
// operand `first` on.
const char* ReadStarts(const AssayCall& call, int32_t first,
                       const ReadIntegers& read, const Numbers& shape,
                       const Numbers& sizes, Numbers* starts) {
  if (sizes.size() != shape.size() ||
      call.num_inputs - first != static_cast<int32_t>(shape.size()))
    return kOperandShapes;
  IntegerType first_type = {};
  for (size_t d = 0; d < shape.size(); ++d) {
    const AssayTensor& index = call.inputs[first + static_cast<int32_t>(d)];
    if (index.tensor.ndim != 0 || sizes[d] < 0 || sizes[d] > shape[d])
      return kOperandShapes;
    IntegerType type;
    if (!ReadIntegerType(index, &type)) return kIndexType;
    if (d == 0) first_type = type;
    if (type != first_type) return kIndexType;
    if (const char* failure = read(index, starts)) return failure;
    starts->back() =
        std::clamp(starts->back(), int64_t{0}, shape[d] - sizes[d]);
  }
  return nullptr;
}

const char* ReadDynamicSlice(const AssayCall& call, const ReadIntegers& read,
                             Moves* moves) {
  Copy copy{DimsView::Of(call.inputs[0].tensor),
            DimsView::Of(call.outputs[0].tensor)};
  const auto sizes = ListOf(call, "slice_sizes");
  if (!sizes) return kAttributeValue;
  if (*sizes != copy.to.shape) return kOperandShapes;
  Numbers starts;
  if (const char* failure =
          ReadStarts(call, 1, read, copy.from.shape, *sizes, &starts))
    return failure;
  for (size_t d = 0; d < starts.size(); ++d)
    copy.from.Advance(starts[d] * copy.from.strides[d], moves->bytes());
  copy.from.shape = copy.to.shape;
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

const char* ReadDynamicUpdateSlice(const AssayCall& call,
                                   const ReadIntegers& read, Moves* moves) {
  const DLTensor& operand = call.inputs[0].tensor;
  const DLTensor& result = call.outputs[0].tensor;
  Copy whole{DimsView::Of(operand), DimsView::Of(result)};
  Copy update{DimsView::Of(call.inputs[1].tensor), whole.to};
  if (whole.from.shape != whole.to.shape) return kOperandShapes;
  Numbers starts;
  if (const char* failure =
          ReadStarts(call, 2, read, whole.to.shape, update.from.shape, &starts))
    return failure;
  for (size_t d = 0; d < starts.size(); ++d)
    update.to.Advance(starts[d] * update.to.strides[d], moves->bytes());
  update.to.shape = update.from.shape;
  // In place, the operand is where it should be.
  if (CountOf(whole.to.shape) != 0 && !IsSamePlace(operand, result))
    moves->copies.push_back(std::move(whole));
  if (CountOf(update.to.shape) != 0) moves->copies.push_back(std::move(update));
  return nullptr;
}

const char* ReadTranspose(const AssayCall& call, const ReadIntegers&,
                          Moves* moves) {
  const DimsView operand = DimsView::Of(call.inputs[0].tensor);
  Copy copy{operand, DimsView::Of(call.outputs[0].tensor)};
  const size_t rank = operand.shape.size();
  const auto permutation = ListOf(call, "permutation");
  if (!permutation || permutation->size() != rank ||
      !AreDimensions(*permutation, rank))
    return kAttributeValue;
  for (size_t d = 0; d < rank; ++d) {
    copy.from.shape[d] = operand.shape[static_cast<size_t>((*permutation)[d])];
    copy.from.strides[d] =
        operand.strides[static_cast<size_t>((*permutation)[d])];
  }
  if (copy.from.shape != copy.to.shape) return kOperandShapes;
  moves->copies.push_back(std::move(copy));
  return nullptr;
}

struct Route {
  std::string_view op;
  int num_inputs;  // -1: any number from `num_moved` on
  int num_moved;   // The first of them; -1: all.
  int least_attributes, most_attributes;
  const char* (*read)(const AssayCall& call, const ReadIntegers& read,
                      Moves* moves);
};

constexpr Route kRoutes[] = {
    {"broadcast_in_dim", 1, 1, 1, 1, ReadBroadcastInDim},
    {"concatenate", -1, -1, 1, 1, ReadConcatenate},
    {"constant", 0, 0, 1, 1, ReadConstant},
    {"dynamic_broadcast_in_dim", 2, 1, 1, 3, ReadDynamicBroadcastInDim},
    {"dynamic_pad", 5, 2, 0, 0, ReadDynamicPad},
    {"dynamic_reshape", 2, 1, 0, 0, ReadDynamicReshape},
    {"dynamic_slice", -1, 1, 1, 1, ReadDynamicSlice},
    {"dynamic_update_slice", -1, 2, 0, 0, ReadDynamicUpdateSlice},
    {"pad", 2, 2, 3, 3, ReadPad},
    {"reshape", 1, 1, 0, 0, ReadReshape},
    {"reverse", 1, 1, 1, 1, ReadReverse},
    {"slice", 1, 1, 3, 3, ReadSlice},
    {"transpose", 1, 1, 1, 1, ReadTranspose}};

const Route* FindRoute(std::string_view op) {
  const auto route = std::ranges::find(kRoutes, op, &Route::op);
  return route == std::end(kRoutes) ? nullptr : route;
}

// Copies the elements of a view to the memory between first, unless the copy
// puts each where it is.
void Separate(const AssayCall& call, Moves* moves) {
  const DLTensor& output = call.outputs[0].tensor;
  const size_t bytes = moves->bytes();
  std::vector<Copy> firsts;
  for (Copy& copy : moves->copies) {
    if (copy.from_place != Copy::Place::kOperand || copy.to_between) continue;
    const DLTensor from = copy.from.Tensor(output);
    const DLTensor to = copy.to.Tensor(output);
    const bool stays = moves->copies.size() == 1 && IsSamePlace(from, to);
    if (stays || !Overlap(from, bytes, output, bytes)) continue;
    Copy first{copy.from, {copy.from.shape, RowMajor(copy.from.shape)}};
    first.to_between = true;
    first.to.first = reinterpret_cast<unsigned char*>(moves->between_bytes);
    copy.from = first.to;
    copy.from_place = Copy::Place::kBetween;
    moves->between_bytes +=
        static_cast<size_t>(CountOf(copy.from.shape)) * bytes;
    firsts.push_back(std::move(first));
  }
  moves->copies.insert(moves->copies.begin(),
                       std::make_move_iterator(firsts.begin()),
                       std::make_move_iterator(firsts.end()));
}

}  // namespace

void Moves::PlaceBetween(void* memory) {
  const auto place = [&](DimsView* view) {
    view->first = static_cast<unsigned char*>(memory) +
                  reinterpret_cast<uintptr_t>(view->first);
  };
  for (Copy& copy : copies) {
    if (copy.from_place == Copy::Place::kBetween) place(&copy.from);
    if (copy.to_between) place(&copy.to);
  }
}

bool IsMove(const char* op) { return FindRoute(op) != nullptr; }

const char* ReadMoves(const AssayCall& call, const ReadIntegers& read,
                      Moves* moves) {
  const Route& route = *FindRoute(call.op);
  if (call.num_outputs != 1 ||
      (route.num_inputs < 0 ? call.num_inputs < std::max(route.num_moved, 1)
                            : call.num_inputs != route.num_inputs))
    return kOperandCount;
  if (call.num_attributes < route.least_attributes ||
      call.num_attributes > route.most_attributes || call.num_regions != 0)
    return "an attribute or region";
  const DLTensor& output = call.outputs[0].tensor;
  if (!ParseType(call.outputs[0], &moves->type)) return "element type";
  if (output.ndim > kMaxDims) return "rank";
  const int32_t num_moved =
      route.num_moved < 0 ? call.num_inputs : route.num_moved;
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    Type type;
    if (!ParseType(call.inputs[k], &type)) return "element type";
    if (k < num_moved && type != moves->type) return kResultType;
    if (call.inputs[k].tensor.ndim > kMaxDims) return "rank";
  }
  if (const char* what = route.read(call, read, moves)) return what;
  if (CountElements(output) == 0) {
    moves->copies.clear();
    moves->between_bytes = 0;
  } else {
    Separate(call, moves);
  }
  return nullptr;
}

const char* ReadMoves(const AssayCall& call, Moves* moves) {
  return ReadMoves(call, ReadHostIntegers, moves);
}

bool IsIota(const char* op) {
  return strcmp(op, "iota") == 0 || strcmp(op, "dynamic_iota") == 0;
}

const char* ReadIota(const AssayCall& call, Indices* indices) {
  // The shape that dynamic_iota is given is that of the result.
  const int32_t num_inputs = strcmp(call.op, "dynamic_iota") == 0 ? 1 : 0;
  if (call.num_inputs != num_inputs || call.num_outputs != 1)
    return "number of operands";
  if (call.num_attributes != 1 || call.num_regions != 0)
    return "an attribute or region";
  const DLTensor& output = call.outputs[0].tensor;
  if (output.ndim > kMaxDims) return "rank";
  indices->view.shape = Numbers(output.shape, output.shape + output.ndim);
  const size_t rank = indices->view.shape.size();
  const auto dimension = DimensionOf(call, "iota_dimension", rank);
  if (!dimension) return kAttributeValue;
  indices->view.strides.assign(rank, 0);
  indices->view.strides[*dimension] = 1;
  indices->dimension = *dimension;
  indices->count =
      CountElements(output) == 0 ? 0 : indices->view.shape[*dimension];
  return nullptr;
}

}  // namespace assay::calls
