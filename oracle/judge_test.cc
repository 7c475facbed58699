// Tests what the judge accepts, which element it names, what it counts, and
// that an explanation holds everything a person needs to see who is wrong.
#include "oracle/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Integers = std::vector<__int128>;

Tensor IntegersOf(ElementType type, const Shape& shape,
                  const Integers& values) {
  Tensor tensor(TensorType{shape, type});
  for (size_t i = 0; i < values.size(); ++i) {
    tensor.SetBits(static_cast<int64_t>(i), BitsOf(type, values[i]));
  }
  return tensor;
}

Tensor Row(ElementType type, const Integers& values) {
  return IntegersOf(type, {static_cast<int64_t>(values.size())}, values);
}

Expectation Exactly(const Tensor& tensor) {
  Expectation expectation(tensor.type());
  expectation.lo = expectation.hi = tensor;
  return expectation;
}

TEST(Judge, AMatchIsSilent) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsBoolean(info.type) && !IsInteger(info.type)) continue;
    const Integers values = {MinValue(info.type), MaxValue(info.type), 0, 1};
    const Judgement judgement =
        Judge(Exactly(Row(info.type, values)), Row(info.type, values));
    EXPECT_TRUE(judgement.ok()) << info.name;
    EXPECT_EQ(judgement.elements, 4);
    EXPECT_EQ(judgement.open, 0);
    EXPECT_EQ(judgement.failed, 0);
    EXPECT_EQ(judgement.first_failed, -1);
    EXPECT_EQ(judgement.worst_failed, -1);
  }
}

TEST(Judge, OneWrongBitOfAnyElementFails) {
  for (const ElementTypeInfo& info : ElementTypes()) {
    if (!IsBoolean(info.type) && !IsInteger(info.type)) continue;
    for (int64_t i = 0; i < 3; ++i) {
      for (int bit = 0; bit < info.bits; ++bit) {
        const Tensor expected = Row(info.type, {1, 0, 1});
        Tensor actual = Row(info.type, {1, 0, 1});
        actual.SetBits(i, actual.Bits(i) ^ (uint64_t{1} << bit));
        const Judgement judgement = Judge(Exactly(expected), actual);
        EXPECT_EQ(judgement.failed, 1) << info.name << " bit " << bit;
        EXPECT_EQ(judgement.first_failed, i);
        EXPECT_EQ(judgement.worst_failed, i);
      }
    }
  }
}

TEST(Judge, NamesTheFirstAndTheFarthest) {
  const Tensor expected = Row(ElementType::kI8, {0, 0, 0, 0, 0});
  const Judgement judgement =
      Judge(Exactly(expected), Row(ElementType::kI8, {0, -1, 100, -128, 127}));
  EXPECT_EQ(judgement.elements, 5);
  EXPECT_EQ(judgement.failed, 4);
  EXPECT_EQ(judgement.first_failed, 1);
  EXPECT_EQ(judgement.worst_failed, 3);
}

TEST(Judge, DistancesDoNotOverflow) {
  const ElementType i64 = ElementType::kI64, ui64 = ElementType::kUi64;
  EXPECT_EQ(Judge(Exactly(Row(i64, {MinValue(i64), MaxValue(i64)})),
                  Row(i64, {0, MinValue(i64)}))
                .worst_failed,
            1);
  EXPECT_EQ(Judge(Exactly(Row(ui64, {MaxValue(ui64), 0})),
                  Row(ui64, {MaxValue(ui64) / 2, MaxValue(ui64)}))
                .worst_failed,
            1);
}

TEST(Judge, OfEquallyFarElementsTheFirstIsTheWorst) {
  const Judgement judgement = Judge(Exactly(Row(ElementType::kI8, {0, 0, 0})),
                                    Row(ElementType::kI8, {1, 5, -5}));
  EXPECT_EQ(judgement.worst_failed, 1);
}

TEST(Judge, HighBitsOfSubByteElementsAreIgnored) {
  for (const ElementType type : {ElementType::kI2, ElementType::kUi2,
                                 ElementType::kI4, ElementType::kUi4}) {
    const Tensor expected = Row(type, {1, 0});
    Tensor actual = Row(type, {1, 0});
    actual.data()[0] |= std::byte{0xf0};
    actual.data()[1] |= std::byte{0x50};
    EXPECT_TRUE(Judge(Exactly(expected), actual).ok()) << Name(type);
    actual.data()[1] |= std::byte{0x01};
    EXPECT_EQ(Judge(Exactly(expected), actual).first_failed, 1) << Name(type);
  }
}

TEST(Judge, ABooleanByteOtherThanZeroAndOneFails) {
  for (const int byte : {2, 3, 128, 255}) {
    const Tensor expected = Row(ElementType::kI1, {1, 1});
    Tensor actual = Row(ElementType::kI1, {1, 1});
    actual.data()[1] = static_cast<std::byte>(byte);
    const Judgement judgement = Judge(Exactly(expected), actual);
    EXPECT_EQ(judgement.failed, 1) << byte;
    EXPECT_EQ(judgement.first_failed, 1) << byte;
    EXPECT_EQ(judgement.worst_failed, 1) << byte;
  }
}

TEST(Judge, OpenElementsAreAcceptedAndCounted) {
  Expectation expectation = Exactly(Row(ElementType::kI8, {1, 2, 3, 4}));
  expectation.SetOpen(1);
  expectation.SetOpen(3);
  Judgement judgement =
      Judge(expectation, Row(ElementType::kI8, {1, 99, 3, 4}));
  EXPECT_TRUE(judgement.ok());
  EXPECT_EQ(judgement.open, 2);
  judgement = Judge(expectation, Row(ElementType::kI8, {0, 99, 3, -4}));
  EXPECT_EQ(judgement.failed, 1);
  EXPECT_EQ(judgement.first_failed, 0);
  EXPECT_EQ(judgement.open, 2);
}

// An element counts as open only if it was accepted because any value is.
TEST(Judge, AnOpenBooleanThatIsNoBooleanFailsAndIsNotCountedAsAccepted) {
  Expectation expectation = Exactly(Row(ElementType::kI1, {1, 1}));
  expectation.SetOpen(0);
  expectation.SetOpen(1);
  Tensor actual = Row(ElementType::kI1, {0, 0});
  actual.data()[1] = std::byte{2};
  const Judgement judgement = Judge(expectation, actual);
  EXPECT_EQ(judgement.failed, 1);
  EXPECT_EQ(judgement.first_failed, 1);
  EXPECT_EQ(judgement.open, 1);
}

TEST(Judge, WhatIsNoBooleanFailsEvenIfTheOpenExpectationHoldsItToo) {
  Expectation expectation = Exactly(Row(ElementType::kI1, {1, 0}));
  expectation.SetOpen(1);
  expectation.lo.data()[1] = std::byte{2};
  Tensor actual = Row(ElementType::kI1, {1, 0});
  actual.data()[1] = std::byte{2};
  const Judgement judgement = Judge(expectation, actual);
  EXPECT_EQ(judgement.failed, 1);
  EXPECT_EQ(judgement.first_failed, 1);
}

TEST(Judge, AcceptsAnIntervalIncludingItsEnds) {
  Expectation expectation =
      Exactly(Row(ElementType::kI8, {-3, -3, -3, -3, -3}));
  expectation.hi = Row(ElementType::kI8, {5, 5, 5, 5, 5});
  const Judgement judgement =
      Judge(expectation, Row(ElementType::kI8, {-3, 5, 0, -4, 7}));
  EXPECT_EQ(judgement.failed, 2);
  EXPECT_EQ(judgement.first_failed, 3);
  EXPECT_EQ(judgement.worst_failed, 4);  // 2 above, not 1 below
  // Bits that equal `lo` everywhere are accepted too.
  EXPECT_TRUE(Judge(expectation, expectation.lo).ok());
  EXPECT_TRUE(Judge(expectation, expectation.hi).ok());
}

TEST(Judge, WithoutElementsNothingFails) {
  const Tensor empty(TensorType{{0, 3}, ElementType::kI32});
  const Judgement judgement = Judge(Exactly(empty), empty);
  EXPECT_TRUE(judgement.ok());
  EXPECT_EQ(judgement.elements, 0);
}

TEST(JudgeDeathTest, TypesMustAgree) {
  EXPECT_DEATH(
      Judge(Exactly(Row(ElementType::kI8, {1})), Row(ElementType::kUi8, {1})),
      "type");
  EXPECT_DEATH(
      Judge(Exactly(Row(ElementType::kI8, {1})), Row(ElementType::kI8, {1, 1})),
      "type");
}

TEST(AllowedText, IsAValueARangeOrAnything) {
  Expectation expectation = Exactly(Row(ElementType::kI8, {-1, -1, -1}));
  expectation.hi = Row(ElementType::kI8, {-1, 4, -1});
  expectation.SetOpen(2);
  EXPECT_EQ(AllowedText(expectation, 0), "-1 (0xff)");
  EXPECT_EQ(AllowedText(expectation, 1), "-1 (0xff) to 4 (0x04)");
  EXPECT_EQ(AllowedText(expectation, 2), "any value");
}

// Returns the explanation of the difference between the op on `inputs` and
// `actual`.
std::string Explanation(const std::string& id,
                        const std::vector<Tensor>& inputs, const Tensor& actual,
                        const char* policy_name,
                        std::vector<Attribute> attributes = {}) {
  const OpSpec& spec = *FindOp(id);
  Op op;
  op.op = id;
  for (size_t k = 0; k < inputs.size(); ++k) {
    const std::string& name = spec.inputs[k].name;
    op.inputs.push_back({name, name, inputs[k].type()});
  }
  op.attributes = std::move(attributes);
  op.outputs.push_back({"result", "result", actual.type()});
  const Policy& policy = Policy::Find(policy_name);
  const Evaluation evaluation = Evaluate(op, inputs, policy, Marks::kNone);
  const Expectation& expectation = evaluation.outputs[0];
  return Explain(op, inputs, policy, expectation, actual,
                 Judge(expectation, actual));
}

TEST(Explain, ShowsPlaceOperandsValuesClauseAndBasis) {
  const ElementType i8 = ElementType::kI8;
  const std::string text =
      Explanation("paddle.bitwise_right_shift",
                  {IntegersOf(i8, {2, 2}, {1, 2, -100, 4}),
                   IntegersOf(i8, {2, 2}, {0, 0, 8, 0})},
                  IntegersOf(i8, {2, 2}, {1, 2, 1, 4}), "assay",
                  {{"is_arithmetic", IntegersOf(ElementType::kI1, {}, {1})}});
  EXPECT_THAT(
      text,
      AllOf(HasSubstr("1 of 4 elements of tensor<2x2xi8>"), HasSubstr("[1, 0]"),
            HasSubstr("x = -100 (0x9c)"), HasSubstr("y = 8 (0x08)"),
            HasSubstr("is_arithmetic = true"), HasSubstr("expected -1 (0xff)"),
            HasSubstr("actual   1 (0x01)"),
            HasSubstr("paddle.bitwise_right_shift/SH-08: "),
            HasSubstr("返回符号位"), HasSubstr("basis text"),
            Not(HasSubstr("worst"))));
}

TEST(Explain, ShowsTheWorstElementWhereItIsAnother) {
  const ElementType i8 = ElementType::kI8;
  const std::string text =
      Explanation("add", {Row(i8, {1, 1, 1}), Row(i8, {1, 2, 3})},
                  Row(i8, {2, 4, 100}), "assay");
  EXPECT_THAT(text, AllOf(HasSubstr("2 of 3"), HasSubstr("first at [1]"),
                          HasSubstr("worst at [2]"), HasSubstr("rhs = 3"),
                          HasSubstr("add/S2: For integers: integer addition."),
                          HasSubstr("actual   100 (0x64)")));
}

TEST(Explain, AnOpenClauseIsDecidedByThePolicy) {
  const ElementType ui8 = ElementType::kUi8;
  const std::string text = Explanation(
      "shift_left", {Row(ui8, {1}), Row(ui8, {9})}, Row(ui8, {7}), "mask");
  EXPECT_THAT(text,
              AllOf(HasSubstr("expected 2 (0x02)"), HasSubstr("shift_left/S2"),
                    HasSubstr("implementation-defined behavior"),
                    HasSubstr("not less than the width"),
                    HasSubstr("basis policy:shift_overflow = mask"),
                    HasSubstr("policy mask")));
}

TEST(Explain, ShowsAnOperandOfRankZeroForEveryElement) {
  const ElementType i8 = ElementType::kI8;
  const std::string text = Explanation(
      "clamp", {IntegersOf(i8, {}, {-5}), Row(i8, {0, 9}), Row(i8, {3, 4})},
      Row(i8, {0, 9}), "assay");
  EXPECT_THAT(text, AllOf(HasSubstr("first at [1]"), HasSubstr("min = -5"),
                          HasSubstr("max = 4"), HasSubstr("expected 4"),
                          HasSubstr("clamp/S1"), HasSubstr("clamp/S2")));
}

}  // namespace
}  // namespace assay
