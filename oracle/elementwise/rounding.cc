// Values are rounded to integers by ceil, floor, round_nearest_afz and
// round_nearest_even, and to fewer bits by reduce_precision. is_finite is here,
// too.
//
// An integer that a value rounds to may be outside of its format: 15.5 is the
// largest f8E3M4, and 16 overflows.
#include <cmath>
#include <string>

#include "oracle/elementwise/encoding.h"

namespace assay {
namespace {

// `round` maps a double to a double, and is one of the roundToIntegral
// operations.
template <class F>
Evaluation RoundToIntegral(const OpCall& op, F round) {
  const Encoding encoded(op.policy);
  return Unary<kFloats>(
      op, [&]<class T>(auto& clause, T operand) -> Allowed<T> {
        return encoded(clause,
                       clause("S1", T::Round(round(operand.ToDouble()))));
      });
}

// Rounds ties to even whatever the rounding mode is: a tie is exact in binary.
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
        op, [&](auto& clause, int64_t i) -> Allowed<Boolean> {
          return clause("S1", Boolean(!x[i].IsNan() && !x[i].IsInfinite()));
        });
  });
}

namespace {

// A Reduction is reduce_precision of one call: to so many bits, by a policy.
class Reduction {
 public:
  Reduction(const OpCall& op, int64_t exponent_bits, int64_t mantissa_bits)
      : exponent_bits_(exponent_bits),
        mantissa_bits_(mantissa_bits),
        encoded_(op.policy),
        of_nan_(op.policy.Get("reduce_precision_nan")),
        of_tie_(op.policy.Get("reduce_precision_tie")),
        exponents_(op.policy.Get("reduce_precision_exponents")) {}

  template <class T>
  Allowed<T> operator()(auto& clause, T operand) const {
    constexpr FloatFormat kFormat = T::kFormat;
    const bool negative = operand.SignBit();
    if (operand.IsNan()) return OfNan(clause, operand);
    if (operand.IsInfinite()) return clause("S1", operand);
    const uint64_t code = operand.magnitude();
    if (mantissa_bits_ >= kFormat.mantissa_bits)
      return OfExponent<T>(clause, code, negative, [&] {
        return clause("S1", FromCode<T>(code, negative));
      });
    const auto of = [&](uint64_t rounded) {
      return OfExponent<T>(clause, rounded, negative, [&] {
        return clause("S2", clause("S1", FromCode<T>(rounded, negative)));
      });
    };
    const uint64_t larger = RoundMantissa<T>(code);
    if (!IsTieOfOdd<T>(code)) return of(larger);
    const Allowed<T> up = of(larger), down = of(larger - Unit<T>());
    return clause("S7", of_tie_ == "larger"      ? up
                        : of_tie_ == "even_code" ? down
                                                 : EitherOf<T>(up, down));
  }

 private:
  // Returns the value of the last place that is kept, as a code.
  template <class T>
  uint64_t Unit() const {
    return uint64_t{1} << (T::kFormat.mantissa_bits - mantissa_bits_);
  }
  template <class T>
  static T FromCode(uint64_t code, bool negative) {
    constexpr FloatFormat kFormat = T::kFormat;
    const uint64_t sign = negative ? kFormat.sign_bit() : 0;
    return kFormat.has_zero && code == 0
               ? T::Zero(negative)
               : T::FromBits(static_cast<typename T::Bits>(code | sign));
  }

  // A type without mantissa bits has no NaN to convert to. If a type has a
  // single NaN in the place of -0, no payload is left out.
  template <class T>
  Allowed<T> OfNan(auto& clause, T operand) const {
    constexpr FloatFormat kFormat = T::kFormat;
    const bool has_payload =
        kFormat.mantissa_bits > 0 &&
        kFormat.specials != FloatFormat::Specials::kNegativeZeroNan;
    if (mantissa_bits_ > 0 || !has_payload) return clause("S1", operand);
    if (of_nan_ == "nan") return clause("S5", operand);
    const Allowed<T> infinity =
        encoded_(clause, T::OfInfinity(operand.SignBit()));
    return clause("S5", of_nan_ == "infinity" ? infinity
                                              : EitherOf<T>(operand, infinity));
  }

  // Neither neighbour of a tie has an even significand, which is 1 in both.
  // Their codes are the exponents then, and the lower one is even. (If the
  // upper one is, it is the one of larger magnitude as well.)
  template <class T>
  bool IsTieOfOdd(uint64_t code) const {
    const uint64_t unit = Unit<T>();
    return mantissa_bits_ == 0 && code >= T::kFormat.min_normal_code() &&
           (code & (unit - 1)) == unit / 2 && (code & unit) == 0;
  }

  // Rounds the mantissa of a finite value, ties to even. A carry goes into the
  // exponent, as it should; beyond the largest code it is an overflow.
  template <class T>
  uint64_t RoundMantissa(uint64_t code) const {
    const uint64_t unit = Unit<T>();
    const uint64_t rest = code & (unit - 1), half = unit >> 1;
    const uint64_t kept = code - rest;
    // Without mantissa bits the last place is the hidden bit of a normal value,
    // which is odd.
    const bool odd = mantissa_bits_ > 0 ? (kept & unit) != 0
                                        : code >= T::kFormat.min_normal_code();
    return rest > half || (rest == half && odd) ? kept + unit : kept;
  }

  enum class Fit { kFits, kOverflows, kUnderflows };
  // Returns whether an exponent is in the range of `exponent_bits_`, moved by
  // `shift`.
  template <class T>
  Fit FitOf(uint64_t code, int64_t shift) const {
    constexpr FloatFormat kFormat = T::kFormat;
    if (code > kFormat.max_code()) return Fit::kOverflows;
    if (exponent_bits_ >= kFormat.exponent_bits) return Fit::kFits;
    const int64_t exponent =
        static_cast<int64_t>(code >> kFormat.mantissa_bits) - kFormat.bias;
    const int64_t most = (int64_t{1} << (exponent_bits_ - 1)) - 1;
    if (exponent > most - shift) return Fit::kOverflows;
    return code < kFormat.min_normal_code() || exponent < 1 - most - shift
               ? Fit::kUnderflows
               : Fit::kFits;
  }

  // `rounded()` is the intermediate result, of that code.
  template <class T>
  Allowed<T> OfExponent(auto& clause, uint64_t code, bool negative,
                        auto rounded) const {
    constexpr FloatFormat kFormat = T::kFormat;
    const auto of = [&](Fit fit) -> Allowed<T> {
      if (fit == Fit::kFits) return rounded();
      return encoded_(
          clause, clause("S3", fit == Fit::kOverflows ? T::OfInfinity(negative)
                                                      : T::OfZero(negative)));
    };
    // kShift is how far the bias is from that of IEEE 754's formats.
    constexpr int64_t kShift =
        kFormat.bias - ((int64_t{1} << (kFormat.exponent_bits - 1)) - 1);
    const Fit by_value = FitOf<T>(code, 0), by_code = FitOf<T>(code, kShift);
    if (by_value == by_code) return of(by_value);
    return clause("S6", exponents_ == "by_value" ? of(by_value)
                        : exponents_ == "by_code"
                            ? of(by_code)
                            : EitherOf<T>(of(by_value), of(by_code)));
  }

  int64_t exponent_bits_, mantissa_bits_;
  Encoding encoded_;
  const std::string &of_nan_, &of_tie_, &exponents_;
};

}  // namespace

Evaluation ReducePrecision(const OpCall& op) {
  const auto bits_of = [&](const char* name) {
    const Tensor& value = std::get<Tensor>(op.FindAttribute(name)->value);
    return static_cast<int64_t>(ValueOf(value.element_type(), value.Bits(0)));
  };
  const Reduction reduced(op, bits_of("exponent_bits"),
                          bits_of("mantissa_bits"));
  return Unary<kFloats>(op,
                        [&]<class T>(auto& clause, T operand) -> Allowed<T> {
                          return reduced(clause, operand);
                        });
}

}  // namespace assay
