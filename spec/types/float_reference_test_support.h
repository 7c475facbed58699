// The tests of floats compare with this reference: formats written down a
// second time, exact values, and the nearest code found by search over the
// codes of a format. It shares nothing with float.h except the names of types
// and outcomes.
#ifndef ASSAY_SPEC_TYPES_FLOAT_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_SPEC_TYPES_FLOAT_REFERENCE_TEST_SUPPORT_H_

#include <algorithm>
#include <cstdint>

#include "spec/types/float.h"

namespace assay::reference {

using Wide = unsigned __int128;

enum class Kind { kIeee, kFn, kFnuz, kFinite, kE8m0 };

struct Format {
  ElementType type;
  int exponent_bits, mantissa_bits, bias;
  Kind kind;

  bool has_infinity() const { return kind == Kind::kIeee; }
  bool has_nan() const { return kind != Kind::kFinite; }
  bool has_negative_zero() const {
    return kind != Kind::kFnuz && kind != Kind::kE8m0;
  }
  int magnitude_bits() const { return exponent_bits + mantissa_bits; }
  uint64_t sign() const {
    return kind == Kind::kE8m0 ? 0 : uint64_t{1} << magnitude_bits();
  }
  // Returns the code of the largest finite value.
  uint64_t top() const {
    const uint64_t ones = (uint64_t{1} << magnitude_bits()) - 1;
    if (kind == Kind::kIeee)
      return (((uint64_t{1} << exponent_bits) - 1) << mantissa_bits) - 1;
    return kind == Kind::kFn || kind == Kind::kE8m0 ? ones - 1 : ones;
  }
  uint64_t codes() const {  // the number of bit patterns; not of f64
    return uint64_t{1} << (magnitude_bits() + (sign() != 0 ? 1 : 0));
  }
};

inline constexpr Format kFormats[] = {
    {ElementType::kF4E2M1FN, 2, 1, 1, Kind::kFinite},
    {ElementType::kF6E2M3FN, 2, 3, 1, Kind::kFinite},
    {ElementType::kF6E3M2FN, 3, 2, 3, Kind::kFinite},
    {ElementType::kF8E3M4, 3, 4, 3, Kind::kIeee},
    {ElementType::kF8E4M3, 4, 3, 7, Kind::kIeee},
    {ElementType::kF8E4M3FN, 4, 3, 7, Kind::kFn},
    {ElementType::kF8E4M3FNUZ, 4, 3, 8, Kind::kFnuz},
    {ElementType::kF8E4M3B11FNUZ, 4, 3, 11, Kind::kFnuz},
    {ElementType::kF8E5M2, 5, 2, 15, Kind::kIeee},
    {ElementType::kF8E5M2FNUZ, 5, 2, 16, Kind::kFnuz},
    {ElementType::kF8E8M0FNU, 8, 0, 127, Kind::kE8m0},
    {ElementType::kBF16, 8, 7, 127, Kind::kIeee},
    {ElementType::kF16, 5, 10, 15, Kind::kIeee},
    {ElementType::kF32, 8, 23, 127, Kind::kIeee},
    {ElementType::kF64, 11, 52, 1023, Kind::kIeee},
};
inline const Format& FormatOf(ElementType type) {
  return *std::ranges::find(kFormats, type, &Format::type);
}

// A Real is +-(n / d) * 2^e, or not a number.
struct Real {
  enum What { kFinite, kInfinite, kNan } what = kFinite;
  bool negative = false;
  Wide n = 0;
  uint64_t d = 1;
  int e = 0;

  bool IsZero() const { return what == kFinite && n == 0; }
};
inline Real RealNan() { return {Real::kNan}; }
inline Real RealInfinity(bool negative) { return {Real::kInfinite, negative}; }
inline Real Negated(Real x) {
  x.negative = !x.negative;
  return x;
}

inline int BitLength(Wide n) {
  int length = 0;
  for (; n != 0; n >>= 1) ++length;
  return length;
}

// Returns the sign of n * 2^p - q. Both terms are below 2^127.
inline int CompareScaled(Wide n, int p, Wide q) {
  if (n == 0 || q == 0) return (n != 0) - (q != 0);
  const int excess = BitLength(n) + p - BitLength(q);
  if (excess != 0) return excess > 0 ? 1 : -1;
  if (p >= 0) n <<= p;
  if (p < 0) q <<= -p;
  return n == q ? 0 : n < q ? -1 : 1;
}

// A Dyadic is the magnitude m * 2^f of a code that is not an infinity or NaN.
// Codes above the last finite one count as if numbers went on.
struct Dyadic {
  uint64_t m;
  int f;
};
inline Dyadic MagnitudeOf(const Format& format, uint64_t code) {
  if (format.kind == Kind::kE8m0) return {1, static_cast<int>(code) - 127};
  const uint64_t hidden = uint64_t{1} << format.mantissa_bits;
  const int field = static_cast<int>(code / hidden);
  const int least = 1 - format.bias - format.mantissa_bits;
  if (field == 0) return {code, least};
  return {code % hidden + hidden, least + field - 1};
}

inline Real Decode(const Format& format, uint64_t bits) {
  const bool negative = (bits & format.sign()) != 0;
  const uint64_t code = negative ? bits - format.sign() : bits;
  if (format.kind == Kind::kFnuz && negative && code == 0) return RealNan();
  if (code > format.top())
    return format.has_infinity() && code == format.top() + 1
               ? RealInfinity(negative)
               : RealNan();
  const Dyadic x = MagnitudeOf(format, code);
  return {Real::kFinite, negative, x.m, 1, x.f};
}

// This is what a format delivers for an exact result.
struct Delivered {
  bool is_nan = false;
  uint64_t bits = 0;
  Unencodable unencodable = Unencodable::kNot;
  bool exact = true;
  Tininess tininess = Tininess::kNone;
};

inline Delivered DeliverNan(const Format& format) {
  if (format.has_nan()) return {.is_nan = true};
  return {.unencodable = Unencodable::kNan, .exact = false};
}
inline Delivered DeliverOverflow(const Format& format, bool negative) {
  const uint64_t sign = negative ? format.sign() : 0;
  if (format.kind == Kind::kE8m0)
    return {.is_nan = true,
            .unencodable = negative ? Unencodable::kE8m0Negative
                                    : Unencodable::kE8m0Overflow,
            .exact = false};
  if (format.has_infinity()) return {.bits = sign | (format.top() + 1)};
  if (format.has_nan())
    return {
        .is_nan = true, .unencodable = Unencodable::kOverflow, .exact = false};
  return {.bits = sign | format.top(),
          .unencodable = Unencodable::kOverflow,
          .exact = false};
}
inline Delivered DeliverZero(const Format& format, bool negative) {
  if (format.kind == Kind::kE8m0)
    return {.unencodable = Unencodable::kE8m0Zero, .exact = false};
  return {.bits = negative && format.has_negative_zero() ? format.sign() : 0};
}

// `compare(m, f)` returns the sign of |x| - m * 2^f, for the exact result x,
// which is not 0.
template <class Compare>
Delivered DeliverNearest(const Format& format, bool negative, Compare compare) {
  if (format.kind == Kind::kE8m0 && negative)
    return DeliverOverflow(format, true);
  const auto below = [&](uint64_t code) {  // |x| < its value
    const Dyadic v = MagnitudeOf(format, code);
    return compare(v.m, v.f) < 0;
  };
  if (format.kind == Kind::kE8m0 && below(0)) {
    if (compare(1, -128) > 0) return {.exact = false};
    return {.unencodable = Unencodable::kE8m0TooSmall, .exact = false};
  }
  uint64_t low = 0, high = format.top() + 1;
  while (low < high) {  // the last code whose value is not above |x|
    const uint64_t middle = low + (high - low + 1) / 2;
    if (below(middle)) {
      high = middle - 1;
    } else {
      low = middle;
    }
  }
  const Dyadic v = MagnitudeOf(format, low);
  const int side = compare(2 * v.m + 1, v.f - 1);  // of the midpoint behind it
  const bool is_e8m0_tie = side == 0 && format.kind == Kind::kE8m0;
  const bool up = side > 0 || (side == 0 && (low % 2 == 1 || is_e8m0_tie));
  const uint64_t code = low + (up ? 1 : 0);
  Delivered result{.exact = compare(v.m, v.f) == 0};
  if (code > format.top()) {
    result = DeliverOverflow(format, negative);
    result.exact = false;
    return result;
  }
  if (is_e8m0_tie) result.unencodable = Unencodable::kE8m0Tie;
  const uint64_t min_normal = uint64_t{1} << format.mantissa_bits;
  if (format.kind != Kind::kE8m0 && code == min_normal && below(code)) {
    // The result rounds up if it is nearer to the smallest normal value, or as
    // near, than to the number before it that has as many bits and is one
    // binade below.
    const Dyadic least = MagnitudeOf(format, min_normal);
    const bool rounds_up = compare(4 * least.m - 1, least.f - 2) >= 0;
    result.tininess =
        rounds_up ? Tininess::kBeforeRounding : Tininess::kAfterRounding;
  }
  const bool has_sign = code != 0 || format.has_negative_zero();
  result.bits = code | (negative && has_sign ? format.sign() : 0);
  return result;
}

inline Delivered Deliver(const Format& format, const Real& x) {
  if (x.what == Real::kNan) return DeliverNan(format);
  if (x.what == Real::kInfinite) return DeliverOverflow(format, x.negative);
  if (x.n == 0) return DeliverZero(format, x.negative);
  return DeliverNearest(format, x.negative, [&](Wide m, int f) {
    return CompareScaled(x.n, x.e - f, m * x.d);
  });
}

// Returns sums of significands of at most 11 bits. If two operands are more
// than 100 binary places apart, the smaller one is replaced by one unit in a
// place that no midpoint reaches, as it stands for any number that is as small.
inline Real Sum(const Real& a, const Real& b) {
  if (a.what == Real::kNan || b.what == Real::kNan) return RealNan();
  if (a.what == Real::kInfinite && b.what == Real::kInfinite)
    return a.negative == b.negative ? a : RealNan();
  if (a.what == Real::kInfinite || b.what == Real::kInfinite)
    return a.what == Real::kInfinite ? a : b;
  if (a.n == 0 && b.n == 0) return {.negative = a.negative && b.negative};
  if (a.n == 0 || b.n == 0) return a.n == 0 ? b : a;
  const Real& high = a.e >= b.e ? a : b;
  const Real& low = a.e >= b.e ? b : a;
  const int distance = high.e - low.e;
  const int shift = distance > 100 ? 60 : distance;
  const auto x = static_cast<__int128>(high.n << shift);
  const auto y = static_cast<__int128>(distance > 100 ? 1 : low.n);
  const __int128 sum = (high.negative ? -x : x) + (low.negative ? -y : y);
  return {.negative = sum < 0,
          .n = static_cast<Wide>(sum < 0 ? -sum : sum),
          .e = high.e - shift};
}
inline Real Difference(const Real& a, const Real& b) {
  return Sum(a, Negated(b));
}

inline Real Product(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.what == Real::kNan || b.what == Real::kNan) return RealNan();
  if (a.what == Real::kInfinite || b.what == Real::kInfinite)
    return a.IsZero() || b.IsZero() ? RealNan() : RealInfinity(negative);
  return {.negative = negative, .n = a.n * b.n, .e = a.e + b.e};
}

inline Real Quotient(const Real& a, const Real& b) {
  const bool negative = a.negative != b.negative;
  if (a.what == Real::kNan || b.what == Real::kNan) return RealNan();
  if (a.what == Real::kInfinite)
    return b.what == Real::kInfinite ? RealNan() : RealInfinity(negative);
  if (b.what == Real::kInfinite) return {.negative = negative};
  if (b.n == 0) return a.n == 0 ? RealNan() : RealInfinity(negative);
  return {.negative = negative,
          .n = a.n,
          .d = static_cast<uint64_t>(b.n),
          .e = a.e - b.e};
}

// The sign is the dividend's, also for a zero.
inline Real Remainder(const Real& a, const Real& b) {
  if (a.what != Real::kFinite || b.what == Real::kNan || b.IsZero())
    return RealNan();
  if (b.what == Real::kInfinite) return a;
  Real r = a;
  if (a.e >= b.e) {
    r.n = a.n % b.n;
    for (int i = 0; i < a.e - b.e; ++i) r.n = r.n * 2 % b.n;
    r.e = b.e;
  } else if (b.e - a.e <= 100) {
    r.n = a.n % (b.n << (b.e - a.e));
  }
  return r;
}

inline Delivered DeliverSquareRoot(const Format& format, const Real& x) {
  if (x.what == Real::kNan || (x.negative && !x.IsZero()))
    return DeliverNan(format);
  if (x.what == Real::kInfinite) return DeliverOverflow(format, false);
  if (x.n == 0) return DeliverZero(format, x.negative);
  return DeliverNearest(format, false, [&](Wide m, int f) {
    return CompareScaled(x.n, x.e - 2 * f, m * m);
  });
}

}  // namespace assay::reference

#endif  // ASSAY_SPEC_TYPES_FLOAT_REFERENCE_TEST_SUPPORT_H_
