// A policy may leave the rounding of the two ops of x + y * alpha free.
#ifndef ASSAY_ORACLE_POINTWISE_CONTRACTION_AND_PRECISION_H_
#define ASSAY_ORACLE_POINTWISE_CONTRACTION_AND_PRECISION_H_

#include "oracle/expectation.h"
#include "spec/policy.h"

namespace assay {

// Adds to `*result`, as alternatives, the values of x + y * alpha besides the
// one with both ops rounded to the type of the operands. Clauses P40 and P41 of
// pointwise, policies `contraction` and `excess_precision`. The operands have
// one type and shape; nothing is added if that is no float.
void AddFreelyRounded(const Tensor& x, const Tensor& y, const Tensor& alpha,
                      const Policy& policy, Expectation* result);

}  // namespace assay

#endif  // ASSAY_ORACLE_POINTWISE_CONTRACTION_AND_PRECISION_H_
