// Tests that for every op of StableHLO a valid call is found, and for every
// constraint a call that violates it alone, unless none does.
#include "fuzz/draw/verified_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace assay {
namespace {

// So many calls are drawn of an op before none is said to be found.
constexpr uint64_t kMostDraws = 400;
constexpr uint64_t kDrawsOfNever = 20;

std::vector<const OpSpec*> OpsOfStablehlo() {
  std::vector<const OpSpec*> ops;
  for (const OpSpec& spec : Ops()) {
    if (spec.source == "stablehlo") ops.push_back(&spec);
  }
  return ops;
}

std::optional<Op> Drawn(const OpSpec& spec, std::string_view violated,
                        uint64_t index) {
  static VerifiedCalls calls;
  Choices choices(/*seed=*/6, index);
  const bool is_quantized = index % 2 == 1;
  const Shape seeds[] = {{2}, {3, 2}, {2, 4, 3}, {1, 2, 2, 3}};
  SearchGoal goal{seeds[choices.Below(Topic::kShape, 4)]};
  goal.most_elements = 300;
  return calls.Draw(spec, violated, is_quantized, goal, &choices);
}

// Returns the number of draws after which a call was found, and checks it.
std::optional<uint64_t> DrawsOf(const OpSpec& spec, std::string_view violated,
                                uint64_t most) {
  for (uint64_t index = 0; index < most; ++index) {
    const std::optional<Op> call = Drawn(spec, violated, index);
    if (!call) continue;
    for (const ConstraintResult& result : CheckConstraints(spec, *call)) {
      const bool is_violated = result.constraint->label == violated;
      EXPECT_EQ(result.truth == Truth::kFalse, is_violated)
          << spec.id << "/" << violated << ": " << result.Text();
      if (violated.empty()) {
        EXPECT_EQ(result.truth, Truth::kTrue) << spec.id << result.Text();
      }
    }
    return index + 1;
  }
  return std::nullopt;
}

TEST(VerifiedCalls, OfEveryOpOfStablehloAreValid) {
  for (const OpSpec* spec : OpsOfStablehlo())
    EXPECT_TRUE(DrawsOf(*spec, "", kMostDraws)) << spec->id;
}

TEST(VerifiedCalls, ViolateEveryConstraintThatCanBeViolatedAlone) {
  // The search does not find calls that violate these alone, for a reason each.
  const std::map<std::string, std::string> kNotFound = {};
  for (const OpSpec* spec : OpsOfStablehlo()) {
    for (const ConstraintSpec& constraint : spec->constraints) {
      const std::string name = spec->id + "/" + constraint.label;
      const bool is_never =
          !constraint.never_alone.empty() || kNotFound.contains(name);
      const std::optional<uint64_t> draws = DrawsOf(
          *spec, constraint.label, is_never ? kDrawsOfNever : kMostDraws);
      EXPECT_EQ(draws.has_value(), !is_never)
          << name << ": " << constraint.Text();
    }
  }
}

}  // namespace
}  // namespace assay
