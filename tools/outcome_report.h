// What `run` and `report` share: the flags of the gate and of the rendered
// files, and everything that happens to verdicts once they are there.
#ifndef ASSAY_TOOLS_OUTCOME_REPORT_H_
#define ASSAY_TOOLS_OUTCOME_REPORT_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/agreement.h"
#include "reports/flush_survivors.h"
#include "reports/gate.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

struct OutcomeFlags {
  std::string baseline;
  bool update_baseline = false;
  std::string reason;  // in new entries; empty: the default
  std::vector<std::string> require;
  std::optional<double> require_judged;  // per cent
  std::string junit, markdown;

  void AddTo(CLI::App& command);
};

class OutcomeReport {
 public:
  // Reads the baseline. Throws InputError if it is wrong, or does not fit the
  // run.
  OutcomeReport(const OutcomeFlags& flags, const RunHeader& header);

  // Every verdict once, in order. The first failures that are not expected are
  // explained on the terminal; `before` is called before something is printed.
  void Add(
      const Verdict& verdict, const std::function<void()>& before = [] {});
  // Failures that no entry expects.
  int64_t unexpected() const { return unexpected_; }
  // Says where those are that were not explained: "r.jsonl has all of them".
  void PrintRest(const std::string& where) const;

  // Prints tables and gate, writes the files and the baseline, and returns the
  // exit code (3, 1, 5, 4 or 0). `failed`: backends that did not start or were
  // given up. `more_markdown` is appended to the page.
  ExitCode Finish(const std::set<std::string>& failed,
                  const std::string& more_markdown = "");
  const Summary& summary() const { return summary_; }

 private:
  bool ConstraintsMissing() const;
  void UpdateBaselineFile() const;
  bool EveryBackendWasJudged() const;

  OutcomeFlags flags_;
  RunHeader header_;
  Baseline baseline_;  // empty without --baseline
  Baseline expected_;  // what the gate goes by
  std::optional<Gate> gate_;
  std::optional<BaselineUpdate> update_;
  Summary summary_;
  FlushSurvivors flush_;
  Agreement agreement_;
  ConstraintCoverage constraints_;
  int64_t unexpected_ = 0;
  JunitReport junit_;
  MarkdownReport markdown_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_OUTCOME_REPORT_H_
