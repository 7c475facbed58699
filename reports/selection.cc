#include "reports/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "cases/read/no_match.h"
#include "cases/read/pattern.h"
#include "spec/digest.h"
#include "spec/error.h"

namespace assay {
namespace {

constexpr size_t kMostNamed = 3;

std::set<std::string> CasesOf(const Results& results) {
  std::set<std::string> names;
  for (size_t i = 0; i < results.size(); ++i) names.insert(results.CaseOf(i));
  return names;
}

// Returns "a, b, c and 4 more".
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
    text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMostNamed)
    text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

std::vector<std::string> FilesThatDiffer(const RunHeader& a,
                                         const RunHeader& b) {
  std::vector<std::string> names;
  for (const auto& [name, digest] : a.files) {
    const auto it = b.files.find(name);
    if (it != b.files.end() && it->second != digest) names.push_back(name);
  }
  return names;
}

void RequireOneSuite(const Results& a, const Results& b) {
  std::string why;
  if (a.header.assay != b.header.assay)
    why = fmt::format("version of assay '{}' and '{}'", a.header.assay,
                      b.header.assay);
  if (a.header.repeat != b.header.repeat)
    why = fmt::format("repeat {} and {}", a.header.repeat, b.header.repeat);
  if (a.header.files.empty() || b.header.files.empty())
    why = "selections of a suite, of which one does not say what its files are";
  if (const auto files = FilesThatDiffer(a.header, b.header); !files.empty())
    why = Listed(files) + " has other cases there";
  const auto& backends = a.header.backends;
  if (backends.size() != b.header.backends.size())
    why = fmt::format("{} backends and {}", backends.size(),
                      b.header.backends.size());
  for (size_t i = 0; i < backends.size() && why.empty(); ++i) {
    if (backends[i].spec != b.header.backends[i].spec)
      why = fmt::format("backend '{}' and '{}', on other cases",
                        backends[i].spec, b.header.backends[i].spec);
    if (why.empty()) why = Difference(backends[i], b.header.backends[i]);
  }
  if (!why.empty())
    throw InputError(b.file,
                     fmt::format("does not belong to {}: {}", a.file, why));
}

RunHeader JoinedHeader(const std::vector<Results>& selections) {
  RunHeader header = selections.front().header;
  std::set<std::string> ops, digests;
  bool is_whole = false;
  for (const Results& part : selections) {
    ops.insert(part.header.ops.begin(), part.header.ops.end());
    is_whole |= part.header.ops.empty();
    digests.insert(part.header.suite_sha256);
    header.files.insert(part.header.files.begin(), part.header.files.end());
    header.cases_are_named |= part.header.cases_are_named;
    header.time = std::min(header.time, part.header.time);
    for (const std::string& host : part.header.hosts) {
      if (std::ranges::find(header.hosts, host) == header.hosts.end())
        header.hosts.push_back(host);
    }
  }
  header.ops.clear();
  if (!is_whole) header.ops.assign(ops.begin(), ops.end());
  std::string joined;
  for (const std::string& digest : digests) joined += digest + "\n";
  header.suite_sha256 = Sha256(joined);
  return header;
}

}  // namespace

std::string CasesThatDiffer(const Results& a, const Results& b) {
  const std::set<std::string> in_a = CasesOf(a), in_b = CasesOf(b);
  std::string text;
  const auto add = [&](std::vector<std::string> names,
                       const std::string& says) {
    if (names.empty()) return;
    text += (text.empty() ? "" : "; ") + Listed(names) + says;
  };
  add(FilesThatDiffer(a.header, b.header), " differ");
  std::vector<std::string> only;
  std::ranges::set_difference(in_a, in_b, std::back_inserter(only));
  add(only, " in " + a.file + " only");
  only.clear();
  std::ranges::set_difference(in_b, in_a, std::back_inserter(only));
  add(only, " in " + b.file + " only");
  return text;
}

Results JoinSelections(std::vector<Results> selections) {
  if (selections.size() == 1) return std::move(selections.front());
  Results joined;
  joined.file = selections.front().file;
  for (const Results& part : selections)
    RequireOneSuite(selections.front(), part);
  joined.header = JoinedHeader(selections);
  Verdict verdict;
  for (const RunHeader::BackendInfo& backend : joined.header.backends) {
    // For each name of a case, this has its outcome and the results it is from.
    std::unordered_map<std::string, std::pair<Outcome, const Results*>> there;
    int64_t index = 0;
    for (const Results& part : selections) {
      for (size_t i = 0; i < part.size(); ++i) {
        if (part.BackendOf(i) != backend.spec) continue;
        part.Get(i, &verdict);
        const auto [it, is_new] =
            there.emplace(verdict.case_name, std::pair(verdict.outcome, &part));
        if (!is_new && it->second.first != verdict.outcome)
          throw InputError(
              part.file,
              fmt::format("{} on {} is {}, and {} in {}", verdict.case_name,
                          backend.spec, Name(verdict.outcome),
                          Name(it->second.first), it->second.second->file));
        if (!is_new) continue;
        verdict.index = index++;
        joined.Append(verdict);
      }
    }
    joined.header.cases = static_cast<size_t>(index);
  }
  for (const Results& part : selections) {
    joined.seconds += part.seconds;
    joined.failed.insert(part.failed.begin(), part.failed.end());
  }
  return joined;
}

Results Selected(const Results& results, const std::vector<std::string>& ops) {
  Results selected;
  selected.file = results.file;
  selected.header = results.header;
  // If the results are a selection, the values of --op need not choose all that
  // they would choose of the suite; what is left is then a suite of its own.
  const std::set<std::string> before = results.header.OpSet();
  selected.header.cases_are_named |=
      !before.empty() && !std::ranges::all_of(ops, [&](const std::string& op) {
        return before.contains(op);
      });
  selected.header.ops.assign(ops.begin(), ops.end());
  std::ranges::sort(selected.header.ops);
  selected.seconds = results.seconds;
  selected.failed = results.failed;
  std::string of = results.header.suite_sha256;
  for (const std::string& op : selected.header.ops) of += "\n" + op;
  selected.header.suite_sha256 = Sha256(of);
  std::set<std::string> unmatched(ops.begin(), ops.end());
  std::map<std::string, int64_t> counts;  // by backend
  CaseNames names;
  results.ForEach([&](const Verdict& verdict) {
    bool is_chosen = false;
    for (const std::string& op : ops) {
      if (op != verdict.op && !Matches(op, verdict.case_name, verdict.type))
        continue;
      is_chosen = true;
      unmatched.erase(op);
    }
    if (!is_chosen) {
      names.emplace_back(verdict.case_name, verdict.type);
      return;
    }
    Verdict chosen = verdict;
    chosen.index = counts[verdict.backend]++;
    selected.Append(chosen);
  });
  if (!unmatched.empty())
    throw InputError("--op", NoMatch(*unmatched.begin(), names));
  selected.header.cases =
      static_cast<size_t>(counts.empty() ? 0 : counts.begin()->second);
  return selected;
}

}  // namespace assay
