// These ops are not a row of a table, since their types or attributes ask for
// more than one loop.
#ifndef ASSAY_BACKENDS_SIMD_CORE_WHOLE_OPS_H_
#define ASSAY_BACKENDS_SIMD_CORE_WHOLE_OPS_H_

#include "backends/simd/core/block_function.h"
#include "backends/simd/core/names.h"
#include "hwy/targets.h"

namespace assay::simd {

// Returns whether MakeComplexFunction has this op on complex numbers.
bool IsComplexFunction(const Signature& signature);

Making MakeComplexFunction(const Signature& signature,
                           const hwy::ChosenTarget& target);

// Serves pairs with a floating-point or complex type; all other conversions are
// rows.
Making MakeConvert(const Signature& signature, const hwy::ChosenTarget& target);

Making MakeReducePrecision(const Signature& signature,
                           const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_WHOLE_OPS_H_
