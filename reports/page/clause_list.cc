#include "reports/page/clause_list.h"

#include <fmt/format.h>

#include <vector>

#include "backends/host/loader.h"
#include "cases/run/executed_clauses.h"
#include "reports/page/chart.h"
#include "reports/page/html.h"
#include "reports/page/op_group.h"
#include "spec/elements.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

constexpr std::string_view kByCase = "case ";

constexpr const char* kClasses[] = {"fail", "pass", "open", "none"};
constexpr const char* kSymbols[] = {"✗", "✓", "○", "–"};
constexpr const char* kNames[] = {"failed", "tested", "open", "not yet judged"};

std::string CountsText(const std::array<int64_t, 4>& states) {
  std::string text;
  for (size_t i = 0; i < states.size(); ++i) {
    if (states[i] > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", states[i],
                          kNames[i]);
  }
  return text;
}

}  // namespace

ClauseList::ClauseList() {
  for (const OpSpec* op : OpsAndElements()) {
    if (!op->family.empty()) continue;
    for (const ConstraintSpec& constraint : op->constraints)
      behind_[op->id + "/" + constraint.label];
    for (const ClauseSpec& clause : op->semantics) {
      const std::string id = op->id + "/" + clause.label;
      behind_[id];
      if (clause.judged.starts_with(kByCase))
        named_.emplace(clause.judged.substr(kByCase.size()), id);
    }
  }
}

void ClauseList::AddCase(const std::string& id, const Verdict& verdict,
                         bool failed) {
  const auto it = behind_.find(id);
  if (it == behind_.end()) return;
  Cases& cases = it->second[verdict.backend];
  if (failed ? cases.failed == 0 : cases.failed + cases.passed == 0)
    cases.example = verdict.case_name;
  ++(failed ? cases.failed : cases.passed);
}

void ClauseList::Add(const Verdict& verdict) {
  if (!IsJudged(verdict.outcome)) return;
  if (verdict.outcome != Outcome::kPass) {
    for (const std::string& id : verdict.clauses) AddCase(id, verdict, true);
    return;
  }
  if (Backend::IsSpec(verdict.backend)) {
    constraints_.Add(verdict);
    has_constraints_ = true;
  }
  const OpSpec* op = FindOp(verdict.op);
  if (op == nullptr) return;
  for (const std::string& label : verdict.covered)
    AddCase(ClauseId(*op, label), verdict, false);
  const auto [first, last] = named_.equal_range(verdict.case_name);
  for (auto it = first; it != last; ++it) AddCase(it->second, verdict, false);
}

ClauseList::State ClauseList::StateOf(const std::string& id,
                                      bool is_open) const {
  bool is_tested = false;
  for (const auto& [backend, cases] : behind_.at(id)) {
    if (cases.failed > 0) return State::kFailed;
    is_tested = true;
  }
  return is_open ? State::kOpen : is_tested ? State::kTested : State::kNotYet;
}

ClauseList::Sentence ClauseList::Of(const OpSpec& op, const ClauseSpec& clause,
                                    const Coverage* coverage) const {
  const std::string id = op.id + "/" + clause.label;
  Sentence sentence{id,
                    clause.label,
                    clause.text,
                    clause.when,
                    StateOf(id, clause.status != "defined"),
                    ""};
  const auto note = [&](const std::string& text) {
    if (text.empty()) return;
    if (!sentence.note.empty()) sentence.note += "; ";
    sentence.note += text;
  };
  if (clause.status != "defined")
    note(clause.status +
         (clause.policy.empty() ? "" : ", policy key " + clause.policy));
  if (!clause.needs.empty()) note("needs " + clause.needs);
  if (!clause.about.empty()) note("about " + clause.about);
  if (!clause.judged.empty()) note("judged by " + clause.judged);
  if (coverage != nullptr) sentence.measured = coverage->Find(op, clause).text;
  return sentence;
}

ClauseList::Sentence ClauseList::Of(const OpSpec& op,
                                    const ConstraintSpec& constraint,
                                    const Coverage* coverage) const {
  const std::string id = op.id + "/" + constraint.label;
  Sentence sentence{id,
                    constraint.label,
                    constraint.Text(),
                    "",
                    StateOf(id, !constraint.policy.empty()),
                    ""};
  if (sentence.state == State::kNotYet) {
    using enum ConstraintCoverage::State;
    const ConstraintCoverage::State shown = constraints_.Of(op, constraint);
    if (shown == kComplete || shown == kNeverAlone) {
      sentence.state = State::kTested;
      sentence.note = shown == kComplete ? "shown true, and violated alone"
                                         : "shown true, and violated";
    } else {
      if (has_constraints_) sentence.note = ConstraintCoverage::Text(shown);
      if (!constraint.needs.empty())
        sentence.note = "needs " + constraint.needs;
    }
  }
  if (!constraint.policy.empty())
    sentence.note = "policy key " + constraint.policy;
  // Without results of `spec`, the section says once what all of them lack.
  if (coverage != nullptr && has_constraints_)
    sentence.measured = coverage->Find(op, constraint).text;
  return sentence;
}

std::string ClauseList::BehindHtml(const Sentence& sentence,
                                   Detail detail) const {
  std::string text;
  for (const auto& [backend, cases] : behind_.at(sentence.id)) {
    if (detail == Detail::kFailures && cases.failed == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : "; ", HtmlLine(backend));
    if (cases.failed > 0) text += fmt::format(" ✗ {}", cases.failed);
    if (cases.passed > 0) text += fmt::format(" ✓ {}", cases.passed);
    if (detail == Detail::kExamples ||
        (detail == Detail::kCounts && cases.failed > 0))
      text += fmt::format(" ({})", HtmlLine(Cut(cases.example)));
  }
  return text.empty() ? "" : " <span class=\"by\">" + text + "</span>";
}

std::string ClauseList::SentenceHtml(const Sentence& sentence,
                                     Detail detail) const {
  const auto state = static_cast<size_t>(sentence.state);
  return fmt::format(
      "<li class=\"clause {}\" id=\"{}\"><span class=\"sym\">{}</span> "
      "<b>{}</b> <q>{}</q>{}{}{}</li>\n",
      kClasses[state], HtmlId("s-", sentence.id), kSymbols[state],
      HtmlLine(sentence.label), HtmlLine(sentence.text),
      sentence.note.empty()
          ? ""
          : " <span class=\"muted\">[" + HtmlLine(sentence.note) + "]</span>",
      BehindHtml(sentence, detail),
      sentence.measured.empty() ? ""
                                : "<div class=\"measured\">" +
                                      HtmlLine(sentence.measured) + "</div>");
}

std::string ClauseList::OpHtml(const OpSpec& op, const Coverage* coverage,
                               Detail detail,
                               std::array<int64_t, 4>* states) const {
  std::array<int64_t, 4> own = {};
  std::string semantics, constraints;
  const auto add = [&](const Sentence& sentence, std::string* list) {
    ++own[static_cast<size_t>(sentence.state)];
    *list += SentenceHtml(sentence, detail);
  };
  for (const ClauseSpec& clause : op.semantics)
    add(Of(op, clause, coverage), &semantics);
  for (const ConstraintSpec& constraint : op.constraints)
    add(Of(op, constraint, coverage), &constraints);
  for (size_t i = 0; i < own.size(); ++i) (*states)[i] += own[i];
  const auto list = [](const char* title, const std::string& items) {
    return items.empty()
               ? ""
               : fmt::format("<h3>{}</h3>\n<ul class=\"clauses\">\n{}</ul>\n",
                             title, items);
  };
  const std::array<BarPart, 4> parts = {BarPart{"fail", own[0]},
                                        {"pass", own[1]},
                                        {"open", own[2]},
                                        {"none", own[3]}};
  return fmt::format(
      "<details class=\"op row\" id=\"{}\" tabindex=\"-1\" data-find=\"{} "
      "{}\"><summary><b>{}</b> <span>{}</span> <span class=\"muted\">{}; {}, "
      "lines {} to {}</span></summary>\n{}{}</details>\n",
      HtmlId("spec-", op.id), HtmlLine(op.id), own[0] > 0 ? "failed" : "",
      HtmlLine(op.id),
      detail == Detail::kFailures ? "" : StackedBar(parts, CountsText(own)),
      CountsText(own), HtmlLine(op.source), op.first_line, op.last_line,
      list("Semantics", semantics), list("Constraints", constraints));
}

std::string ClauseList::ToHtml(const Coverage* coverage,
                               size_t most_bytes) const {
  std::array<int64_t, 4> states;
  BoundedHtml list(0);
  Detail detail = Detail::kExamples;
  for (const Detail each :
       {Detail::kExamples, Detail::kCounts, Detail::kFailures}) {
    states = {};
    detail = each;
    list = BoundedHtml(most_bytes);
    for (const OpSpec* op : OpsAndElements()) {
      if (op->family.empty()) list.Add(OpHtml(*op, coverage, each, &states));
    }
    if (list.left_out() == 0) break;
  }
  std::string text = fmt::format(
      "<section id=\"specification\">\n<h2>Specification</h2>\n<p>Sentences as "
      "the op files quote them, and constraints: {}. <span class=\"tag "
      "pass\">✓ tested</span> a case that executes it passes; <span "
      "class=\"tag fail\">✗ failed</span> it decided a failure; <span "
      "class=\"tag open\">○ open</span> the text leaves it open, and the "
      "policy "
      "decides; <span class=\"tag none\">– not yet judged</span> no case of "
      "this run executes it.</p>\n",
      CountsText(states));
  if (coverage != nullptr) {
    const Coverage::Totals totals = coverage->Count();
    text += fmt::format(
        "<p>Covered by measurement: {} of {} constraints and defined clauses "
        "({}).</p>\n",
        totals.measured, totals.measurable,
        ShareText(totals.measured, totals.measurable));
  }
  if (!has_constraints_)
    text +=
        "<p>Constraints are judged by the backend `spec`; this run has no "
        "results of it.</p>\n";
  if (detail != Detail::kExamples)
    text += fmt::format("<p class=\"left-out\">{} are left out.</p>\n",
                        detail == Detail::kCounts
                            ? "Names of cases that pass"
                            : "Names of cases, and backends on which a "
                              "sentence only passes,");
  text += list.text();
  if (list.left_out() > 0)
    text += fmt::format("<p class=\"left-out\">{} more ops are left out.</p>\n",
                        list.left_out());
  return text + "</section>\n";
}

}  // namespace assay
