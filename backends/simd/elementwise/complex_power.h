// This header declares the power of complex numbers.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_POWER_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_POWER_H_

#include "backends/simd/elementwise/complex_functions.h"

namespace assay::simd {

// A PowerRange describes the type that the result of a power is rounded to:
// exp(x) is zero in it for x below `least` and infinite above `most`, even
// divided by sqrt(2).
struct PowerRange {
  double least;
  double most;
  // This is a small part of half a unit in the last place of 1.
  double tolerance;
};

inline constexpr PowerRange kPowerF32 = {-105, 90, 0x1p-30};
inline constexpr PowerRange kPowerF64 = {-747, 711, 0x1p-59};

// Computes exp(exponent log(base)). The result is 1 for an exponent of zero,
// and 0 for a base of zero if the exponent's real part is positive. Returns
// false if operands are finite and 113 bits are too few to determine the angle
// of the result.
bool Power(const Complex<Quad>& base, const Complex<Quad>& exponent,
           const PowerRange& range, Complex<Quad>* result);

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_COMPLEX_POWER_H_
