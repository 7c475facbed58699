// That the plugin reaches Eigen with the operands of a call, of every type that
// Eigen has, and declines the rest. Whether Eigen is right is what the suite
// asks.
#include <fenv.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "backends/backend.h"
#include "backends/eigen/operands.h"

namespace assay::eigen {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <typename T>
DLDataType TypeOf() {
  constexpr uint8_t bits = sizeof(T) * 8;
  if (std::is_same_v<T, bool>) return {ASSAY_DL_BOOL, 8, 1};
  if (std::is_same_v<T, Eigen::bfloat16>) return {kDLBfloat, 16, 1};
  if (Eigen::NumTraits<T>::IsComplex) return {kDLComplex, bits, 1};
  if (!Eigen::NumTraits<T>::IsInteger) return {kDLFloat, bits, 1};
  return {std::is_signed_v<T> ? kDLInt : kDLUInt, bits, 1};
}

// A tensor of rank 1; an array, as vectors of bool have no elements.
template <typename T, int64_t n>
struct Tensor {
  operator AssayTensor() {
    AssayTensor tensor = {};
    tensor.tensor = {elements, {kDLCPU, 0}, 1, TypeOf<T>(), &size, &stride, 0};
    tensor.type = "tensor<3xelement>";
    return tensor;
  }

  T elements[n];
  int64_t size = n;
  int64_t stride = 1;
};

AssayTensor Scalar(AssayTensor tensor) {
  tensor.tensor.ndim = 0;
  return tensor;
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
  const AssayCall call = {sizeof(AssayCall),
                          op,
                          static_cast<int32_t>(inputs.size()),
                          inputs.data(),
                          1,
                          &result,
                          static_cast<int32_t>(attributes.size()),
                          attributes.data(),
                          region != nullptr,
                          &region};
  char message[200] = "";
  const int32_t status = assay_backend()->run(&call, message, sizeof(message));
  return {status, message};
}

template <typename T>
class EigenTest : public testing::Test {};

using Numbers =
    testing::Types<int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t,
                   uint32_t, uint64_t, Eigen::half, Eigen::bfloat16, float,
                   double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(EigenTest, Numbers);

TYPED_TEST(EigenTest, Computes) {
  using T = TypeParam;
  Tensor<T, 3> x = {{T(7), T(100), T(1)}};
  Tensor<T, 3> y = {{T(2), T(3), T(1)}};
  Tensor<T, 3> result = {};
  EXPECT_EQ(Call("add", {x, y}, result).status, ASSAY_OK);
  EXPECT_THAT(result.elements, ElementsAre(T(9), T(103), T(2)));
  EXPECT_EQ(Call("subtract", {x, y}, result).status, ASSAY_OK);
  EXPECT_THAT(result.elements, ElementsAre(T(5), T(97), T(0)));
  EXPECT_EQ(Call("negate", {x}, result).status, ASSAY_OK);
  EXPECT_EQ(result.elements[2], T(-1));

  Tensor<bool, 3> pred = {{true, false, true}};
  EXPECT_EQ(Call("select", {pred, x, y}, result).status, ASSAY_OK);
  EXPECT_THAT(result.elements, ElementsAre(T(7), T(3), T(1)));
  EXPECT_EQ(Call("select", {Scalar(pred), x, y}, result).status, ASSAY_OK);
  EXPECT_THAT(result.elements, ElementsAre(T(7), T(100), T(1)));

  const std::vector<Text> equal = {{"comparison_direction", "EQ"},
                                   {"compare_type", "FLOAT"}};
  EXPECT_EQ(Call("compare", {x, y}, pred, equal).status, ASSAY_OK);
  EXPECT_THAT(pred.elements, ElementsAre(false, false, true));
  Tensor<Eigen::half, 3> half = {};
  EXPECT_EQ(Call("convert", {x}, half).status, ASSAY_OK);
  EXPECT_THAT(half.elements,
              ElementsAre(Eigen::half(7), Eigen::half(100), Eigen::half(1)));
  EXPECT_EQ(Call("convert", {half}, result).status, ASSAY_OK);
  EXPECT_THAT(result.elements, ElementsAre(T(7), T(100), T(1)));

  x.size = result.size = 0;
  EXPECT_EQ(Call("negate", {x}, result).status, ASSAY_OK);
  EXPECT_EQ(result.elements[0], T(7)) << "is left alone";
}

TEST(Eigen, ComputesByOp) {
  Tensor<float, 4> x = {{2.5f, -2.5f, 1.25f, 16.f}};
  Tensor<float, 4> y = {{1.f, 2.f, 3.f, -4.f}};
  Tensor<float, 4> result = {};
  const auto run = [&](const char* op, const std::vector<AssayTensor>& inputs) {
    EXPECT_EQ(Call(op, inputs, result).status, ASSAY_OK) << op;
    return std::vector<float>(result.elements, result.elements + 4);
  };
  EXPECT_THAT(run("abs", {x}), ElementsAre(2.5, 2.5, 1.25, 16));
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

  Tensor<bool, 4> finite = {};
  x.elements[0] = INFINITY;
  x.elements[1] = NAN;
  EXPECT_EQ(Call("is_finite", {x}, finite).status, ASSAY_OK);
  EXPECT_THAT(finite.elements, ElementsAre(false, false, true, true));

  Tensor<std::complex<float>, 4> z = {};
  EXPECT_EQ(Call("complex", {y, x}, z).status, ASSAY_OK);
  EXPECT_EQ(z.elements[3], std::complex<float>(-4, 16));
  EXPECT_THAT(run("real", {z}), ElementsAre(1, 2, 3, -4));
  EXPECT_THAT(run("imag", {z})[2], 1.25);
}

TEST(Eigen, Compares) {
  Tensor<float, 4> x = {{1, 2, 3, NAN}};
  Tensor<float, 4> y = {{2, 2, 2, 2}};
  Tensor<bool, 4> result = {};
  const auto compare = [&](const char* direction) {
    EXPECT_EQ(
        Call("compare", {x, y}, result,
             {{"comparison_direction", direction}, {"compare_type", "FLOAT"}})
            .status,
        ASSAY_OK);
    return std::vector<int>(result.elements, result.elements + 4);
  };
  EXPECT_THAT(compare("EQ"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(compare("NE"), ElementsAre(1, 0, 1, 1));
  EXPECT_THAT(compare("LT"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(compare("LE"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(compare("GT"), ElementsAre(0, 0, 1, 0));
  EXPECT_THAT(compare("GE"), ElementsAre(0, 1, 1, 0));
}

TEST(Eigen, Declines) {
  Tensor<float, 4> x = {{1, 2, 3, 4}};
  Tensor<int32_t, 4> i = {{1, 2, 3, 0}};
  Tensor<std::complex<float>, 4> z = {};
  Tensor<bool, 4> p = {};
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
  Tensor<float, 2> x = {{1, 0}};
  Tensor<float, 2> y = {{0, 0}};
  Tensor<float, 2> result = {};
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
}  // namespace assay::eigen
