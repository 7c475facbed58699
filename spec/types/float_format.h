// These are the fifteen floating-point formats of StableHLO ("Types"): how
// their bits are laid out and which values they lack.
//
// f16, f32, f64, bf16, f8E3M4, f8E4M3 and f8E5M2 follow IEEE 754; the others
// give up infinities, all but one NaN, the second zero, or (f8E8M0FNU) sign and
// zero, for range. docs/formats.md is this table, printed by `assay list
// types`.
#ifndef ASSAY_SPEC_TYPES_FLOAT_FORMAT_H_
#define ASSAY_SPEC_TYPES_FLOAT_FORMAT_H_

#include <cstdint>

#include "spec/error.h"
#include "spec/types/element_type.h"

namespace assay {

struct FloatFormat {
  // Specials says what the codes with the largest magnitude mean.
  enum class Specials : uint8_t {
    kIeee,    // all exponent bits set: infinity, or NaN with any payload
    kOneNan,  // all bits but the sign set: NaN; no infinity
    kNegativeZeroNan,  // the code of -0 is the only NaN; no infinity, no -0
    kNone              // neither
  };
  ElementType type;
  int exponent_bits;
  int mantissa_bits;  // without the hidden bit
  int bias;
  Specials specials;
  bool has_sign = true;
  bool has_zero = true;  // and subnormals

  constexpr int bits() const {
    return exponent_bits + mantissa_bits + (has_sign ? 1 : 0);
  }
  constexpr int precision() const { return mantissa_bits + 1; }
  // These are the exponents of the smallest and the largest normal value.
  constexpr int min_exponent() const { return has_zero ? 1 - bias : -bias; }
  constexpr int max_exponent() const {
    const int field = static_cast<int>(max_code() >> mantissa_bits);
    return field - bias;
  }
  constexpr uint64_t sign_bit() const {
    return has_sign ? uint64_t{1} << (exponent_bits + mantissa_bits) : 0;
  }
  constexpr uint64_t magnitude_mask() const {
    return (uint64_t{1} << (exponent_bits + mantissa_bits)) - 1;
  }
  constexpr uint64_t mantissa_mask() const {
    return (uint64_t{1} << mantissa_bits) - 1;
  }
  // Returns the bits of the largest finite magnitude.
  constexpr uint64_t max_code() const {
    switch (specials) {
      case Specials::kIeee:
        return infinity_code() - 1;
      case Specials::kOneNan:
        return magnitude_mask() - 1;
      default:
        return magnitude_mask();
    }
  }
  // Returns the bits of the smallest normal value.
  constexpr uint64_t min_normal_code() const {
    return has_zero ? uint64_t{1} << mantissa_bits : 0;
  }
  constexpr bool has_infinity() const { return specials == Specials::kIeee; }
  constexpr bool has_nan() const { return specials != Specials::kNone; }
  constexpr bool has_negative_zero() const {
    return has_zero && specials != Specials::kNegativeZeroNan;
  }
  constexpr bool has_subnormals() const { return has_zero; }
  // Precondition: has_infinity().
  constexpr uint64_t infinity_code() const {
    return magnitude_mask() & ~mantissa_mask();
  }
  // Returns the bits of the default NaN, which is quiet. Precondition:
  // has_nan().
  constexpr uint64_t nan_code() const {
    switch (specials) {
      case Specials::kIeee:
        return infinity_code() | (uint64_t{1} << (mantissa_bits - 1));
      case Specials::kNegativeZeroNan:
        return sign_bit();
      default:
        return magnitude_mask();
    }
  }
};

// Returns the format of a floating-point type. Precondition: IsFloat(type).
constexpr FloatFormat FormatOf(ElementType type) {
  using enum ElementType;
  using S = FloatFormat::Specials;
  switch (type) {
    case kF4E2M1FN:
      return {type, 2, 1, 1, S::kNone};
    case kF6E2M3FN:
      return {type, 2, 3, 1, S::kNone};
    case kF6E3M2FN:
      return {type, 3, 2, 3, S::kNone};
    case kF8E3M4:
      return {type, 3, 4, 3, S::kIeee};
    case kF8E4M3:
      return {type, 4, 3, 7, S::kIeee};
    case kF8E4M3FN:
      return {type, 4, 3, 7, S::kOneNan};
    case kF8E4M3FNUZ:
      return {type, 4, 3, 8, S::kNegativeZeroNan};
    case kF8E4M3B11FNUZ:
      return {type, 4, 3, 11, S::kNegativeZeroNan};
    case kF8E5M2:
      return {type, 5, 2, 15, S::kIeee};
    case kF8E5M2FNUZ:
      return {type, 5, 2, 16, S::kNegativeZeroNan};
    case kF8E8M0FNU:
      return {type, 8, 0, 127, S::kOneNan, false, false};
    case kBF16:
      return {type, 8, 7, 127, S::kIeee};
    case kF16:
      return {type, 5, 10, 15, S::kIeee};
    case kF32:
      return {type, 8, 23, 127, S::kIeee};
    case kF64:
      return {type, 11, 52, 1023, S::kIeee};
    default:
      CheckFailed("IsFloat(type)", __FILE__, __LINE__);
  }
}

}  // namespace assay

#endif  // ASSAY_SPEC_TYPES_FLOAT_FORMAT_H_
