// Tests real functions through Evaluate: the special values of IEEE 754-2019
// (9.2.1), the edges of formats, tables, and results that are hard to round,
// against MPFR.
#include <gtest/gtest.h>
#include <mpfr.h>

#include <random>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"
#include "oracle/real/real.h"

namespace assay {
namespace {

using enum ElementType;

Expectation Evaluated(const std::string& id, ElementType type,
                      const std::vector<std::string>& operands,
                      const std::string& policy = "assay",
                      std::string* labels = nullptr) {
  std::vector<Tensor> inputs;
  for (const std::string& operand : operands)
    inputs.push_back(RowOfTexts(type, {operand}));
  const FloatCall call =
      MakeFloatCall(id, std::move(inputs), TensorType{{1}, type});
  const Evaluation evaluation =
      Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted);
  if (labels != nullptr) *labels = LabelsOf(call, evaluation);
  // Sweeps are evaluated in another way, where a NaN has other bits.
  const Evaluation silent =
      Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kNone);
  const Expectation &a = evaluation.outputs[0], &b = silent.outputs[0];
  const std::string text = TextOfResult(a, 0);
  EXPECT_EQ(text, TextOfResult(b, 0)) << id;
  EXPECT_TRUE(text == "nan" || a.hi.Bits(0) == b.hi.Bits(0)) << id;
  return a;
}

// The real value is `result`. A zero, infinity or NaN is the only result that
// is accepted; for another value, those within the budget are.
void ExpectExactly(const std::string& id, ElementType type,
                   const std::vector<std::string>& operands,
                   const std::string& result,
                   const std::string& policy = "assay",
                   const std::string& labels = "") {
  std::string marked;
  Expectation expectation = Evaluated(id, type, operands, policy, &marked);
  std::string call = std::string(Name(type)) + ' ' + id;
  for (const std::string& operand : operands) call += " " + operand;
  const bool is_one = result != "1" && result != "-1";
  if (is_one) {
    EXPECT_EQ(expectation.lo.Bits(0), expectation.hi.Bits(0)) << call;
  } else {
    EXPECT_EQ(expectation.reals->rest[0], 0) << call;
    expectation.lo = expectation.reals->near;
  }
  EXPECT_EQ(TextOfResult(expectation, 0), ExpectedText(type, result)) << call;
  if (!labels.empty()) {
    EXPECT_EQ(marked, labels) << call;
  }
}

constexpr ElementType kTypes[] = {kF32, kF64, kF16, kBF16, kF8E5M2};

TEST(RealFunctions, SpecialValuesOfUnaryFunctions) {
  struct Row {
    const char *op, *operand, *result;
  };
  const Row rows[] = {{"cbrt", "0", "0"},
                      {"cbrt", "-0", "-0"},
                      {"cbrt", "inf", "inf"},
                      {"cbrt", "-inf", "-inf"},
                      {"cosine", "0", "1"},
                      {"cosine", "-0", "1"},
                      {"cosine", "inf", "nan"},
                      {"cosine", "-inf", "nan"},
                      {"exponential", "0", "1"},
                      {"exponential", "-0", "1"},
                      {"exponential", "inf", "inf"},
                      {"exponential", "-inf", "0"},
                      {"exponential_minus_one", "0", "0"},
                      {"exponential_minus_one", "-0", "-0"},
                      {"exponential_minus_one", "inf", "inf"},
                      {"exponential_minus_one", "-inf", "-1"},
                      {"log", "0", "-inf"},
                      {"log", "-0", "-inf"},
                      {"log", "1", "0"},
                      {"log", "-1", "nan"},
                      {"log", "inf", "inf"},
                      {"log", "-inf", "nan"},
                      {"log_plus_one", "0", "0"},
                      {"log_plus_one", "-0", "-0"},
                      {"log_plus_one", "-1", "-inf"},
                      {"log_plus_one", "-2", "nan"},
                      {"log_plus_one", "inf", "inf"},
                      {"log_plus_one", "-inf", "nan"},
                      {"logistic", "-inf", "0"},
                      {"logistic", "inf", "1"},
                      {"rsqrt", "0", "inf"},
                      {"rsqrt", "-0", "-inf"},
                      {"rsqrt", "inf", "0"},
                      {"rsqrt", "-inf", "nan"},
                      {"rsqrt", "-1", "nan"},
                      {"sine", "0", "0"},
                      {"sine", "-0", "-0"},
                      {"sine", "inf", "nan"},
                      {"sine", "-inf", "nan"},
                      {"tan", "0", "0"},
                      {"tan", "-0", "-0"},
                      {"tan", "inf", "nan"},
                      {"tan", "-inf", "nan"},
                      {"tanh", "0", "0"},
                      {"tanh", "-0", "-0"},
                      {"tanh", "inf", "1"},
                      {"tanh", "-inf", "-1"}};
  for (const ElementType type : kTypes) {
    for (const Row& row : rows) {
      ExpectExactly(row.op, type, {row.operand}, row.result);
      ExpectExactly(row.op, type, {"nan"}, "nan");
    }
  }
}

TEST(RealFunctions, SpecialValuesOfPower) {
  const char* const rows[][3] = {
      {"nan", "0", "1"},      {"nan", "-0", "1"},     {"inf", "0", "1"},
      {"-2", "-0", "1"},      {"1", "nan", "1"},      {"1", "inf", "1"},
      {"1", "-inf", "1"},     {"nan", "1", "nan"},    {"2", "nan", "nan"},
      {"-1", "nan", "nan"},   {"0", "-1", "inf"},     {"-0", "-1", "-inf"},
      {"-0", "-3", "-inf"},   {"0", "-2", "inf"},     {"-0", "-2", "inf"},
      {"-0", "-0.5", "inf"},  {"0", "-inf", "inf"},   {"-0", "-inf", "inf"},
      {"0", "3", "0"},        {"-0", "3", "-0"},      {"-0", "2", "0"},
      {"-0", "0.5", "0"},     {"0", "inf", "0"},      {"-0", "inf", "0"},
      {"-1", "inf", "1"},     {"-1", "-inf", "1"},    {"0.5", "inf", "0"},
      {"-0.5", "inf", "0"},   {"0.5", "-inf", "inf"}, {"-0.5", "-inf", "inf"},
      {"2", "inf", "inf"},    {"-2", "inf", "inf"},   {"2", "-inf", "0"},
      {"-2", "-inf", "0"},    {"inf", "-1", "0"},     {"inf", "2", "inf"},
      {"-inf", "-3", "-0"},   {"-inf", "-2", "0"},    {"-inf", "-0.5", "0"},
      {"-inf", "3", "-inf"},  {"-inf", "2", "inf"},   {"-inf", "0.5", "inf"},
      {"-inf", "inf", "inf"}, {"-2", "0.5", "nan"},   {"-2", "-1.5", "nan"},
      {"-1", "3", "-1"},      {"-1", "2", "1"}};
  for (const ElementType type : kTypes) {
    for (const auto& row : rows)
      ExpectExactly("power", type, {row[0], row[1]}, row[2]);
  }
  // Every large value is an even integer, and one of f64 is odd.
  ExpectExactly("power", kF64, {"-inf", "-0x1p63"}, "0");
  ExpectExactly("power", kF64, {"-inf", "0x1.fffffffffffffp52"}, "-inf");
  ExpectExactly("power", kF64, {"-1", "0x1p1023"}, "1");
}

TEST(RealFunctions, SpecialValuesOfAtan2) {
  const char* const exact[][3] = {
      {"0", "0", "0"},       {"-0", "0", "-0"},   {"0", "1", "0"},
      {"-0", "1", "-0"},     {"0", "inf", "0"},   {"-0", "inf", "-0"},
      {"1", "inf", "0"},     {"-1", "inf", "-0"}, {"nan", "1", "nan"},
      {"inf", "nan", "nan"}, {"1", "nan", "nan"}};
  const double pi = 3.14159265358979323846;
  const struct {
    const char *y, *x;
    double angle;
  } angles[] = {{"0", "-0", pi},
                {"-0", "-0", -pi},
                {"0", "-1", pi},
                {"-0", "-1", -pi},
                {"0", "-inf", pi},
                {"1", "-inf", pi},
                {"-1", "-inf", -pi},
                {"1", "0", pi / 2},
                {"1", "-0", pi / 2},
                {"-1", "0", -pi / 2},
                {"inf", "1", pi / 2},
                {"-inf", "-1", -pi / 2},
                {"inf", "inf", pi / 4},
                {"-inf", "inf", -pi / 4},
                {"inf", "-inf", 3 * pi / 4},
                {"-inf", "-inf", -3 * pi / 4}};
  for (const ElementType type : kTypes) {
    for (const auto& row : exact)
      ExpectExactly("atan2", type, {row[0], row[1]}, row[2]);
    for (const auto& row : angles) {
      const Expectation e = Evaluated("atan2", type, {row.y, row.x});
      VisitKinds<kFloats>(type, [&]<class T>() {
        EXPECT_EQ(e.reals->near.Bits(0), T::Round(row.angle).value.ToBits())
            << row.y << ' ' << row.x << ' ' << Name(type);
      });
      if (Info(type).bits > 16) {
        EXPECT_NE(e.lo.Bits(0), e.hi.Bits(0)) << row.y << ' ' << row.x;
      }
    }
  }
}

// Values that a format does not have are decided by the policy's keys.
TEST(RealFunctions, EdgesOfFormatsAreThePolicys) {
  const struct {
    const char* op;
    ElementType type;
    std::vector<std::string> operands;
    const char *result, *labels;
  } rows[] = {
      {"log", kF4E2M1FN, {"0"}, "-6", "S1 E1"},
      {"log", kF4E2M1FN, {"-1"}, "0", "S1 E2"},
      {"log", kF6E2M3FN, {"-0"}, "-7.5", "S1 E1"},
      {"log", kF6E3M2FN, {"-2"}, "0", "S1 E2"},
      {"log", kF8E4M3FN, {"0"}, "nan", "S1 E1"},
      {"log", kF8E8M0FNU, {"1"}, "0x00", "S1 E4"},
      {"log", kF8E8M0FNU, {"0.5"}, "nan", "S1 E5"},
      {"rsqrt", kF4E2M1FN, {"0"}, "6", "S1 E1"},
      {"rsqrt", kF4E2M1FN, {"-0"}, "-6", "S1 E1"},
      {"rsqrt", kF6E2M3FN, {"-1"}, "0", "S1 E2"},
      {"rsqrt", kF8E4M3FN, {"-0"}, "nan", "S1 E1"},
      {"power", kF4E2M1FN, {"6", "2"}, "6", "S2 E1"},
      {"power", kF4E2M1FN, {"-6", "3"}, "-6", "S2 E1"},
      {"power", kF4E2M1FN, {"-2", "0.5"}, "0", "S2 E2"},
      {"power", kF8E4M3FN, {"32", "2"}, "nan", "S2 E1"},
      {"power", kF8E8M0FNU, {"0x1p127", "2"}, "nan", "S2 E6"},
      {"power", kF8E8M0FNU, {"0x1p-127", "2"}, "0x00", "S2 E4"},
      {"tan", kF8E8M0FNU, {"2"}, "nan", "S1 E5"},
      {"tan", kF6E3M2FN, {"1.5"}, "14", ""},
      {"tan", kF4E2M1FN, {"1.5"}, "6", "S1 E1"},
      {"atan2", kF8E8M0FNU, {"0x1p-127", "0x1p127"}, "0x00", "S1 E4"},
  };
  for (const auto& row : rows) {
    ExpectExactly(row.op, row.type, row.operands, row.result, "assay",
                  row.labels);
    const std::string labels = row.labels;
    if (labels.find('E') == std::string::npos) continue;
    // Two values are accepted at most, one of which is that of policy assay; E2
    // and E5 accept any.
    const bool is_any = labels.find("E2") != std::string::npos ||
                        labels.find("E5") != std::string::npos;
    std::string marked;
    const Expectation open =
        Evaluated(row.op, row.type, row.operands, "stablehlo", &marked);
    EXPECT_EQ(open.IsOpen(0), is_any) << row.op;
    EXPECT_TRUE(Accepts(open, RowOfTexts(row.type, {row.result}), 0)) << row.op;
    int accepted = 0;
    for (uint32_t code = 0; code < 1u << Info(row.type).bits; ++code) {
      Tensor actual(TensorType{{1}, row.type});
      actual.SetBits(0, code);
      accepted += Accepts(open, actual, 0) ? 1 : 0;
    }
    // f8E4M3FN has a NaN of either sign.
    EXPECT_TRUE(is_any || accepted <= 3) << row.op << ' ' << accepted;
  }
  // In a format without zero all powers of two have an exact result somewhere
  // between two of them; (2^-1)^2 is one of them.
  ExpectExactly("power", kF8E8M0FNU, {"0.5", "2"}, "0.25", "assay", "S2");
  ExpectExactly("tan", kF4E2M1FN, {"0.5"}, "0.5", "assay", "S1");
}

TEST(RealFunctions, AnIntermediateOverflowOfLogisticIsThePolicys) {
  std::string labels;
  const auto may_be_zero = [&](ElementType type, const char* x,
                               const char* policy) {
    const Expectation e = Evaluated("logistic", type, {x}, policy, &labels);
    return Accepts(e, RowOfTexts(type, {"0"}), 0);
  };
  EXPECT_FALSE(may_be_zero(kF32, "-89", "assay"));
  EXPECT_EQ(labels, "S5");
  EXPECT_TRUE(may_be_zero(kF32, "-89", "stablehlo"));
  EXPECT_EQ(labels, "S5");
  EXPECT_FALSE(may_be_zero(kF32, "-88.5", "stablehlo"));
  EXPECT_EQ(labels, "S1");
  EXPECT_FALSE(may_be_zero(kF64, "-710", "assay"));
  EXPECT_TRUE(may_be_zero(kF64, "-710", "stablehlo"));
  EXPECT_FALSE(may_be_zero(kF64, "-709", "stablehlo"));
  EXPECT_FALSE(may_be_zero(kF16, "-11.5", "assay"));
  EXPECT_TRUE(may_be_zero(kF16, "-11.5", "stablehlo"));
  // The result is zero by itself, and nothing is open.
  EXPECT_TRUE(may_be_zero(kF32, "-200", "stablehlo"));
  EXPECT_EQ(labels, "S1");
}

TEST(RealFunctions, AnEndBeyondAFormatWithoutInfinityIsOrNan) {
  // The results are 403.4 and 665.1, and as much as 300 more or less. The
  // largest number is 448, and only the first one rounds to it; the other one
  // overflows to NaN.
  FloatCall call =
      MakeFloatCall("exponential", {RowOfTexts(kF8E4M3FN, {"6", "6.5"})},
                    TensorType{{2}, kF8E4M3FN});
  call.op.result_accuracy = ResultAccuracy{300, 0, 0};
  const auto expectation = [&](const char* policy) {
    return Evaluate(call.op, call.inputs, Policy::Find(policy), Marks::kCounted)
        .outputs[0];
  };
  const Expectation e = expectation("assay");
  EXPECT_FALSE(e.Has(Expectation::kOrNan, 0));
  EXPECT_EQ(e.lo.Bits(0), BitsOfText(kF8E4M3FN, "104"));
  EXPECT_EQ(e.hi.Bits(0), BitsOfText(kF8E4M3FN, "448"));
  EXPECT_TRUE(e.Has(Expectation::kOrNan, 1));
  EXPECT_EQ(e.lo.Bits(1), BitsOfText(kF8E4M3FN, "384"));
  EXPECT_EQ(e.hi.Bits(1), BitsOfText(kF8E4M3FN, "448"));
  EXPECT_FALSE(e.IsOpen(0));
  EXPECT_FALSE(e.IsOpen(1));
  EXPECT_FALSE(expectation("stablehlo").IsOpen(0));
  EXPECT_FALSE(expectation("stablehlo").IsOpen(1));
  EXPECT_TRUE(expectation("stablehlo").Has(Expectation::kOrNan, 1));
}

template <RealFunction kF, class T>
void ExpectTable() {
  const Bounds bounds{0.51, std::nullopt};
  RangeTable<T>& table = RangeTable<T>::For(kF, bounds);
  for (int second = 0; second < 2; ++second) {
    for (uint32_t bits = 0; bits < 65536; bits += second == 0 ? 1 : 97) {
      const T x = T::FromBits(static_cast<typename T::Bits>(bits));
      const RealRange<T>&a = table(x), b = RangeOf<T>(kF, x, x, bounds);
      ASSERT_TRUE(a.lo.value.ToBits() == b.lo.value.ToBits() &&
                  a.hi.value.ToBits() == b.hi.value.ToBits() &&
                  a.near.ToBits() == b.near.ToBits() && a.rest == b.rest &&
                  a.unit == b.unit && a.tier == b.tier)
          << bits;
    }
  }
  // Another budget has another table.
  EXPECT_NE(&RangeTable<T>::For(kF, Bounds{2, std::nullopt}), &table);
}

TEST(RealFunctions, TablesAreWhatTheFunctionsSay) {
  ExpectTable<RealFunction::kExponential, Float<kF16>>();
  ExpectTable<RealFunction::kTan, Float<kBF16>>();
}

}  // namespace
}  // namespace assay
