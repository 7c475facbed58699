// Pointwise calls that are invalid, and the two decisions that this rests on:
// which types promote to which, and which tensors share bytes.
#include <gtest/gtest.h>
#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <vector>

#include "backends/simd/overlap.h"
#include "backends/simd/pointwise_test_support.h"
#include "backends/simd/promotion.h"

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
        R"([[0, 0, "DEFAULT"]])", R"([[0, 1, "DEFAULT"], [0, 1, "DEFAULT"]])",
        R"([[0, 1, "DEFAULT"]] 1)", R"([[0, 1, "DEFAULT", 1]])"}) {
    ExpectInvalid(
        RunPointwise("add", text, {x.assay(), x.assay()}, {out.assay()}),
        "promotion_methods");
  }
}

// How values are compared follows from the type that is promoted to.
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

// ----------------------------------------------------------------------- Parts

// Pairs of equal and higher places, by PyTorch's table.
TEST(PromotionTest, Pairs) {
  using simd::Format;
  using simd::Kind;
  using SimdType = simd::Type;
  const SimdType i8 = {Kind::kSigned, 8, 0, {}};
  const SimdType u8 = {Kind::kUnsigned, 8, 0, {}};
  const SimdType i16 = {Kind::kSigned, 16, 1, {}};
  const SimdType i32 = {Kind::kSigned, 32, 2, {}};
  const SimdType i1 = {Kind::kBool, 8, 0, {}};
  const SimdType f16 = {Kind::kFormat, 16, 1, Format::kF16};
  const SimdType bf16 = {Kind::kFormat, 16, 1, Format::kBF16};
  const SimdType f8 = {Kind::kFormat, 8, 0, Format::kF8E5M2};
  const SimdType f32 = {Kind::kFloat, 32, 2, {}};
  const SimdType f64 = {Kind::kFloat, 64, 3, {}};
  const SimdType c64 = {Kind::kComplex, 64, 3, {}};
  const SimdType c128 = {Kind::kComplex, 128, 4, {}};
  const struct {
    SimdType a;
    SimdType b;
    SimdType computation;
    SimdType result;
  } pairs[] = {
      {i8, u8, i16, i16},   {i1, i8, i8, i8},       {i16, i32, i32, i32},
      {i32, f16, f32, f16}, {f16, bf16, f32, f32},  {f16, f16, f32, f16},
      {f8, f8, f32, f8},    {f8, i32, f32, f8},     {bf16, f64, f64, f64},
      {f16, c64, c64, c64}, {f64, c64, c128, c128}, {i32, c64, c64, c64}};
  for (const auto& pair : pairs) {
    for (const bool swapped : {false, true}) {
      const simd::Argument arguments[] = {
          {swapped ? pair.b : pair.a, true, false},
          {swapped ? pair.a : pair.b, true, false}};
      simd::Promoted promoted = {};
      ASSERT_TRUE(simd::Promote({2, {0, 1}, simd::Method::kDefault}, arguments,
                                &promoted));
      EXPECT_TRUE(promoted.computation == pair.computation);
      EXPECT_TRUE(promoted.result == pair.result);
    }
  }
  const simd::Argument none[] = {{f8, true, false}, {f32, true, false}};
  simd::Promoted promoted = {};
  EXPECT_FALSE(
      simd::Promote({2, {0, 1}, simd::Method::kDefault}, none, &promoted));
}

TEST(OverlapTest, AgreesWithTheListOfBytes) {
  unsigned seed = 1;
  const auto next = [&seed](int64_t below) {
    seed = seed * 1664525u + 1013904223u;
    return static_cast<int64_t>((seed >> 8) % static_cast<unsigned>(below));
  };
  int overlapping = 0;
  unsigned char base[4096];
  for (int i = 0; i < 3000; ++i) {
    std::vector<int> count(sizeof(base));
    int64_t shape[2][3];
    int64_t strides[2][3];
    DLTensor tensors[2] = {};
    const size_t bytes[] = {size_t{1} << next(3), size_t{1} << next(3)};
    bool itself[2] = {};
    bool both = false;
    for (int t = 0; t < 2; ++t) {
      const auto size = static_cast<int64_t>(bytes[t]);
      for (int d = 0; d < 3; ++d) {
        shape[t][d] = 1 + next(4);
        strides[t][d] = next(19) - 9;
      }
      const int64_t first = 1024 / size + next(20);
      tensors[t] = {base,
                    {kDLCPU, 0},
                    3,
                    {},
                    shape[t],
                    strides[t],
                    static_cast<uint64_t>(first * size)};
      std::vector<int> own(sizeof(base));
      for (int64_t e = 0; e < shape[t][0] * shape[t][1] * shape[t][2]; ++e) {
        int64_t at = first;
        int64_t rest = e;
        for (int d = 0; d < 3; ++d) {
          at += rest % shape[t][d] * strides[t][d];
          rest /= shape[t][d];
        }
        for (int64_t j = 0; j < size; ++j) {
          const auto byte = static_cast<size_t>(at * size + j);
          itself[t] |= ++own[byte] > 1;
          both |= t == 1 && count[byte] > 0;
          if (t == 0) count[byte] = 1;
        }
      }
      ASSERT_EQ(simd::OverlapsItself(tensors[t], bytes[t]), itself[t]) << i;
    }
    ASSERT_EQ(simd::Overlap(tensors[0], bytes[0], tensors[1], bytes[1]), both)
        << i;
    overlapping += both;
  }
  EXPECT_GT(overlapping, 300);
  EXPECT_LT(overlapping, 2700);
}

}  // namespace
}  // namespace assay::simd_test
