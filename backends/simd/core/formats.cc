// Values are encoded and decoded by integer arithmetic on the bits of f32 and
// f64, with the constants of a format as template parameters.
//
// f64 is encoded from its own bits, not through f32, which would round twice.
// The one float operation is the addition that rounds to a subnormal code:
// adding 2^k with the ulp of the format's subnormals leaves the code in the low
// bits of the sum. Subtracting 2^k again decodes it.
#include "backends/simd/core/formats.h"

#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/core/formats.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/step_loop-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// The layout of f32 or f64, by its lane type.
template <class T>
inline constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
template <class T>
inline constexpr int kBias = sizeof(T) == 4 ? 127 : 1023;

// Returns the bits of 2^exponent.
template <class U>
constexpr U PowerBits(int exponent) {
  return static_cast<U>(exponent + kBias<U>) << kMantissa<U>;
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE hn::Mask<D> IsLess(D du, V a, V b) {
  const hn::RebindToSigned<D> di;  // Neither operand has its top bit set.
  return hn::RebindMask(du, hn::Lt(hn::BitCast(di, a), hn::BitCast(di, b)));
}

template <class D, class V = hn::Vec<D>>
HWY_INLINE V Least(D du, V a, V b) {
  // 64-bit lanes have no instruction for the minimum before AVX-512.
  if constexpr (sizeof(hn::TFromD<D>) == 4) return hn::Min(a, b);
  return hn::IfThenElse(IsLess(du, a, b), a, b);
}

// f8E8M0FNU rounds ties up. Positive values below 2^-127 give 2^-127, and
// values that are negative or too large give NaN.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V EncodeScale(D du, V bits) {
  using U = hn::TFromD<D>;
  constexpr int kDrop = kMantissa<U>;
  // Values up to this one have code 0. f32 holds 2^-127 as a subnormal, whose
  // next value 2^-126 is at twice the distance that the sum below takes it for.
  constexpr U kZeroTo =
      sizeof(U) == 4 ? U{0x5FFFFF} : PowerBits<U>(-127) - U{1};
  constexpr U kOffset =
      (U{1} << (kDrop - 1)) - (static_cast<U>(kBias<U> - 127) << kDrop);
  const auto nan = hn::Set(du, U{0xFF});
  const auto abs = hn::And(bits, hn::Set(du, static_cast<U>(~U{0} >> 1)));
  const auto rounded =
      hn::ShiftRight<kDrop>(hn::Add(abs, hn::Set(du, kOffset)));
  const auto code = Least(du, nan, rounded);
  // The codes of smaller values have wrapped around.
  const auto positive =
      hn::IfThenElseZero(IsLess(du, hn::Set(du, kZeroTo), abs), code);
  const auto is_negative =
      hn::And(hn::Ne(bits, abs), IsLess(du, hn::Zero(du), abs));
  return hn::IfThenElse(is_negative, nan, positive);
}

// Returns the codes of the floats with these bits.
template <Format kFormat, class D, class V = hn::Vec<D>>
HWY_INLINE V Encode(D du, V bits) {
  using U = hn::TFromD<D>;
  constexpr FormatSpec kSpec = SpecOf(kFormat);
  if constexpr (kSpec.special == Special::kScale) {
    return EncodeScale(du, bits);
  } else {
    const hn::RebindToFloat<D> df;
    constexpr int kSignAt = kSpec.bits() - 1;
    constexpr int kDrop = kMantissa<U> - kSpec.mantissa_bits;
    constexpr int kMinExponent = 1 - kSpec.bias;
    constexpr U kOffset =
        ((U{1} << (kDrop - 1)) - 1) -
        (static_cast<U>(kBias<U> - kSpec.bias) << kMantissa<U>);
    const auto abs = hn::And(bits, hn::Set(du, static_cast<U>(~U{0} >> 1)));
    const auto sign =
        hn::ShiftRight<8 * sizeof(U) - 1 - kSignAt>(hn::Xor(bits, abs));
    const auto odd = hn::And(hn::ShiftRight<kDrop>(abs), hn::Set(du, U{1}));
    auto code =
        hn::ShiftRight<kDrop>(hn::Add(hn::Add(abs, odd), hn::Set(du, kOffset)));
    if constexpr (kSpec.bias != kBias<U>) {
      const auto magic = hn::Set(
          du, PowerBits<U>(kMinExponent - kSpec.mantissa_bits + kMantissa<U>));
      const auto sum = hn::Add(hn::BitCast(df, abs), hn::BitCast(df, magic));
      code = hn::IfThenElse(
          IsLess(du, abs, hn::Set(du, PowerBits<U>(kMinExponent))),
          hn::Sub(hn::BitCast(du, sum), magic), code);
    }
    // The codes of NaNs are beyond the maximum, too.
    if constexpr (kSpec.special == Special::kNanAtMinusZero) {
      const auto overflows = IsLess(du, hn::Set(du, U{kSpec.max}), code);
      code = hn::IfThenElseZero(IsLess(du, hn::Zero(du), code),
                                hn::Or(code, sign));
      return hn::IfThenElse(overflows, hn::Set(du, U{1} << kSignAt), code);
    } else {
      constexpr bool kSaturates = kSpec.special == Special::kNone;
      const auto over =
          hn::Set(du, static_cast<U>(kSpec.max + (kSaturates ? 0 : 1)));
      code = hn::Or(Least(du, over, code), sign);
      if constexpr (kSpec.special == Special::kNanAtEnd) return code;
      // f4 and f6 have no NaN and give 0; the other formats set the quiet bit.
      constexpr U kNan =
          kSaturates ? 0 : kSpec.max + 1 + (1u << (kSpec.mantissa_bits - 1));
      const auto infinity = hn::Set(du, PowerBits<U>(kBias<U> + 1));
      return hn::IfThenElse(IsLess(du, infinity, abs), hn::Set(du, kNan), code);
    }
  }
}

// Returns the bits of the f32 values of these codes.
template <Format kFormat, class D, class V = hn::Vec<D>>
HWY_INLINE V Decode(D du, V code) {
  constexpr FormatSpec kSpec = SpecOf(kFormat);
  const hn::RebindToFloat<D> df;
  const auto nan = hn::Set(du, 0x7FC00000u);
  if constexpr (kFormat == Format::kBF16) {
    return hn::ShiftLeft<16>(code);
  } else if constexpr (kSpec.special == Special::kScale) {
    const auto value =
        hn::IfThenElse(hn::Eq(code, hn::Zero(du)), hn::Set(du, 0x00400000u),
                       hn::ShiftLeft<23>(code));
    return hn::IfThenElse(hn::Eq(code, hn::Set(du, 0xFFu)), nan, value);
  } else {
    constexpr int kSignAt = kSpec.bits() - 1;
    constexpr int kShift = 23 - kSpec.mantissa_bits;
    constexpr uint32_t kRebias = static_cast<uint32_t>(127 - kSpec.bias) << 23;
    const auto abs = hn::And(code, hn::Set(du, (1u << kSignAt) - 1));
    const auto sign =
        hn::ShiftLeft<31 - kSignAt>(hn::And(code, hn::Set(du, 1u << kSignAt)));
    const auto normal =
        hn::Add(hn::ShiftLeft<kShift>(abs), hn::Set(du, kRebias));
    const auto magic = hn::Set(
        du, PowerBits<uint32_t>(1 - kSpec.bias - kSpec.mantissa_bits + 23));
    const auto subnormal = hn::BitCast(
        du,
        hn::Sub(hn::BitCast(df, hn::Or(abs, magic)), hn::BitCast(df, magic)));
    auto value =
        hn::IfThenElse(IsLess(du, abs, hn::Set(du, 1u << kSpec.mantissa_bits)),
                       subnormal, normal);
    if constexpr (kSpec.special == Special::kIeee) {
      // This is the mantissa of an infinity or NaN below the highest exponent.
      const auto special =
          hn::Or(hn::ShiftLeft<kShift>(abs), hn::Set(du, 0x7F800000u));
      value = hn::IfThenElse(IsLess(du, hn::Set(du, kSpec.max), abs), special,
                             value);
    } else if constexpr (kSpec.special == Special::kNanAtEnd) {
      value =
          hn::IfThenElse(IsLess(du, hn::Set(du, kSpec.max), abs), nan, value);
    }
    value = hn::Or(value, sign);
    if constexpr (kSpec.special == Special::kNanAtMinusZero) {
      value =
          hn::IfThenElse(hn::Eq(code, hn::Set(du, 1u << kSignAt)), nan, value);
    }
    return value;
  }
}

template <Format kFormat>
using CodeOf =
    std::conditional_t<(SpecOf(kFormat).bits() > 8), uint16_t, uint8_t>;

// The native conversions are those of F16C, which Highway has on AVX2 and
// AVX-512.
template <Format kFormat>
inline constexpr bool kHasNative = kFormat == Format::kF16 &&
                                   (HWY_TARGET == HWY_AVX2 ||
                                    HWY_TARGET == HWY_AVX3);

template <Format kFormat>
void DecodeLoop(const void* from, float* to, size_t count) {
  using Code = CodeOf<kFormat>;
  const hn::ScalableTag<float> df;
  const auto one_vector = [=](const Code* codes, float* values) HWY_ATTR {
    if constexpr (kHasNative<kFormat>) {
      const hn::Rebind<hwy::float16_t, decltype(df)> dh;
      const auto half =
          hn::BitCast(dh, hn::LoadU(hn::Rebind<Code, decltype(df)>(), codes));
      hn::StoreU(hn::PromoteTo(df, half), df, values);
    } else {
      const hn::RebindToUnsigned<decltype(df)> du;
      const hn::Rebind<Code, decltype(du)> dc;
      const auto code = hn::PromoteTo(du, hn::LoadU(dc, codes));
      hn::StoreU(hn::BitCast(df, Decode<kFormat>(du, code)), df, values);
    }
  };
  ForVectors<Code, float>(from, to, count, hn::Lanes(df), one_vector);
}

template <Format kFormat, class T>
void EncodeLoop(const T* from, void* to, size_t count) {
  using Code = CodeOf<kFormat>;
  const hn::ScalableTag<T> df;
  const hn::Rebind<Code, decltype(df)> dc;
  const auto one_vector = [=](const T* values, Code* codes) HWY_ATTR {
    const auto value = hn::LoadU(df, values);
    if constexpr (kHasNative<kFormat> && sizeof(T) == 4) {
      const hn::Rebind<hwy::float16_t, decltype(df)> dh;
      hn::StoreU(hn::BitCast(dc, hn::DemoteTo(dh, value)), dc, codes);
    } else {
      const hn::RebindToUnsigned<decltype(df)> du;
      const auto code = Encode<kFormat>(du, hn::BitCast(du, value));
      hn::StoreU(hn::TruncateTo(dc, code), dc, codes);
    }
  };
  ForVectors<T, Code>(from, to, count, hn::Lanes(df), one_vector);
}

template <Format kFormat>
constexpr FormatKernels KernelsOf() {
  return {&DecodeLoop<kFormat>, &EncodeLoop<kFormat, float>,
          &EncodeLoop<kFormat, double>};
}

const FormatKernels* AllFormats() {
  // The kernels are in the order of Format.
  static constexpr FormatKernels kKernels[] = {
      KernelsOf<Format::kF4E2M1FN>(),   KernelsOf<Format::kF6E2M3FN>(),
      KernelsOf<Format::kF6E3M2FN>(),   KernelsOf<Format::kF8E3M4>(),
      KernelsOf<Format::kF8E4M3>(),     KernelsOf<Format::kF8E4M3FN>(),
      KernelsOf<Format::kF8E4M3FNUZ>(), KernelsOf<Format::kF8E4M3B11FNUZ>(),
      KernelsOf<Format::kF8E5M2>(),     KernelsOf<Format::kF8E5M2FNUZ>(),
      KernelsOf<Format::kF8E8M0FNU>(),  KernelsOf<Format::kBF16>(),
      KernelsOf<Format::kF16>()};
  static_assert(sizeof(kKernels) / sizeof(kKernels[0]) == kNumFormats);
  return kKernels;
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(AllFormats);

const FormatKernels& FormatTable(const hwy::ChosenTarget& target,
                                 Format format) {
  return HWY_DISPATCH_TABLE(
      AllFormats)[target.GetIndex()]()[static_cast<int>(format)];
}

}  // namespace assay::simd
#endif
