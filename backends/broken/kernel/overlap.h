// These functions say which storage tensors share.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_

#include "backends/backend.h"

namespace assay::broken {

// Returns whether both have the same elements in the same places: address,
// type, shape and strides are equal.
bool IsSamePlace(const DLTensor& a, const DLTensor& b);
// Returns whether an element of the one shares a byte with an element of the
// other.
bool SharesBytes(const DLTensor& a, const DLTensor& b);
// Returns whether two elements share a byte.
bool OverlapsItself(const DLTensor& tensor);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_
