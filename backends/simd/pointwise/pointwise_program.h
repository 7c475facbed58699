// The function that a pointwise call is: one for each of its stages, run one
// after another.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_

#include <stddef.h>

#include "backends/calls/pointwise.h"
#include "backends/simd/core/block_function.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// `bytes`: of an element of each input.
Making MakePointwise(const calls::PointwiseProgram& program,
                     const Options& options, const size_t* bytes);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_
