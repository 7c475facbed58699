// These are the kernels of arithmetic on integers: sums, products, quotients,
// powers, extrema and signs.
//
// Everything wraps modulo 2^n, so that ops that do not depend on the signedness
// run on unsigned lanes. i1 takes the 8-bit kernels wherever they map 0 and 1
// to the right 0 or 1; its sum is a logical or.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/arithmetic.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

struct Add {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Add(a, b);
  }
};

struct LogicalOr {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Or(a, b);
  }
};

struct Subtract {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Sub(a, b);
  }
};

struct Product {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    return Multiply(d, a, b);
  }
};

// A quotient by 0 has every bit set and a remainder by 0 is the dividend, as on
// RISC-V; neither may trap, so 0 is replaced as a divisor.
struct Divide {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const auto ones = hn::Not(hn::Zero(d));
    return hn::IfThenElse(hn::Eq(b, hn::Zero(d)), ones,
                          Quotient(d, a, ReplaceZero(d, b)));
  }
};

struct Remainder {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const hn::RebindToUnsigned<D> du;
    const auto quotient = Quotient(d, a, ReplaceZero(d, b));
    const auto product =
        Multiply(du, hn::BitCast(du, quotient), hn::BitCast(du, b));
    return hn::BitCast(d, hn::Sub(hn::BitCast(du, a), product));
  }
};

// The loop squares and multiplies until the exponents of all lanes are used up.
// A negative exponent leaves only the bases 1 and -1 different from 0, for
// which its lowest bit decides.
struct Power {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const hn::RebindToUnsigned<D> du;
    const auto one = Constant(du, 1);
    auto base = hn::BitCast(du, a);
    auto exponent = hn::BitCast(du, b);
    auto result = one;
    if constexpr (std::is_signed_v<Lane<D>>) {
      const auto negative = hn::BitCast(du, hn::BroadcastSignBit(b));
      exponent = hn::AndNot(hn::AndNot(one, negative), exponent);
      const auto unit =
          hn::Or(hn::Eq(base, one), hn::Eq(base, hn::Not(hn::Zero(du))));
      base = hn::IfThenElse(unit, base, hn::AndNot(negative, base));
      result = hn::IfThenElse(unit, one, hn::AndNot(negative, one));
    }
    while (!hn::AllTrue(du, hn::Eq(exponent, hn::Zero(du)))) {
      const auto odd = hn::Eq(hn::And(exponent, one), one);
      result = hn::IfThenElse(odd, Multiply(du, result, base), result);
      base = Multiply(du, base, base);
      exponent = hn::ShiftRight<1>(exponent);
    }
    return hn::BitCast(d, result);
  }
};

struct Maximum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Max(a, b);
  }
};

struct Minimum {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a, V b) const {
    return hn::Min(a, b);
  }
};

struct Negate {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    return hn::Sub(hn::Zero(d), a);
  }
};

struct Abs {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return hn::Abs(a);
  }
};

struct Sign {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a) const {
    const auto is_zero = hn::Eq(a, hn::Zero(d));
    return hn::Or(hn::BroadcastSignBit(a),
                  hn::IfThenZeroElse(is_zero, Constant(d, 1)));
  }
};

Table ArithmeticRows() {
  static constexpr OpKernels kRows[] = {
      {"abs", OnSignedOnly<Unary, Abs>()},
      {"add", OnUnsigned<Binary, Add>(),
       MakeKernel<Binary<LogicalOr, uint8_t>>()},
      {"divide", OnBoth<Binary, Divide>()},
      {"maximum", OnBoth<Binary, Maximum>(),
       MakeKernel<Binary<Maximum, uint8_t>>()},
      {"minimum", OnBoth<Binary, Minimum>(),
       MakeKernel<Binary<Minimum, uint8_t>>()},
      {"multiply", OnUnsigned<Binary, Product>(),
       MakeKernel<Binary<Product, uint8_t>>()},
      {"negate", OnUnsigned<Unary, Negate>()},
      {"power", OnBoth<Binary, Power>()},
      {"remainder", OnBoth<Binary, Remainder>()},
      {"sign", OnSignedOnly<Unary, Sign>()},
      {"subtract", OnUnsigned<Binary, Subtract>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(ArithmeticRows);

Table ArithmeticTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(ArithmeticRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
