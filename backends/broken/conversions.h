// The steps of convert and reduce_precision, for the bugs that change one.
#ifndef ASSAY_BACKENDS_BROKEN_CONVERSIONS_H_
#define ASSAY_BACKENDS_BROKEN_CONVERSIONS_H_

#include <stdint.h>

#include "backends/broken/kernel.h"
#include "backends/broken/numbers.h"

namespace assay::broken {

// Of an integer, or of one part of a float.
Number NumberOf(const Type& type, uint64_t bits);
// Truncated, then brought into the type's range; NaN is 0.
uint64_t IntegerOf(const Type& type, const Number& x);
// One part.
uint64_t Converted(const Type& from, const Type& to, uint64_t bits);
// What reduce_precision leaves of a number; of its exponent_bits and
// mantissa_bits, those count that are fewer than the format's.
Number Reduced(const Format& format, const Attributes& reduced,
               const Number& x);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_CONVERSIONS_H_
