// Tests that the runs of a folder are one series, and that a change is named.
#include "reports/page/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reports/reports_test_support.h"
#include "spec/error.h"

namespace assay {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict Measured(double worst) {
  Verdict verdict = MakeVerdict(0, "sine/x");
  verdict.accuracy.emplace();
  verdict.accuracy->type = "f32";
  verdict.accuracy->errors.elements = 1;
  verdict.accuracy->errors.worst = worst;
  verdict.accuracy->errors.budget = 2;
  return verdict;
}

RunHeader HeaderOfDay(int day) {
  RunHeader header = MakeHeader({"simd"}, 1);
  header.time = fmt::format("2026-01-{:02}T00:00:00Z", day);
  return header;
}

std::string FolderOf(const std::vector<double>& worst) {
  const std::string folder =
      std::filesystem::path(FreshPath("x")).parent_path().string();
  for (size_t i = 0; i < worst.size(); ++i) {
    // Names do not say the order of the runs, their times do.
    WriteRun(fmt::format("{}/{}.jsonl", folder, worst.size() - i),
             HeaderOfDay(static_cast<int>(i) + 1), {Measured(worst[i])});
  }
  return folder;
}

TEST(History, AChangeOfTheErrorIsNamedWithItsDay) {
  const History history(FolderOf({1, 1, 1, 1.6, 1.6, 1.6}), INT64_MAX);
  const std::string html = history.Section().html;
  EXPECT_THAT(html, HasSubstr("<p>6 runs. "));
  EXPECT_THAT(html, HasSubstr("↑ 0.5 → 0.8</span> 2026-01-04T00:00:00Z"));
  EXPECT_THAT(html, HasSubstr("<th scope=\"row\">sine</th><td>worst error / "
                              "budget</td>"));
  EXPECT_THAT(html, HasSubstr("failed cases"));
  // The time of the suite is there, and did not change.
  EXPECT_THAT(html, HasSubstr("<td>seconds</td>"));
  EXPECT_LT(html.find("sine"), html.find("seconds"));
}

TEST(History, ARunCountsOnce) {
  History history(FolderOf({1, 2}), INT64_MAX);
  history.Add(MakeResults("again", HeaderOfDay(2), {Measured(2)}));
  EXPECT_THAT(history.Section().html, HasSubstr("<p>2 runs. "));
  history.Add(MakeResults("new", HeaderOfDay(3), {Measured(2)}));
  EXPECT_THAT(history.Section().html, HasSubstr("<p>3 runs. "));
}

TEST(History, AnotherSuiteIsSaidToBeOne) {
  History history(FolderOf({1}), INT64_MAX);
  RunHeader header = HeaderOfDay(2);
  header.suite_sha256 = "07e4";
  history.Add(MakeResults("new", header, {Measured(2)}));
  EXPECT_THAT(history.Section().html, HasSubstr("2 runs of 2 suites"));
}

TEST(History, EvidenceIsCountedAndATruncatedFileRefused) {
  const std::string folder = FolderOf({1});
  WriteFile(folder + "/power.jsonl",
            "{\"kind\": \"clause_power\", \"format\": 1}\n");
  EXPECT_THAT(History(folder, INT64_MAX).Section().html,
              HasSubstr("1 files are left out"));
  const std::string whole = ReadFile(folder + "/1.jsonl");
  WriteFile(folder + "/2.jsonl", whole.substr(0, whole.size() / 2));
  EXPECT_THROW(History(folder, INT64_MAX), InputError);
}

TEST(History, AFolderThatIsNotThereIsRefused) {
  EXPECT_THROW(History("/no/such/folder", INT64_MAX), InputError);
}

}  // namespace
}  // namespace assay
