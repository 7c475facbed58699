// Tests that the search finds what random points do not: a kernel that is wrong
// at a few neighbouring values, and worst in the middle.
#include "cases/variants/worst_error_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cases/read/case_json.h"
#include "cases/run/runner.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

// The made-up kernel has errors in a region around one pair of operands,
// growing towards it.
constexpr uint32_t kTop[] = {0x42123456, 0xbf876543};

Verdict Judge(const Case& c) {
  Verdict verdict;
  verdict.accuracy.emplace();
  ErrorMeasure& errors = verdict.accuracy->errors;
  errors.budget = 2;
  const Tensor x = c.inputs[0].data.Materialise(),
               y = c.inputs[1].data.Materialise();
  for (int64_t i = 0; i < x.size(); ++i) {
    const auto distance = [](uint64_t bits, uint32_t top) {
      return static_cast<double>(bits > top ? bits - top : top - bits) / 0x1p32;
    };
    const double error =
        1 - (distance(x.Bits(i), kTop[0]) + distance(y.Bits(i), kTop[1])) / 2;
    ++errors.elements;
    if (error <= errors.worst) continue;
    errors.worst = error;
    verdict.accuracy->worst_index = i;
  }
  return verdict;
}

WorstError Search(uint64_t seed, int64_t candidates = 400000) {
  return SearchWorstError("power", ElementType::kF32, {seed, candidates}, Judge,
                          [](const WorstError&) {});
}

TEST(WorstError, ReachesTheTop) {
  const WorstError search = Search(1);
  ASSERT_TRUE(search.worst.has_value());
  EXPECT_GT(search.error, 1 - 1e-6);
  EXPECT_GT(search.starts, 1);
  EXPECT_EQ(search.budget, 2);
  EXPECT_FALSE(search.failed.has_value());
  EXPECT_GE(search.candidates, 400000);
  // The case shows exactly the error that the search reports.
  EXPECT_EQ(Judge(*search.worst).accuracy->errors.worst, search.error);
}

TEST(WorstError, IsTheSameForASeed) {
  const auto worst = [](uint64_t seed) {
    return CaseAsJson(*Search(seed, 20000).worst, "w").dump();
  };
  EXPECT_EQ(worst(3), worst(3));
  EXPECT_NE(worst(3), worst(4));
}

TEST(WorstError, KeepsWhatFailsAndEndsWhereNothingIsJudged) {
  const auto with = [](Outcome outcome) {
    return SearchWorstError(
        "log", ElementType::kF64, {1, 20000},
        [&](const Case& c) {
          EXPECT_EQ(c.TypeText(), "tensor<4096xf64>");
          Verdict verdict;
          verdict.outcome = outcome;
          return verdict;
        },
        [](const WorstError&) {});
  };
  const WorstError failed = with(Outcome::kFail);
  EXPECT_EQ(failed.failed->outcome, Outcome::kFail);
  EXPECT_EQ(failed.candidates, 5 * 4096);
  EXPECT_EQ(with(Outcome::kUnsupported).candidates, 4096);
}

TEST(WorstError, OnlyWhereThereIsAnError) {
  EXPECT_THAT([] { CallToSearch("add", ElementType::kF32, 1); },
              ThrowsMessage<InputError>(HasSubstr("no accuracy budget")));
  EXPECT_THAT([] { CallToSearch("power", ElementType::kI8, 1); },
              ThrowsMessage<InputError>(HasSubstr("no accuracy budget")));
  EXPECT_THAT([] { CallToSearch("pow", ElementType::kF32, 1); },
              ThrowsMessage<InputError>(HasSubstr("unknown op")));
  EXPECT_NO_THROW(CallToSearch("multiply", ElementType::kComplexF32, 1));
}

TEST(KeepCase, PutsACaseIntoItsFile) {
  const std::string path = testing::TempDir() + "/power-worst.json";
  std::filesystem::remove(path);
  const Case c = *Search(1).worst;
  KeepCase(path, "power", CaseAsJson(c, "worst_f32"));
  KeepCase(path, "power", CaseAsJson(c, "other"));
  KeepCase(path, "power", CaseAsJson(c, "worst_f32"));
  const std::vector<Case> cases = ReadCaseFile(path, {});
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].name, "power/worst_f32");
  EXPECT_EQ(cases[1].name, "power/other");
  for (size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(cases[0].inputs[k].data.Materialise().Bits(0),
              c.inputs[k].data.Materialise().Bits(0));
  }
  EXPECT_THROW(KeepCase(path, "log", CaseAsJson(c, "x")), InputError);
}

}  // namespace
}  // namespace assay
