// These are the float ops of the simd plugin on numbers of 113 bits. Their
// results are exact, or accurate enough that rounding them once more gives the
// rounded exact result.
#ifndef ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_OPS_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_OPS_TEST_SUPPORT_H_

#include <stdint.h>

#include <cmath>

#include "backends/simd/elementwise/floats_test_support.h"

namespace assay::simd_test {

inline Quad Nan113() { return QuadOf(false, 0x7FFF, UWide{1} << 111); }

inline Quad WithSign(Quad magnitude, Quad sign) {
  return IsNegative(magnitude) == IsNegative(sign) ? magnitude : -magnitude;
}

inline bool IsInfinite(Quad x) { return x == x && x - x != 0; }

// Heron's method starts from the double nearest to the root. A root for which
// rounding to double twice gives another result would have to be nearer to a
// tie than 113 bits can tell.
inline Quad Root(Quad x) {
  if (x != x || x == 0 || (IsInfinite(x) && x > 0)) return x;
  if (x < 0) return Nan113();
  Quad root = static_cast<Quad>(std::sqrt(static_cast<double>(x)));
  for (int i = 0; i < 2; ++i) root = (root + x / root) / 2;
  return root;
}

// The remainder is computed by long division in binary.
inline Quad Fmod(Quad x, Quad y) {
  if (x != x || y != y || IsInfinite(x) || y == 0) return Nan113();
  if (IsInfinite(y)) return x;
  Quad rest = WithSign(x, 1);
  y = WithSign(y, 1);
  Quad multiple = y;
  while (multiple <= rest / 2) multiple *= 2;
  for (; multiple >= y; multiple /= 2) {
    if (rest >= multiple) rest -= multiple;
  }
  return WithSign(rest, x);
}

inline Quad Larger(Quad a, Quad b) {
  if (a != a || b != b) return Nan113();
  if (a == b) return IsNegative(a) ? b : a;
  return a > b ? a : b;
}

inline Quad Smaller(Quad a, Quad b) { return -Larger(-a, -b); }

enum class Mode { kUp, kDown, kEven, kAway };

inline Quad Integer(Quad x, Mode mode) {
  if (x != x || WithSign(x, 1) >= 0x1p52) return x;
  const auto whole = static_cast<int64_t>(x);
  const Quad rest = x - static_cast<Quad>(whole);
  const Quad fraction = WithSign(rest, 1);
  const int64_t away = x < 0 ? -1 : 1;
  bool moves = false;
  switch (mode) {
    case Mode::kUp:
      moves = rest > 0;
      break;
    case Mode::kDown:
      moves = rest < 0;
      break;
    case Mode::kEven:
      moves = fraction > 0.5 || (fraction == 0.5 && whole % 2 != 0);
      break;
    case Mode::kAway:
      moves = fraction >= 0.5;
      break;
  }
  return WithSign(static_cast<Quad>(moves ? whole + away : whole), x);
}

struct FloatUnary {
  const char* op;
  Quad (*f)(Quad);
};

inline const FloatUnary kFloatUnary[] = {
    {"abs", [](Quad x) { return WithSign(x, 1); }},
    {"ceil", [](Quad x) { return Integer(x, Mode::kUp); }},
    {"floor", [](Quad x) { return Integer(x, Mode::kDown); }},
    {"negate", [](Quad x) -> Quad { return -x; }},
    {"round_nearest_afz", [](Quad x) { return Integer(x, Mode::kAway); }},
    {"round_nearest_even", [](Quad x) { return Integer(x, Mode::kEven); }},
    {"sign", [](Quad x) { return x != x || x == 0 ? x : WithSign(1, x); }},
    {"sqrt", Root},
};

struct FloatBinary {
  const char* op;
  Quad (*f)(Quad, Quad);
};

inline const FloatBinary kFloatBinary[] = {
    {"add", [](Quad x, Quad y) -> Quad { return x + y; }},
    {"divide", [](Quad x, Quad y) -> Quad { return x / y; }},
    {"maximum", Larger},
    {"minimum", Smaller},
    {"multiply", [](Quad x, Quad y) -> Quad { return x * y; }},
    {"remainder", Fmod},
    {"subtract", [](Quad x, Quad y) -> Quad { return x - y; }},
};

}  // namespace assay::simd_test

#endif  // ASSAY_BACKENDS_SIMD_ELEMENTWISE_FLOAT_OPS_TEST_SUPPORT_H_
