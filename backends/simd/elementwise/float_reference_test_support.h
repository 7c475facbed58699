// This reference knows a float format only as the sorted list of its values: a
// code decodes to the list's entry and a number becomes the nearer one of its
// two neighbors.
//
// Formats of up to 16 bits have values and midpoints that double holds exactly;
// long double holds all numbers of all types.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_REFERENCE_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_REFERENCE_TEST_SUPPORT_H_

#include <math.h>
#include <stddef.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "backends/simd/core/formats.h"

namespace assay::simd_test {

using simd::Format;

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

enum class Over { kInfinity, kNan, kSaturate };

// These numbers are written down from the table of formats, not taken from
// SpecOf.
struct Reference {
  Format format;
  const char* name;
  int sign_bits, exponent_bits, mantissa_bits, bias;
  double max;
  Over over;
  bool minus_zero;
};

inline const Reference kReferences[] = {
    {Format::kF4E2M1FN, "f4E2M1FN", 1, 2, 1, 1, 6, Over::kSaturate, true},
    {Format::kF6E2M3FN, "f6E2M3FN", 1, 2, 3, 1, 7.5, Over::kSaturate, true},
    {Format::kF6E3M2FN, "f6E3M2FN", 1, 3, 2, 3, 28, Over::kSaturate, true},
    {Format::kF8E3M4, "f8E3M4", 1, 3, 4, 3, 15.5, Over::kInfinity, true},
    {Format::kF8E4M3, "f8E4M3", 1, 4, 3, 7, 240, Over::kInfinity, true},
    {Format::kF8E4M3FN, "f8E4M3FN", 1, 4, 3, 7, 448, Over::kNan, true},
    {Format::kF8E4M3FNUZ, "f8E4M3FNUZ", 1, 4, 3, 8, 240, Over::kNan, false},
    {Format::kF8E4M3B11FNUZ, "f8E4M3B11FNUZ", 1, 4, 3, 11, 30, Over::kNan,
     false},
    {Format::kF8E5M2, "f8E5M2", 1, 5, 2, 15, 57344, Over::kInfinity, true},
    {Format::kF8E5M2FNUZ, "f8E5M2FNUZ", 1, 5, 2, 16, 57344, Over::kNan, false},
    {Format::kF8E8M0FNU, "f8E8M0FNU", 0, 8, 0, 127, 0x1p127, Over::kNan, false},
    {Format::kBF16, "bf16", 1, 8, 7, 127, 0x1.FEp127, Over::kInfinity, true},
    {Format::kF16, "f16", 1, 5, 10, 15, 65504, Over::kInfinity, true},
};

class List {
 public:
  explicit List(const Reference& r) : r_(r) {
    const bool is_scale = r.sign_bits == 0;
    for (unsigned code = 0;; ++code) {
      const int exponent = static_cast<int>(code >> r.mantissa_bits);
      const double fraction =
          ldexp(code & ((1u << r.mantissa_bits) - 1), -r.mantissa_bits);
      const double value = is_scale ? ldexp(1, exponent - r.bias)
                           : exponent > 0
                               ? ldexp(1 + fraction, exponent - r.bias)
                               : ldexp(fraction, 1 - r.bias);
      values_.push_back(value);
      if (value > r.max) break;  // The last entry decides about overflow.
    }
  }

  unsigned num_codes() const {
    return 1u << (r_.sign_bits + r_.exponent_bits + r_.mantissa_bits);
  }
  unsigned sign_bit() const { return r_.sign_bits * num_codes() / 2; }
  size_t size() const { return values_.size() - 1; }
  double value(size_t i) const { return values_[i]; }
  double next(size_t i) const { return values_[i + 1]; }

  double Decode(unsigned code) const {
    const unsigned abs = code & ~sign_bit();
    const bool is_negative = abs != code;
    if (is_negative && abs == 0 && !r_.minus_zero) return kNan;
    if (abs < size()) return is_negative ? -values_[abs] : values_[abs];
    if (r_.over == Over::kInfinity && abs == size()) {
      return is_negative ? -kInf : kInf;
    }
    return kNan;
  }

  // Returns the value that x is rounded to, which is a NaN where the format has
  // one for x.
  double Round(long double x) const {
    if (x != x) return r_.over == Over::kSaturate ? 0.0 : kNan;
    const long double abs = fabsl(x);
    if (r_.sign_bits == 0 && x < 0) return kNan;
    double result = values_[0];
    if (abs > values_.back()) {
      result = Overflow();
    } else if (abs >= values_[0]) {
      const size_t above = static_cast<size_t>(
          std::lower_bound(values_.begin(), values_.end(), abs) -
          values_.begin());
      size_t nearest = above;
      if (abs != values_[above]) {
        const double middle = (values_[above - 1] + values_[above]) / 2;
        const bool down = abs < middle || (abs == middle && r_.sign_bits == 1 &&
                                           above % 2 == 1);
        nearest = down ? above - 1 : above;
      }
      result = nearest == size() ? Overflow() : values_[nearest];
    }
    if (r_.sign_bits == 0) return result;
    return result == 0 && !r_.minus_zero ? 0.0
                                         : (signbit(x) ? -result : result);
  }

 private:
  double Overflow() const {
    switch (r_.over) {
      case Over::kInfinity:
        return kInf;
      case Over::kNan:
        return kNan;
      case Over::kSaturate:
        break;
    }
    return r_.max;
  }

  const Reference& r_;
  std::vector<double> values_;
};

inline bool IsSame(long double a, long double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b);
  return a == b && signbit(a) == signbit(b);
}

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_REFERENCE_TEST_SUPPORT_H_
