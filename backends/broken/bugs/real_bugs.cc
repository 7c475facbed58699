// These bugs are in the transcendental functions on floats: range reduction,
// cut-offs, cancellation, signs of zero, and errors of a few ulps.
#include <bit>
#include <cmath>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/float_functions.h"
#include "backends/broken/kernel/numbers.h"
#include "backends/broken/kernel/real_functions.h"

namespace assay::broken {
namespace {

template <Function kSound, Function kBroken>
constexpr auto InsteadOfPart = Instead<&EachPart<kSound>, &EachPart<kBroken>>;

constexpr double kPi = 3.14159265358979323846, kNan = NAN;

double Value(const Type& type, uint64_t x) { return ToDouble(*type.format, x); }

uint64_t Result(const Type& type, double x) {
  return FromDouble(*type.format, x);
}

// Rounds to the type, as each step of a kernel that computes in that type does.
double Step(const Type& type, double x) { return Value(type, Result(type, x)); }

template <Function... kParts>
bool IsOneOf(const Job& job) {
  return ((job.float_function == &EachPart<kParts>) || ...);
}

bool IsF32(const Type& type) { return type.format->bits == 32; }

// Returns whether x is subnormal, in a format whose subnormals are subnormal in
// f32 or f64 as well.
bool IsSubnormal(const Type& type, uint64_t x) {
  const Format& format = *type.format;
  return format.has_sign && format.exponent_bits >= 8 &&
         Magnitude(format, x) < uint64_t{1} << format.mantissa_bits;
}

// ------------------------------------------------------------- Range reduction

// FL22. The rest of x is that of rint, but the power of 2 is that of floor:
// they differ where x / ln 2 rounds to a half, and just below one half, where
// the sum rounds.
uint64_t ReducesByTwoRoundings(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]);
  if (!IsF32(type) || !(std::abs(value) < 80)) return ExponentialFloat(type, x);
  const float scaled = static_cast<float>(value) * 1.44269504f;
  const float reduced = std::rint(scaled), power = std::floor(scaled + 0.5f);
  return Result(type,
                std::ldexp(std::exp(value), static_cast<int>(power - reduced)));
}

// TR05. The quadrant is the one after the right one.
bool IsFar(const Type& type, uint64_t x) {
  const double value = std::abs(Value(type, x));
  return value > 0x1p20 && std::isfinite(value);
}
uint64_t SineInTheNextQuadrant(const Type& type, const uint64_t* x) {
  return IsFar(type, x[0]) ? CosineFloat(type, x) : SineFloat(type, x);
}

// TR06. The reduction uses 2 pi rounded to the type.
uint64_t CosineOfNaiveReduction(const Type& type, const uint64_t* x) {
  if (type.format->bits < 32) return CosineFloat(type, x);
  const double value = Value(type, x[0]), turn = Step(type, 2 * kPi);
  const double turns = std::nearbyint(Step(type, value / turn));
  const double reduced = Step(type, value - Step(type, turn * turns));
  return Result(type, std::cos(reduced));
}

// ------------------------------------------------------------------- Cut-offs

// FL23.
uint64_t TanhSaturatesEarly(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]);
  return std::abs(value) > 8 ? Result(type, std::copysign(1, value))
                             : TanhFloat(type, x);
}
uint64_t LogisticSaturatesEarly(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]);
  return std::abs(value) > 8 ? Result(type, value > 0) : LogisticFloat(type, x);
}
Lanes SaturatesEarly(const Job& job, const Inputs& in) {
  return IsOneOf<TanhFloat>(job)
             ? InsteadOfPart<TanhFloat, TanhSaturatesEarly>(job, in)
             : InsteadOfPart<LogisticFloat, LogisticSaturatesEarly>(job, in);
}

// TR09.
uint64_t TanhOfOverflow(const Type& type, const uint64_t* x) {
  const double power = Step(type, std::exp(2 * Value(type, x[0])));
  return std::isfinite(power) ? TanhFloat(type, x) : Result(type, kNan);
}

// TR16.
uint64_t LogisticInSteps(const Type& type, const uint64_t* x) {
  if (type.format->bits != 16) return LogisticFloat(type, x);
  const double power = Step(type, std::exp(-Value(type, x[0])));
  return Result(type, 1 / Step(type, 1 + power));
}

// ---------------------------------------------------------------- Cancellation

// TR07.
uint64_t ExponentialThenMinusOne(const Type& type, const uint64_t* x) {
  return Result(type, Step(type, std::exp(Value(type, x[0]))) - 1);
}

// TR08.
uint64_t LogOfSum(const Type& type, const uint64_t* x) {
  return Result(type, std::log(Step(type, 1 + Value(type, x[0]))));
}

// ----------------------------------------------------------------------- Signs

// FL25. The comparisons with zero do not see its sign.
uint64_t Atan2OfUnsignedZeros(const Type& type, const uint64_t* x) {
  const uint64_t unsigned_zeros[] = {Value(type, x[0]) == 0 ? 0 : x[0],
                                     Value(type, x[1]) == 0 ? 0 : x[1]};
  return Atan2Float(type, unsigned_zeros);
}

// TR10.
uint64_t PowerOfMinusOne(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) == -1 && std::isinf(Value(type, x[1]))
             ? Result(type, kNan)
             : PowerFloat(type, x);
}

// TR11.
uint64_t PowerOfTheMagnitude(const Type& type, const uint64_t* x) {
  const double power = Value(type, PowerFloat(type, x));
  return Value(type, x[0]) < 0 ? Result(type, std::abs(power))
                               : PowerFloat(type, x);
}

// TR12.
uint64_t PowerOfFlushedBase(const Type& type, const uint64_t* x) {
  const uint64_t flushed[] = {x[0] & SignBit(*type.format), x[1]};
  return PowerFloat(type, IsSubnormal(type, x[0]) ? flushed : x);
}

// TR13.
uint64_t CbrtOfNegative(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) < 0 ? Result(type, kNan) : CbrtFloat(type, x);
}

// TR14.
uint64_t RsqrtOfMinusZero(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) == 0 ? Result(type, INFINITY) : RsqrtFloat(type, x);
}

// TR15.
uint64_t TanOfMinusZero(const Type& type, const uint64_t* x) {
  return Value(type, x[0]) == 0 ? Result(type, 0) : TanFloat(type, x);
}

// ------------------------------------------------------------------ A few ulps

// TR01.
uint64_t ExponentialOfOneInput(const Type& type, const uint64_t* x) {
  const bool is_hit = type.format->dlpack_code == kDLFloat &&
                      type.format->bits == 16 && x[0] == 0x3b1d;
  return ExponentialFloat(type, x) + is_hit;
}

// TR02. The inputs are those for which a multiplicative hash leaves zeros in 16
// bits.
uint64_t LogOfFewInputs(const Type& type, const uint64_t* x) {
  const uint64_t log = LogFloat(type, x);
  const bool is_hit = IsF32(type) && std::isnormal(Value(type, log)) &&
                      static_cast<uint32_t>(x[0] * 0x9e3779b1) >> 16 == 0;
  return is_hit ? log + 3 : log;
}

// TR03. The last constant should be 1 / 11!, 2.505e-8.
uint64_t SineOfWrongConstant(const Type& type, const uint64_t* x) {
  const double value = Value(type, x[0]), square = value * value;
  if (!IsF32(type) || !(std::abs(value) < kPi / 2)) return SineFloat(type, x);
  double sum = 0;
  for (const double constant :
       {-2.705210838544172e-8, 2.755731922398589e-6, -1.984126984126984e-4,
        8.333333333333333e-3, -1.666666666666667e-1}) {
    sum = (sum + constant) * square;
  }
  return Result(type, value + value * sum);
}

// TR17. The bits of bf16 are the first bits of f32.
Lanes TruncatesTheLog(const Job& job, const Inputs& in) {
  if (!IsOneOf<LogFloat>(job) || job.type.format->dlpack_code != kDLBfloat)
    return ApplyFunction(job, in);
  Job wider = job;
  wider.type.format = FindFormat(kDLFloat, 32);
  Inputs widened = in;
  for (Lane& lane : widened[0]) lane.bits <<= 16;
  Lanes out = ApplyFunction(wider, widened);
  for (Lane& lane : out) lane.bits >>= 16;
  return out;
}

// TR04.
void TailFlushes(const Row& row, int64_t first) {
  Tail(row, first);
  if (!IsOneOf<ExponentialFloat>(row.job)) return;
  for (int64_t i = first; i < row.count; ++i) {
    if (IsSubnormal(row.job.type, ReadElement(row.out, i).bits))
      WriteElement(row.out, i, {});
  }
}

constexpr auto kOp = &Hooks::op;

constexpr Bug kBugs[] = {
    {"FL22",
     Replace<kOp, InsteadOfPart<ExponentialFloat, ReducesByTwoRoundings>>},
    {"FL23", Replace<kOp, SaturatesEarly>},
    {"FL25", Replace<kOp, InsteadOfPart<Atan2Float, Atan2OfUnsignedZeros>>},
    {"TR01",
     Replace<kOp, InsteadOfPart<ExponentialFloat, ExponentialOfOneInput>>},
    {"TR02", Replace<kOp, InsteadOfPart<LogFloat, LogOfFewInputs>>},
    {"TR03", Replace<kOp, InsteadOfPart<SineFloat, SineOfWrongConstant>>},
    {"TR04", Replace<&Hooks::tail, TailFlushes>},
    {"TR05", Replace<kOp, InsteadOfPart<SineFloat, SineInTheNextQuadrant>>},
    {"TR06", Replace<kOp, InsteadOfPart<CosineFloat, CosineOfNaiveReduction>>},
    {"TR07",
     Replace<kOp,
             InsteadOfPart<ExponentialMinusOneFloat, ExponentialThenMinusOne>>},
    {"TR08", Replace<kOp, InsteadOfPart<LogPlusOneFloat, LogOfSum>>},
    {"TR09", Replace<kOp, InsteadOfPart<TanhFloat, TanhOfOverflow>>},
    {"TR10", Replace<kOp, InsteadOfPart<PowerFloat, PowerOfMinusOne>>},
    {"TR11", Replace<kOp, InsteadOfPart<PowerFloat, PowerOfTheMagnitude>>},
    {"TR12", Replace<kOp, InsteadOfPart<PowerFloat, PowerOfFlushedBase>>},
    {"TR13", Replace<kOp, InsteadOfPart<CbrtFloat, CbrtOfNegative>>},
    {"TR14", Replace<kOp, InsteadOfPart<RsqrtFloat, RsqrtOfMinusZero>>},
    {"TR15", Replace<kOp, InsteadOfPart<TanFloat, TanOfMinusZero>>},
    {"TR16", Replace<kOp, InsteadOfPart<LogisticFloat, LogisticInSteps>>},
    {"TR17", Replace<kOp, TruncatesTheLog>},
};

}  // namespace

std::span<const Bug> RealBugs() { return kBugs; }

}  // namespace assay::broken
