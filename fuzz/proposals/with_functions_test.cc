// Tests that calls with functions are valid, and that functions of many kinds
// are drawn.
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "fuzz/draw/draw.h"
#include "fuzz/proposals/proposals.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

constexpr uint64_t kFunctionCalls = 1500;

Op DrawnFunctionCall(std::string_view op, uint64_t index, ElementType type) {
  Choices choices(/*seed=*/5, index);
  const Profile profile = DrawProfile(&choices);
  const Shape shape = DrawShape(&choices, profile, 100);
  Op call;
  call.op = op;
  FindProposal(op)->draw({type, shape, profile}, &choices, &call);
  return call;
}

TEST(FunctionProposals, DrawValidCallsOfAllTypes) {
  for (const Proposal& proposal : FunctionProposals()) {
    for (uint64_t index = 0; index < kFunctionCalls; ++index) {
      const ElementType type =
          ElementTypes()[index % ElementTypes().size()].type;
      const Op call = DrawnFunctionCall(proposal.op, index, type);
      for (const ConstraintResult& result :
           CheckConstraints(*FindOp(proposal.op), call))
        ASSERT_EQ(result.truth, Truth::kTrue)
            << proposal.op << " " << index << " " << result.Text();
      for (const Op& op : call.regions[0].body) {
        for (const ConstraintResult& result :
             CheckConstraints(*FindOp(op.op), op))
          ASSERT_EQ(result.truth, Truth::kTrue)
              << proposal.op << " " << index << " " << op.op << " "
              << result.Text();
      }
    }
  }
}

TEST(FunctionProposals, DrawFunctionsOfManyKinds) {
  for (const Proposal& proposal : FunctionProposals()) {
    std::set<std::string> shown, ops;
    for (uint64_t index = 0; index < kFunctionCalls; ++index) {
      const Op call = DrawnFunctionCall(proposal.op, index, ElementType::kI32);
      const Function& function = call.regions[0];
      if (!Captures(call).empty()) shown.insert("captures");
      if (function.results.size() > 1) shown.insert("several results");
      if (function.inputs.size() > 2) shown.insert("several operands");
      if (function.body.empty()) shown.insert("an argument");
      for (const Op& op : function.body) {
        ops.insert(op.op);
        if (!op.regions.empty()) shown.insert("functions in it");
      }
    }
    std::set<std::string> expected = {"captures", "several operands"};
    if (proposal.op != "sort")
      expected.insert({"an argument", "functions in it"});
    if (proposal.op == "reduce") expected.insert("several results");
    EXPECT_EQ(shown, expected) << proposal.op;
    EXPECT_GT(ops.size(), proposal.op == "sort" ? 8u : 15u) << proposal.op;
  }
}

}  // namespace
}  // namespace assay
