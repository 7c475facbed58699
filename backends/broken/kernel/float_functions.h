// These are the ops on floats and complex numbers.
//
// Functions of the form of functions.h work on one part: the type's `format` is
// set, and the bits are those of the part. EachPart makes a function of whole
// elements from one of them.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_FUNCTIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_FUNCTIONS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

uint64_t AbsFloat(const Type& type, const uint64_t* x);
uint64_t AddFloat(const Type& type, const uint64_t* x);
uint64_t CeilFloat(const Type& type, const uint64_t* x);
uint64_t ClampFloat(const Type& type, const uint64_t* x);
uint64_t DivideFloat(const Type& type, const uint64_t* x);
uint64_t FloorFloat(const Type& type, const uint64_t* x);
uint64_t IsFinite(const Type& type, const uint64_t* x);
uint64_t MaximumFloat(const Type& type, const uint64_t* x);
uint64_t MinimumFloat(const Type& type, const uint64_t* x);
uint64_t MultiplyFloat(const Type& type, const uint64_t* x);
uint64_t NegateFloat(const Type& type, const uint64_t* x);
uint64_t RemainderFloat(const Type& type, const uint64_t* x);
uint64_t RoundAwayFromZero(const Type& type, const uint64_t* x);
uint64_t RoundToEven(const Type& type, const uint64_t* x);
uint64_t SignFloat(const Type& type, const uint64_t* x);
uint64_t SqrtFloat(const Type& type, const uint64_t* x);
uint64_t SubtractFloat(const Type& type, const uint64_t* x);

template <Function kPart>
Lane EachPart(const Job& job, const Lane* x) {
  const uint64_t real[kMaxInputs] = {x[0].bits, x[1].bits, x[2].bits};
  const uint64_t imaginary[kMaxInputs] = {x[0].imaginary, x[1].imaginary,
                                          x[2].imaginary};
  return {kPart(job.type, real),
          job.type.is_complex ? kPart(job.type, imaginary) : 0};
}

Lane BuildComplex(const Job& job, const Lane* x);
Lane ClampComplex(const Job& job, const Lane* x);
Lane CompareElements(const Job& job, const Lane* x);
Lane ImaginaryPart(const Job& job, const Lane* x);
Lane MaximumComplex(const Job& job, const Lane* x);
Lane MinimumComplex(const Job& job, const Lane* x);
// This is bitcast_convert to a type of the same width.
Lane MoveElement(const Job& job, const Lane* x);
Lane RealPart(const Job& job, const Lane* x);
Lane SelectElement(const Job& job, const Lane* x);

// Returns whether two parts are in this order, by IEEE 754's quiet comparisons.
// TotalOrderKey gives the order of its totalOrder.
bool IsOrdered(Direction direction, double a, double b);
uint64_t TotalOrderKey(const Type& type, uint64_t x);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_FLOAT_FUNCTIONS_H_
