// These functions compute modulo 2^64: the low bits of sums, differences,
// products and powers do not depend on the bits above them, so `store` reduces
// them to those of the type.
#include "backends/broken/kernel/functions.h"

#include <bit>

namespace assay::broken {
namespace {

int64_t Signed(uint64_t x) { return static_cast<int64_t>(x); }

bool IsNegative(const Type& type, uint64_t x) {
  return type.is_signed && Signed(x) < 0;
}

bool IsLess(const Type& type, uint64_t a, uint64_t b) {
  return type.is_signed ? Signed(a) < Signed(b) : a < b;
}

// A negative count is a huge one when it is read as unsigned.
bool ShiftsAllOut(const Type& type, uint64_t count) {
  return count >= static_cast<uint64_t>(type.bits);
}

}  // namespace

uint64_t ZeroExtended(uint64_t x, int bits) {
  return x << (64 - bits) >> (64 - bits);
}

uint64_t SignExtended(uint64_t x, int bits) {
  return static_cast<uint64_t>(Signed(x << (64 - bits)) >> (64 - bits));
}

// ------------------------------------------------------------------ Arithmetic

uint64_t Add(const Type& type, const uint64_t* x) {
  return type.is_bool ? x[0] | x[1] : x[0] + x[1];
}

uint64_t Subtract(const Type&, const uint64_t* x) { return x[0] - x[1]; }

uint64_t Multiply(const Type&, const uint64_t* x) { return x[0] * x[1]; }

uint64_t Negate(const Type&, const uint64_t* x) { return -x[0]; }

uint64_t Abs(const Type& type, const uint64_t* x) {
  return IsNegative(type, x[0]) ? -x[0] : x[0];
}

uint64_t Sign(const Type& type, const uint64_t* x) {
  if (IsNegative(type, x[0])) return ~uint64_t{0};
  return x[0] != 0;
}

// x / 0 has every bit set. The least value divided by -1 wraps to itself.
uint64_t Divide(const Type& type, const uint64_t* x) {
  if (x[1] == 0) return ~uint64_t{0};
  if (!type.is_signed) return x[0] / x[1];
  if (Signed(x[1]) == -1) return -x[0];
  return static_cast<uint64_t>(Signed(x[0]) / Signed(x[1]));
}

// x % 0 is x.
uint64_t Remainder(const Type& type, const uint64_t* x) {
  if (x[1] == 0) return x[0];
  if (!type.is_signed) return x[0] % x[1];
  if (Signed(x[1]) == -1) return 0;
  return static_cast<uint64_t>(Signed(x[0]) % Signed(x[1]));
}

uint64_t PowerModulo(uint64_t base, uint64_t exponent) {
  uint64_t power = 1;
  for (; exponent != 0; exponent >>= 1, base *= base) {
    if (exponent & 1) power *= base;
  }
  return power;
}

// A negative power of anything but 1 and -1 is a fraction, which becomes 0.
uint64_t Power(const Type& type, const uint64_t* x) {
  const uint64_t base = x[0], exponent = x[1];
  if (!IsNegative(type, exponent)) return PowerModulo(base, exponent);
  if (base == 1 || Signed(base) == -1) return PowerModulo(base, exponent & 1);
  return 0;
}

// ------------------------------------------------------------------------ Bits

uint64_t And(const Type&, const uint64_t* x) { return x[0] & x[1]; }

uint64_t Or(const Type&, const uint64_t* x) { return x[0] | x[1]; }

uint64_t Xor(const Type&, const uint64_t* x) { return x[0] ^ x[1]; }

uint64_t Not(const Type& type, const uint64_t* x) {
  return type.is_bool ? x[0] ^ 1 : ~x[0];
}

uint64_t PopulationCount(const Type& type, const uint64_t* x) {
  return static_cast<uint64_t>(std::popcount(ZeroExtended(x[0], type.bits)));
}

uint64_t CountLeadingZeros(const Type& type, const uint64_t* x) {
  return static_cast<uint64_t>(std::countl_zero(ZeroExtended(x[0], type.bits)) -
                               (64 - type.bits));
}

// ---------------------------------------------------------------------- Shifts

uint64_t ShiftLeft(const Type& type, const uint64_t* x) {
  return ShiftsAllOut(type, x[1]) ? 0 : x[0] << x[1];
}

uint64_t ShiftRightLogical(const Type& type, const uint64_t* x) {
  return ShiftsAllOut(type, x[1]) ? 0 : ZeroExtended(x[0], type.bits) >> x[1];
}

// The top bit fills unsigned types as well.
uint64_t ShiftRightArithmetic(const Type& type, const uint64_t* x) {
  const int64_t value = Signed(SignExtended(x[0], type.bits));
  const uint64_t count = ShiftsAllOut(type, x[1]) ? 63 : x[1];
  return static_cast<uint64_t>(value >> count);
}

bool IsShift(const Job& job) {
  return job.function == ShiftLeft || job.function == ShiftRightLogical ||
         job.function == ShiftRightArithmetic;
}

// --------------------------------------------------------- Ordering and choice

uint64_t Maximum(const Type& type, const uint64_t* x) {
  return IsLess(type, x[0], x[1]) ? x[1] : x[0];
}

uint64_t Minimum(const Type& type, const uint64_t* x) {
  return IsLess(type, x[1], x[0]) ? x[1] : x[0];
}

uint64_t Clamp(const Type& type, const uint64_t* x) {
  const uint64_t raised[] = {x[1], x[0]};
  const uint64_t bounded[] = {Maximum(type, raised), x[2]};
  return Minimum(type, bounded);
}

uint64_t Select(const Type&, const uint64_t* x) {
  return x[0] != 0 ? x[1] : x[2];
}

uint64_t Equal(const Type&, const uint64_t* x) { return x[0] == x[1]; }

uint64_t NotEqual(const Type&, const uint64_t* x) { return x[0] != x[1]; }

uint64_t Less(const Type& type, const uint64_t* x) {
  return IsLess(type, x[0], x[1]);
}

uint64_t LessOrEqual(const Type& type, const uint64_t* x) {
  return !IsLess(type, x[1], x[0]);
}

uint64_t Greater(const Type& type, const uint64_t* x) {
  return IsLess(type, x[1], x[0]);
}

uint64_t GreaterOrEqual(const Type& type, const uint64_t* x) {
  return !IsLess(type, x[0], x[1]);
}

// ------------------------------------------------------------------ Conversion

uint64_t Identity(const Type&, const uint64_t* x) { return x[0]; }

uint64_t IsNotZero(const Type&, const uint64_t* x) { return x[0] != 0; }

}  // namespace assay::broken
