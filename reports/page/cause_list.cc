#include "reports/page/cause_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/baseline.h"
#include "reports/page/html.h"
#include "spec/elements.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr size_t kMostMessage = 3000, kMostJson = 6000, kMostReplay = 2000;
constexpr size_t kMostNames = 12, kMostTypes = 12;
constexpr size_t kMostShown = 400;
// A run whose every case fails in its own way must not fill the memory: of
// later causes the number of cases is known, and nothing else.
constexpr size_t kMostDetailed = 2000;

// Adds a text, of which at most kMostTypes are kept.
void AddSome(const std::string& text, std::set<std::string>* texts) {
  if (texts->size() < kMostTypes) texts->insert(text);
}

// Returns a text with a button that copies it. JavaScript shows the button.
std::string Copied(const std::string& what, const std::string& html,
                   const std::string& id, const char* tag) {
  return fmt::format(
      "<div class=\"copied\"><{0} id=\"{1}\">{2}</{0}><button "
      "type=\"button\" class=\"copy\" data-of=\"{1}\" aria-label=\"Copy {3}\">"
      "Copy</button></div>",
      tag, id, html, what);
}

// Lines with what was expected and what came are marked.
std::string MessageHtml(const std::string& message) {
  const std::string html = HtmlCut(message, kMostMessage);
  std::string text;
  size_t begin = 0;
  while (begin < html.size()) {
    const size_t end = std::min(html.find('\n', begin), html.size());
    const std::string_view line =
        std::string_view(html).substr(begin, end - begin);
    const size_t word = line.find_first_not_of(' ');
    const std::string_view rest =
        word == std::string_view::npos ? "" : line.substr(word);
    const char* kind = rest.starts_with("expected ") ? "expected"
                       : rest.starts_with("actual ") ? "actual"
                                                     : nullptr;
    text += kind == nullptr
                ? std::string(line)
                : fmt::format("<span class=\"{}\">{}</span>", kind, line);
    if (end < html.size()) text += '\n';
    begin = end + 1;
  }
  return text;
}

// Returns the ids of the clauses that decided, as links, and in full what they
// say.
std::string ClausesHtml(const Verdict& verdict, bool in_full) {
  std::string text;
  for (const std::string& id : verdict.clauses) {
    const size_t slash = id.find('/');
    const OpSpec* op = FindOp(id.substr(0, slash));
    const ClauseSpec* clause = op == nullptr || slash == std::string::npos
                                   ? nullptr
                                   : op->Clause(id.substr(slash + 1));
    text += fmt::format(
        "<div class=\"quote\"><a href=\"#{}\">{}</a>{}</div>", HtmlId("s-", id),
        HtmlLine(id),
        clause == nullptr || !in_full
            ? ""
            : fmt::format(" <q>{}</q>{}", HtmlLine(clause->text),
                          clause->when.empty()
                              ? ""
                              : " (" + HtmlLine(clause->when) + ")"));
  }
  return text;
}

// Returns "convert/S7, float to integer": what the failures have in common
// besides what has a column of its own.
std::string WhatText(const Verdict& verdict) {
  const std::string types = TypeClassText(verdict);
  return verdict.clauses.empty()
             ? types
             : fmt::format("{}, {}", fmt::join(verdict.clauses, ", "), types);
}

std::string Row(const char* name, const std::string& html) {
  return html.empty() ? ""
                      : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, html);
}

std::string Joined(const std::set<std::string>& texts) {
  return HtmlLine(fmt::format("{}", fmt::join(texts, ", "))) +
         (texts.size() < kMostTypes ? "" : " ..");
}

// Returns the case of a cause as a file has it, or why it is not shown.
std::string JsonHtml(const std::string& json, const std::string& id) {
  if (json.empty())
    return "<p class=\"muted\">The case as JSON is not at hand; `assay "
           "explain` shows its values.</p>\n";
  if (json.size() > kMostJson)
    return fmt::format(
        "<p class=\"muted\">The case as JSON has {} bytes, and is left out; "
        "`assay shrink` makes it smaller.</p>\n",
        json.size());
  return Copied("the case as JSON", HtmlText(json), id + "-json", "pre") + "\n";
}

}  // namespace

void CauseList::Add(const Verdict& verdict) {
  const size_t number = causes_.Add(verdict);
  if (number >= kMostDetailed) return;
  if (number == details_.size()) details_.push_back({verdict, {}, {}, {}, {}});
  Details& details = details_[number];
  if (verdict.elements > 0 && verdict.elements < details.smallest.elements)
    details.smallest = verdict;
  AddSome(ElementTypeText(verdict.type), &details.types);
  for (const std::string& layout : verdict.layouts)
    AddSome(layout, &details.layouts);
  if (!verdict.variant.empty()) AddSome(verdict.variant, &details.layouts);
  if (details.cases.size() < kMostNames)
    details.cases.push_back(verdict.case_name);
  if (verdict.error_ulps)
    details.worst = std::max(details.worst.value_or(0), *verdict.error_ulps);
  details.dependent += verdict.alone == Outcome::kPass;
}

std::string CauseList::FactsHtml(size_t number, bool in_full) const {
  const Details& details = details_[number];
  const Verdict& smallest = details.smallest;
  std::string text = Row("Types", Joined(details.types));
  if (in_full)
    text += Row("Backend", HtmlLine(smallest.backend)) +
            Row("Layouts", Joined(details.layouts));
  if (details.worst)
    text += Row("Worst error",
                fmt::format("{} units in the last place", *details.worst));
  if (in_full) text += Row("Basis", HtmlLine(smallest.basis));
  text += Row("Clause", ClausesHtml(smallest, in_full));
  if (details.dependent > 0)
    text += Row("Earlier calls",
                fmt::format("{} of the cases that were judged again pass alone",
                            details.dependent));
  return text;
}

std::string CauseList::NamesHtml(size_t number) const {
  const int64_t cases = causes_[number].cases;
  const std::vector<std::string>& shown = details_[number].cases;
  std::string names;
  for (const std::string& name : shown)
    names += "<li>" + HtmlName(name) + "</li>";
  const int64_t more = cases - static_cast<int64_t>(shown.size());
  if (more > 0) names += fmt::format("<li>and {} more</li>", more);
  return fmt::format(
      "<details class=\"names\"><summary>{} cases</summary><ul>{}</ul>"
      "</details>\n",
      cases, names);
}

std::string CauseList::CauseHtml(size_t number, size_t rank,
                                 const RunHeader& header,
                                 const std::string* json) const {
  const Cause& cause = causes_[number];
  const Details& details = details_[number];
  const Verdict& smallest = details.smallest;
  const std::string id = fmt::format("c{}", rank);
  const bool in_full = json != nullptr;
  std::string body =
      (in_full ? "<p>" + HtmlLine(TriageText(smallest)) + "</p>\n" : "") +
      "<dl>\n" + FactsHtml(number, in_full) +
      "</dl>\n<h3>Smallest case: " + HtmlLine(smallest.case_name) + " " +
      HtmlLine(smallest.type) + "</h3>\n";
  if (!smallest.message.empty())
    body +=
        "<pre class=\"facts\">" + MessageHtml(smallest.message) + "</pre>\n";
  if (!smallest.replay.empty() && smallest.replay.size() <= kMostReplay)
    body += Copied("the replay command", HtmlLine(smallest.replay),
                   id + "-replay", "code") +
            "\n";
  if (in_full && smallest.case_name.size() <= kMostReplay)
    body += Copied("the command that explains it",
                   HtmlLine(ExplainCommand(header, smallest)), id + "-explain",
                   "code") +
            "\n";
  if (in_full) body += JsonHtml(*json, id) + NamesHtml(number);
  return fmt::format(
      "<li class=\"cause row\" id=\"{0}\" tabindex=\"-1\" data-op=\"{1}\" "
      "data-backend=\"{2}\" data-cases=\"{3}\" data-outcome=\"{4}\" "
      "data-find=\"{1} {2} {4} {5} {6}\"><details><summary><span "
      "class=\"count\">{3}</span> <span><span class=\"tag fail\">✗ {4}</span>"
      "</span> <b>{1}</b> <span>{5}</span> <span class=\"muted\">on {2}</span> "
      "<span class=\"muted triage\">{7}</span></summary>\n<div "
      "class=\"body\">\n{8}</div></details></li>\n",
      id, HtmlName(smallest.op), HtmlName(smallest.backend), cause.cases,
      Name(smallest.outcome), HtmlLine(WhatText(smallest)),
      HtmlName(smallest.case_name), HtmlLine(TriageText(smallest)), body);
}

std::vector<size_t> CauseList::LargestOfEach() const {
  std::map<std::string, size_t> ranks;  // by backend
  std::vector<std::pair<size_t, size_t>> numbers;
  for (const size_t number : causes_.Largest())
    numbers.emplace_back(ranks[causes_[number].example.backend]++, number);
  std::ranges::stable_sort(numbers, {}, &std::pair<size_t, size_t>::first);
  std::vector<size_t> sorted;
  for (const auto& [rank, number] : numbers) sorted.push_back(number);
  return sorted;
}

std::string CauseList::ToHtml(const RunHeader& header,
                              const CasesAsJson& cases_as_json,
                              size_t most_bytes) const {
  std::string text = "<section id=\"causes\">\n<h2>Causes of failures</h2>\n";
  if (causes_.size() == 0)
    return text + "<p>Nothing fails that is not known.</p>\n</section>\n";
  text += fmt::format(
      "<p>{} cases fail, of {} causes: failures of one backend, op, outcome, "
      "basis, clause and class of types.</p>\n"
      "<p class=\"controls\"><label>Sort by <select id=\"order\"><option "
      "value=\"cases\">number of cases</option><option value=\"op\">op</option>"
      "<option value=\"backend\">backend</option><option "
      "value=\"outcome\">outcome</option></select></label> <button "
      "type=\"button\" id=\"all-causes\" hidden>Show all causes</button> <span "
      "class=\"muted\" id=\"causes-shown\" role=\"status\"></span></p>\n",
      causes_.failures() + more_cases_, causes_.size() + more_causes_);
  BoundedHtml list(most_bytes);
  const std::vector<size_t> numbers =
      cases_as_json ? causes_.Largest() : LargestOfEach();
  std::vector<const Verdict*> shown;
  for (const size_t number : numbers) {
    if (shown.size() == kMostShown || number >= details_.size()) break;
    shown.push_back(&details_[number].smallest);
  }
  std::vector<std::string> texts(shown.size());
  if (cases_as_json) texts = cases_as_json(shown);
  int64_t left_out = more_causes_, cases = more_cases_;
  bool is_full = false;
  for (size_t i = 0; i < numbers.size(); ++i) {
    is_full = is_full || i >= shown.size() ||
              !list.Add(CauseHtml(numbers[i], i + 1, header,
                                  cases_as_json ? &texts[i] : nullptr));
    if (!is_full) continue;
    ++left_out;
    cases += causes_[numbers[i]].cases;
  }
  text += "<ol class=\"causes\" id=\"cause-list\">\n" + list.text() + "</ol>\n";
  if (left_out > 0)
    text += fmt::format(
        "<p class=\"left-out\">{} cases of {} more causes are left out; the "
        "results file has all of them.</p>\n",
        cases, left_out);
  return text + "</section>\n";
}

}  // namespace assay
