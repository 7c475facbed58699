// One place decides the exit code, so that a run and the report of its shards
// cannot disagree.
#include "tools/outcome_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "backends/loader.h"
#include "reports/print.h"
#include "spec/error.h"
#include "tools/command.h"

namespace assay {
namespace {

// Failures that are explained on the terminal; the rest are counted.
constexpr int64_t kMaxExplained = 20;
constexpr const char* kDefaultReason = "not yet explained";

void RequireWritable(const std::string& file) {
  std::error_code error;
  const bool existed = std::filesystem::exists(file, error);
  if (!std::ofstream(file, std::ios::app))
    throw InputError(file, "cannot be written");
  if (!existed) std::filesystem::remove(file, error);
}

}  // namespace

void OutcomeFlags::AddTo(CLI::App& command) {
  CLI::Option* option =
      command
          .add_option("--baseline", baseline,
                      "What is known to fail, with reasons; exit 1 if anything "
                      "is worse or better, 5 if an entry is stale")
          ->check(NotEmpty())
          ->type_name("FILE");
  command
      .add_flag("--update-baseline", update_baseline,
                "Record this run in the file of --baseline; entries that stay "
                "keep reason, issue, owner and day")
      ->needs(option);
  command
      .add_option("--reason", reason,
                  "The reason in the new entries of --update-baseline")
      ->type_name("TEXT");
  command
      .add_option("--require", require,
                  "Every case that matches must be judged, and one must match")
      ->type_name("PATTERN");
  command
      .add_option("--require-judged", require_judged,
                  "At least so many per cent of the elements that a backend "
                  "returns must be judged: not accepted, whole or in part, "
                  "because an open clause accepts any value")
      ->type_name("PERCENT");
  command.add_option("--junit", junit, "JUnit XML")
      ->check(NotEmpty())
      ->type_name("FILE");
  command
      .add_option("--markdown", markdown,
                  "Markdown, such as for $GITHUB_STEP_SUMMARY")
      ->check(NotEmpty())
      ->type_name("FILE");
}

OutcomeReport::OutcomeReport(const OutcomeFlags& flags, const RunHeader& header)
    : flags_(flags), header_(header), agreement_(header) {
  // Not at the end of a long run.
  for (const std::string& file : {flags.junit, flags.markdown}) {
    if (!file.empty()) RequireWritable(file);
  }
  if (!flags.reason.empty() && !flags.update_baseline)
    throw InputError("--reason", "needs --update-baseline");
  if (!flags.reason.empty() &&
      flags.reason.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError("--reason", "must not be empty");
  if (flags.require_judged &&
      !(*flags.require_judged >= 0 && *flags.require_judged <= 100))
    throw InputError("--require-judged", fmt::format("{} is not from 0 to 100",
                                                     *flags.require_judged));
  GateOptions options;
  options.require = flags.require;
  options.require_judged = flags.require_judged;
  if (!flags.baseline.empty()) {
    baseline_.file = flags.baseline;
    if (!flags.update_baseline || std::filesystem::exists(flags.baseline))
      baseline_ = ReadBaseline(flags.baseline);
    expected_ = baseline_;
    options.baseline = &expected_;
  }
  if (flags.update_baseline) {
    update_.emplace(baseline_, header,
                    flags.reason.empty() ? kDefaultReason : flags.reason);
    // What was recorded under another policy is replaced, not compared with.
    for (const RunHeader::BackendInfo& backend : header.backends) {
      const auto it = expected_.backends.find(backend.spec);
      if (it != expected_.backends.end() && it->second.policy != backend.policy)
        expected_.backends.erase(it);
    }
  }
  gate_.emplace(options, header);
}

void OutcomeReport::Add(const Verdict& verdict,
                        const std::function<void()>& before) {
  summary_.Add(verdict);
  flush_.Add(verdict);
  agreement_.Add(verdict);
  if (Backend::IsSpec(verdict.backend)) constraints_.Add(verdict);
  const Expectedness expectedness = gate_->Add(verdict);
  if (update_) update_->Add(verdict);
  if (!flags_.junit.empty()) junit_.Add(verdict, expectedness);
  if (!flags_.markdown.empty()) markdown_.Add(verdict, expectedness);
  if (expectedness.kind != Expectedness::Kind::kUnexpected) return;
  if (++unexpected_ > kMaxExplained) return;
  before();
  PrintText("{}", FailureText(verdict));
}

void OutcomeReport::PrintRest(const std::string& where) const {
  if (unexpected_ > kMaxExplained)
    PrintText("{} more; {}\n", unexpected_ - kMaxExplained, where);
}

// A part of the suite need not show everything.
bool OutcomeReport::ConstraintsMissing() const {
  return header_.is_whole() && !constraints_.Check().missing.empty();
}

void OutcomeReport::UpdateBaselineFile() const {
  const Baseline updated = update_->Finish();
  WriteBaseline(flags_.baseline, updated);
  for (const RunHeader::BackendInfo& backend : header_.backends) {
    const auto old = baseline_.backends.find(backend.spec);
    PrintText("Baseline {}: backend {} has {} entries, {} before\n",
              flags_.baseline, backend.spec,
              updated.backends.at(backend.spec).entries.size(),
              old == baseline_.backends.end() ? 0 : old->second.entries.size());
  }
}

bool OutcomeReport::EveryBackendWasJudged() const {
  const auto& rows = summary_.rows();
  return std::ranges::all_of(header_.backends, [&](const auto& backend) {
    const auto ops = rows.find(backend.spec);
    if (ops == rows.end()) return false;
    return std::ranges::any_of(ops->second, [](const auto& op) {
      return std::ranges::any_of(op.second.outcomes, [](const auto& outcome) {
        return IsJudged(outcome.first);
      });
    });
  });
}

ExitCode OutcomeReport::Finish(const std::set<std::string>& failed,
                               const std::string& more_markdown) {
  PrintText("{}", summary_.ToText());
  for (const RunHeader::BackendInfo& backend : header_.backends) {
    if (Backend::IsSpec(backend.spec)) {
      PrintText("{}", constraints_.ToText());
    } else {
      PrintText("{}: policy {}\n", backend.spec, backend.policy);
    }
  }
  PrintText("{}", flush_.ToText());
  const std::string agreement = agreement_.ToText();
  PrintText("{}", agreement);
  GateResult result = gate_->Finish();
  result.contradictions = flush_.contradictions();
  PrintText("{}", result.text);
  for (const std::string& backend : failed)
    PrintText("{} could not be started, or was given up.\n", backend);
  if (!flags_.junit.empty()) {
    if (result.contradictions > 0) result.text += flush_.ToText();
    if (gate_->is_asked() || result.contradictions > 0) junit_.AddGate(result);
    junit_.Write(flags_.junit);
  }
  if (!flags_.markdown.empty())
    WriteText(flags_.markdown,
              markdown_.Text(header_, result) +
                  (agreement.empty()
                       ? ""
                       : "\n### Agreement\n\n" + MarkdownCode(agreement)) +
                  more_markdown);
  const bool updates = update_ && failed.empty() && EveryBackendWasJudged();
  if (updates) UpdateBaselineFile();
  if (update_ && !updates)
    PrintText("{} stays as it is: not every backend was judged.\n",
              flags_.baseline);
  if (!failed.empty()) return kExitStart;
  if (ConstraintsMissing() || result.contradictions > 0) return kExitFindings;
  if (!updates || result.required_not_judged > 0 || result.unseen > 0)
    return result.exit_code();
  return kExitOk;  // the run is the new expectation
}

}  // namespace assay
