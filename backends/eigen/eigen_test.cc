// Tests that the plugin passes the operands of a call to Eigen, of every type
// that Eigen has, and declines the rest. The suite tests whether Eigen is
// right.
#include <fenv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "backends/backend.h"

namespace assay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Type {
  uint8_t code, bits;
};
constexpr Type kBool = {ASSAY_DL_BOOL, 8}, kI8 = {kDLInt, 8},
               kI32 = {kDLInt, 32}, kF32 = {kDLFloat, 32},
               kC64 = {kDLComplex, 64};

// A tensor of rank 1 has elements of type T in memory.
template <typename T>
struct Tensor {
  explicit Tensor(Type t, std::vector<T> values) : type(t), elements(values) {
    size = static_cast<int64_t>(sizeof(T) * elements.size() * 8 / type.bits);
  }
  operator AssayTensor() {
    AssayTensor tensor = {};
    tensor.tensor = {elements.data(), {kDLCPU, 0}, 1, {type.code, type.bits, 1},
                     &size,           &stride,     0};
    tensor.type = "tensor<3xelement>";
    return tensor;
  }

  Type type;
  std::vector<T> elements;
  int64_t size;
  int64_t stride = 1;
};

AssayTensor Scalar(AssayTensor tensor) {
  tensor.tensor.ndim = 0;
  return tensor;
}

Tensor<float> Floats(std::vector<float> values) {
  return Tensor<float>(kF32, values);
}
Tensor<char> Bools(std::vector<char> values) {
  return Tensor<char>(kBool, values);
}

struct Answer {
  int32_t status;
  std::string message;
};

struct Text {
  const char* name;
  const char* text;
};

Answer Call(const char* op, std::vector<AssayTensor> inputs, AssayTensor result,
            const std::vector<Text>& texts = {}, const char* region = nullptr) {
  std::vector<AssayAttribute> attributes;
  for (const Text& text : texts) {
    attributes.push_back({text.name, text.text, nullptr, {}});
  }
  AssayCall call = {};
  call.struct_size = sizeof(call);
  call.op = op;
  call.num_inputs = static_cast<int32_t>(inputs.size());
  call.inputs = inputs.data();
  call.num_outputs = 1;
  call.outputs = &result;
  call.num_attributes = static_cast<int32_t>(attributes.size());
  call.attributes = attributes.data();
  call.num_regions = region != nullptr;
  call.regions = &region;
  char message[200] = "";
  const int32_t status = assay_backend()->run(&call, message, sizeof(message));
  return {status, message};
}

// The values go through `convert` to the type and back, so that the test need
// not know how a type lies in memory.
TEST(Eigen, ComputesOnEveryType) {
  for (const Type type :
       {kI8, Type{kDLInt, 16}, kI32, Type{kDLInt, 64}, Type{kDLUInt, 8},
        Type{kDLUInt, 16}, Type{kDLUInt, 32}, Type{kDLUInt, 64},
        Type{kDLFloat, 16}, Type{kDLBfloat, 16}, kF32, Type{kDLFloat, 64}, kC64,
        Type{kDLComplex, 128}}) {
    SCOPED_TRACE(testing::Message() << +type.code << " " << +type.bits);
    const auto make = [&](const std::vector<char>& values) {
      Tensor<char> tensor(type,
                          std::vector<char>(values.size() * type.bits / 8));
      Tensor<char> bytes(kI8, values);
      EXPECT_EQ(Call("convert", {bytes}, tensor).status, ASSAY_OK);
      return tensor;
    };
    Tensor<char> x = make({7, 100, 1}), y = make({2, 3, 1});
    Tensor<char> result = make({0, 0, 0});
    const auto run = [&](const char* op,
                         const std::vector<AssayTensor>& inputs) {
      EXPECT_EQ(Call(op, inputs, result).status, ASSAY_OK) << op;
      Tensor<char> bytes(kI8, {0, 0, 0});
      EXPECT_EQ(Call("convert", {result}, bytes).status, ASSAY_OK);
      return bytes.elements;
    };
    Tensor<char> pred = Bools({1, 0, 1});
    EXPECT_THAT(run("add", {x, y}), ElementsAre(9, 103, 2));
    EXPECT_THAT(run("subtract", {x, y}), ElementsAre(5, 97, 0));
    EXPECT_THAT(run("select", {pred, x, y}), ElementsAre(7, 3, 1));
    EXPECT_THAT(run("select", {Scalar(pred), x, y}), ElementsAre(7, 100, 1));
    EXPECT_EQ(Call("compare", {x, y}, pred,
                   {{"comparison_direction", "EQ"}, {"compare_type", "FLOAT"}})
                  .status,
              ASSAY_OK);
    EXPECT_THAT(pred.elements, ElementsAre(0, 0, 1));
    x.size = y.size = result.size = 0;
    EXPECT_EQ(Call("add", {x, y}, result).status, ASSAY_OK);
    result.size = 3;
    EXPECT_THAT(run("select", {Scalar(pred), result, result}),
                ElementsAre(7, 100, 1))
        << "is left alone";
  }
}

TEST(Eigen, ComputesByOp) {
  Tensor<float> x = Floats({2.5f, -2.5f, 1.25f, 16.f});
  Tensor<float> y = Floats({1.f, 2.f, 3.f, -4.f});
  Tensor<float> result = Floats({0, 0, 0, 0});
  const auto run = [&](const char* op, const std::vector<AssayTensor>& inputs) {
    EXPECT_EQ(Call(op, inputs, result).status, ASSAY_OK) << op;
    return result.elements;
  };
  EXPECT_THAT(run("abs", {x}), ElementsAre(2.5, 2.5, 1.25, 16));
  EXPECT_THAT(run("negate", {x}), ElementsAre(-2.5, 2.5, -1.25, -16));
  EXPECT_THAT(run("ceil", {x}), ElementsAre(3, -2, 2, 16));
  EXPECT_THAT(run("floor", {x}), ElementsAre(2, -3, 1, 16));
  EXPECT_THAT(run("round_nearest_afz", {x}), ElementsAre(3, -3, 1, 16));
  EXPECT_THAT(run("round_nearest_even", {x}), ElementsAre(2, -2, 1, 16));
  EXPECT_THAT(run("sign", {x}), ElementsAre(1, -1, 1, 1));
  EXPECT_THAT(run("real", {x}), ElementsAre(2.5, -2.5, 1.25, 16));
  EXPECT_THAT(run("imag", {x}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(run("sqrt", {x})[3], testing::FloatNear(4, 1e-5f));
  EXPECT_THAT(run("divide", {x, y})[1], -1.25);
  EXPECT_THAT(run("multiply", {x, y}), ElementsAre(2.5, -5, 3.75, -64));
  EXPECT_THAT(run("maximum", {x, y}), ElementsAre(2.5, 2, 3, 16));
  EXPECT_THAT(run("minimum", {x, y}), ElementsAre(1, -2.5, 1.25, -4));
  EXPECT_THAT(run("clamp", {Scalar(y), x, x}), ElementsAre(2.5, -2.5, 1.25, 16))
      << "the greatest wins over the least";
  EXPECT_THAT(run("clamp", {y, x, Scalar(x)}), ElementsAre(2.5, 2, 2.5, 2.5));

  Tensor<float> z(kC64, std::vector<float>(8));
  EXPECT_EQ(Call("complex", {y, x}, z).status, ASSAY_OK);
  EXPECT_THAT(z.elements, ElementsAre(1, 2.5, 2, -2.5, 3, 1.25, -4, 16));
  EXPECT_THAT(run("real", {z}), ElementsAre(1, 2, 3, -4));
  EXPECT_THAT(run("imag", {z}), ElementsAre(2.5, -2.5, 1.25, 16));

  Tensor<char> finite = Bools({0, 0, 0, 0});
  x.elements[0] = INFINITY;
  x.elements[1] = NAN;
  EXPECT_EQ(Call("is_finite", {x}, finite).status, ASSAY_OK);
  EXPECT_THAT(finite.elements, ElementsAre(0, 0, 1, 1));
}

TEST(Eigen, Compares) {
  Tensor<float> x = Floats({1, 2, 3, NAN}), y = Floats({2, 2, 2, 2});
  const auto compare = [&](const char* direction) {
    Tensor<char> result = Bools({0, 0, 0, 0});
    const std::vector<Text> attributes = {{"comparison_direction", direction},
                                          {"compare_type", "FLOAT"}};
    EXPECT_EQ(Call("compare", {x, y}, result, attributes).status, ASSAY_OK);
    return result.elements;
  };
  EXPECT_THAT(compare("EQ"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(compare("NE"), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(compare("LT"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(compare("LE"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compare("GT"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(compare("GE"), ElementsAre(0, 1, 1, 0));
}

// The tensors of a product of matrices, in row-major order.
template <typename T>
struct MatrixTensor {
  MatrixTensor(Type t, int64_t rows, int64_t columns, std::vector<T> values)
      : type(t), shape{rows, columns}, strides{columns, 1}, elements(values) {}
  operator AssayTensor() {
    AssayTensor tensor = {};
    tensor.tensor = {elements.data(), {kDLCPU, 0}, 2, {type.code, type.bits, 1},
                     shape,           strides,     0};
    tensor.type = "tensor<2x3xelement>";
    return tensor;
  }

  Type type;
  int64_t shape[2], strides[2];
  std::vector<T> elements;
};

TEST(Eigen, MultipliesMatrices) {
  const std::vector<Text> dimensions = {{"lhs_batching_dimensions", "[]"},
                                        {"rhs_batching_dimensions", "[]"},
                                        {"lhs_contracting_dimensions", "[1]"},
                                        {"rhs_contracting_dimensions", "[0]"},
                                        {"precision_config", "[]"}};
  MatrixTensor<float> x(kF32, 2, 3, {1, 2, 3, 4, 5, 6}),
      y(kF32, 3, 2, {1, 0, 0, 1, 2, 3}), z(kF32, 2, 2, {0, 0, 0, 0});
  EXPECT_EQ(Call("dot_general", {x, y}, z, dimensions).status, ASSAY_OK);
  EXPECT_THAT(z.elements, ElementsAre(7, 11, 16, 23));
  std::swap(y.shape[0], y.shape[1]);
  y.strides[0] = 1;
  y.strides[1] = 2;
  std::vector<Text> transposed = dimensions;
  transposed[3].text = "[1]";
  EXPECT_EQ(Call("dot_general", {x, y}, z, transposed).status, ASSAY_OK);
  EXPECT_THAT(z.elements, ElementsAre(7, 11, 16, 23));
  MatrixTensor<int8_t> a(kI8, 1, 2, {100, 100}), b(kI8, 2, 1, {2, 1}),
      c(kI8, 1, 1, {0});
  EXPECT_EQ(Call("dot_general", {a, b}, c, dimensions).status, ASSAY_OK);
  EXPECT_THAT(c.elements, ElementsAre(44));
  a.shape[1] = b.shape[0] = 0;
  EXPECT_EQ(Call("dot_general", {a, b}, c, dimensions).status, ASSAY_OK);
  EXPECT_THAT(c.elements, ElementsAre(0));
  MatrixTensor<int32_t> wide(kI32, 1, 1, {0});
  EXPECT_EQ(Call("dot_general", {a, b}, wide, dimensions).status,
            ASSAY_UNSUPPORTED);
}

TEST(Eigen, Declines) {
  Tensor<float> x = Floats({1, 2, 3, 4}), z(kC64, {1, 2, 3, 4});
  Tensor<int32_t> i(kI32, {1, 2, 3, 0});
  Tensor<char> p = Bools({0, 0, 0, 0});
  const auto declines = [](const Answer& answer, const char* reason) {
    EXPECT_EQ(answer.status, ASSAY_UNSUPPORTED) << reason;
    EXPECT_THAT(answer.message, HasSubstr(reason));
  };
  declines(Call("remainder", {x, x}, x), "remainder: not implemented: this op");
  declines(Call("add", {x, x}, x, {{"axis", "1"}}), "attributes or regions");
  declines(Call("add", {x, x}, x, {}, "^bb0"), "attributes or regions");
  declines(Call("add", {x}, x), "another number of operands");
  declines(Call("divide", {i, i}, i), "elements of element");
  declines(Call("multiply", {z, z}, z), "elements of element");
  declines(Call("add", {p, p}, p), "elements of element");
  declines(Call("add", {x, i}, x), "another type than expected: element");
  declines(
      Call("compare", {x, x}, p,
           {{"comparison_direction", "EQ"}, {"compare_type", "TOTALORDER"}}),
      "compare_type TOTALORDER");
  declines(Call("compare", {z, z}, p,
                {{"comparison_direction", "LT"}, {"compare_type", "FLOAT"}}),
           "elements of element");
  AssayTensor narrow = i;
  narrow.tensor.dtype.bits = 4;
  declines(Call("add", {narrow, narrow}, narrow), "Eigen has no element");
  i.stride = 2;
  i.size = 2;
  declines(Call("negate", {i}, i), "a layout that is not row-major");
}

TEST(Eigen, LeavesTheEnvironment) {
  Tensor<float> x = Floats({1, 0}), y = Floats({0, 0});
  Tensor<float> result = Floats({0, 0});
  feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INVALID);
  const Answer answer = Call("divide", {x, y}, result);
  const int masks = fedisableexcept(FE_ALL_EXCEPT);
  EXPECT_EQ(answer.status, ASSAY_OK) << answer.message;
  EXPECT_EQ(result.elements[0], INFINITY);
  EXPECT_EQ(masks, FE_DIVBYZERO | FE_INVALID);
  EXPECT_EQ(fetestexcept(FE_ALL_EXCEPT), 0);
}

}  // namespace
}  // namespace assay
