#include "backends/calls/views.h"

#include <algorithm>

#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

// Views each element of `tensor` as `parts` parts, along an additional
// dimension.
void ViewOfParts(const DLTensor& tensor, int64_t parts, View* view) {
  view->tensor = tensor;
  view->tensor.shape = view->shape;
  view->tensor.strides = view->strides;
  for (int i = 0; i < tensor.ndim; ++i) {
    view->shape[i] = tensor.shape[i];
    view->strides[i] = tensor.strides[i] * parts;
  }
  view->shape[tensor.ndim] = parts;
  view->strides[tensor.ndim] = 1;
  ++view->tensor.ndim;
}

// Views the last dimension of `tensor` as two dimensions, of which the second
// has `parts` elements. A tensor without dimensions has one element.
void ViewOfGroups(const DLTensor& tensor, int64_t parts, View* view) {
  view->tensor = tensor;
  view->tensor.shape = view->shape;
  view->tensor.strides = view->strides;
  std::copy(tensor.shape, tensor.shape + tensor.ndim, view->shape);
  std::copy(tensor.strides, tensor.strides + tensor.ndim, view->strides);
  const int last = std::max(tensor.ndim - 1, 0);
  const int64_t stride = tensor.ndim == 0 ? 1 : tensor.strides[last];
  view->shape[last] = tensor.ndim == 0 ? 1 : tensor.shape[last] / parts;
  view->strides[last] = stride * parts;
  view->shape[last + 1] = parts;
  view->strides[last + 1] = stride;
  view->tensor.ndim = last + 2;
}

int64_t ValueBits(const Type& type) {
  return type.kind == Kind::kBool ? 1 : type.bits;
}

// Returns whether `narrow` has the shape of `wide` and an additional last
// dimension of size `ratio`.
bool IsSplitShape(const DLTensor& wide, const DLTensor& narrow, int64_t ratio) {
  if (ratio == 1) return IsSameShape(wide, narrow);
  return narrow.ndim == wide.ndim + 1 && narrow.shape[wide.ndim] == ratio &&
         std::equal(wide.shape, wide.shape + wide.ndim, narrow.shape);
}

}  // namespace

const char* ReadBitcastConvert(const AssayCall& call, BitcastViews* views) {
  if (call.num_inputs != 1 || call.num_outputs != 1) {
    return "number of operands";
  }
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  if (std::max(input.ndim, output.ndim) > kMaxDims) return "rank";
  Type from;
  Type to;
  if (!ParseType(call.inputs[0], &from) || !ParseType(call.outputs[0], &to)) {
    return "element type";
  }
  const int64_t from_bits = ValueBits(from);
  const int64_t to_bits = ValueBits(to);
  views->splits = to_bits <= from_bits;
  const int64_t wide_bits = std::max(from_bits, to_bits);
  const int64_t bits = std::min(from_bits, to_bits);
  const int64_t ratio = wide_bits / bits;
  if (wide_bits % bits != 0 ||
      !(views->splits ? IsSplitShape(input, output, ratio)
                      : IsSplitShape(output, input, ratio))) {
    return "mix of operand shapes";
  }
  views->is_empty = CountElements(output) == 0;
  if (views->is_empty) return nullptr;
  const DLTensor& wide = views->splits ? input : output;
  const DLTensor& narrow = views->splits ? output : input;
  views->is_packed = bits < 8;
  views->bits = static_cast<int>(bits);
  if (!views->is_packed) {
    ViewOfParts(wide, ratio, &views->wide);
    if (ratio == 1) {
      ViewOfParts(narrow, 1, &views->narrow);
    } else {
      views->narrow.tensor = narrow;
    }
    views->bytes = static_cast<size_t>(bits / 8);
    views->num_places = 1;
    views->mask = 0;
    views->step = 0;
    return nullptr;
  }
  const int64_t per_byte = std::min<int64_t>(wide_bits, 8) / bits;
  ViewOfParts(wide, ratio / per_byte, &views->wide);
  if (ratio == 1) {
    View one_each;
    ViewOfParts(narrow, 1, &one_each);
    ViewOfGroups(one_each.tensor, per_byte, &views->narrow);
  } else {
    ViewOfGroups(narrow, per_byte, &views->narrow);
  }
  const int last = --views->narrow.tensor.ndim;
  views->bytes = 1;
  views->num_places = static_cast<int>(per_byte);
  views->mask = (1u << bits) - 1;
  views->step = views->narrow.strides[last];
  return nullptr;
}

}  // namespace assay::calls
