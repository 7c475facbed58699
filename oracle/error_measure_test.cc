// Tests the measured errors: how far results lie from real values, and how
// small an error would be noticed.
#include "oracle/error_measure.h"

#include <gtest/gtest.h>

#include <cmath>

#include "oracle/elementwise/float_test_support.h"

namespace assay {
namespace {

using enum ElementType;

// The real value of every element is near + rest * 2^unit, and values from lo
// to hi are allowed.
struct Real {
  std::string near;
  float rest;
  int16_t unit;
  std::string lo, hi;
};
Expectation ExpectationOf(ElementType type, const std::vector<Real>& rows,
                          double budget) {
  const auto n = static_cast<int64_t>(rows.size());
  Expectation expectation(TensorType{{n}, type});
  expectation.hi = Tensor(TensorType{{n}, type});
  expectation.reals = RealValues{Tensor(TensorType{{n}, type}), {}, {}, budget};
  for (int64_t i = 0; i < n; ++i) {
    const Real& row = rows[static_cast<size_t>(i)];
    expectation.lo.SetBits(i, BitsOfText(type, row.lo));
    expectation.hi.SetBits(i, BitsOfText(type, row.hi));
    expectation.reals->near.SetBits(i, BitsOfText(type, row.near));
    for (int p = 0; p < PartCount(type); ++p)
      expectation.reals->rest.push_back(row.rest);
    expectation.reals->unit.push_back(row.unit);
  }
  return expectation;
}

TEST(ErrorMeasure, IsInUnitsOfTheRealValue) {
  // The real value is 1.25 + 1/4 unit.
  const Expectation e = ExpectationOf(
      kF32, {{"1.25", 0.25f, -23, "0x1.3ffffcp0", "0x1.400006p0"}}, 2.5);
  const auto error = [&](const char* actual) {
    const MeasuredErrors m = MeasureErrors(e, RowOfTexts(kF32, {actual}));
    EXPECT_EQ(m.errors.elements, 1);
    EXPECT_EQ(m.worst_at, 0);
    EXPECT_EQ(m.errors.budget, 2.5);
    return m.errors.worst;
  };
  EXPECT_EQ(error("1.25"), 0.25);
  EXPECT_EQ(error("0x1.400002p0"), 0.75);
  EXPECT_EQ(error("0x1.3ffffep0"), 1.25);
  // One result has the wrong sign, and one is beyond the format, which counts
  // as the next power of two.
  EXPECT_EQ(error("-1.25"), 2.5 * 0x1p23 + 0.25);
  EXPECT_EQ(error("inf"), 0x1p151 - 1.25 * 0x1p23 - 0.25);
}

TEST(ErrorMeasure, NoticesWhatWouldLieBeyondTheEnds) {
  // Errors would be noticed halfway from 3 units above to the next, and from 2
  // units below.
  const Expectation up = ExpectationOf(
      kF32, {{"1.25", 0.25f, -23, "0x1.3ffffcp0", "0x1.400006p0"}}, 2.5);
  const ErrorMeasure m = MeasureErrors(up, RowOfTexts(kF32, {"1.25"})).errors;
  EXPECT_NEAR(m.notices_up, (3.5 - 0.25) / 0x1.4p23, 1e-13);
  EXPECT_NEAR(m.notices_down, (2.5 + 0.25) / 0x1.4p23, 1e-13);
  EXPECT_EQ(m.notices(), m.notices_up);
  // For a negative value, greater means down.
  const Expectation down = ExpectationOf(
      kF32, {{"-1.25", -0.25f, -23, "-0x1.400006p0", "-0x1.3ffffcp0"}}, 2.5);
  const ErrorMeasure n =
      MeasureErrors(down, RowOfTexts(kF32, {"-1.25"})).errors;
  EXPECT_EQ(n.notices_up, m.notices_up);
  EXPECT_EQ(n.notices_down, m.notices_down);
}

TEST(ErrorMeasure, ClassesHaveTheirUpperEnds) {
  const Expectation e = ExpectationOf(
      kF64, std::vector<Real>(5, {"1.5", 0, -52, "1.5", "1.5"}), 2);
  const MeasuredErrors m = MeasureErrors(
      e, RowOfTexts(kF64, {"1.5", "0x1.8000000000001p0", "0x1.8000000000002p0",
                           "0x1.7fffffffffff7p0", "0x1.7ffffffffffffp0"}));
  EXPECT_EQ(m.errors.histogram,
            (std::array<int64_t, 9>{1, 0, 2, 0, 1, 0, 0, 0, 1}));
  EXPECT_EQ(m.errors.worst, 9);
  EXPECT_EQ(m.worst_at, 3);
  EXPECT_EQ(m.errors.elements, 5);
}

TEST(ErrorMeasure, LeavesOutWhatIsOpenOrNoNumber) {
  Expectation e = ExpectationOf(kF32,
                                {{"1.5", 0, -23, "1.5", "1.5"},
                                 {"nan", 0, -149, "nan", "nan"},
                                 {"1.5", 0, -23, "1.5", "1.5"},
                                 {"inf", 0, -149, "inf", "inf"},
                                 {"0", 0, -149, "0", "0"}},
                                2);
  e.SetOpen(0);
  const MeasuredErrors m =
      MeasureErrors(e, RowOfTexts(kF32, {"7", "nan", "nan", "inf", "0"}));
  EXPECT_EQ(m.errors.elements, 2);  // the infinity and zero
  EXPECT_EQ(m.errors.worst, 0);
  EXPECT_EQ(m.errors.notices(), std::numeric_limits<double>::infinity());
  e.SetOpen(3);
  e.SetOpen(4);
  const MeasuredErrors none =
      MeasureErrors(e, RowOfTexts(kF32, {"7", "nan", "nan", "inf", "0"}));
  EXPECT_EQ(none.errors.elements, 0);
  EXPECT_EQ(none.worst_at, -1);
}

TEST(ErrorMeasure, OfComplexNumbersIsTheWorsePartInUnitsOfTheLarger) {
  const Expectation e = ExpectationOf(
      kComplexF64, {{"1.5 0x1p-60", 0, -52, "1.5 0", "1.5 0"}}, 4);
  const auto worst = [&](const char* actual) {
    return MeasureErrors(e, RowOfTexts(kComplexF64, {actual})).errors.worst;
  };
  EXPECT_EQ(worst("1.5 0x1p-60"), 0);
  EXPECT_EQ(worst("0x1.8000000000002p0 0x1p-60"), 2);
  EXPECT_EQ(worst("1.5 -0x1p-60"), 0x1p-7);
  EXPECT_EQ(worst("0x1.8000000000002p0 0x1p-49"), 8 - 0x1p-8);
  const ErrorMeasure m =
      MeasureErrors(e, RowOfTexts(kComplexF64, {"1.5 0"})).errors;
  EXPECT_NEAR(m.notices_up, 0.5 / 0x1.8p52, 1e-22);
}

ErrorMeasure Of(int64_t elements, double worst, double budget, double up,
                double down) {
  ErrorMeasure m;
  m.elements = elements;
  m.worst = worst;
  m.budget = budget;
  m.notices_up = up;
  m.notices_down = down;
  m.histogram[1] = elements;
  return m;
}

TEST(ErrorMeasure, MergesToTheWorstWithItsBudget) {
  ErrorMeasure sum;
  sum.Merge(ErrorMeasure());
  EXPECT_EQ(sum.elements, 0);
  // The first worst error counts even if it is 0.
  sum.Merge(Of(3, 0, 2, 0.5, 0.25));
  EXPECT_EQ(sum.budget, 2);
  sum.Merge(Of(4, 1.5, 3.5, 0.75, 0.125));
  EXPECT_EQ(sum.worst, 1.5);
  EXPECT_EQ(sum.budget, 3.5);
  sum.Merge(Of(1, 1.25, 8, 1, 1));
  sum.Merge(ErrorMeasure());
  EXPECT_EQ(sum.worst, 1.5);
  EXPECT_EQ(sum.budget, 3.5);
  EXPECT_EQ(sum.elements, 8);
  EXPECT_EQ(sum.histogram[1], 8);
  EXPECT_EQ(sum.notices_up, 0.5);
  EXPECT_EQ(sum.notices_down, 0.125);
  EXPECT_EQ(sum.notices(), 0.5);
}

}  // namespace
}  // namespace assay
