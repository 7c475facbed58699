// These functions compute each op on lanes. They are sound: the result for the
// type is the low bits of what they return.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_FUNCTIONS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_FUNCTIONS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

uint64_t ZeroExtended(uint64_t x, int bits);
uint64_t SignExtended(uint64_t x, int bits);

uint64_t Abs(const Type& type, const uint64_t* x);
uint64_t Add(const Type& type, const uint64_t* x);
uint64_t And(const Type& type, const uint64_t* x);
uint64_t Clamp(const Type& type, const uint64_t* x);
uint64_t CountLeadingZeros(const Type& type, const uint64_t* x);
uint64_t Divide(const Type& type, const uint64_t* x);
uint64_t Equal(const Type& type, const uint64_t* x);
uint64_t Greater(const Type& type, const uint64_t* x);
uint64_t GreaterOrEqual(const Type& type, const uint64_t* x);
uint64_t Identity(const Type& type, const uint64_t* x);
uint64_t IsNotZero(const Type& type, const uint64_t* x);
uint64_t Less(const Type& type, const uint64_t* x);
uint64_t LessOrEqual(const Type& type, const uint64_t* x);
uint64_t Maximum(const Type& type, const uint64_t* x);
uint64_t Minimum(const Type& type, const uint64_t* x);
uint64_t Multiply(const Type& type, const uint64_t* x);
uint64_t Negate(const Type& type, const uint64_t* x);
uint64_t Not(const Type& type, const uint64_t* x);
uint64_t NotEqual(const Type& type, const uint64_t* x);
uint64_t Or(const Type& type, const uint64_t* x);
uint64_t PopulationCount(const Type& type, const uint64_t* x);
uint64_t Power(const Type& type, const uint64_t* x);
uint64_t Remainder(const Type& type, const uint64_t* x);
uint64_t Select(const Type& type, const uint64_t* x);
uint64_t ShiftLeft(const Type& type, const uint64_t* x);
uint64_t ShiftRightArithmetic(const Type& type, const uint64_t* x);
uint64_t ShiftRightLogical(const Type& type, const uint64_t* x);
uint64_t Sign(const Type& type, const uint64_t* x);
uint64_t Subtract(const Type& type, const uint64_t* x);
uint64_t Xor(const Type& type, const uint64_t* x);

// Returns whether the function is a shift of x[0] by x[1].
bool IsShift(const Job& job);

// Returns the base to the power of an exponent that is not negative, modulo
// 2^64.
uint64_t PowerModulo(uint64_t base, uint64_t exponent);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_FUNCTIONS_H_
