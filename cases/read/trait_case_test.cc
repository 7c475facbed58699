// Tests of cases of the trait mlir.broadcastable: what the format means, what
// is refused, and that a wrong literal is noticed.
#include "cases/read/trait_case.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cases/case.h"
#include "cases/read/json_schema.h"
#include "cases/run/executed_clauses.h"
#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::ThrowsMessage;

Case ParseTrait(const std::string& body) {
  const std::string json =
      R"({"op": "mlir.broadcastable", "cases": [{"id": "a", )" + body + "}]}";
  return ParseCases("t.json", ParseJsonExactly("t.json", json), {}).at(0);
}

Verdict JudgeTraitText(const std::string& body, const char* policy = "assay") {
  return JudgeConstraints(ParseTrait(body), Policy::Find(policy), "");
}

const std::string kTwo =
    R"("inputs": {"operands": [{"type": "tensor<1x?xi8>"}, {"type": "tensor<2x1x4xi8>"}]},
       "outputs": {"result": {"type": "tensor<2x1x4xi8>"}}, "source": "hand", )";
const std::string kOpen =
    R"("inputs": {"operands": [{"type": "tensor<?xi8>", "shape": [3]}, {"type": "tensor<?xi8>", "shape": [4]}]},
       "outputs": {"result": {"type": "tensor<?xi8>"}}, "source": "hand", )";
const std::string kToStatic =
    R"("inputs": {"operands": [{"type": "tensor<?xi8>"}]},
       "outputs": {"result": {"type": "tensor<4xi8>"}}, )";

TEST(TraitCase, HoldsTheCallAndCannotRun) {
  const Case c = ParseTrait(kTwo + R"("expect": {"shape": "2x1x4"})");
  ASSERT_TRUE(c.trait);
  EXPECT_EQ(c.trait->call.operands.size(), 2u);
  EXPECT_EQ(c.trait->shape, "2x1x4");
  EXPECT_FALSE(c.is_static);
  EXPECT_EQ(c.TypeText(), "tensor<1x?xi8>");
  EXPECT_TRUE(Matches("mlir.broadcastable/*:tensor<1x*", c));
  const Case none = ParseTrait(
      R"("inputs": {"operands": []}, "outputs": {"result": []}, "expect": {"violates": ["BC-01", "BC-02"]})");
  EXPECT_EQ(none.TypeText(), "");
  EXPECT_EQ(JudgeConstraints(none, Policy::Find("assay"), "").outcome,
            Outcome::kPass);
}

TEST(TraitCase, IsJudgedByItsLiterals) {
  const Verdict right =
      JudgeTraitText(kTwo + R"("expect": {"shape": "2x1x4"})");
  EXPECT_EQ(right.outcome, Outcome::kPass) << right.message;
  EXPECT_EQ(right.elements, 0);
  const Verdict wrong =
      JudgeTraitText(kTwo + R"("expect": {"shape": "2x1x?"})");
  EXPECT_EQ(wrong.outcome, Outcome::kFail);
  EXPECT_EQ(wrong.message,
            "the inferred shape is 2x1x4; the case expects 2x1x?");
  EXPECT_THAT(wrong.replay, HasSubstr("--op 'mlir.broadcastable/a'"));
  EXPECT_EQ(JudgeTraitText(kTwo + R"("expect": {"violates": "BC-37"})").outcome,
            Outcome::kAcceptedInvalid);
  const Verdict rejected = JudgeTraitText(
      R"("inputs": {"operands": [{"type": "tensor<2xi8>"}, {"type": "tensor<3xi8>"}]}, "outputs": {"result": {"type": "tensor<2xi8>"}})");
  EXPECT_EQ(rejected.outcome, Outcome::kRejectedValid);
  EXPECT_THAT(rejected.message,
              AllOf(HasSubstr("mlir.broadcastable/BC-15 is false: "),
                    HasSubstr("compile-time error"),
                    HasSubstr("(dimension 0 is 2 in operands[0] and 3 in "
                              "operands[1])")));
}

TEST(TraitCase, FollowsThePolicy) {
  EXPECT_EQ(JudgeTraitText(kToStatic + R"("expect": {})").outcome,
            Outcome::kPass);
  EXPECT_EQ(
      JudgeTraitText(kToStatic + R"("expect": {})", "mlir_strict").outcome,
      Outcome::kRejectedValid);
  EXPECT_EQ(JudgeTraitText(kToStatic + R"("expect": {"violates": "BC-35"})",
                           "mlir_strict")
                .outcome,
            Outcome::kPass);
  // This policy requires neither answer, so both are accepted and counted as
  // open.
  const Verdict any =
      JudgeTraitText(kToStatic + R"("expect": {})", "stablehlo");
  EXPECT_EQ(any.outcome, Outcome::kPass);
  EXPECT_EQ(any.open, 1);
  const Verdict skipped = JudgeTraitText(
      kToStatic +
      R"("policy": "mlir_strict", "expect": {"violates": "BC-35"})");
  EXPECT_EQ(skipped.outcome, Outcome::kSkipped);
  EXPECT_EQ(skipped.message, "needs policy mlir_strict");
}

TEST(TraitCase, OfUndefinedBehaviourIsOpen) {
  const Verdict open =
      JudgeTraitText(kOpen + R"("expect": {"undefined": "BC-18"})");
  EXPECT_EQ(open.outcome, Outcome::kPass) << open.message;
  EXPECT_EQ(open.open, 1);
  EXPECT_EQ(open.elements, 1);
  const Verdict other =
      JudgeTraitText(kOpen + R"("expect": {"undefined": "BC-19"})");
  EXPECT_EQ(other.outcome, Outcome::kFail);
  EXPECT_EQ(other.message,
            "the shape when it runs is undefined by BC-18; the case expects "
            "undefined by BC-19");
  EXPECT_EQ(JudgeTraitText(kOpen + R"("expect": {"runtime": "4"})").outcome,
            Outcome::kFail);
}

TEST(TraitCase, MarksTheClausesThatTookPart) {
  const Case c = ParseTrait(kOpen + R"("expect": {"undefined": "BC-18"})");
  EXPECT_THAT(ExecutedClauses(c, Policy::Find("assay")),
              ElementsAre("BC-04", "BC-05", "BC-06", "BC-10", "BC-16", "BC-18",
                          "BC-21", "BC-22", "BC-34"));
}

TEST(TraitCase, BadInputIsNamed) {
  const struct {
    std::string body, where, reason;
  } rows[] = {
      {R"("outputs": {})", "t.json#/cases/0: ", "'inputs' is missing"},
      {R"("inputs": {"x": {}}, "outputs": {})",
       "t.json#/cases/0/inputs: ", "unknown field 'x'"},
      {R"("inputs": {"operands": [{"type": "tensor<2xi8"}]}, "outputs": {})",
       "t.json#/cases/0/inputs/operands/0/type: ", "is not a type"},
      {R"("inputs": {"operands": [{"type": "tensor<2xi8>", "data": [1]}]}, "outputs": {})",
       "t.json#/cases/0/inputs/operands/0: ", "unknown field 'data'"},
      {R"("inputs": {"operands": []}, "outputs": {})",
       "t.json#/cases/0/outputs: ", "'result' is missing"},
      {kTwo + R"("expect": {"shape": "2,1,4"})",
       "t.json#/cases/0/expect/shape: ", "'2,1,4' is not a shape"},
      {kTwo + R"("expect": {"result": "2"})",
       "t.json#/cases/0/expect: ", "unknown field 'result'"},
      {kTwo + R"("expect": {"violates": "BC-10"})",
       "t.json#/cases/0/expect/violates: ", "has no constraint 'BC-10'"},
      {kTwo + R"("expect": {"violates": []})",
       "t.json#/cases/0/expect/violates: ", "at least one constraint"},
      {kTwo + R"("chunk": 4)", "t.json#/cases/0: ", "unknown field 'chunk'"},
      {kTwo + R"("expect": {"runtime": "2"})",
       "t.json#/cases/0: ", "operands with a 'shape' go with"},
      {kOpen + R"("expect": {"shape": "?"})",
       "t.json#/cases/0: ", "operands with a 'shape' go with"},
      {kOpen + R"("expect": {"undefined": "BC-99"})",
       "t.json#/cases/0/expect/undefined: ", "has no clause 'BC-99'"},
      {kOpen + R"("expect": {"undefined": "BC-18", "runtime": "3"})",
       "t.json#/cases/0/expect: ", "either 'runtime' or 'undefined'"},
      {kOpen + R"("expect": {"undefined": "BC-18", "violates": "BC-15"})",
       "t.json#/cases/0/expect: ", "does not run"},
      {kToStatic + R"("expect": {"shape": "?"})",
       "t.json#/cases/0: ", "need a 'source'"},
      {R"("inputs": {"operands": [{"type": "tensor<?x2xi8>", "shape": [3, 3]}]}, "outputs": {"result": {"type": "i8"}})",
       "t.json#/cases/0/inputs/operands/0/shape: ",
       "no value of type tensor<?x2xi8> has this shape"},
      {R"("inputs": {"operands": [{"type": "tensor<?xi8>", "shape": [3]}, {"type": "tensor<?xi8>"}]}, "outputs": {"result": {"type": "i8"}})",
       "t.json#/cases/0/inputs/operands/1: ", "'shape' is missing"},
      {R"("inputs": {"operands": [{"type": "tensor<?xi8>", "shape": [3]}, {"type": "tensor<*xi8>"}]}, "outputs": {"result": {"type": "i8"}})",
       "t.json#/cases/0/inputs/operands/1: ", "ranked operands only"},
  };
  for (const auto& row : rows)
    EXPECT_THAT([&] { ParseTrait(row.body); },
                ThrowsMessage<InputError>(
                    AllOf(StartsWith(row.where), HasSubstr(row.reason))))
        << row.body;
  const std::string program =
      R"({"op": "add", "cases": [{"id": "a", "program": [{"op": "mlir.broadcastable", "inputs": {}}]}]})";
  EXPECT_THAT(
      [&] { ParseCases("t.json", ParseJsonExactly("t.json", program), {}); },
      ThrowsMessage<InputError>(HasSubstr("verified and never run")));
}

TEST(TraitCase, AnswersToTheSchema) {
  const JsonSchema schema("case.schema.json",
                          ParseJson("case.schema.json", kCaseSchema));
  const auto complaints = [&](const std::string& body) {
    return schema.Check(ParseJson(
        "t.json", R"({"op": "mlir.broadcastable", "cases": [{"id": "a", )" +
                      body + "}]}"));
  };
  EXPECT_THAT(complaints(kOpen + R"("expect": {"undefined": "BC-18"})"),
              IsEmpty());
  EXPECT_THAT(
      complaints(R"("outputs": {"result": [{"type": "vector<2xi8>"}]})"),
      IsEmpty());
  EXPECT_FALSE(complaints(R"("outputs": {"result": {"type": 3}})").empty());
  EXPECT_FALSE(complaints(R"("outputs": {"result": [{"kind": "x"}]})").empty());
}

}  // namespace
}  // namespace assay
