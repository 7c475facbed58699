// Tests that for every op of StableHLO a valid call is found, and for every
// constraint a call that violates it alone, unless none does.
#include "fuzz/draw/verified_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/run/reason_to_skip.h"
#include "cases/run/runner.h"
#include "cases/run/whole_program.h"
#include "fuzz/fuzz_test_support.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

// So many calls are drawn of an op before none is said to be found.
constexpr uint64_t kMostDraws = 400;
constexpr uint64_t kDrawsOfNever = 5;

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

std::string TextOf(const Op& call) {
  Function main;
  main.name = "main";
  for (const Op::Operand& operand : call.inputs)
    main.inputs.push_back({operand.value, operand.type});
  main.body = {call};
  for (const Op::Result& result : call.outputs)
    main.results.push_back({result.value, result.type});
  return TextToVerify(main);
}

TEST(VerifiedCalls, HaveTextThatReadsTheSame) {
  constexpr uint64_t kDraws = 3;
  for (const OpSpec* spec : OpsOfStablehlo()) {
    for (uint64_t index = 0; index < kDraws; ++index) {
      const std::optional<Op> call = Drawn(*spec, "", index);
      if (!call) continue;
      const std::string text = TextOf(*call);
      try {
        const text::Chunk tree = text::ParseChunk({text}, {});
        EXPECT_THAT(VerifyProgram(tree), testing::IsEmpty()) << text;
        EXPECT_EQ(ProgramText(BindProgram(tree, Reading::kVerified)), text);
      } catch (const std::exception& e) {
        // Text has all fields of an algorithm, or none.
        if (spec->id == "dot_general" &&
            std::string_view(e.what()).find("lacks the field") !=
                std::string_view::npos)
          continue;
        ADD_FAILURE() << spec->id << ": " << e.what() << "\n" << text;
      }
    }
  }
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

// Functions and text are in some of these, rows, tokens, known elements, counts
// of processes and quantized types.
TEST(VerifiedCalls, AreCasesThatAreAsTheySayAndThatFilesHave) {
  DrawOptions options;
  options.ops = {"add", "all_reduce", "fft", "dynamic_pad", "recv", "rng"};
  options.programs = false;
  options.enumerates = false;
  options.percent_verified = 100;
  Generator generator(options);
  const Policy& policy = Policy::Find("assay");
  BackendInfo backend;
  std::set<std::string> skipped;
  int violations = 0;
  for (uint64_t index = 0; index < 120; ++index) {
    const Case c = generator.Draw(8, index).c;
    const Verdict verdict = JudgeConstraints(c, policy, "");
    ASSERT_EQ(verdict.outcome, Outcome::kPass) << c.name << verdict.message;
    if (c.violates.empty()) skipped.insert(ReasonToSkip(c, backend, policy));
    violations += !c.violates.empty();
    const Case parsed = ParsedFrom(c.op, JsonTextOf(c));
    ASSERT_EQ(ViolatedBy(parsed), c.violates) << JsonTextOf(c);
  }
  EXPECT_GT(violations, 30);
  EXPECT_THAT(skipped,
              testing::ElementsAre("not judged: collective", "not judged: fft",
                                   "not judged: quantized types",
                                   "not judged: random"));
}

// What is asked for alone is drawn, and counted where it is not.
TEST(VerifiedCalls, AreDrawnWhereConstraintsAreJudgedOrNothingElseIsWanted) {
  DrawOptions options;
  options.ops = {"fft"};
  EXPECT_EQ(Generator(options).Draw(1, 0).c.unjudged, FindOp("fft")->unjudged);
  options.ops = {"fft", "add"};
  EXPECT_THAT(Generator(options).not_judged(), testing::ElementsAre("fft"));
  options.percent_verified = 40;
  EXPECT_THAT(Generator(options).not_judged(), testing::IsEmpty());
}

}  // namespace
}  // namespace assay
