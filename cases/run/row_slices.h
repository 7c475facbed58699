// Some results are too large to be evaluated at once. Their values at some rows
// (indices of the first dimension of the result) are the result of a call of
// its own on the rows of the operands.
#ifndef ASSAY_CASES_RUN_ROW_SLICES_H_
#define ASSAY_CASES_RUN_ROW_SLICES_H_

#include <cstdint>
#include <vector>

#include "spec/program.h"

namespace assay {

// Returns how many rows of the results of `op` to evaluate at a time, so that
// they take `bytes` or little more; 0 if that is all of them, or the op's
// elements depend on more than their own operands.
int64_t RowsAtATime(const Op& op, int64_t bytes);

struct RowSlice {
  Op op;
  std::vector<Tensor> inputs;
};

// Returns the call for rows [begin, end) of the result. Operands that are the
// same for all rows stay whole. Precondition: RowsAtATime is not 0 for some
// size.
RowSlice SliceRows(const Op& op, const std::vector<Tensor>& inputs,
                   int64_t begin, int64_t end);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_ROW_SLICES_H_
