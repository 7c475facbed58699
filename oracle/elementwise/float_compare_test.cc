// Tests compare of floats and complex numbers: FLOAT as C++ compares,
// TOTALORDER as the order of bit patterns that IEEE 754-2019, 5.10 describes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "oracle/elementwise/float_test_support.h"

namespace assay {
namespace {

using enum ElementType;

const char* const kDirections[] = {"EQ", "NE", "GE", "GT", "LE", "LT"};

// Compares lhs and rhs of any ordered type in a direction.
template <class V>
bool Holds(const std::string& direction, V lhs, V rhs) {
  if (direction == "EQ") return lhs == rhs;
  if (direction == "NE") return lhs != rhs;
  if (direction == "GE") return lhs >= rhs;
  if (direction == "GT") return lhs > rhs;
  if (direction == "LE") return lhs <= rhs;
  return lhs < rhs;
}

FloatCall CompareCall(const Tensor& lhs, const Tensor& rhs,
                      const std::string& direction, const char* type) {
  return MakeFloatCall("compare", {lhs, rhs}, {lhs.type().shape, kI1},
                       {{"comparison_direction", Symbol{direction}},
                        {"compare_type", Symbol{type}}});
}

// Returns indices of a list of n: for a long one those at its ends and in its
// middle, where the zeros lie, and a spread.
std::vector<int64_t> Places(int64_t n) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < n; ++i) {
    if (n <= 32 || i < 4 || i >= n - 4 || std::abs(i - n / 2) < 4 ||
        i % 13 == 0)
      places.push_back(i);
  }
  return places;
}

// Returns two operands that pair every element with those at some indices.
std::pair<Tensor, Tensor> Pairs(ElementType type,
                                const std::vector<ElementBits>& bits) {
  const int64_t n = static_cast<int64_t>(bits.size());
  const std::vector<int64_t> places = Places(n);
  const int64_t m = static_cast<int64_t>(places.size());
  Tensor lhs(TensorType{{n, m}, type}), rhs(TensorType{{n, m}, type});
  for (int64_t i = 0; i < n * m; ++i) {
    const auto place = static_cast<size_t>(places[static_cast<size_t>(i % m)]);
    lhs.SetBits(i, bits[static_cast<size_t>(i / m)]);
    rhs.SetBits(i, bits[place]);
  }
  return {lhs, rhs};
}

double ValueOfCode(ElementType type, ElementBits bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    return T::FromBits(static_cast<typename T::Bits>(bits)).ToDouble();
  });
}

// Returns the special values of f32, or all codes of a small format.
std::vector<ElementBits> Special(ElementType type) {
  std::vector<ElementBits> bits;
  if (type == kF32) {
    for (const char* text : {"-inf", "0xffffffff", "-1", "-0x1p-149", "-0", "0",
                             "0x1p-149", "1", "inf", "nan", "0x7f800001"})
      bits.push_back(BitsOfText(kF32, text));
    return bits;
  }
  for (ElementBits code = 0; code < ElementBits{1} << Info(type).bits; ++code)
    bits.push_back(code);
  return bits;
}

TEST(CompareFloat, IsTheComparisonOfTheValues) {
  for (const ElementType type : {kF32, kF8E5M2, kF8E4M3FN, kF8E4M3FNUZ,
                                 kF8E8M0FNU, kF6E2M3FN, kF4E2M1FN}) {
    const auto [lhs, rhs] = Pairs(type, Special(type));
    for (int d = 0; d < 6; ++d) {
      SCOPED_TRACE(std::string(Name(type)) + " " + kDirections[d]);
      const FloatCall call = CompareCall(lhs, rhs, kDirections[d], "FLOAT");
      const Evaluation evaluation = EvaluateCall(call);
      EXPECT_EQ(LabelsOf(call, evaluation), fmt::format("S{}", d + 7));
      for (int64_t i = 0; i < lhs.size(); ++i) {
        ASSERT_EQ(evaluation.outputs[0].lo.Bits(i),
                  Holds(kDirections[d], ValueOfCode(type, lhs.Bits(i)),
                        ValueOfCode(type, rhs.Bits(i))))
            << ValueOfCode(type, lhs.Bits(i)) << ", "
            << ValueOfCode(type, rhs.Bits(i));
      }
    }
  }
}

// Returns the codes of a type in ascending total order: -NaN, -inf, .., -0, +0,
// .. inf, NaN; a NaN that has no sign is the greatest.
std::vector<ElementBits> InTotalOrder(ElementType type) {
  const ElementBits sign =
      type == kF8E8M0FNU ? 0 : ElementBits{1} << (Info(type).bits - 1);
  const bool is_fnuz =
      type == kF8E4M3FNUZ || type == kF8E4M3B11FNUZ || type == kF8E5M2FNUZ;
  std::vector<ElementBits> codes;
  for (ElementBits m = sign; m-- > (is_fnuz ? 1 : 0);)
    codes.push_back(sign | m);
  const ElementBits magnitudes = sign == 0 ? 256 : sign;
  for (ElementBits m = 0; m < magnitudes; ++m) codes.push_back(m);
  if (is_fnuz) codes.push_back(sign);
  return codes;
}

void CheckTotalOrder(ElementType type, const std::vector<ElementBits>& codes,
                     const std::string& policy = "assay") {
  const std::vector<int64_t> places =
      Places(static_cast<int64_t>(codes.size()));
  const int64_t m = static_cast<int64_t>(places.size());
  const auto [lhs, rhs] = Pairs(type, codes);
  for (const char* direction : kDirections) {
    SCOPED_TRACE(std::string(Name(type)) + " " + direction);
    const Expectation result =
        EvaluateCall(CompareCall(lhs, rhs, direction, "TOTALORDER"), policy)
            .outputs[0];
    for (int64_t i = 0; i < lhs.size(); ++i)
      ASSERT_EQ(result.lo.Bits(i),
                Holds(direction, i / m, places[static_cast<size_t>(i % m)]))
          << FormatBits(type, lhs.Bits(i)) << ", "
          << FormatBits(type, rhs.Bits(i));
    EXPECT_TRUE(result.flags.empty());
  }
}

TEST(CompareTotalOrder, IsTheOrderOfAllCodesOfTheSmallFormats) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsFloat(info.type) || info.bits > 8) continue;
    const std::vector<ElementBits> codes = InTotalOrder(info.type);
    ASSERT_EQ(codes.size(), size_t{1} << info.bits) << info.name;
    CheckTotalOrder(info.type, codes);
  }
}

// Under policy total_order_single_nan = by_sign_bit, the NaN of the FNUZ
// formats has the bits of -0, and is the least; that of f8E8M0FNU stays the
// greatest.
TEST(CompareTotalOrder, ByTheSignBitALoneNanIsTheLeastOfItsFormat) {
  ASSERT_EQ(Policy::Find("xla").Get("total_order_single_nan"), "by_sign_bit");
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsFloat(info.type) || info.bits > 8) continue;
    std::vector<ElementBits> codes = InTotalOrder(info.type);
    if (std::string(info.name).ends_with("FNUZ"))
      std::ranges::rotate(codes, codes.end() - 1);
    CheckTotalOrder(info.type, codes, "xla");
  }
}

TEST(CompareTotalOrder, OrdersPayloadsAndPutsSignallingNansBelowQuietOnes) {
  const auto codes = [](ElementType type,
                        const std::vector<std::string>& texts) {
    std::vector<ElementBits> bits;
    for (const std::string& text : texts)
      bits.push_back(BitsOfText(type, text));
    return bits;
  };
  CheckTotalOrder(
      kF32, codes(kF32, {"0xffffffff", "0xffc00000", "0xffbfffff", "0xff800001",
                         "-inf", "0xff7fffff", "-1", "-0x1p-149", "-0", "0",
                         "0x1p-149", "1", "0x7f7fffff", "inf", "0x7f800001",
                         "0x7fbfffff", "0x7fc00000", "0x7fffffff"}));
  CheckTotalOrder(
      kF64, codes(kF64, {"0xffffffffffffffff", "0xfff0000000000001", "-inf",
                         "-2", "-0", "0", "5e-324", "inf", "0x7ff0000000000001",
                         "0x7ff8000000000000"}));
  CheckTotalOrder(kBF16, codes(kBF16, {"0xffff", "0xff81", "-inf", "-0", "0",
                                       "inf", "0x7f81", "0x7fc0"}));
}

TEST(CompareTotalOrder, ClausesAreThoseOfTheDirectionAndTheOperands) {
  struct Row {
    ElementType type;
    const char *lhs, *rhs, *direction, *labels;
    bool open;  // under policy stablehlo
  };
  const Row rows[] = {
      {kF32, "1", "2", "EQ", "S16", false},
      {kF32, "1", "1", "EQ", "S16", false},
      {kF32, "-0", "0", "LT", "S16", false},
      {kF32, "-0", "0", "EQ", "S13", true},
      {kF32, "-0", "0", "NE", "S13", true},
      {kF32, "-0", "0", "LE", "S13", true},
      {kF32, "nan", "nan", "EQ", "S13", true},
      {kF32, "nan", "0x7fc00001", "EQ", "S16", false},
      {kF32, "nan", "1", "GT", "S16", false},
      {kF8E4M3FNUZ, "0x80", "1", "GT", "S17", true},
      {kF8E4M3FNUZ, "0x80", "0x80", "EQ", "S13", true},
      {kF8E4M3FNUZ, "0x80", "1", "EQ", "S16", false},
      {kF8E8M0FNU, "1", "0xff", "LT", "S17", true},
      // The format has two NaNs, one of which is negative, so none is alone.
      {kF8E4M3FN, "0xff", "1", "LT", "S16", false},
      {kF8E4M3FN, "0xff", "0x7f", "LT", "S16", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(fmt::format("{} {} {} {}", Name(row.type), row.lhs,
                             row.direction, row.rhs));
    const FloatCall call = CompareCall(RowOfTexts(row.type, {row.lhs}),
                                       RowOfTexts(row.type, {row.rhs}),
                                       row.direction, "TOTALORDER");
    EXPECT_EQ(LabelsOf(call, EvaluateCall(call)), row.labels);
    EXPECT_EQ(EvaluateCall(call, "stablehlo").outputs[0].IsOpen(0), row.open);
  }
}

TEST(CompareComplex, IsLexicographic) {
  struct Row {
    const char *lhs, *rhs, *holds;
  };
  const Row rows[] = {
      {"1 2", "1 2", "EQ GE LE"},   {"1 2", "1 3", "NE LE LT"},
      {"2 -9", "1 9", "NE GE GT"},  {"-0 1", "0 1", "EQ GE LE"},
      {"0 -0", "0 0", "EQ GE LE"},  {"-inf 0", "1 0", "NE LE LT"},
      {"nan 1", "1 1", "NE"},       {"1 nan", "1 1", "NE"},
      {"1 nan", "2 1", "NE LE LT"},  // the real parts decide
      {"nan nan", "nan nan", "NE"},
  };
  for (const ElementType type : {kComplexF32, kComplexF64}) {
    for (const Row& row : rows) {
      for (const char* direction : kDirections) {
        const FloatCall call =
            CompareCall(RowOfTexts(type, {row.lhs}),
                        RowOfTexts(type, {row.rhs}), direction, "FLOAT");
        const Evaluation evaluation = EvaluateCall(call);
        EXPECT_EQ(evaluation.outputs[0].lo.Bits(0),
                  std::string(row.holds).find(direction) != std::string::npos)
            << row.lhs << ' ' << direction << ' ' << row.rhs;
        EXPECT_EQ(LabelsOf(call, evaluation), "S14");
      }
    }
  }
}

}  // namespace
}  // namespace assay
