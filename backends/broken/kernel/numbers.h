// This header has the formats of floats, and one number of any of them or of an
// integer type, taken apart: it is exact, and rounded once when it becomes a
// format's bits again.
//
// Nothing here uses floating-point instructions, so it neither depends on the
// caller's rounding mode and flush flags nor raises a status flag.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// NaN has no code, the codes above infinity, the code whose magnitude is all
// ones, or the code of -0, which such a format does not have.
enum class Nan { kNone, kAboveInfinity, kAllOnes, kMinusZero };

struct Format {
  uint8_t dlpack_code;
  int bits;
  int exponent_bits;
  int mantissa_bits;
  int bias;
  bool has_sign;  // only f8E8M0FNU has none, and neither zero nor subnormals
  bool has_infinity;
  Nan nan;
  uint64_t greatest;  // the code of the greatest finite value
};

// Returns nullptr if there is no such format.
const Format* FindFormat(uint8_t dlpack_code, int bits);
const Format& Float64();

// A finite Number is (-1)^is_negative significand 2^exponent.
struct Number {
  enum Kind { kFinite, kInfinite, kNan } kind;
  bool is_negative;
  uint64_t significand;
  int exponent;
};

inline bool IsZero(const Number& x) {
  return x.kind == Number::kFinite && x.significand == 0;
}

// Returns the exponent of the leading bit. Precondition: x is finite and not
// zero.
int LeadingExponent(const Number& x);
// Rounds to a multiple of 2^quantum, ties to even. Precondition: x is finite,
// and the result has at most 64 bits.
Number RoundedTo(int quantum, const Number& x);

Number Decoded(const Format& format, uint64_t bits);
// Rounds to nearest, ties to even. Past the greatest value the result is
// infinity, if the format has it, else NaN, if the format has it, else the
// greatest value. NaN becomes +0 in a format without NaN.
uint64_t Encoded(const Format& format, const Number& x);

// The conversion is exact for every format, since double has all of its values.
double ToDouble(const Format& format, uint64_t bits);
uint64_t FromDouble(const Format& format, double x);

uint64_t SignBit(const Format& format);                   // 0 if it has no sign
uint64_t Magnitude(const Format& format, uint64_t bits);  // the other bits
bool IsNan(const Format& format, uint64_t bits);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_
