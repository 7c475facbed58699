// MakePointwise makes the function of a pointwise call from one function for
// each of its stages, which run one after another.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_

#include <stddef.h>

#include "backends/calls/pointwise.h"
#include "backends/simd/core/block_function.h"
#include "backends/simd/core/calls.h"

namespace assay::simd {

// `bytes` holds the size of an element of each input.
Making MakePointwise(const calls::PointwiseProgram& program,
                     const Options& options, const size_t* bytes);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_POINTWISE_PROGRAM_H_
