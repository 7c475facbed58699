// These are the ops of the simd plugin as one expression each, in 128-bit
// integers. The comparison with the result cuts off the bits that exceed the
// type.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_OPS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_OPS_TEST_SUPPORT_H_

#include <stdint.h>

#include <optional>

#include "backends/simd/core/simd_test_support.h"

namespace assay::simd_test {

struct UnaryOp {
  Op op;
  bool on_bool;
  bool on_unsigned;
  Wide (*f)(uint64_t raw, Type type);
};

inline Wide Ones(uint64_t raw) { return __builtin_popcountll(raw); }

inline const UnaryOp kUnary[] = {
    {{"abs", "", ""},
     false,
     false,
     [](uint64_t a, Type t) {
       return t.Value(a) < 0 ? -t.Value(a) : t.Value(a);
     }},
    {{"count_leading_zeros", "", ""},
     false,
     true,
     [](uint64_t a, Type t) {
       Wide n = 0;
       while (n < t.width() && ((a >> (t.width() - 1 - n)) & 1) == 0) ++n;
       return n;
     }},
    {{"negate", "", ""},
     false,
     true,
     [](uint64_t a, Type t) { return -t.Value(a); }},
    {{"not", "", ""},
     true,
     true,
     [](uint64_t a, Type t) { return static_cast<Wide>(~a & t.mask()); }},
    {{"popcnt", "", ""}, false, true, [](uint64_t a, Type) { return Ones(a); }},
    {{"sign", "", ""},
     false,
     false,
     [](uint64_t a, Type t) {
       return static_cast<Wide>((t.Value(a) > 0) - (t.Value(a) < 0));
     }},
};

inline bool Over(Wide count, Type t) { return count < 0 || count >= t.width(); }

inline Wide ShiftLeft(Wide a, Wide b, Type t) {
  return Over(b, t) ? 0 : static_cast<Wide>(t.Wrap(a)) * (Wide{1} << b);
}
inline Wide ShiftRightLogical(Wide a, Wide b, Type t) {
  return Over(b, t) ? 0 : static_cast<Wide>(t.Wrap(a) >> b);
}
inline Wide ShiftRightArithmetic(Wide a, Wide b, Type t) {
  const Wide value = t.SignedValue(t.Wrap(a));
  return Over(b, t) ? (value < 0 ? -1 : 0) : value >> b;
}

inline std::optional<Wide> Power(Wide a, Wide b, Type t) {
  if (b < 0) {
    if (a == 0) return std::nullopt;
    return a == 1 ? 1 : a != -1 ? 0 : (b % 2 == 0) ? 1 : -1;
  }
  uint64_t result = 1;
  for (int bit = t.width() - 1; bit >= 0; --bit) {
    result *= result;
    if ((b >> bit) & 1) result *= static_cast<uint64_t>(a);
  }
  return static_cast<Wide>(result);
}

struct BinaryOp {
  Op op;
  bool on_bool;
  bool to_bool;
  std::optional<Wide> (*f)(Wide a, Wide b, Type type);
};

using Result = std::optional<Wide>;

inline const BinaryOp kBinary[] = {
    {{"add", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return t.is_bool() ? (a | b) : a + b;
     }},
    {{"and", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result { return a & b; }},
    {{"compare", "comparison_direction", "EQ"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a == b; }},
    {{"compare", "comparison_direction", "GE"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a >= b; }},
    {{"compare", "comparison_direction", "GT"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a > b; }},
    {{"compare", "comparison_direction", "LE"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a <= b; }},
    {{"compare", "comparison_direction", "LT"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a < b; }},
    {{"compare", "comparison_direction", "NE"},
     true,
     true,
     [](Wide a, Wide b, Type) -> Result { return a != b; }},
    {{"divide", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type) { return b == 0 ? Result() : a / b; }},
    {{"maximum", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result { return a > b ? a : b; }},
    {{"minimum", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result { return a < b ? a : b; }},
    {{"multiply", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result {
       return static_cast<uint64_t>(a) * static_cast<uint64_t>(b);
     }},
    {{"or", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result { return a | b; }},
    {{"paddle.bitwise_left_shift", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result { return ShiftLeft(a, b, t); }},
    {{"paddle.bitwise_left_shift", "is_arithmetic", "false"},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result { return ShiftLeft(a, b, t); }},
    {{"paddle.bitwise_right_shift", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return t.is_signed() ? ShiftRightArithmetic(a, b, t)
                            : ShiftRightLogical(a, b, t);
     }},
    {{"paddle.bitwise_right_shift", "is_arithmetic", "true"},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return t.is_signed() ? ShiftRightArithmetic(a, b, t)
                            : ShiftRightLogical(a, b, t);
     }},
    {{"paddle.bitwise_right_shift", "is_arithmetic", "false"},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return ShiftRightLogical(a, b, t);
     }},
    {{"power", "", ""}, false, false, Power},
    {{"remainder", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type) { return b == 0 ? Result() : a % b; }},
    {{"shift_left", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result { return ShiftLeft(a, b, t); }},
    {{"shift_right_arithmetic", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return ShiftRightArithmetic(a, b, t);
     }},
    {{"shift_right_logical", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type t) -> Result {
       return ShiftRightLogical(a, b, t);
     }},
    {{"subtract", "", ""},
     false,
     false,
     [](Wide a, Wide b, Type) -> Result { return a - b; }},
    {{"xor", "", ""},
     true,
     false,
     [](Wide a, Wide b, Type) -> Result { return a ^ b; }},
};

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_OPS_TEST_SUPPORT_H_
