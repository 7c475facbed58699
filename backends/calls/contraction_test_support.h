// Calls of dot_general and convolution in drawn layouts, and their results by
// loops over indices as the text has them, for the tests of backends. Values
// are such that sums of floats are exact in every order.
#ifndef ASSAY_BACKENDS_CALLS_CONTRACTION_TEST_SUPPORT_H_
#define ASSAY_BACKENDS_CALLS_CONTRACTION_TEST_SUPPORT_H_

#include <math.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <complex>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "backends/backend.h"

namespace assay::contraction_test {

using Numbers = std::vector<int64_t>;
using Value = std::complex<double>;

// A type of elements; floats have so many bits of exponent and significand.
struct ElementType {
  const char* name;
  uint8_t code;
  uint8_t bits;
  int exponent_bits = 0, mantissa_bits = 0;

  size_t bytes() const { return bits < 8 ? 1 : bits / 8u; }
  bool is_float() const { return exponent_bits > 0 && code != kDLComplex; }
  bool is_complex() const { return code == kDLComplex; }
  bool is_bool() const { return code == ASSAY_DL_BOOL; }
  bool is_integer() const { return code == kDLInt || code == kDLUInt; }
};

inline constexpr ElementType kI1 = {"i1", ASSAY_DL_BOOL, 8},
                             kI2 = {"i2", kDLInt, 2}, kI4 = {"i4", kDLInt, 4},
                             kI8 = {"i8", kDLInt, 8},
                             kI16 = {"i16", kDLInt, 16},
                             kI32 = {"i32", kDLInt, 32},
                             kI64 = {"i64", kDLInt, 64},
                             kUi2 = {"ui2", kDLUInt, 2},
                             kUi4 = {"ui4", kDLUInt, 4},
                             kUi8 = {"ui8", kDLUInt, 8},
                             kUi16 = {"ui16", kDLUInt, 16},
                             kUi32 = {"ui32", kDLUInt, 32},
                             kUi64 = {"ui64", kDLUInt, 64},
                             kF8E5M2 = {"f8E5M2", ASSAY_DL_FLOAT8_E5M2, 8, 5,
                                        2},
                             kF16 = {"f16", kDLFloat, 16, 5, 10},
                             kBf16 = {"bf16", kDLBfloat, 16, 8, 7},
                             kF32 = {"f32", kDLFloat, 32, 8, 23},
                             kF64 = {"f64", kDLFloat, 64, 11, 52},
                             kC64 = {"complex<f32>", kDLComplex, 64, 8, 23},
                             kC128 = {"complex<f64>", kDLComplex, 128, 11, 52};

inline constexpr ElementType kAllTypes[] = {
    kI1,   kI2,   kI4,   kI8,     kI16, kI32,  kI64, kUi2, kUi4, kUi8,
    kUi16, kUi32, kUi64, kF8E5M2, kF16, kBf16, kF32, kF64, kC64, kC128};

// Returns the code of a number, rounded to nearest with ties to even.
inline uint64_t FloatCode(int exponent_bits, int mantissa_bits, double x) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint64_t sign = uint64_t{signbit(x) != 0}
                        << (exponent_bits + mantissa_bits);
  const uint64_t infinity = ((uint64_t{1} << exponent_bits) - 1)
                            << mantissa_bits;
  if (isnan(x)) return infinity | uint64_t{1} << (mantissa_bits - 1);
  if (isinf(x)) return sign | infinity;
  if (x == 0) return sign;
  const int exponent = std::max(ilogb(x), 1 - bias);
  const double scaled = nearbyint(ldexp(fabs(x), mantissa_bits - exponent));
  // A carry goes to the next exponent, as it should.
  const uint64_t code =
      (static_cast<uint64_t>(exponent + bias - 1) << mantissa_bits) +
      static_cast<uint64_t>(scaled);
  return sign | std::min(code, infinity);
}

inline double FloatOf(int exponent_bits, int mantissa_bits, uint64_t code) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const uint64_t mantissa = code & ((uint64_t{1} << mantissa_bits) - 1);
  const int most = (1 << exponent_bits) - 1;
  const int exponent = static_cast<int>(code >> mantissa_bits) & most;
  const double sign = code >> (exponent_bits + mantissa_bits) & 1 ? -1 : 1;
  if (exponent == most)
    return mantissa != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  const double significand = static_cast<double>(mantissa) +
                             (exponent > 0 ? ldexp(1.0, mantissa_bits) : 0.0);
  return sign *
         ldexp(significand, std::max(exponent, 1) - bias - mantissa_bits);
}

// An element: the bits of an integer, with its sign extended, or a number.
struct Element {
  uint64_t integer = 0;
  Value number = 0;
};

inline void WriteElement(const ElementType& type, const Element& element,
                         unsigned char* to) {
  if (!type.is_float() && !type.is_complex()) {
    const uint64_t mask = type.bits < 8 ? (1u << type.bits) - 1 : ~uint64_t{0};
    const uint64_t bits = element.integer & mask;
    memcpy(to, &bits, type.bytes());
    return;
  }
  const size_t part = type.is_complex() ? type.bytes() / 2 : type.bytes();
  const uint64_t real = FloatCode(type.exponent_bits, type.mantissa_bits,
                                  element.number.real()),
                 imaginary = FloatCode(type.exponent_bits, type.mantissa_bits,
                                       element.number.imag());
  memcpy(to, &real, part);
  if (type.is_complex()) memcpy(to + part, &imaginary, part);
}

inline Element ReadElement(const ElementType& type, const unsigned char* from) {
  uint64_t bits = 0, imaginary = 0;
  if (type.is_float() || type.is_complex()) {
    const size_t part = type.is_complex() ? type.bytes() / 2 : type.bytes();
    memcpy(&bits, from, part);
    if (type.is_complex()) memcpy(&imaginary, from + part, part);
    const auto decode = [&](uint64_t code) {
      return FloatOf(type.exponent_bits, type.mantissa_bits, code);
    };
    return {0, {decode(bits), type.is_complex() ? decode(imaginary) : 0}};
  }
  memcpy(&bits, from, type.bytes());
  const int width = type.is_bool() ? 8 : type.bits;
  bits <<= 64 - width;
  bits = type.code == kDLInt
             ? static_cast<uint64_t>(static_cast<int64_t>(bits) >> (64 - width))
             : bits >> (64 - width);
  return {bits, 0};
}

inline int64_t CountOf(const Numbers& shape) {
  return std::accumulate(shape.begin(), shape.end(), int64_t{1},
                         std::multiplies<>());
}

// Calls f with each index of a shape, in row-major order.
template <class F>
void ForEach(const Numbers& shape, F f) {
  Numbers index(shape.size());
  for (int64_t left = CountOf(shape); left > 0; --left) {
    f(index);
    for (size_t d = shape.size(); d-- > 0;) {
      if (++index[d] < shape[d]) break;
      index[d] = 0;
    }
  }
}

// A tensor in memory of its own, in any layout.
struct TestTensor {
  ElementType type;
  Numbers shape, strides;
  std::vector<unsigned char> memory;
  int64_t first = 0;  // in elements
  std::string text;

  TestTensor(const ElementType& of, const Numbers& with_shape)
      : type(of), shape(with_shape), strides(shape.size()) {
    int64_t stride = 1;
    for (size_t d = shape.size(); d-- > 0; stride *= shape[d])
      strides[d] = stride;
    Allocate(CountOf(shape));
  }

  // Draws an order of dimensions, gaps between elements, and directions.
  void DrawLayout(std::mt19937_64& random) {
    std::vector<size_t> order(shape.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    int64_t stride = 1 + static_cast<int64_t>(random() % 2);
    first = 0;
    for (const size_t d : order) {
      strides[d] = stride;
      stride *= std::max<int64_t>(shape[d], 1) +
                static_cast<int64_t>(random() % 4 == 0);
      if (random() % 3 == 0) {
        first += strides[d] * std::max<int64_t>(shape[d] - 1, 0);
        strides[d] = -strides[d];
      }
    }
    Allocate(stride);
  }

  void Allocate(int64_t elements) {
    memory.assign(static_cast<size_t>(elements) * type.bytes(), 0xC9);
    text = "tensor<";
    for (const int64_t size : shape) text += std::to_string(size) + "x";
    text += std::string(type.name) + ">";
  }

  unsigned char* At(const Numbers& index) {
    int64_t at = first;
    for (size_t d = 0; d < shape.size(); ++d) at += index[d] * strides[d];
    return memory.data() + at * static_cast<int64_t>(type.bytes());
  }
  Element Get(const Numbers& index) { return ReadElement(type, At(index)); }
  void Set(const Numbers& index, const Element& element) {
    WriteElement(type, element, At(index));
  }

  // Small numbers of which a few are 0; integers are of any size.
  void DrawValues(std::mt19937_64& random) {
    const auto small = [&] {
      return static_cast<double>(static_cast<int64_t>(random() % 9) - 4);
    };
    ForEach(shape, [&](const Numbers& index) {
      Element element;
      element.integer = type.is_bool() ? random() % 8 == 0 : random();
      element.number = {small(), type.is_complex() ? small() : 0};
      Set(index, element);
    });
  }

  AssayTensor Tensor() {
    AssayTensor tensor = {};
    tensor.tensor = {memory.data(),
                     {kDLCPU, 0},
                     static_cast<int32_t>(shape.size()),
                     {type.code, type.bits, 1},
                     shape.data(),
                     strides.data(),
                     static_cast<uint64_t>(first) * type.bytes()};
    tensor.type = text.c_str();
    return tensor;
  }
};

inline std::string TextOf(const Numbers& numbers) {
  std::string text = "[";
  for (const int64_t number : numbers)
    text += (text.size() > 1 ? ", " : "") + std::to_string(number);
  return text + "]";
}

using Texts = std::map<std::string, std::string>;

struct TestAnswer {
  int32_t status;
  std::string message;
};

// Runs a call. If there are paddings, they are a constant.
inline TestAnswer RunOn(const char* op, std::vector<TestTensor*> inputs,
                        TestTensor* result, const Texts& texts,
                        const Numbers* padding = nullptr) {
  std::vector<AssayTensor> operands;
  for (TestTensor* input : inputs) operands.push_back(input->Tensor());
  const AssayTensor output = result->Tensor();
  std::vector<AssayAttribute> attributes;
  for (const auto& [name, text] : texts)
    attributes.push_back({name.c_str(), text.c_str(), nullptr, {}});
  TestTensor constant(
      kI64,
      {padding == nullptr ? 0 : static_cast<int64_t>(padding->size() / 2), 2});
  AssayTensor value;
  if (padding != nullptr) {
    std::ranges::copy(*padding,
                      reinterpret_cast<int64_t*>(constant.memory.data()));
    value = constant.Tensor();
    attributes.push_back({"padding", "padding", &value, {}});
  }
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op;
  call.num_inputs = static_cast<int32_t>(operands.size());
  call.inputs = operands.data();
  call.num_outputs = 1;
  call.outputs = &output;
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  char message[200] = "";
  const int32_t status = assay_backend()->run(&call, message, sizeof(message));
  if (assay_backend()->synchronise != nullptr)
    assay_backend()->synchronise(message, sizeof(message));
  return {status, message};
}

// A sum of products.
struct Sum {
  Element total;
  void Add(const ElementType& type, const Element& a, const Element& b) {
    if (type.is_bool())
      total.integer |= a.integer & b.integer;
    else
      total.integer += a.integer * b.integer;
    const Value &x = a.number, &y = b.number;
    total.number += Value(x.real() * y.real() - x.imag() * y.imag(),
                          x.real() * y.imag() + x.imag() * y.real());
    // The parts that a real number has not got must not be NaN.
    if (!type.is_complex()) total.number = total.number.real();
  }
};

// What a tensor of the type has where it is set to the element.
inline std::vector<unsigned char> BytesOf(const ElementType& type,
                                          const Element& element) {
  std::vector<unsigned char> bytes(type.bytes());
  WriteElement(type, element, bytes.data());
  return bytes;
}

// Returns whether the tensor has the element there. Any NaN is one.
inline bool Has(TestTensor& tensor, const Numbers& index,
                const Element& element) {
  const Element rounded =
      ReadElement(tensor.type, BytesOf(tensor.type, element).data());
  const Element is = tensor.Get(index);
  const auto same = [](double a, double b) {
    return a == b ? signbit(a) == signbit(b) : isnan(a) && isnan(b);
  };
  return is.integer == rounded.integer &&
         same(is.number.real(), rounded.number.real()) &&
         same(is.number.imag(), rounded.number.imag());
}

// A call of dot_general with its dimension numbers.
struct DotCall {
  TestTensor lhs, rhs, result;
  Numbers lhs_batch, rhs_batch, lhs_terms, rhs_terms;

  Texts Attributes() const {
    return {{"lhs_batching_dimensions", TextOf(lhs_batch)},
            {"rhs_batching_dimensions", TextOf(rhs_batch)},
            {"lhs_contracting_dimensions", TextOf(lhs_terms)},
            {"rhs_contracting_dimensions", TextOf(rhs_terms)},
            {"precision_config", "[DEFAULT, DEFAULT]"}};
  }
  TestAnswer Call(Texts more = {}) {
    more.merge(Attributes());
    return RunOn("dot_general", {&lhs, &rhs}, &result, more);
  }

  Numbers Free(const TestTensor& tensor, const Numbers& a,
               const Numbers& b) const {
    Numbers free;
    for (int64_t d = 0; d < std::ssize(tensor.shape); ++d) {
      if (std::ranges::find(a, d) == a.end() &&
          std::ranges::find(b, d) == b.end())
        free.push_back(d);
    }
    return free;
  }

  // Returns the sum that belongs to an index of the result.
  Element Expected(const Numbers& index) {
    Numbers of_lhs(lhs.shape.size()), of_rhs(rhs.shape.size()), sizes;
    size_t at = 0;
    for (size_t i = 0; i < lhs_batch.size(); ++i, ++at) {
      of_lhs[static_cast<size_t>(lhs_batch[i])] = index[at];
      of_rhs[static_cast<size_t>(rhs_batch[i])] = index[at];
    }
    for (const int64_t d : Free(lhs, lhs_batch, lhs_terms))
      of_lhs[static_cast<size_t>(d)] = index[at++];
    for (const int64_t d : Free(rhs, rhs_batch, rhs_terms))
      of_rhs[static_cast<size_t>(d)] = index[at++];
    for (const int64_t d : lhs_terms)
      sizes.push_back(lhs.shape[static_cast<size_t>(d)]);
    Sum sum;
    ForEach(sizes, [&](const Numbers& term) {
      for (size_t i = 0; i < term.size(); ++i) {
        of_lhs[static_cast<size_t>(lhs_terms[i])] = term[i];
        of_rhs[static_cast<size_t>(rhs_terms[i])] = term[i];
      }
      sum.Add(lhs.type, lhs.Get(of_lhs), rhs.Get(of_rhs));
    });
    return sum.total;
  }
};

// Returns a product of matrices, rows x terms by terms x columns.
inline DotCall MatrixProduct(const ElementType& type, const ElementType& result,
                             int64_t rows, int64_t terms, int64_t columns) {
  return {TestTensor(type, {rows, terms}),
          TestTensor(type, {terms, columns}),
          TestTensor(result, {rows, columns}),
          {},
          {},
          {1},
          {0}};
}

// Draws up to two dimensions of each role, some of them empty, in any order.
inline DotCall DrawDot(std::mt19937_64& random, const ElementType& type,
                       const ElementType& result_type) {
  const auto draw = [&](int64_t below) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(below));
  };
  const int64_t most = draw(4) == 0 ? 9 : 4;
  const auto sizes = [&] {
    Numbers drawn(static_cast<size_t>(draw(3)));
    for (int64_t& size : drawn) size = draw(24) == 0 ? 0 : 1 + draw(most);
    return drawn;
  };
  Numbers batch, rows, columns, terms;
  do {
    batch = sizes();
    rows = sizes();
    columns = sizes();
    terms = sizes();
  } while (CountOf(batch) * CountOf(rows) * CountOf(columns) * CountOf(terms) >
           20000);
  const auto place = [&](const Numbers& free, Numbers* batch_dims,
                         Numbers* term_dims) {
    const size_t rank = batch.size() + free.size() + terms.size();
    Numbers order(rank), shape(rank);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    size_t at = 0;
    const auto take = [&](int64_t size) {
      shape[static_cast<size_t>(order[at])] = size;
      return order[at++];
    };
    for (const int64_t size : batch) batch_dims->push_back(take(size));
    for (const int64_t size : terms) term_dims->push_back(take(size));
    // Free dimensions are in the result in the order of the operand.
    std::sort(order.begin() + static_cast<int64_t>(at), order.end());
    for (const int64_t size : free) take(size);
    return shape;
  };
  Numbers lhs_batch, rhs_batch, lhs_terms, rhs_terms;
  const Numbers lhs = place(rows, &lhs_batch, &lhs_terms),
                rhs = place(columns, &rhs_batch, &rhs_terms);
  Numbers shape = batch;
  shape.insert(shape.end(), rows.begin(), rows.end());
  shape.insert(shape.end(), columns.begin(), columns.end());
  DotCall dot = {TestTensor(type, lhs),
                 TestTensor(type, rhs),
                 TestTensor(result_type, shape),
                 lhs_batch,
                 rhs_batch,
                 lhs_terms,
                 rhs_terms};
  for (TestTensor* tensor : {&dot.lhs, &dot.rhs, &dot.result})
    tensor->DrawLayout(random);
  dot.lhs.DrawValues(random);
  dot.rhs.DrawValues(random);
  return dot;
}

}  // namespace assay::contraction_test

#endif  // ASSAY_BACKENDS_CALLS_CONTRACTION_TEST_SUPPORT_H_
