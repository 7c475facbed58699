// Tests that sums which only another order gives are counted where they are
// right, and fail where the order is that of the terms.
#include <gmock/gmock.h>

#include <vector>

#include "cases/run/plugin_test_support.h"

namespace assay {
namespace {

// In order, 1 + 2^24 + 1 is 2^24: each 1 is lost. Both meet first in 2^24 + 2.
float answer = 0;

int32_t Answers(const AssayCall* call, char*, size_t) {
  *ElementsOf<float>(call->outputs[0]) = answer;
  return ASSAY_OK;
}

Verdict JudgeSum(const Policy& policy) {
  const AssayBackend plugin = PluginOf(Answers);
  InProcessExecutor executor(Backend::Adopt("test", &plugin));
  const std::vector<Case> cases = ParseCases(
      "x.json",
      ParseJsonExactly("x.json", R"({"op": "reduce", "cases": [{
      "id": "a", "inputs": {
        "inputs": [{"type": "tensor<3xf32>", "data": [1, 16777216, 1]}],
        "init_values": [{"type": "tensor<f32>", "data": [0]}],
        "dimensions": [0], "body": "^bb0(%x: tensor<f32>, %y: tensor<f32>): )"
                                 R"(%0 = stablehlo.add %x, %y : )"
                                 R"(tensor<f32> stablehlo.return %0 )"
                                 R"(: tensor<f32>"}}]})"),
      {});
  return Runner(&executor, policy).Run(cases[0]);
}

TEST(Reordered, IsCountedWhereAnyOrderIsRight) {
  const Policy any = Policy::Find("assay").With("reduction_order", "any");
  answer = 16777218;
  const Verdict other = JudgeSum(any);
  EXPECT_EQ(other.outcome, Outcome::kPass) << other.message;
  EXPECT_EQ(other.reordered, 1);
  answer = 16777216;
  const Verdict in_order = JudgeSum(any);
  EXPECT_EQ(in_order.outcome, Outcome::kPass) << in_order.message;
  EXPECT_EQ(in_order.reordered, 0);
}

TEST(Reordered, FailsWhereTheOrderIsThatOfTheTerms) {
  answer = 16777218;
  const Verdict verdict = JudgeSum(Policy::Find("assay"));
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_EQ(verdict.reordered, 0);
}

}  // namespace
}  // namespace assay
