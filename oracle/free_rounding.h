// x + y * alpha, where a policy leaves the rounding of its two ops free.
#ifndef ASSAY_ORACLE_FREE_ROUNDING_H_
#define ASSAY_ORACLE_FREE_ROUNDING_H_

#include <vector>

#include "spec/policy.h"
#include "spec/tensor.h"

namespace assay {

// What x + y * alpha may be, as elements of `result`, besides what it is with
// both ops rounded to the type of the operands. Clauses P40 and P41 of
// pointwise: policies `contraction` and `excess_precision`. The operands have
// one type and shape; empty if that is no float.
std::vector<Tensor> FreelyRounded(const Tensor& x, const Tensor& y,
                                  const Tensor& alpha, ElementType result,
                                  const Policy& policy);

}  // namespace assay

#endif  // ASSAY_ORACLE_FREE_ROUNDING_H_
