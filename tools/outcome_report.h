// The subcommands `run` and `report` share the flags of the gate and of the
// rendered files, and everything that happens to verdicts after they are
// judged.
#ifndef ASSAY_TOOLS_OUTCOME_REPORT_H_
#define ASSAY_TOOLS_OUTCOME_REPORT_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "reports/agreement.h"
#include "reports/causes.h"
#include "reports/flush_survivors.h"
#include "reports/gate.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/page/page.h"
#include "reports/run_header.h"
#include "reports/summary.h"
#include "tools/backend_verdict.h"

namespace assay {

struct OutcomeFlags {
  std::string baseline;
  bool update_baseline = false;
  std::string reason;  // in new entries; empty: the default
  std::vector<std::string> require;
  std::optional<double> require_judged;  // per cent
  std::string junit, markdown, html, digest;
  bool junit_skipped = false;
  bool quiet = false, verbose = false;
  std::string color = "auto";

  // Returns whether what the page shows is asked for.
  bool has_page() const { return !html.empty() || !digest.empty(); }
  void AddTo(CLI::App& command);
};

// What reports show besides the verdicts.
struct MoreOfReport {
  std::string markdown;                // is appended
  std::vector<PageSection> page = {};  // further sections of the page
  CasesAsJson cases_as_json = nullptr;
  const Coverage* coverage = nullptr;
  double seconds = 0;  // that the run of a report took, for the page
};

class OutcomeReport {
 public:
  // Reads the baseline. Throws InputError if it is wrong, or does not fit the
  // run.
  OutcomeReport(const OutcomeFlags& flags, const RunHeader& header);

  // Adds every verdict once, in order. Returns whether it is a failure that no
  // entry expects.
  bool Add(const Verdict& verdict);
  // Counts the failures that no entry expects.
  int64_t unexpected() const { return causes_.failures(); }

  // Prints the failures by cause and the counts of a run that did not reach its
  // end.
  void PrintUnfinished() const;
  // Prints failures by cause, tables and gate, writes the files and the
  // baseline, and returns the exit code (3, 1, 5, 4 or 0). `failed` are the
  // backends that did not start or were given up. Only the tables of --verbose
  // follow the verdict. `seconds` is the time that a run took; a report says
  // nothing of time.
  ExitCode Finish(const std::set<std::string>& failed,
                  std::optional<double> seconds, const MoreOfReport& more = {});
  const Summary& summary() const { return summary_; }

 private:
  bool ConstraintsMissing() const;
  void WaiveFlush(const std::string& backend, bool updates);
  void UpdateBaselineFile() const;
  bool EveryBackendWasJudged() const;
  void PrintVerdicts(const std::set<std::string>& failed,
                     const GateResult& gate, bool is_recorded,
                     ExitCode exit_code) const;
  ExitCode ExitCodeOf(const std::set<std::string>& failed,
                      const GateResult& gate, bool is_recorded) const;
  // `was_given_up` means before the end of the run.
  BackendVerdict VerdictOnBackend(const std::string& backend, bool is_recorded,
                                  bool was_given_up) const;
  // Writes the files of --html and --digest.
  void WritePage(const std::set<std::string>& failed, const GateResult& gate,
                 bool is_recorded, std::optional<double> seconds,
                 const MoreOfReport& more) const;

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
  Causes causes_;  // of the failures that no entry expects
  std::map<std::string, BackendCounts> counts_;  // by backend
  JunitReport junit_;
  MarkdownReport markdown_;
  Page page_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_OUTCOME_REPORT_H_
