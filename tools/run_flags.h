// The flags of `assay run` are checked before anything starts.
#ifndef ASSAY_TOOLS_RUN_FLAGS_H_
#define ASSAY_TOOLS_RUN_FLAGS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "backends/host/open.h"
#include "reports/run_header.h"
#include "tools/command.h"
#include "tools/limit_flags.h"
#include "tools/outcome_report.h"

namespace assay {

struct RunFlags {
  std::vector<std::string> backends;
  std::string policy;  // empty: that of each backend
  SuiteFlags suite;
  std::string shard_text;
  int jobs = 1, repeat = 1, crashes = 3;
  LimitFlags limits{"60s"};
  OpenOptions open;
  HowFlags how;
  std::string out;
  bool resume = false, fail_fast = false, list = false;
  std::string keep_worst;  // a folder
  OutcomeFlags outcome;
  RunHeader::Shard shard;

  void AddTo(CLI::App& command);
  // Fills the fields that follow from the texts. Throws InputError.
  void Check();
  // Returns the flags that change how one case is judged, for the command that
  // judges it again: " --cases 'x.json' --timeout '1s'". Flags that choose
  // among cases (--op, --layouts, --shard), decide what becomes of verdicts, or
  // only change how fast they come (--jobs) are left out.
  std::string ReplayText() const;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_RUN_FLAGS_H_
