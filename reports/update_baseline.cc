// This file records a run as the new expectation.
//
// An outcome that an entry does not list is not added to it, because its reason
// was given for something else. Such a case gets an entry of its own,
// unexplained. A pass is the exception: `pass` among the outcomes means that a
// waiver covers several cases of which some pass.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/read/pattern.h"
#include "reports/gate.h"
#include "spec/error.h"

namespace assay {

void BaselineUpdate::Seen::Add(const Verdict& verdict) {
  outcomes.insert(verdict.outcome);
  if (!verdict.error_ulps) return;
  const double value =
      std::isnan(*verdict.error_ulps) ? INFINITY : *verdict.error_ulps;
  if (!error_ulps) error_ulps = {value, value};
  error_ulps->first = std::min(error_ulps->first, value);
  error_ulps->second = std::max(error_ulps->second, value);
}

BaselineUpdate::BaselineUpdate(const Baseline& old, const RunHeader& header,
                               std::string reason)
    : old_(old), reason_(std::move(reason)) {
  if (!header.is_whole() && !header.is_selection())
    throw InputError(
        "--update-baseline",
        fmt::format("this is {}, and a baseline records the suite or what --op "
                    "selects of it: leave out {}",
                    header.shard.count > 1 ? "one shard" : "a suite of its own",
                    header.shard.count > 1
                        ? "--shard, or give all shards to `assay report`"
                        : "--cases ($ASSAY_SUITE names a suite of your own)"));
  selection_ = header.OpSet();
  for (const RunHeader::BackendInfo& info : header.backends) {
    Backend& backend = backends_[info.spec];
    backend.policy = info.policy;
    const auto it = old.backends.find(info.spec);
    // The entries are those of the copy, which lives as long as this object.
    if (it != old.backends.end()) {
      const BackendBaseline& recorded = old_.backends.at(info.spec);
      backend.old = recorded.entries;
      if (!selection_.empty() && selection_ != recorded.selection)
        backend.beside = &recorded;
      if (backend.beside != nullptr && recorded.policy != info.policy)
        throw InputError(
            old.file,
            fmt::format("was recorded for backend '{}' under policy '{}'; a "
                        "selection under policy '{}' cannot be beside that: "
                        "run without --op",
                        info.spec, recorded.policy, info.policy));
    }
    backend.matcher.emplace(backend.old);
    backend.seen.resize(backend.old.size());
    backend.matched.resize(backend.old.size());
  }
}

void BaselineUpdate::Add(const Verdict& verdict) {
  Backend& backend = backends_.at(verdict.backend);
  backend.matcher->Find(verdict, &found_);
  for (const size_t i : found_) backend.matched[i] = true;
  if (!IsJudged(verdict.outcome)) return;
  ++backend.judged[verdict.op][ElementTypeText(verdict.type)];
  const bool is_pass = verdict.outcome == Outcome::kPass;
  const bool is_listed = std::ranges::any_of(found_, [&](size_t i) {
    return backend.old[i].outcomes.contains(verdict.outcome);
  });
  for (const size_t i : found_) {
    if (backend.old[i].outcomes.contains(verdict.outcome) ||
        (is_pass && !is_listed))
      backend.seen[i].Add(verdict);
  }
  if (is_pass || is_listed) return;
  Seen seen;
  seen.Add(verdict);
  BaselineEntry entry;
  entry.pattern = EscapePattern(verdict.case_name);
  entry.outcomes = seen.outcomes;
  entry.error_ulps = seen.error_ulps;
  entry.reason = reason_;
  backend.added.push_back(std::move(entry));
}

void BaselineUpdate::FinishEntries(const Backend& backend,
                                   BackendBaseline* updated) const {
  for (size_t i = 0; i < backend.old.size(); ++i) {
    BaselineEntry entry = backend.old[i];
    Seen seen = backend.seen[i];
    std::string name;
    const bool is_exact = IsExact(entry.pattern, &name);
    // One case that may pass and may fail does so on two machines.
    const bool is_of_two = is_exact && !seen.outcomes.empty() &&
                           entry.outcomes.contains(Outcome::kPass);
    if (is_of_two || (backend.beside != nullptr && !is_exact)) {
      // Outcomes that were not seen now are those of the other machine, or of
      // other cases that the entry matches and that were left out.
      seen.outcomes.insert(entry.outcomes.begin(), entry.outcomes.end());
      if (seen.error_ulps && entry.error_ulps)
        seen.error_ulps = {
            std::min(seen.error_ulps->first, entry.error_ulps->first),
            std::max(seen.error_ulps->second, entry.error_ulps->second)};
      if (!seen.error_ulps) seen.error_ulps = entry.error_ulps;
    } else if (backend.beside != nullptr && !backend.matched[i]) {
      updated->entries.push_back(std::move(entry));
      continue;
    }
    const bool only_passes =
        seen.outcomes.empty() ||
        (seen.outcomes.size() == 1 && seen.outcomes.contains(Outcome::kPass));
    if (only_passes) continue;
    entry.outcomes = seen.outcomes;
    entry.error_ulps = seen.error_ulps;
    updated->entries.push_back(std::move(entry));
  }
  std::ranges::sort(updated->entries, {}, &BaselineEntry::pattern);
}

Baseline BaselineUpdate::Finish(const FlushSurvivors& flush) const {
  Baseline baseline = old_;
  for (const auto& [name, backend] : backends_) {
    BackendBaseline& updated = baseline.backends[name];
    updated = {backend.policy, backend.judged, backend.added, selection_, {}};
    FinishEntries(backend, &updated);
    const auto old = old_.backends.find(name);
    if (old != old_.backends.end()) updated.flush = old->second.flush;
    const std::set<std::string> contradicted = flush.Contradicted(name);
    if (backend.beside == nullptr)
      std::erase_if(updated.flush, [&](const auto& entry) {
        return !contradicted.contains(entry.first);
      });
    for (const std::string& subject : contradicted)
      updated.flush.emplace(subject, reason_);
    if (backend.beside == nullptr) continue;
    if (backend.beside->selection.empty()) {
      updated.selection.clear();
    } else {
      updated.selection.insert(backend.beside->selection.begin(),
                               backend.beside->selection.end());
    }
    for (const auto& [op, types] : backend.beside->judged) {
      // All cases of the op ran, so it is known what is not judged any more.
      if (selection_.contains(op)) continue;
      for (const auto& [type, count] : types) {
        int64_t& judged = updated.judged[op][type];
        judged = std::max(judged, count);
      }
    }
  }
  return baseline;
}

Baseline UpdateBaseline(const Baseline& old, const Results& results,
                        const std::string& default_reason) {
  BaselineUpdate update(old, results.header, default_reason);
  results.ForEach([&](const Verdict& verdict) { update.Add(verdict); });
  return update.Finish();
}

}  // namespace assay
