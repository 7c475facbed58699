// The type in which the nodes of a tree of floats are, as bounds see it.
#ifndef ASSAY_ORACLE_CONTRACTION_NODE_FORMAT_H_
#define ASSAY_ORACLE_CONTRACTION_NODE_FORMAT_H_

#include <algorithm>
#include <cmath>

#include "spec/types/float_format.h"

namespace assay {

struct NodeFormat {
  static NodeFormat Of(const FloatFormat& format) {
    const int max_exponent = format.max_exponent();
    // The largest value has all bits but those of a code that is no number.
    const auto significand =
        static_cast<long double>((format.max_code() & format.mantissa_mask()) |
                                 uint64_t{1} << format.mantissa_bits);
    return {format.precision(), format.min_exponent(),
            std::ldexp(significand, max_exponent - format.mantissa_bits),
            max_exponent, format.has_infinity()};
  }
  // TensorFloat32 has the exponents of f32 and ten bits behind the leading one.
  static NodeFormat Tf32() {
    return {11, -126, std::ldexp(2 - std::ldexp(1.0L, -10), 127), 127};
  }
  // Returns a format that is as coarse as the coarser one, in each respect.
  static NodeFormat Coarser(const NodeFormat& a, const NodeFormat& b) {
    const NodeFormat& smaller = a.max < b.max ? a : b;
    return {std::min(a.precision, b.precision),
            std::max(a.min_exponent, b.min_exponent), smaller.max,
            smaller.max_exponent, smaller.has_infinity};
  }

  // Returns whether it has all values of another format, infinities aside.
  bool Holds(const NodeFormat& other) const {
    return precision >= other.precision &&
           least_exponent() <= other.least_exponent() && max >= other.max;
  }
  // Half a unit in the last place, relative to the value.
  long double unit() const { return std::ldexp(1.0L, -precision); }
  int least_exponent() const { return min_exponent - precision + 1; }
  long double least_subnormal() const {
    return std::ldexp(1.0L, least_exponent());
  }
  long double min_normal() const { return std::ldexp(1.0L, min_exponent); }
  // The least number that may be rounded beyond the largest value.
  long double Overflow() const {
    return max + std::ldexp(0.5L, max_exponent - precision + 1);
  }

  int precision, min_exponent;
  long double max;  // the largest value
  int max_exponent;
  bool has_infinity = true;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_NODE_FORMAT_H_
