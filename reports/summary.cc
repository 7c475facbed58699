// This file counts, and prints the tables that a person reads at the end of a
// run.
#include "reports/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/accuracy_text.h"
#include "reports/baseline.h"
#include "reports/reasons.h"
#include "reports/table.h"
#include "spec/elements.h"
#include "spec/printable_text.h"

namespace assay {
void Summary::Add(const Verdict& verdict) {
  OpTally& row = rows_[verdict.backend][verdict.op];
  ++row.outcomes[verdict.outcome];
  row.elements += verdict.elements;
  row.open += verdict.open;
  ++cases_;
  elements_ += verdict.elements;
  open_ += verdict.open;
  unchecked_literals_ += verdict.unchecked_literals;
  const OpSpec* spec = FindOp(verdict.op);
  if (spec != nullptr && spec->converts && verdict.elements > 0) {
    const std::string from = ElementTypeText(verdict.type);
    conversions_[verdict.backend].emplace(
        from, verdict.result_type.empty() ? from : verdict.result_type);
  }
  if (verdict.accuracy)
    accuracies_[verdict.backend][{verdict.op, verdict.accuracy->type}].Merge(
        *verdict.accuracy);
  if (verdict.chunks) sweeps_ += SweepText(verdict);
  if (!verdict.variant.empty() && IsJudged(verdict.outcome))
    layouts_[verdict.backend][verdict.op][verdict.variant].Add(
        verdict.elements, verdict.distinct_tuples);
  layout_dependent_ += verdict.layout_dependent;
  aliased_ += verdict.aliased;
  not_repeated_ += verdict.not_repeated;
  reordered_ += verdict.reordered;
  packed_ += verdict.packed;
  if (IsJudged(verdict.outcome) && verdict.outcome != Outcome::kPass) {
    Again& again = again_[verdict.backend];
    ++again.failures;
    again.judged += verdict.alone.has_value();
    again.dependent += verdict.alone == Outcome::kPass;
  }
  if (!IsJudged(verdict.outcome))
    ++not_judged_[fmt::format("{}: {}", Name(verdict.outcome),
                              EscapeLine(verdict.message))];
}

bool Summary::OpTally::is_judged() const {
  return std::ranges::any_of(
      outcomes, [](const auto& outcome) { return IsJudged(outcome.first); });
}

std::map<Outcome, int64_t> Summary::Totals() const {
  std::map<Outcome, int64_t> totals;
  for (const auto& [backend, ops] : rows_) {
    for (const auto& [op, row] : ops) {
      for (const auto& [outcome, count] : row.outcomes)
        totals[outcome] += count;
    }
  }
  return totals;
}

int64_t Summary::judged() const {
  int64_t judged = 0;
  for (const auto& [outcome, count] : Totals())
    judged += IsJudged(outcome) ? count : 0;
  return judged;
}

bool Summary::conforms() const {
  return std::ranges::all_of(Totals(), [](const auto& total) {
    return total.first == Outcome::kPass || !IsJudged(total.first);
  });
}

std::string UnseenText(int64_t open, int64_t elements) {
  return fmt::format(
      "Accepted unseen: {} of {} elements, whole or in part, because an open "
      "clause decides them and the policy accepts any value.",
      open, elements);
}

std::string Summary::OpTables() const {
  const std::map<Outcome, int64_t> totals = Totals();
  std::vector<std::string> titles = {"", "cases"};
  for (const auto& [outcome, unused] : totals) titles.push_back(Name(outcome));
  titles.insert(titles.end(), {"elements", "any"});
  std::string text;
  for (const auto& [backend, ops] : rows_) {
    titles.front() = EscapeLine(backend);
    TextTable table(titles);
    const auto add = [&](const std::string& name, const OpTally& row) {
      int64_t cases = 0;
      for (const auto& [outcome, count] : row.outcomes) cases += count;
      std::vector<std::string> cells = {name, std::to_string(cases)};
      for (const auto& [outcome, unused] : totals) {
        const auto it = row.outcomes.find(outcome);
        cells.push_back(
            std::to_string(it == row.outcomes.end() ? 0 : it->second));
      }
      cells.push_back(std::to_string(row.elements));
      cells.push_back(std::to_string(row.open));
      table.Add(cells);
    };
    OpTally total;
    std::vector<std::string> not_judged;
    for (const auto& [op, row] : ops) {
      if (row.is_judged()) {
        add("  " + EscapeLine(op), row);
      } else {
        not_judged.push_back(op);
      }
      for (const auto& [outcome, count] : row.outcomes)
        total.outcomes[outcome] += count;
      total.elements += row.elements;
      total.open += row.open;
    }
    add("  total", total);
    text += "\n" + table.ToText();
    if (!not_judged.empty())
      text += fmt::format("{}: of {} of {} ops nothing was judged: {}\n",
                          EscapeLine(backend), not_judged.size(), ops.size(),
                          fmt::join(not_judged, " "));
  }
  return text;
}

std::string Summary::MeasuredText() const {
  std::string text;
  for (const auto& [backend, ops] : layouts_) text += LayoutTable(backend, ops);
  for (const auto& [backend, rows] : accuracies_)
    text += AccuracyText(backend, rows);
  for (const auto& [backend, pairs] : conversions_)
    text += fmt::format(
        "Conversions judged on {}: {} of {} pairs of element types.\n", backend,
        pairs.size(), ElementTypes().size() * ElementTypes().size());
  return text;
}

std::string Summary::NotJudgedText() const {
  std::string text;
  if (cases_ == 0) {
    text += "Nothing was judged: there is no case.\n";
  } else if (not_judged_.empty()) {
    text += "Every case was judged.\n";
  } else {
    text +=
        fmt::format("Not judged: {} of {} cases.\n", cases_ - judged(), cases_);
    int64_t rest = 0;
    const auto reasons = FoldedReasons(not_judged_, kMaxReasonsOnTerminal);
    for (size_t i = 0; i < reasons.size(); ++i) {
      if (i < kMaxReasonsOnTerminal) {
        text += fmt::format("{:>8}  {}\n", reasons[i].first, reasons[i].second);
      } else {
        rest += reasons[i].first;
      }
    }
    if (rest > 0)
      text += fmt::format("{:>8}  for {} other reasons; --out has them\n", rest,
                          reasons.size() - kMaxReasonsOnTerminal);
  }
  if (elements_ > 0) text += UnseenText(open_, elements_) + "\n";
  if (unchecked_literals_ > 0)
    text += fmt::format(
        "{} literal expectation(s) follow an open result in their program, or "
        "hold under another policy, and were not compared with the oracle.\n",
        unchecked_literals_);
  if (aliased_ > 0)
    text += fmt::format(
        "{} result(s) lay in the memory of an operand: whether every element "
        "was written, and whether the operand was changed, is not judged there."
        "\n",
        aliased_);
  if (packed_ > 0)
    text += fmt::format(
        "{} case(s) have layouts, or results in place, that were not judged: "
        "whole programs take packed tensors.\n",
        packed_);
  if (layout_dependent_ > 0)
    text += fmt::format(
        "{} element(s) had other bits than in row-major order; the policy only "
        "counts them.\n",
        layout_dependent_);
  if (not_repeated_ > 0)
    text += fmt::format(
        "{} element(s) had other bits in a second run of the same call, and "
        "were right in both; the policy only counts them.\n",
        not_repeated_);
  if (reordered_ > 0)
    text += fmt::format(
        "{} element(s) are sums of products that are fused, or of terms in "
        "another order than reduce has them; the policy only counts them.\n",
        reordered_);
  for (const auto& [backend, again] : again_) {
    if (again.judged == 0) continue;
    text += fmt::format(
        "{}: {} failure(s) were judged again alone, first in a new process, {} "
        "were not; {} of them passed there, and depend on earlier calls.\n",
        backend, again.judged, again.failures - again.judged, again.dependent);
  }
  return text;
}

std::string Summary::TotalText() const {
  const std::map<Outcome, int64_t> totals = Totals();
  const auto pass = totals.find(Outcome::kPass);
  const int64_t passed = pass == totals.end() ? 0 : pass->second;
  return fmt::format("{} passed, {} failed, {} skipped", passed,
                     judged() - passed, cases_ - judged());
}

std::string FailureText(const Verdict& verdict) {
  std::string text =
      fmt::format("{} {} {}  backend {}\n  {}\n", Name(verdict.outcome),
                  EscapeLine(verdict.case_name), EscapeLine(verdict.type),
                  EscapeLine(verdict.backend), IndentRest(verdict.message));
  if (!verdict.replay.empty())
    text += fmt::format("  replay: {}\n", EscapeLine(verdict.replay));
  return text;
}

void ConstraintCoverage::Add(const Verdict& verdict) {
  const OpSpec* spec = FindOp(verdict.op);
  if (spec == nullptr) return;  // results of another version
  ops_.insert(spec->Family());
  if (verdict.outcome != Outcome::kPass) return;
  for (const ConstraintSpec& constraint : spec->constraints) {
    const std::string name = spec->Family() + "/" + constraint.label;
    const bool violated =
        std::ranges::find(verdict.violated, constraint.label) !=
        verdict.violated.end();
    (violated ? violated_ : held_).insert(name);
    if (violated && verdict.violated.size() == 1) violated_alone_.insert(name);
  }
}

ConstraintCoverage::State ConstraintCoverage::Of(
    const OpSpec& op, const ConstraintSpec& constraint) const {
  const std::string name = op.id + "/" + constraint.label;
  if (!constraint.needs.empty()) return State::kNeeds;
  if (!ops_.contains(op.id)) return State::kNotAsked;
  if (!held_.contains(name)) return State::kNeverHeld;
  if (!constraint.never.empty())
    return violated_.contains(name) ? State::kViolatedAfterAll
                                    : State::kNeverAlone;
  if (!constraint.policy.empty() && !violated_.contains(name))
    return State::kOpen;
  if (constraint.never_alone.empty())
    return violated_alone_.contains(name) ? State::kComplete
                                          : State::kNeverViolatedAlone;
  if (violated_alone_.contains(name)) return State::kViolatedAloneAfterAll;
  return violated_.contains(name) ? State::kNeverAlone : State::kNeverViolated;
}

std::string ConstraintCoverage::Text(State state) {
  switch (state) {
    case State::kNeverHeld:
      return "never shown true";
    case State::kNeverViolated:
      return "never violated";
    case State::kNeverViolatedAlone:
      return "never violated alone";
    case State::kViolatedAfterAll:
      return "says never, but a case violates it";
    case State::kViolatedAloneAfterAll:
      return "says never_alone, but a case violates it alone";
    default:
      return "";
  }
}

ConstraintCoverage::Gaps ConstraintCoverage::Check() const {
  Gaps gaps;
  for (const OpSpec* described : OpsAndElements()) {
    const OpSpec& spec = *described;
    if (!ops_.contains(spec.id)) continue;
    for (const ConstraintSpec& constraint : spec.constraints) {
      ++gaps.constraints;
      const State state = Of(spec, constraint);
      if (state == State::kNeeds) ++gaps.needs;
      if (state == State::kOpen) ++gaps.open;
      if (state == State::kNeverAlone) ++gaps.never_alone;
      if (state == State::kComplete) ++gaps.complete;
      if (const std::string text = Text(state); !text.empty())
        gaps.missing.push_back(
            fmt::format("{}/{}: {}", spec.id, constraint.label, text));
    }
  }
  return gaps;
}

std::string ConstraintCoverage::ToText() const {
  const Gaps gaps = Check();
  std::string text = fmt::format(
      "Constraints: {}. Shown true and violated alone: {}. True, and violated "
      "only together with others, or never (the op file says why): {}. "
      "Not exercised, because they need quantized types: {}. Missing: {}.\n",
      gaps.constraints, gaps.complete, gaps.never_alone, gaps.needs,
      gaps.missing.size());
  if (gaps.open > 0)
    text += fmt::format(
        "Not violated, because a policy decides whether they can be: {}.\n",
        gaps.open);
  for (const std::string& missing : gaps.missing) text += "  " + missing + "\n";
  return text;
}

}  // namespace assay
