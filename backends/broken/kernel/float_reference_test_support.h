// This reference computes the expected results in another way than the kernel
// does: every value of a small format stands in a table that is searched, exact
// results are long double, and f32 and f64 are the compiler's.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_REFERENCE_TEST_SUPPORT_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "backends/broken/kernel/broken_test_support.h"

namespace assay::broken {

using Exact = long double;
inline constexpr Exact kNotANumber = std::numeric_limits<Exact>::quiet_NaN();
inline constexpr Exact kInfinity = std::numeric_limits<Exact>::infinity();

// A Small is a format as the documents state it. `codes` is the number of
// finite codes that are not negative.
struct Small {
  std::string name;
  DLDataType type;
  int mantissa;
  int bias;
  int codes;
  char special;  // 'i'nfinities, 'n'aN only, 'u'nsigned zero, 'f'inite only
};

inline const std::vector<Small>& SmallFormats() {
  static const std::vector<Small> formats = {
      {"f4E2M1FN", {ASSAY_DL_FLOAT4_E2M1FN, 4, 1}, 1, 1, 8, 'f'},
      {"f6E2M3FN", {ASSAY_DL_FLOAT6_E2M3FN, 6, 1}, 3, 1, 32, 'f'},
      {"f6E3M2FN", {ASSAY_DL_FLOAT6_E3M2FN, 6, 1}, 2, 3, 32, 'f'},
      {"f8E3M4", {ASSAY_DL_FLOAT8_E3M4, 8, 1}, 4, 3, 112, 'i'},
      {"f8E4M3", {ASSAY_DL_FLOAT8_E4M3, 8, 1}, 3, 7, 120, 'i'},
      {"f8E4M3FN", {ASSAY_DL_FLOAT8_E4M3FN, 8, 1}, 3, 7, 127, 'n'},
      {"f8E4M3FNUZ", {ASSAY_DL_FLOAT8_E4M3FNUZ, 8, 1}, 3, 8, 128, 'u'},
      {"f8E4M3B11FNUZ", {ASSAY_DL_FLOAT8_E4M3B11FNUZ, 8, 1}, 3, 11, 128, 'u'},
      {"f8E5M2", {ASSAY_DL_FLOAT8_E5M2, 8, 1}, 2, 15, 124, 'i'},
      {"f8E5M2FNUZ", {ASSAY_DL_FLOAT8_E5M2FNUZ, 8, 1}, 2, 16, 128, 'u'},
      {"f8E8M0FNU", {ASSAY_DL_FLOAT8_E8M0FNU, 8, 1}, 0, 127, 255, 'p'},
      {"bf16", kBf16, 7, 127, 255 << 7, 'i'},
      {"f16", kF16, 10, 15, 31 << 10, 'i'},
  };
  return formats;
}

inline std::vector<DLDataType> Floats() {
  std::vector<DLDataType> types;
  for (const Small& format : SmallFormats()) types.push_back(format.type);
  types.push_back(kF32);
  types.push_back(kF64);
  return types;
}

inline const Small* FindSmall(const DLDataType& type) {
  for (const Small& format : SmallFormats()) {
    if (format.type.code == type.code && format.type.bits == type.bits)
      return &format;
  }
  return nullptr;
}

// Returns the finite values that are not negative, by code, and one more value,
// which overflows.
inline const std::vector<Exact>& TableOf(const Small& format) {
  static std::map<const Small*, std::vector<Exact>> tables;
  std::vector<Exact>& values = tables[&format];
  if (!values.empty()) return values;
  for (int code = 0; code <= format.codes; ++code) {
    const int exponent = code >> format.mantissa;
    const int one = 1 << format.mantissa, mantissa = code % one;
    if (format.special == 'p')
      values.push_back(std::ldexp(Exact{1}, code - format.bias));
    else if (exponent == 0)
      values.push_back(
          std::ldexp(Exact(mantissa), 1 - format.bias - format.mantissa));
    else
      values.push_back(std::ldexp(Exact(one + mantissa),
                                  exponent - format.bias - format.mantissa));
  }
  return values;
}

inline Exact SmallValue(const Small& format, int64_t bits) {
  const int64_t sign = int64_t{1} << (format.type.bits - 1);
  const bool has_sign = format.special != 'p';
  if (format.special == 'u' && bits == sign) return kNotANumber;
  const int64_t code = has_sign ? bits & (sign - 1) : bits;
  Exact magnitude = TableOf(
      format)[static_cast<size_t>(std::min<int64_t>(code, format.codes))];
  if (code >= format.codes)
    magnitude =
        format.special == 'i' && code == format.codes ? kInfinity : kNotANumber;
  return has_sign && (bits & sign) != 0 ? -magnitude : magnitude;
}

// Returns the value of the format that an exact result is rounded to, which may
// be NaN, an infinity or a zero of either sign.
inline Exact Nearest(const Small& format, Exact exact) {
  const std::vector<Exact>& table = TableOf(format);
  const bool has_nan = format.special != 'f';
  if (std::isnan(exact)) return has_nan ? exact : 0;
  if (format.special == 'p') {
    if (exact < 0) return kNotANumber;
    exact = std::max(std::abs(exact), table[0]);
  }
  const Exact sign = std::copysign(Exact{1}, exact);
  const Exact magnitude = std::abs(exact);
  const auto above = std::lower_bound(table.begin(), table.end(), magnitude);
  auto nearest = above;
  if (above == table.end()) {
    --nearest;
  } else if (above != table.begin() && *above != magnitude) {
    const Exact up = *above - magnitude, down = magnitude - above[-1];
    const bool is_odd = (above - table.begin()) % 2 == 1;
    const bool goes_down =
        down < up || (down == up && is_odd && format.special != 'p');
    if (goes_down) --nearest;
  }
  if (nearest == table.end() - 1) {
    if (format.special == 'i') return sign * kInfinity;
    if (has_nan) return kNotANumber;
    --nearest;
  }
  return *nearest == 0 && format.special == 'u' ? 0 : sign * *nearest;
}

inline Exact ValueOf(const DLDataType& type, int64_t bits) {
  if (const Small* format = FindSmall(type)) return SmallValue(*format, bits);
  if (type.code == ASSAY_DL_BOOL || type.code == kDLInt)
    return static_cast<Exact>(bits);
  if (type.code == kDLUInt)
    return static_cast<Exact>(static_cast<uint64_t>(bits));
  if (BitsOf(type) == 32)
    return static_cast<Exact>(
        std::bit_cast<float>(static_cast<uint32_t>(bits)));
  return static_cast<Exact>(std::bit_cast<double>(bits));
}

// Returns the value of a float or integer type that an exact result is
// converted to.
inline Exact Rounded(const DLDataType& type, Exact exact) {
  if (const Small* format = FindSmall(type)) return Nearest(*format, exact);
  if (type.code == ASSAY_DL_BOOL) return exact != 0;
  if (type.code == kDLInt || type.code == kDLUInt) {
    const bool is_signed = type.code == kDLInt;
    const Exact least = is_signed ? -std::ldexp(Exact{1}, type.bits - 1) : 0;
    const Exact greatest =
        std::ldexp(Exact{1}, type.bits - (is_signed ? 1 : 0)) - 1;
    if (std::isnan(exact)) return 0;
    return std::clamp(std::trunc(exact), least, greatest) + Exact{0};
  }
  return BitsOf(type) == 32 ? static_cast<Exact>(static_cast<float>(exact))
                            : static_cast<Exact>(static_cast<double>(exact));
}

// Any NaN equals a NaN, but zeros must have the same sign.
inline bool IsSame(Exact a, Exact b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

// Returns all bits of a type of at most 8 bits, and for wider types those at
// the ends of its ranges and some from the whole range.
inline Values SampleOf(const DLDataType& type) {
  const int bits = type.code == ASSAY_DL_BOOL ? 1 : BitsOf(type);
  Values values;
  if (bits <= 8) {
    for (int64_t i = 0; i < int64_t{1} << bits; ++i)
      values.push_back(type.code == kDLInt ? i - (int64_t{1} << (bits - 1))
                                           : i);
    return values;
  }
  uint64_t state = 1;
  const auto add = [&](uint64_t value) {
    const uint64_t low = value << (64 - bits);
    values.push_back(type.code == kDLInt
                         ? static_cast<int64_t>(low) >> (64 - bits)
                         : static_cast<int64_t>(low >> (64 - bits)));
  };
  for (int shift = 0; shift<bits; shift += bits> 16 ? 3 : 1) {
    const uint64_t power = uint64_t{1} << shift;
    for (const uint64_t near : {power - 1, power, power + 1, -power}) add(near);
  }
  while (values.size() < 200) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    add(state >> (64 - bits));
    add(std::rotl(state, 17) >> (64 - bits));
  }
  const double doubles[] = {0,
                            1,
                            1.5,
                            2.5,
                            0.5,
                            -0.5,
                            3.5,
                            15.5,
                            448,
                            464,
                            480,
                            500,
                            65504,
                            65519,
                            65520,
                            300,
                            1e-40,
                            6e-8,
                            0x1p31,
                            0x1p32,
                            0x1p63,
                            0x1p64,
                            -0x1p31,
                            -0x1p63,
                            0x1p-127,
                            0x1p-128,
                            0x1.8p-128,
                            1 + 0x1p-11 + 0x1p-40,
                            1 + 0x1p-8 + 0x1p-40,
                            INFINITY,
                            -INFINITY,
                            NAN};
  for (const double value : doubles) {
    if (type.code == kDLFloat && bits == 64)
      add(std::bit_cast<uint64_t>(value));
    if (type.code == kDLFloat && bits == 32)
      add(std::bit_cast<uint32_t>(static_cast<float>(value)));
  }
  return values;
}

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_REFERENCE_TEST_SUPPORT_H_
