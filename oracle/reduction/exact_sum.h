// An ExactSum adds numbers without rounding, the positive and the negative ones
// apart.
//
// A number is an integer of 53 bits by a power of two. Powers that share the
// bits above the low five are added in one integer of 128 bits, so that a
// number costs one addition, and 2^43 numbers fit.
#ifndef ASSAY_ORACLE_REDUCTION_EXACT_SUM_H_
#define ASSAY_ORACLE_REDUCTION_EXACT_SUM_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "oracle/real/arb.h"

namespace assay {

class ExactSum {
 public:
  // Precondition: the number is finite, and not 0.
  void Add(double number) {
    const auto bits = std::bit_cast<uint64_t>(number);
    const auto field = static_cast<int>(bits >> 52 & 0x7FF);
    // The least exponent is that of subnormal numbers too.
    const int exponent = std::max(field, 1);
    const uint64_t significand =
        (bits & ((uint64_t{1} << 52) - 1)) | uint64_t{field != 0} << 52;
    const int bin = exponent / kBinBits;
    bins_[bits >> 63][bin] += static_cast<Wide>(significand)
                              << (exponent % kBinBits);
    first_bin_ = std::min(first_bin_, bin);
    last_bin_ = std::max(last_bin_, bin);
    last_bit_ = std::min(last_bit_, exponent + std::countr_zero(significand));
  }

  // Sets `sum` to the sum of all numbers.
  void Get(arf_struct* sum) const;

  // Returns the sum of the numbers of one sign, as a magnitude. It is off by no
  // more than two roundings for each number.
  long double Magnitude(bool negative) const;

  // Returns the exponent of the last bit that a number has. Precondition: there
  // is one.
  int LastBit() const { return last_bit_ - kExponentOffset; }

 private:
  using Wide = unsigned __int128;
  static constexpr int kBinBits = 32;
  static constexpr int kBins = 2048 / kBinBits;
  // A double is its significand by 2^(exponent field - this).
  static constexpr int kExponentOffset = 1075;

  Wide bins_[2][kBins] = {};
  int first_bin_ = kBins, last_bin_ = -1;
  int last_bit_ = std::numeric_limits<int>::max();
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_EXACT_SUM_H_
