// These are the steps of conversions between integers, f32 and f64.
//
// Integers of up to 32 bits leave f64 without a conversion instruction: adding
// 1.5 * 2^52 moves an integer to the mantissa's end. 64-bit integers are
// rounded to 53 bits before they enter f64.
#include "backends/simd/core/steps.h"

#include <stdint.h>

#include <limits>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/core/steps.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/step_loop-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// ---------------------------------------------------------------- To f32, f64

// Converts integers of 8 and 16 bits.
template <class T>
void ToF32(const void* from, void* to, size_t count) {
  const hn::ScalableTag<float> df;
  const auto one_vector = [=](const T* integers, float* values) HWY_ATTR {
    const hn::Rebind<T, decltype(df)> d;
    const hn::Rebind<int32_t, decltype(df)> di;
    const auto wide = hn::PromoteTo(di, hn::LoadU(d, integers));
    hn::StoreU(hn::ConvertTo(df, wide), df, values);
  };
  ForVectors<T, float>(from, to, count, hn::Lanes(df), one_vector);
}

void I32ToF32(const void* from, void* to, size_t count) {
  const hn::ScalableTag<float> df;
  const auto one_vector = [=](const int32_t* integers, float* values) HWY_ATTR {
    const hn::RebindToSigned<decltype(df)> di;
    hn::StoreU(hn::ConvertTo(df, hn::LoadU(di, integers)), df, values);
  };
  ForVectors<int32_t, float>(from, to, count, hn::Lanes(df), one_vector);
}

// Magnitudes of 2^53 and more lose 11 bits, and their last bit is set if that
// changes them. What the sign bit means does not matter to this.
template <class D>
HWY_INLINE hn::Vec<D> RoundToOdd(D d, hn::Vec<D> v) {
  using T = hn::TFromD<D>;
  const hn::RebindToUnsigned<D> du;
  auto magnitude = hn::BitCast(du, v);
  if constexpr (std::is_signed_v<T>) magnitude = hn::BitCast(du, hn::Abs(v));
  const auto fits =
      hn::RebindMask(d, hn::Eq(hn::ShiftRight<53>(magnitude), hn::Zero(du)));
  const auto rest = hn::Set(d, T{0x7FF});
  const auto sticky =
      hn::And(hn::Add(hn::And(v, rest), rest), hn::Set(d, T{0x800}));
  return hn::IfThenElse(fits, v, hn::Or(hn::AndNot(rest, v), sticky));
}

enum class Rounding { kNearest, kOdd };

template <class T, Rounding kRounding>
void I64ToF64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const T* integers, double* values) HWY_ATTR {
    const hn::Rebind<T, decltype(df)> d;
    auto v = hn::LoadU(d, integers);
    if constexpr (kRounding == Rounding::kOdd) v = RoundToOdd(d, v);
    hn::StoreU(hn::ConvertTo(df, v), df, values);
  };
  ForVectors<T, double>(from, to, count, hn::Lanes(df), one_vector);
}

void I32ToF64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const int32_t* integers,
                              double* values) HWY_ATTR {
    const hn::Rebind<int32_t, decltype(df)> d;
    hn::StoreU(hn::PromoteTo(df, hn::LoadU(d, integers)), df, values);
  };
  ForVectors<int32_t, double>(from, to, count, hn::Lanes(df), one_vector);
}

void U32ToF64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const uint32_t* integers,
                              double* values) HWY_ATTR {
    const hn::Rebind<uint32_t, decltype(df)> d;
    const hn::RebindToUnsigned<decltype(df)> du;
    // The double 2^52 + v has v for its mantissa.
    const auto magic = hn::Set(df, 0x1p52);
    const auto sum = hn::Or(hn::PromoteTo(du, hn::LoadU(d, integers)),
                            hn::BitCast(du, magic));
    hn::StoreU(hn::Sub(hn::BitCast(df, sum), magic), df, values);
  };
  ForVectors<uint32_t, double>(from, to, count, hn::Lanes(df), one_vector);
}

// -------------------------------------------------------------- From f32, f64

template <class V>
HWY_INLINE V NanToZero(V v) {
  return hn::IfThenElseZero(hn::Eq(v, v), v);
}

// Clamps to the range of T, both ends of which F holds.
template <class T, class D>
HWY_INLINE hn::Vec<D> Clamp(D d, hn::Vec<D> v) {
  using F = hn::TFromD<D>;
  using Limits = std::numeric_limits<T>;
  return hn::Min(hn::Max(NanToZero(v), hn::Set(d, F{Limits::min()})),
                 hn::Set(d, F{Limits::max()}));
}

// Converts to integers of 8 and 16 bits.
template <class T>
void FromF32(const void* from, void* to, size_t count) {
  using U = std::make_unsigned_t<T>;
  const hn::ScalableTag<float> df;
  const auto one_vector = [=](const float* values, U* integers) HWY_ATTR {
    const hn::RebindToSigned<decltype(df)> di;
    const hn::RebindToUnsigned<decltype(df)> du;
    const hn::Rebind<U, decltype(df)> d;
    const auto clamped = Clamp<T>(df, hn::LoadU(df, values));
    const auto wide = hn::BitCast(du, hn::ConvertTo(di, clamped));
    hn::StoreU(hn::TruncateTo(d, wide), d, integers);
  };
  ForVectors<float, U>(from, to, count, hn::Lanes(df), one_vector);
}

// Highway's conversions saturate, so nothing is clamped here.
void F32ToI32(const void* from, void* to, size_t count) {
  const hn::ScalableTag<float> df;
  const auto one_vector = [=](const float* values, int32_t* integers) HWY_ATTR {
    const hn::RebindToSigned<decltype(df)> di;
    const auto value = NanToZero(hn::LoadU(df, values));
    hn::StoreU(hn::ConvertTo(di, value), di, integers);
  };
  ForVectors<float, int32_t>(from, to, count, hn::Lanes(df), one_vector);
}

// Converts to integers of 8, 16 and 32 bits.
template <class T>
void FromF64(const void* from, void* to, size_t count) {
  using U = std::make_unsigned_t<T>;
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const double* values, U* integers) HWY_ATTR {
    const hn::RebindToUnsigned<decltype(df)> du;
    const hn::Rebind<U, decltype(df)> d;
    const auto clamped = Clamp<T>(df, hn::LoadU(df, values));
    const auto sum = hn::Add(hn::Trunc(clamped), hn::Set(df, 0x1.8p52));
    hn::StoreU(hn::TruncateTo(d, hn::BitCast(du, sum)), d, integers);
  };
  ForVectors<double, U>(from, to, count, hn::Lanes(df), one_vector);
}

void F64ToI64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const double* values,
                              int64_t* integers) HWY_ATTR {
    const hn::RebindToSigned<decltype(df)> di;
    const auto value = NanToZero(hn::LoadU(df, values));
    hn::StoreU(hn::ConvertTo(di, value), di, integers);
  };
  ForVectors<double, int64_t>(from, to, count, hn::Lanes(df), one_vector);
}

// Values from 2^63 on are moved down by 2^63, which is exact there, and
// converted through i64.
void F64ToU64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const double* values,
                              uint64_t* integers) HWY_ATTR {
    const hn::RebindToSigned<decltype(df)> di;
    const hn::RebindToUnsigned<decltype(df)> du;
    const auto half = hn::Set(df, 0x1p63);
    const auto top = hn::Set(du, uint64_t{1} << 63);
    const auto value = hn::Max(NanToZero(hn::LoadU(df, values)), hn::Zero(df));
    const auto is_high = hn::Ge(value, half);
    const auto low = hn::Sub(value, hn::IfThenElseZero(is_high, half));
    const auto integer = hn::BitCast(du, hn::ConvertTo(di, low));
    const auto moved =
        hn::Or(integer, hn::IfThenElseZero(hn::RebindMask(du, is_high), top));
    hn::StoreU(moved, du, integers);
  };
  ForVectors<double, uint64_t>(from, to, count, hn::Lanes(df), one_vector);
}

template <class T>
void ToBool(const void* from, void* to, size_t count) {
  const hn::ScalableTag<T> df;
  const auto one_vector = [=](const T* values, uint8_t* bools) HWY_ATTR {
    const hn::RebindToUnsigned<decltype(df)> du;
    const hn::Rebind<uint8_t, decltype(df)> d;
    const auto is_zero = hn::Eq(hn::LoadU(df, values), hn::Zero(df));
    const auto one = hn::Set(du, hn::TFromD<decltype(du)>{1});
    const auto wide = hn::IfThenZeroElse(hn::RebindMask(du, is_zero), one);
    hn::StoreU(hn::TruncateTo(d, wide), d, bools);
  };
  ForVectors<T, uint8_t>(from, to, count, hn::Lanes(df), one_vector);
}

// ------------------------------------------------------------------ f32 <->
// f64

void F32ToF64(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const float* values, double* wide) HWY_ATTR {
    const hn::Rebind<float, decltype(df)> d;
    hn::StoreU(hn::PromoteTo(df, hn::LoadU(d, values)), df, wide);
  };
  ForVectors<float, double>(from, to, count, hn::Lanes(df), one_vector);
}

void F64ToF32(const void* from, void* to, size_t count) {
  const hn::ScalableTag<double> df;
  const auto one_vector = [=](const double* values, float* narrow) HWY_ATTR {
    const hn::Rebind<float, decltype(df)> d;
    hn::StoreU(hn::DemoteTo(d, hn::LoadU(df, values)), d, narrow);
  };
  ForVectors<double, float>(from, to, count, hn::Lanes(df), one_vector);
}

// ------------------------------------------------------------------------ Copy

// Copies bytes past the caches. The bytes before the first and after the last
// whole vector of the target are copied by memcpy.
void Stream(const void* from, void* to, size_t count) {
  const hn::ScalableTag<uint8_t> d;
  const size_t lanes = hn::Lanes(d);
  const auto* source = static_cast<const uint8_t*>(from);
  auto* target = static_cast<uint8_t*>(to);
  size_t i = HWY_MIN(count, -reinterpret_cast<uintptr_t>(to) % lanes);
  memcpy(target, source, i);
  for (; i + lanes <= count; i += lanes) {
    hn::Stream(hn::LoadU(d, source + i), d, target + i);
  }
  memcpy(target + i, source + i, count - i);
}

const Steps& AllSteps() {
  static constexpr Steps kSteps = {
      .of_signed = {{ToF32<int8_t>, ToF32<int16_t>},
                    {nullptr, nullptr, I32ToF64,
                     I64ToF64<int64_t, Rounding::kOdd>},
                    {FromF32<int8_t>, FromF32<int16_t>},
                    {FromF64<int8_t>, FromF64<int16_t>, FromF64<int32_t>,
                     F64ToI64}},
      .of_unsigned = {{ToF32<uint8_t>, ToF32<uint16_t>},
                      {nullptr, nullptr, U32ToF64,
                       I64ToF64<uint64_t, Rounding::kOdd>},
                      {FromF32<uint8_t>, FromF32<uint16_t>},
                      {FromF64<uint8_t>, FromF64<uint16_t>, FromF64<uint32_t>,
                       F64ToU64}},
      .i32_to_f32 = I32ToF32,
      .i64_to_f64 = I64ToF64<int64_t, Rounding::kNearest>,
      .u64_to_f64 = I64ToF64<uint64_t, Rounding::kNearest>,
      .f32_to_i32 = F32ToI32,
      .f32_to_f64 = F32ToF64,
      .f64_to_f32 = F64ToF32,
      .f32_to_bool = ToBool<float>,
      .f64_to_bool = ToBool<double>,
      .stream = Stream,
  };
  return kSteps;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(AllSteps);

const Steps& StepTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(AllSteps)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
