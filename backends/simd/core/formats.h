// These loops convert whole arrays between the narrow float formats and f32 or
// f64.
//
// Kernels compute in f32 or f64 lanes and meet a narrow format only here, so
// that 13 formats cost 3 loops each and not 3 for every op.
#ifndef ASSAY_BACKENDS_SIMD_CORE_FORMATS_H_
#define ASSAY_BACKENDS_SIMD_CORE_FORMATS_H_

#include <stddef.h>

#include "backends/simd/core/names.h"
#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

// The loops take any count and alignment. Decoding is exact; encoding rounds
// once, to nearest with ties to even, and needs that rounding mode and
// subnormals on. NaNs lose their payloads.
struct FormatKernels {
  void (*decode)(const void* from, float* to, size_t count);
  void (*encode)(const float* from, void* to, size_t count);
  void (*encode_f64)(const double* from, void* to, size_t count);
};

const FormatKernels& FormatTable(const hwy::ChosenTarget& target,
                                 Format format);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_FORMATS_H_
