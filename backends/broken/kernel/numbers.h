// The formats of floats, and one number of any of them or of an integer type,
// taken apart: exact, and rounded once where it becomes a format's bits again.
//
// Nothing here uses floating-point instructions, so it neither depends on the
// caller's rounding mode and flush flags nor raises a status flag.
#ifndef ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_
#define ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_

#include <stdint.h>

#include "backends/broken/kernel/kernel.h"

namespace assay::broken {

// Which codes are NaN: none; those above infinity; the magnitude of all ones;
// the one that would be minus zero, which such a format does not have.
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

// nullptr if there is none.
const Format* FindFormat(uint8_t dlpack_code, int bits);
const Format& Float64();

// (-1)^is_negative significand 2^exponent, if it is finite.
struct Number {
  enum Kind { kFinite, kInfinite, kNan } kind;
  bool is_negative;
  uint64_t significand;
  int exponent;
};

inline bool IsZero(const Number& x) {
  return x.kind == Number::kFinite && x.significand == 0;
}

// The exponent of the leading bit. Precondition: finite and not zero.
int LeadingExponent(const Number& x);
// To a multiple of 2^quantum, ties to even. Precondition: finite, and the
// result has at most 64 bits.
Number RoundedTo(int quantum, const Number& x);

Number Decoded(const Format& format, uint64_t bits);
// Rounded to nearest, ties to even. Past the greatest value: infinity, else
// NaN, else the greatest. NaN where there is none: +0.
uint64_t Encoded(const Format& format, const Number& x);

// Exact for every format, whose values double has.
double ToDouble(const Format& format, uint64_t bits);
uint64_t FromDouble(const Format& format, double x);

uint64_t SignBit(const Format& format);                   // 0 if it has no sign
uint64_t Magnitude(const Format& format, uint64_t bits);  // the other bits
bool IsNan(const Format& format, uint64_t bits);

}  // namespace assay::broken

#endif  // ASSAY_BACKENDS_BROKEN_KERNEL_NUMBERS_H_
