// This header describes the codes of the narrow float formats.
#ifndef ASSAY_BACKENDS_CALLS_FORMATS_H_
#define ASSAY_BACKENDS_CALLS_FORMATS_H_

#include <stdint.h>

namespace assay::calls {

enum class Format : uint8_t {
  kF4E2M1FN,
  kF6E2M3FN,
  kF6E3M2FN,
  kF8E3M4,
  kF8E4M3,
  kF8E4M3FN,
  kF8E4M3FNUZ,
  kF8E4M3B11FNUZ,
  kF8E5M2,
  kF8E5M2FNUZ,
  kF8E8M0FNU,
  kBF16,
  kF16
};

inline constexpr int kNumFormats = 13;

// Special says what the codes beyond the finite values mean.
enum class Special : uint8_t {
  kIeee,      // The highest exponent holds infinity and NaN.
  kNanAtEnd,  // NaN is the code after the maximum; no infinity.
  kNanAtMinusZero,
  kNone,
  kScale  // f8E8M0FNU: an exponent without sign, zero or significand.
};

struct FormatSpec {
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Special special;
  unsigned max;  // The code of the largest finite value.

  constexpr int bits() const {
    return (special == Special::kScale ? 0 : 1) + exponent_bits + mantissa_bits;
  }
};

constexpr FormatSpec SpecOf(Format format) {
  switch (format) {
    case Format::kF4E2M1FN:
      return {2, 1, 1, Special::kNone, 0x7};
    case Format::kF6E2M3FN:
      return {2, 3, 1, Special::kNone, 0x1F};
    case Format::kF6E3M2FN:
      return {3, 2, 3, Special::kNone, 0x1F};
    case Format::kF8E3M4:
      return {3, 4, 3, Special::kIeee, 0x6F};
    case Format::kF8E4M3:
      return {4, 3, 7, Special::kIeee, 0x77};
    case Format::kF8E4M3FN:
      return {4, 3, 7, Special::kNanAtEnd, 0x7E};
    case Format::kF8E4M3FNUZ:
      return {4, 3, 8, Special::kNanAtMinusZero, 0x7F};
    case Format::kF8E4M3B11FNUZ:
      return {4, 3, 11, Special::kNanAtMinusZero, 0x7F};
    case Format::kF8E5M2:
      return {5, 2, 15, Special::kIeee, 0x7B};
    case Format::kF8E5M2FNUZ:
      return {5, 2, 16, Special::kNanAtMinusZero, 0x7F};
    case Format::kF8E8M0FNU:
      return {8, 0, 127, Special::kScale, 0xFE};
    case Format::kBF16:
      return {8, 7, 127, Special::kIeee, 0x7F7F};
    case Format::kF16:
      break;
  }
  return {5, 10, 15, Special::kIeee, 0x7BFF};
}

}  // namespace assay::calls

#endif  // ASSAY_BACKENDS_CALLS_FORMATS_H_
