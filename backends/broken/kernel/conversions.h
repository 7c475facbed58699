// These are the steps of convert and reduce_precision, for the bugs that change
// one.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_CONVERSIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_CONVERSIONS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"
#include "backends/broken/kernel/numbers.h"

namespace assay::broken {

// Returns the number of an integer, or of one part of a float.
Number NumberOf(const Type& type, uint64_t bits);
// Truncates the number and brings it into the type's range; NaN is 0.
uint64_t IntegerOf(const Type& type, const Number& x);
// A Conversion converts one part.
using Conversion = uint64_t (*)(const Type& from, const Type& to,
                                uint64_t bits);
uint64_t Converted(const Type& from, const Type& to, uint64_t bits);

// A part that the source does not have is 0, and a part that the result does
// not have is ignored.
template <Conversion kPart>
Lane ConvertParts(const Job& job, const Lane* x) {
  const Type &from = job.type, &to = job.out.type;
  const bool has_two = from.is_complex && to.is_complex;
  return {kPart(from, to, x[0].bits),
          has_two ? kPart(from, to, x[0].imaginary) : 0};
}

// Sets the function that converts elements of `job->type` to the output's type.
void SetConversion(Job* job);

Lane ReducePrecision(const Job& job, const Lane* x);
// Returns what reduce_precision leaves of a number. exponent_bits and
// mantissa_bits only count if they are fewer than the format's.
Number Reduced(const Format& format, const Attributes& reduced,
               const Number& x);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_CONVERSIONS_H_
