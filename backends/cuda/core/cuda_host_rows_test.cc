// Tests the kernels for several rows at a time. On the host they run for fewer
// elements than on a GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string_view>
#include <vector>

#include "backends/cuda/core/calls_test_support.h"
#include "backends/cuda/core/job.h"
#include "backends/cuda/core/tuning.h"

namespace assay::cuda {
namespace {

// The shape is large enough for the kernel of rows (rows.h). Its number of rows
// is no multiple of those of a thread, and rows are whole chunks of 4.
TEST(Rows, RepeatAreReversedOrEndWithinAThread) {
  constexpr int64_t kRows = 7, kColumns = 1024;
  static_assert(kRows * kColumns / 4 >= kTuning.least_chunks_for_rows);
  std::vector<float> all(kRows * kColumns);
  std::iota(all.begin(), all.end(), 1);
  const Dims shape = {kRows, kColumns};
  const struct {
    Dims shape, strides;
    int64_t first;  // the element at [0, 0]
  } layouts[] = {{shape, {kColumns, 1}, 0},
                 {{1, kColumns}, {kColumns, 1}, 0},
                 {{kRows, 1}, {kColumns, 1}, 0},
                 {shape, {kColumns, -1}, kColumns - 1},
                 {shape, {-kColumns, 1}, (kRows - 1) * kColumns}};
  for (const auto& lhs : layouts) {
    for (const auto& rhs : layouts) {
      // Two operands that are one row, or one column, do not make the shape of
      // the result.
      if (&lhs == &rhs && lhs.shape != shape) continue;
      TestOperand<float> a(lhs.shape, lhs.strides, all);
      TestOperand<float> b(rhs.shape, rhs.strides, all);
      a.tensor.tensor.data = &a.data[static_cast<size_t>(lhs.first)];
      b.tensor.tensor.data = &b.data[static_cast<size_t>(rhs.first)];
      TestOperand<float> result(shape, std::vector<float>(all.size()));
      static constexpr char kPromotion[] = R"([[0, 1, "DEFAULT"]])";
      const Call call("pointwise.subtract", {a.tensor, b.tensor},
                      {result.tensor},
                      {{"promotion_methods", kPromotion, nullptr, {}}});
      int32_t status = -1;
      EXPECT_EQ(call.Run(&status), "");
      ASSERT_EQ(status, ASSAY_OK);
      const auto at = [&](const auto& of, int64_t row, int64_t column) {
        const int64_t element = of.first +
                                (of.shape[0] == 1 ? 0 : row * of.strides[0]) +
                                (of.shape[1] == 1 ? 0 : column * of.strides[1]);
        return all[static_cast<size_t>(element)];
      };
      for (int64_t row = 0; row < kRows; ++row) {
        for (int64_t column = 0; column < kColumns; ++column) {
          ASSERT_EQ(result.data[static_cast<size_t>(row * kColumns + column)],
                    at(lhs, row, column) - at(rhs, row, column))
              << row << ", " << column;
        }
      }
    }
  }
}

// A Layout says where the elements of an operand of three dimensions lie, in
// elements.
struct Layout {
  Dims strides;
  int64_t first;  // The element at [0, 0, 0].

  int64_t At(int64_t matrix, int64_t row, int64_t column) const {
    return first + matrix * strides[0] + row * strides[1] + column * strides[2];
  }
};

// The operands are the same in all rows or in all columns, and the last thread
// has fewer rows than the others.
class Repeated : public testing::Test {
 protected:
  static constexpr int64_t kMatrices = 2, kRowCount = 2 * kRepeatedRows + 5,
                           kColumns = 1024;
  static_assert(kRowCount * kColumns / 8 >= kTuning.least_chunks_for_repeated);

  static std::vector<Layout> Layouts() {
    return {{{kColumns, 0, 1}, 0},
            {{kColumns, 0, -1}, kColumns - 1},
            // Nothing lies behind the last element of this operand.
            {{kColumns, 1, 0}, kColumns - kRowCount},
            {{kColumns, -3, 0}, 3 * kRowCount},
            {{1, 0, 0}, 0},
            // Neither the rows nor the columns of this operand are the same.
            {{0, 8, 1}, 0}};
  }

  // Checks that the result of `op` is what `function` computes from the
  // operands' elements.
  template <class T, class Out, class Function>
  static void Check(const char* op, const std::vector<Layout>& layouts,
                    const std::vector<AssayAttribute>& attributes,
                    const Function& function) {
    const Dims shape = {kMatrices, kRowCount, kColumns};
    std::vector<T> all(kMatrices * kColumns);
    for (size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<T>(i * 37 % 113) - T{50};
    std::vector<std::unique_ptr<TestOperand<T>>> operands;
    std::vector<AssayTensor> inputs;
    for (const Layout& layout : layouts) {
      operands.push_back(
          std::make_unique<TestOperand<T>>(shape, layout.strides, all));
      AssayTensor& tensor = operands.back()->tensor;
      tensor.tensor.data =
          &operands.back()->data[static_cast<size_t>(layout.first)];
      inputs.push_back(tensor);
    }
    TestOperand<Out> result(
        shape, std::vector<Out>(kMatrices * kRowCount * kColumns, Out{77}));
    if (std::string_view(op) == "compare")
      result.tensor.tensor.dtype = {ASSAY_DL_BOOL, 8, 1};
    int32_t status = -1;
    EXPECT_EQ(Call(op, inputs, {result.tensor}, attributes).Run(&status), "");
    ASSERT_EQ(status, ASSAY_OK);
    size_t place = 0;
    for (int64_t matrix = 0; matrix < kMatrices; ++matrix) {
      for (int64_t row = 0; row < kRowCount; ++row) {
        for (int64_t column = 0; column < kColumns; ++column) {
          std::vector<T> values;
          for (const Layout& layout : layouts) {
            values.push_back(
                all[static_cast<size_t>(layout.At(matrix, row, column))]);
          }
          ASSERT_EQ(result.data[place++], function(values))
              << op << " at " << matrix << ", " << row << ", " << column;
        }
      }
    }
  }
};

TEST_F(Repeated, OperandsOfOneInput) {
  for (const Layout& layout : Layouts()) {
    Check<int16_t, int16_t>("negate", {layout}, {}, [](const auto& values) {
      return static_cast<int16_t>(-values[0]);
    });
    Check<float, float>("abs", {layout}, {},
                        [](const auto& values) { return std::abs(values[0]); });
  }
}

TEST_F(Repeated, RowsAndColumns) {
  const std::vector<AssayAttribute> less = {
      {"comparison_direction", "LT", nullptr, {}},
      {"compare_type", "FLOAT", nullptr, {}}};
  for (const Layout& lhs : Layouts()) {
    for (const Layout& rhs : Layouts()) {
      Check<int8_t, int8_t>("subtract", {lhs, rhs}, {}, [](const auto& values) {
        return static_cast<int8_t>(values[0] - values[1]);
      });
      Check<float, int8_t>("compare", {lhs, rhs}, less, [](const auto& values) {
        return static_cast<int8_t>(values[0] < values[1]);
      });
    }
  }
}

}  // namespace
}  // namespace assay::cuda
