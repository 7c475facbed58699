// The storages say how floats lie in memory: f32 and f64 as they are, f16 and
// bf16 as the hardware converts them. The formats of 8 bits and less are
// converted by integer arithmetic with the constants of the format, which a job
// contains: one kernel serves all of them.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_STORAGE_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_STORAGE_H_

#include "backends/calls/formats.h"
#include "backends/cuda/core/device.h"
#include "backends/cuda/core/job.h"

namespace assay::cuda {

// This is the layout of f32 or f64, by the type of its bits.
template <class U>
inline constexpr int kMantissa = sizeof(U) == 4 ? 23 : 52;
template <class U>
inline constexpr int kBias = sizeof(U) == 4 ? 127 : 1023;

// f8E8M0FNU rounds ties up. Positive values below 2^-127 give 2^-127, and
// values that are negative or too large give NaN.
template <class U>
ASSAY_DEVICE uint32_t EncodeScale(U bits) {
  constexpr U kSign = U{1} << (8 * sizeof(U) - 1);
  constexpr U kHalf = U{1} << (kMantissa<U> - 1);
  constexpr U kInfinity = ~U{0} >> 1 >> kMantissa<U> << kMantissa<U>;
  const U abs = bits & ~kSign;
  if (abs > kInfinity || (bits != abs && abs != 0)) return 0xFF;
  // f32 has 2^-127 as a subnormal, whose next code, at 2^-126, is twice as far
  // away as the other codes make it seem: halfway is 0x600000.
  if constexpr (sizeof(U) == 4) {
    if (abs < U{0x600000}) return 0;
  }
  const U code = (abs + kHalf) >> kMantissa<U>;
  constexpr U kLeast = static_cast<U>(kBias<U> - 127);
  if constexpr (kLeast > 0) {
    if (code < kLeast) return 0;
  }
  return code - kLeast > 0xFE ? 0xFF : static_cast<uint32_t>(code - kLeast);
}

// Returns the code of a value of f32 or f64, given by its bits: rounded once,
// to nearest with ties to even. NaNs lose their payloads.
template <class U>
ASSAY_DEVICE uint32_t Encode(U bits, const FormatData& f) {
  constexpr U kSign = U{1} << (8 * sizeof(U) - 1);
  constexpr U kOne = U{1} << kMantissa<U>;
  constexpr U kInfinity = ~U{0} >> 1 >> kMantissa<U> << kMantissa<U>;
  const auto special = static_cast<calls::Special>(f.special);
  if (special == calls::Special::kScale) return EncodeScale(bits);
  const uint32_t sign = (bits & kSign) != 0 ? 1u << (f.bits - 1) : 0;
  const U abs = bits & ~kSign;
  if (abs > kInfinity) {
    switch (special) {
      case calls::Special::kIeee:  // The NaN is quiet.
        return sign | (f.max + 1 + (1u << (f.mantissa_bits - 1)));
      case calls::Special::kNanAtEnd:
        return sign | (f.max + 1);
      case calls::Special::kNanAtMinusZero:
        return 1u << (f.bits - 1);
      default:
        return 0;  // The format has no NaN.
    }
  }
  const int field = static_cast<int>(abs >> kMantissa<U>);
  const U significand = field == 0 ? abs : (abs & (kOne - 1)) | kOne;
  const int exponent = (field == 0 ? 1 : field) - kBias<U>;
  // 1 - f.bias is the least normal exponent.
  const int above = exponent - (1 - f.bias);
  // From two bits beyond the significand on, the rest is less than half.
  const int most = kMantissa<U> + 2;
  int drop = kMantissa<U> - f.mantissa_bits - (above < 0 ? above : 0);
  drop = drop < most ? drop : most;
  const U kept = significand >> drop;
  U code = kept;
  if (drop > 0) {
    const U rest = significand & ((U{1} << drop) - 1);
    const U half = U{1} << (drop - 1);
    code += rest > half || (rest == half && (kept & 1) != 0);
  }
  if (above > 0) code += static_cast<U>(above) << f.mantissa_bits;
  if (special == calls::Special::kNanAtMinusZero) {
    if (code > f.max) return 1u << (f.bits - 1);
    return code == 0 ? 0 : sign | static_cast<uint32_t>(code);
  }
  const uint32_t over = f.max + (special == calls::Special::kNone ? 0 : 1);
  return sign | (code > f.max ? over : static_cast<uint32_t>(code));
}

// Decoding is exact.
ASSAY_DEVICE float Decode(uint32_t code, const FormatData& f) {
  constexpr uint32_t kNan = 0x7FC00000;
  const auto special = static_cast<calls::Special>(f.special);
  if (special == calls::Special::kScale) {
    return BitCast<float>(code == 0      ? 0x00400000u
                          : code == 0xFF ? kNan
                                         : code << 23);
  }
  const uint32_t sign = code & (1u << (f.bits - 1));
  const uint32_t magnitude = code & ((1u << (f.bits - 1)) - 1);
  if (special == calls::Special::kNanAtMinusZero && sign == code && code != 0)
    return BitCast<float>(kNan);
  uint32_t bits;
  if (magnitude > f.max) {
    bits = special == calls::Special::kIeee && magnitude == f.max + 1
               ? 0x7F800000
               : kNan;
  } else if (magnitude >> f.mantissa_bits == 0) {
    const auto unit = static_cast<uint32_t>(128 - f.bias - f.mantissa_bits)
                      << 23;
    bits =
        BitCast<uint32_t>(static_cast<float>(magnitude) * BitCast<float>(unit));
  } else {
    bits = (magnitude << (23 - f.mantissa_bits)) +
           (static_cast<uint32_t>(127 - f.bias) << 23);
  }
  return BitCast<float>(bits | sign << (32 - f.bits));
}

// ------------------------------------------------------------------- Storages

struct F32 {
  using Raw = uint32_t;
  using Value = float;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = true;
  ASSAY_DEVICE static float ToValue(Raw raw, const Parameters&) {
    return BitCast<float>(raw);
  }
  ASSAY_DEVICE static Raw ToRaw(float value, const Parameters&) {
    return BitCast<Raw>(value);
  }
};

struct F64 {
  using Raw = uint64_t;
  using Value = double;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static double ToValue(Raw raw, const Parameters&) {
    return BitCast<double>(raw);
  }
  ASSAY_DEVICE static Raw ToRaw(double value, const Parameters&) {
    return BitCast<Raw>(value);
  }
};

struct F16 {
  using Raw = uint16_t;
  using Value = float;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = true;
  ASSAY_DEVICE static float ToValue(Raw raw, const Parameters&) {
#ifdef __CUDACC__
    float value;
    asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(raw));
    return value;
#else
    // Infinity and NaN need another exponent in f32, which Decode sets and a
    // shift of the bits would not.
    constexpr FormatData kFormat = {16, 5, 10, 15, 0, 0x7BFF};
    return Decode(raw, kFormat);
#endif
  }
  ASSAY_DEVICE static Raw ToRaw(float value, const Parameters&) {
#ifdef __CUDACC__
    Raw raw;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(raw) : "f"(value));
    return raw;
#else
    constexpr FormatData kFormat = {16, 5, 10, 15, 0, 0x7BFF};
    return static_cast<Raw>(Encode(BitCast<uint32_t>(value), kFormat));
#endif
  }
#ifdef __CUDACC__
  ASSAY_DEVICE static void ToRaws(float a, float b, Raw* raws) {
    uint32_t both;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(b), "f"(a));
    raws[0] = static_cast<Raw>(both);
    raws[1] = static_cast<Raw>(both >> 16);
  }
#endif
};

struct BF16 {
  using Raw = uint16_t;
  using Value = float;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = true;
  ASSAY_DEVICE static float ToValue(Raw raw, const Parameters&) {
    return BitCast<float>(static_cast<uint32_t>(raw) << 16);
  }
  ASSAY_DEVICE static Raw ToRaw(float value, const Parameters&) {
#ifdef __CUDACC__
    Raw raw;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(raw) : "f"(value));
    return raw;
#else
    constexpr FormatData kFormat = {16, 8, 7, 127, 0, 0x7F7F};
    return static_cast<Raw>(Encode(BitCast<uint32_t>(value), kFormat));
#endif
  }
#ifdef __CUDACC__
  ASSAY_DEVICE static void ToRaws(float a, float b, Raw* raws) {
    uint32_t both;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(b), "f"(a));
    raws[0] = static_cast<Raw>(both);
    raws[1] = static_cast<Raw>(both >> 16);
  }
#endif
};

// The hardware encodes two values at a time, with saturation. A value that is
// more than halfway from 448 to the next power of two becomes NaN here. That is
// seldom, so the code looks for the greatest code, in four codes of a word at a
// time.
struct F8E4M3FN {
  using Raw = uint8_t;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  ASSAY_DEVICE static uint32_t ToSaturated(const float (&values)[4]) {
    uint32_t word;
    asm("{\n"
        "  .reg .b16 low, high;\n"
        "  cvt.rn.satfinite.e4m3x2.f32 low, %2, %1;\n"
        "  cvt.rn.satfinite.e4m3x2.f32 high, %4, %3;\n"
        "  mov.b32 %0, {low, high};\n"
        "}"
        : "=r"(word)
        : "f"(values[0]), "f"(values[1]), "f"(values[2]), "f"(values[3]));
    return word;
  }
  template <int kCount>
  ASSAY_DEVICE static void ToRaws(const float (&values)[kCount],
                                  Raw (&raws)[kCount]) {
    constexpr int kWords = (kCount + 3) / 4;
    uint32_t words[kWords];
    uint32_t has_greatest = 0;
    ASSAY_UNROLL
    for (int w = 0; w < kWords; ++w) {
      float four[4];
      ASSAY_UNROLL
      for (int i = 0; i < 4; ++i)
        four[i] = 4 * w + i < kCount ? values[4 * w + i] : 0;
      words[w] = ToSaturated(four);
      has_greatest |= (words[w] & 0x7F7F7F7F) + 0x02020202;
    }
    if ((has_greatest & 0x80808080) != 0) {
      ASSAY_UNROLL
      for (int i = 0; i < kCount; ++i) {
        if (::fabsf(values[i]) > 464) words[i / 4] |= 0x7Fu << (i % 4 * 8);
      }
      StayInBranch();
    }
    memcpy(raws, words, kCount);
  }
#else
  template <int kCount>
  ASSAY_DEVICE static void ToRaws(const float (&values)[kCount],
                                  Raw (&raws)[kCount]) {
    constexpr FormatData kFormat = {8, 4, 3, 7, 1, 0x7E};
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i)
      raws[i] = static_cast<Raw>(Encode(BitCast<uint32_t>(values[i]), kFormat));
  }
#endif
};

// The job has the format.
struct Narrow {
  using Raw = uint8_t;
  using Value = float;
  static constexpr bool kTilesArithmetic = false;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static float ToValue(Raw raw, const Parameters& p) {
    return Decode(raw, p.format);
  }
  ASSAY_DEVICE static Raw ToRaw(float value, const Parameters& p) {
    return static_cast<Raw>(Encode(BitCast<uint32_t>(value), p.format));
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_FLOAT_STORAGE_H_
