// Tests promotion, broadcasting, several outputs and calls in place of
// pointwise calls. strided_test.cc tests their layouts.
#include <gtest/gtest.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include <string>
#include <vector>

#include "backends/simd/pointwise/pointwise_test_support.h"

namespace assay::simd_test {
namespace {

TEST(PointwiseTest, SaysThatItValidates) {
  EXPECT_EQ(assay_backend()->capabilities,
            ASSAY_VALIDATES_POINTWISE | ASSAY_VALIDATES_MOVEMENT);
}

TEST(PointwiseTest, BroadcastsColumnsAndRows) {
  Values<int32_t> column({3, 1}, std::vector<int32_t>{10, 20, 30});
  Values<int32_t> row({4}, std::vector<int32_t>{1, 2, 3, 4});
  Values<int32_t> sum({3, 4}, std::vector<int32_t>{});
  EXPECT_OK(RunPointwise("add", kDefault, {column.assay(), row.assay()},
                         {sum.assay()}));
  EXPECT_EQ(sum.Get(), (std::vector<int32_t>{11, 12, 13, 14, 21, 22, 23, 24, 31,
                                             32, 33, 34}));
  Values<int32_t> difference({3, 4}, std::vector<int32_t>{});
  EXPECT_OK(RunPointwise("subtract", kDefault, {row.assay(), column.assay()},
                         {difference.assay()}));
  EXPECT_EQ(difference.Get()[4], 1 - 20);
}

TEST(PointwiseTest, BroadcastsOneAgainstNothing) {
  Values<float> none({0, 3}, std::vector<float>{});
  Values<float> one({1, 1}, std::vector<float>{1});
  Values<float> result({0, 3}, std::vector<float>{});
  EXPECT_OK(RunPointwise("add", kDefault, {none.assay(), one.assay()},
                         {result.assay()}));
}

// The rows are longer than a tile. One operand repeats an element along each
// row, the other one along each column.
TEST(PointwiseTest, LongRowsOfRepeatedElements) {
  const Dims shape = {5, 3000};
  std::vector<float> numbers(3000);
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<float>(i);
  }
  Values<float> column({5, 1}, std::vector<float>{1, 2, 3, 4, 5});
  Values<float> row({1, 3000}, numbers);
  Values<float> result(shape, {4000, 1}, {});
  EXPECT_OK(RunPointwise("multiply", kDefault, {column.assay(), row.assay()},
                         {result.assay()}));
  const std::vector<float> products = result.Get();
  for (size_t i = 0; i < products.size(); ++i) {
    ASSERT_EQ(products[i], static_cast<float>((i / 3000 + 1) * (i % 3000)));
  }
}

TEST(PointwiseTest, NumbersTakeTheTypeOfTensors) {
  Values<int8_t> tensor({3}, std::vector<int8_t>{1, 2, 3});
  auto number = Values<int64_t>::Single(300, ASSAY_SCALAR);
  Values<int8_t> result({3}, std::vector<int8_t>{});
  EXPECT_OK(RunPointwise("add", kDefault, {tensor.assay(), number.assay()},
                         {result.assay()}));
  EXPECT_EQ(result.Get(), (std::vector<int8_t>{45, 46, 47}));
  // A number of a higher category does not take the type of the tensor; nor
  // does a tensor of rank 0.
  auto real = Values<double>::Single(0.5, ASSAY_SCALAR);
  Values<float> floats({3}, std::vector<float>{});
  EXPECT_OK(RunPointwise("multiply", kDefault, {tensor.assay(), real.assay()},
                         {floats.assay()}));
  EXPECT_EQ(floats.Get(), (std::vector<float>{0.5, 1, 1.5}));
  auto real_tensor = Values<double>::Single(0.5);
  Values<double> doubles({3}, std::vector<double>{});
  EXPECT_OK(RunPointwise("multiply", kDefault,
                         {tensor.assay(), real_tensor.assay()},
                         {doubles.assay()}));
  EXPECT_EQ(doubles.Get(), (std::vector<double>{0.5, 1, 1.5}));
}

TEST(PointwiseTest, MixedTypesAreConvertedBlockByBlock) {
  const int64_t count = 5000;
  std::vector<int32_t> integers(static_cast<size_t>(count));
  for (size_t i = 0; i < integers.size(); ++i) {
    integers[i] = static_cast<int32_t>(i) - 2500;
  }
  Values<int32_t> x({count}, Dims{-2}, integers);
  Values<double> y({count}, std::vector<double>{0.25, 0.5});
  Values<bool> result({count}, Dims{3}, std::vector<bool>{});
  const TextAttributes less_than = {{"comparison_direction", "LT"},
                                    {"compare_type", "FLOAT"}};
  EXPECT_OK(RunPointwise("compare", R"([[0, 1, "ALWAYS_BOOL"]])",
                         {x.assay(), y.assay()}, {result.assay()}, less_than));
  const std::vector<bool> less = result.Get();
  for (size_t i = 0; i < less.size(); ++i) {
    ASSERT_EQ(less[i], i <= 2500) << i;
  }
}

TEST(PointwiseTest, MethodsDecideTypes) {
  Values<bool> a({2}, std::vector<bool>{true, true});
  Values<int64_t> longs({2}, std::vector<int64_t>{});
  EXPECT_OK(RunPointwise("add", R"([[0, 1, "BOOL_TO_LONG"]])",
                         {a.assay(), a.assay()}, {longs.assay()}));
  EXPECT_EQ(longs.Get(), (std::vector<int64_t>{2, 2}));
  Values<int32_t> ints({2}, std::vector<int32_t>{4, 9});
  Values<float> roots({2}, std::vector<float>{});
  EXPECT_OK(RunPointwise("sqrt", R"([[0, "INT_TO_FLOAT"]])", {ints.assay()},
                         {roots.assay()}));
  EXPECT_EQ(roots.Get(), (std::vector<float>{2, 3}));
  Values<bool> bools({2}, std::vector<bool>{});
  EXPECT_OK(RunPointwise("copy_func", R"([[0, "ALWAYS_BOOL"]])", {ints.assay()},
                         {bools.assay()}));
  EXPECT_EQ(bools.Get(), (std::vector<bool>{true, true}));
}

TEST(PointwiseTest, SelectKeepsItsPredicate) {
  Values<bool> pred({2, 1}, std::vector<bool>{true, false});
  Values<int8_t> a({2}, std::vector<int8_t>{1, 2});
  auto b = Values<int32_t>::Single(7);
  Values<int8_t> result({2, 2}, std::vector<int8_t>{});
  EXPECT_OK(RunPointwise("select", R"([[1, 2, "NO_OPMATH"]])",
                         {pred.assay(), a.assay(), b.assay()},
                         {result.assay()}));
  EXPECT_EQ(result.Get(), (std::vector<int8_t>{1, 2, 7, 7}));
  ExpectInvalid(RunPointwise("select", R"([[1, 2, "NO_OPMATH"]])",
                             {a.assay(), a.assay(), a.assay()}, {a.assay()}),
                "operand 0");
}

TEST(PointwiseTest, SumWithFactor) {
  Values<float> x({600, 2}, std::vector<float>{1, 2});
  Values<int32_t> y({2}, std::vector<int32_t>{10, 20});
  auto alpha = Values<int64_t>::Single(3, ASSAY_SCALAR);
  EXPECT_OK(RunPointwise("add_func", R"([[0, 1, 2, "DEFAULT"]])",
                         {x.assay(), y.assay(), alpha.assay()}, {x.assay()}));
  const std::vector<float> sums = x.Get();
  for (size_t i = 0; i < sums.size(); ++i) {
    ASSERT_EQ(sums[i], i % 2 == 0 ? 31 : 62);
  }
}

// The first output takes the place of an operand that the second output needs.
TEST(PointwiseTest, PolarInPlace) {
  const int64_t count = 1500;
  Values<double> abs({count}, std::vector<double>{1, 2, 3});
  Values<double> angle({1}, std::vector<double>{0.5});
  Values<double> imag({count}, Dims{2}, std::vector<double>{});
  EXPECT_OK(RunPointwise("polar", R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])",
                         {abs.assay(), angle.assay()},
                         {abs.assay(), imag.assay()}));
  const std::vector<double> real_parts = abs.Get();
  const std::vector<double> imag_parts = imag.Get();
  for (size_t i = 0; i < real_parts.size(); ++i) {
    const double length = static_cast<double>(i % 3 + 1);
    ASSERT_NEAR(real_parts[i], length * cos(0.5), 1e-14) << i;
    ASSERT_NEAR(imag_parts[i], length * sin(0.5), 1e-14) << i;
  }
}

TEST(PointwiseTest, CopyOfAReversedViewFlips) {
  Values<float> x({5}, {-1}, {5, 4, 3, 2, 1});
  Values<float> result({5}, std::vector<float>{});
  EXPECT_OK(RunPointwise("copy_func", R"([[0, "DEFAULT"]])", {x.assay()},
                         {result.assay()}));
  EXPECT_EQ(result.Get(), x.Get());
}

TEST(PointwiseTest, ShiftsBroadcastAndRunInPlace) {
  Values<int32_t> x({2, 700}, std::vector<int32_t>{1, 3});
  Values<int32_t> y({2, 1}, std::vector<int32_t>{1, 40});
  ASSERT_EQ(RunOp({"paddle.bitwise_left_shift", "", ""}, {x.assay(), y.assay()},
                  x.assay()),
            ASSAY_OK);
  const std::vector<int32_t> shifted = x.Get();
  for (size_t i = 0; i < shifted.size(); ++i) {
    ASSERT_EQ(shifted[i], i >= 700 ? 0 : i % 2 == 0 ? 2 : 6) << i;
  }
  std::string message;
  Values<int32_t> z({3}, std::vector<int32_t>{1});
  EXPECT_EQ(RunOp({"paddle.bitwise_left_shift", "", ""}, {x.assay(), z.assay()},
                  x.assay(), &message),
            ASSAY_INVALID);
  EXPECT_NE(message.find("dimension 0 of operand 1"), std::string::npos)
      << message;
}
}  // namespace
}  // namespace assay::simd_test
