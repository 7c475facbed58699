// Both runs are matched by case name, because positions move when a case is
// added.
#include "reports/compare.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <map>
#include <string_view>
#include <unordered_map>

#include "reports/markdown.h"
#include "spec/error.h"

namespace assay {
namespace {

// This many lines of one kind are printed; the rest are counted.
constexpr size_t kMaxChanges = 50;
constexpr double kGrowth = 1.1;

std::vector<std::string> Backends(const Results& results) {
  std::vector<std::string> names;
  for (const RunHeader::BackendInfo& backend : results.header.backends)
    names.push_back(backend.spec);
  return names;
}

// Returns names of backends in the older run by those in the newer one.
std::map<std::string, std::string, std::less<>> CommonBackends(
    const Results& before, const Results& after) {
  const std::vector<std::string> old_names = Backends(before);
  const std::vector<std::string> new_names = Backends(after);
  std::map<std::string, std::string, std::less<>> common;
  if (old_names.size() == 1 && new_names.size() == 1)
    common[new_names[0]] = old_names[0];
  for (const std::string& name : new_names) {
    for (const std::string& old_name : old_names) {
      if (old_name == name) common[name] = name;
    }
  }
  if (common.empty())
    throw InputError(before.file,
                     fmt::format("nothing to compare: its backends are {}, "
                                 "those of {} are {}",
                                 fmt::join(old_names, ", "), after.file,
                                 fmt::join(new_names, ", ")));
  return common;
}

std::string ClausesText(const std::vector<std::string>& clauses) {
  return fmt::format("{}", fmt::join(clauses, ", "));
}

bool HasGrown(const std::optional<double>& before,
              const std::optional<double>& after) {
  return before && after && *after > *before * kGrowth;
}

std::string Describe(const CaseChange& change) {
  const auto side = [](const std::optional<Outcome>& outcome,
                       const std::optional<double>& error) {
    if (!outcome) return std::string("not there");
    return error ? fmt::format("{} (error {})", Name(*outcome), *error)
                 : std::string(Name(*outcome));
  };
  return fmt::format("{} -> {}", side(change.before, change.error_before),
                     side(change.after, change.error_after));
}

struct Section {
  const char* title;
  const std::vector<CaseChange>& changes;
};

std::vector<Section> Sections(const Comparison& comparison) {
  return {{"passed before", comparison.worse},
          {"pass now", comparison.better},
          {"another outcome", comparison.other},
          {"error grown by more than 10 %", comparison.grown},
          {"added", comparison.added},
          {"removed", comparison.removed}};
}

std::string Counts(const Comparison& comparison) {
  std::string text;
  for (const auto& [title, changes] : Sections(comparison))
    text += fmt::format("{} {}, ", changes.size(), title);
  return text + fmt::format("{} the same", comparison.same);
}

}  // namespace

Comparison Compare(const Results& before, const Results& after) {
  const auto common = CommonBackends(before, after);
  std::unordered_map<std::string_view,
                     std::unordered_map<std::string_view, size_t>>
      old_cases;
  for (size_t i = 0; i < before.size(); ++i)
    old_cases[before.BackendOf(i)].emplace(before.CaseOf(i), i);

  Comparison comparison;
  comparison.old_file = before.file;
  comparison.is_of_one_suite =
      before.header.suite_sha256 == after.header.suite_sha256;
  Verdict was, is;
  std::vector<bool> seen(before.size());
  for (size_t i = 0; i < after.size(); ++i) {
    const auto old_backend = common.find(after.BackendOf(i));
    if (old_backend == common.end()) continue;
    after.Get(i, &is);
    CaseChange change{
        is.backend, is.case_name, is.op, is.type,      ClausesText(is.clauses),
        {},         is.outcome,   {},    is.error_ulps};
    auto& cases = old_cases[old_backend->second];
    const auto old_case = cases.find(is.case_name);
    if (old_case == cases.end()) {
      comparison.added.push_back(std::move(change));
      continue;
    }
    seen[old_case->second] = true;
    before.Get(old_case->second, &was);
    change.before = was.outcome;
    change.error_before = was.error_ulps;
    if (change.clauses.empty()) change.clauses = ClausesText(was.clauses);
    if (was.outcome != is.outcome) {
      (was.outcome == Outcome::kPass  ? comparison.worse
       : is.outcome == Outcome::kPass ? comparison.better
                                      : comparison.other)
          .push_back(std::move(change));
    } else if (HasGrown(was.error_ulps, is.error_ulps)) {
      comparison.grown.push_back(std::move(change));
    } else {
      ++comparison.same;
    }
  }
  for (const auto& [unused, old_backend] : common) {
    for (size_t i = 0; i < before.size(); ++i) {
      if (seen[i] || before.BackendOf(i) != old_backend) continue;
      before.Get(i, &was);
      comparison.removed.push_back({was.backend,
                                    was.case_name,
                                    was.op,
                                    was.type,
                                    ClausesText(was.clauses),
                                    was.outcome,
                                    {},
                                    was.error_ulps,
                                    {}});
    }
  }
  return comparison;
}

std::string Comparison::ToText() const {
  std::string text =
      fmt::format("Compared with {}: {}.\n", old_file, Counts(*this));
  for (const auto& [title, changes] : Sections(*this)) {
    if (changes.empty()) continue;
    text += fmt::format("{}:\n", title);
    for (size_t i = 0; i < changes.size() && i < kMaxChanges; ++i)
      text += fmt::format("  {} {} {}: {}\n", changes[i].backend,
                          changes[i].case_name, changes[i].type,
                          Describe(changes[i]));
    if (changes.size() > kMaxChanges)
      text += fmt::format("  and {} more\n", changes.size() - kMaxChanges);
  }
  return text;
}

std::string Comparison::ToMarkdown() const {
  std::string text =
      fmt::format("\n### Compared with {}\n\n{}.\n", MarkdownText(old_file),
                  MarkdownText(Counts(*this)));
  for (const auto& [title, changes] : Sections(*this)) {
    if (changes.empty()) continue;
    text += fmt::format(
        "\n#### {}\n\n| backend | case | type | change |\n"
        "|:--|:--|:--|:--|\n",
        title);
    for (size_t i = 0; i < changes.size() && i < kMaxChanges; ++i)
      text += fmt::format(
          "| {} | {} | {} | {} |\n", MarkdownText(changes[i].backend),
          MarkdownText(changes[i].case_name), MarkdownText(changes[i].type),
          MarkdownText(Describe(changes[i])));
    if (changes.size() > kMaxChanges)
      text += fmt::format("\nand {} more\n", changes.size() - kMaxChanges);
  }
  return text;
}

}  // namespace assay
