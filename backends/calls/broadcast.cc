#include "backends/calls/broadcast.h"

#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "backends/calls/limits.h"
#include "backends/calls/overlap.h"
#include "backends/calls/tensors.h"

namespace assay::calls {
namespace {

// Sizes are those of a shape, from the last dimension, which is dimension 1
// here, to the left.
struct Sizes {
  int rank = 0;
  int64_t sizes[kMaxDims + 1];
};

bool InferShape(const AssayCall& call, Sizes* shape, Complaint* complaint) {
  int from[kMaxDims + 1];  // The input that gave the size.
  for (int k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (input.ndim > kMaxDims) {
      return complaint->Say("operand %d has more than %d dimensions", k,
                            kMaxDims);
    }
    for (int i = 1; i <= input.ndim; ++i) {
      const int64_t size = input.shape[input.ndim - i];
      if (i > shape->rank) {
        shape->sizes[i] = size;
        from[i] = k;
      } else if (shape->sizes[i] == 1) {
        shape->sizes[i] = size;
        from[i] = k;
      } else if (size != 1 && size != shape->sizes[i]) {
        return complaint->Say(
            "dimension %d of operand %d has size %lld, which cannot be "
            "broadcast with size %lld of operand %d",
            input.ndim - i, k, static_cast<long long>(size),
            static_cast<long long>(shape->sizes[i]), from[i]);
      }
    }
    shape->rank = std::max(shape->rank, input.ndim);
  }
  return true;
}

bool CheckShape(const Sizes& shape, const DLTensor& output, int o,
                Complaint* complaint) {
  if (output.ndim != shape.rank) {
    return complaint->Say("output %d has %d dimensions, its operands make %d",
                          o, output.ndim, shape.rank);
  }
  for (int i = 0; i < output.ndim; ++i) {
    const int64_t wanted = shape.sizes[output.ndim - i];
    if (output.shape[i] == wanted) continue;
    return complaint->Say(
        "dimension %d of output %d has size %lld, its operands make %lld", i, o,
        static_cast<long long>(output.shape[i]),
        static_cast<long long>(wanted));
  }
  return true;
}

size_t BytesOf(const AssayTensor& tensor) {
  Type type;
  return ParseType(tensor, &type) ? type.bytes() : 1;
}

bool CheckPlace(const AssayCall& call, int o, Complaint* complaint) {
  const AssayTensor& output = call.outputs[o];
  const size_t bytes = BytesOf(output);
  if (OverlapsItself(output.tensor, bytes)) {
    return complaint->Say("elements of output %d overlap each other", o);
  }
  for (int k = 0; k < call.num_inputs; ++k) {
    const AssayTensor& input = call.inputs[k];
    if (CountElements(input.tensor) == 0) continue;
    Type type;
    Type result;
    const bool in_place = ParseType(input, &type) &&
                          ParseType(output, &result) && type == result &&
                          IsSameShape(input.tensor, output.tensor) &&
                          IsSamePlace(input.tensor, output.tensor);
    if (!in_place &&
        Overlap(output.tensor, bytes, input.tensor, BytesOf(input))) {
      return complaint->Say("output %d overlaps operand %d, but is not it", o,
                            k);
    }
  }
  for (int other = 0; other < o; ++other) {
    if (Overlap(output.tensor, bytes, call.outputs[other].tensor,
                BytesOf(call.outputs[other]))) {
      return complaint->Say("output %d overlaps output %d", o, other);
    }
  }
  return true;
}

}  // namespace

bool CheckBroadcast(const AssayCall& call, Complaint* complaint) {
  Sizes shape;
  if (!InferShape(call, &shape, complaint)) return false;
  for (int o = 0; o < call.num_outputs; ++o) {
    if (!CheckShape(shape, call.outputs[o].tensor, o, complaint)) return false;
  }
  for (int o = 0; o < call.num_outputs; ++o) {
    if (CountElements(call.outputs[o].tensor) == 0) continue;
    if (!CheckPlace(call, o, complaint)) return false;
  }
  return true;
}

bool IsBroadcastShift(const char* op) {
  return strcmp(op, "paddle.bitwise_left_shift") == 0 ||
         strcmp(op, "paddle.bitwise_right_shift") == 0;
}

}  // namespace assay::calls
