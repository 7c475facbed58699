// bitcast_convert: bytes move as they are, except that the types of less than 8
// bits are packed in their bits' order, lowest first, and lie one a byte.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backends/simd/tensors.h"
#include "backends/simd/whole_ops.h"

namespace assay::simd {
namespace {

size_t ValueBits(const Type& type) {
  return type.kind == Kind::kBool ? 1 : static_cast<size_t>(type.bits);
}

// `count` values of `bits` bits, each in a byte of its own, from and to
// consecutive bits of groups of `group_bits`, which begin with a byte each. A
// value never crosses a byte's end.
struct Groups {
  size_t bits;
  size_t group_bits;
  size_t count;

  template <class F>
  void ForValues(const F& visit) const {
    const size_t per_group = group_bits / bits;
    const size_t group_bytes = (group_bits + 7) / 8;
    for (size_t i = 0; i < count; ++i) {
      const size_t at = i % per_group * bits;
      visit(i, i / per_group * group_bytes + at / 8, at % 8);
    }
  }
};

void Split(const Groups& groups, const uint8_t* from, uint8_t* to) {
  const unsigned mask = (1u << groups.bits) - 1;
  groups.ForValues([=](size_t i, size_t byte, size_t shift) {
    to[i] = static_cast<uint8_t>((from[byte] >> shift) & mask);
  });
}

void Join(const Groups& groups, const uint8_t* from, uint8_t* to) {
  const unsigned mask = (1u << groups.bits) - 1;
  groups.ForValues([=](size_t i, size_t byte, size_t shift) {
    const unsigned value = (from[i] & mask) << shift;
    to[byte] = static_cast<uint8_t>(shift == 0 ? value : to[byte] | value);
  });
}

}  // namespace

const char* RunBitcastConvert(const AssayCall& call, const hwy::ChosenTarget&) {
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
  const size_t from_bits = ValueBits(from);
  const size_t to_bits = ValueBits(to);
  const size_t from_count = CountElements(input);
  const size_t to_count = CountElements(output);
  if (from_count * from_bits != to_count * to_bits ||
      (from_bits % to_bits != 0 && to_bits % from_bits != 0)) {
    return "mix of operand shapes";
  }
  if (to_count == 0) return nullptr;
  if (!IsContiguous(input)) return "layout of an operand";
  if (!IsContiguous(output)) return "layout of the result";
  if (to_bits < 8 && to_bits <= from_bits) {
    Split({to_bits, from_bits, to_count}, FirstElement(input),
          FirstElement(output));
  } else if (from_bits < 8) {
    Join({from_bits, to_bits, from_count}, FirstElement(input),
         FirstElement(output));
  } else {
    memmove(FirstElement(output), FirstElement(input), to_count * to.bytes());
  }
  return nullptr;
}

}  // namespace assay::simd
