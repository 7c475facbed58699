// Float<type> is one value of a floating-point format, with arithmetic that
// rounds the real result once.
//
// Every operation returns a Rounded: the value of the format that is nearest to
// the real result, and what was special about it: inexact, tiny, or not in the
// format at all. The texts leave open what then holds (a NaN in a format
// without NaN, an overflow without an infinity), so an oracle function asks the
// policy; `value` is the result by policy `assay`.
//
// f32 and f64 compute in the machine's arithmetic, which is IEEE 754's. All
// other formats have at most 11 bits of precision: they compute in f64 and
// round that once more, which never differs from rounding the real result (a
// second rounding is harmless from 2p + 2 bits on [Figueroa 1995]; sums that
// are subnormal are exact, and products and quotients of such operands lie
// farther from every midpoint than f64 rounds). float_test.cc compares all
// pairs of 8-bit values, and grids of the others, with exact integers.
#ifndef ASSAY_SPEC_TYPES_FLOAT_H_
#define ASSAY_SPEC_TYPES_FLOAT_H_

#include <bit>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "spec/types/float_format.h"

namespace assay {

// This says why a result has no value in its format.
enum class Unencodable : uint8_t {
  kNot,
  kOverflow,      // beyond the largest value, in a format without infinity
  kNan,           // NaN, in a format without
  kE8m0Tie,       // halfway between two powers of two
  kE8m0Zero,      // zero
  kE8m0TooSmall,  // nearer to zero than every power
  kE8m0Negative,  // less than zero
  kE8m0Overflow,  // beyond the largest power
};

// These are the two ways in which IEEE 754 (7.5) lets tininess be detected.
// Both hold for results that are delivered subnormal; they differ only if the
// smallest normal value is delivered.
enum class Tininess : uint8_t {
  kNone,
  // The real result is below the smallest normal value, but its rounding with
  // unbounded exponent is not.
  kBeforeRounding,
  kAfterRounding  // both are
};

template <class T>
struct Rounded {
  T value;
  bool exact = true;
  bool negative = false;  // the real result was, or its infinity
  Unencodable unencodable = Unencodable::kNot;
  Tininess tininess = Tininess::kNone;
};

template <ElementType kType>
class Float {
 public:
  static constexpr ElementKind kKind = ElementKind::kFloat;
  static constexpr ElementType kElementType = kType;
  static constexpr FloatFormat kFormat = FormatOf(kType);
  static constexpr int kBitWidth = kFormat.bits();
  static constexpr bool kIsBoolean = false;
  using Bits = std::conditional_t<
      kBitWidth <= 8, uint8_t,
      std::conditional_t<
          kBitWidth == 16, uint16_t,
          std::conditional_t<kBitWidth == 32, uint32_t, uint64_t>>>;
  // This is the machine's type that holds every value of the format.
  using Native = std::conditional_t<kType == ElementType::kF32, float, double>;
  static constexpr bool kIsNative =
      kType == ElementType::kF32 || kType == ElementType::kF64;

  constexpr Float() = default;
  static constexpr Float FromBits(Bits bits) {
    Float result;
    result.bits_ = static_cast<Bits>(
        bits & (kFormat.sign_bit() | kFormat.magnitude_mask()));
    return result;
  }
  constexpr Bits ToBits() const { return bits_; }

  // Each of these has the precondition that the format has the value.
  static constexpr Float Nan() { return FromBits(Bits(kFormat.nan_code())); }
  static constexpr Float Infinity(bool negative) {
    return WithSign(negative, kFormat.infinity_code());
  }
  static constexpr Float Max(bool negative) {
    return WithSign(negative, kFormat.max_code());
  }
  // Returns +0 in formats that have no -0.
  static constexpr Float Zero(bool negative) {
    return WithSign(negative && kFormat.has_negative_zero(), 0);
  }

  constexpr uint64_t magnitude() const {
    return bits_ & kFormat.magnitude_mask();
  }
  constexpr bool IsNan() const {
    switch (kFormat.specials) {
      case FloatFormat::Specials::kIeee:
        return magnitude() > kFormat.infinity_code();
      case FloatFormat::Specials::kOneNan:
        return magnitude() == kFormat.nan_code();
      case FloatFormat::Specials::kNegativeZeroNan:
        return bits_ == kFormat.nan_code();
      default:
        return false;
    }
  }
  constexpr bool IsSignalingNan() const {
    if constexpr (kFormat.specials == FloatFormat::Specials::kIeee) {
      constexpr uint64_t kQuiet = uint64_t{1} << (kFormat.mantissa_bits - 1);
      return IsNan() && (bits_ & kQuiet) == 0;
    }
    return false;
  }
  constexpr bool IsInfinite() const {
    return kFormat.has_infinity() && magnitude() == kFormat.infinity_code();
  }
  constexpr bool IsZero() const {
    return kFormat.has_zero && magnitude() == 0 && !IsNan();
  }
  constexpr bool IsSubnormal() const {
    return magnitude() < kFormat.min_normal_code() && magnitude() != 0;
  }
  constexpr bool SignBit() const { return (bits_ & kFormat.sign_bit()) != 0; }

  // The conversion is exact. A NaN gives a NaN.
  Native ToNative() const {
    if constexpr (kIsNative) {
      return std::bit_cast<Native>(bits_);
    } else if constexpr (kType == ElementType::kBF16) {
      return std::bit_cast<float>(static_cast<uint32_t>(bits_) << 16);
    } else {
      constexpr int kMantissa = kFormat.mantissa_bits;
      constexpr double kSubnormalUnit = std::bit_cast<double>(
          static_cast<uint64_t>(1023 + kFormat.min_exponent() - kMantissa)
          << 52);
      if (IsNan()) return std::bit_cast<double>(0x7ff8000000000000u);
      double value;
      if (IsInfinite()) {
        value = std::bit_cast<double>(0x7ff0000000000000u);
      } else if (kFormat.has_zero && magnitude() < kFormat.min_normal_code()) {
        value = static_cast<double>(magnitude()) * kSubnormalUnit;
      } else {
        value = std::bit_cast<double>(
            (magnitude() << (52 - kMantissa)) +
            (static_cast<uint64_t>(1023 - kFormat.bias) << 52));
      }
      return SignBit() ? -value : value;
    }
  }
  double ToDouble() const { return ToNative(); }

  // Returns the value nearest to (-1)^negative * significand * 2^exponent.
  static constexpr Rounded<Float> Round(bool negative, uint64_t significand,
                                        int exponent);
  // Returns the value nearest to `value`.
  static Rounded<Float> Round(double value);
  // Rounds a result that is a value of Native.
  static Rounded<Float> OfNative(Native value) {
    if constexpr (kIsNative) {
      return {FromBits(std::bit_cast<Bits>(value))};
    } else {
      return Round(value);
    }
  }
  static constexpr Rounded<Float> OfNan() {
    if constexpr (kFormat.has_nan()) {
      return {Nan()};
    } else {
      return {Zero(false), false, false, Unencodable::kNan};
    }
  }
  static constexpr Rounded<Float> OfInfinity(bool negative) {
    if constexpr (!kFormat.has_sign) {
      return {
          Nan(), false, negative,
          negative ? Unencodable::kE8m0Negative : Unencodable::kE8m0Overflow};
    } else if constexpr (kFormat.has_infinity()) {
      return {Infinity(negative)};
    } else if constexpr (kFormat.has_nan()) {
      return {Nan(), false, negative, Unencodable::kOverflow};
    } else {
      return {Max(negative), false, negative, Unencodable::kOverflow};
    }
  }
  static constexpr Rounded<Float> OfZero(bool negative) {
    if constexpr (kFormat.has_zero) {
      return {Zero(negative)};
    } else {
      return {FromBits(0), false, false, Unencodable::kE8m0Zero};
    }
  }

 private:
  // Returns the value nearest to (-1)^negative * significand * 2^(leading -
  // 62). The leading bit of `significand` is bit 62, and bit 0 may stand for
  // any bits that followed it.
  static constexpr Rounded<Float> RoundTop(bool negative, uint64_t significand,
                                           int leading);
  static constexpr Float WithSign(bool negative, uint64_t code) {
    return FromBits(
        static_cast<Bits>(code | (negative ? kFormat.sign_bit() : 0)));
  }
  Bits bits_ = 0;
};

template <ElementType kType>
constexpr Rounded<Float<kType>> Float<kType>::Round(bool negative,
                                                    uint64_t significand,
                                                    int exponent) {
  if (significand == 0) return OfZero(negative);
  const int shift = std::countl_zero(significand);
  const uint64_t top = significand << shift;
  return RoundTop(negative, top >> 1 | (top & 1), exponent + 63 - shift);
}

template <ElementType kType>
Rounded<Float<kType>> Float<kType>::Round(double value) {
  const uint64_t bits = std::bit_cast<uint64_t>(value);
  if constexpr (kType == ElementType::kF64) return {FromBits(bits)};
  const bool negative = bits >> 63 != 0;
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  const uint64_t fraction = bits & ((uint64_t{1} << 52) - 1);
  if (field == 0x7ff) return fraction != 0 ? OfNan() : OfInfinity(negative);
  if (field == 0) return Round(negative, fraction, -1074);
  return RoundTop(negative, (fraction | uint64_t{1} << 52) << 10, field - 1023);
}

// There are almost no branches: operands of judged calls are arbitrary bits,
// which no processor predicts (f16 products ran at 46 M/s with branches).
template <ElementType kType>
constexpr Rounded<Float<kType>> Float<kType>::RoundTop(bool negative,
                                                       uint64_t significand,
                                                       int leading) {
  if constexpr (!kFormat.has_sign) {
    if (negative) return {Nan(), false, true, Unencodable::kE8m0Negative};
  }
  constexpr int kMantissa = kFormat.mantissa_bits;
  constexpr int kMinExponent = kFormat.min_exponent();
  const int binade = leading < kMinExponent ? kMinExponent : leading;
  // These bits, at least one, are below the last place. If there are more than
  // 63, all of them together are less than half of the last place.
  int drop = 62 - kMantissa + binade - leading;
  significand = drop > 63 ? 1 : significand;
  drop = drop > 63 ? 63 : drop;
  const uint64_t half = uint64_t{1} << (drop - 1);
  const uint64_t rest = significand & (half | (half - 1));
  uint64_t kept = significand >> drop;
  kept += rest + (kept & 1) > half ? 1 : 0;  // ties to even
  Rounded<Float> result{Float(), rest == 0, negative};
  if constexpr (!kFormat.has_zero) {
    if (kept == 0)
      return {FromBits(0), false, false, Unencodable::kE8m0TooSmall};
    // One bit of precision has no even value; 1 is odd, so the rounding above
    // goes to the larger one, as IEEE 754-2019 4.3.1 requires.
    if (rest == half) result.unencodable = Unencodable::kE8m0Tie;
  }
  // The hidden bit of `kept` adds one binade to the subnormals; a carry into
  // the next binade needs no correction.
  const uint64_t code =
      kept + (static_cast<uint64_t>(binade - kMinExponent) << kMantissa) -
      (kFormat.has_zero ? 0 : 1);
  if (leading > kFormat.max_exponent() || code > kFormat.max_code()) {
    Rounded<Float> overflow = OfInfinity(negative);
    overflow.exact = false;
    overflow.negative = negative;
    return overflow;
  }
  if (kFormat.has_subnormals() && code == kFormat.min_normal_code() &&
      leading < kMinExponent) {
    // With unbounded exponent one more bit is kept, so that only the last
    // quarter of the last place rounds up.
    const bool rounds_up = drop >= 2 && rest >> (drop - 2) == 3;
    result.tininess =
        rounds_up ? Tininess::kBeforeRounding : Tininess::kAfterRounding;
  }
  result.value =
      WithSign(negative && (code != 0 || kFormat.has_negative_zero()), code);
  return result;
}

using F32 = Float<ElementType::kF32>;
using F64 = Float<ElementType::kF64>;

// If a product or quotient is rounded to the smallest normal value of f32 or
// f64, these return whether the real result is tiny. Precondition: the rounded
// result has that magnitude.
Tininess TininessOfProduct(float a, float b);
Tininess TininessOfProduct(double a, double b);
Tininess TininessOfQuotient(float a, float b);
Tininess TininessOfQuotient(double a, double b);

// Sums that are tiny are exact.
template <ElementType K>
Rounded<Float<K>> operator+(Float<K> a, Float<K> b) {
  return Float<K>::OfNative(a.ToNative() + b.ToNative());
}
template <ElementType K>
Rounded<Float<K>> operator-(Float<K> a, Float<K> b) {
  return Float<K>::OfNative(a.ToNative() - b.ToNative());
}
template <ElementType K>
Rounded<Float<K>> operator*(Float<K> a, Float<K> b) {
  Rounded<Float<K>> result = Float<K>::OfNative(a.ToNative() * b.ToNative());
  if constexpr (Float<K>::kIsNative) {
    if (result.value.magnitude() == Float<K>::kFormat.min_normal_code())
        [[unlikely]]
      result.tininess = TininessOfProduct(a.ToNative(), b.ToNative());
  }
  return result;
}
template <ElementType K>
Rounded<Float<K>> operator/(Float<K> a, Float<K> b) {
  Rounded<Float<K>> result = Float<K>::OfNative(a.ToNative() / b.ToNative());
  if constexpr (Float<K>::kIsNative) {
    if (result.value.magnitude() == Float<K>::kFormat.min_normal_code())
        [[unlikely]]
      result.tininess = TininessOfQuotient(a.ToNative(), b.ToNative());
  }
  return result;
}
// These operations change the sign bit. A format's only NaN has no sign, and
// neither has its only zero. Precondition: the format has a sign.
template <ElementType K>
constexpr Float<K> operator-(Float<K> a) {
  constexpr FloatFormat kFormat = Float<K>::kFormat;
  const bool has_no_sign = !kFormat.has_negative_zero() && a.magnitude() == 0;
  using Bits = typename Float<K>::Bits;
  return has_no_sign ? a
                     : Float<K>::FromBits(
                           static_cast<Bits>(a.ToBits() ^ kFormat.sign_bit()));
}
template <ElementType K>
constexpr Float<K> Absolute(Float<K> a) {
  return a.SignBit() ? -a : a;
}
// Returns a - n * b, where n is a / b truncated to an integer. The result is
// exact.
template <ElementType K>
Rounded<Float<K>> Fmod(Float<K> a, Float<K> b) {
  return Float<K>::OfNative(std::fmod(a.ToNative(), b.ToNative()));
}
template <ElementType K>
Rounded<Float<K>> SquareRoot(Float<K> a) {
  return Float<K>::OfNative(std::sqrt(a.ToNative()));
}

// The comparisons of IEEE 754 are false if an operand is NaN.
template <ElementType K>
bool QuietEqual(Float<K> a, Float<K> b) {
  return a.ToNative() == b.ToNative();
}
template <ElementType K>
bool QuietLess(Float<K> a, Float<K> b) {
  return a.ToNative() < b.ToNative();
}

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_FLOAT_H_
