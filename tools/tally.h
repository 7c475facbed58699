// Tally: everything that a run or a report makes of verdicts, fed one by one.
#ifndef ASSAY_TOOLS_TALLY_H_
#define ASSAY_TOOLS_TALLY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/baseline.h"
#include "reports/gate.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/run_header.h"
#include "reports/summary.h"

namespace assay {

struct TallyOptions {
  std::string baseline, junit, markdown;  // files; empty: none
  bool update_baseline = false;
  std::string reason;  // of new entries; empty: the default
  std::vector<std::string> require;
  std::string all_results;  // where the failures that are not printed are
  // Whether the cases are those of the suite, which show every constraint.
  bool is_default_suite = false;
};

class Tally {
 public:
  // Reads the baseline. Throws InputError.
  Tally(const TallyOptions& options, const RunHeader& header);

  // Explains an unexpected verdict on the terminal, up to a number of them;
  // `before` is called before anything is printed.
  void Add(const Verdict& verdict, const std::function<void()>& before);
  int64_t unexpected() const { return unexpected_; }
  const Summary& summary() const { return summary_; }

  // Prints the tables, writes the files, and returns what the gate says.
  // `is_complete`: every case had its verdict.
  ExitCode Finish(bool is_complete);

 private:
  TallyOptions options_;
  RunHeader header_;
  Baseline baseline_;
  Summary summary_;
  ConstraintCoverage constraints_;
  std::optional<Gate> gate_;
  std::optional<JunitReport> junit_;
  std::optional<MarkdownReport> markdown_;
  std::optional<BaselineUpdate> update_;
  int64_t unexpected_ = 0;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_TALLY_H_
