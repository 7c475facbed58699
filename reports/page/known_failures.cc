#include "reports/page/known_failures.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "reports/page/html.h"

namespace assay {
namespace {

constexpr size_t kMostKnownBytes = 50'000;
constexpr size_t kMostKnownReason = 600;

}  // namespace

void KnownFailures::Add(const Expectedness& expectedness, bool passed) {
  if (expectedness.entry == nullptr) return;
  const bool passes_against_it =
      expectedness.kind == Expectedness::Kind::kUnexpectedPass;
  if (passed && !passes_against_it) return;
  Cases& cases = entries_[expectedness.entry];
  ++(passed ? cases.passed : cases.failed);
}

std::string KnownFailures::ToHtml() const {
  if (entries_.empty()) return "";
  std::vector<std::pair<const BaselineEntry*, Cases>> entries(entries_.begin(),
                                                              entries_.end());
  // Waived failures that pass need somebody; then those that waive most.
  std::ranges::sort(entries, [](const auto& a, const auto& b) {
    return std::tuple(-a.second.passed, -a.second.failed, a.first->pattern) <
           std::tuple(-b.second.passed, -b.second.failed, b.first->pattern);
  });
  BoundedHtml rows(kMostKnownBytes);
  for (const auto& [entry, cases] : entries)
    rows.Add(fmt::format(
        "<tr class=\"row\" tabindex=\"-1\" data-find=\"{0}\"><th "
        "scope=\"row\">{0}</th><td class=\"number\">{1}</td><td "
        "class=\"number\">{2}</td><td>{3}</td><td>{4}</td><td>{5}</td><td>{6}"
        "</td></tr>\n",
        HtmlLine(entry->pattern), cases.failed,
        cases.passed > 0 ? fmt::format("✗ {}", cases.passed) : "0",
        HtmlCut(entry->reason, kMostKnownReason), HtmlLine(entry->issue),
        HtmlLine(entry->owner), HtmlLine(entry->expires)));
  std::string text =
      "<section id=\"known\">\n<h2>Known failures</h2>\n" +
      ScrolledTable("Known failures", "",
                    "<caption>Entries of the baseline that decided a "
                    "case</caption>\n<thead>\n<tr><th scope=\"col\">cases"
                    "</th><th scope=\"col\">fail</th><th scope=\"col\">pass "
                    "now</th><th scope=\"col\">reason</th><th "
                    "scope=\"col\">issue</th><th scope=\"col\">owner</th><th "
                    "scope=\"col\">until</th></tr>\n</thead>\n<tbody>\n" +
                        rows.text() + "</tbody>\n");
  if (rows.left_out() > 0)
    text +=
        fmt::format("<p class=\"left-out\">{} more entries are left out.</p>\n",
                    rows.left_out());
  return text + "</section>\n";
}

}  // namespace assay
