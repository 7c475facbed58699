// MakeRow leads from the signature of a call to the row that serves it.
#ifndef ASSAY_BACKENDS_SIMD_CORE_ROWS_H_
#define ASSAY_BACKENDS_SIMD_CORE_ROWS_H_

#include "backends/simd/core/block_function.h"
#include "backends/simd/core/environment.h"
#include "backends/simd/core/kernels.h"
#include "backends/simd/core/names.h"

namespace assay::simd {

// `subnormals` applies to the arithmetic that HasSayInSubnormals names; other
// functions keep subnormals.
Making MakeRow(const Signature& signature, const hwy::ChosenTarget& target,
               Subnormals subnormals);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_ROWS_H_
