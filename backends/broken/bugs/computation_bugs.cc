// These bugs are in what is computed: counts, signs, widths, and the values at
// the ends of a type.
#include <string.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/functions.h"

namespace assay::broken {
namespace {

uint64_t Least(const Type& type) {
  return SignExtended(uint64_t{1} << (type.bits - 1), type.bits);
}

bool IsNegative(const Type& type, uint64_t x) {
  return type.is_signed && static_cast<int64_t>(x) < 0;
}

// ---------------------------------------------------------------------- Shifts

// SH02.
uint64_t ShiftLeftIn32Bits(const Type& type, const uint64_t* x) {
  return type.bits < 32 ? x[0] << (x[1] & 31) : ShiftLeft(type, x);
}

// SH03.
uint64_t ShiftLeftByWidthIsByZero(const Type& type, const uint64_t* x) {
  return x[1] == static_cast<uint64_t>(type.bits) ? x[0] : ShiftLeft(type, x);
}

// SH05.
uint64_t ArithmeticFillsZeros(const Type& type, const uint64_t* x) {
  return type.is_signed ? ShiftRightLogical(type, x)
                        : ShiftRightArithmetic(type, x);
}

// SH06.
uint64_t LogicalFillsSign(const Type& type, const uint64_t* x) {
  return type.is_signed ? ShiftRightArithmetic(type, x)
                        : ShiftRightLogical(type, x);
}

// SH08.
Lanes NegativeCountIsZero(const Job& job, const Inputs& in) {
  Inputs changed = in;
  for (Lane& count : changed[1]) {
    if (IsShift(job) && IsNegative(job.type, count.bits)) count.bits = 0;
  }
  return ApplyFunction(job, changed);
}

// SH09.
Lanes NegativeCountTurnsAround(const Job& job, const Inputs& in) {
  Lanes out = ApplyFunction(job, in);
  for (int i = 0; IsShift(job) && i < kLanes; ++i) {
    if (!IsNegative(job.type, in[1][i].bits)) continue;
    const uint64_t turned[] = {in[0][i].bits, -in[1][i].bits};
    out[i].bits = job.function == ShiftLeft
                      ? ShiftRightArithmetic(job.type, turned)
                      : ShiftLeft(job.type, turned);
  }
  return out;
}

// SH11. Two bytes are shifted as one lane of 16 bits; the bits that the even
// one pushes into the odd one are not masked off.
Lanes EvenByteLeaks(const Job& job, const Inputs& in) {
  Lanes out = ApplyFunction(job, in);
  if (job.function != ShiftLeft || job.type.bits != 8) return out;
  for (int i = 1; i < kLanes; i += 2) {
    const uint64_t even = ZeroExtended(in[0][i - 1].bits, 8);
    const uint64_t count = in[1][i].bits;
    if (count < 8) out[i].bits |= even << count >> 8;
  }
  return out;
}

// SH12.
Lanes UniformIfTwoAgree(const Job& job, const Inputs& in) {
  Inputs changed = in;
  if (IsShift(job) && in[1][0] == in[1][1]) changed[1].fill(in[1][0]);
  return ApplyFunction(job, changed);
}

bool HasTopBitAlone(const Type& type, uint64_t count) {
  return ZeroExtended(count, type.bits) == uint64_t{1} << (type.bits - 1);
}

// SH16.
Lanes FirstTopBitIsZero(const Job& job, const Inputs& in) {
  Inputs changed = in;
  if (IsShift(job) && HasTopBitAlone(job.type, in[1][0].bits))
    changed[1][0].bits = 0;
  return ApplyFunction(job, changed);
}

// SH17.
Lanes SignOfTheFirstDecides(const Job& job, const Inputs& in) {
  Inputs changed = in;
  const uint64_t top =
      ZeroExtended(in[1][0].bits, job.type.bits) >> (job.type.bits - 1);
  if (IsShift(job) && top != 0) changed[1].fill(in[1][0]);
  return ApplyFunction(job, changed);
}

// SH18.
Lanes FirstInRangeDecides(const Job& job, const Inputs& in) {
  Inputs changed = in;
  const auto width = static_cast<uint64_t>(job.type.bits);
  const uint64_t first = ZeroExtended(in[1][0].bits, job.type.bits);
  for (int i = 1; IsShift(job) && first < width && i < kLanes; ++i)
    changed[1][i].bits &= width - 1;
  return ApplyFunction(job, changed);
}

// IA15. A first divisor of 1, or exponent of 2, is used for the whole vector.
Lanes UniformByTheFirst(const Job& job, const Inputs& in) {
  const uint64_t special = job.function == Divide  ? 1
                           : job.function == Power ? 2
                                                   : 0;
  Inputs changed = in;
  if (special != 0 && in[1][0].bits == special) changed[1].fill(in[1][0]);
  return ApplyFunction(job, changed);
}

// SH14.
const char* PaddleRightShiftIsArithmetic(const AssayCall& call, Job* job) {
  const char* missing = Dispatch(call, job);
  if (missing == nullptr && job->type.is_signed &&
      strcmp(call.op, "paddle.bitwise_right_shift") == 0) {
    job->function = ShiftRightArithmetic;
  }
  return missing;
}

// SH15.
uint64_t ShiftLeftKeepsSign(const Type& type, const uint64_t* x) {
  const uint64_t sign = uint64_t{1} << (type.bits - 1);
  if (x[1] >= static_cast<uint64_t>(type.bits)) return ShiftLeft(type, x);
  return (ShiftLeft(type, x) & ~sign) | (x[0] & sign);
}
const char* PaddleLeftShiftKeepsSign(const AssayCall& call, Job* job) {
  const char* missing = Dispatch(call, job);
  const char* is_arithmetic = AttributeText(call, "is_arithmetic");
  if (missing == nullptr && job->type.is_signed &&
      strcmp(call.op, "paddle.bitwise_left_shift") == 0 &&
      (is_arithmetic == nullptr || strcmp(is_arithmetic, "true") == 0)) {
    job->function = ShiftLeftKeepsSign;
  }
  return missing;
}

// ------------------------------------------------------------------ Arithmetic

// IA02.
Lanes OddBytesAreDropped(const Job& job, const Inputs& in) {
  Lanes out = ApplyFunction(job, in);
  if (job.function != Multiply || job.type.bits != 8) return out;
  for (int i = 1; i < kLanes; i += 2) out[i] = {};
  return out;
}

// IA03.
uint64_t MultiplyWithoutOneCross(const Type& type, const uint64_t* x) {
  if (type.bits != 64) return Multiply(type, x);
  const uint64_t low = ZeroExtended(x[0], 32);
  return low * ZeroExtended(x[1], 32) + (low * (x[1] >> 32) << 32);
}

// IA05. Operands of less than 32 bits are promoted, and their quotient exists.
uint64_t RemainderTraps(const Type& type, const uint64_t* x) {
  if (type.is_signed && type.bits >= 32 && x[0] == Least(type) &&
      x[1] == ~uint64_t{0}) {
    std::raise(SIGFPE);
  }
  return Remainder(type, x);
}

// IA06.
uint64_t RemainderOfFloor(const Type& type, const uint64_t* x) {
  const uint64_t remainder = Remainder(type, x);
  const bool differs = IsNegative(type, remainder) != IsNegative(type, x[1]);
  return remainder != 0 && x[1] != 0 && differs ? remainder + x[1] : remainder;
}

// IA08. 2^63 converts to the least value, as the processor converts it.
uint64_t DivideInDouble(const Type& type, const uint64_t* x) {
  if (!type.is_signed || type.bits != 64 || x[1] == 0) return Divide(type, x);
  const double quotient = static_cast<double>(static_cast<int64_t>(x[0])) /
                          static_cast<double>(static_cast<int64_t>(x[1]));
  return quotient >= 0x1p63
             ? Least(type)
             : static_cast<uint64_t>(static_cast<int64_t>(quotient));
}

// IA09.
uint64_t AbsSaturates(const Type& type, const uint64_t* x) {
  return x[0] == Least(type) ? ~Least(type) : Abs(type, x);
}

// IA11.
Lanes CompareWithoutBias(const Job& job, const Inputs& in) {
  Job changed = job;
  const bool orders = job.function == Less || job.function == LessOrEqual ||
                      job.function == Greater || job.function == GreaterOrEqual;
  if (orders && job.type.bits == 64) changed.type.is_signed = true;
  return ApplyFunction(changed, in);
}

// IA12.
uint64_t PowerOfUnsigned(const Type& type, const uint64_t* x) {
  return PowerModulo(x[0], ZeroExtended(x[1], type.bits));
}

// IA14.
uint64_t ClampAboveFirst(const Type& type, const uint64_t* x) {
  const uint64_t lowered[] = {x[1], x[2]};
  const uint64_t bounded[] = {Minimum(type, lowered), x[0]};
  return Maximum(type, bounded);
}

// ------------------------------------------------------------------------ Bits

// BT01.
uint64_t LeadingZerosOfZero(const Type& type, const uint64_t* x) {
  return x[0] == 0 ? static_cast<uint64_t>(type.bits - 1)
                   : CountLeadingZeros(type, x);
}

// BT03.
uint64_t PopulationOfExtended(const Type& type, const uint64_t* x) {
  Type promoted = type;
  if (type.is_signed && type.bits == 8) promoted.bits = 32;
  return PopulationCount(promoted, x);
}

// BT04.
uint64_t NotOfTheByte(const Type&, const uint64_t* x) { return ~x[0]; }

// ----------------------------------------------------------------------- Crash

// CRASH01.
Lanes AbortsOnThirtySeven(const Job& job, const Inputs& in) {
  const bool has_integers = job.function != nullptr;
  if (has_integers && std::ranges::find(in[0], Lane{37}) != in[0].end())
    std::abort();
  return ApplyFunction(job, in);
}

constexpr auto kOp = &Hooks::op;

constexpr Bug kBugs[] = {
    {"SH02", Replace<kOp, Instead<ShiftLeft, ShiftLeftIn32Bits>>},
    {"SH03", Replace<kOp, Instead<ShiftLeft, ShiftLeftByWidthIsByZero>>},
    {"SH05", Replace<kOp, Instead<ShiftRightArithmetic, ArithmeticFillsZeros>>},
    {"SH06", Replace<kOp, Instead<ShiftRightLogical, LogicalFillsSign>>},
    {"SH08", Replace<kOp, NegativeCountIsZero>},
    {"SH09", Replace<kOp, NegativeCountTurnsAround>},
    {"SH11", Replace<kOp, EvenByteLeaks>},
    {"SH12", Replace<kOp, UniformIfTwoAgree>},
    {"SH16", Replace<kOp, FirstTopBitIsZero>},
    {"SH17", Replace<kOp, SignOfTheFirstDecides>},
    {"SH18", Replace<kOp, FirstInRangeDecides>},
    {"IA15", Replace<kOp, UniformByTheFirst>},
    {"SH14", Replace<&Hooks::dispatch, PaddleRightShiftIsArithmetic>},
    {"SH15", Replace<&Hooks::dispatch, PaddleLeftShiftKeepsSign>},
    {"IA02", Replace<kOp, OddBytesAreDropped>},
    {"IA03", Replace<kOp, Instead<Multiply, MultiplyWithoutOneCross>>},
    {"IA05", Replace<kOp, Instead<Remainder, RemainderTraps>>},
    {"IA06", Replace<kOp, Instead<Remainder, RemainderOfFloor>>},
    {"IA08", Replace<kOp, Instead<Divide, DivideInDouble>>},
    {"IA09", Replace<kOp, Instead<Abs, AbsSaturates>>},
    {"IA11", Replace<kOp, CompareWithoutBias>},
    {"IA12", Replace<kOp, Instead<Power, PowerOfUnsigned>>},
    {"IA14", Replace<kOp, Instead<Clamp, ClampAboveFirst>>},
    {"BT01", Replace<kOp, Instead<CountLeadingZeros, LeadingZerosOfZero>>},
    {"BT03", Replace<kOp, Instead<PopulationCount, PopulationOfExtended>>},
    {"BT04", Replace<kOp, Instead<Not, NotOfTheByte>>},
    {"CRASH01", Replace<kOp, AbortsOnThirtySeven>},
};

}  // namespace

std::span<const Bug> ComputationBugs() { return kBugs; }

}  // namespace assay::broken
