// These are the kernels of complex numbers, stored as pairs (real, imaginary):
// complex, real and imag, and the ops that are defined by the lexicographic
// order. Ops that work on each part for itself are kernels of the parts, see
// float_arithmetic.cc.
#include "backends/simd/core/kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "backends/simd/elementwise/complex.cc"
// clang-format off
#include "hwy/foreach_target.h"
// clang-format on
#include "backends/simd/core/loops-inl.h"
#include "backends/simd/elementwise/compare-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

// ----------------------------------------------------------------------- Parts

template <class T, bool kReal>
struct Part {
  using Out = T;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    hn::Vec<decltype(d)> real;
    hn::Vec<decltype(d)> imaginary;
    hn::LoadInterleaved2(d, static_cast<const T*>(b.in[0]) + 2 * i, real,
                         imaginary);
    return kReal ? real : imaginary;
  }
};

// A real number is its own real part.
struct Copy {
  template <class D, class V>
  HWY_INLINE V operator()(D, V a) const {
    return a;
  }
};

// The imaginary part of a real number is +0, which is the code 0 of every
// format; in f8E8M0FNU, which has no zero, code 0 is the least value.
struct ZeroBits {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V) const {
    return hn::Zero(d);
  }
};

template <class OnReal, bool kReal>
constexpr Kernels PartKernels() {
  const LaneKernels bits = UnsignedLanes<Unary, OnReal>();
  return {.shape = Shape::kUnary,
          .result = Result::kPart,
          .of_float = {.complex_f32 = MakeKernel<Part<float, kReal>>(),
                       .complex_f64 = MakeKernel<Part<double, kReal>>(),
                       .bits = bits,
                       .fnuz_bits = bits.width[0],
                       .e8m0_bits = bits.width[0]}};
}

// Half a vector of each part makes a whole vector of the result. The result is
// not streamed past the caches: this is one pass over memory like another, and
// no caller has asked for it.
template <class T>
void MakeComplex(const Block& block) {
  const Block b = block;
  const hn::Half<hn::ScalableTag<T>> d;
  T* out = static_cast<T*>(b.out);
  for (size_t i = 0; i < b.count / 2; i += hn::Lanes(d)) {
    hn::StoreInterleaved2(LoadInput(d, b, 0, i), LoadInput(d, b, 1, i), d,
                          out + 2 * i);
  }
}

constexpr Kernels ComplexKernels() {
  return {.shape = Shape::kBinary,
          .result = Result::kComplex,
          .of_float = {.f32 = {MakeComplex<float>, MakeComplex<float>},
                       .f64 = {MakeComplex<double>, MakeComplex<double>}}};
}

// ----------------------------------------------------------------------- Order

// The real parts decide, unless they are equal; NaN is equal to nothing.
template <class Op, class T>
struct CompareComplex {
  using Out = uint8_t;
  using Wide = hwy::MakeUnsigned<T>;

  static HWY_INLINE auto Part(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    hn::Vec<decltype(d)> real[2];
    hn::Vec<decltype(d)> imaginary[2];
    for (int k = 0; k < 2; ++k) {
      hn::LoadInterleaved2(d, static_cast<const T*>(b.in[k]) + 2 * i, real[k],
                           imaginary[k]);
    }
    const auto of_real = Op()(real[0], real[1]);
    const auto of_imaginary = Op()(imaginary[0], imaginary[1]);
    const auto differ = NotEqual()(real[0], real[1]);
    const auto result =
        hn::Or(hn::And(differ, of_real), hn::AndNot(differ, of_imaginary));
    return hn::BitCast(hn::ScalableTag<Wide>(), hn::VecFromMask(d, result));
  }

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<uint8_t> d;
    return hn::And(Narrow<uint8_t, CompareComplex>(b, i), Constant(d, 1));
  }
};

// Returns whichever of a and b comes first in the order of Op. Lanes are in
// pairs.
template <class Op>
struct Extremum {
  template <class D, class V>
  HWY_INLINE V operator()(D d, V a, V b) const {
    const auto first = hn::VecFromMask(d, Op()(a, b));
    const auto differ = hn::DupEven(hn::VecFromMask(d, NotEqual()(a, b)));
    const auto chosen = hn::Or(hn::And(differ, hn::DupEven(first)),
                               hn::AndNot(differ, hn::DupOdd(first)));
    return hn::Or(hn::And(chosen, a), hn::AndNot(chosen, b));
  }
};

struct ComplexClamp {
  template <class V>
  HWY_INLINE V operator()(V min, V operand, V max) const {
    const hn::DFromV<V> d;
    return Extremum<Less>()(d, Extremum<Greater>()(d, operand, min), max);
  }
};

template <template <class, class> class Form, class Op>
constexpr Kernels OnComplex() {
  return {.shape = Form<Op, float>::kShape,
          .result = Form<Op, float>::kResult,
          .of_float = {.complex_f32 = MakeKernel<Form<Op, float>>(),
                       .complex_f64 = MakeKernel<Form<Op, double>>()}};
}

template <class Op>
constexpr Kernels CompareKernels() {
  return {
      .shape = Shape::kBinary,
      .result = Result::kBool,
      .of_float = {.complex_f32 = MakeKernel<CompareComplex<Op, float>>(),
                   .complex_f64 = MakeKernel<CompareComplex<Op, double>>()}};
}

constexpr OpKernels ComplexCompareRow(const char* direction, const char* type,
                                      const Kernels& kernels) {
  return {"compare",
          kernels,
          {},
          {{"comparison_direction", direction}, {"compare_type", type}}};
}

Table ComplexRows() {
  static constexpr OpKernels kRows[] = {
      {"clamp", OnComplex<ClampForm, ComplexClamp>()},
      ComplexCompareRow("EQ", nullptr, CompareKernels<Equal>()),
      ComplexCompareRow("EQ", "FLOAT", CompareKernels<Equal>()),
      ComplexCompareRow("GE", nullptr, CompareKernels<GreaterEqual>()),
      ComplexCompareRow("GE", "FLOAT", CompareKernels<GreaterEqual>()),
      ComplexCompareRow("GT", nullptr, CompareKernels<Greater>()),
      ComplexCompareRow("GT", "FLOAT", CompareKernels<Greater>()),
      ComplexCompareRow("LE", nullptr, CompareKernels<LessEqual>()),
      ComplexCompareRow("LE", "FLOAT", CompareKernels<LessEqual>()),
      ComplexCompareRow("LT", nullptr, CompareKernels<Less>()),
      ComplexCompareRow("LT", "FLOAT", CompareKernels<Less>()),
      ComplexCompareRow("NE", nullptr, CompareKernels<NotEqual>()),
      ComplexCompareRow("NE", "FLOAT", CompareKernels<NotEqual>()),
      {"complex", ComplexKernels()},
      {"imag", PartKernels<ZeroBits, false>()},
      {"maximum", OnComplex<Binary, Extremum<Greater>>()},
      {"minimum", OnComplex<Binary, Extremum<Less>>()},
      {"real", PartKernels<Copy, true>()},
  };
  return MakeTable(kRows);
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay::simd {

HWY_EXPORT(ComplexRows);

Table ComplexTable(const hwy::ChosenTarget& target) {
  return HWY_DISPATCH_TABLE(ComplexRows)[target.GetIndex()]();
}

}  // namespace assay::simd
#endif
