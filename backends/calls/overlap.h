// These functions determine exactly whether tensors share bytes: even and odd
// elements of one buffer do not, a matrix and its transpose do.
#ifndef ASSAY_BACKENDS_CALLS_OVERLAP_H_
#define ASSAY_BACKENDS_CALLS_OVERLAP_H_

#include <stddef.h>

#include "backends/backend.h"

namespace assay::calls {

// Returns whether the tensors, which are not empty, share a byte. Their
// elements have `a_bytes` and `b_bytes` bytes.
bool Overlap(const DLTensor& a, size_t a_bytes, const DLTensor& b,
             size_t b_bytes);

// Returns whether two elements share a byte.
bool OverlapsItself(const DLTensor& tensor, size_t bytes);

// Returns whether all elements lie in the same places, if shapes and types are
// equal.
bool IsSamePlace(const DLTensor& a, const DLTensor& b);

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_OVERLAP_H_
