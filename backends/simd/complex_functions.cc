// The ops on complex numbers whose results have to be computed with more digits
// than the operands have: contiguous tensors, one element after another.
#include "backends/simd/complex_functions.h"

#include <stddef.h>
#include <string.h>

#include <type_traits>

#include "backends/simd/complex_power.h"
#include "backends/simd/tensors.h"
#include "backends/simd/whole_ops.h"

namespace assay::simd {
namespace {

struct Arrays {
  const unsigned char* in[2];
  unsigned char* out;
  size_t count;
};

// False if a result cannot be told.
using Loop = bool (*)(const Arrays&);

// `tensor` need be aligned to a part only.
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

// T: the type of the parts in memory.
template <class F, class T, class W>
bool UnaryLoop(const Arrays& arrays) {
  for (size_t i = 0; i < arrays.count; ++i) {
    Store<T>(F()(Load<T, W>(arrays.in[0], i)), i, arrays.out);
  }
  return true;
}

template <class F, class T, class W>
bool BinaryLoop(const Arrays& arrays) {
  for (size_t i = 0; i < arrays.count; ++i) {
    Store<T>(F()(Load<T, W>(arrays.in[0], i), Load<T, W>(arrays.in[1], i)), i,
             arrays.out);
  }
  return true;
}

template <class T, class W>
bool AbsLoop(const Arrays& arrays) {
  for (size_t i = 0; i < arrays.count; ++i) {
    const Complex<W> z = Load<T, W>(arrays.in[0], i);
    const W of_infinity = IsInfinite(z.real) ? z.real : z.imag;
    const T result = static_cast<T>(IsInfinite(of_infinity) ? Abs(of_infinity)
                                                            : Magnitude(z));
    memcpy(arrays.out + i * sizeof(result), &result, sizeof(result));
  }
  return true;
}

template <class T>
bool PowerLoop(const Arrays& arrays) {
  constexpr PowerRange kRange =
      std::is_same_v<T, float> ? kPowerF32 : kPowerF64;
  for (size_t i = 0; i < arrays.count; ++i) {
    Complex<Quad> result;
    if (!Power(Load<T, Quad>(arrays.in[0], i), Load<T, Quad>(arrays.in[1], i),
               kRange, &result)) {
      return false;
    }
    Store<T>(result, i, arrays.out);
  }
  return true;
}

// ------------------------------------------------------------------------- Ops

struct Function {
  const char* op;
  int32_t num_inputs;
  bool is_real;  // The result.
  Loop f32;
  Loop f64;
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

const Function* FindFunction(const char* op) {
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
    if (strcmp(op, function.op) == 0) return &function;
  }
  return nullptr;
}

bool IsOfType(const AssayTensor& tensor, Kind kind, int bits) {
  Type type;
  return ParseType(tensor, &type) && type.kind == kind && type.bits == bits;
}

}  // namespace

bool IsComplexFunction(const AssayCall& call) {
  return call.num_inputs > 0 &&
         call.inputs[0].tensor.dtype.code == kDLComplex &&
         FindFunction(call.op) != nullptr;
}

const char* RunComplexFunction(const AssayCall& call,
                               const hwy::ChosenTarget&) {
  const Function& function = *FindFunction(call.op);
  if (call.num_inputs != function.num_inputs || call.num_outputs != 1) {
    return "number of operands";
  }
  Type type;
  if (!ParseType(call.inputs[0], &type)) return "element type";
  const DLTensor& output = call.outputs[0].tensor;
  if (!(function.is_real
            ? IsOfType(call.outputs[0], Kind::kFloat, type.bits / 2)
            : IsOfType(call.outputs[0], Kind::kComplex, type.bits))) {
    return "result type";
  }
  Arrays arrays = {{}, FirstElement(output), CountElements(output)};
  for (int32_t k = 0; k < call.num_inputs; ++k) {
    const DLTensor& input = call.inputs[k].tensor;
    if (!IsOfType(call.inputs[k], Kind::kComplex, type.bits)) {
      return "mix of operand types";
    }
    if (!IsSameShape(input, output)) return "mix of operand shapes";
    if (arrays.count != 0 && !IsContiguous(input))
      return "layout of an operand";
    arrays.in[k] = FirstElement(input);
  }
  if (arrays.count == 0) return nullptr;
  if (!IsContiguous(output)) return "layout of the result";
  const X87Environment environment;
  const Loop loop = type.bits == 64 ? function.f32 : function.f64;
  return loop(arrays) ? nullptr : "angle of more than 113 bits";
}

}  // namespace assay::simd
