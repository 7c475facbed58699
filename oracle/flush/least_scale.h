// Policy e8m0_least is about f8E8M0FNU, which has no subnormals, but its least
// value, 2^-127, is a subnormal of f32. Hardware that computes in f32 and
// flushes its operands reads a zero there. If it flushes results, the zero
// becomes what key e8m0_zero says.
#ifndef ASSAY_ORACLE_FLUSH_LEAST_SCALE_H_
#define ASSAY_ORACLE_FLUSH_LEAST_SCALE_H_

#include <vector>

#include "oracle/flush/flush.h"
#include "oracle/oracle.h"

namespace assay {

// Returns whether the policy counts a value of the type as subnormal for that
// reason.
bool HasLeastScale(const TensorType& type, const Policy& policy);

// Where an operand or the result has that value, replaces the result by what
// the op gives in f32, flushed. `inputs` are not flushed. Precondition: the op
// computes one result.
void FlushLeastScales(const Op& op, const std::vector<Tensor>& inputs,
                      const Policy& policy, const FlushChoice& flush,
                      Evaluation* evaluation);

}  // namespace assay

#endif  // ASSAY_ORACLE_FLUSH_LEAST_SCALE_H_
