// What `run` and `report` share: the flags of the gate and of the rendered
// files, and everything that happens to verdicts once they are there.
#ifndef ASSAY_TOOLS_OUTCOME_REPORT_H_
#define ASSAY_TOOLS_OUTCOME_REPORT_H_

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "reports/gate.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

struct OutcomeFlags {
  std::string baseline;
  bool update_baseline = false;
  std::vector<std::string> require;
  std::string junit, markdown;

  void AddTo(CLI::App& command);
};

class OutcomeReport {
 public:
  // Reads the baseline. Throws InputError if it is wrong, or does not fit the
  // run.
  OutcomeReport(const OutcomeFlags& flags, const RunHeader& header);

  // Every verdict once, in order. What is not as expected is `Unexpected`.
  Expectedness Add(const Verdict& verdict);
  static bool IsUnexpected(const Expectedness& expectedness) {
    return expectedness.kind == Expectedness::Kind::kUnexpected ||
           expectedness.kind == Expectedness::Kind::kUnexpectedPass;
  }

  // Prints tables and gate, writes the files and the baseline, and returns the
  // exit code (1, 5, 4 or 0). `more_markdown` is appended to the page.
  ExitCode Finish(const std::string& more_markdown = "");
  const Summary& summary() const { return summary_; }

 private:
  bool ConstraintsMissing() const;
  void UpdateBaselineFile() const;

  OutcomeFlags flags_;
  RunHeader header_;
  Baseline baseline_;  // empty without --baseline
  Baseline expected_;  // what the gate goes by
  std::optional<Gate> gate_;
  std::optional<BaselineUpdate> update_;
  Summary summary_;
  ConstraintCoverage constraints_;
  JunitReport junit_;
  MarkdownReport markdown_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_OUTCOME_REPORT_H_
