#include "oracle/real/approximation.h"

namespace assay {

template <class N>
Approximation<N> Approximate(RealFunction f, N x, N y) {
  using enum RealFunction;
  switch (f) {
#define ASSAY_FUNCTION(name) \
  case name:                 \
    return Approximate<name, N>(x, y);
    ASSAY_FUNCTION(kAtan2)
    ASSAY_FUNCTION(kCbrt)
    ASSAY_FUNCTION(kCosine)
    ASSAY_FUNCTION(kDivide)
    ASSAY_FUNCTION(kExponential)
    ASSAY_FUNCTION(kExponentialMinusOne)
    ASSAY_FUNCTION(kLog)
    ASSAY_FUNCTION(kLogPlusOne)
    ASSAY_FUNCTION(kLogistic)
    ASSAY_FUNCTION(kPower)
    ASSAY_FUNCTION(kRsqrt)
    ASSAY_FUNCTION(kSine)
    ASSAY_FUNCTION(kSqrt)
    ASSAY_FUNCTION(kTan)
    ASSAY_FUNCTION(kTanh)
#undef ASSAY_FUNCTION
  }
  return {};
}

template Approximation<double> Approximate(RealFunction, double, double);
template Approximation<long double> Approximate(RealFunction, long double,
                                                long double);

}  // namespace assay
