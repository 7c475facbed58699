// Tests that two runs of a call must agree where one value is right, and that
// elsewhere both must be right, and policy repeatable decides the rest.
#include "cases/run/compare_runs.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "cases/run/plugin_test_support.h"

namespace assay {
namespace {

using testing::HasSubstr;

// What the backend does: it gets the call, and 0 for run A, 1 for run B.
std::function<void(const AssayCall&, int)> two_runs;
int runs_done = 0;

Verdict Judge(const std::string& json, const char* policy,
              std::function<void(const AssayCall&, int)> run) {
  two_runs = std::move(run);
  runs_done = 0;
  return JudgeFirst(
      PluginOf([](const AssayCall* call, char*, size_t) -> int32_t {
        two_runs(*call, runs_done++);
        return ASSAY_OK;
      }),
      json, policy);
}

constexpr const char* kThreeExponentials =
    R"({"op": "exponential", "cases": [{"id": "a", "inputs": {
    "operand": {"type": "tensor<3xf32>", "data": [0.5, 1.5, "nan"]}}}]})";

void ThreeExponentials(const AssayCall& call) {
  for (int i = 0; i < 3; ++i)
    ElementsOf<float>(call.outputs[0])[i] =
        std::exp(ElementsOf<float>(call.inputs[0])[i]);
}

// The last bit of an element differs, and both values are within the budget.
void LastBitDiffers(const AssayCall& call, int run) {
  ThreeExponentials(call);
  float& value = ElementsOf<float>(call.outputs[0])[1];
  if (run == 1) value = std::nextafter(value, 0.0f);
}

TEST(CompareRuns, OtherBitsThatAreRightFailOrAreCounted) {
  const Verdict required = Judge(kThreeExponentials, "assay", LastBitDiffers);
  EXPECT_EQ(required.outcome, Outcome::kNondeterministic);
  EXPECT_EQ(required.basis, "policy:repeatable");
  EXPECT_THAT(required.message, HasSubstr("1 of 3 elements of result differ "
                                          "between run A and run B\n  first at "
                                          "[1]: "));
  EXPECT_THAT(required.message, HasSubstr("basis policy:repeatable = required "
                                          "(policy assay)"));
  const Verdict counted =
      Judge(kThreeExponentials, "stablehlo", LastBitDiffers);
  EXPECT_EQ(counted.outcome, Outcome::kPass) << counted.message;
  EXPECT_EQ(counted.not_repeated, 1);
}

// What is wrong, or not judged, is not counted as right in both runs.
TEST(CompareRuns, OnlyWhatIsRightInBothRunsIsCounted) {
  for (const int wrong_run : {0, 1}) {
    const Verdict verdict = Judge(kThreeExponentials, "stablehlo",
                                  [=](const AssayCall& call, int run) {
                                    LastBitDiffers(call, run);
                                    if (run == wrong_run)
                                      ElementsOf<float>(call.outputs[0])[0] = 9;
                                  });
    EXPECT_EQ(verdict.outcome, Outcome::kFail);
    EXPECT_EQ(verdict.not_repeated, 0);
  }
  // Under a policy that requires the same, it is also said that B is wrong.
  const Verdict required =
      Judge(kThreeExponentials, "assay", [](const AssayCall& call, int run) {
        ThreeExponentials(call);
        if (run == 1) ElementsOf<float>(call.outputs[0])[0] = 9;
      });
  EXPECT_EQ(required.outcome, Outcome::kNondeterministic);
  EXPECT_THAT(required.also, testing::ElementsAre(Outcome::kFail));
}

TEST(CompareRuns, WhatMayBeFlushedIsJudgedInBothRuns) {
  EXPECT_EQ(Judge(kThreeExponentials, "flush", LastBitDiffers).basis,
            "policy:repeatable");
  const Verdict counted =
      Judge(kThreeExponentials, "stablehlo_flush", LastBitDiffers);
  EXPECT_EQ(counted.outcome, Outcome::kPass) << counted.message;
  EXPECT_EQ(counted.not_repeated, 1);
  const Verdict wrong = Judge(kThreeExponentials, "stablehlo_flush",
                              [](const AssayCall& call, int run) {
                                ThreeExponentials(call);
                                if (run == 1)
                                  ElementsOf<float>(call.outputs[0])[1] = 9;
                              });
  EXPECT_EQ(wrong.outcome, Outcome::kFail);
  EXPECT_THAT(wrong.message, HasSubstr("run B: "));
}

TEST(CompareRuns, NansOfOtherBitsAreCounted) {
  const auto other_nan = [](const AssayCall& call, int run) {
    ThreeExponentials(call);
    if (run == 1)
      ElementsOf<uint32_t>(call.outputs[0])[2] =
          std::bit_cast<uint32_t>(-std::numeric_limits<float>::quiet_NaN());
  };
  EXPECT_EQ(Judge(kThreeExponentials, "assay", other_nan).basis,
            "policy:repeatable");
  EXPECT_EQ(Judge(kThreeExponentials, "stablehlo", other_nan).not_repeated, 1);
}

TEST(CompareRuns, AWrongValueOfRunBFails) {
  const Verdict verdict = Judge(kThreeExponentials, "stablehlo",
                                [](const AssayCall& call, int run) {
                                  ThreeExponentials(call);
                                  if (run == 1)
                                    ElementsOf<float>(call.outputs[0])[1] = 4;
                                });
  EXPECT_EQ(verdict.outcome, Outcome::kFail);
  EXPECT_THAT(verdict.message, HasSubstr("run B: 1 of 3 elements"));
  EXPECT_EQ(verdict.first_failed, 1);
}

TEST(CompareRuns, WhereOneValueIsRightTheyMustAgreeUnderEveryPolicy) {
  constexpr const char* kAbs =
      R"({"op": "abs", "cases": [{"id": "a", "inputs": {
      "operand": {"type": "tensor<2xi32>", "data": [3, -4]}}}]})";
  for (const char* policy : {"assay", "stablehlo"}) {
    const Verdict verdict =
        Judge(kAbs, policy, [](const AssayCall& call, int run) {
          ElementsOf<int32_t>(call.outputs[0])[0] = 3;
          ElementsOf<int32_t>(call.outputs[0])[1] = 4 + run;
        });
    EXPECT_EQ(verdict.outcome, Outcome::kNondeterministic);
    EXPECT_EQ(verdict.basis, "contract");
  }
}

// Two keys are equal, so that both orders of their values are right.
constexpr const char* kSort =
    R"({"op": "sort", "cases": [{"id": "a", "inputs": {
    "inputs": [{"type": "tensor<3xi32>", "data": [1, 1, 0]},
               {"type": "tensor<3xi8>", "data": [5, 6, 7]}],
    "dimension": 0, "is_stable": false,
    "comparator": "^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i8>,
      %d: tensor<i8>): %0 = stablehlo.compare LT, %a, %b, SIGNED :
      (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %0 : tensor<i1>"}}]})";

auto SortWith(std::array<int8_t, 3> of_b) {
  return [=](const AssayCall& call, int run) {
    const std::array<int32_t, 3> keys = {0, 1, 1};
    const std::array<int8_t, 3> of_a = {7, 5, 6};
    std::ranges::copy(keys, ElementsOf<int32_t>(call.outputs[0]));
    std::ranges::copy(run == 0 ? of_a : of_b,
                      ElementsOf<int8_t>(call.outputs[1]));
  };
}

TEST(CompareRuns, AnotherPermutationIsCountedAndMustBeOne) {
  std::string text(kSort);
  std::ranges::replace(text, '\n', ' ');
  EXPECT_EQ(Judge(text, "assay", SortWith({7, 6, 5})).basis,
            "policy:repeatable");
  const Verdict counted = Judge(text, "stablehlo", SortWith({7, 6, 5}));
  EXPECT_EQ(counted.outcome, Outcome::kPass) << counted.message;
  EXPECT_EQ(counted.not_repeated, 2);
  const Verdict wrong = Judge(text, "stablehlo", SortWith({7, 6, 6}));
  EXPECT_EQ(wrong.outcome, Outcome::kFail);
  EXPECT_THAT(wrong.message, HasSubstr("run B: "));
}

}  // namespace
}  // namespace assay
