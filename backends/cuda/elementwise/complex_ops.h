// These are the ops on complex numbers, which are stored as pairs (real,
// imaginary).
#ifndef ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPS_H_
#define ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPS_H_

#include "backends/cuda/core/group.h"
#include "backends/cuda/elementwise/comparison_ops.h"
#include "backends/cuda/elementwise/complex_functions.h"

namespace assay::cuda {

template <class T>
struct ComplexStorage {
  using Raw = Complex<T>;
  using Value = Raw;
  static constexpr bool kTilesArithmetic = false;
  static constexpr bool kTilesFunctions = false;
  ASSAY_DEVICE static Raw ToValue(Raw raw, const Parameters&) { return raw; }
  ASSAY_DEVICE static Raw ToRaw(Raw value, const Parameters&) { return value; }
};

// ---------------------------------------------------------------------- Order

// The real parts decide, unless they are equal; NaN is equal to nothing.
template <class T>
ASSAY_DEVICE uint32_t OrderOf(T a, T b) {
  return a < b ? kLess : a == b ? kEqual : a > b ? kGreater : kUnordered;
}

template <class T>
ASSAY_DEVICE uint32_t OrderOf(const Complex<T>& a, const Complex<T>& b) {
  const uint32_t of_real = OrderOf(a.real, b.real);
  return of_real == kEqual ? OrderOf(a.imag, b.imag) : of_real;
}

struct ComplexCompare {
  static constexpr std::string_view kName = "compare";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE bool operator()(const C& a, const C& b,
                               const Parameters& p) const {
    return (OrderOf(a, b) & p.want) != 0;
  }
};

struct ComplexMaximum {
  static constexpr std::string_view kName = "maximum";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE C operator()(const C& a, const C& b, const Parameters&) const {
    return OrderOf(a, b) == kGreater ? a : b;
  }
};

struct ComplexMinimum {
  static constexpr std::string_view kName = "minimum";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE C operator()(const C& a, const C& b, const Parameters&) const {
    return OrderOf(a, b) == kLess ? a : b;
  }
};

struct ComplexClamp {
  static constexpr std::string_view kName = "clamp";
  static constexpr int kInputs = 3;
  template <class C>
  ASSAY_DEVICE C operator()(const C& min, const C& a, const C& max,
                            const Parameters& p) const {
    return ComplexMinimum()(ComplexMaximum()(a, min, p), max, p);
  }
};

using ComplexComparisons = OpList<ComplexCompare>;
using ComplexExtrema = OpList<ComplexMaximum, ComplexMinimum>;
using ComplexClamps = OpList<ComplexClamp>;

// ------------------------------------------------------------------ Functions
struct ComplexAbsOp {
  static constexpr std::string_view kName = "abs";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexAbs(z);
  }
};

template <class T>
ASSAY_DEVICE Complex<T> WithOneNan(const Complex<T>& z) {
  return {cuda::WithOneNan(z.real), cuda::WithOneNan(z.imag)};
}

struct ComplexMultiplyOp {
  static constexpr std::string_view kName = "multiply";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& a, const C& b,
                               const Parameters&) const {
    return WithOneNan(ComplexMultiply(a, b));
  }
};

struct ComplexDivideOp {
  static constexpr std::string_view kName = "divide";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& a, const C& b,
                               const Parameters&) const {
    return WithOneNan(ComplexDivide(a, b));
  }
};

struct ComplexSignOp {
  static constexpr std::string_view kName = "sign";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexSign(z);
  }
};

struct ComplexSqrtOp {
  static constexpr std::string_view kName = "sqrt";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexSqrt(z);
  }
};

struct ComplexRsqrtOp {
  static constexpr std::string_view kName = "rsqrt";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexRsqrt(z);
  }
};

struct ComplexCbrtOp {
  static constexpr std::string_view kName = "cbrt";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexCbrt(z);
  }
};

struct ComplexLogOp {
  static constexpr std::string_view kName = "log";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexLog(z);
  }
};

struct ComplexLogPlusOneOp {
  static constexpr std::string_view kName = "log_plus_one";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexLogPlusOne(z);
  }
};

struct ComplexExponentialOp {
  static constexpr std::string_view kName = "exponential";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexExponential(z);
  }
};

struct ComplexExponentialMinusOneOp {
  static constexpr std::string_view kName = "exponential_minus_one";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexExponentialMinusOne(z);
  }
};

struct ComplexLogisticOp {
  static constexpr std::string_view kName = "logistic";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexLogistic(z);
  }
};

struct ComplexSineOp {
  static constexpr std::string_view kName = "sine";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexSine(z);
  }
};

struct ComplexCosineOp {
  static constexpr std::string_view kName = "cosine";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexCosine(z);
  }
};

struct ComplexTanOp {
  static constexpr std::string_view kName = "tan";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexTan(z);
  }
};

struct ComplexTanhOp {
  static constexpr std::string_view kName = "tanh";
  static constexpr int kInputs = 1;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters&) const {
    return ComplexTanh(z);
  }
};

struct ComplexAtan2Op {
  static constexpr std::string_view kName = "atan2";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE auto operator()(const C& a, const C& b,
                               const Parameters&) const {
    return ComplexAtan2(a, b);
  }
};

// The angle of some powers needs more bits than the sum of two doubles has.
// Such a result is undecided.
struct ComplexPowerOp {
  static constexpr std::string_view kName = "power";
  static constexpr int kInputs = 2;
  template <class C>
  ASSAY_DEVICE C operator()(const C& a, const C& b, const Parameters& p) const {
    bool undecided = false;
    const C power = ComplexPower(a, b, &undecided);
    if (undecided) *p.undecided = 1;
    return power;
  }
};

template <class T>
ASSAY_DEVICE bool HasNan(const Complex<T>& z) {
  return z.real != z.real || z.imag != z.imag;
}

// No text says what the functions of NaN are. They return NaN here, which the
// comparisons and scales of a function would lose.
template <class Op>
struct NanOfNan : Op {
  template <class C>
  ASSAY_DEVICE auto operator()(const C& z, const Parameters& p) const {
    const Op op;
    return HasNan(z) ? Nan<decltype(op(z, p))>() : op(z, p);
  }
  template <class C>
  ASSAY_DEVICE C operator()(const C& a, const C& b, const Parameters& p) const {
    return HasNan(a) || HasNan(b) ? Nan<C>() : Op()(a, b, p);
  }

 private:
  template <class Result>
  ASSAY_DEVICE static Result Nan() {
    if constexpr (std::is_floating_point_v<Result>) {
      return static_cast<Result>(NAN);
    } else {
      return {NAN, NAN};
    }
  }
};

template <class... Ops>
using FunctionList = OpList<NanOfNan<Ops>...>;

using ComplexMagnitudes = FunctionList<ComplexAbsOp>;
using ComplexUnary =
    FunctionList<ComplexSignOp, ComplexSqrtOp, ComplexRsqrtOp, ComplexCbrtOp,
                 ComplexLogOp, ComplexLogPlusOneOp, ComplexExponentialOp,
                 ComplexExponentialMinusOneOp, ComplexLogisticOp, ComplexSineOp,
                 ComplexCosineOp, ComplexTanOp, ComplexTanhOp>;
using ComplexBinary =
    OpList<ComplexMultiplyOp, ComplexDivideOp, NanOfNan<ComplexAtan2Op>,
           NanOfNan<ComplexPowerOp>>;

}  // namespace assay::cuda

#endif  // ASSAY_BACKENDS_CUDA_ELEMENTWISE_COMPLEX_OPS_H_
