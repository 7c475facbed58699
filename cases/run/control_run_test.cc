// Tests that the runner walks through ops that control what is executed, and
// says so where nothing is judged.
#include <gmock/gmock.h>

#include <string>

#include "backends/host/loader.h"
#include "cases/case.h"
#include "cases/run/runner.h"

namespace assay {
namespace {

using testing::HasSubstr;

// Returns the verdict on a loop whose condition is its operand, which the body
// turns into what `next` says.
Verdict VerdictOfLoop(const std::string& next, const HowToRun& how = {}) {
  const std::string text = R"({"op": "while", "cases": [{"id": "a", "inputs": {
      "operand": [{"type": "tensor<i1>", "data": [true]}],
      "cond": "^bb0(%a: tensor<i1>): stablehlo.return %a : tensor<i1>",
      "body": "^bb0(%a: tensor<i1>): )" +
                           next + R"("},
      "outputs": {"results": [{"type": "tensor<i1>"}]}}]})";
  const std::vector<Case> cases = ParseCases("x.json", Json::parse(text), {});
  InProcessExecutor simd(Backend::Load("simd"));
  simd.Choose(how);
  return Runner(&simd, Policy::Find("assay")).Run(cases.at(0));
}

TEST(RunControl, OpsOfALoopAreJudged) {
  const Verdict verdict = VerdictOfLoop(
      "%b = stablehlo.not %a : tensor<i1> stablehlo.return %b : tensor<i1>");
  EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
  EXPECT_EQ(verdict.elements, 1);
}

TEST(RunControl, ALoopWithoutAnEndIsAnOutcomeOfItsOwn) {
  HowToRun how;
  how.fuel = 1000;
  const Verdict verdict =
      VerdictOfLoop("stablehlo.return %a : tensor<i1>", how);
  EXPECT_EQ(verdict.outcome, Outcome::kOutOfFuel);
  EXPECT_THAT(verdict.message, HasSubstr("more than 1000 steps"));
  EXPECT_THAT(verdict.message, HasSubstr("a loop without an end is TBD"));
}

TEST(RunControl, FuelIsForTheStepsOfOneCase) {
  HowToRun how;
  const std::string once =
      "%b = stablehlo.not %a : tensor<i1> stablehlo.return %b : tensor<i1>";
  // The loop, the ends of its condition, twice, and of its body, the op in the
  // body, and the end of all.
  how.fuel = 5;
  EXPECT_EQ(VerdictOfLoop(once, how).outcome, Outcome::kOutOfFuel);
  how.fuel = 6;
  EXPECT_EQ(VerdictOfLoop(once, how).outcome, Outcome::kPass);
}

}  // namespace
}  // namespace assay
