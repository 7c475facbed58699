// Kernels run in the floating-point environment defined here, whatever the
// caller's is.
#ifndef ASSAY_BACKENDS_SIMD_CORE_ENVIRONMENT_H_
#define ASSAY_BACKENDS_SIMD_CORE_ENVIRONMENT_H_

#include <xmmintrin.h>

namespace assay::simd {

enum class Subnormals { kKeep, kFlush };

// While an Environment exists, the rounding mode is to nearest, no exception
// traps, and subnormals are kept or, if asked for, both operands and results
// that are subnormal count as zeros. Its destructor restores the caller's
// modes, masks and flags. All of that is in MXCSR: only complex functions use
// the x87 unit, see X87Environment.
class Environment {
 public:
  explicit Environment(Subnormals subnormals) : callers_(_mm_getcsr()) {
    constexpr unsigned kDefault = 0x1F80;  // All exceptions masked, no flags.
    constexpr unsigned kFlush = 0x8040;    // FTZ and DAZ.
    _mm_setcsr(subnormals == Subnormals::kFlush ? kDefault | kFlush : kDefault);
  }
  ~Environment() { _mm_setcsr(callers_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  unsigned callers_;
};

}  // namespace assay::simd

#endif  // ASSAY_BACKENDS_SIMD_CORE_ENVIRONMENT_H_
