#include "backends/calls/views.h"

#include <ctype.h>
#include <stdlib.h>

#include <algorithm>

#include "backends/calls/overlap.h"
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

bool ReadNumbers(const char* text, int count, int64_t* numbers) {
  const auto skip = [&text](char wanted) {
    while (isspace(static_cast<unsigned char>(*text))) ++text;
    if (*text != wanted) return false;
    ++text;
    return true;
  };
  if (!skip('[')) return false;
  for (int i = 0; i < count; ++i) {
    if (i > 0 && !skip(',')) return false;
    char* end = nullptr;
    numbers[i] = strtoll(text, &end, 10);
    if (end == text) return false;
    text = end;
  }
  return skip(']') && *text == '\0';
}

const char* ReadBroadcastInDim(const AssayCall& call, BroadcastView* view) {
  if (call.num_inputs != 1 || call.num_outputs != 1) {
    return "number of operands";
  }
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  Type type;
  Type result;
  if (!ParseType(call.inputs[0], &type) ||
      !ParseType(call.outputs[0], &result)) {
    return "element type";
  }
  if (type != result) return "result type";
  if (input.ndim > output.ndim || output.ndim > kMaxDims) return "rank";
  int64_t dims[kMaxDims];
  if (call.num_attributes != 1 ||
      !ReadNumbers(call.attributes[0].text, input.ndim, dims)) {
    return "attribute value";
  }
  bool is_taken[kMaxDims] = {};
  int64_t* shape = view->view.shape;
  int64_t* strides = view->view.strides;
  std::fill(shape, shape + output.ndim, 1);
  for (int i = 0; i < input.ndim; ++i) {
    if (dims[i] < 0 || dims[i] >= output.ndim || is_taken[dims[i]]) {
      return "attribute value";
    }
    is_taken[dims[i]] = true;
    if (input.shape[i] == 1) continue;
    if (input.shape[i] != output.shape[dims[i]]) {
      return "mix of operand shapes";
    }
    shape[dims[i]] = input.shape[i];
    strides[dims[i]] = input.strides[i];
  }
  view->is_empty = CountElements(output) == 0;
  if (view->is_empty) return nullptr;
  view->bytes = type.bytes();
  DLTensor& tensor = view->view.tensor;
  tensor = input;
  tensor.ndim = output.ndim;
  tensor.shape = shape;
  tensor.strides = strides;
  view->must_copy = !IsSamePlace(tensor, output) &&
                    Overlap(tensor, view->bytes, output, view->bytes);
  return nullptr;
}

}  // namespace assay::calls
