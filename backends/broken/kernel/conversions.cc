// convert on floats and reduce_precision take the number apart and round it
// once to the requested type or precision.
#include "backends/broken/kernel/conversions.h"

#include <algorithm>

#include "backends/broken/kernel/functions.h"
#include "backends/broken/kernel/types.h"

namespace assay::broken {
namespace {

Number WithMagnitude(bool is_negative, uint64_t magnitude) {
  return {Number::kFinite, is_negative, magnitude, 0};
}

// Returns 2^64 - 1 if the magnitude has more than 64 bits.
uint64_t TruncatedMagnitude(const Number& x) {
  if (IsZero(x)) return 0;
  if (x.kind == Number::kInfinite || LeadingExponent(x) > 63)
    return ~uint64_t{0};
  if (x.exponent >= 0) return x.significand << x.exponent;
  return x.exponent > -64 ? x.significand >> -x.exponent : 0;
}

}  // namespace

Number NumberOf(const Type& type, uint64_t bits) {
  if (type.format != nullptr) return Decoded(*type.format, bits);
  const bool is_negative = type.is_signed && static_cast<int64_t>(bits) < 0;
  return WithMagnitude(is_negative, is_negative ? -bits : bits);
}

uint64_t IntegerOf(const Type& type, const Number& x) {
  if (x.kind == Number::kNan) return 0;
  const uint64_t magnitude = TruncatedMagnitude(x);
  const uint64_t all_ones = ~uint64_t{0} >> (64 - type.bits);
  const uint64_t greatest = type.is_signed ? all_ones >> 1 : all_ones;
  if (!x.is_negative) return magnitude > greatest ? greatest : magnitude;
  const uint64_t least = type.is_signed ? greatest + 1 : 0;
  return -(magnitude > least ? least : magnitude);
}

uint64_t Converted(const Type& from, const Type& to, uint64_t bits) {
  const Number x = NumberOf(from, bits);
  if (to.is_bool) return !IsZero(x);
  return to.format != nullptr ? Encoded(*to.format, x) : IntegerOf(to, x);
}

namespace {

// Extends the bits of an integer as `load` does: bits above the width mean
// nothing, and a narrower type cuts them off.
uint64_t Extended(const Type& type, uint64_t bits) {
  return type.is_signed ? SignExtended(bits, type.bits)
                        : ZeroExtended(bits, type.bits);
}

}  // namespace

Lanes ConvertLanes(const Type& from, const Type& to, const Lanes& lanes) {
  if (IsSameType(from, to)) return lanes;
  Lanes converted;
  for (int i = 0; i < kLanes; ++i) {
    const uint64_t bits = Extended(from, lanes[i].bits);
    if (from.format != nullptr || to.format != nullptr)
      converted[i].bits = Converted(from, to, bits);
    else
      converted[i].bits = to.is_bool ? bits != 0 : Extended(to, bits);
    if (from.is_complex && to.is_complex)
      converted[i].imaginary = Converted(from, to, lanes[i].imaginary);
  }
  return converted;
}

void SetConversion(Job* job) {
  const Type& result = job->out.type;
  if (job->type.format != nullptr || result.format != nullptr)
    job->float_function = ConvertParts<Converted>;
  else
    job->function = result.is_bool ? IsNotZero : Identity;
}

Number Reduced(const Format& format, const Attributes& reduced,
               const Number& x) {
  if (x.kind != Number::kFinite || IsZero(x)) return x;
  Number result = x;
  if (reduced.mantissa_bits < format.mantissa_bits) {
    const int least = format.has_sign ? 1 - format.bias : -format.bias;
    const int exponent = std::max(LeadingExponent(x), least);
    result = RoundedTo(exponent - static_cast<int>(reduced.mantissa_bits), x);
  }
  if (IsZero(result) || reduced.exponent_bits >= format.exponent_bits)
    return result;
  const int greatest = (1 << (reduced.exponent_bits - 1)) - 1;
  const int exponent = LeadingExponent(result);
  if (exponent > greatest) result.kind = Number::kInfinite;
  if (exponent < 1 - greatest) result.significand = 0;
  return result;
}

Lane ReducePrecision(const Job& job, const Lane* x) {
  const Format& format = *job.type.format;
  return {Encoded(format,
                  Reduced(format, job.attributes, Decoded(format, x[0].bits)))};
}

}  // namespace assay::broken
