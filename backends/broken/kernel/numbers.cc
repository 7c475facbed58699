// Codes of one sign grow with the values that they stand for, and a carry out
// of the significand makes the zero significand of the next exponent: so a
// rounded significand is added to its exponent's code, and one comparison finds
// overflow.
#include "backends/broken/kernel/numbers.h"

#include <algorithm>
#include <bit>

namespace assay::broken {
namespace {

using enum Nan;

constexpr Format kFormats[] = {
    {ASSAY_DL_FLOAT4_E2M1FN, 4, 2, 1, 1, true, false, kNone, 0x7},
    {ASSAY_DL_FLOAT6_E2M3FN, 6, 2, 3, 1, true, false, kNone, 0x1f},
    {ASSAY_DL_FLOAT6_E3M2FN, 6, 3, 2, 3, true, false, kNone, 0x1f},
    {ASSAY_DL_FLOAT8_E3M4, 8, 3, 4, 3, true, true, kAboveInfinity, 0x6f},
    {ASSAY_DL_FLOAT8_E4M3, 8, 4, 3, 7, true, true, kAboveInfinity, 0x77},
    {ASSAY_DL_FLOAT8_E4M3FN, 8, 4, 3, 7, true, false, kAllOnes, 0x7e},
    {ASSAY_DL_FLOAT8_E4M3FNUZ, 8, 4, 3, 8, true, false, kMinusZero, 0x7f},
    {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8, 4, 3, 11, true, false, kMinusZero, 0x7f},
    {ASSAY_DL_FLOAT8_E5M2, 8, 5, 2, 15, true, true, kAboveInfinity, 0x7b},
    {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, 5, 2, 16, true, false, kMinusZero, 0x7f},
    {ASSAY_DL_FLOAT8_E8M0FNU, 8, 8, 0, 127, false, false, kAllOnes, 0xfe},
    {kDLBfloat, 16, 8, 7, 127, true, true, kAboveInfinity, 0x7f7f},
    {kDLFloat, 16, 5, 10, 15, true, true, kAboveInfinity, 0x7bff},
    {kDLFloat, 32, 8, 23, 127, true, true, kAboveInfinity, 0x7f7fffff},
    {kDLFloat, 64, 11, 52, 1023, true, true, kAboveInfinity,
     0x7fefffffffffffff},
};

uint64_t AllOnes(const Format& format) {
  return ~uint64_t{0} >> (64 - format.bits);
}

// Returns the quiet NaN with the least payload, if there is more than one.
uint64_t NanOf(const Format& format) {
  switch (format.nan) {
    case kNone:
      return 0;
    case kAboveInfinity:
      return format.greatest + 1 + (uint64_t{1} << (format.mantissa_bits - 1));
    case kAllOnes:
      return Magnitude(format, AllOnes(format));
    case kMinusZero:
      return SignBit(format);
  }
  return 0;
}

uint64_t Overflowed(const Format& format, bool is_negative) {
  const uint64_t sign = is_negative ? SignBit(format) : 0;
  if (format.has_infinity) return sign | (format.greatest + 1);
  return format.nan == kNone ? sign | format.greatest : NanOf(format);
}

// Code e is 2^(e - bias). Powers of two have no even neighbor: a tie goes to
// the larger one. Nothing rounds to less than the least value, because there is
// no zero.
uint64_t EncodedPower(const Format& format, const Number& x) {
  if (x.significand == 0) return 0;
  if (x.is_negative) return NanOf(format);
  const int exponent = LeadingExponent(x);
  const int code = exponent + format.bias;
  if (code < 0) return 0;
  const bool is_above_tie =
      x.significand << std::countl_zero(x.significand) >= uint64_t{3} << 62;
  const uint64_t rounded = static_cast<uint64_t>(code) + is_above_tie;
  return rounded > format.greatest ? NanOf(format) : rounded;
}

}  // namespace

const Format* FindFormat(uint8_t dlpack_code, int bits) {
  const auto found = std::ranges::find_if(kFormats, [&](const Format& format) {
    return format.dlpack_code == dlpack_code && format.bits == bits;
  });
  return found == std::end(kFormats) ? nullptr : found;
}

const Format& Float64() { return *FindFormat(kDLFloat, 64); }

uint64_t SignBit(const Format& format) {
  return format.has_sign ? uint64_t{1} << (format.bits - 1) : 0;
}

uint64_t Magnitude(const Format& format, uint64_t bits) {
  return bits & ~SignBit(format);
}

bool IsNan(const Format& format, uint64_t bits) {
  switch (format.nan) {
    case kNone:
      return false;
    case kAboveInfinity:
      return Magnitude(format, bits) > format.greatest + 1;
    case kAllOnes:
      return Magnitude(format, bits) > format.greatest;
    case kMinusZero:
      return bits == SignBit(format);
  }
  return false;
}

int LeadingExponent(const Number& x) {
  return x.exponent + 63 - std::countl_zero(x.significand);
}

Number RoundedTo(int quantum, const Number& x) {
  Number rounded = x;
  rounded.exponent = quantum;
  const int shift = quantum - x.exponent;
  if (shift <= 0) {
    rounded.significand = x.significand << -shift;
  } else if (shift > 64) {
    rounded.significand = 0;  // less than half of a quantum
  } else {
    using Wide = unsigned __int128;
    const Wide significand = x.significand, half = Wide{1} << (shift - 1);
    const Wide rest = significand & (2 * half - 1);
    rounded.significand = static_cast<uint64_t>(significand >> shift);
    const bool is_odd = rounded.significand % 2 == 1;
    rounded.significand += rest > half || (rest == half && is_odd);
  }
  return rounded;
}

Number Decoded(const Format& format, uint64_t bits) {
  const uint64_t magnitude = Magnitude(format, bits);
  const bool is_negative = magnitude != bits;
  if (IsNan(format, bits)) return {Number::kNan, is_negative, 0, 0};
  if (magnitude > format.greatest)
    return {Number::kInfinite, is_negative, 0, 0};
  const uint64_t one = uint64_t{1} << format.mantissa_bits;
  const int code = static_cast<int>(magnitude >> format.mantissa_bits);
  const uint64_t mantissa = magnitude & (one - 1);
  const bool is_normal = code != 0 || !format.has_sign;
  return {Number::kFinite, is_negative, is_normal ? one | mantissa : mantissa,
          (is_normal ? code : 1) - format.bias - format.mantissa_bits};
}

uint64_t Encoded(const Format& format, const Number& x) {
  if (x.kind == Number::kNan) return NanOf(format);
  if (x.kind == Number::kInfinite) return Overflowed(format, x.is_negative);
  if (!format.has_sign) return EncodedPower(format, x);
  uint64_t code = 0;
  if (x.significand != 0) {
    const int exponent = std::max(LeadingExponent(x), 1 - format.bias);
    const uint64_t below = static_cast<uint64_t>(exponent + format.bias - 1);
    code = (below << format.mantissa_bits) +
           RoundedTo(exponent - format.mantissa_bits, x).significand;
  }
  if (code > format.greatest) return Overflowed(format, x.is_negative);
  if (code == 0 && format.nan == kMinusZero) return 0;
  return code | (x.is_negative ? SignBit(format) : 0);
}

double ToDouble(const Format& format, uint64_t bits) {
  return std::bit_cast<double>(Encoded(Float64(), Decoded(format, bits)));
}

uint64_t FromDouble(const Format& format, double x) {
  return Encoded(format, Decoded(Float64(), std::bit_cast<uint64_t>(x)));
}

}  // namespace assay::broken
