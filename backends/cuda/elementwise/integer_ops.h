// These are the ops on integers and bits. An element is an unsigned integer of
// its size; the job has the parameters that depend on the signedness of the
// type.
//
// Everything wraps modulo 2^n. Types of 2 and 4 bits lie in the low bits of a
// byte, with zeros above them.
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_INTEGER_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_INTEGER_OPS_H_

#include "backends/cuda/core/group.h"

namespace assay::cuda {

// A Lane is an unsigned type in which products do not overflow. Those of
// uint16_t would be computed in int and overflow it.
template <class U>
using Lane = std::conditional_t<(sizeof(U) < 8), uint32_t, uint64_t>;

template <class U>
struct BitStorage {
  using Raw = U;
  using Value = U;
  static constexpr bool kTilesArithmetic = true;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static U ToValue(U raw, const Parameters&) { return raw; }
  ASSAY_DEVICE static U ToRaw(U value, const Parameters& p) {
    if constexpr (sizeof(U) == 1) return static_cast<U>(value & ~p.cleared);
    return value;
  }
};

// Returns the bits of the type as a signed number.
template <class U>
ASSAY_DEVICE std::make_signed_t<Lane<U>> SignExtended(U value,
                                                      const Parameters& p) {
  using Wide = Lane<U>;
  const int unused = static_cast<int>(8 * sizeof(Wide)) - p.bits;
  return static_cast<std::make_signed_t<Wide>>(Wide{value} << unused) >> unused;
}

// Returns whether a is less, in the order of signed numbers if the mask is
// their sign.
template <class U>
ASSAY_DEVICE bool IsLess(U a, U b, const Parameters& p) {
  const U sign = static_cast<U>(p.mask);
  return static_cast<U>(a ^ sign) < static_cast<U>(b ^ sign);
}

struct BitAdd {
  static constexpr std::string_view kName = "add";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} + b;
  }
};

struct BitSubtract {
  static constexpr std::string_view kName = "subtract";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} - b;
  }
};

struct BitMultiply {
  static constexpr std::string_view kName = "multiply";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} * b;
  }
};

struct BitAnd {
  static constexpr std::string_view kName = "and";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} & b;
  }
};

struct BitOr {
  static constexpr std::string_view kName = "or";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} | b;
  }
};

struct BitXor {
  static constexpr std::string_view kName = "xor";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters&) const {
    return Lane<U>{a} ^ b;
  }
};

// The bits of the limit are inverted: in a truth value, that is one bit.
struct BitNot {
  static constexpr std::string_view kName = "not";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    return Lane<U>{a} ^ static_cast<Lane<U>>(p.limit);
  }
};

struct BitNegate {
  static constexpr std::string_view kName = "negate";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters&) const {
    return Lane<U>{0} - a;
  }
};

struct BitMaximum {
  static constexpr std::string_view kName = "maximum";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters& p) const {
    return IsLess(a, b, p) ? b : a;
  }
};

struct BitMinimum {
  static constexpr std::string_view kName = "minimum";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters& p) const {
    return IsLess(b, a, p) ? b : a;
  }
};

struct BitClamp {
  static constexpr std::string_view kName = "clamp";
  static constexpr int kInputs = 3;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U min, U a, U max,
                                  const Parameters& p) const {
    const U raised = IsLess(a, min, p) ? min : a;
    return IsLess(max, raised, p) ? max : raised;
  }
};

// Counts are unsigned: a negative count exceeds the width, too.
struct BitShiftLeft {
  static constexpr std::string_view kName = "shift_left";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U count, const Parameters& p) const {
    return count < static_cast<unsigned>(p.bits) ? Lane<U>{a} << count : 0;
  }
};

struct BitShiftRight {
  static constexpr std::string_view kName = "shift_right_logical";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U count, const Parameters& p) const {
    return count < static_cast<unsigned>(p.bits) ? Lane<U>{a} >> count : 0;
  }
};

struct BitShiftRightArithmetic {
  static constexpr std::string_view kName = "shift_right_arithmetic";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U count, const Parameters& p) const {
    const unsigned last = static_cast<unsigned>(p.bits) - 1;
    return static_cast<Lane<U>>(SignExtended(a, p) >>
                                (count < last ? count : last));
  }
};

struct BitPopulationCount {
  static constexpr std::string_view kName = "popcnt";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters&) const {
    return static_cast<Lane<U>>(PopulationCount(a));
  }
};

struct BitCountLeadingZeros {
  static constexpr std::string_view kName = "count_leading_zeros";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    return static_cast<Lane<U>>(LeadingZeros(a) - 64 + p.bits);
  }
};

// This serves signed types only.
struct BitAbs {
  static constexpr std::string_view kName = "abs";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    return SignExtended(a, p) < 0 ? Lane<U>{0} - a : Lane<U>{a};
  }
};

// This serves signed types only.
struct BitSign {
  static constexpr std::string_view kName = "sign";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    const auto value = SignExtended(a, p);
    return static_cast<Lane<U>>((value > 0) - (value < 0));
  }
};

// A copy moves elements of any type, also parts of complex numbers.
struct BitCopy {
  static constexpr std::string_view kName = "copy";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE U operator()(U a, const Parameters&) const {
    return a;
  }
};

struct BitZero {
  static constexpr std::string_view kName = "zero";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U, const Parameters&) const {
    return 0;
  }
};

// Split and join move the bits of one place of a byte out of it and into it.
struct BitSplit {
  static constexpr std::string_view kName = "split";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    return (Lane<U>{a} >> p.bits) & static_cast<Lane<U>>(p.mask);
  }
};

struct BitJoin {
  static constexpr std::string_view kName = "join";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U below, const Parameters& p) const {
    return ((Lane<U>{a} & static_cast<Lane<U>>(p.mask)) << p.bits) | below;
  }
};

// A float is given by its code: the mask is the sign, and magnitudes beyond the
// limit are infinities and NaNs. These do not change, nor does the sign bit
// alone, which is -0 or the NaN in its place.
struct BitReducePrecision {
  static constexpr std::string_view kName = "reduce_precision";
  static constexpr int kInputs = 1;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, const Parameters& p) const {
    const Lane<U> sign = a & static_cast<Lane<U>>(p.mask);
    Lane<U> code = a ^ sign;
    if (code > p.limit || (a == p.mask && p.mask != 0)) return a;
    if (p.drop > 0) {
      // If no bit of the mantissa is left, the last bit that is kept is the
      // leading one, which subnormal numbers do not have.
      const bool is_odd = p.drop == p.significand_bits
                              ? code >> p.significand_bits != 0
                              : (code >> p.drop & 1) != 0;
      const Lane<U> half = Lane<U>{1} << (p.drop - 1);
      code = (code + half - (is_odd ? 0 : 1)) >> p.drop << p.drop;
    }
    if (code < p.least) code = 0;
    if (code > p.most) code = static_cast<Lane<U>>(p.over);
    const bool has_no_sign = code == 0 && p.has_nan_at_minus_zero;
    return has_no_sign ? 0 : code | sign;
  }
};

using BitUnary =
    OpList<BitNot, BitNegate, BitPopulationCount, BitCountLeadingZeros, BitAbs,
           BitSign, BitCopy, BitZero, BitSplit, BitReducePrecision>;
using BitBinary = OpList<BitAdd, BitSubtract, BitMultiply, BitAnd, BitOr,
                         BitXor, BitMaximum, BitMinimum, BitShiftLeft,
                         BitShiftRight, BitShiftRightArithmetic, BitJoin>;
using BitTernary = OpList<BitClamp>;

// ------------------------------------------------------------------- Division

// A divisor of 0 must not trap.
template <class U>
ASSAY_NOINLINE U QuotientOf(U a, U b) {
  return b == 0 ? a : a / b;
}

// A quotient by 0 has every bit set and a remainder by 0 is the dividend, as on
// RISC-V. Magnitudes are divided and signs are set afterwards, so that the
// least number divided by -1 wraps.
struct IntegerDivide {
  static constexpr std::string_view kName = "divide";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters& p) const {
    if (b == 0) return static_cast<Lane<U>>(~Lane<U>{0});
    if (p.mask == 0) return QuotientOf<Lane<U>>(a, b);
    const auto x = SignExtended(a, p);
    const auto y = SignExtended(b, p);
    const auto wide_x = static_cast<Lane<U>>(x);
    const auto wide_y = static_cast<Lane<U>>(y);
    const Lane<U> quotient = QuotientOf<Lane<U>>(x < 0 ? 0 - wide_x : wide_x,
                                                 y < 0 ? 0 - wide_y : wide_y);
    return (x < 0) != (y < 0) ? 0 - quotient : quotient;
  }
};

struct IntegerRemainder {
  static constexpr std::string_view kName = "remainder";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters& p) const {
    const Lane<U> quotient = IntegerDivide()(a, b, p);
    return Lane<U>{a} - quotient * b;
  }
};

template <class U>
ASSAY_NOINLINE U PowerOf(U base, U exponent) {
  U power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power *= base;
    base *= base;
  }
  return power;
}

// A negative exponent leaves only the bases 1 and -1 different from 0, for
// which its lowest bit decides.
struct IntegerPower {
  static constexpr std::string_view kName = "power";
  static constexpr int kInputs = 2;
  template <class U>
  ASSAY_DEVICE Lane<U> operator()(U a, U b, const Parameters& p) const {
    if (p.mask == 0) return PowerOf<Lane<U>>(a, b);
    const auto base = SignExtended(a, p);
    const auto exponent = SignExtended(b, p);
    if (exponent >= 0) {
      return PowerOf<Lane<U>>(static_cast<Lane<U>>(base),
                              static_cast<Lane<U>>(exponent));
    }
    if (base != 1 && base != -1) return 0;
    return (exponent & 1) != 0 ? static_cast<Lane<U>>(base) : 1;
  }
};

using DivisionOps = OpList<IntegerDivide, IntegerRemainder, IntegerPower>;

// ------------------------------------------------------------------ Selection

// A byte that is 0 or 1 selects an element, whose bits are not looked at.
template <class T>
struct Select {
  using In0 = uint8_t;
  using In1 = T;
  using In2 = T;
  using Out = T;
  static constexpr bool kIsHeavy = false;
  static constexpr bool kIsTiled = true;

  template <int kCount>
  ASSAY_DEVICE static void Compute(const Job&, const uint8_t (&a)[kCount],
                                   const T (&b)[kCount], const T (&c)[kCount],
                                   T (&out)[kCount]) {
    ASSAY_UNROLL
    for (int i = 0; i < kCount; ++i) out[i] = a[i] != 0 ? b[i] : c[i];
  }
};

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_INTEGER_OPS_H_
