// Which storage tensors share.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_

#include "backends/backend.h"

namespace assay::broken {

// The same elements in the same places: address, type, shape, strides.
bool IsSamePlace(const DLTensor& a, const DLTensor& b);
// Whether an element of the one has a byte of one of the other.
bool SharesBytes(const DLTensor& a, const DLTensor& b);
// Whether two elements have a byte in common.
bool OverlapsItself(const DLTensor& tensor);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_OVERLAP_H_
