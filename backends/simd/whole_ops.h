// The ops that are not a row of a table, since their types or attributes ask
// for more than one loop: each runs a whole call.
//
// They return what is not implemented, or nullptr after the result is written.
// They need rounding to nearest and subnormals.
#ifndef ASSAY_BACKENDS_SIMD_WHOLE_OPS_H_
#define ASSAY_BACKENDS_SIMD_WHOLE_OPS_H_

#include "backends/backend.h"
#include "backends/simd/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

const char* RunBitcastConvert(const AssayCall& call,
                              const hwy::ChosenTarget& target);

// Whether RunComplexFunction has this op on complex numbers.
bool IsComplexFunction(const AssayCall& call);

const char* RunComplexFunction(const AssayCall& call,
                               const hwy::ChosenTarget& target);

// Of pairs with a floating-point or complex type; the rest are rows.
const char* RunConvert(const AssayCall& call, const hwy::ChosenTarget& target);

const char* RunReducePrecision(const AssayCall& call,
                               const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_WHOLE_OPS_H_
