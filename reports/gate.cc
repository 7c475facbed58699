// This file compares counts with the baseline, and words the differences.
#include "reports/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/read/pattern.h"
#include "spec/error.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// This many lines of one kind are printed; the rest are counted.
constexpr size_t kMaxListed = 20;

using Kind = Expectedness::Kind;

void AppendList(const std::vector<std::string>& lines, int64_t count,
                std::string* text) {
  for (const std::string& line : lines) *text += "  " + EscapeLine(line) + "\n";
  const int64_t rest = count - static_cast<int64_t>(lines.size());
  if (rest > 0) *text += fmt::format("  and {} more\n", rest);
}

std::string CaseText(const Verdict& verdict) {
  return fmt::format("{}: {}:{}", verdict.backend, verdict.case_name,
                     verdict.type);
}

}  // namespace

ExitCode GateResult::exit_code() const {
  if (unexpected > 0 || unexpected_passes > 0 || lost > 0 ||
      required_not_judged > 0 || unseen > 0 || contradictions > 0)
    return kExitFindings;
  if (expired > 0 || stale > 0) return kExitStale;
  if (judged == 0 && !(is_part && cases == 0)) return kExitNothingJudged;
  return kExitOk;
}

std::string GateResult::Headline() const {
  switch (exit_code()) {
    case kExitFindings:
      return fmt::format(
          "not as expected: {} unexpected, {} unexpected passes, {} lost, {} "
          "required but not judged{}{}",
          unexpected, unexpected_passes, lost, required_not_judged,
          unseen > 0 ? ", too many elements accepted unseen" : "",
          contradictions > 0
              ? fmt::format(", {} ops and types that no one way of flushing "
                            "subnormals explains",
                            contradictions)
              : "");
    case kExitStale:
      return fmt::format(
          "the baseline is stale: {} expired entries, {} without a case",
          expired, stale);
    case kExitNothingJudged:
      return "nothing was judged";
    default:
      return "as expected";
  }
}

Gate::Gate(const GateOptions& options, const RunHeader& header)
    : options_(options), is_shard_(header.shard.count > 1) {
  counts_.is_part = is_shard_;
  for (const std::string& pattern : options.require) {
    if (const std::string wrong = PatternError(pattern); !wrong.empty())
      throw InputError("--require", fmt::format("'{}': {}", pattern, wrong));
    required_.push_back({pattern});
  }
  for (const RunHeader::BackendInfo& info : header.backends) {
    Backend& backend = backends_[info.spec];
    backend.name = info.spec;
    backend.baseline = nullptr;
    if (options.baseline == nullptr) continue;
    const auto it = options.baseline->backends.find(info.spec);
    if (it == options.baseline->backends.end()) continue;
    backend.baseline = &it->second;
    backend.is_whole =
        header.is_whole() ||
        (header.is_selection() && it->second.selection == header.OpSet());
    if (it->second.policy != info.policy)
      throw InputError(
          options.baseline->file,
          fmt::format("was recorded for backend '{}' under policy '{}', and "
                      "this run has policy '{}': give --policy {}, or record "
                      "it again with --update-baseline",
                      info.spec, it->second.policy, info.policy,
                      it->second.policy));
    backend.matcher.emplace(it->second.entries);
    backend.matched.resize(it->second.entries.size());
  }
}

Expectedness Gate::Decide(const Backend& backend, const Verdict& verdict,
                          std::vector<size_t>* found) const {
  found->clear();
  if (backend.matcher) backend.matcher->Find(verdict, found);
  if (!IsJudged(verdict.outcome)) return {Kind::kNotJudged, nullptr};
  for (const size_t i : *found) {
    const BaselineEntry& entry = backend.baseline->entries[i];
    if (entry.Expects(verdict)) return {Kind::kExpected, &entry};
  }
  if (verdict.outcome != Outcome::kPass) return {Kind::kUnexpected, nullptr};
  // A relation takes a part of a case, and the failure of the case need not be
  // in that part.
  if (found->empty() || !verdict.variant.empty()) return {Kind::kPass, nullptr};
  return {Kind::kUnexpectedPass, &backend.baseline->entries[found->front()]};
}

Expectedness Gate::Of(const Verdict& verdict) const {
  std::vector<size_t> found;
  return Decide(backends_.at(verdict.backend), verdict, &found);
}

void Gate::CheckRequired(const Verdict& verdict) {
  // No backend can be asked to be judged on cases that the suite itself does
  // not give to a backend.
  const bool is_asked = verdict.outcome != Outcome::kSkipped ||
                        verdict.message == kGivenUpMessage;
  bool is_required = false;
  for (Requirement& requirement : required_) {
    if (!is_asked ||
        !Matches(requirement.pattern, verdict.case_name, verdict.type))
      continue;
    ++requirement.matched;
    is_required = true;
  }
  if (!is_required || IsJudged(verdict.outcome)) return;
  ++counts_.required_not_judged;
  if (not_judged_.size() < kMaxListed)
    not_judged_.push_back(fmt::format("{} is {}: {}", CaseText(verdict),
                                      Name(verdict.outcome), verdict.message));
}

Expectedness Gate::Add(const Verdict& verdict) {
  ++counts_.cases;
  has_variants_ |= !verdict.variant.empty();
  CheckRequired(verdict);
  Backend& backend = backends_.at(verdict.backend);
  const Expectedness expectedness = Decide(backend, verdict, &found_);
  for (const size_t i : found_) ++backend.matched[i];
  if (expectedness.kind == Kind::kNotJudged) return expectedness;
  ++counts_.judged;
  backend.elements += verdict.elements;
  backend.open += verdict.open;
  if (backend.baseline != nullptr)
    ++backend.judged[verdict.op][ElementTypeText(verdict.type)];
  if (expectedness.kind == Kind::kUnexpected) ++counts_.unexpected;
  if (expectedness.kind == Kind::kExpected && verdict.outcome != Outcome::kPass)
    ++counts_.expected;
  if (expectedness.kind == Kind::kUnexpectedPass &&
      counts_.unexpected_passes++ < static_cast<int64_t>(kMaxListed)) {
    unexpected_passes_.push_back(
        fmt::format("{} passes, and the entry '{}' waives a failure ({})",
                    CaseText(verdict), expectedness.entry->pattern,
                    expectedness.entry->reason));
  }
  return expectedness;
}

void Gate::CheckEntries(const Backend& backend, const FlushSurvivors& flush,
                        GateResult* result) const {
  std::vector<std::string> expired, stale;
  for (size_t i = 0; i < backend.matched.size(); ++i) {
    const BaselineEntry& entry = backend.baseline->entries[i];
    const std::string line =
        fmt::format("{}: {} ({})", backend.name, entry.pattern, entry.reason);
    if (!entry.expires.empty() && options_.today > entry.expires)
      expired.push_back(
          fmt::format("{} on {}{}", line, entry.expires,
                      entry.owner.empty() ? "" : ", owner " + entry.owner));
    const bool is_run =
        has_variants_ || entry.pattern.find('@') == std::string::npos;
    if (backend.is_whole && is_run && backend.matched[i] == 0)
      stale.push_back(line);
  }
  const std::set<std::string> contradicted = flush.Contradicted(backend.name);
  for (const auto& [subject, reason] : backend.baseline->flush) {
    if (backend.is_whole && !contradicted.contains(subject))
      stale.push_back(fmt::format("{}: flushing of {} ({})", backend.name,
                                  subject, reason));
  }
  result->expired += static_cast<int64_t>(expired.size());
  result->stale += static_cast<int64_t>(stale.size());
  const auto list = [&](const char* title, std::vector<std::string> lines) {
    if (lines.empty()) return;
    result->text += title;
    const int64_t count = static_cast<int64_t>(lines.size());
    lines.resize(std::min(lines.size(), kMaxListed));
    AppendList(lines, count, &result->text);
  };
  list(
      "Entries of the baseline that expired; explain or fix, and give a new "
      "day:\n",
      std::move(expired));
  list(
      "Entries of the baseline that match no case; take them out "
      "(--update-baseline does):\n",
      std::move(stale));
}

void Gate::CheckJudged(const Backend& backend, GateResult* result) const {
  std::vector<std::string> lost;
  for (const auto& [op, types] : backend.baseline->judged) {
    for (const auto& [type, recorded] : types) {
      int64_t judged = 0;
      if (const auto it = backend.judged.find(op); it != backend.judged.end()) {
        const auto count = it->second.find(type);
        if (count != it->second.end()) judged = count->second;
      }
      if (judged < recorded)
        lost.push_back(fmt::format(
            "{}: {} on {}: {} cases judged, the baseline records {}",
            backend.name, op, type, judged, recorded));
    }
  }
  if (lost.empty()) return;
  result->lost += static_cast<int64_t>(lost.size());
  result->text += "Fewer cases are judged than the baseline records:\n";
  const int64_t count = static_cast<int64_t>(lost.size());
  lost.resize(std::min(lost.size(), kMaxListed));
  AppendList(lost, count, &result->text);
}

void Gate::CheckRequirements(GateResult* result) const {
  if (required_.empty()) return;
  std::vector<std::string> unmatched;
  for (const Requirement& requirement : required_) {
    if (requirement.matched == 0) unmatched.push_back(requirement.pattern);
  }
  if (result->required_not_judged > 0) {
    result->text += "Required, and not judged:\n";
    AppendList(not_judged_, result->required_not_judged, &result->text);
  }
  if (is_shard_) {
    if (!unmatched.empty())
      result->text +=
          "Whether each --require matches a case is checked on all shards "
          "together.\n";
  } else if (!unmatched.empty()) {
    result->text += "Required, and no case that can be judged matches:\n";
    AppendList(unmatched, static_cast<int64_t>(unmatched.size()),
               &result->text);
    result->required_not_judged += static_cast<int64_t>(unmatched.size());
  }
  if (result->required_not_judged == 0)
    result->text += "Everything that --require names was judged.\n";
}

void Gate::CheckElements(GateResult* result) const {
  if (!options_.require_judged) return;
  if (is_shard_) {
    result->text +=
        "Whether --require-judged is met is checked on all shards together.\n";
    return;
  }
  for (const auto& [name, backend] : backends_) {
    if (backend.elements == 0) continue;
    const int64_t judged = backend.elements - backend.open;
    const double percent = 100 * static_cast<double>(judged) /
                           static_cast<double>(backend.elements);
    const bool is_met = percent >= *options_.require_judged;
    result->unseen += is_met ? 0 : 1;
    // The percentage is rounded down, so that it does not exceed what was
    // judged.
    result->text += fmt::format(
        "{}: {} of {} elements were judged, {:.4f} %, and --require-judged "
        "asks "
        "for {} %{}\n",
        name, judged, backend.elements, std::floor(percent * 1e4) / 1e4,
        *options_.require_judged, is_met ? "." : ": not met.");
  }
}

GateResult Gate::Finish(const FlushSurvivors& flush) const {
  GateResult result = counts_;
  result.contradictions = flush.contradictions();
  if (options_.baseline != nullptr) {
    if (!unexpected_passes_.empty()) {
      result.text +=
          "Unexpected passes; take the waiver out (--update-baseline does):\n";
      AppendList(unexpected_passes_, result.unexpected_passes, &result.text);
    }
    bool is_whole = true;
    for (const auto& [name, backend] : backends_) {
      if (backend.baseline == nullptr) {
        result.text += fmt::format("Backend {} is not in the baseline {}.\n",
                                   name, options_.baseline->file);
        // A baseline of other backends says nothing about this one.
        result.stale += options_.baseline->backends.empty() ? 0 : 1;
        continue;
      }
      CheckEntries(backend, flush, &result);
      if (backend.is_whole) CheckJudged(backend, &result);
      is_whole &= backend.is_whole;
    }
    if (!is_whole)
      result.text += fmt::format(
          "Not checked, because this is {}: entries that match no "
          "case, and how many cases are judged.\n",
          is_shard_ ? "one shard (`assay report` of all shards "
                      "does)"
                    : "a selection of the suite, and another one than the "
                      "baseline was recorded with");
    result.text += fmt::format(
        "Baseline {}: {} expected, {} unexpected, {} unexpected passes, {} "
        "expired entries, {} entries without a case.\n",
        options_.baseline->file, result.expected, result.unexpected,
        result.unexpected_passes, result.expired, result.stale);
  }
  CheckRequirements(&result);
  CheckElements(&result);
  return result;
}

GateResult RunGate(const GateOptions& options, const Results& results) {
  Gate gate(options, results.header);
  results.ForEach([&](const Verdict& verdict) { gate.Add(verdict); });
  return gate.Finish();
}

}  // namespace assay
