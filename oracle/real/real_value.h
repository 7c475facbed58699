// Values of real functions are enclosed between two numbers, as close as
// needed. Some values can never be told by an enclosure from a number with an
// end in base 2, or from 0 or infinity, and are found here: fractions, which
// may be such a number, and values that are nearer to one than any precision
// reaches (the tanh of 10^6).
#ifndef ASSAY_ORACLE_REAL_REAL_VALUE_H_
#define ASSAY_ORACLE_REAL_REAL_VALUE_H_

#include <flint/fmpq.h>

#include "oracle/real/approximation.h"
#include "oracle/real/arb.h"

namespace assay {

// FLINT's own functions are internal to each file.
inline void InitFraction(fmpq* value) { fmpq_init(value); }
inline void ClearFraction(fmpq* value) { fmpq_clear(value); }
using Fmpq = Owned<fmpq, InitFraction, ClearFraction>;  // a fraction

struct KnownReal {
  Fmpq value;
  // The real value is `value` (0), or a little more (1) or less (-1): by less
  // than 2^-kFarExponent, which is less than sums and products of three numbers
  // of any format, or their midpoints, differ by where they differ at all.
  int beside = 0;
};

// 2^kFarExponent and 2^-kFarExponent stand for everything that is farther from
// 0, or nearer: beyond all formats, and beyond their products.
inline constexpr int kFarExponent = 5800;

// Returns whether f(x), or f(x, y), is one of these values. Preconditions: the
// operands are finite, except for those of a power that is 1, and f has a value
// there that is not 0.
bool FindKnownReal(RealFunction f, double x, double y, KnownReal* known);

// Encloses f(x), or f(x, y), between two numbers, from a ball (Arb) of
// `precision` bits; returns false if the ball has no end. Preconditions as
// above; the operands of atan2 may be infinite, and zeros.
bool EncloseReal(RealFunction f, double x, double y, int precision, arf_ptr low,
                 arf_ptr high);

// Returns the exponent of the binade of a number other than 0: the greatest n
// with 2^n <= |value|, or 100000 and -100000 beyond these.
int BinadeOf(arf_ptr value);
int BinadeOf(const fmpq* value);  // at any exponent

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_REAL_VALUE_H_
