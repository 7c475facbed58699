// Runs one call: finds the function that its signature asks for, checks the
// shapes and hands both to the loop nest.
#ifndef ASSAY_BACKENDS_SIMD_CORE_CALLS_H_
#define ASSAY_BACKENDS_SIMD_CORE_CALLS_H_

#include "backends/backend.h"
#include "backends/simd/core/block_function.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/names.h"
#include "hwy/targets.h"

namespace assay::simd {

struct Options {
  const hwy::ChosenTarget& target;
  Subnormals subnormals;
  int threads;
};

// Handles any op with one result whose operands have one shape.
Making MakeFunction(const Signature& signature, const Options& options);

// Returns what is not implemented, or nullptr after the result is written.
// Operands have the shape of the result or, if it `broadcasts`, one that has
// been checked to be broadcast to it.
const char* RunElementwise(const AssayCall& call, const Options& options,
                           bool broadcasts);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_CALLS_H_
