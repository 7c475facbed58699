// Recording a run as the new expectation.
//
// An outcome that an entry does not list is not added to it: its reason was
// given for something else. Such a case gets an entry of its own, unexplained.
// A pass is the exception, because a waiver over several cases of which some
// pass is what `pass` among the outcomes says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/pattern.h"
#include "reports/gate.h"
#include "spec/error.h"

namespace assay {

void BaselineUpdate::Seen::Add(const Verdict& verdict) {
  outcomes.insert(verdict.outcome);
  if (!verdict.error) return;
  const double value = std::isnan(*verdict.error) ? INFINITY : *verdict.error;
  if (!error) error = {value, value};
  error->first = std::min(error->first, value);
  error->second = std::max(error->second, value);
}

BaselineUpdate::BaselineUpdate(const Baseline& old, const RunHeader& header,
                               std::string reason)
    : old_(old), reason_(std::move(reason)) {
  if (!header.is_whole())
    throw InputError(
        "--update-baseline",
        fmt::format("this is {}, and a baseline records a whole run: leave out "
                    "{}",
                    header.shard.count > 1 ? "one shard" : "a selection",
                    header.shard.count > 1
                        ? "--shard, or give all shards to `assay report`"
                        : "--op and --cases ($ASSAY_SUITE names a suite of "
                          "your own)"));
  for (const RunHeader::BackendInfo& info : header.backends) {
    Backend& backend = backends_[info.spec];
    backend.policy = info.policy;
    const auto it = old.backends.find(info.spec);
    if (it != old.backends.end()) backend.old = it->second.entries;
    backend.matcher.emplace(backend.old);
    backend.seen.resize(backend.old.size());
  }
}

void BaselineUpdate::Add(const Verdict& verdict) {
  if (!IsJudged(verdict.outcome)) return;
  Backend& backend = backends_.at(verdict.backend);
  ++backend.judged[verdict.op][ElementTypeText(verdict.type)];
  backend.matcher->Find(verdict, &found_);
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
  entry.error = seen.error;
  entry.reason = reason_;
  backend.added.push_back(std::move(entry));
}

Baseline BaselineUpdate::Finish() const {
  Baseline baseline = old_;
  for (const auto& [name, backend] : backends_) {
    BackendBaseline& updated = baseline.backends[name];
    updated = {backend.policy, backend.judged, backend.added};
    for (size_t i = 0; i < backend.old.size(); ++i) {
      const Seen& seen = backend.seen[i];
      const bool only_passes =
          seen.outcomes.empty() ||
          (seen.outcomes.size() == 1 && seen.outcomes.contains(Outcome::kPass));
      if (only_passes) continue;
      BaselineEntry entry = backend.old[i];
      entry.outcomes = seen.outcomes;
      entry.error = seen.error;
      updated.entries.push_back(std::move(entry));
    }
    std::ranges::sort(updated.entries, {}, &BaselineEntry::pattern);
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
