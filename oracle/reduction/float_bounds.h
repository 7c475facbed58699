// What a sum or a product of floats may be when its order is open: one value
// where every order is exact, else an interval that no order leaves.
//
// With u = 2^-precision, n leaves of a tree and no overflow, every order of
// rounded additions has
//   |sum - exact sum| <= (n - 1) u sum |x_i|
// [Jeannerod and Rump 2013, "Improved error bounds for inner products in
// floating-point arithmetic", SIAM J. Matrix Anal. Appl. 34(2)], underflow
// included, since sums that are subnormal are exact. A product has a factor of
// 1 + d with |d| <= u for each rounding, and an error of half the least
// subnormal for one that underflows.
//
// No other node of a tree than the root is seen, so infinities and NaNs are
// allowed where some order may make them.
#ifndef ASSAY_ORACLE_REDUCTION_FLOAT_BOUNDS_H_
#define ASSAY_ORACLE_REDUCTION_FLOAT_BOUNDS_H_

#include <cstdint>

#include "oracle/scalars.h"
#include "spec/policy.h"
#include "spec/types/tensor.h"

namespace assay {

// How often the initial value enters a tree.
struct InitCount {
  int64_t least, most;
  static constexpr int64_t kAny = INT64_MAX;
};

// What policies say about the nodes of a tree.
struct AccumulationRules {
  explicit AccumulationRules(const Policy& policy);
  const Policy& policy;
  bool wider;    // than the element type, in all nodes alike
  bool flushes;  // subnormals
};

// Terms are elements of a tensor, or one part of each where it is complex.
struct Terms {
  ElementType type() const { return PartType(tensor.element_type()); }

  const Tensor& tensor;
  int64_t begin, count;
  int part = 0;
};

// Return what the root of a tree may be whose leaves are the terms, and the
// initial value as often as `count` says, in any order. Preconditions: the type
// is a float, and there are terms.
Possible BoundedSum(const Terms& terms, ElementBits init, InitCount count,
                    const AccumulationRules& rules);
Possible BoundedProduct(const Terms& terms, ElementBits init, InitCount count,
                        const AccumulationRules& rules);

// Returns the same of the elements of `terms` from `begin` on. Of complex
// numbers sums are known, and products are not.
Possible BoundedSumOrProduct(bool is_sum, const Tensor& terms, int64_t begin,
                             int64_t length, ElementBits init, InitCount count,
                             const AccumulationRules& rules);

}  // namespace assay

#endif  // ASSAY_ORACLE_REDUCTION_FLOAT_BOUNDS_H_
