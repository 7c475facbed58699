// This header says which instruction sets the kernels are compiled for. Every
// file of this folder that includes a Highway header must include this one
// first.
//
// SSE4 is declared the baseline although the compiler's own is SSE2: the
// baseline that Highway 1.0.3 would choose then is SCALAR, which lacks half of
// the lane ops used here and would add a third to the compile time for
// processors that are older than AVX. Nothing outside the kernels is compiled
// for SSE4, so that a processor without it gets an error and not a trap.
#ifndef ASSAY_BACKENDS_SIMD_CORE_TARGETS_H_
#define ASSAY_BACKENDS_SIMD_CORE_TARGETS_H_

#ifdef HWY_HIGHWAY_INCLUDED
#error "Include backends/simd/core/targets.h before Highway's headers."
#endif

#define HWY_BASELINE_TARGETS HWY_SSE4
#define HWY_DISABLED_TARGETS (~(HWY_SSE4 | HWY_AVX2 | HWY_AVX3))

#endif  // ASSAY_BACKENDS_SIMD_CORE_TARGETS_H_
