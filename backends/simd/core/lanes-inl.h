// These are lane operations that Highway 1.0.3 lacks: 8-bit products and
// shifts, shifts whose counts may exceed the lane, exact integer division,
// widening and narrowing by more than one step.
//
// All of them wrap, none of them has undefined inputs. This file is included
// once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_CORE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_CORE_LANES_INL_H_
#undef ASSAY_BACKENDS_SIMD_CORE_LANES_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_CORE_LANES_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include <type_traits>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using Lane = hn::TFromD<D>;

// Doubles are lanes of twice the width, as many as fill the same vector.
template <class D>
using Doubles = hn::RepartitionToWide<D>;

template <class D>
HWY_INLINE hn::Vec<D> Constant(D d, uint64_t value) {
  return hn::Set(d, static_cast<Lane<D>>(value));
}

// Returns the lanes with even or odd index, extended to twice the width.
template <class D>
HWY_INLINE hn::Vec<Doubles<D>> EvenLanes(D, hn::Vec<D> v) {
  constexpr int kBits = 8 * sizeof(Lane<D>);
  const Doubles<D> dw;
  return hn::ShiftRight<kBits>(hn::ShiftLeft<kBits>(hn::BitCast(dw, v)));
}

template <class D>
HWY_INLINE hn::Vec<Doubles<D>> OddLanes(D, hn::Vec<D> v) {
  return hn::ShiftRight<8 * sizeof(Lane<D>)>(hn::BitCast(Doubles<D>(), v));
}

// Puts the low halves of wide lanes back to even and odd index.
template <class D>
HWY_INLINE hn::Vec<D> Zip(D d, hn::Vec<Doubles<D>> even,
                          hn::Vec<Doubles<D>> odd) {
  constexpr int kBits = 8 * sizeof(Lane<D>);
  const Doubles<D> dw;
  const auto low = Constant(dw, (uint64_t{1} << kBits) - 1);
  return hn::BitCast(d, hn::Or(hn::And(even, low), hn::ShiftLeft<kBits>(odd)));
}

template <class D>
HWY_INLINE hn::Vec<D> Multiply(D d, hn::Vec<D> a, hn::Vec<D> b) {
  if constexpr (sizeof(Lane<D>) == 1) {
    // The low byte of a 16-bit product needs the low bytes only; the high byte
    // is right when the low byte of one factor is 0.
    const hn::Repartition<uint16_t, D> dw;
    const auto wide_a = hn::BitCast(dw, a);
    const auto wide_b = hn::BitCast(dw, b);
    const auto low = hn::Set(dw, uint16_t{0xFF});
    const auto even = hn::And(hn::Mul(wide_a, wide_b), low);
    const auto odd =
        hn::Mul(hn::ShiftRight<8>(wide_a), hn::AndNot(low, wide_b));
    return hn::BitCast(d, hn::Or(even, odd));
  } else {
    return hn::Mul(a, b);
  }
}

template <class D>
HWY_INLINE hn::Mask<D> CountInRange(D d, hn::Vec<D> count) {
  constexpr uint64_t kBits = 8 * sizeof(Lane<D>);
  return hn::Eq(hn::And(count, Constant(d, ~(kBits - 1))), hn::Zero(d));
}

// Returns v << count on unsigned lanes, or 0 where count exceeds the lane.
template <class D>
HWY_INLINE hn::Vec<D> ShiftLeftBy(D d, hn::Vec<D> v, hn::Vec<D> count) {
  if constexpr (sizeof(Lane<D>) == 1) {
    alignas(16) static constexpr uint8_t kPower[16] = {1,  2,  4,  8,
                                                       16, 32, 64, 128};
    const auto index = hn::Min(count, hn::Set(d, uint8_t{15}));
    return Multiply(d, v,
                    hn::TableLookupBytes(hn::LoadDup128(d, kPower), index));
  } else {
    constexpr uint64_t kBits = 8 * sizeof(Lane<D>);
    const auto in_range = CountInRange(d, count);
    count = hn::And(count, Constant(d, kBits - 1));
    return hn::IfThenElseZero(in_range, hn::Shl(v, count));
  }
}

// Returns v >> count with the fill of the lane's signedness. Counts beyond the
// lane give 0 on unsigned lanes and the sign on signed lanes.
template <class D>
HWY_INLINE hn::Vec<D> ShiftRightBy(D d, hn::Vec<D> v, hn::Vec<D> count) {
  using T = Lane<D>;
  constexpr uint64_t kBits = 8 * sizeof(T);
  const hn::RebindToUnsigned<D> du;
  const auto unsigned_count = hn::BitCast(du, count);
  if constexpr (sizeof(T) == 1) {
    // v >> c is the high half of (v << 8) * 2^(8-c) as a 16-bit product, signed
    // or not. The table has 2^(7-c) because 2^8 is no byte.
    alignas(16) static constexpr uint8_t kPower[16] = {128, 64, 32, 16,
                                                       8,   4,  2,  1};
    const auto last =
        hn::Set(du, std::is_signed_v<T> ? uint8_t{7} : uint8_t{15});
    const auto factor =
        hn::BitCast(d, hn::TableLookupBytes(hn::LoadDup128(du, kPower),
                                            hn::Min(unsigned_count, last)));
    const Doubles<D> dw;
    const Doubles<decltype(du)> duw;
    const auto factors = hn::BitCast(duw, factor);
    const auto low = hn::Set(duw, uint16_t{0xFF});
    const auto even_factor = hn::ShiftLeft<1>(hn::And(factors, low));
    const auto odd_factor = hn::ShiftLeft<1>(hn::ShiftRight<8>(factors));
    const auto wide = hn::BitCast(duw, v);
    return Zip(d,
               hn::MulHigh(hn::BitCast(dw, hn::ShiftLeft<8>(wide)),
                           hn::BitCast(dw, even_factor)),
               hn::MulHigh(hn::BitCast(dw, hn::AndNot(low, wide)),
                           hn::BitCast(dw, odd_factor)));
  } else if constexpr (std::is_signed_v<T>) {
    const auto last = Constant(d, kBits - 1);
    return hn::Shr(v, hn::IfThenElse(CountInRange(d, count), count, last));
  } else {
    const auto in_range = CountInRange(d, count);
    count = hn::And(count, Constant(d, kBits - 1));
    return hn::IfThenElseZero(in_range, hn::Shr(v, count));
  }
}

// Returns the 32-bit quotients of doubles that hold 32-bit integers, in the low
// half of each 64-bit lane. Adding 1.5 * 2^52 moves an integer to the
// mantissa's end.
template <class D64>
HWY_INLINE hn::Vec<D64> QuotientOfDoubles(D64 d64,
                                          hn::Vec<hn::RebindToFloat<D64>> a,
                                          hn::Vec<hn::RebindToFloat<D64>> b) {
  const hn::RebindToFloat<D64> df;
  return hn::BitCast(d64,
                     hn::Add(hn::Trunc(hn::Div(a, b)), hn::Set(df, 0x1.8p52)));
}

// Returns the 32-bit integer in the low half of an unsigned 64-bit lane as a
// double: 2^52 + v has v for its mantissa. Signed integers come with 2^31
// added.
template <class D64>
HWY_INLINE hn::Vec<hn::RebindToFloat<D64>> DoubleOf(D64 d64, hn::Vec<D64> v,
                                                    bool is_signed) {
  const hn::RebindToFloat<D64> df;
  const auto bits = hn::Or(v, hn::Set(d64, uint64_t{0x4330000000000000}));
  const double offset = is_signed ? 0x1p52 + 0x1p31 : 0x1p52;
  return hn::Sub(hn::BitCast(df, bits), hn::Set(df, offset));
}

// Returns exact unsigned 64-bit quotients, from estimates that are never too
// large: the reciprocal is lowered by more than all roundings can add up to, in
// any rounding mode. The first estimate misses at most 2^-48 of the quotient,
// the second one finds all of that but at most 1.
template <class D>
HWY_INLINE hn::Vec<D> QuotientOf64(D d, hn::Vec<D> a, hn::Vec<D> b) {
  const hn::RebindToFloat<D> df;
  const auto reciprocal =
      hn::Div(hn::Set(df, 1.0 - 0x1p-49), hn::ConvertTo(df, b));
  // The estimate is converted to an integer in two parts of 32 bits, because
  // there is no conversion beyond 2^63.
  const auto first = hn::Mul(hn::ConvertTo(df, a), reciprocal);
  const auto high = hn::Trunc(hn::Mul(first, hn::Set(df, 0x1p-32)));
  const auto low =
      hn::Trunc(hn::Sub(first, hn::Mul(high, hn::Set(df, 0x1p32))));
  const auto magic = hn::Set(df, 0x1p52);
  const auto mantissa = Constant(d, (uint64_t{1} << 52) - 1);
  auto quotient =
      hn::Add(hn::ShiftLeft<32>(hn::BitCast(d, hn::Add(high, magic))),
              hn::And(hn::BitCast(d, hn::Add(low, magic)), mantissa));
  auto rest = hn::Sub(a, Multiply(d, quotient, b));
  const auto second = hn::Trunc(hn::Mul(hn::ConvertTo(df, rest), reciprocal));
  const auto more = hn::And(hn::BitCast(d, hn::Add(second, magic)), mantissa);
  quotient = hn::Add(quotient, more);
  rest = hn::Sub(rest, Multiply(d, more, b));
  // A mask is -1 where it is set.
  return hn::Add(hn::Add(quotient, Constant(d, 1)),
                 hn::VecFromMask(d, hn::Lt(rest, b)));
}

// Returns a / b toward zero; b must not be 0. 8 and 16 bits go through floats
// and 32 bits through doubles: the exact quotient of two n-bit integers is at
// least 2^-n below the next integer, which a significand of more than 2n bits
// never rounds up to, in any rounding mode.
//
// 64 bits go through two estimates where the vector has 8 lanes: 1.05 ns an
// element in the L1 cache against 1.93 ns for the division instruction, which
// is faster on shorter vectors (6.5 ns on 2 lanes, 3.0 ns on 4 lanes).
template <class D>
HWY_INLINE hn::Vec<D> Quotient(D d, hn::Vec<D> a, hn::Vec<D> b) {
  using T = Lane<D>;
  if constexpr (sizeof(T) == 1) {
    const Doubles<D> dw;
    return Zip(d, Quotient(dw, EvenLanes(d, a), EvenLanes(d, b)),
               Quotient(dw, OddLanes(d, a), OddLanes(d, b)));
  } else if constexpr (sizeof(T) == 2) {
    const hn::Repartition<int32_t, D> dw;
    const hn::Repartition<float, D> df;
    const auto divide = [=](auto x, auto y) HWY_ATTR {
      return hn::BitCast(
          Doubles<D>(),
          hn::ConvertTo(dw, hn::Div(hn::ConvertTo(df, hn::BitCast(dw, x)),
                                    hn::ConvertTo(df, hn::BitCast(dw, y)))));
    };
    return Zip(d, divide(EvenLanes(d, a), EvenLanes(d, b)),
               divide(OddLanes(d, a), OddLanes(d, b)));
  } else if constexpr (sizeof(T) == 4) {
    constexpr bool kSigned = std::is_signed_v<T>;
    const hn::Repartition<uint32_t, D> du;
    const hn::Repartition<uint64_t, D> dw;
    const auto bias = hn::Set(du, kSigned ? 0x80000000u : 0u);
    const auto ua = hn::Xor(hn::BitCast(du, a), bias);
    const auto ub = hn::Xor(hn::BitCast(du, b), bias);
    const auto divide = [=](auto x, auto y) HWY_ATTR {
      return QuotientOfDoubles(dw, DoubleOf(dw, x, kSigned),
                               DoubleOf(dw, y, kSigned));
    };
    return hn::BitCast(d, Zip(du, divide(EvenLanes(du, ua), EvenLanes(du, ub)),
                              divide(OddLanes(du, ua), OddLanes(du, ub))));
  } else if constexpr (hn::MaxLanes(D()) < 8) {
    alignas(hwy::kMaxVectorSize) T x[hn::MaxLanes(D())];
    alignas(hwy::kMaxVectorSize) T y[hn::MaxLanes(D())];
    hn::Store(a, d, x);
    hn::Store(b, d, y);
    for (size_t i = 0; i < hn::Lanes(d); ++i) {
      // INT64_MIN / -1 traps.
      const bool negates = std::is_signed_v<T> && y[i] == static_cast<T>(-1);
      x[i] = negates ? static_cast<T>(-static_cast<uint64_t>(x[i]))
                     : static_cast<T>(x[i] / y[i]);
    }
    return hn::Load(d, x);
  } else if constexpr (std::is_signed_v<T>) {
    const hn::RebindToUnsigned<D> du;
    const auto sign = hn::BroadcastSignBit(hn::Xor(a, b));
    const auto magnitude = QuotientOf64(du, hn::BitCast(du, hn::Abs(a)),
                                        hn::BitCast(du, hn::Abs(b)));
    return hn::Sub(hn::Xor(hn::BitCast(d, magnitude), sign), sign);
  } else {
    return QuotientOf64(d, a, b);
  }
}

template <class D>
HWY_INLINE hn::Vec<D> ReplaceZero(D d, hn::Vec<D> v) {
  return hn::IfThenElse(hn::Eq(v, hn::Zero(d)), Constant(d, 1), v);
}

// Returns as many lanes of the narrower type TI as D has, extended by TI's
// signedness.
template <class D, class TI>
HWY_INLINE hn::Vec<D> Widen(D d, hn::Vec<hn::Rebind<TI, D>> v) {
  using TO = Lane<D>;
  if constexpr (sizeof(TI) == sizeof(TO)) {
    return hn::BitCast(d, v);
  } else if constexpr (sizeof(TO) == 8 && sizeof(TI) <= 2) {
    using TM = std::conditional_t<std::is_signed_v<TI>, int32_t, uint32_t>;
    return Widen<D, TM>(d, hn::PromoteTo(hn::Rebind<TM, D>(), v));
  } else {
    using TX = std::conditional_t<std::is_signed_v<TI>, hwy::MakeSigned<TO>,
                                  hwy::MakeUnsigned<TO>>;
    return hn::BitCast(d, hn::PromoteTo(hn::Rebind<TX, D>(), v));
  }
}

// Returns one full vector of unsigned lanes of type TO, truncated from the
// vectors Source::Part(block, i) of the lane type Source::Wide from element i
// on.
template <class TO, class Source, class Block>
HWY_INLINE hn::Vec<hn::ScalableTag<TO>> Narrow(const Block& block, size_t i) {
  if constexpr (sizeof(TO) == sizeof(typename Source::Wide)) {
    return Source::Part(block, i);
  } else {
    const hn::ScalableTag<TO> d;
    const auto low = Narrow<hwy::MakeWide<TO>, Source>(block, i);
    const auto high =
        Narrow<hwy::MakeWide<TO>, Source>(block, i + hn::Lanes(d) / 2);
    return hn::ConcatEven(d, hn::BitCast(d, high), hn::BitCast(d, low));
  }
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_CORE_LANES_INL_H_
