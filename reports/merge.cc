// This file merges files: shards into runs, runs of several backends into one.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <tuple>

#include "reports/results.h"
#include "reports/selection.h"
#include "spec/error.h"

namespace assay {
namespace {

std::vector<std::string> Specs(const RunHeader& header) {
  std::vector<std::string> specs;
  for (const RunHeader::BackendInfo& backend : header.backends)
    specs.push_back(backend.spec);
  return specs;
}

[[noreturn]] void Reject(const Results& a, const Results& b,
                         const std::string& why) {
  throw InputError(b.file,
                   fmt::format("does not belong to {}: {}", a.file, why));
}

using Group = std::vector<const Results*>;

// Checks that the shards are those of one run: each occurs once, and none is
// missing.
void CheckShards(const Group& group) {
  const Results& first = *group.front();
  const int count = first.header.shard.count;
  std::vector<const Results*> shards(static_cast<size_t>(count));
  for (const Results* part : group) {
    const RunHeader& header = part->header;
    if (header.shard.count != count)
      Reject(
          first, *part,
          fmt::format("number of shards {} and {}", count, header.shard.count));
    for (size_t i = 0; i < header.backends.size(); ++i) {
      const std::string difference =
          Difference(first.header.backends[i], header.backends[i]);
      if (!difference.empty()) Reject(first, *part, difference);
    }
    const Results*& shard = shards[static_cast<size_t>(header.shard.index - 1)];
    if (shard != nullptr) {
      throw InputError(
          part->file,
          count == 1 ? fmt::format("has the same backend ({}) as {}",
                                   fmt::join(Specs(header), ", "), shard->file)
                     : fmt::format("is shard {} of {}, as is {}",
                                   header.shard.index, count, shard->file));
    }
    shard = part;
  }
  std::vector<std::string> missing;
  for (int i = 0; i < count; ++i) {
    if (shards[static_cast<size_t>(i)] == nullptr)
      missing.push_back(fmt::format("{}/{}", i + 1, count));
  }
  if (!missing.empty())
    throw InputError(first.file, fmt::format("is shard {} of {}; missing: {}",
                                             first.header.shard.index, count,
                                             fmt::join(missing, ", ")));
}

std::vector<Group> GroupByBackends(const std::vector<Results>& parts) {
  std::vector<Group> groups;
  for (const Results& part : parts) {
    const auto group = std::ranges::find_if(groups, [&](const Group& group) {
      return Specs(group.front()->header) == Specs(part.header);
    });
    if (group == groups.end()) {
      groups.push_back({&part});
    } else {
      group->push_back(&part);
    }
  }
  return groups;
}

void MergeHeader(const Group& group, RunHeader* merged) {
  size_t cases = 0;
  for (const Results* part : group) {
    cases += part->header.cases;
    merged->time = std::min(merged->time, part->header.time);
    for (const std::string& host : part->header.hosts) {
      if (std::ranges::find(merged->hosts, host) == merged->hosts.end())
        merged->hosts.push_back(host);
    }
  }
  merged->cases = cases;
}

// A Place decides the order of a verdict, and says where it is stored.
using Place = std::tuple<size_t /*backend*/, int64_t /*index*/, const Results*,
                         size_t /*position*/>;

std::vector<Place> Places(const std::vector<Results>& parts,
                          const std::vector<std::string>& backends) {
  std::vector<Place> places;
  for (const Results& part : parts) {
    for (size_t i = 0; i < part.size(); ++i) {
      const auto backend = std::ranges::find(backends, part.BackendOf(i));
      places.emplace_back(backend - backends.begin(), part.IndexOf(i), &part,
                          i);
    }
  }
  std::ranges::sort(places, {}, [](const Place& place) {
    return std::tuple(std::get<0>(place), std::get<1>(place));
  });
  return places;
}

// Checks that for every backend each position of the suite occurs once.
void CheckPlaces(const std::vector<Place>& places, size_t cases) {
  for (size_t i = 0; i < places.size(); ++i) {
    const auto& [backend, index, part, position] = places[i];
    if (index == static_cast<int64_t>(i % cases)) continue;
    throw InputError(
        part->file,
        fmt::format("the shards do not add up to the suite: at case '{}' "
                    "(i = {}) one is missing or there twice; run all shards "
                    "again with one version of the suite",
                    part->CaseOf(position), index));
  }
}

// Merges runs on the same selection of the same suite.
Results MergeRuns(std::vector<Results> parts) {
  const std::vector<Group> groups = GroupByBackends(parts);
  Results merged;
  merged.file = parts.front().file;
  merged.header = parts.front().header;
  merged.header.shard = {};
  merged.header.backends.clear();
  std::vector<std::string> backends;
  for (const Results& part : parts) {
    merged.header.cases_are_named |= part.header.cases_are_named;
    merged.seconds += part.seconds;
    merged.failed.insert(part.failed.begin(), part.failed.end());
  }
  size_t cases = 0;
  for (const Group& group : groups) {
    const RunHeader& header = group.front()->header;
    for (const RunHeader::BackendInfo& backend : header.backends) {
      if (std::ranges::find(backends, backend.spec) != backends.end())
        throw InputError(group.front()->file,
                         fmt::format("the backend '{}' is also in another "
                                     "file; name the files of one run",
                                     backend.spec));
      backends.push_back(backend.spec);
      merged.header.backends.push_back(backend);
    }
    CheckShards(group);
    MergeHeader(group, &merged.header);
    if (&group != &groups.front() && merged.header.cases != cases)
      Reject(
          parts.front(), *group.front(),
          fmt::format("number of cases {} and {}", cases, merged.header.cases));
    cases = merged.header.cases;
  }
  if (parts.size() == 1) {
    parts.front().header = merged.header;
    return std::move(parts.front());
  }
  const std::vector<Place> places = Places(parts, backends);
  CheckPlaces(places, cases);
  Verdict verdict;
  for (const auto& [backend, index, part, position] : places) {
    part->Get(position, &verdict);
    merged.Append(verdict);
  }
  return merged;
}

}  // namespace

Results Merge(std::vector<Results> parts) {
  ASSAY_CHECK(!parts.empty());
  std::vector<std::vector<Results>> runs;  // by suite and selection
  for (Results& part : parts) {
    const auto run = std::ranges::find_if(runs, [&](const auto& run) {
      return SuiteDifference(run.front().header, part.header).empty();
    });
    if (run != runs.end()) {
      run->push_back(std::move(part));
      continue;
    }
    for (const auto& other : runs) {
      const Results& there = other.front();
      if (there.header.OpSet() != part.header.OpSet()) continue;
      const std::string cases = CasesThatDiffer(there, part);
      Reject(there, part,
             SuiteDifference(there.header, part.header) +
                 (cases.empty() ? "" : ": " + cases));
    }
    runs.emplace_back().push_back(std::move(part));
  }
  std::vector<Results> selections;
  for (auto& run : runs) selections.push_back(MergeRuns(std::move(run)));
  return JoinSelections(std::move(selections));
}

}  // namespace assay
