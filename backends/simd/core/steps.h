// These are the steps that a conversion is made of: loops over contiguous
// elements of one type that write as many of another, for any count and
// alignment.
//
// 30 x 30 pairs of types meet in f32, where that holds the source exactly, or
// in f64: 68 loops, those of formats.h included.
#ifndef ASSAY_BACKENDS_SIMD_CORE_STEPS_H_
#define ASSAY_BACKENDS_SIMD_CORE_STEPS_H_

#include <stddef.h>

#include "backends/simd/core/targets.h"
#include "hwy/targets.h"

namespace assay::simd {

using Step = void (*)(const void* from, void* to, size_t count);

// The steps are indexed by log2 of the bytes of an integer. Conversions to
// integers round toward zero, give the nearest end of the range for values
// beyond it, and 0 for NaN.
struct IntegerSteps {
  Step to_f32[2];  // Exact: 8 and 16 bits.
  // This converts integers of 32 and 64 bits. Those of more than 53 bits are
  // rounded to odd, so that rounding the f64 to a narrower type rounds the
  // integer.
  Step to_f64[4];
  Step from_f32[2];  // 8 and 16 bits.
  Step from_f64[4];
};

struct Steps {
  IntegerSteps of_signed;
  IntegerSteps of_unsigned;
  Step i32_to_f32;  // These three round to nearest.
  Step i64_to_f64;
  Step u64_to_f64;
  Step f32_to_i32;
  Step f32_to_f64;
  Step f64_to_f32;
  Step f32_to_bool;
  Step f64_to_bool;
  // Copies bytes past the caches. The caller issues FlushStream.
  Step stream;
};

const Steps& StepTable(const hwy::ChosenTarget& target);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_STEPS_H_
