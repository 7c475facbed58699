#include "backends/cuda/core/formats.h"

#include <stdlib.h>

#include <algorithm>

#include "backends/cuda/elementwise/integer_ops.h"

namespace assay::cuda {
namespace {

using calls::Kind;
using calls::Special;
using calls::Type;

// A Layout is a FormatSpec with room for f64.
struct Layout {
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
  uint64_t max;
};

Layout LayoutOf(const Type& type) {
  if (type.kind == Kind::kFloat && type.bits == 32)
    return {32, 8, 23, 127, Special::kIeee, 0x7F7FFFFF};
  if (type.kind == Kind::kFloat)
    return {64, 11, 52, 1023, Special::kIeee, 0x7FEFFFFFFFFFFFFF};
  const calls::FormatSpec spec = calls::SpecOf(type.format);
  return {spec.bits(), spec.exponent_bits, spec.mantissa_bits,
          spec.bias,   spec.special,       spec.max};
}

bool ReadInteger(const char* text, int* value) {
  if (text == nullptr) return false;
  char* end = nullptr;
  const long number = strtol(text, &end, 10);
  *value = static_cast<int>(std::clamp(number, -1L, 1L << 20));
  return end != text && *end == '\0';
}

}  // namespace

bool IsFloat(const Type& type) {
  return type.kind == Kind::kFloat || type.kind == Kind::kFormat;
}

FormatData FormatOf(const Type& type) {
  if (type.kind != Kind::kFormat) return {};
  const calls::FormatSpec spec = calls::SpecOf(type.format);
  return {spec.bits(),
          spec.exponent_bits,
          spec.mantissa_bits,
          spec.bias,
          static_cast<int>(spec.special),
          spec.max};
}

Parameters OrderOf(const Type& type) {
  const Layout layout = LayoutOf(type);
  Parameters p = {};
  p.limit = layout.max;
  // An exponent alone is in order, and its NaN is the greatest.
  if (layout.special == Special::kScale) return p;
  p.mask = uint64_t{1} << (layout.bits - 1);
  p.has_nan_at_minus_zero = layout.special == Special::kNanAtMinusZero;
  p.flip_negative = p.mask | (p.mask - 1);
  return p;
}

bool ReductionOf(const Type& type, const char* exponent_text,
                 const char* mantissa_text, Parameters* parameters) {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  if (!IsFloat(type) || !ReadInteger(exponent_text, &exponent_bits) ||
      !ReadInteger(mantissa_text, &mantissa_bits) || exponent_bits < 1 ||
      mantissa_bits < 0)
    return false;
  const Layout layout = LayoutOf(type);
  Parameters p = OrderOf(type);
  p.significand_bits = layout.mantissa_bits;
  p.drop = std::max(0, layout.mantissa_bits - mantissa_bits);
  p.most = layout.max;
  p.over = layout.max + (layout.special == Special::kNone ? 0 : 1);
  if (exponent_bits < layout.exponent_bits) {
    const int bias = (1 << (exponent_bits - 1)) - 1;
    const auto code_of = [&](int exponent) {
      return static_cast<uint64_t>(exponent + layout.bias)
             << layout.mantissa_bits;
    };
    p.least = code_of(1 - bias);
    p.most = std::min(layout.max, code_of(bias + 1) - 1);
  }
  *parameters = p;
  return true;
}

}  // namespace assay::cuda
