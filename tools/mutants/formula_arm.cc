#include "tools/mutants/formula_arm.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "cases/read/pattern.h"
#include "cases/run/parallel.h"
#include "fuzz/campaign/finding_text.h"
#include "reports/progress.h"
#include "reports/table.h"
#include "tools/mutants/call_neighbours.h"
#include "tools/mutants/formula_mutants.h"

namespace assay {

// The build generates this from equivalent_formulas.json.
extern const char kEquivalentFormulas[];

namespace {

// Of each formula that has more.
constexpr size_t kMostMutants = 10;
// That a mutant is held against which no case kills.
constexpr uint64_t kNeighbours = 10000;

// Of constraints that are false.
using Labels = std::set<std::string>;

Labels FalseLabels(const OpSpec& spec, const Op& call) {
  Labels labels;
  for (const ConstraintResult& result : CheckConstraints(spec, call)) {
    if (result.truth == Truth::kFalse) labels.insert(result.constraint->label);
  }
  return labels;
}

// The constraints that calls violate by the right formulas.
class RightLabels {
 public:
  RightLabels(const OpSpec& spec, std::vector<Op> calls)
      : calls_(std::move(calls)) {
    for (const Op& call : calls_) labels_.push_back(FalseLabels(spec, call));
  }

  // Returns a call that violates others by the mutant, or nullptr.
  const Op* FindKill(const FormulaMutant& mutant) const {
    Labels of_mutant;
    for (const ConstraintSpec& constraint : mutant.spec.constraints)
      of_mutant.insert(constraint.label);
    for (size_t i = 0; i < calls_.size(); ++i) {
      Labels right;
      std::ranges::set_intersection(labels_[i], of_mutant,
                                    std::inserter(right, right.end()));
      if (FalseLabels(mutant.spec, calls_[i]) != right) return &calls_[i];
    }
    return nullptr;
  }

  const std::vector<Op>& calls() const { return calls_; }

 private:
  std::vector<Op> calls_;
  std::vector<Labels> labels_;
};

std::string NameIn(const FormulaMutant& mutant) {
  return mutant.label + " " + mutant.change;
}

// Adds the calls of each op in a case of that op, each once.
void AddCalls(const Case& c, std::set<std::string>* seen,
              std::map<std::string, std::vector<Op>>* calls) {
  const std::function<void(const Function&)> add = [&](const Function& f) {
    for (const Op& op : f.body) {
      for (const Function& region : op.regions) add(region);
      if (op.op != c.op) continue;
      Op call = WithTypesAlone(op);
      if (seen->insert(Describe(call)).second)
        (*calls)[op.op].push_back(std::move(call));
    }
  };
  for (const Function& function : c.program.functions) add(function);
}

}  // namespace

FormulaArm::FormulaArm(std::vector<std::string> ops, bool all)
    : ops_(std::move(ops)), all_(all) {
  for (const auto& entry : nlohmann::json::parse(kEquivalentFormulas)) {
    for (const std::string name : entry.at("mutants")) {
      const size_t space = name.find(' ');
      equivalent_[name.substr(0, space)].insert(name.substr(space + 1));
    }
  }
}

FormulaReport FormulaArm::Run(const std::vector<Case>& suite) const {
  std::map<std::string, std::vector<Op>> calls;
  std::set<std::string> seen;
  for (const Case& c : suite) AddCalls(c, &seen, &calls);
  std::vector<const OpSpec*> specs;
  for (const OpSpec& spec : Ops()) {
    const bool is_chosen =
        ops_.empty() ||
        std::ranges::any_of(ops_, [&](const std::string& pattern) {
          return Matches(pattern, spec.id, "");
        });
    if (is_chosen && spec.family.empty()) specs.push_back(&spec);
  }
  Progress progress("formulas", std::ssize(specs));
  std::vector<FormulaReport> reports(specs.size());
  ForEachInParallel(
      specs.size(),
      static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
      [&](size_t i) {
        reports[i] = RunOp(*specs[i], calls[specs[i]->id]);
        progress.Step(specs[i]->id);
      });
  FormulaReport sum;
  const auto append = [](auto* to, auto& from) {
    to->insert(to->end(), from.begin(), from.end());
  };
  for (FormulaReport& report : reports) {
    sum.formulas += report.formulas;
    sum.ops += report.ops;
    sum.mutants += report.mutants;
    sum.killed += report.killed;
    sum.equivalent += report.equivalent;
    sum.unparsed += report.unparsed;
    sum.untyped += report.untyped;
    append(&sum.survivors, report.survivors);
    append(&sum.refuted, report.refuted);
    append(&sum.stale, report.stale);
  }
  return sum;
}

FormulaReport FormulaArm::RunOp(const OpSpec& spec,
                                const std::vector<Op>& calls) const {
  FormulaReport report;
  const FormulaMutants made = MutantsOf(spec);
  report.unparsed = made.unparsed;
  report.untyped = made.untyped;
  Labels formulas, names;
  for (const FormulaMutant& mutant : made.mutants) {
    formulas.insert(mutant.label);
    names.insert(NameIn(mutant));
  }
  report.ops = formulas.empty() ? 0 : 1;
  report.formulas = static_cast<int>(formulas.size());
  const auto listed = equivalent_.find(spec.id);
  const auto is_listed = [&](const FormulaMutant& mutant) {
    return listed != equivalent_.end() &&
           listed->second.contains(NameIn(mutant));
  };
  if (listed != equivalent_.end()) {
    for (const std::string& name : listed->second) {
      if (!names.contains(name)) report.stale.push_back(spec.id + " " + name);
    }
  }
  const OpSpec right = WithFormulasAlone(spec);
  const RightLabels suite(right, calls);
  std::optional<RightLabels> neighbours;
  const auto search = [&](const FormulaMutant& mutant) -> const Op* {
    if (calls.empty()) return nullptr;
    if (!neighbours) {
      const CallNeighbours near(spec, calls);
      std::vector<Op> drawn;
      for (uint64_t i = 0; i < kNeighbours; ++i) {
        if (std::optional<Op> call = near.Draw(i))
          drawn.push_back(*std::move(call));
      }
      neighbours.emplace(right, std::move(drawn));
    }
    return neighbours->FindKill(mutant);
  };
  for (const FormulaMutant* mutant :
       Choose(made.mutants, all_ ? made.mutants.size() : kMostMutants)) {
    ++report.mutants;
    const Op* by = suite.FindKill(*mutant);
    const bool is_killed = by != nullptr;
    if (!is_killed) by = search(*mutant);
    FormulaReport::Survivor left{spec.id, mutant->label, mutant->change,
                                 by != nullptr ? Describe(*by) : ""};
    if (is_listed(*mutant)) {
      if (by != nullptr)
        report.refuted.push_back(std::move(left));
      else
        ++report.equivalent;
    } else if (is_killed) {
      ++report.killed;
    } else {
      report.survivors.push_back(std::move(left));
    }
  }
  return report;
}

bool FormulaReport::IsComplete() const {
  return survivors.empty() && refuted.empty() && stale.empty();
}

std::string FormulaReport::ToText(const std::string& suite) const {
  std::string text;
  if (!survivors.empty()) {
    TextTable table({"op", "label", "change", "replay"}, 4);
    for (const Survivor& left : survivors) {
      table.Add({left.op, left.label, left.change,
                 "assay mutants --arm formulas --all --op " +
                     ShellWord(left.op) + suite});
    }
    text += table.ToText() + "\n";
  }
  for (const Survivor& left : survivors) {
    if (!left.shown_by.empty())
      text += fmt::format("survives {} {} {}\n  but not {}\n", left.op,
                          left.label, left.change, left.shown_by);
  }
  for (const Survivor& left : refuted)
    text += fmt::format("not equivalent {} {} {}\n  told apart by {}\n",
                        left.op, left.label, left.change, left.shown_by);
  for (const std::string& name : stale)
    text += fmt::format("listed as equivalent, and no mutant: {}\n", name);
  return text +
         fmt::format(
             "formulas: {} of {} mutants of {} formulas of {} ops killed, {} "
             "equivalent, {} survive; {} changes left out that do not parse, "
             "{} that have wrong types\n",
             killed, mutants, formulas, ops, equivalent, survivors.size(),
             unparsed, untyped);
}

}  // namespace assay
