// Arithmetic is done in double and rounded to the format. For f64 the second
// rounding does nothing. For the other formats the result is as if rounded
// once, since 53 bits are at least twice their 24 and two more, and neither a
// sum nor a product of theirs is subnormal in double (Figueroa 1995).
#include "backends/broken/kernel/float_functions.h"

#include <bit>
#include <cmath>

#include "backends/broken/kernel/numbers.h"

namespace assay::broken {
namespace {

double Value(const Type& type, uint64_t x) { return ToDouble(*type.format, x); }

uint64_t Result(const Type& type, double x) {
  return FromDouble(*type.format, x);
}

bool IsNan(const Type& type, uint64_t x) { return IsNan(*type.format, x); }

// In formats with a single NaN or without a sign, the sign bit of a NaN or of a
// number is not a sign.
bool HasSign(const Type& type, uint64_t x) {
  const Format& format = *type.format;
  return format.has_sign &&
         !(format.nan == Nan::kMinusZero && IsNan(format, x));
}

// The minimum and maximum of IEEE 754 order the zeros.
bool IsLessOrMinusZero(const Type& type, uint64_t a, uint64_t b) {
  const double x = Value(type, a), y = Value(type, b);
  return x < y || (x == y && std::signbit(x) && !std::signbit(y));
}

// Complex numbers are ordered by their real parts, then the imaginary ones.
bool IsOrderedComplex(const Type& type, Direction direction, const Lane& a,
                      const Lane& b) {
  const double x = Value(type, a.bits), y = Value(type, b.bits);
  return x != y ? IsOrdered(direction, x, y)
                : IsOrdered(direction, Value(type, a.imaginary),
                            Value(type, b.imaginary));
}

}  // namespace

// ------------------------------------------------------------------ Arithmetic

uint64_t AddFloat(const Type& type, const uint64_t* x) {
  return Result(type, Value(type, x[0]) + Value(type, x[1]));
}

uint64_t SubtractFloat(const Type& type, const uint64_t* x) {
  return Result(type, Value(type, x[0]) - Value(type, x[1]));
}

uint64_t MultiplyFloat(const Type& type, const uint64_t* x) {
  return Result(type, Value(type, x[0]) * Value(type, x[1]));
}

uint64_t DivideFloat(const Type& type, const uint64_t* x) {
  return Result(type, Value(type, x[0]) / Value(type, x[1]));
}

uint64_t SqrtFloat(const Type& type, const uint64_t* x) {
  return Result(type, std::sqrt(Value(type, x[0])));
}

uint64_t RemainderFloat(const Type& type, const uint64_t* x) {
  return Result(type, std::fmod(Value(type, x[0]), Value(type, x[1])));
}

uint64_t AbsFloat(const Type& type, const uint64_t* x) {
  return HasSign(type, x[0]) ? Magnitude(*type.format, x[0]) : x[0];
}

// The format may not have -0, nor any negative number.
uint64_t NegateFloat(const Type& type, const uint64_t* x) {
  if (IsNan(type, x[0]))
    return HasSign(type, x[0]) ? x[0] ^ SignBit(*type.format) : x[0];
  return Result(type, -Value(type, x[0]));
}

uint64_t SignFloat(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]);
  if (std::isnan(value) || value == 0) return x[0];
  return Result(type, std::copysign(1, value));
}

// -------------------------------------------------------------------- Integers

uint64_t CeilFloat(const Type& type, const uint64_t* x) {
  return Result(type, std::ceil(Value(type, x[0])));
}

uint64_t FloorFloat(const Type& type, const uint64_t* x) {
  return Result(type, std::floor(Value(type, x[0])));
}

uint64_t RoundAwayFromZero(const Type& type, const uint64_t* x) {
  return Result(type, std::round(Value(type, x[0])));
}

// nearbyint uses the rounding mode, which is to nearest with ties to even while
// the kernel runs.
uint64_t RoundToEven(const Type& type, const uint64_t* x) {
  return Result(type, std::nearbyint(Value(type, x[0])));
}

// --------------------------------------------------------- Ordering and choice

uint64_t IsFinite(const Type& type, const uint64_t* x) {
  return Decoded(*type.format, x[0]).kind == Number::kFinite;
}

uint64_t MaximumFloat(const Type& type, const uint64_t* x) {
  if (IsNan(type, x[0])) return x[0];
  if (IsNan(type, x[1])) return x[1];
  return IsLessOrMinusZero(type, x[0], x[1]) ? x[1] : x[0];
}

uint64_t MinimumFloat(const Type& type, const uint64_t* x) {
  if (IsNan(type, x[0])) return x[0];
  if (IsNan(type, x[1])) return x[1];
  return IsLessOrMinusZero(type, x[1], x[0]) ? x[1] : x[0];
}

uint64_t ClampFloat(const Type& type, const uint64_t* x) {
  const uint64_t raised[] = {x[1], x[0]};
  const uint64_t bounded[] = {MaximumFloat(type, raised), x[2]};
  return MinimumFloat(type, bounded);
}

bool IsOrdered(Direction direction, double a, double b) {
  switch (direction) {
    case Direction::kEQ:
      return a == b;
    case Direction::kNE:
      return a != b;
    case Direction::kGE:
      return a >= b;
    case Direction::kGT:
      return a > b;
    case Direction::kLE:
      return a <= b;
    case Direction::kLT:
      return a < b;
  }
  return false;
}

uint64_t TotalOrderKey(const Type& type, uint64_t x) {
  const uint64_t sign = SignBit(*type.format);
  if (!HasSign(type, x)) return x == sign ? 2 * sign : x;
  return (x & sign) != 0 ? ~x & (2 * sign - 1) : x | sign;
}

Lane CompareElements(const Job& job, const Lane* x) {
  const Direction direction = job.attributes.direction;
  if (job.type.is_complex)
    return {IsOrderedComplex(job.type, direction, x[0], x[1])};
  if (!job.attributes.is_total_order)
    return {IsOrdered(direction, Value(job.type, x[0].bits),
                      Value(job.type, x[1].bits))};
  const uint64_t a = TotalOrderKey(job.type, x[0].bits),
                 b = TotalOrderKey(job.type, x[1].bits);
  const int order = (a > b) - (a < b);
  return {IsOrdered(direction, order, 0)};
}

Lane MaximumComplex(const Job& job, const Lane* x) {
  return IsOrderedComplex(job.type, Direction::kGT, x[0], x[1]) ? x[0] : x[1];
}

Lane MinimumComplex(const Job& job, const Lane* x) {
  return IsOrderedComplex(job.type, Direction::kLT, x[0], x[1]) ? x[0] : x[1];
}

Lane ClampComplex(const Job& job, const Lane* x) {
  const Lane raised[] = {x[1], x[0]};
  const Lane bounded[] = {MaximumComplex(job, raised), x[2]};
  return MinimumComplex(job, bounded);
}

// -------------------------------------------------------------------- Movement

Lane SelectElement(const Job&, const Lane* x) {
  return x[0].bits != 0 ? x[1] : x[2];
}

Lane MoveElement(const Job&, const Lane* x) { return x[0]; }

Lane BuildComplex(const Job&, const Lane* x) { return {x[0].bits, x[1].bits}; }

Lane RealPart(const Job&, const Lane* x) { return {x[0].bits}; }

Lane ImaginaryPart(const Job& job, const Lane* x) {
  return {job.type.is_complex ? x[0].imaginary : Result(job.type, 0)};
}

}  // namespace assay::broken
