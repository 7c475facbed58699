// Tests the judge on ranges: the quick way through f32 and f64, results that
// may be NaN as well, and budgets in explanations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <vector>

#include "oracle/judge.h"

namespace assay {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// f32 and f64 are first judged without Accepts, which must not differ.
TEST(Judge, ManyFloatsAreJudgedAsEachByItself) {
  for (const ElementType type : {ElementType::kF32, ElementType::kF64}) {
    VisitKinds<kFloats>(type, [&]<class T>() {
      constexpr FloatFormat kFormat = T::kFormat;
      std::vector<ElementBits> all;
      for (const uint64_t code :
           {uint64_t{0}, uint64_t{1}, kFormat.min_normal_code(),
            kFormat.max_code(), kFormat.infinity_code(),
            kFormat.infinity_code() + 1, kFormat.nan_code(),
            kFormat.magnitude_mask()}) {
        all.push_back(code);
        all.push_back(code | kFormat.sign_bit());
      }
      const auto is_nan = [](ElementBits bits) {
        return T::FromBits(static_cast<typename T::Bits>(bits)).IsNan();
      };
      const auto n = static_cast<int64_t>(all.size() * all.size() * all.size());
      Expectation expectation(TensorType{{n}, type});
      expectation.hi = Tensor(TensorType{{n}, type});
      Tensor actual(TensorType{{n}, type});
      int64_t i = 0;
      for (const ElementBits lo : all) {
        for (const ElementBits hi : all) {
          for (const ElementBits at : all) {
            // Both ends are NaN, with the same bits, or neither is.
            const bool has_nan = is_nan(lo) || is_nan(hi);
            expectation.lo.SetBits(i, lo);
            expectation.hi.SetBits(i, has_nan ? lo : hi);
            actual.SetBits(i++, at);
          }
        }
      }
      expectation.SetOpen(7);
      expectation.Set(Expectation::kOrNan, 100);
      int64_t failed = 0, first = -1;
      for (i = 0; i < n; ++i) {
        if (Accepts(expectation, actual, i)) continue;
        if (failed++ == 0) first = i;
      }
      const Judgement judgement = Judge(expectation, actual);
      EXPECT_EQ(judgement.failed, failed);
      EXPECT_EQ(judgement.first_failed, first);
      EXPECT_GT(failed, 0);
      EXPECT_LT(failed, n);
    });
  }
}

TEST(Judge, OrNanAcceptsNanBesideWhatLiesBetween) {
  const ElementType type = ElementType::kF8E4M3FN;
  const auto row = [&](ElementBits bits) {
    Tensor tensor(TensorType{{1}, type});
    tensor.SetBits(0, bits);
    return tensor;
  };
  Expectation expectation(TensorType{{1}, type});
  expectation.lo = row(0x7d);
  expectation.hi = row(0x7e);
  EXPECT_FALSE(Judge(expectation, row(0x7f)).ok());
  expectation.Set(Expectation::kOrNan, 0);
  EXPECT_TRUE(Judge(expectation, row(0x7f)).ok());
  EXPECT_TRUE(Judge(expectation, row(0xff)).ok());
  EXPECT_TRUE(Judge(expectation, row(0x7e)).ok());
  EXPECT_FALSE(Judge(expectation, row(0x7c)).ok());
  EXPECT_EQ(Judge(expectation, row(0x7f)).open, 0);
  EXPECT_THAT(AllowedText(expectation, 0),
              AllOf(HasSubstr("416"), HasSubstr("448"), HasSubstr("or NaN")));
}

std::string TanExplanation(const Tensor& operand, const Tensor& actual) {
  Op op;
  op.op = "tan";
  op.inputs.push_back({"operand", "operand", operand.type()});
  op.outputs.push_back({"result", "result", actual.type()});
  const Policy& policy = Policy::Find("assay");
  const Evaluation evaluation = Evaluate(op, {operand}, policy, Marks::kNone);
  const Expectation& expectation = evaluation.outputs[0];
  return Explain(op, {operand}, policy, expectation, actual,
                 Judge(expectation, actual));
}

TEST(Explain, AResultBeyondTheBudgetSaysWhatTheBudgetIs) {
  const ElementType f32 = ElementType::kF32;
  const auto row = [&](float x) {
    Tensor tensor(TensorType{{1}, f32});
    tensor.SetBits(0, std::bit_cast<uint32_t>(x));
    return tensor;
  };
  // The result is five units below tan(1) = 1.5574077.
  EXPECT_THAT(
      TanExplanation(row(1), row(1.5574071f)),
      AllOf(HasSubstr("basis budget"), HasSubstr("2 ulp (policy assay)"),
            HasSubstr("tan/S1"), HasSubstr(" to ")));
  // A zero has no budget.
  EXPECT_THAT(TanExplanation(row(0), row(1)), HasSubstr("basis text"));
}

}  // namespace
}  // namespace assay
