// libm's functions are applied to whole arrays here. glibc declares its vector
// functions, each of which is off by less than four units, to GCC only under
// -ffast-math, so this file is compiled with it, and has nothing else in it. On
// other systems these are plain loops.
#include <cmath>

#include "oracle/real/approximation.h"

namespace assay {

void LibmOfEach(RealFunction f, double* x, size_t count) {
  using enum RealFunction;
  switch (f) {
#define ASSAY_EACH(name, value)                      \
  case name:                                         \
    for (size_t i = 0; i < count; ++i) x[i] = value; \
    return;
    ASSAY_EACH(kCbrt, std::cbrt(x[i]))
    ASSAY_EACH(kCosine, std::cos(x[i]))
    ASSAY_EACH(kExponential, std::exp(x[i]))
    ASSAY_EACH(kExponentialMinusOne, std::expm1(x[i]))
    ASSAY_EACH(kLog, std::log(x[i]))
    ASSAY_EACH(kLogPlusOne, std::log1p(x[i]))
    ASSAY_EACH(kLogistic, 1 / (1 + std::exp(-x[i])))
    ASSAY_EACH(kRsqrt, 1 / std::sqrt(x[i]))
    ASSAY_EACH(kSine, std::sin(x[i]))
    ASSAY_EACH(kSqrt, std::sqrt(x[i]))
    ASSAY_EACH(kTan, std::tan(x[i]))
    ASSAY_EACH(kTanh, std::tanh(x[i]))
#undef ASSAY_EACH
    case kAtan2:
    case kDivide:
    case kPower:
      return;
  }
}

}  // namespace assay
