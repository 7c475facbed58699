// Tests what a failure names where the policy lets a backend flush subnormals:
// elements that a way of flushing explains are not among those that differ.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "cases/run/plugin_test_support.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Elements 0 and 2 are subnormal, 2 and 6 the others.
std::string FourProducts(const std::string& expect) {
  return R"({"op": "multiply", "cases": [{"id": "a", "source": "hand", "inputs": {
    "lhs": {"type": "tensor<4xf32>", "data": ["0x1p-100", 1, "0x1p-100", 2]},
    "rhs": {"type": "tensor<4xf32>", "data": ["0x1p-30", 2, "0x1p-30", 3]}})" +
         expect + "}]}";
}

std::array<float, 4> answers;

// Returns the verdict on a backend that answers so.
Verdict JudgeAnswers(std::array<float, 4> values, const char* policy,
                     const std::string& expect = "") {
  answers = values;
  return JudgeFirst(
      PluginOf([](const AssayCall* call, char*, size_t) -> int32_t {
        for (size_t i = 0; i < answers.size(); ++i)
          ElementsOf<float>(call->outputs[0])[i] = answers[i];
        return ASSAY_OK;
      }),
      FourProducts(expect).c_str(), policy);
}

TEST(FlushRun, AFailureNamesWhatNoWayOfFlushingExplains) {
  const Verdict flushed = JudgeAnswers({0, 2, 0, 7}, "flush");
  EXPECT_EQ(flushed.outcome, Outcome::kFail);
  EXPECT_EQ(flushed.first_failed, 3);
  EXPECT_EQ(flushed.basis, "text");
  EXPECT_THAT(flushed.message,
              AllOf(HasSubstr("1 of 4 elements of tensor<4xf32> differ\n"
                              "  first at [3]: lhs = 2"),
                    Not(HasSubstr("worst at")),
                    HasSubstr("no way of flushing subnormals explains it")));
  const Verdict two = JudgeAnswers({0, 3, 0, 30}, "flush");
  EXPECT_EQ(two.first_failed, 1);
  EXPECT_THAT(two.message,
              AllOf(HasSubstr("2 of 4 elements of tensor<4xf32> differ\n"
                              "  first at [1]: "),
                    HasSubstr("worst at [3]: "), HasSubstr("any of them")));
}

TEST(FlushRun, WhereSubnormalsCountEveryElementDiffers) {
  const Verdict verdict = JudgeAnswers({0, 2, 0, 7}, "assay");
  EXPECT_EQ(verdict.first_failed, 0);
  EXPECT_THAT(verdict.message, HasSubstr("3 of 4 elements"));
}

TEST(FlushRun, OneOfTheElementsThatContradictOneAnotherIsTheFailedOne) {
  const Verdict verdict = JudgeAnswers({0, 2, 0x1p-130f, 6}, "flush");
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.basis, "policy:subnormals");
  EXPECT_THAT(verdict.first_failed, testing::AnyOf(0, 2));
}

TEST(FlushRun, ALiteralIsExplainedAsAResultIs) {
  const Verdict verdict = JudgeAnswers(
      {0, 2, 0, 6}, "flush", R"(, "expect": {"result": [0, 2, 0, 7]})");
  EXPECT_EQ(verdict.outcome, Outcome::kOracleSuspect);
  EXPECT_THAT(verdict.message,
              AllOf(HasSubstr("1 of 4 elements"), HasSubstr("first at [3]")));
}

}  // namespace
}  // namespace assay
