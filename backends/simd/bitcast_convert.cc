// bitcast_convert: bytes move as they are, except that the types of less than 8
// bits are packed in their bits' order, lowest first, and lie one a byte.
//
// The larger elements are seen as some of the smaller ones, contiguous along a
// dimension of their own, so that whatever the layouts this is a copy. Where
// bits are packed, each byte holds some elements: there is a pass for each of
// the places in the byte.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "backends/simd/bit_moves.h"
#include "backends/simd/nest.h"
#include "backends/simd/run_nest.h"
#include "backends/simd/tensors.h"

namespace assay::simd {
namespace {

// Takes the bits of one place out of the bytes.
class SplitFunction : public BlockFunction {
 public:
  SplitFunction(unsigned shift, unsigned mask) : shift_(shift), mask_(mask) {}

  const char* Run(const Blocks& blocks) const override {
    for (size_t i = 0; i < blocks.count; ++i) {
      blocks.out[0][i] =
          static_cast<uint8_t>((blocks.in[0][i] >> shift_) & mask_);
    }
    return nullptr;
  }

 private:
  unsigned shift_;
  unsigned mask_;
};

// Adds the bits of one place to the bytes, of which the second input holds what
// lies below.
class JoinFunction : public BlockFunction {
 public:
  JoinFunction(unsigned shift, unsigned mask) : shift_(shift), mask_(mask) {}

  const char* Run(const Blocks& blocks) const override {
    for (size_t i = 0; i < blocks.count; ++i) {
      const unsigned below = blocks.in[1][i];
      blocks.out[0][i] =
          static_cast<uint8_t>(below | ((blocks.in[0][i] & mask_) << shift_));
    }
    return nullptr;
  }

 private:
  unsigned shift_;
  unsigned mask_;
};

// A tensor with two dimensions more, and strides in elements of another size.
struct View {
  int64_t shape[kMaxDims + 2];
  int64_t strides[kMaxDims + 2];
  DLTensor tensor;
};

// The elements of `tensor` as `parts` parts each, along a dimension of its own.
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

// The last dimension of `tensor` as two, the second one of `parts`. Without
// dimensions there is one element.
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

// Whether `narrow` has the shape of `wide` and a last dimension of `ratio`.
bool IsSplitShape(const DLTensor& wide, const DLTensor& narrow, int64_t ratio) {
  if (ratio == 1) return IsSameShape(wide, narrow);
  return narrow.ndim == wide.ndim + 1 && narrow.shape[wide.ndim] == ratio &&
         std::equal(wide.shape, wide.shape + wide.ndim, narrow.shape);
}

}  // namespace

const char* RunBitcastConvert(const AssayCall& call,
                              const hwy::ChosenTarget& target, int threads) {
  if (call.num_inputs != 1 || call.num_outputs != 1) {
    return "number of operands";
  }
  const DLTensor& input = call.inputs[0].tensor;
  const DLTensor& output = call.outputs[0].tensor;
  Type from;
  Type to;
  if (!ParseType(call.inputs[0], &from) || !ParseType(call.outputs[0], &to)) {
    return "element type";
  }
  const int64_t from_bits = ValueBits(from);
  const int64_t to_bits = ValueBits(to);
  const bool splits = to_bits <= from_bits;
  const int64_t wide_bits = std::max(from_bits, to_bits);
  const int64_t bits = std::min(from_bits, to_bits);
  const int64_t ratio = wide_bits / bits;
  if (wide_bits % bits != 0 || !(splits ? IsSplitShape(input, output, ratio)
                                        : IsSplitShape(output, input, ratio))) {
    return "mix of operand shapes";
  }
  if (CountElements(output) == 0) return nullptr;
  const DLTensor& wide_tensor = splits ? input : output;
  DLTensor narrow_tensor = splits ? output : input;
  View one_each;
  if (ratio == 1) {
    ViewOfParts(narrow_tensor, 1, &one_each);
    narrow_tensor = one_each.tensor;
  }
  const auto run = [&](const BlockFunction& function, const DLTensor& wide,
                       const DLTensor& narrow, size_t bytes, bool adds) {
    const NestTensor wide_operand = {&wide, bytes};
    const NestTensor narrow_operand = {&narrow, bytes};
    const NestTensor inputs[] = {splits ? wide_operand : narrow_operand,
                                 wide_operand};
    auto nest = std::make_unique<Nest>();
    MakeNest(inputs, adds ? 2 : 1, splits ? &narrow_operand : &wide_operand, 1,
             nest.get());
    RunNest(*nest, function, target, threads);
  };
  View wide;
  if (bits >= 8) {
    ViewOfParts(wide_tensor, ratio, &wide);
    const auto bytes = static_cast<size_t>(bits / 8);
    run(*MakeCopy(bytes, target), wide.tensor, narrow_tensor, bytes, false);
    return nullptr;
  }
  const int64_t per_byte = std::min<int64_t>(wide_bits, 8) / bits;
  View groups;
  ViewOfParts(wide_tensor, ratio / per_byte, &wide);
  ViewOfGroups(narrow_tensor, per_byte, &groups);
  const unsigned mask = (1u << bits) - 1;
  const int last = --groups.tensor.ndim;
  for (int64_t place = 0; place < per_byte; ++place) {
    const auto shift = static_cast<unsigned>(place * bits);
    if (splits) {
      run(SplitFunction(shift, mask), wide.tensor, groups.tensor, 1, false);
    } else if (place == 0) {
      run(SplitFunction(0, mask), wide.tensor, groups.tensor, 1, false);
    } else {
      run(JoinFunction(shift, mask), wide.tensor, groups.tensor, 1, true);
    }
    groups.tensor.byte_offset += static_cast<uint64_t>(groups.strides[last]);
  }
  return nullptr;
}

}  // namespace assay::simd
