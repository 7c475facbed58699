// These are the functions of complex numbers.
//
// A part is long double here: its range is so large that neither squares nor
// quotients of f64 overflow or underflow, and its 64 bits are enough more than
// those of f64 that the larger part of a result is right to an ulp, and the
// smaller one to an ulp of the larger. So the formulas can be those of
// textbooks, except where they subtract. Infinite and NaN operands may give
// anything.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_COMPLEX_FUNCTIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_COMPLEX_FUNCTIONS_H_

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

struct Complex {
  long double real;
  long double imaginary;
};

// These convert between elements of the job's type and numbers, which are
// rounded once.
Complex ToComplex(const Job& job, const Lane& x);
Lane FromComplex(const Job& job, const Complex& x);

// `x` is the one operand of a function, or both.
using ComplexFunction = Complex (*)(const Complex* x);

// On a cut, the sign of the zero part tells the side.
Complex Atan2(const Complex* x);
Complex Cbrt(const Complex* x);
Complex Cosine(const Complex* x);
Complex Divide(const Complex* x);
Complex Exponential(const Complex* x);
Complex ExponentialMinusOne(const Complex* x);
Complex Log(const Complex* x);
Complex LogPlusOne(const Complex* x);
Complex Logistic(const Complex* x);
Complex Multiply(const Complex* x);
Complex Rsqrt(const Complex* x);
Complex Sign(const Complex* x);
Complex Sine(const Complex* x);
Complex Sqrt(const Complex* x);
Complex Tan(const Complex* x);
Complex Tanh(const Complex* x);

// Makes a function of whole elements.
template <ComplexFunction kFunction>
Lane OfComplex(const Job& job, const Lane* x) {
  const Complex z[] = {ToComplex(job, x[0]), ToComplex(job, x[1])};
  return FromComplex(job, kFunction(z));
}

// The result is a float.
Lane AbsComplex(const Job& job, const Lane* x);
// Declines a call whose exponents are so large that the angle is lost.
Lane PowerComplex(const Job& job, const Lane* x);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_COMPLEX_FUNCTIONS_H_
