// These are the loops: a form says how the operands of an op become one vector
// of the result, RunLoop does so for a block, and the On... functions collect
// the loops of all element types into the kernels of a row.
//
// A form takes the op's functor and the lane type. Bit patterns that do not
// depend on the signedness share the unsigned loops (OnUnsigned): this halves
// the compile time. This file is included once per instruction set.
#if defined(ASSAY_BACKENDS_SIMD_CORE_LOOPS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef ASSAY_BACKENDS_SIMD_CORE_LOOPS_INL_H_
#undef ASSAY_BACKENDS_SIMD_CORE_LOOPS_INL_H_
#else
#define ASSAY_BACKENDS_SIMD_CORE_LOOPS_INL_H_
#endif

#include <stddef.h>
#include <stdint.h>

#include "backends/simd/core/kernels.h"
#include "backends/simd/core/lanes-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace assay::simd::HWY_NAMESPACE {

template <class D>
HWY_INLINE hn::Vec<D> LoadInput(D d, const Block& b, int input, size_t i) {
  return hn::LoadU(d, static_cast<const Lane<D>*>(b.in[input]) + i);
}

// The inputs of a strided block are read in any way. The switch over the
// reading runs for each vector: specialized for the readings of both inputs,
// there would be nine loops.
struct StridedBlock : Block {};

template <class D>
HWY_INLINE hn::Vec<D> LoadInput(D d, const StridedBlock& b, int input,
                                size_t i) {
  const auto* in = static_cast<const Lane<D>*>(b.in[input]);
  const size_t lanes = hn::Lanes(d);
  switch (b.reading[input]) {
    case Reading::kEverySecond:
      return hn::ConcatEven(d, hn::LoadU(d, in + 2 * i + lanes),
                            hn::LoadU(d, in + 2 * i));
    case Reading::kReversed:
      return hn::Reverse(d, hn::LoadU(d, in - i - (lanes - 1)));
    default:
      return hn::LoadU(d, in + i);
  }
}

template <class Op, class T>
struct Unary {
  using Out = T;
  static constexpr Shape kShape = Shape::kUnary;
  static constexpr Result kResult = Result::kSame;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    return Op()(d, LoadInput(d, b, 0, i));
  }
};

template <class Op, class T>
struct Binary {
  using Out = T;
  static constexpr Shape kShape = Shape::kBinary;
  static constexpr Result kResult = Result::kSame;
  static constexpr bool kReadsStrided = sizeof(T) >= 4;

  static HWY_INLINE auto Vector(const auto& b, size_t i) {
    const hn::ScalableTag<T> d;
    return Op()(d, LoadInput(d, b, 0, i), LoadInput(d, b, 1, i));
  }
};

template <class Op, class T>
struct ClampForm {
  using Out = T;
  static constexpr Shape kShape = Shape::kClamp;
  static constexpr Result kResult = Result::kSame;

  static HWY_INLINE auto Vector(const Block& b, size_t i) {
    const hn::ScalableTag<T> d;
    return Op()(LoadInput(d, b, 0, i), LoadInput(d, b, 1, i),
                LoadInput(d, b, 2, i));
  }
};

// RunLoop copies the block, whose fields would otherwise be read again after
// every store, since stores may alias them as far as the compiler knows.
template <class Form, bool kStream>
void RunLoop(const Block& block) {
  const Block b = block;
  using T = typename Form::Out;
  const hn::ScalableTag<T> d;
  T* out = static_cast<T*>(b.out);
  for (size_t i = 0; i < b.count; i += hn::Lanes(d)) {
    if constexpr (kStream) {
      hn::Stream(Form::Vector(b, i), d, out + i);
    } else {
      hn::StoreU(Form::Vector(b, i), d, out + i);
    }
  }
}

// This serves ops of two operands: from memory, their sum took 10 ms so and up
// to 25 ms by copies in buffers while others used the core. An op of one
// operand waits for the memory, or takes longer itself.
template <class Form>
void RunStrided(const Block& block) {
  const StridedBlock b = {block};
  using T = typename Form::Out;
  const hn::ScalableTag<T> d;
  T* out = static_cast<T*>(b.out);
  for (size_t i = 0; i < b.count; i += hn::Lanes(d)) {
    const auto result = Form::Vector(b, i);
    if (b.stream) {
      hn::Stream(result, d, out + i);
    } else {
      hn::StoreU(result, d, out + i);
    }
  }
}

template <class Form>
constexpr Kernel MakeKernel() {
  Kernel kernel = {&RunLoop<Form, false>, &RunLoop<Form, true>};
  if constexpr (requires { requires Form::kReadsStrided; }) {
    kernel.strided = &RunStrided<Form>;
  }
  return kernel;
}

template <template <class, class> class Form, class Op>
constexpr LaneKernels UnsignedLanes() {
  return {{MakeKernel<Form<Op, uint8_t>>(), MakeKernel<Form<Op, uint16_t>>(),
           MakeKernel<Form<Op, uint32_t>>(), MakeKernel<Form<Op, uint64_t>>()},
          Extend::kZero};
}

template <template <class, class> class Form, class Op>
constexpr LaneKernels SignedLanes() {
  return {{MakeKernel<Form<Op, int8_t>>(), MakeKernel<Form<Op, int16_t>>(),
           MakeKernel<Form<Op, int32_t>>(), MakeKernel<Form<Op, int64_t>>()},
          Extend::kSign};
}

template <template <class, class> class Form, class Op>
constexpr Kernels WithLanes(const LaneKernels& of_unsigned,
                            const LaneKernels& of_signed) {
  using Example = Form<Op, uint8_t>;
  return {Example::kShape, Example::kResult, of_unsigned, of_signed};
}

// Serves every integer type on unsigned lanes.
template <template <class, class> class Form, class Op>
constexpr Kernels OnUnsigned() {
  return WithLanes<Form, Op>(UnsignedLanes<Form, Op>(),
                             UnsignedLanes<Form, Op>());
}

// Serves every integer type on signed lanes.
template <template <class, class> class Form, class Op>
constexpr Kernels OnSigned() {
  return WithLanes<Form, Op>(SignedLanes<Form, Op>(), SignedLanes<Form, Op>());
}

// Serves every integer type on lanes of its own signedness.
template <template <class, class> class Form, class Op>
constexpr Kernels OnBoth() {
  return WithLanes<Form, Op>(UnsignedLanes<Form, Op>(),
                             SignedLanes<Form, Op>());
}

// Serves the signed types only.
template <template <class, class> class Form, class Op>
constexpr Kernels OnSignedOnly() {
  return WithLanes<Form, Op>({}, SignedLanes<Form, Op>());
}

// Serves f32 and f64.
template <template <class, class> class Form, class Op>
constexpr Kernels OnFloats() {
  using Example = Form<Op, float>;
  return {.shape = Example::kShape,
          .result = Example::kResult,
          .of_float = {.f32 = MakeKernel<Form<Op, float>>(),
                       .f64 = MakeKernel<Form<Op, double>>()}};
}

template <size_t kSize>
Table MakeTable(const OpKernels (&rows)[kSize]) {
  return {rows, kSize, hn::Lanes(hn::ScalableTag<uint8_t>())};
}

}  // namespace assay::simd::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // ASSAY_BACKENDS_SIMD_CORE_LOOPS_INL_H_
