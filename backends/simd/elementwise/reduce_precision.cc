// reduce_precision works on the bits of a format: rounding its mantissa field
// is an addition, and the exponents that are left are a range of codes.
//
// One loop for each of 16, 32 and 64 bits serves all formats, since they differ
// in a few constants only. Types of 8 bits and less use a table, made by that
// loop.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <memory>

#include "backends/simd/core/chunks.h"
#include "backends/simd/core/formats.h"
#include "backends/simd/core/names.h"
#include "backends/simd/core/steps.h"
#include "backends/simd/core/whole_ops.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/reduce_precision.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/step_loop-inl.h"
#include "hwy/highway.h"

#ifndef ASSAY_BACKENDS_SIMD_REDUCE_PRECISION_CC_
#define ASSAY_BACKENDS_SIMD_REDUCE_PRECISION_CC_
namespace assay::simd {

// All codes here are without their sign, except for `sign` and `sign_of_zero`.
struct Reduction {
  // The code of -0, or of the NaN in its place, stays as it is.
  uint64_t sign;
  // This is 0 in formats without -0.
  uint64_t sign_of_zero;
  // Infinities and NaNs, which are the codes above this one, stay as they are.
  uint64_t special_after;
  // This many mantissa bits are rounded away.
  int drop;
  // `odd_bit` selects the last bit that is kept, shifted down. If that bit is
  // not in the code, `odd_bit` is 0 and the bit is 1 in codes above `odd_after`
  // and 0 in others.
  uint64_t odd_bit;
  uint64_t odd_after;
  uint64_t zero_below;
  uint64_t over_after;
  uint64_t over;
};

using ReductionStep = void (*)(const Reduction& reduction, const void* from,
                               void* to, size_t count);

}  // namespace assay::simd
#endif  // ASSAY_BACKENDS_SIMD_REDUCE_PRECISION_CC_

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class U>
void Reduce(const Reduction& reduction, const void* from, void* to,
            size_t count) {
  const hn::ScalableTag<U> d;
  // Codes compare as signed integers, since there is no sign left.
  const hn::RebindToSigned<decltype(d)> di;
  const auto constant = [=](uint64_t value) HWY_ATTR {
    return hn::Set(d, static_cast<U>(value));
  };
  const auto is_less = [=](auto a, auto b) HWY_ATTR {
    return hn::RebindMask(d, hn::Lt(hn::BitCast(di, a), hn::BitCast(di, b)));
  };
  const uint64_t rest = (uint64_t{1} << reduction.drop) - 1;
  const int drop = reduction.drop;
  const auto sign_bit = constant(reduction.sign);
  const auto sign_of_zero = constant(reduction.sign_of_zero);
  const auto special_after = constant(reduction.special_after);
  const auto odd_bit = constant(reduction.odd_bit);
  const auto odd_after = constant(reduction.odd_after);
  const auto rest_bits = constant(rest);
  const auto below_half = constant(rest / 2);
  const auto zero_below = constant(reduction.zero_below);
  const auto over_after = constant(reduction.over_after);
  const auto over = constant(reduction.over);
  const auto one = constant(1);
  const auto one_vector = [=](const U* codes, U* results) HWY_ATTR {
    const auto code = hn::LoadU(d, codes);
    const auto abs = hn::AndNot(sign_bit, code);
    const auto odd = hn::Or(hn::And(hn::ShiftRightSame(abs, drop), odd_bit),
                            hn::IfThenElseZero(is_less(odd_after, abs), one));
    auto result = hn::AndNot(rest_bits, hn::Add(hn::Add(abs, below_half), odd));
    result = hn::IfThenZeroElse(is_less(result, zero_below), result);
    result = hn::IfThenElse(is_less(over_after, result), over, result);
    const auto is_zero = hn::Eq(result, hn::Zero(d));
    result = hn::Or(
        result, hn::And(code, hn::IfThenElse(is_zero, sign_of_zero, sign_bit)));
    const auto stays =
        hn::Or(is_less(special_after, abs), hn::Eq(code, sign_bit));
    hn::StoreU(hn::IfThenElse(stays, code, result), d, results);
  };
  ForVectors<U, U>(from, to, count, hn::Lanes(d), one_vector);
}

// The steps are indexed by log2 of the bytes, from 16 bits on.
const ReductionStep* ReductionSteps() {
  static constexpr ReductionStep kSteps[] = {
      nullptr, Reduce<uint16_t>, Reduce<uint32_t>, Reduce<uint64_t>};
  return kSteps;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {
namespace {

HWY_EXPORT(ReductionSteps);

// A Layout is a FormatSpec with room for f64.
struct Layout {
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  uint64_t max;
  Special special;
};

Layout LayoutOf(const Type& type) {
  if (type.kind == Kind::kFormat) {
    const FormatSpec spec = SpecOf(type.format);
    return {spec.bits(), spec.exponent_bits, spec.mantissa_bits,
            spec.bias,   spec.max,           spec.special};
  }
  if (type.bits == 32) return {32, 8, 23, 127, 0x7F7FFFFF, Special::kIeee};
  return {64, 11, 52, 1023, 0x7FEFFFFFFFFFFFFF, Special::kIeee};
}

Reduction ReductionOf(const Layout& from, int exponent_bits,
                      int mantissa_bits) {
  Reduction r = {};
  const bool has_sign = from.special != Special::kScale;
  r.sign = has_sign ? uint64_t{1} << (from.bits - 1) : 0;
  r.sign_of_zero = from.special == Special::kNanAtMinusZero ? 0 : r.sign;
  r.special_after = from.max;
  // No code of its lane, which has 16 bits at least, is above this one.
  r.odd_after = ~uint64_t{0} >> (65 - std::max(16, from.bits));
  r.drop = std::max(0, from.mantissa_bits - mantissa_bits);
  if (r.drop > 0 && mantissa_bits > 0) r.odd_bit = 1;
  if (r.drop > 0 && mantissa_bits == 0) {
    // The bit in front of the mantissa is 0 in subnormals and 1 in other
    // numbers.
    r.odd_after = (uint64_t{1} << from.mantissa_bits) - 1;
  }
  r.over_after = from.max;
  r.over = from.max + (from.special == Special::kNone ? 0 : 1);
  if (exponent_bits < from.exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto code_of = [&from](int exponent) {
      return static_cast<uint64_t>(exponent + from.bias) << from.mantissa_bits;
    };
    r.zero_below = code_of(1 - bias);
    r.over_after = std::min(from.max, code_of(bias + 1) - 1);
  }
  return r;
}

bool ReadInteger(const char* text, int* value) {
  if (text == nullptr) return false;
  char* end = nullptr;
  const long number = strtol(text, &end, 10);
  *value = static_cast<int>(std::clamp(number, -1L, 1L << 20));
  return end != text && *end == '\0';
}

class ReducePrecisionFunction : public BlockFunction {
 public:
  ReducePrecisionFunction(const Type& type, const Reduction& reduction,
                          const hwy::ChosenTarget& target)
      : reduction_(reduction), bytes_(type.bytes()), steps_(StepTable(target)) {
    const ReductionStep* steps =
        HWY_DISPATCH_TABLE(ReductionSteps)[target.GetIndex()]();
    step_ = steps[type.width];
    if (step_ != nullptr) return;
    for (size_t i = 0; i < 256; ++i) {
      table_[i] = static_cast<uint16_t>(i & ((size_t{1} << type.bits) - 1));
    }
    steps[1](reduction_, table_, table_, 256);
  }

  const char* Run(const Blocks& blocks) const override {
    ForChunks(steps_, blocks, bytes_, bytes_,
              [this](const void* from, void* to, size_t part) {
                if (step_ != nullptr) return step_(reduction_, from, to, part);
                for (size_t i = 0; i < part; ++i) {
                  const uint8_t code = static_cast<const uint8_t*>(from)[i];
                  static_cast<uint8_t*>(to)[i] =
                      static_cast<uint8_t>(table_[code]);
                }
              });
    return nullptr;
  }

 private:
  Reduction reduction_;
  size_t bytes_;
  const Steps& steps_;
  ReductionStep step_;  // If this is nullptr, the table is used.
  uint16_t table_[256];
};

}  // namespace

Making MakeReducePrecision(const Signature& signature,
                           const hwy::ChosenTarget& target) {
  if (signature.num_inputs != 1) return "number of operands";
  int exponent_bits = 0;
  int mantissa_bits = 0;
  if (!ReadInteger(signature.AttributeText("exponent_bits"), &exponent_bits) ||
      !ReadInteger(signature.AttributeText("mantissa_bits"), &mantissa_bits) ||
      exponent_bits < 1 || mantissa_bits < 0) {
    return "attribute value";
  }
  const Type& type = signature.inputs[0];
  if (type.kind != Kind::kFloat && type.kind != Kind::kFormat) {
    return "element type";
  }
  if (signature.output != type) return "result type";
  return std::make_unique<ReducePrecisionFunction>(
      type, ReductionOf(LayoutOf(type), exponent_bits, mantissa_bits), target);
}

}  // namespace assay::simd
#endif
