// Tests that invalid pointwise calls are refused.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include "backends/simd/pointwise/pointwise_test_support.h"

namespace assay::simd_test {
namespace {

// --------------------------------------------------------------------- Invalid

TEST(PointwiseInvalidTest, ShapesAndTypes) {
  Values<float> x({2, 3}, std::vector<float>{});
  Values<float> y({2}, std::vector<float>{});
  Values<float> out({2, 3}, std::vector<float>{});
  Values<float> row({3}, std::vector<float>{});
  Values<double> doubles({2, 3}, std::vector<double>{});
  Values<int32_t> ints({2, 3}, std::vector<int32_t>{});
  const auto add = [](Values<float>& a, Values<float>& b, AssayTensor& c) {
    return RunPointwise("add", kDefault, {a.assay(), b.assay()}, {c});
  };
  ExpectInvalid(add(x, y, out.assay()), "dimension 0 of operand 1");
  ExpectInvalid(add(x, row, row.assay()), "output 0 has 1 dimensions");
  ExpectInvalid(add(row, row, out.assay()), "output 0 has 2 dimensions");
  Values<float> wide({2, 4}, std::vector<float>{});
  ExpectInvalid(add(x, row, wide.assay()), "dimension 1 of output 0");
  ExpectInvalid(add(x, row, doubles.assay()), "output 0 has not the type");
  ExpectInvalid(RunPointwise("add", R"([[0, "DEFAULT"]])",
                             {ints.assay(), x.assay()}, {ints.assay()}),
                "operand 1 is of a higher category");
  Values<uint16_t> odd({2, 3}, std::vector<uint16_t>{});
  Values<int32_t> result({2, 3}, std::vector<int32_t>{});
  ExpectInvalid(RunPointwise("add", kDefault, {odd.assay(), ints.assay()},
                             {result.assay()}),
                "no type in common");
}

TEST(PointwiseInvalidTest, Methods) {
  Values<float> x({2}, std::vector<float>{1});
  Values<float> out({2}, std::vector<float>{});
  for (const char* text :
       {"", "[]", "[[]]", R"([["DEFAULT"]])", "[[0, 1]]", R"([[0, 1, "ADD"]])",
        R"([[0, 1, DEFAULT]])", R"([[0, 2, "DEFAULT"]])",
        R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])", R"([[0, 1, "DEFAULT"]] 1)",
        R"([[0, 1, "DEFAULT", 1]])", R"([[+0, 1, "DEFAULT"]])",
        R"([[-0, 1, "DEFAULT"]])", R"([[00, 1, "DEFAULT"]])",
        "[[0,\v1, \"DEFAULT\"]]"}) {
    ExpectInvalid(
        RunPointwise("add", text, {x.assay(), x.assay()}, {out.assay()}),
        "promotion_methods");
  }
  // The order of the arguments does not matter, nor how often each is named.
  for (const char* text : {R"([[0, 0, "DEFAULT"]])", R"([[1, 0, "DEFAULT"]])",
                           R"([[1, 1, 0, 1, 0, 0, 1, "DEFAULT"]])",
                           "\n[ [ 0\t,1 ,\r\"DEFAULT\" ] ] "}) {
    EXPECT_OK(RunPointwise("add", text, {x.assay(), x.assay()}, {out.assay()}));
  }
  const std::string longest =
      R"([[0, 1, "DEFAULT"]])" + std::string(4096 - 19, ' ');
  const std::string longer = longest + " ";
  EXPECT_OK(RunPointwise("add", longest.c_str(), {x.assay(), x.assay()},
                         {out.assay()}));
  ExpectInvalid(RunPointwise("add", longer.c_str(), {x.assay(), x.assay()},
                             {out.assay()}),
                "promotion_methods is too long");
}

// The type that is promoted to determines how values are compared.
TEST(PointwiseInvalidTest, CompareTypes) {
  Values<int32_t> ints({2}, std::vector<int32_t>{1});
  Values<float> floats({2}, std::vector<float>{1});
  Values<bool> out({2}, std::vector<bool>{false});
  const auto compare = [&](AssayTensor& x, AssayTensor& y,
                           const TextAttributes& how) {
    TextAttributes attributes = how;
    attributes.emplace_back("comparison_direction", "LT");
    return RunPointwise("compare", R"([[0, 1, "ALWAYS_BOOL"]])", {x, y},
                        {out.assay()}, attributes);
  };
  const std::string wrong = "is not of the type that is computed in";
  AssayTensor& i = ints.assay();
  AssayTensor& f = floats.assay();
  EXPECT_OK(compare(i, i, {{"compare_type", "SIGNED"}}));
  EXPECT_OK(compare(i, f, {{"compare_type", "FLOAT"}}));
  EXPECT_OK(compare(f, f, {{"compare_type", "TOTALORDER"}}));
  ExpectInvalid(compare(i, i, {{"compare_type", "FLOAT"}}), wrong);
  ExpectInvalid(compare(i, f, {{"compare_type", "SIGNED"}}), wrong);
  ExpectInvalid(compare(i, i, {{"compare_type", "UNSIGNED"}}), wrong);
  ExpectInvalid(compare(f, f, {}), wrong);
}

TEST(PointwiseInvalidTest, Overlaps) {
  Values<float> buffer({8}, std::vector<float>{1});
  const auto view = [&](int64_t count, int64_t stride, int64_t first) {
    struct View {
      int64_t count;
      int64_t stride;
      AssayTensor tensor;
    };
    auto result = std::make_unique<View>(View{count, stride, buffer.assay()});
    result->tensor.tensor.shape = &result->count;
    result->tensor.tensor.strides = &result->stride;
    result->tensor.tensor.byte_offset += static_cast<uint64_t>(first) * 4;
    return result;
  };
  Values<float> row({4}, std::vector<float>{1});
  Values<float> other({4}, std::vector<float>{});
  const auto add = [&](const AssayTensor& x, const AssayTensor& out) {
    return RunPointwise("add", kDefault, {x, row.assay()}, {out});
  };
  const auto even = view(4, 2, 0);
  const auto odd = view(4, 2, 1);
  EXPECT_OK(add(even->tensor, odd->tensor));
  EXPECT_OK(add(even->tensor, even->tensor));
  ExpectInvalid(add(even->tensor, view(4, 1, 0)->tensor), "overlaps operand 0");
  ExpectInvalid(add(even->tensor, view(4, -2, 6)->tensor),
                "overlaps operand 0");
  ExpectInvalid(add(other.assay(), view(4, 0, 0)->tensor), "output 0 overlap");
  EXPECT_OK(add(view(4, 0, 0)->tensor, other.assay()));
  Values<float> angle({4}, std::vector<float>{});
  const char* methods = R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])";
  ExpectInvalid(RunPointwise("polar", methods, {angle.assay(), row.assay()},
                             {other.assay(), other.assay()}),
                "output 1 overlaps output 0");
}

}  // namespace
}  // namespace assay::simd_test
