// What a sum of products of floats may be when its order is open: one value
// where every order is exact, else an interval that no order leaves.
//
// A tree has the products as its leaves, and zeros, which change nothing. A
// product is rounded, or it is fused with the addition above it, which rounds
// once. Let there be n products p other than 0, u half a unit in the last
// place, h half the least subnormal, and
//   e = u |p| + h    no less than the error of a rounded product,
//   W = sum of (|p| + e).
// Without an overflow the root is within (n - 1) u W + sum of e of the exact
// sum, in every order and with any of the products fused. Proof: let a node
// have the subtrees x and y, of k and m products. It has an error d of at most
// u |x + y|, or h where it is subnormal and a product is fused, and of at most
// |x| and |y|, since either is a value of the format; where y is a fused
// product, |x| + e(y) takes the place of |x|, and its e is not spent yet. The
// claim for x and y leaves d <= m u W(x) + k u W(y) to be shown.
// - If W(y) <= u W(x): d <= |y| <= W(y) (1 + (m - 1) u) <= m u W(x).
// - If W(x) <= u W(y): likewise by |x|.
// - Else d <= u |x + y| <= u W(x) (1 + (k - 1) u) + u W(y) (1 + (m - 1) u), in
//   which u W(x) < W(y) and u W(y) < W(x).
// This is the argument of Jeannerod and Rump [2013, "Improved error bounds for
// inner products in floating-point arithmetic", SIAM J. Matrix Anal. Appl.
// 34(2)], with leaves that need not be values of the format. Wider nodes have
// a smaller error, and one more rounding at the end.
#ifndef ASSAY_ORACLE_CONTRACTION_PRODUCT_SUM_H_
#define ASSAY_ORACLE_CONTRACTION_PRODUCT_SUM_H_

#include <cmath>
#include <cstdint>
#include <limits>

#include "oracle/contraction/node_format.h"
#include "oracle/scalars.h"
#include "spec/policy.h"

namespace assay {

// How the sums of a call are computed.
struct SumRules {
  const Policy& policy;
  NodeFormat node;
  // Nodes may be of a wider type, so that the root is rounded.
  bool wider;
  bool flushes;  // subnormals
  // The initial value, +0, is one of the leaves. Else it may be one.
  bool has_init = false;
  // Factors may be rounded to fewer bits, which changes a product by this much
  // relative to it.
  long double factor_error = 0;

  // Returns whether a node may be beyond the largest value: below the least
  // one, if `negative`.
  bool MayOverflow(const struct ProductSum& sum, bool negative) const;
  bool MayOverflow(const struct ProductSum& sum) const {
    return MayOverflow(sum, false) || MayOverflow(sum, true);
  }
};

// The products of a sum.
struct ProductSum {
  // No number has a last bit that is so large, nor has a sum of two.
  static constexpr int kNoBit = 1 << 20;

  // Returns whether all sums of the products are values of a format, but for
  // an overflow.
  bool FitsInto(const NodeFormat& format) const {
    return last_bit >= format.least_exponent() &&
           magnitude <= std::ldexp(1.0L, last_bit + format.precision);
  }

  // These are of the products of numbers other than 0: how many there are, and
  // their sum, which is off by no more than `error`.
  int64_t count = 0;
  long double sum = 0, error = 0;
  // The sum of their absolute values, or more.
  long double magnitude = 0;
  // All of them are multiples of 2^last_bit.
  int last_bit = kNoBit;
  // The part of `magnitude` that has a subnormal factor.
  long double of_subnormals = 0;
  bool factors_fit = true;  // none would change where factors are rounded
  // What the products lose at most whose factors are below the least normal
  // value of the format that they may be rounded to.
  long double of_small = 0;
  // What a factor is rounded to is not said.
  bool is_unknown = false;
  bool has_nan = false, has_infinity = false, has_minus_infinity = false;
  // An infinity has a subnormal factor, which may be flushed to zero.
  bool may_be_nan = false;
  // These are of the other products: there are some, and which zeros.
  bool has_plus_zero = false, has_minus_zero = false;
};

// A SumRange is one value or all between two, which is what most sums may be;
// anything else is `possible`.
struct SumRange {
  static SumRange Open() { return {false, {}, Possible::Open()}; }
  // Returns a value that it may be.
  ElementBits first() const {
    if (is_range) return range.lo;
    return possible.ranges.empty() ? 0 : possible.ranges[0].lo;
  }
  bool IsExact() const { return is_range && range.lo == range.hi; }

  bool is_range = true;
  Possible::Range range = {};
  Possible possible = {};
};

// Returns what the sum may be in a type. Preconditions: the type is a float
// that has a sign.
SumRange RangeOfSum(ElementType type, const ProductSum& sum,
                    const SumRules& rules);

}  // namespace assay

#endif  // ASSAY_ORACLE_CONTRACTION_PRODUCT_SUM_H_
