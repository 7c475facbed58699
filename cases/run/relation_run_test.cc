// Tests that results which are right one by one must also belong together, and
// so must the literals of a case.
#include <gmock/gmock.h>

#include <string>

#include "backends/host/loader.h"
#include "cases/case.h"
#include "cases/run/runner.h"

namespace assay {
namespace {

// Returns the verdict on a sort by keys of which two are equal, so that both
// orders of their values are right.
Verdict VerdictOnSort(const std::string& expect) {
  const std::string text =
      R"({"op": "sort", "cases": [{"id": "a", "source": "hand", "inputs": {
      "inputs": [{"type": "tensor<3xi32>", "data": [1, 1, 0]},
                 {"type": "tensor<3xi8>", "data": [5, 6, 7]}],
      "dimension": 0, "is_stable": false,
      "comparator": "^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i8>, )"
      R"(%d: tensor<i8>): %0 = stablehlo.compare LT, %a, %b, SIGNED : )"
      R"((tensor<i32>, tensor<i32>) -> tensor<i1> )"
      R"(stablehlo.return %0 : tensor<i1>"},
      "expect": {"results": [)" +
      expect + "]}}]}";
  const std::vector<Case> cases = ParseCases("x.json", Json::parse(text), {});
  InProcessExecutor simd(Backend::Load("simd"));
  return Runner(&simd, Policy::Find("assay")).Run(cases.at(0));
}

TEST(RunRelation, LiteralsMayBeAnyResultThatIsRight) {
  for (const char* values : {"[7, 5, 6]", "[7, 6, 5]"}) {
    const Verdict verdict = VerdictOnSort(std::string("[0, 1, 1], ") + values);
    EXPECT_EQ(verdict.outcome, Outcome::kPass) << verdict.message;
    EXPECT_EQ(verdict.unchecked_literals, 0);
  }
}

TEST(RunRelation, LiteralsMustBelongTogether) {
  for (const char* values : {"[7, 5, 5]", "[7, 6, 6]"}) {
    const Verdict verdict = VerdictOnSort(std::string("[0, 1, 1], ") + values);
    EXPECT_EQ(verdict.outcome, Outcome::kOracleSuspect) << verdict.message;
    EXPECT_THAT(verdict.message, testing::HasSubstr("source: hand"));
  }
}

}  // namespace
}  // namespace assay
