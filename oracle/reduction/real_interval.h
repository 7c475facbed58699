// A RealInterval has all real numbers that a float may be which is computed in
// steps that round, or do not: a policy may let a backend fuse steps, keep them
// in a wider type, or rearrange them.
//
// With u = 2^-precision of the type, a step that rounds once is off by no more
// than u times its result, and by half the least subnormal where it underflows;
// one that does not round, or rounds to a wider type, is off by less. So the
// bounds of the exact result, widened by that, hold for all of them. Where the
// operands are one number each and the result is a number of the type, nothing
// is rounded, and it remains one number.
//
// A sum of n terms in any order of rounded additions is off by no more than
// (n - 1) u sum |x_i| (float_bounds.h). If all that is known of x_i is that it
// lies in [l_i, h_i], then with m_i = max(|l_i|, |h_i|) the exact sum lies
// between sum l_i and sum h_i, and sum |x_i| <= sum m_i; so all orders for all
// such terms lie in [sum l_i - e, sum h_i + e] with e = (n - 1) u sum m_i. Sums
// in a wider type are off by less, and are rounded at the end: e = n u sum m_i.
#ifndef ASSAY_ORACLE_REDUCTION_REAL_INTERVAL_H_
#define ASSAY_ORACLE_REDUCTION_REAL_INTERVAL_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "spec/policy.h"
#include "spec/types/element.h"

namespace assay {

struct RealInterval {
  static RealInterval Number(long double number) {
    return {number, number, true, false, false};
  }
  static RealInterval Between(long double lo, long double hi) {
    return {lo, hi, true, false, false};
  }
  static RealInterval Nan() { return {0, 0, false, true, false}; }
  static RealInterval Open() { return {0, 0, false, false, true}; }

  bool IsNumber() const { return has_numbers && !has_nan && lo == hi; }
  // Adds what another interval has.
  void Add(const RealInterval& other);

  // All numbers from `lo` to `hi`, which may be infinite. The sign of a zero is
  // known where both are one zero.
  long double lo = 0, hi = 0;
  bool has_numbers = false, has_nan = false;
  bool is_open = false;  // anything, by an open clause
};

// Returns how many units in the last place a policy allows an op, 0 if it says
// nothing.
double UnitsOfBudget(std::string_view op, ElementType type,
                     const Policy& policy);

class RealArithmetic {
 public:
  // Results are floats of the type.
  RealArithmetic(ElementType type, const Policy& policy);

  // Returns a number as a constant of the type.
  RealInterval Constant(long double number) const;
  RealInterval Add(const RealInterval& a, const RealInterval& b) const;
  RealInterval Subtract(const RealInterval& a, const RealInterval& b) const;
  RealInterval Multiply(const RealInterval& a, const RealInterval& b) const;
  RealInterval Divide(const RealInterval& a, const RealInterval& b) const;
  RealInterval Sqrt(const RealInterval& a) const;
  // By rsqrt within its budget, or a quotient by the root.
  RealInterval Rsqrt(const RealInterval& a) const;
  // In any order. A sum of no terms is 0.
  RealInterval Sum(std::span<const RealInterval> terms) const;

 private:
  // Adds what NaN becomes where a step is rounded to a format that lacks it.
  RealInterval WithRoundedNan(RealInterval result) const;
  // Returns what may become of a step whose exact result has these bounds.
  RealInterval Rounded(RealInterval exact, long double unit) const;
  RealInterval Rounded(const RealInterval& exact) const {
    return Rounded(exact, unit_);
  }
  // Returns the same where the result is known to be this number.
  RealInterval RoundedNumber(long double number, bool is_exact) const;
  void AddOverflow(bool negative, RealInterval* result) const;
  bool IsOfType(long double number) const;
  // Returns whether a format without zero may have none of the number's values,
  // since the number is below the least, or the least is flushed.
  bool MayBeZero(long double number) const;

  const ElementType type_;
  const Policy& policy_;
  long double unit_, unit_of_rsqrt_;
  long double max_, overflow_, min_normal_, underflow_, least_;
  int precision_;
  bool has_sign_, has_zero_, has_infinity_, has_nan_;
  bool flushes_, loses_least_, zero_may_be_nan_, wider_;
};

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_REAL_INTERVAL_H_
