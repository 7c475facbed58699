#include "reports/page/change_section.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "reports/page/html.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMostChangeBytes = 160'000;
constexpr size_t kMostExamples = 3;

struct ChangeKind {
  const char* name;
  const char* css_class;
  const char* title;
  std::vector<CaseChange> Comparison::*changes;
};
constexpr ChangeKind kKinds[] = {
    {"worse", "fail", "✗ passed before", &Comparison::worse},
    {"other", "fail", "≠ another outcome", &Comparison::other},
    {"grown", "known", "↑ error grown", &Comparison::grown},
    {"better", "pass", "✓ pass now", &Comparison::better},
    {"added", "open", "+ added", &Comparison::added},
    {"removed", "none", "− removed", &Comparison::removed}};

// Changes of one cause.
struct ChangeRow {
  const ChangeKind* kind;
  const CaseChange* first;
  int64_t cases = 0;
  std::vector<const CaseChange*> examples;
};

std::string OutcomeText(const std::optional<Outcome>& outcome) {
  return outcome ? Name(*outcome) : "not there";
}

std::string ExampleText(const CaseChange& change) {
  std::string text = HtmlLine(Cut(change.case_name));
  if (change.error_before && change.error_after)
    text += fmt::format(" (error {} → {})", *change.error_before,
                        *change.error_after);
  return text;
}

// Returns the rows of a kind, those with the most cases first.
std::vector<ChangeRow> RowsOf(const ChangeKind& kind,
                              const Comparison& comparison) {
  std::map<std::vector<std::string>, ChangeRow> rows;
  for (const CaseChange& change : comparison.*kind.changes) {
    ChangeRow& row =
        rows[{change.backend, change.op, change.clauses,
              OutcomeText(change.before), OutcomeText(change.after)}];
    if (row.cases++ == 0) {
      row.kind = &kind;
      row.first = &change;
    }
    if (row.examples.size() < kMostExamples) row.examples.push_back(&change);
  }
  std::vector<ChangeRow> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  std::ranges::stable_sort(sorted, std::greater<>(), &ChangeRow::cases);
  return sorted;
}

std::string RowHtml(const ChangeRow& row) {
  const CaseChange& first = *row.first;
  std::string examples;
  for (const CaseChange* change : row.examples)
    examples += (examples.empty() ? "" : ", ") + ExampleText(*change);
  const int64_t more = row.cases - static_cast<int64_t>(row.examples.size());
  if (more > 0) examples += fmt::format(", and {} more", more);
  return fmt::format(
      "<tr class=\"row\" tabindex=\"-1\" data-kind=\"{0}\" data-find=\"{0} {3} "
      "{4} {5}\"><td><span class=\"tag {1}\">{2}</span></td><td "
      "class=\"number\">{6}</td><td>{3}</td><th scope=\"row\">{4}</th><td>{5}"
      "</td><td>{7} → {8}</td><td class=\"by\">{9}</td></tr>\n",
      row.kind->name, row.kind->css_class, row.kind->title,
      HtmlLine(first.backend), HtmlLine(first.op), HtmlLine(first.clauses),
      row.cases, OutcomeText(first.before), OutcomeText(first.after), examples);
}

std::string CountsLine(const Comparison& comparison) {
  std::string text;
  for (const ChangeKind& kind : kKinds)
    text += fmt::format("<span class=\"tag {}\">{}: {}</span> ", kind.css_class,
                        kind.title, (comparison.*kind.changes).size());
  return text + fmt::format("and {} the same.", comparison.same);
}

}  // namespace

PageSection ChangeSection(const Comparison& comparison) {
  BoundedHtml rows(kMostChangeBytes);
  std::string options = "<option value=\"\">every change</option>";
  for (const ChangeKind& kind : kKinds) {
    options +=
        fmt::format("<option value=\"{}\">{}</option>", kind.name, kind.title);
    for (const ChangeRow& row : RowsOf(kind, comparison))
      rows.Add(RowHtml(row));
  }
  std::string text = fmt::format(
      "<section id=\"changes\">\n<h2>Changes</h2>\n<p>Compared with {}{}: "
      "{}</p>\n<p class=\"controls\"><label>Show <select "
      "id=\"kinds\">{}</select></label></p>\n",
      HtmlLine(comparison.old_file),
      comparison.is_of_one_suite
          ? ""
          : ", a run of another suite or another selection",
      CountsLine(comparison), options);
  std::string head = "<thead>\n<tr>";
  constexpr const char* kColumns[] = {"kind", "cases",   "backend",
                                      "op",   "clauses", "outcome"};
  for (size_t i = 0; i < std::size(kColumns); ++i)
    head += fmt::format(
        "<th scope=\"col\"><button type=\"button\" class=\"sort\" "
        "data-column=\"{}\">{}</button></th>",
        i, kColumns[i]);
  head += "<th scope=\"col\">first cases</th></tr>\n</thead>\n";
  text += ScrolledTable("Changes by cause", "id=\"changes-table\"",
                        "<caption>Changes by cause: kind, backend, op, clauses "
                        "and outcome</caption>\n" +
                            head + "<tbody>\n" + rows.text() + "</tbody>\n");
  if (rows.left_out() > 0)
    text +=
        fmt::format("<p class=\"left-out\">{} more causes are left out.</p>\n",
                    rows.left_out());
  return {"changes", "Changes", text + "</section>\n"};
}

}  // namespace assay
