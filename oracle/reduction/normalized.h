// The formula of batch_norm_inference, which batch_norm_training ends with.
#ifndef ASSAY_ORACLE_REDUCTION_NORMALIZED_H_
#define ASSAY_ORACLE_REDUCTION_NORMALIZED_H_

#include "oracle/reduction/batch_norm.h"

namespace assay::batch_norm {

template <class T>
struct NormalizedOperands {
  FloatInterval<T> operand, scale_bcast, offset_bcast, mean_bcast,
      variance_bcast, epsilon_bcast;
};

// Returns an element of the result, step by step. Clauses are those of
// batch_norm_inference.
template <class T>
FloatInterval<T> Normalized(auto& clause, const FloatArithmetic<T>& a,
                            const NormalizedOperands<T>& x) {
  const auto epsilon_bcast = Decided<T>(clause, "S5", x.epsilon_bcast);
  const auto centered_operand =
      Decided<T>(clause, "S6", a.Subtract(x.operand, x.mean_bcast));
  const auto stddev =
      Decided<T>(clause, "S7", a.Sqrt(a.Add(x.variance_bcast, epsilon_bcast)));
  const auto normalized_operand =
      Decided<T>(clause, "S8", a.Divide(centered_operand, stddev));
  return Decided<T>(
      clause, "S9",
      a.Add(a.Multiply(x.scale_bcast, normalized_operand), x.offset_bcast));
}

}  // namespace assay::batch_norm

#endif  // ASSAY_ORACLE_REDUCTION_NORMALIZED_H_
