// Kernels of reductions by one op that forms a monoid.
#ifndef ASSAY_BACKENDS_CUDA_REDUCTION_FOLDS_H_
#define ASSAY_BACKENDS_CUDA_REDUCTION_FOLDS_H_

#include <stdint.h>

#include "backends/cuda/reduction/combine.h"

namespace assay::cuda {

enum class FoldKind : int { kUnsigned, kSigned, kFloat, kF16, kBF16 };

// Terms lie in row-major order as [outer, terms, inner], and results as
// [outer, parts, inner]: each is that of `part_terms` terms that follow each
// other, or of those that are left.
struct FoldJob {
  const unsigned char* from;
  unsigned char* to;
  const unsigned char* initial;  // Stands in front of each result, or nullptr.
  int64_t outer, terms, inner;
  int64_t part_terms, parts;
};

// Returns how many terms a part has. It depends on sizes alone, and the order
// in which floats are combined with it.
int64_t PartTerms(int64_t terms, int64_t inner);

// Combines the terms of each part in a tree whose leaves are the terms in their
// order. Preconditions: elements have 1, 2, 4 or 8 bytes, those of kFloat 4 or
// 8; floats have no op of bits, and those of 16 bits no product; `part_terms`
// is PartTerms; there are results and terms.
void LaunchFolds(const FoldJob& job, CombineOp op, FoldKind kind, int bytes);

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_REDUCTION_FOLDS_H_
