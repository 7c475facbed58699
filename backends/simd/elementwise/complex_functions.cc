// These ops on complex numbers run one element after another, because their
// results have to be computed with more digits than the operands have.
#include "backends/simd/elementwise/complex_functions.h"

#include <stddef.h>
#include <string.h>

#include <memory>
#include <string_view>
#include <type_traits>

#include "backends/simd/core/names.h"
#include "backends/simd/core/whole_ops.h"
#include "backends/simd/elementwise/complex_power.h"

namespace assay::simd {
namespace {

// A loop returns false if a result cannot be determined.
using ComplexLoop = bool (*)(const Blocks&);

// `tensor` is aligned to the size of a part, not of a complex number.
template <class T, class W>
Complex<W> Load(const unsigned char* tensor, size_t i) {
  Complex<T> z;
  memcpy(&z, tensor + i * sizeof(z), sizeof(z));
  return {z.real, z.imag};
}

template <class T, class W>
void Store(const Complex<W>& z, size_t i, unsigned char* tensor) {
  const Complex<T> narrow = {static_cast<T>(z.real), static_cast<T>(z.imag)};
  memcpy(tensor + i * sizeof(narrow), &narrow, sizeof(narrow));
}

// T is the type of the parts in memory.
template <class F, class T, class W>
bool UnaryLoop(const Blocks& blocks) {
  for (size_t i = 0; i < blocks.count; ++i) {
    Store<T>(F()(Load<T, W>(blocks.in[0], i)), i, blocks.out[0]);
  }
  return true;
}

template <class F, class T, class W>
bool BinaryLoop(const Blocks& blocks) {
  for (size_t i = 0; i < blocks.count; ++i) {
    Store<T>(F()(Load<T, W>(blocks.in[0], i), Load<T, W>(blocks.in[1], i)), i,
             blocks.out[0]);
  }
  return true;
}

template <class T, class W>
bool AbsLoop(const Blocks& blocks) {
  for (size_t i = 0; i < blocks.count; ++i) {
    const Complex<W> z = Load<T, W>(blocks.in[0], i);
    const W of_infinity = IsInfinite(z.real) ? z.real : z.imag;
    const T result = static_cast<T>(IsInfinite(of_infinity) ? Abs(of_infinity)
                                                            : Magnitude(z));
    memcpy(blocks.out[0] + i * sizeof(result), &result, sizeof(result));
  }
  return true;
}

template <class T>
bool PowerLoop(const Blocks& blocks) {
  constexpr PowerRange kRange =
      std::is_same_v<T, float> ? kPowerF32 : kPowerF64;
  for (size_t i = 0; i < blocks.count; ++i) {
    Complex<Quad> result;
    if (!Power(Load<T, Quad>(blocks.in[0], i), Load<T, Quad>(blocks.in[1], i),
               kRange, &result)) {
      return false;
    }
    Store<T>(result, i, blocks.out[0]);
  }
  return true;
}

// ------------------------------------------------------------------------- Ops

struct Function {
  const char* op;
  int32_t num_inputs;
  bool is_real;  // The result is real.
  ComplexLoop f32;
  ComplexLoop f64;
};

template <class F>
constexpr Function Unary(const char* op, F) {
  return {op, 1, false, UnaryLoop<F, float, double>,
          UnaryLoop<F, double, long double>};
}

template <class W, class F>
constexpr Function Binary(const char* op, F) {
  return {op, 2, false, BinaryLoop<F, float, double>, BinaryLoop<F, double, W>};
}

const Function* FindFunction(std::string_view op) {
  static constexpr Function kFunctions[] = {
      {"abs", 1, true, AbsLoop<float, double>, AbsLoop<double, long double>},
      Binary<Quad>("atan2", [](auto y, auto x) { return ArcTangent2(y, x); }),
      Unary("cbrt", [](auto z) { return CubeRoot(z); }),
      Unary("cosine", [](auto z) { return Cosine(z); }),
      Binary<long double>("divide",
                          [](auto a, auto b) { return Quotient(a, b); }),
      Unary("exponential", [](auto z) { return Exponential(z); }),
      Unary("exponential_minus_one",
            [](auto z) { return ExponentialMinusOne(z); }),
      Unary("log", [](auto z) { return Logarithm(z); }),
      Unary("log_plus_one", [](auto z) { return LogarithmPlusOne(z); }),
      Unary("logistic", [](auto z) { return Logistic(z); }),
      Binary<long double>("multiply",
                          [](auto a, auto b) { return Product(a, b); }),
      {"power", 2, false, PowerLoop<float>, PowerLoop<double>},
      Unary("rsqrt", [](auto z) { return ReciprocalRoot(z); }),
      Unary("sign", [](auto z) { return Sign(z); }),
      Unary("sine", [](auto z) { return Sine(z); }),
      Unary("sqrt", [](auto z) { return SquareRoot(z); }),
      Unary("tan", [](auto z) { return Tangent(z); }),
      Unary("tanh", [](auto z) { return HyperbolicTangent(z); }),
  };
  for (const Function& function : kFunctions) {
    if (op == function.op) return &function;
  }
  return nullptr;
}

class ComplexFunction : public BlockFunction {
 public:
  explicit ComplexFunction(ComplexLoop loop) : loop_(loop) {}

  const char* Run(const Blocks& blocks) const override {
    const X87Environment environment;
    return loop_(blocks) ? nullptr : "angle of more than 113 bits";
  }

 private:
  ComplexLoop loop_;
};

}  // namespace

bool IsComplexFunction(const Signature& signature) {
  return signature.num_inputs > 0 &&
         signature.inputs[0].kind == Kind::kComplex &&
         FindFunction(signature.op) != nullptr;
}

Making MakeComplexFunction(const Signature& signature,
                           const hwy::ChosenTarget&) {
  const Function& function = *FindFunction(signature.op);
  if (signature.num_inputs != function.num_inputs) return "number of operands";
  const Type& type = signature.inputs[0];
  const Type part = {Kind::kFloat, type.bits / 2, type.width - 1, {}};
  if (signature.output != (function.is_real ? part : type)) {
    return "result type";
  }
  if (signature.num_inputs == 2 && signature.inputs[1] != type) {
    return "mix of operand types";
  }
  return std::make_unique<ComplexFunction>(type.bits == 64 ? function.f32
                                                           : function.f64);
}

}  // namespace assay::simd
