// Tests constraints that code decides: they are found by name, evaluated with
// the policy, and negated when they are broken; an op file that names them
// wrongly is refused.
#include "spec/builtin_constraint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "spec/broken_constraint.h"
#include "spec/embedded.h"
#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/pointwise/broadcast_test_support.h"

namespace assay {
namespace {

using ::testing::HasSubstr;

// Returns the result for one constraint of mlir.broadcastable.
ConstraintResult CheckedConstraint(const BroadcastCall& call,
                                   std::string_view label, const char* policy) {
  for (ConstraintResult& result : CheckConstraints(
           *FindOp(kBroadcastable), call.ToOp(), Policy::Find(policy))) {
    if (result.constraint->label == label) return std::move(result);
  }
  CheckFailed("the label is one of the op's", __FILE__, __LINE__);
}

TEST(BuiltinConstraint, IsFoundByName) {
  for (const BuiltinConstraint& check : BuiltinConstraints()) {
    EXPECT_EQ(FindBuiltinConstraint(check.name), &check);
    EXPECT_FALSE(check.labels.empty());
  }
  EXPECT_EQ(FindBuiltinConstraint("nonsense"), nullptr);
}

TEST(BuiltinConstraint, DecidesByThePolicy) {
  const BroadcastCall call =
      MadeBroadcastCall({"tensor<?xi32>"}, {"tensor<4xi32>"});
  EXPECT_EQ(CheckedConstraint(call, "BC-35", "assay").truth, Truth::kTrue);
  EXPECT_EQ(CheckedConstraint(call, "BC-35", "mlir_strict").truth,
            Truth::kFalse);
  EXPECT_EQ(CheckedConstraint(call, "BC-35", "stablehlo").truth,
            Truth::kUndefined);
  for (const ConstraintResult& result :
       CheckConstraints(*FindOp(kBroadcastable), call.ToOp()))
    EXPECT_NE(result.truth, Truth::kFalse) << result.constraint->label;
}

TEST(BuiltinConstraint, GivesTheSentenceAndWhatOfTheCallMakesItFalse) {
  const BroadcastCall call = MadeBroadcastCall(
      {"tensor<2x3xi32>", "tensor<4xi32>"}, {"tensor<*xi32>"});
  const ConstraintResult result = CheckedConstraint(call, "BC-15", "assay");
  EXPECT_EQ(result.truth, Truth::kFalse);
  EXPECT_EQ(result.Text(),
            "(>1, >1) The operation verifier produces a compile-time error if "
            "`dim0` != `dim1`. (dimension 1 is 3 in operands[0] and 4 in "
            "operands[1])");
  EXPECT_EQ(CheckedConstraint(call, "BC-33", "assay").truth, Truth::kUndefined);
}

TEST(BroadcastCall, IsTheSameAfterItWasAnOp) {
  const BroadcastCall calls[] = {
      MadeBroadcastCall({}, {}),
      MadeBroadcastCall({"tensor<*xi32>", "vector<2x3xcomplex<f32>>"},
                        {"memref<?xi8>"})};
  for (const BroadcastCall& call : calls) {
    const BroadcastCall again = BroadcastCall::FromOp(call.ToOp());
    ASSERT_EQ(again.operands.size(), call.operands.size());
    ASSERT_EQ(again.results.size(), call.results.size());
    for (size_t i = 0; i < call.operands.size(); ++i)
      EXPECT_EQ(again.operands[i].text, call.operands[i].text);
  }
}

#ifdef ASSAY_BREAK_CLAUSES
TEST(BuiltinConstraint, IsNegatedWhenBroken) {
  const BroadcastCall call =
      MadeBroadcastCall({"tensor<4xi32>"}, {"tensor<4xi32>"});
  {
    const ScopedBrokenConstraint broken(std::string(kBroadcastable), "BC-15");
    EXPECT_EQ(CheckedConstraint(call, "BC-15", "assay").truth, Truth::kFalse);
  }
  EXPECT_EQ(CheckedConstraint(call, "BC-15", "assay").truth, Truth::kTrue);
}
#endif

std::string ErrorOfChange(const char* pointer, const nlohmann::json& value) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path != "spec/ops/mlir.broadcastable.json") continue;
    nlohmann::json json = nlohmann::json::parse(file.text);
    json[nlohmann::json::json_pointer(pointer)] = value;
    try {
      ParseOpSpec("op.json", json.dump());
    } catch (const InputError& e) {
      return e.what();
    }
    return "no error";
  }
  return "no file";
}

TEST(BuiltinConstraint, OfAnOpFileIsKnownAndWhole) {
  EXPECT_EQ(ErrorOfChange("/constraints/BC-01/text", "other"), "no error");
  EXPECT_THAT(ErrorOfChange("/constraints/BC-01/check", "broadcast"),
              HasSubstr("op.json#/constraints/BC-01/check: there is no check"));
  EXPECT_THAT(ErrorOfChange("/constraints/BC-99",
                            {{"text", "x"}, {"check", "broadcastable"}}),
              HasSubstr("op.json#/constraints/BC-99/check: the check "
                        "'broadcastable' does not decide 'BC-99'"));
  EXPECT_THAT(ErrorOfChange("/constraints/BC-15", {{"formula", "true"}}),
              HasSubstr("also decides 'BC-15', which is not here"));
}

}  // namespace
}  // namespace assay
