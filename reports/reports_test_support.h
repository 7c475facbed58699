// The tests of this folder use these headers and verdicts.
#ifndef ASSAY_REPORTS_REPORTS_TEST_SUPPORT_H_
#define ASSAY_REPORTS_REPORTS_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases/read/line_sums_test_support.h"
#include "reports/gate.h"
#include "reports/json_lines.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

inline RunHeader MakeHeader(std::vector<std::string> backends, size_t cases) {
  RunHeader header;
  header.command = {"assay", "run"};
  header.suite = {"cases"};
  header.cases = cases;
  header.suite_sha256 = "5517e";
  header.time = "2026-01-01T00:00:00Z";
  for (const std::string& backend : backends)
    header.backends.push_back({backend,
                               backend,
                               "0.1.0",
                               backend + ".so",
                               "b17e",
                               "numpy",
                               {{"shift_overflow", "saturate"}}});
  return header;
}

inline Verdict MakeVerdict(int64_t index, const std::string& name,
                           Outcome outcome = Outcome::kPass,
                           const std::string& type = "tensor<2xi8>") {
  Verdict verdict;
  verdict.index = index;
  verdict.case_name = name;
  verdict.op = name.substr(0, name.find('/'));
  verdict.type = type;
  verdict.backend = "simd";
  verdict.outcome = outcome;
  if (!IsJudged(outcome)) verdict.message = "declined";
  return verdict;
}

// Returns what the gate says of a verdict without a baseline.
inline Expectedness WithoutBaseline(const Verdict& verdict) {
  using Kind = Expectedness::Kind;
  return {verdict.outcome == Outcome::kPass ? Kind::kPass
          : IsJudged(verdict.outcome)       ? Kind::kUnexpected
                                            : Kind::kNotJudged,
          nullptr};
}

inline std::string TestPath(const std::string& name) {
  const testing::TestInfo* test =
      testing::UnitTest::GetInstance()->current_test_info();
  const std::string folder =
      testing::TempDir() + "/" + test->test_suite_name() + "." + test->name();
  std::filesystem::create_directories(folder);
  return folder + "/" + name;
}

// Returns a path in an empty folder.
inline std::string FreshPath(const std::string& name) {
  std::filesystem::remove_all(
      std::filesystem::path(TestPath(name)).parent_path());
  return TestPath(name);
}

inline void WriteFile(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string ReadFile(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline Results MakeResults(const std::string& file, const RunHeader& header,
                           const std::vector<Verdict>& verdicts) {
  Results results;
  results.file = file;
  results.header = header;
  for (const Verdict& verdict : verdicts) results.Append(verdict);
  return results;
}

inline void WriteRun(const std::string& path, const RunHeader& header,
                     const std::vector<Verdict>& verdicts) {
  JsonLinesWriter writer(path, header);
  Summary summary;
  for (const Verdict& verdict : verdicts) {
    writer.Write(verdict);
    summary.Add(verdict);
  }
  writer.Finish(summary, 1.5, {});
}

}  // namespace assay

#endif  // ASSAY_REPORTS_REPORTS_TEST_SUPPORT_H_
