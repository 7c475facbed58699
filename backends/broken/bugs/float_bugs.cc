// These bugs are in what is computed on floats and complex numbers: NaN, zeros
// of both signs, subnormals, ties, and the ends of the formats that have no
// infinity.
#include <algorithm>
#include <cmath>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/numbers.h"

namespace assay::broken {
namespace {

template <Function kSound, Function kBroken>
constexpr auto InsteadOfPart = Instead<&EachPart<kSound>, &EachPart<kBroken>>;

double Value(const Type& type, uint64_t x) { return ToDouble(*type.format, x); }

uint64_t Result(const Type& type, double x) {
  return FromDouble(*type.format, x);
}

template <Function... kParts>
bool IsOneOf(const Job& job) {
  return ((job.float_function == &EachPart<kParts>) || ...);
}

// ----------------------------------------------------------- Minimum, maximum

// FL01. This is what maxps returns.
uint64_t MaximumLosesFirstNan(const Type& type, const uint64_t* x) {
  return IsNan(*type.format, x[0]) ? x[1] : MaximumFloat(type, x);
}

// FL02.
uint64_t MinimumLosesSecondNan(const Type& type, const uint64_t* x) {
  return IsNan(*type.format, x[1]) ? x[0] : MinimumFloat(type, x);
}

// FL04.
uint64_t MaximumTakesFirstZero(const Type& type, const uint64_t* x) {
  const bool are_zeros = Value(type, x[0]) == 0 && Value(type, x[1]) == 0;
  return are_zeros ? x[0] : MaximumFloat(type, x);
}

// FX07.
Lane MaximumOfEachPart(const Job& job, const Lane* x) {
  return EachPart<MaximumFloat>(job, x);
}

// ------------------------------------------------------------------ Subnormals

// Flushes only the formats whose subnormals are subnormal in f32 or f64 as
// well.
uint64_t Flushed(const Type& type, uint64_t x) {
  const Format& format = *type.format;
  const uint64_t normal = uint64_t{1} << format.mantissa_bits;
  const bool is_flushed = format.has_sign && format.exponent_bits >= 8 &&
                          Magnitude(format, x) < normal;
  return is_flushed ? x & SignBit(format) : x;
}

Lane FlushedLane(const Type& type, const Lane& x) {
  return {Flushed(type, x.bits),
          type.is_complex ? Flushed(type, x.imaginary) : x.imaginary};
}

// FL05.
Lanes FlushesSubnormals(const Job& job, const Inputs& in) {
  if (!IsOneOf<AddFloat, SubtractFloat, MultiplyFloat, DivideFloat, SqrtFloat>(
          job)) {
    return ApplyFunction(job, in);
  }
  Inputs flushed = in;
  for (Lanes& lanes : flushed) {
    for (Lane& lane : lanes) lane = FlushedLane(job.type, lane);
  }
  Lanes out = ApplyFunction(job, flushed);
  for (Lane& lane : out) lane = FlushedLane(job.type, lane);
  return out;
}

// FL05V.
int64_t VectorsFlush(const Row& row) {
  int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    StoreResults(row, i, kLanes,
                 FlushesSubnormals(row.job, LoadInputs(row, i, kLanes)));
  }
  return i;
}

// ----------------------------------------------------------------------- Signs

// FL10.
uint64_t NegateFromZero(const Type& type, const uint64_t* x) {
  return Result(type, 0 - Value(type, x[0]));
}

// FX01.
uint64_t NegateFlipsTheBit(const Type& type, const uint64_t* x) {
  return type.format->nan == Nan::kMinusZero ? x[0] ^ SignBit(*type.format)
                                             : NegateFloat(type, x);
}

// FL11.
uint64_t AbsOfNegativeOnly(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) < 0 ? NegateFloat(type, x) : x[0];
}

// FX02.
uint64_t AbsClearsTheBit(const Type& type, const uint64_t* x) {
  return Magnitude(*type.format, x[0]);
}

// FL16.
Lanes RoundsToPlusZero(const Job& job, const Inputs& in) {
  Lanes out = ApplyFunction(job, in);
  if (!IsOneOf<CeilFloat, FloorFloat, RoundAwayFromZero, RoundToEven>(job))
    return out;
  for (Lane& lane : out) {
    if (Value(job.type, lane.bits) == 0) lane = {};
  }
  return out;
}

// FX17.
uint64_t SqrtOfMinusZero(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) == 0 ? 0 : SqrtFloat(type, x);
}

// ------------------------------------------------------------------- Rounding

// FL14. The sum is rounded to the type.
uint64_t RoundsByAddingHalf(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]);
  const uint64_t sum = Result(type, std::abs(value) + 0.5);
  return Result(type, std::copysign(std::floor(Value(type, sum)), value));
}

// FX05.
Lanes RoundsWithinTheRange(const Job& job, const Inputs& in) {
  Lanes out = ApplyFunction(job, in);
  if (!IsOneOf<CeilFloat, FloorFloat, RoundAwayFromZero, RoundToEven>(job))
    return out;
  const Format& format = *job.type.format;
  for (int i = 0; i < kLanes; ++i) {
    const bool overflows =
        Decoded(format, in[0][i].bits).kind == Number::kFinite &&
        Decoded(format, out[i].bits).kind != Number::kFinite;
    if (overflows)
      out[i].bits = format.greatest | (in[0][i].bits & SignBit(format));
  }
  return out;
}

// FX06.
uint64_t DividesByReciprocal(const Type& type, const uint64_t* x) {
  if (type.format->bits != 16) return DivideFloat(type, x);
  const uint64_t reciprocal = Result(type, 1 / Value(type, x[1]));
  return Result(type, Value(type, x[0]) * Value(type, reciprocal));
}

// FX16.
uint64_t RemainderByQuotient(const Type& type, const uint64_t* x) {
  const double a = Value(type, x[0]), b = Value(type, x[1]);
  const uint64_t quotient = Result(type, a / b);
  const double multiple = std::trunc(Value(type, quotient)) * b;
  return Result(type, std::copysign(a - multiple, a));
}

// ------------------------------------------------------------------ Comparison

// FL17.
Lane CompareBits(const Job& job, const Lane* x) {
  if (job.attributes.is_total_order) return CompareElements(job, x);
  if (job.attributes.direction == Direction::kEQ) return {x[0] == x[1]};
  if (job.attributes.direction == Direction::kNE) return {!(x[0] == x[1])};
  return CompareElements(job, x);
}

// FL19.
Lane CompareWithoutTotalOrder(const Job& job, const Lane* x) {
  Job changed = job;
  changed.attributes.is_total_order = false;
  return CompareElements(changed, x);
}

// FX19.
Lane CompareSignAndMagnitude(const Job& job, const Lane* x) {
  const uint64_t nan = SignBit(*job.type.format);
  const bool is_nan_least = job.attributes.is_total_order &&
                            job.type.format->nan == Nan::kMinusZero &&
                            (x[0].bits == nan || x[1].bits == nan);
  if (!is_nan_least) return CompareElements(job, x);
  // The NaN is ordered as -0 is: below zero and above all negative values.
  const auto key = [&](uint64_t bits) {
    return bits == nan ? -0.5 : Value(job.type, bits) >= 0 ? 0 : -1;
  };
  return {IsOrdered(job.attributes.direction, key(x[0].bits), key(x[1].bits))};
}

// FL26.
uint64_t IsBelowGreatest(const Type& type, const uint64_t* x) {
  return Magnitude(*type.format, x[0]) == type.format->greatest
             ? 0
             : IsFinite(type, x);
}

// -------------------------------------------------------------------- Movement

// FL20.
uint64_t Blend(const Type& type, bool takes_first, uint64_t a, uint64_t b) {
  const double p = takes_first;
  const uint64_t products[] = {Result(type, p * Value(type, a)),
                               Result(type, (1 - p) * Value(type, b))};
  return AddFloat(type, products);
}
Lane SelectByMultiplying(const Job& job, const Lane* x) {
  const bool takes_first = x[0].bits != 0;
  return {Blend(job.type, takes_first, x[1].bits, x[2].bits),
          job.type.is_complex
              ? Blend(job.type, takes_first, x[1].imaginary, x[2].imaginary)
              : 0};
}

// FX08.
Lane SelectsTheRealPart(const Job&, const Lane* x) {
  return {x[0].bits != 0 ? x[1].bits : x[2].bits, x[2].imaginary};
}

// FX09.
uint64_t Quieted(const Type& type, uint64_t x) {
  const Format& format = *type.format;
  const bool has_quiet_bit = format.nan == Nan::kAboveInfinity;
  return has_quiet_bit && IsNan(format, x)
             ? x | uint64_t{1} << (format.mantissa_bits - 1)
             : x;
}
Lane SelectsQuietly(const Job& job, const Lane* x) {
  const Lane moved = SelectElement(job, x);
  return {Quieted(job.type, moved.bits),
          job.type.is_complex ? Quieted(job.type, moved.imaginary) : 0};
}

constexpr auto kOp = &Hooks::op;

constexpr Bug kBugs[] = {
    {"FL01", Replace<kOp, InsteadOfPart<MaximumFloat, MaximumLosesFirstNan>>},
    {"FL02", Replace<kOp, InsteadOfPart<MinimumFloat, MinimumLosesSecondNan>>},
    {"FL04", Replace<kOp, InsteadOfPart<MaximumFloat, MaximumTakesFirstZero>>},
    {"FL05", Replace<kOp, FlushesSubnormals>},
    {"FL05V", Replace<&Hooks::body, VectorsFlush>},
    {"FL10", Replace<kOp, InsteadOfPart<NegateFloat, NegateFromZero>>},
    {"FL11", Replace<kOp, InsteadOfPart<AbsFloat, AbsOfNegativeOnly>>},
    {"FL13", Replace<kOp, InsteadOfPart<RoundToEven, RoundAwayFromZero>>},
    {"FL14",
     Replace<kOp, InsteadOfPart<RoundAwayFromZero, RoundsByAddingHalf>>},
    {"FL16", Replace<kOp, RoundsToPlusZero>},
    {"FL17", Replace<kOp, Instead<CompareElements, CompareBits>>},
    {"FL19", Replace<kOp, Instead<CompareElements, CompareWithoutTotalOrder>>},
    {"FL20", Replace<kOp, Instead<SelectElement, SelectByMultiplying>>},
    {"FL26", Replace<kOp, InsteadOfPart<IsFinite, IsBelowGreatest>>},
    {"FX01", Replace<kOp, InsteadOfPart<NegateFloat, NegateFlipsTheBit>>},
    {"FX02", Replace<kOp, InsteadOfPart<AbsFloat, AbsClearsTheBit>>},
    {"FX05", Replace<kOp, RoundsWithinTheRange>},
    {"FX06", Replace<kOp, InsteadOfPart<DivideFloat, DividesByReciprocal>>},
    {"FX07", Replace<kOp, Instead<MaximumComplex, MaximumOfEachPart>>},
    {"FX08", Replace<kOp, Instead<SelectElement, SelectsTheRealPart>>},
    {"FX09", Replace<kOp, Instead<SelectElement, SelectsQuietly>>},
    {"FX16", Replace<kOp, InsteadOfPart<RemainderFloat, RemainderByQuotient>>},
    {"FX17", Replace<kOp, InsteadOfPart<SqrtFloat, SqrtOfMinusZero>>},
    {"FX19", Replace<kOp, Instead<CompareElements, CompareSignAndMagnitude>>},
};

}  // namespace

std::span<const Bug> FloatBugs() { return kBugs; }

}  // namespace assay::broken
