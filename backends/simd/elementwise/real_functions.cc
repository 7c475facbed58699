// These are the kernels of elementary functions of real numbers, see
// real-inl.h.
//
// f32 and f64 are computed in their own lanes, to less than the ulps that the
// policies allow. A smaller format is computed in f32 and rounded once more: 1
// ulp of f32 is 2^-13 ulp of f16 and less of any other format, and bf16's
// subnormal numbers are f32's.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/real_functions.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "backends/simd/elementwise/real-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

Table RealFunctionRows() {
  static constexpr OpKernels kRows[] = {
      {"atan2", OnFloats<Binary, ArcTangent2>()},
      {"cbrt", OnFloats<Unary, CubeRoot>()},
      {"cosine", OnFloats<Unary, Cosine>()},
      {"exponential", OnFloats<Unary, Exponential>()},
      {"exponential_minus_one", OnFloats<Unary, ExponentialMinusOne>()},
      {"log", OnFloats<Unary, Logarithm>()},
      {"log_plus_one", OnFloats<Unary, LogarithmPlusOne>()},
      {"logistic", OnFloats<Unary, Logistic>()},
      {"power", OnFloats<Binary, Power>()},
      {"rsqrt", OnFloats<Unary, ReciprocalSquareRoot>()},
      {"sine", OnFloats<Unary, Sine>()},
      {"tan", OnFloats<Unary, Tangent>()},
      {"tanh", OnFloats<Unary, HyperbolicTangent>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(RealFunctionRows);

Table RealFunctionTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(RealFunctionRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
