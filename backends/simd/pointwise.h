// Pointwise calls: operands of any types and of shapes that can be broadcast,
// a promotion rule for each output, and outputs that are given.
//
// Where all types are one, this is the plain op on strides of 0. Otherwise the
// blocks that the nest brings are converted: no operand is copied as a whole.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_H_

#include "backends/backend.h"
#include "backends/simd/broadcast.h"
#include "backends/simd/calls.h"

namespace assay::simd {

// What follows the prefix of a pointwise call, else nullptr.
const char* PointwiseName(const char* op);

// The text of the complaint says what is invalid or not implemented.
AssayStatus RunPointwise(const AssayCall& call, const Options& options,
                         Complaint* complaint);

// The ops that are broadcast without promotion.
bool IsBroadcastShift(const char* op);

AssayStatus RunBroadcastShift(const AssayCall& call, const Options& options,
                              Complaint* complaint);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_H_
