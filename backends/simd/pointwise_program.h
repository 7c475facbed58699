// The function that a pointwise call is: conversions of the operands, the ops
// of the function and conversions of the results.
#ifndef ASSAY_BACKENDS_SIMD_POINTWISE_PROGRAM_H_
#define ASSAY_BACKENDS_SIMD_POINTWISE_PROGRAM_H_

#include <stddef.h>
#include <stdint.h>

#include <string_view>

#include "backends/backend.h"
#include "backends/simd/block_function.h"
#include "backends/simd/calls.h"
#include "backends/simd/promotion.h"

namespace assay::simd {

// Everything about a call but where its operands lie.
struct PointwiseProgram {
  std::string_view name;
  int num_inputs;
  int num_outputs;
  Type inputs[kMaxInputs];
  Promoted outputs[kMaxOutputs];
  const AssayAttribute* attributes;
  int32_t num_attributes;
};

// `bytes`: of an element of each input.
Making MakePointwise(const PointwiseProgram& program, const Options& options,
                     const size_t* bytes);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_POINTWISE_PROGRAM_H_
