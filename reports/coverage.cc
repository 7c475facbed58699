// The text has one line per constraint and clause, and the sum of what is
// missing at the end.
#include "reports/coverage.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "backends/host/loader.h"
#include "cases/run/executed_clauses.h"
#include "reports/baseline.h"
#include "spec/elements.h"

namespace assay {
namespace {

constexpr std::string_view kByCase = "case ";

// Returns the name in "case add/x" in the field `judged` of a clause, or an
// empty text if a test judges it.
std::string NamedCase(const ClauseSpec& clause) {
  if (!clause.judged.starts_with(kByCase)) return "";
  return clause.judged.substr(kByCase.size());
}

std::string Listed(const char* title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = fmt::format("{}: {}\n", title, lines.size());
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

}  // namespace

void Coverage::Judged::Add(const Verdict& verdict) {
  const size_t index = static_cast<size_t>(std::max<int64_t>(verdict.index, 0));
  if (cases.size() <= index) cases.resize(index + 1);
  cases[index] = true;
  types.insert(ElementTypeText(verdict.type));
  layouts.insert(verdict.layouts.begin(), verdict.layouts.end());
  ++outcomes[verdict.outcome];
}

int64_t Coverage::Judged::Cases() const {
  return std::ranges::count(cases, true);
}

void Coverage::Add(const Verdict& verdict) {
  const OpSpec* op = FindOp(verdict.op);
  if (op == nullptr || !IsJudged(verdict.outcome)) return;
  if (Backend::IsSpec(verdict.backend)) {
    constraints_.Add(verdict);
    for (const ConstraintSpec& constraint : op->constraints) {
      if (constraint.needs.empty())
        judged_[op->Family() + "/" + constraint.label].Add(verdict);
    }
    // Only the pseudo-backend `spec` executes a trait's clauses.
    for (const std::string& label : verdict.covered)
      judged_[op->id + "/" + label].Add(verdict);
    return;
  }
  for (const std::string& label : verdict.covered)
    judged_[ClauseId(*op, label)].Add(verdict);
  for (const ClauseSpec& clause : op->semantics) {
    if (NamedCase(clause) != verdict.case_name) continue;
    if (verdict.outcome == Outcome::kPass) named_.insert(verdict.case_name);
    judged_[op->Family() + "/" + clause.label].Add(verdict);
  }
}

Coverage::Finding Coverage::Find(const OpSpec& op,
                                 const ClauseSpec& clause) const {
  const std::string id = op.id + "/" + clause.label;
  if (!clause.needs.empty()) return {State::kNeeds, "needs " + clause.needs};
  if (!clause.about.empty()) return {State::kAbout, "about " + clause.about};
  if (const std::string name = NamedCase(clause); !name.empty()) {
    if (named_.contains(name))
      return {State::kMeasured, "judged by case " + name};
    return {State::kMissing, fmt::format("case {} passes nowhere", name)};
  }
  if (!clause.judged.empty())
    return {State::kElsewhere, "judged by " + clause.judged};
  if (const auto power = evidence_.power.find(id);
      power != evidence_.power.end()) {
    if (power->second.breaks.empty())
      return {State::kMissing, "NOT DETECTED: breaking it changes no verdict"};
    return {State::kMeasured,
            fmt::format("breaking it changes {} ({})", power->second.breaks,
                        power->second.outcome)};
  }
  if (!judged_.contains(id)) return {State::kMissing, "no case executes it"};
  return {State::kMarked, "marked, power not measured"};
}

Coverage::Finding Coverage::Find(const OpSpec& op,
                                 const ConstraintSpec& constraint) const {
  using enum ConstraintCoverage::State;
  const auto power = evidence_.power.find(op.id + "/" + constraint.label);
  if (!constraint.policy.empty() && power != evidence_.power.end() &&
      !power->second.breaks.empty())
    return {State::kMeasured,
            fmt::format("breaking it changes {} ({})", power->second.breaks,
                        power->second.outcome)};
  switch (constraints_.Of(op, constraint)) {
    case kNeeds:
      return {State::kNeeds, "needs " + constraint.needs};
    case kComplete:
      return {State::kMeasured, "shown true, and violated alone"};
    case kOpen:
      return {State::kMarked,
              "shown true; policy decides whether it can be "
              "violated; power not measured"};
    case kNeverAlone:
      return {State::kMeasured, "shown true, and violated; never alone: " +
                                    constraint.never_alone};
    case kNotAsked:
      return {State::kMissing,
              "no results of the backend spec, which judges constraints"};
    default:
      return {State::kMissing,
              ConstraintCoverage::Text(constraints_.Of(op, constraint))};
  }
}

void Coverage::CountOne(const std::string& id, const Finding& finding,
                        bool is_open, Totals* totals) {
  const std::string line = id + ": " + finding.text;
  if (finding.state == State::kNeeds) {
    totals->needs.push_back(line);
    return;
  }
  if (finding.state == State::kAbout) {
    totals->about.push_back(line);
    return;
  }
  if (is_open) {
    totals->open.push_back(line);
    return;
  }
  if (finding.state == State::kElsewhere) {
    totals->elsewhere.push_back(line);
    return;
  }
  ++totals->measurable;
  if (finding.state == State::kMeasured) ++totals->measured;
  if (finding.state == State::kMarked) totals->marked.push_back(line);
  if (finding.state == State::kMissing) totals->missing.push_back(line);
}

Coverage::Totals Coverage::Count() const {
  Totals totals;
  for (const OpSpec* described : OpsAndElements()) {
    const OpSpec& op = *described;
    if (!op.family.empty()) continue;
    for (const ConstraintSpec& constraint : op.constraints) {
      Finding finding = Find(op, constraint);
      const bool is_open = !constraint.policy.empty();
      if (is_open)
        finding.text =
            fmt::format("policy {}: {}", constraint.policy, finding.text);
      CountOne(op.id + "/" + constraint.label, finding, is_open, &totals);
    }
    for (const ClauseSpec& clause : op.semantics) {
      Finding finding = Find(op, clause);
      const bool is_open = clause.status != "defined";
      if (is_open && clause.needs.empty())
        finding.text = fmt::format("{}, policy {}: {}", clause.status,
                                   clause.policy, finding.text);
      CountOne(op.id + "/" + clause.label, finding, is_open, &totals);
    }
  }
  return totals;
}

std::string Coverage::Line(const std::string& id, const std::string& label,
                           const std::string& status,
                           const Finding& finding) const {
  std::string text =
      fmt::format("  {:<6} {:<12} {}\n", label, status, finding.text);
  if (const auto it = judged_.find(id); it != judged_.end()) {
    const Judged& judged = it->second;
    std::string outcomes;
    for (const auto& [outcome, count] : judged.outcomes)
      outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", count,
                              Name(outcome));
    text += fmt::format("         {} cases: {}; types {}", judged.Cases(),
                        outcomes, fmt::join(judged.types, " "));
    if (!judged.layouts.empty())
      text += fmt::format("; layouts {}", fmt::join(judged.layouts, " "));
    text += "\n";
  }
  if (const auto it = evidence_.killed.find(id); it != evidence_.killed.end())
    text += fmt::format("         planted bugs killed: {}\n",
                        fmt::join(it->second, " "));
  return text;
}

std::string Coverage::ToText() const {
  std::string text;
  for (const OpSpec* described : OpsAndElements()) {
    const OpSpec& op = *described;
    if (!op.family.empty()) continue;
    text += fmt::format("{}  ({}, lines {}-{})\n", op.id, op.source,
                        op.first_line, op.last_line);
    for (const ConstraintSpec& constraint : op.constraints)
      text +=
          Line(op.id + "/" + constraint.label, constraint.label,
               constraint.policy.empty()
                   ? "constraint"
                   : fmt::format("constraint, policy {}:", constraint.policy),
               Find(op, constraint));
    for (const ClauseSpec& clause : op.semantics)
      text += Line(
          op.id + "/" + clause.label, clause.label,
          clause.policy.empty()
              ? clause.status
              : fmt::format("{}, policy {}:", clause.status, clause.policy),
          Find(op, clause));
    text += "\n";
  }
  const Totals totals = Count();
  text += Listed("Open clauses, decided by a policy", totals.open);
  text += Listed("Not exercised by this version", totals.needs);
  text += Listed("Not about results: no call shows them", totals.about);
  text += Listed("Judged by a test of their own", totals.elsewhere);
  text += Listed(
      "Executed, but not measured (clause power is a file of its "
      "own)",
      totals.marked);
  text += Listed("Missing", totals.missing);
  text += fmt::format(
      "Constraints and defined clauses: {} of {} covered by measurement "
      "({:.1f} %)\n",
      totals.measured, totals.measurable,
      totals.measurable == 0 ? 0.0
                             : 100.0 * static_cast<double>(totals.measured) /
                                   static_cast<double>(totals.measurable));
  return text;
}

}  // namespace assay
