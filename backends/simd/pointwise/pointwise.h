// This header runs pointwise calls, and calls that only broadcast.
//
// Where all types are one, this is the plain op on strides of 0. Otherwise the
// blocks that the nest brings are converted: no operand is copied as a whole.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_H_

#include "backends/backend.h"
#include "backends/calls/broadcast.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// The text of the complaint says what is invalid or not implemented.
AssayStatus RunPointwise(const AssayCall& call, const Options& options,
                         calls::Complaint* complaint);

AssayStatus RunBroadcastShift(const AssayCall& call, const Options& options,
                              calls::Complaint* complaint);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_H_
