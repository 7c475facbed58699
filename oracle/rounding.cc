// Rounding to integers and to fewer bits: ceil, floor, round_nearest_afz,
// round_nearest_even, reduce_precision; and is_finite.
//
// An integer that a value rounds to may be outside of its format: 15.5 is the
// largest f8E3M4, and 16 overflows.
#include <cmath>

#include "oracle/encoding.h"

namespace assay {
namespace {

// `round`: from a double to a double, one of the roundToIntegral operations.
template <class F>
Evaluation RoundToIntegral(const OpCall& op, F round) {
  const Encoding encoded(op.policy);
  return Unary<kFloats>(op, [&]<class T>(auto& by, T operand) -> Allowed<T> {
    return encoded(by, by("S1", T::Round(round(operand.ToDouble()))));
  });
}

// Ties to even whatever the rounding mode is: a tie is exact in binary.
double ToNearestEven(double x) {
  const double away = std::round(x);
  const bool ties = std::fabs(x - std::trunc(x)) == 0.5;
  return ties ? 2 * std::round(x / 2) : away;
}

}  // namespace

Evaluation Ceil(const OpCall& op) {
  return RoundToIntegral(op, [](double x) { return std::ceil(x); });
}

Evaluation Floor(const OpCall& op) {
  return RoundToIntegral(op, [](double x) { return std::floor(x); });
}

Evaluation RoundNearestAfz(const OpCall& op) {
  return RoundToIntegral(op, [](double x) { return std::round(x); });
}

Evaluation RoundNearestEven(const OpCall& op) {
  return RoundToIntegral(op, ToNearestEven);
}

Evaluation IsFinite(const OpCall& op) {
  return VisitKinds<kFloats>(op.Input("x").element_type(), [&]<class T>() {
    const Elements<T> x(op.Input("x"));
    return ForEachElement<Boolean>(
        op, [&](auto& by, int64_t i) -> Allowed<Boolean> {
          return by("S1", Boolean(!x[i].IsNan() && !x[i].IsInfinite()));
        });
  });
}

namespace {

// The mantissa of a finite value rounded to `mantissa_bits`, ties to even. A
// carry goes into the exponent, as it should; beyond the largest code it is an
// overflow.
template <class T>
uint64_t RoundMantissa(uint64_t code, int64_t mantissa_bits) {
  const int dropped =
      T::kFormat.mantissa_bits - static_cast<int>(mantissa_bits);
  const uint64_t unit = uint64_t{1} << dropped;
  const uint64_t rest = code & (unit - 1), half = unit >> 1;
  const uint64_t kept = code - rest;
  // Without mantissa bits the last place is the hidden bit of a normal value,
  // which is odd.
  const bool odd = mantissa_bits > 0 ? (kept & unit) != 0
                                     : code >= T::kFormat.min_normal_code();
  return rest > half || (rest == half && odd) ? kept + unit : kept;
}

}  // namespace

Evaluation ReducePrecision(const OpCall& op) {
  const auto bits_of = [&](const char* name) {
    const Tensor& value = std::get<Tensor>(op.FindAttribute(name)->value);
    return static_cast<int64_t>(ValueOf(value.element_type(), value.Bits(0)));
  };
  const int64_t exponent_bits = bits_of("exponent_bits");
  const int64_t mantissa_bits = bits_of("mantissa_bits");
  const Encoding encoded(op.policy);
  return Unary<kFloats>(op, [&]<class T>(auto& by, T operand) -> Allowed<T> {
    constexpr FloatFormat kFormat = T::kFormat;
    const bool negative = operand.SignBit();
    if (operand.IsNan() || operand.IsInfinite()) return by("S1", operand);
    uint64_t code = operand.magnitude();
    if (mantissa_bits < kFormat.mantissa_bits)
      code = RoundMantissa<T>(code, mantissa_bits);
    // What the exponent of the intermediate result is, in the type's own terms.
    const int64_t exponent =
        static_cast<int64_t>(code >> kFormat.mantissa_bits) - kFormat.bias;
    const bool is_subnormal_or_zero = code < kFormat.min_normal_code();
    const bool narrower = exponent_bits < kFormat.exponent_bits;
    const int64_t max_exponent =
        narrower ? (int64_t{1} << (exponent_bits - 1)) - 1 : INT64_MAX;
    if (code > kFormat.max_code() || (narrower && exponent > max_exponent))
      return encoded(by, by("S3", T::OfInfinity(negative)));
    if (narrower && (is_subnormal_or_zero || exponent < 1 - max_exponent))
      return encoded(by, by("S3", T::OfZero(negative)));
    const uint64_t sign = negative ? kFormat.sign_bit() : 0;
    const T rounded =
        kFormat.has_zero && code == 0
            ? T::Zero(negative)
            : T::FromBits(static_cast<typename T::Bits>(code | sign));
    if (mantissa_bits >= kFormat.mantissa_bits) return by("S1", rounded);
    return by("S2", by("S1", rounded));
  });
}

}  // namespace assay
