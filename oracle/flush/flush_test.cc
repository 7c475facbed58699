// Tests that results that were made by each way of flushing are explained by
// that way and by those that cannot be told from it, and by no others.
#include "oracle/flush/flush.h"

#include <gmock/gmock.h>

#include <bit>
#include <set>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/flush/flush_observation.h"

namespace assay {
namespace {

using enum ElementType;
using ::testing::AllOf;
using ::testing::HasSubstr;

// Returns products that tell every way from every other. l is the smallest
// normal value: there are subnormal operands, results that are subnormal, and
// results that are delivered as l but were l (1 - 2^-24), which is tiny in both
// ways, and l (1 - 2^-26), which is so before rounding only; each with both
// signs.
FloatCall Products() {
  const std::vector<std::string> lhs = {"0x1p-130",
                                        "-0x1p-130",
                                        "0x1p-100",
                                        "-0x1p-100",
                                        "0x1.ffep-64",
                                        "-0x1.ffep-64",
                                        "0x1.0008p-63",
                                        "-0x1.0008p-63",
                                        "3",
                                        "nan",
                                        "-0"};
  const std::vector<std::string> rhs = {"0x1p60",
                                        "0x1p60",
                                        "0x1p-30",
                                        "0x1p-30",
                                        "0x1.001p-63",
                                        "0x1.001p-63",
                                        "0x1.fffp-64",
                                        "0x1.fffp-64",
                                        "4",
                                        "1",
                                        "5"};
  return MakeFloatCall("multiply",
                       {RowOfTexts(kF32, lhs), RowOfTexts(kF32, rhs)},
                       {{static_cast<int64_t>(lhs.size())}, kF32});
}

Tensor MadeBy(const FloatCall& call, const FlushChoice& choice) {
  return Evaluate(call.op, call.inputs, Policy::Find("assay"), Marks::kNone,
                  &choice)
      .outputs[0]
      .lo;
}

FlushJudgement JudgeIt(const FloatCall& call, const Tensor& actual) {
  return JudgeFlush(call.op, call.inputs, Policy::Find("flush"), actual);
}

// Returns the choices that return the same bits as choice n.
FlushSet Indistinguishable(const FloatCall& call, size_t n) {
  const auto bits = [&](const FlushChoice& choice) {
    const Tensor made = MadeBy(call, choice);
    std::vector<ElementBits> all;
    for (int64_t i = 0; i < made.size(); ++i) all.push_back(made.Bits(i));
    return all;
  };
  FlushSet set = 0;
  for (size_t k = 0; k < FlushChoices().size(); ++k) {
    if (bits(FlushChoices()[k]) == bits(FlushChoices()[n]))
      set |= FlushSet{1} << k;
  }
  return set;
}

FlushSet InCommon(const std::vector<FlushWitness>& witnesses) {
  FlushSet set = kAllFlushChoices;
  for (const FlushWitness& witness : witnesses) set &= witness.survivors;
  return set;
}

TEST(Flush, ThereAre23WaysWithOneTextEach) {
  ASSERT_EQ(FlushChoices().size(), 23u);
  EXPECT_EQ(std::popcount(kAllFlushChoices), 23);
  std::set<std::string> texts;
  for (const FlushChoice& choice : FlushChoices()) texts.insert(choice.Text());
  EXPECT_EQ(texts.size(), 23u);
  EXPECT_EQ(FlushChoices()[0].Text(), "operands kept, results kept");
  EXPECT_EQ(FlushSetText(0), "none");
  // If the set is a product, the text has ways for operands and ways for
  // results.
  EXPECT_EQ(FlushSetText(3),
            "operands kept, results kept or results that are tiny before "
            "rounding to a zero of their sign");
  EXPECT_EQ(FlushSetText(1 | 1 << 7),
            "operands kept or operands to a zero of their sign, results kept");
  EXPECT_EQ(FlushSetText(0x7f << 14), "operands to +0, results in any way");
  EXPECT_EQ(FlushSetText(1 | 2 << 7),
            FlushChoices()[0].Text() + "; or " + FlushChoices()[8].Text());
  // The text prefers keeping to the ways of comparing, which apply to every op
  // that compares nothing.
  EXPECT_EQ(FlushSetText(0b11 << 21 | 1), "operands kept, results kept");
  EXPECT_EQ(FlushSetText(1 << 21 | 2),
            FlushChoices()[1].Text() +
                "; or operands compared as zeros and the first of equals "
                "returned as it is");
}

TEST(Flush, EachWayIsFoundFromItsResults) {
  const FloatCall call = Products();
  for (size_t n = 0; n < FlushChoices().size(); ++n) {
    SCOPED_TRACE(FlushChoices()[n].Text());
    const FlushJudgement judgement =
        JudgeIt(call, MadeBy(call, FlushChoices()[n]));
    // A product compares nothing.
    constexpr FlushSet kKept = 1 | 0b11 << 21;
    EXPECT_EQ(judgement.survivors,
              (kKept >> n & 1) != 0 ? kKept : FlushSet{1} << n)
        << FlushSetText(judgement.survivors);
    EXPECT_TRUE(judgement.best.ok());
    EXPECT_EQ(InCommon(judgement.witnesses), judgement.survivors);
    EXPECT_LE(judgement.witnesses.size(), 5u);
  }
}

TEST(Flush, OfOtherOpsAndTypesFindsWhatCannotBeToldApart) {
  const auto row = [](ElementType type, const std::vector<std::string>& texts) {
    return RowOfTexts(type, texts);
  };
  const std::vector<FloatCall> calls = {
      MakeFloatCall("add",
                    {row(kF64, {"0x1p-1030", "-0x1p-1030", "0x1p-1022", "1"}),
                     row(kF64, {"0", "-0", "-0x1.8p-1022", "2"})},
                    {{4}, kF64}),
      MakeFloatCall("divide",
                    {row(kF16, {"0x1p-14", "-0x1p-14", "0x1p-24", "1"}),
                     row(kF16, {"2", "4", "-0x1p-24", "0x1p-24"})},
                    {{4}, kF16}),
      MakeFloatCall("sqrt", {row(kBF16, {"0x1p-130", "4", "-0x1p-130"})},
                    {{3}, kBF16}),
      MakeFloatCall("convert",
                    {row(kF64, {"0x1p-130", "-0x1p-130", "0x1.fffffffp-127"})},
                    {{3}, kF32}),
      MakeFloatCall("convert", {row(kF16, {"0x1p-20", "-0x1p-20"})},
                    {{2}, kF32}),
      MakeFloatCall(
          "maximum",
          {row(kF32, {"0x1p-130", "-0x1p-130"}), row(kF32, {"0", "-0"})},
          {{2}, kF32}),
      MakeFloatCall("compare",
                    {row(kF32, {"0x1p-130", "-0x1p-130", "1"}),
                     row(kF32, {"0", "0", "2"})},
                    {{3}, kI1},
                    {{"comparison_direction", Symbol{"EQ"}},
                     {"compare_type", Symbol{"FLOAT"}}}),
      MakeFloatCall("subtract",
                    {row(kComplexF32, {"0x1p-130 1", "1 -0x1p-130"}),
                     row(kComplexF32, {"0 0", "1 0"})},
                    {{2}, kComplexF32}),
      MakeFloatCall("multiply",
                    {row(kF8E4M3FNUZ, {"-0x1p-10", "0x1p-7"}),
                     row(kF8E4M3FNUZ, {"1", "0.5"})},
                    {{2}, kF8E4M3FNUZ}),
      // Each of the operands' elements is at several of the result's.
      MakeFloatCall("pointwise.multiply",
                    {TensorOfTexts(kF32, {2, 1}, {"0x1p-100", "-0x1p-130"}),
                     row(kF32, {"0x1p-30", "1", "2"})},
                    {{2, 3}, kF32},
                    {{"promotion_methods", R"([[0, 1, "DEFAULT"]])"}})};
  for (const FloatCall& call : calls) {
    std::set<FlushSet> classes;
    for (size_t n = 0; n < FlushChoices().size(); ++n) {
      SCOPED_TRACE(FlushSubject(call.op) + ": " + FlushChoices()[n].Text());
      const FlushJudgement judgement =
          JudgeIt(call, MadeBy(call, FlushChoices()[n]));
      EXPECT_EQ(judgement.survivors, Indistinguishable(call, n))
          << FlushSetText(judgement.survivors);
      EXPECT_EQ(InCommon(judgement.witnesses), judgement.survivors);
      classes.insert(judgement.survivors);
    }
    EXPECT_GE(classes.size(), 2u) << FlushSubject(call.op);
  }
}

// If two operands compare as equal zeros, one is returned as it is.
TEST(Flush, ComparisonsThatFlushAloneAreWaysOfTheirOwn) {
  const std::vector<std::string> lhs = {"0x1p-130", "0x1p-129", "-0x1p-130",
                                        "0x1p-130", "-0",       "0",
                                        "0x1p-130", "1",        "0x1p-130"};
  const std::vector<std::string> rhs = {"0x1p-129",  "0x1p-130", "0x1p-130",
                                        "-0x1p-130", "0x1p-130", "0x1p-130",
                                        "-0",        "0x1p-130", "nan"};
  struct Row {
    const char* op;
    size_t way;
    std::vector<std::string> result;
  };
  const Row rows[] = {
      {"maximum",
       21,
       {"0x1p-130", "0x1p-129", "-0x1p-130", "0x1p-130", "-0", "0", "0x1p-130",
        "1", "nan"}},
      {"maximum",
       22,
       {"0x1p-129", "0x1p-130", "0x1p-130", "-0x1p-130", "0x1p-130", "0", "-0",
        "1", "nan"}},
      {"minimum",
       21,
       {"0x1p-130", "0x1p-129", "-0x1p-130", "0x1p-130", "-0", "0", "0x1p-130",
        "0x1p-130", "nan"}},
      {"minimum",
       22,
       {"0x1p-129", "0x1p-130", "0x1p-130", "-0x1p-130", "-0", "0x1p-130", "-0",
        "0x1p-130", "nan"}},
  };
  for (const ElementType type : {kF32, kBF16}) {
    for (const Row& row : rows) {
      SCOPED_TRACE(std::string(row.op) + FlushChoices()[row.way].Text());
      const FloatCall call = MakeFloatCall(
          row.op, {RowOfTexts(type, lhs), RowOfTexts(type, rhs)}, {{9}, type});
      const Tensor actual = RowOfTexts(type, row.result);
      const FlushJudgement judgement = JudgeIt(call, actual);
      EXPECT_EQ(judgement.survivors, FlushSet{1} << row.way)
          << FlushSetText(judgement.survivors);
      // By IEEE 754 it is wrong, and no other op is excused.
      const Judgement kept = Judge(
          Evaluate(call.op, call.inputs, Policy::Find("assay"), Marks::kNone)
              .outputs[0],
          actual);
      EXPECT_FALSE(kept.ok());
    }
  }
  // Two zeros are ordered, however comparisons flush.
  const FloatCall zeros = MakeFloatCall(
      "maximum", {RowOfTexts(kF32, {"-0"}), RowOfTexts(kF32, {"0"})},
      {{1}, kF32});
  EXPECT_EQ(JudgeIt(zeros, RowOfTexts(kF32, {"-0"})).survivors, 0u);
  // clamp is a minimum of a maximum, and a comparison reads zeros.
  const FloatCall clamp =
      MakeFloatCall("clamp",
                    {RowOfTexts(kF32, {"0x1p-129"}),
                     RowOfTexts(kF32, {"0x1p-130"}), RowOfTexts(kF32, {"1"})},
                    {{1}, kF32});
  EXPECT_EQ(JudgeIt(clamp, RowOfTexts(kF32, {"0x1p-130"})).survivors,
            FlushSet{1} << 21);
  const FloatCall less = MakeFloatCall(
      "compare", {RowOfTexts(kF32, {"0"}), RowOfTexts(kF32, {"0x1p-130"})},
      {{1}, kI1},
      {{"comparison_direction", Symbol{"LT"}},
       {"compare_type", Symbol{"FLOAT"}}});
  EXPECT_EQ(JudgeIt(less, RowOfTexts(kI1, {"false"})).survivors >> 21, 0b11u);
  EXPECT_EQ(JudgeIt(less, RowOfTexts(kI1, {"true"})).survivors >> 21, 0u);
}

// Under policy xla, f8E8M0FNU computes in f32, where 2^-127 is subnormal: it is
// flushed to a zero, which becomes NaN.
TEST(Flush, TheLeastScaleIsFlushedAsAnOperandAndAsAResult) {
  const FloatCall call = MakeFloatCall(
      "multiply",
      {RowOfTexts(kF8E8M0FNU, {"0x1p-127", "0x1p-126", "0x1p-126"}),
       RowOfTexts(kF8E8M0FNU, {"1", "0.5", "2"})},
      {{3}, kF8E8M0FNU});
  const auto survivors = [&](const std::vector<std::string>& actual,
                             const char* policy) {
    return JudgeFlush(call.op, call.inputs, Policy::Find(policy),
                      RowOfTexts(kF8E8M0FNU, actual))
        .survivors;
  };
  const FlushSet both = survivors({"nan", "nan", "0x1p-125"}, "xla");
  EXPECT_NE(both, 0u);
  EXPECT_EQ(both & 1, 0u);
  EXPECT_EQ(survivors({"0x1p-127", "0x1p-127", "0x1p-125"}, "xla") & 1, 1u);
  EXPECT_EQ(survivors({"nan", "nan", "nan"}, "xla"), 0u);
  // Under policy xla, a way that flushes only operands explains this result.
  // Under policy flush the least value is no subnormal, so none does.
  EXPECT_NE(survivors({"nan", "0x1p-127", "0x1p-125"}, "xla"), 0u);
  EXPECT_EQ(survivors({"nan", "nan", "0x1p-125"}, "flush"), 0u);
}

// The vector body flushes and the tail does not.
TEST(Flush, ElementsThatContradictOneAnotherAreNamed) {
  const FloatCall call =
      MakeFloatCall("multiply",
                    {RowOfTexts(kF32, {"1", "0x1p-100", "0x1p-100", "2"}),
                     RowOfTexts(kF32, {"1", "0x1p-30", "0x1p-30", "2"})},
                    {{4}, kF32});
  const Tensor actual = RowOfTexts(kF32, {"1", "0", "0x1p-130", "4"});
  const FlushJudgement judgement = JudgeIt(call, actual);
  EXPECT_EQ(judgement.survivors, 0u);
  ASSERT_EQ(judgement.witnesses.size(), 2u);
  EXPECT_EQ(judgement.witnesses[0].index + judgement.witnesses[1].index, 3);
  for (const FlushWitness& witness : judgement.witnesses) {
    EXPECT_NE(witness.survivors, 0u);
    EXPECT_EQ((witness.survivors & 1) != 0, witness.index == 2);
  }
  EXPECT_EQ(InCommon(judgement.witnesses), 0u);
  EXPECT_EQ(judgement.best.failed, 1);
  EXPECT_EQ(judgement.unexplained.failed, 0);
}

TEST(Flush, AWrongElementIsExplainedByNoWay) {
  const FloatCall call = Products();
  Tensor actual = MadeBy(call, FlushChoices()[0]);
  actual.SetBits(8, BitsOfText(kF32, "13"));
  const FlushJudgement judgement = JudgeIt(call, actual);
  EXPECT_EQ(judgement.survivors, 0u);
  EXPECT_EQ(judgement.witnesses.at(0).index, 8);
  EXPECT_EQ(judgement.witnesses.at(0).survivors, 0u);
  EXPECT_EQ(judgement.best.failed, 1);
  EXPECT_EQ(judgement.best.first_failed, 8);
}

// What is flushed differs from the result of no flushing, too.
TEST(Flush, WhatAWayExplainsIsNotAmongTheUnexplained) {
  const FloatCall call = Products();
  for (const FlushChoice& choice : FlushChoices()) {
    Tensor actual = MadeBy(call, choice);
    EXPECT_EQ(JudgeIt(call, actual).unexplained.failed, 0);
    for (const int64_t wrong : {8, 10}) {
      actual.SetBits(wrong, BitsOfText(kF32, "13"));
      const FlushJudgement judgement = JudgeIt(call, actual);
      EXPECT_EQ(judgement.unexplained.failed, wrong == 8 ? 1 : 2);
      EXPECT_EQ(judgement.unexplained.first_failed, 8);
      EXPECT_EQ(judgement.best.first_failed, 8);
    }
  }
}

TEST(Flush, ResultsWithoutSubnormalsSayNothing) {
  const FloatCall call = MakeFloatCall(
      "multiply", {RowOfTexts(kF32, {"3"}), RowOfTexts(kF32, {"4"})},
      {{1}, kF32});
  const FlushJudgement judgement = JudgeIt(call, RowOfTexts(kF32, {"12"}));
  EXPECT_EQ(judgement.survivors, kAllFlushChoices);
  EXPECT_TRUE(judgement.witnesses.empty());
}

TEST(Flush, OnlyWhatComputesOnTypesWithSubnormalsCanFlush) {
  const auto can_flush = [](const std::string& id, ElementType operand,
                            ElementType result) {
    Op op;
    op.op = id;
    op.inputs = {{"x", "x", {{1}, operand}}, {"y", "y", {{1}, operand}}};
    op.outputs = {{"result", "result", {{1}, result}}};
    return CanFlush(*FindOp(id), op, Policy::Find("flush"));
  };
  EXPECT_TRUE(can_flush("multiply", kF32, kF32));
  EXPECT_TRUE(can_flush("add", kComplexF64, kComplexF64));
  EXPECT_TRUE(can_flush("compare", kF4E2M1FN, kI1));
  EXPECT_TRUE(can_flush("convert", kI32, kF16));
  EXPECT_TRUE(can_flush("convert", kF16, kI32));
  EXPECT_FALSE(can_flush("add", kI32, kI32));
  EXPECT_FALSE(can_flush("multiply", kF8E8M0FNU, kF8E8M0FNU));
  EXPECT_FALSE(can_flush("select", kF32, kF32));
  EXPECT_FALSE(can_flush("bitcast_convert", kF32, kI32));
  EXPECT_FALSE(can_flush("real", kComplexF32, kF32));
}

TEST(FlushObservation, IsReadBackFromItsText) {
  const FlushObservation observation{"multiply f32", 0x12345,
                                     "[3]: lhs = 1; rhs = 2, actual 0"};
  EXPECT_EQ(observation.Text(),
            "multiply f32; 0x012345; [3]: lhs = 1; rhs = 2, actual 0");
  const auto read = FlushObservation::Parse(observation.Text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->subject, observation.subject);
  EXPECT_EQ(read->survivors, observation.survivors);
  EXPECT_EQ(read->element, observation.element);
  for (const FlushSet set : {FlushSet{0}, FlushSet{1}, kAllFlushChoices})
    EXPECT_EQ(FlushObservation::Parse(FlushObservation{"s", set, ""}.Text())
                  ->survivors,
              set);
}

TEST(FlushObservation, OtherTextsAreNone) {
  for (const char* text :
       {"", "multiply f32", "multiply f32; 0x1", "multiply f32; 1; x",
        "multiply f32; 0x; x", "multiply f32; 0xg; x", "multiply f32; 0x1g; x",
        "multiply f32; 0x800000; x", "multiply f32; 0x1ffffffff; x",
        "multiply f32;0x1;x"})
    EXPECT_FALSE(FlushObservation::Parse(text)) << text;
}

TEST(FlushObservation, ItsSubjectIsTheOpAndTheTypesThatMatter) {
  const auto subject = [](const char* id, ElementType from, ElementType to) {
    Op op;
    op.op = id;
    op.inputs = {{"x", "x", {{1}, from}}};
    op.outputs = {{"result", "result", {{1}, to}}};
    return FlushSubject(op);
  };
  EXPECT_EQ(subject("multiply", kF32, kF32), "multiply f32");
  EXPECT_EQ(subject("compare", kF16, kI1), "compare f16");
  EXPECT_EQ(subject("convert", kF64, kF32), "convert f64 to f32");
  EXPECT_EQ(subject("convert", kF32, kF32), "convert f32 to f32");
  EXPECT_EQ(subject("convert", kF32, kI1), "convert f32 to i1");
  // A pointwise op computes in the type of its operands, or in a wider one.
  const auto add = [](const char* method) {
    Op op;
    op.op = "pointwise.add";
    op.inputs = {{"lhs", "lhs", {{1}, kBF16}}, {"rhs", "rhs", {{1}, kBF16}}};
    op.outputs = {{"result", "result", {{1}, kBF16}}};
    op.attributes = {
        {"promotion_methods", std::string("[[0, 1, \"") + method + "\"]]"}};
    return FlushSubject(op);
  };
  EXPECT_EQ(add("NO_OPMATH"), "pointwise.add bf16");
  EXPECT_EQ(add("DEFAULT"), "pointwise.add bf16 in f32");
}

}  // namespace
}  // namespace assay
