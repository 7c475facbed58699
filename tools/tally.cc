// The end of a run, and of `assay report`: the same tables and the same exit
// code, whether the verdicts are new or read from files.
#include "tools/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "backends/loader.h"

namespace assay {
namespace {

// Failures that are explained on the terminal; the rest are counted.
constexpr int64_t kMaxExplained = 20;

Baseline ReadOrBegin(const TallyOptions& options) {
  if (options.baseline.empty()) return {};
  std::error_code error;
  if (options.update_baseline && !std::filesystem::exists(options.baseline, error))
    return {options.baseline, {}};
  return ReadBaseline(options.baseline);
}

}  // namespace

Tally::Tally(const TallyOptions& options, const RunHeader& header)
    : options_(options), header_(header), baseline_(ReadOrBegin(options)) {
  GateOptions gate;
  if (!options.baseline.empty()) gate.baseline = &baseline_;
  gate.require = options.require;
  gate_.emplace(gate, header);
  if (!options.junit.empty()) junit_.emplace();
  if (!options.markdown.empty()) markdown_.emplace();
  if (options.update_baseline) {
    if (options.reason.empty()) {
      update_.emplace(baseline_, header);
    } else {
      update_.emplace(baseline_, header, options.reason);
    }
  }
}

void Tally::Add(const Verdict& verdict, const std::function<void()>& before) {
  summary_.Add(verdict);
  gate_->Add(verdict);
  if (Backend::IsSpec(verdict.backend)) constraints_.Add(verdict);
  if (update_) update_->Add(verdict);
  const Expectedness expectedness = gate_->Of(verdict);
  if (junit_) junit_->Add(verdict, expectedness);
  if (markdown_) markdown_->Add(verdict, expectedness);
  if (expectedness.kind != Expectedness::Kind::kUnexpected) return;
  if (++unexpected_ > kMaxExplained || options_.update_baseline) return;
  before();
  fmt::print("{}", FailureText(verdict));
}

ExitCode Tally::Finish(bool is_complete) {
  if (unexpected_ > kMaxExplained && !options_.update_baseline) {
    fmt::print("{} more; {}\n", unexpected_ - kMaxExplained,
               options_.all_results.empty()
                   ? "--out FILE has all of them"
                   : "all of them are in " + options_.all_results);
  }
  fmt::print("{}", summary_.ToText());
  bool constraints_missing = false;
  for (const RunHeader::BackendInfo& backend : header_.backends) {
    if (!Backend::IsSpec(backend.spec)) {
      fmt::print("{}: policy {}\n", backend.spec, backend.policy);
      continue;
    }
    fmt::print("{}", constraints_.ToText());
    // A part of the suite need not show everything.
    constraints_missing = header_.is_whole() &&
                          options_.is_default_suite &&
                          !constraints_.Check().missing.empty();
  }
  // A part of the verdicts is not to be taken for the whole.
  if (!is_complete) return kExitInterrupted;
  const GateResult gate = gate_->Finish();
  fmt::print("{}", gate.text);
  if (junit_) junit_->Write(options_.junit);
  if (markdown_)
    WriteText(options_.markdown, markdown_->Text(header_, gate));
  if (update_) {
    WriteBaseline(options_.baseline, update_->Finish());
    fmt::print("{} is written\n", options_.baseline);
    return kExitOk;
  }
  return constraints_missing ? kExitFindings : gate.exit_code();
}

}  // namespace assay
