// The floating-point environment that kernels run in, whatever the caller's is.
#ifndef ASSAY_BACKENDS_SIMD_CORE_ENVIRONMENT_H_
#define ASSAY_BACKENDS_SIMD_CORE_ENVIRONMENT_H_

#include <xmmintrin.h>

namespace assay::simd {

enum class Subnormals { kKeep, kFlush };

// For its lifetime: to nearest, no traps and, as asked, subnormals as they are
// or both operands and results as zeros. Then the caller's modes, masks and
// flags are back. All of that is in MXCSR: the x87 unit is for complex
// functions only, see X87Environment.
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
