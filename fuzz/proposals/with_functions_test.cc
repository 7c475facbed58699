// Tests that calls with functions are valid, and that functions of many kinds
// are drawn.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "fuzz/draw/plain_calls.h"
#include "fuzz/draw/shapes.h"
#include "fuzz/proposals/proposals.h"
#include "spec/op_spec.h"

namespace assay {
namespace {

constexpr uint64_t kFunctionCalls = 1500;

constexpr std::string_view kOps[] = {"map", "reduce", "sort"};
constexpr std::string_view kOpsWithWindows[] = {"reduce_window",
                                                "select_and_scatter"};

Op DrawnFunctionCall(std::string_view op, uint64_t index, ElementType type) {
  static PlainCalls calls;
  static const std::vector<OpEntry> entries =
      DrawnOps([](const OpSpec& spec) { return FindProposal(spec.id); });
  const auto entry = std::ranges::find(
      entries, op, [](const OpEntry& e) { return e.spec->id; });
  const auto signature = std::ranges::find_if(
      entry->signatures,
      [&](const Signature& s) { return s.results[0] == type; });
  Choices choices(/*seed=*/5, index);
  const Profile profile = DrawProfile(&choices);
  const Shape shape = DrawShape(&choices, profile, 100);
  return calls.Draw(*entry, *signature, {shape, 100}, &choices);
}

// Draws calls of an op, of all types.
void ExpectValidCalls(std::string_view proposed) {
  for (uint64_t index = 0; index < kFunctionCalls; ++index) {
    const ElementType type = ElementTypes()[index % ElementTypes().size()].type;
    const Op call = DrawnFunctionCall(proposed, index, type);
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(proposed), call))
      ASSERT_EQ(result.truth, Truth::kTrue)
          << proposed << " " << index << " " << result.Text();
    for (const Function& function : call.regions) {
      for (const Op& op : function.body) {
        for (const ConstraintResult& result :
             CheckConstraints(*FindOp(op.op), op))
          ASSERT_EQ(result.truth, Truth::kTrue)
              << proposed << " " << index << " " << op.op << " "
              << result.Text();
      }
    }
  }
}

TEST(FunctionProposals, DrawValidCallsOfAllTypes) {
  for (const std::string_view proposed : kOps) ExpectValidCalls(proposed);
}

TEST(FunctionProposals, DrawValidCallsOfOpsWithWindows) {
  for (const std::string_view proposed : kOpsWithWindows)
    ExpectValidCalls(proposed);
}

TEST(FunctionProposals, DrawFunctionsOfManyKinds) {
  for (const std::string_view proposed : kOps) {
    std::set<std::string> shown, ops;
    for (uint64_t index = 0; index < kFunctionCalls; ++index) {
      const Op call = DrawnFunctionCall(proposed, index, ElementType::kI32);
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
    if (proposed != "sort") expected.insert({"an argument", "functions in it"});
    if (proposed == "reduce") expected.insert("several results");
    EXPECT_EQ(shown, expected) << proposed;
    EXPECT_GT(ops.size(), proposed == "sort" ? 8u : 15u) << proposed;
  }
}

}  // namespace
}  // namespace assay
