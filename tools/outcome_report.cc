// One place decides the exit code, so that a run and the report of its shards
// cannot disagree.
#include "tools/outcome_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "backends/host/loader.h"
#include "reports/print.h"
#include "spec/error.h"
#include "tools/command.h"

namespace assay {
namespace {

constexpr const char* kDefaultReason = "not yet explained";

void RequireWritable(const std::string& file) {
  std::error_code error;
  const bool existed = std::filesystem::exists(file, error);
  if (!std::ofstream(file, std::ios::app))
    throw InputError(file, "cannot be written");
  if (!existed) std::filesystem::remove(file, error);
}

}  // namespace

OutcomeReport::OutcomeReport(const OutcomeFlags& flags, const RunHeader& header)
    : flags_(flags),
      header_(header),
      agreement_(header),
      junit_(header, flags.junit_skipped) {
  SetColors(flags.color == "always"  ? ColorMode::kAlways
            : flags.color == "never" ? ColorMode::kNever
                                     : ColorMode::kAuto);
  // A file that cannot be written is reported now, and not at the end of a long
  // run.
  for (const std::string& file :
       {flags.junit, flags.markdown, flags.html, flags.digest}) {
    if (!file.empty()) RequireWritable(file);
  }
  if (flags.junit_skipped && flags.junit.empty())
    throw InputError("--junit-skipped", "needs --junit");
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
    // Verdicts that were recorded under another policy are replaced, not
    // compared.
    for (const RunHeader::BackendInfo& backend : header.backends) {
      const auto it = expected_.backends.find(backend.spec);
      if (it != expected_.backends.end() && it->second.policy != backend.policy)
        expected_.backends.erase(it);
    }
  }
  gate_.emplace(options, header);
}

bool OutcomeReport::Add(const Verdict& verdict) {
  summary_.Add(verdict);
  flush_.Add(verdict);
  agreement_.Add(verdict);
  if (Backend::IsSpec(verdict.backend)) constraints_.Add(verdict);
  const Expectedness expectedness = gate_->Add(verdict);
  if (update_) update_->Add(verdict);
  if (!flags_.junit.empty()) junit_.Add(verdict, expectedness);
  if (!flags_.markdown.empty()) markdown_.Add(verdict, expectedness);
  if (flags_.has_page()) page_.Add(verdict, expectedness);
  counts_[verdict.backend].Add(verdict, expectedness);
  const bool is_unexpected =
      expectedness.kind == Expectedness::Kind::kUnexpected;
  if (is_unexpected) causes_.Add(verdict);
  return is_unexpected;
}

void OutcomeReport::PrintUnfinished() const {
  if (!flags_.quiet) PrintText("{}", causes_.ToText(header_, flags_.verbose));
  PrintText("{}\n", summary_.TotalText());
}

// A part of the suite need not exercise every constraint.
bool OutcomeReport::ConstraintsMissing() const {
  return header_.is_whole() && !constraints_.Check().missing.empty();
}

// What the baseline knows, or what becomes it, is no contradiction.
void OutcomeReport::WaiveFlush(const std::string& backend, bool updates) {
  if (updates) {
    for (const std::string& subject : flush_.Contradicted(backend))
      flush_.Waive(backend, subject);
  }
  const auto it = expected_.backends.find(backend);
  if (it == expected_.backends.end()) return;
  for (const auto& [subject, reason] : it->second.flush)
    flush_.Waive(backend, subject);
}

void OutcomeReport::UpdateBaselineFile() const {
  const Baseline updated = update_->Finish(flush_);
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

BackendVerdict OutcomeReport::VerdictOnBackend(const std::string& backend,
                                               bool is_recorded,
                                               bool was_given_up) const {
  const auto it = counts_.find(backend);
  BackendCounts counts = it == counts_.end() ? BackendCounts() : it->second;
  if (is_recorded) counts.Record();
  return VerdictOn(counts, flush_.ContradictionsOf(backend), was_given_up);
}

void OutcomeReport::PrintVerdicts(const std::set<std::string>& failed,
                                  const GateResult& gate, bool is_recorded,
                                  ExitCode exit_code) const {
  std::set<std::string> not_started = failed;
  for (const RunHeader::BackendInfo& backend : header_.backends) {
    const BackendVerdict verdict = VerdictOnBackend(
        backend.spec, is_recorded, not_started.erase(backend.spec) > 0);
    PrintColored(verdict.color, fmt::format("{}, policy {}: {}\n", backend.spec,
                                            backend.policy, verdict.Line()));
  }
  for (const std::string& backend : not_started)
    PrintColored(Color::kRed, backend + " could not be started.\n");
  // These reasons are not in the line of any backend.
  if (ConstraintsMissing())
    PrintColored(Color::kRed,
                 "Not every constraint was exercised, see above.\n");
  if (exit_code == gate.exit_code() && exit_code != kExitOk &&
      gate.unexpected == 0 && gate.judged > 0)
    PrintColored(Color::kRed, "The gate fails: " + gate.Headline() + "\n");
}

ExitCode OutcomeReport::Finish(const std::set<std::string>& failed,
                               std::optional<double> seconds,
                               const MoreOfReport& more) {
  const bool updates = update_ && failed.empty() && EveryBackendWasJudged();
  for (const RunHeader::BackendInfo& backend : header_.backends)
    WaiveFlush(backend.spec, updates);
  GateResult result = gate_->Finish(flush_);
  const std::string agreement = agreement_.ToText();
  if (!flags_.quiet) {
    PrintText("{}", causes_.ToText(header_, flags_.verbose));
    if (flags_.verbose) PrintText("{}", summary_.OpTables());
    PrintText("\n{}{}", summary_.SweepsText(), summary_.NotJudgedText());
    if (std::ranges::any_of(header_.backends, [](const auto& backend) {
          return Backend::IsSpec(backend.spec);
        }))
      PrintText("{}", constraints_.ToText());
    PrintText("{}{}{}{}; {} cases{}\n", flush_.ToText(), agreement, result.text,
              summary_.TotalText(), summary_.cases(),
              seconds ? fmt::format(", {:.1f} s", *seconds) : "");
  }
  if (!flags_.junit.empty()) {
    GateResult shown = result;
    if (result.contradictions > 0) shown.text += flush_.ToText();
    if (gate_->is_asked() || result.contradictions > 0) junit_.AddGate(shown);
    junit_.Write(flags_.junit);
  }
  if (!flags_.markdown.empty())
    WriteText(flags_.markdown,
              markdown_.Text(header_, result) +
                  (agreement.empty()
                       ? ""
                       : "\n### Agreement\n\n" + MarkdownCode(agreement)) +
                  more.markdown);
  if (updates) UpdateBaselineFile();
  if (update_ && !updates)
    PrintText("{} stays as it is: not every backend was judged.\n",
              flags_.baseline);
  const ExitCode exit_code = ExitCodeOf(failed, result, updates);
  if (flags_.has_page()) WritePage(failed, result, updates, seconds, more);
  PrintVerdicts(failed, result, updates, exit_code);
  if (flags_.verbose) PrintText("{}", summary_.MeasuredText());
  return exit_code;
}

void OutcomeReport::WritePage(const std::set<std::string>& failed,
                              const GateResult& gate, bool is_recorded,
                              std::optional<double> seconds,
                              const MoreOfReport& more) const {
  PageFacts facts{header_, RunCounts::Of(summary_), &summary_.accuracies()};
  std::set<std::string> not_started = failed;
  const auto add = [&](const std::string& backend,
                       const BackendVerdict& verdict) {
    using Kind = PageVerdict::Kind;
    facts.verdicts.push_back({verdict.color == Color::kGreen ? Kind::kGood
                              : verdict.color == Color::kYellow
                                  ? Kind::kNotJudged
                                  : Kind::kBad,
                              backend, verdict.text});
  };
  for (const RunHeader::BackendInfo& backend : header_.backends)
    add(backend.spec, VerdictOnBackend(backend.spec, is_recorded,
                                       not_started.erase(backend.spec) > 0));
  for (const std::string& backend : not_started)
    add(backend, {Color::kRed, "could not be started"});
  facts.exit_code = ExitCodeOf(failed, gate, is_recorded);
  facts.headline =
      facts.exit_code == kExitStart ? "a backend could not be judged"
      : gate_->is_asked() || facts.exit_code == kExitNothingJudged
          ? gate.Headline()
      : gate.unexpected > 0 ? fmt::format("{} of {} judged cases fail",
                                          gate.unexpected, gate.judged)
      : facts.exit_code == kExitOk
          ? fmt::format("all {} judged cases pass", gate.judged)
          : "not as expected";
  facts.gate = gate.text;
  facts.seconds = seconds.value_or(more.seconds);
  facts.cases_as_json = more.cases_as_json;
  facts.coverage = more.coverage;
  facts.more = more.page;
  if (!flags_.html.empty()) WriteText(flags_.html, page_.ToHtml(facts));
  if (!flags_.digest.empty()) WriteText(flags_.digest, page_.ToDigest(facts));
}

ExitCode OutcomeReport::ExitCodeOf(const std::set<std::string>& failed,
                                   const GateResult& gate,
                                   bool is_recorded) const {
  if (!failed.empty()) return kExitStart;
  if (ConstraintsMissing()) return kExitFindings;
  if (!is_recorded || gate.required_not_judged > 0 || gate.unseen > 0 ||
      gate.contradictions > 0)
    return gate.exit_code();
  return kExitOk;  // the run is the new expectation
}

}  // namespace assay
