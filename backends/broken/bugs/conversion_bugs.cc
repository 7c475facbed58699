// These bugs are in convert, bitcast_convert and reduce_precision: detours
// through other types, ends of ranges, ties, NaN, and the order of parts.
#include <algorithm>

#include "backends/broken/bugs/bugs.h"
#include "backends/broken/kernel/conversions.h"
#include "backends/broken/kernel/functions.h"

namespace assay::broken {
namespace {

template <Conversion kBroken>
constexpr auto InsteadOfConverted =
    Instead<&ConvertParts<Converted>, &ConvertParts<kBroken>>;

constexpr Type kInt32 = {false, true, 32, 4}, kInt64 = {false, true, 64, 8};

bool IsInteger(const Type& type) {
  return type.format == nullptr && !type.is_bool;
}

bool IsFloat(const Type& type, uint8_t dlpack_code, int bits) {
  return type.format != nullptr && type.format == FindFormat(dlpack_code, bits);
}

bool IsFloat32(const Type& type) { return IsFloat(type, kDLFloat, 32); }

bool IsFloat16(const Type& type) { return IsFloat(type, kDLFloat, 16); }

bool IsBfloat16(const Type& type) { return IsFloat(type, kDLBfloat, 16); }

uint64_t ThroughFloat32(const Type& to, const Number& x) {
  const Format& float32 = *FindFormat(kDLFloat, 32);
  return Encoded(*to.format, Decoded(float32, Encoded(float32, x)));
}

// ----------------------------------------------------------- Float to integer

// CV02.
uint64_t ThroughInt32(const Type& from, const Type& to, uint64_t bits) {
  return from.format != nullptr && IsInteger(to) && to.bits < 32
             ? IntegerOf(kInt32, NumberOf(from, bits))
             : Converted(from, to, bits);
}

// CV03.
uint64_t RoundsToInteger(const Type& from, const Type& to, uint64_t bits) {
  const Number x = NumberOf(from, bits);
  if (!IsInteger(to) || x.kind != Number::kFinite || x.exponent >= 0)
    return Converted(from, to, bits);
  return IntegerOf(to, RoundedTo(0, x));
}

// CV05. The bound is one more than the greatest integer if the source cannot
// hold that integer.
uint64_t BoundIsRoundedUp(const Type& from, const Type& to, uint64_t bits) {
  const uint64_t converted = Converted(from, to, bits);
  if (from.format == nullptr || !IsInteger(to) || !to.is_signed)
    return converted;
  const Number bound = {Number::kFinite, false, 1, to.bits - 1};
  const bool is_past_bound = bits == Encoded(*from.format, bound) &&
                             NumberOf(from, bits).kind == Number::kFinite &&
                             converted == (uint64_t{1} << (to.bits - 1)) - 1;
  return is_past_bound && from.format->mantissa_bits < to.bits - 2
             ? converted + 1
             : converted;
}

// CV06.
uint64_t NanIsLeast(const Type& from, const Type& to, uint64_t bits) {
  const bool is_nan = NumberOf(from, bits).kind == Number::kNan;
  return is_nan && IsInteger(to) && to.is_signed ? uint64_t{1} << (to.bits - 1)
                                                 : Converted(from, to, bits);
}

// CV15.
uint64_t TruthOfTheInteger(const Type& from, const Type& to, uint64_t bits) {
  return to.is_bool ? IntegerOf(kInt64, NumberOf(from, bits)) != 0
                    : Converted(from, to, bits);
}

// FX13.
uint64_t TruthOfTheBits(const Type& from, const Type& to, uint64_t bits) {
  return to.is_bool ? bits != 0 : Converted(from, to, bits);
}

// ------------------------------------------------------------------- To float

// CV08.
uint64_t BiasesNan(const Type& from, const Type& to, uint64_t bits) {
  if (!IsFloat32(from) || !IsBfloat16(to)) return Converted(from, to, bits);
  return ZeroExtended(bits + 0x7fff + (bits >> 16 & 1), 32) >> 16;
}

// CV09.
uint64_t TiesGoAway(const Type& from, const Type& to, uint64_t bits) {
  const bool is_nan = NumberOf(from, bits).kind == Number::kNan;
  if (!IsFloat32(from) || !IsBfloat16(to) || is_nan)
    return Converted(from, to, bits);
  return (bits + 0x8000) >> 16;
}

// CV11.
uint64_t FlushesHalf(const Type& from, const Type& to, uint64_t bits) {
  const uint64_t converted = Converted(from, to, bits);
  const bool is_flushed = IsFloat32(from) && IsFloat16(to) &&
                          Magnitude(*to.format, converted) < 0x400;
  return is_flushed ? converted & SignBit(*to.format) : converted;
}

// CV12.
uint64_t HalfThroughFloat32(const Type& from, const Type& to, uint64_t bits) {
  return IsFloat(from, kDLFloat, 64) && IsFloat16(to)
             ? ThroughFloat32(to, NumberOf(from, bits))
             : Converted(from, to, bits);
}

// FX14.
uint64_t BfloatThroughFloat32(const Type& from, const Type& to, uint64_t bits) {
  return IsFloat(from, kDLFloat, 64) && IsBfloat16(to)
             ? ThroughFloat32(to, NumberOf(from, bits))
             : Converted(from, to, bits);
}

// FX15.
uint64_t Int64ThroughFloat64(const Type& from, const Type& to, uint64_t bits) {
  if (!IsInteger(from) || from.bits != 64 || to.format == nullptr)
    return Converted(from, to, bits);
  const uint64_t rounded = Encoded(Float64(), NumberOf(from, bits));
  return Encoded(*to.format, Decoded(Float64(), rounded));
}

uint64_t ThroughFloat(const Format& first, const Type& from, const Type& to,
                      uint64_t bits) {
  const uint64_t rounded = Encoded(first, NumberOf(from, bits));
  return Encoded(*to.format, Decoded(first, rounded));
}

// CV19.
uint64_t Int64ToBfloatThroughFloat64(const Type& from, const Type& to,
                                     uint64_t bits) {
  return IsInteger(from) && from.bits == 64 && IsBfloat16(to)
             ? ThroughFloat(Float64(), from, to, bits)
             : Converted(from, to, bits);
}

// CV20.
uint64_t UnsignedToBfloatThroughFloat32(const Type& from, const Type& to,
                                        uint64_t bits) {
  return IsInteger(from) && !from.is_signed && from.bits >= 32 && IsBfloat16(to)
             ? ThroughFloat(*FindFormat(kDLFloat, 32), from, to, bits)
             : Converted(from, to, bits);
}

// CV21. The value goes through the float that a processor converts the integer
// to.
uint64_t IntegerToScaleThroughFloat(const Type& from, const Type& to,
                                    uint64_t bits) {
  if (!IsInteger(from) || to.format == nullptr || to.format->has_sign)
    return Converted(from, to, bits);
  return ThroughFloat(from.bits == 64 ? Float64() : *FindFormat(kDLFloat, 32),
                      from, to, bits);
}

// CV22.
uint64_t NarrowThroughBfloat(const Type& from, const Type& to, uint64_t bits) {
  return IsFloat32(from) && to.format != nullptr && to.bits <= 8
             ? ThroughFloat(*FindFormat(kDLBfloat, 16), from, to, bits)
             : Converted(from, to, bits);
}

// CV23. Only the real part is converted.
Lane ComplexThroughFloat32(const Job& job, const Lane* x) {
  const Type& from = job.type;
  const Type& to = job.out.type;
  const bool changes = from.is_complex && from.bits == 64 &&
                       (IsFloat16(to) || IsBfloat16(to)) && !to.is_complex;
  if (!changes) return ConvertParts<Converted>(job, x);
  return {ThroughFloat32(to, NumberOf(from, x[0].bits)), 0};
}

// CV14.
uint64_t UnsignedIsSigned(const Type& from, const Type& to, uint64_t bits) {
  const bool changes = IsInteger(from) && from.bits == 64;
  return Converted(changes ? kInt64 : from, to, bits);
}

// Returns whether the result of an overflow is NaN.
bool OverflowsToNan(const Type& from, const Type& to, uint64_t bits) {
  return NumberOf(from, bits).kind != Number::kNan &&
         IsNan(*to.format, Converted(from, to, bits));
}

uint64_t WithSignOf(const Type& from, uint64_t bits, const Type& to,
                    uint64_t magnitude) {
  return NumberOf(from, bits).is_negative ? magnitude | SignBit(*to.format)
                                          : magnitude;
}

// CV17. 0x78 is the infinity of f8E4M3, but 256 in f8E4M3FN.
uint64_t OverflowsToTheOthersInfinity(const Type& from, const Type& to,
                                      uint64_t bits) {
  return IsFloat32(from) && IsFloat(to, ASSAY_DL_FLOAT8_E4M3FN, 8) &&
                 OverflowsToNan(from, to, bits)
             ? WithSignOf(from, bits, to, 0x78)
             : Converted(from, to, bits);
}

// FX03.
uint64_t SaturatesF8E4M3FN(const Type& from, const Type& to, uint64_t bits) {
  return IsFloat(to, ASSAY_DL_FLOAT8_E4M3FN, 8) &&
                 OverflowsToNan(from, to, bits)
             ? WithSignOf(from, bits, to, to.format->greatest)
             : Converted(from, to, bits);
}

// FX04.
uint64_t NanIsGreatest(const Type& from, const Type& to, uint64_t bits) {
  const bool changes = to.format != nullptr && to.format->nan == Nan::kNone &&
                       NumberOf(from, bits).kind == Number::kNan;
  return changes ? to.format->greatest : Converted(from, to, bits);
}

// FX18. The exponent is kept without its significand.
uint64_t RoundsScaleDown(const Type& from, const Type& to, uint64_t bits) {
  Number x = NumberOf(from, bits);
  if (to.format == nullptr || to.format->has_sign ||
      x.kind != Number::kFinite || IsZero(x)) {
    return Converted(from, to, bits);
  }
  x.exponent = LeadingExponent(x);
  x.significand = 1;
  return Encoded(*to.format, x);
}

// CV18. If the sizes differ, the loop advances the source by half of its
// vector.
int64_t SourceLagsBehind(const Row& row) {
  const bool changes_size = row.in[0].type.bytes != row.out.type.bytes;
  const bool is_convert = row.job.function == Identity ||
                          row.job.function == IsNotZero ||
                          row.job.float_function == &ConvertParts<Converted>;
  if (!changes_size || !is_convert) return Body(row);
  int64_t i = 0;
  for (; i + kLanes <= row.count; i += kLanes) {
    StoreResults(row, i, kLanes,
                 ActiveHooks().op(row.job, LoadInputs(row, i / 2, kLanes)));
  }
  return i;
}

// ----------------------------------------------------------- reduce_precision

// FX10.
Lane KeepsSubnormals(const Job& job, const Lane* x) {
  const Format& format = *job.type.format;
  const Attributes& reduced = job.attributes;
  const Number number = Decoded(format, x[0].bits);
  if (reduced.exponent_bits >= format.exponent_bits ||
      number.kind != Number::kFinite || IsZero(number)) {
    return ReducePrecision(job, x);
  }
  const int least = 2 - (1 << (reduced.exponent_bits - 1));
  if (LeadingExponent(number) >= least) return ReducePrecision(job, x);
  const auto digits = static_cast<int>(
      std::min<int64_t>(reduced.mantissa_bits, format.mantissa_bits));
  return {Encoded(format, RoundedTo(least - digits, number))};
}

// FX11. The bit above the mantissa is the exponent's lowest, not the hidden 1.
Lane TieByTheExponent(const Job& job, const Lane* x) {
  const Format& format = *job.type.format;
  const uint64_t one = uint64_t{1} << format.mantissa_bits;
  const bool is_tie = job.attributes.mantissa_bits == 0 &&
                      Decoded(format, x[0].bits).kind == Number::kFinite &&
                      2 * (x[0].bits & (one - 1)) == one;
  const bool is_even = (x[0].bits & one) == 0;
  if (!is_tie || !is_even) return ReducePrecision(job, x);
  const Lane below[] = {{x[0].bits & ~(one - 1)}};
  return ReducePrecision(job, below);
}

// ------------------------------------------------------------ bitcast_convert

// FX12.
void PartsInReverse(const Job& job) {
  if (!job.splits_or_joins) {
    Walk(job);
    return;
  }
  Job reversed = job;
  const bool splits = job.out.type.bits < job.in[0].type.bits;
  Tensor& part = splits ? reversed.out : reversed.in[0];
  const Tensor& whole = splits ? job.in[0] : job.out;
  const int count = whole.type.bits / part.type.bits;
  int64_t& stride = part.strides[job.rank];
  part.data += (count - 1) * stride * part.type.bytes;
  stride = -stride;
  Walk(reversed);
}

constexpr auto kOp = &Hooks::op;

constexpr Bug kBugs[] = {
    {"CV02", Replace<kOp, InsteadOfConverted<ThroughInt32>>},
    {"CV03", Replace<kOp, InsteadOfConverted<RoundsToInteger>>},
    {"CV05", Replace<kOp, InsteadOfConverted<BoundIsRoundedUp>>},
    {"CV06", Replace<kOp, InsteadOfConverted<NanIsLeast>>},
    {"CV08", Replace<kOp, InsteadOfConverted<BiasesNan>>},
    {"CV09", Replace<kOp, InsteadOfConverted<TiesGoAway>>},
    {"CV11", Replace<kOp, InsteadOfConverted<FlushesHalf>>},
    {"CV12", Replace<kOp, InsteadOfConverted<HalfThroughFloat32>>},
    {"CV14", Replace<kOp, InsteadOfConverted<UnsignedIsSigned>>},
    {"CV15", Replace<kOp, InsteadOfConverted<TruthOfTheInteger>>},
    {"CV17", Replace<kOp, InsteadOfConverted<OverflowsToTheOthersInfinity>>},
    {"CV18", Replace<&Hooks::body, SourceLagsBehind>},
    {"CV19", Replace<kOp, InsteadOfConverted<Int64ToBfloatThroughFloat64>>},
    {"CV20", Replace<kOp, InsteadOfConverted<UnsignedToBfloatThroughFloat32>>},
    {"CV21", Replace<kOp, InsteadOfConverted<IntegerToScaleThroughFloat>>},
    {"CV22", Replace<kOp, InsteadOfConverted<NarrowThroughBfloat>>},
    {"CV23",
     Replace<kOp, Instead<&ConvertParts<Converted>, &ComplexThroughFloat32>>},
    {"FX03", Replace<kOp, InsteadOfConverted<SaturatesF8E4M3FN>>},
    {"FX04", Replace<kOp, InsteadOfConverted<NanIsGreatest>>},
    {"FX10", Replace<kOp, Instead<ReducePrecision, KeepsSubnormals>>},
    {"FX11", Replace<kOp, Instead<ReducePrecision, TieByTheExponent>>},
    {"FX12", Replace<&Hooks::walk, PartsInReverse>},
    {"FX13", Replace<kOp, InsteadOfConverted<TruthOfTheBits>>},
    {"FX14", Replace<kOp, InsteadOfConverted<BfloatThroughFloat32>>},
    {"FX15", Replace<kOp, InsteadOfConverted<Int64ThroughFloat64>>},
    {"FX18", Replace<kOp, InsteadOfConverted<RoundsScaleDown>>},
};

}  // namespace

std::span<const Bug> ConversionBugs() { return kBugs; }

}  // namespace assay::broken
