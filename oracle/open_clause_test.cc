// Tests that an element that is open in one respect is not open in all: what
// the judge accepts if an element is open in part, or may lie in one of several
// ranges.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "oracle/elementwise/float_test_support.h"
#include "oracle/judge.h"

namespace assay {
namespace {

using enum ElementType;
using ::testing::HasSubstr;

Expectation Between(const Tensor& lo, const Tensor& hi) {
  Expectation expectation(lo.type());
  expectation.lo = lo;
  expectation.hi = hi;
  return expectation;
}

TEST(OpenInPart, EitherOfTwoIsNothingBetween) {
  Expectation either = Between(RowOfTexts(kF32, {"1", "1", "0"}),
                               RowOfTexts(kF32, {"4", "4", "nan"}));
  either.Set(Expectation::kEither, 1);
  either.Set(Expectation::kEither, 2);
  EXPECT_TRUE(Judge(either, RowOfTexts(kF32, {"2", "1", "0"})).ok());
  EXPECT_TRUE(Judge(either, RowOfTexts(kF32, {"2", "4", "nan"})).ok());
  const Judgement judgement =
      Judge(either, RowOfTexts(kF32, {"2", "2", "0x1p-149"}));
  EXPECT_EQ(judgement.failed, 2);
  EXPECT_EQ(judgement.first_failed, 1);
  EXPECT_EQ(judgement.open, 0) << "it was judged";
  EXPECT_EQ(AllowedText(either, 1),
            "1 = 0x1p+0 (0x3f800000) or 4 = 0x1p+2 (0x40800000)");
  EXPECT_EQ(AllowedText(either, 2), "0 = 0x0p+0 (0x00000000) or any NaN");
}

TEST(OpenInPart, EachPartOfAComplexNumberIsEitherOnItsOwn) {
  Expectation either = Between(RowOfTexts(kComplexF32, {"1 5"}),
                               RowOfTexts(kComplexF32, {"2 6"}));
  either.Set(Expectation::kEither, 0);
  for (const char* right : {"1 5", "1 6", "2 5", "2 6"})
    EXPECT_TRUE(Accepts(either, RowOfTexts(kComplexF32, {right}), 0)) << right;
  for (const char* wrong : {"1.5 5", "1 5.5", "5 1"})
    EXPECT_FALSE(Accepts(either, RowOfTexts(kComplexF32, {wrong}), 0)) << wrong;
}

TEST(OpenInPart, OnePartIsOpenAndTheOtherIsJudged) {
  const Tensor value = RowOfTexts(kComplexF64, {"1 2", "1 2"});
  Expectation open = Between(value, value);
  open.Set(Expectation::kRealOpen, 0);
  open.Set(Expectation::kImagOpen, 1);
  const Judgement right =
      Judge(open, RowOfTexts(kComplexF64, {"nan 2", "1 -7"}));
  EXPECT_TRUE(right.ok());
  EXPECT_EQ(right.open, 2) << "both are accepted unseen, in part";
  const Judgement wrong = Judge(open, RowOfTexts(kComplexF64, {"1 3", "1 3"}));
  EXPECT_EQ(wrong.failed, 1);
  EXPECT_EQ(wrong.first_failed, 0);
  EXPECT_EQ(wrong.open, 1) << "what is refused was seen";
  EXPECT_THAT(AllowedText(open, 0), HasSubstr("[any value, 2 = "));
  EXPECT_THAT(AllowedText(open, 1), HasSubstr(", any value]"));
}

TEST(OpenInPart, PartsOfTwoAlternativesDoNotMix) {
  Expectation sides = Between(RowOfTexts(kComplexF32, {"7 7", "0 3"}),
                              RowOfTexts(kComplexF32, {"7 7", "1 4"}));
  const auto bits = [](const char* text) {
    return BitsOfText(kComplexF32, text);
  };
  sides.alternatives = {
      {1, bits("5 -4"), bits("6 -3")},
      {1, bits("9 nan"), bits("9 nan"), Expectation::kRealOpen}};
  for (const char* right : {"0.5 3.5", "5.5 -3.5", "6 -4", "123 nan"})
    EXPECT_TRUE(Judge(sides, RowOfTexts(kComplexF32, {"7 7", right})).ok())
        << right;
  for (const char* wrong : {"0.5 -3.5", "5.5 3.5", "7 7", "nan 3.5"})
    EXPECT_FALSE(Judge(sides, RowOfTexts(kComplexF32, {"7 7", wrong})).ok())
        << wrong;
  EXPECT_FALSE(
      Judge(sides, RowOfTexts(kComplexF32, {"0.5 3.5", "0.5 3.5"})).ok());
  EXPECT_TRUE(sides.IsFree(1));
  EXPECT_FALSE(sides.IsFree(0));
  // The error is that to the nearer side.
  EXPECT_LT(Judge(sides, RowOfTexts(kComplexF32, {"7 7", "6 -3.0000002"}))
                .worst_error,
            3);
  EXPECT_THAT(AllowedText(sides, 1), HasSubstr("] or ["));
}

TEST(OpenInPart, AReadingIsOfTheWholeResult) {
  Expectation order =
      Between(RowOfTexts(kI32, {"1", "2"}), RowOfTexts(kI32, {"1", "2"}));
  order.hi = order.lo;
  order.readings = {RowOfTexts(kI32, {"10", "20"})};
  EXPECT_TRUE(Judge(order, RowOfTexts(kI32, {"1", "2"})).ok());
  EXPECT_TRUE(Judge(order, RowOfTexts(kI32, {"10", "20"})).ok());
  EXPECT_EQ(Judge(order, RowOfTexts(kI32, {"10", "2"})).failed, 1);
  EXPECT_EQ(Judge(order, RowOfTexts(kI32, {"10", "21"})).first_failed, 1);
  EXPECT_THAT(AllowedText(order, 1),
              HasSubstr("20 (0x00000014) (in all of the result)"));
}

}  // namespace
}  // namespace assay
