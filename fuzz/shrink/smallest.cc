#include "fuzz/shrink/smallest.h"

#include <utility>

#include "cases/variants/layout_variants.h"
#include "fuzz/campaign/finding.h"
#include "fuzz/campaign/finding_text.h"
#include "fuzz/shrink/edit.h"
#include "fuzz/shrink/program_edit.h"

namespace assay {
namespace {

// What decides the results of a program changes with its ops. A failure by the
// text is not given up for one by a policy or a budget, which may be another.
bool IsMoreBinding(const std::string& basis, const std::string& than) {
  const bool is_of_policy = than.starts_with("policy");
  const bool is_of_budget = than.starts_with("budget");
  if (basis == "text") return is_of_policy || is_of_budget;
  return basis.starts_with("policy") && is_of_budget;
}

// A loop without an end is TBD, so what a backend makes of one is not judged,
// and it may take all of its time.
bool Ends(const Case& c, const Policy& policy) {
  const Function& main = c.program.main();
  if (!c.Runs() || !HasLoop(main) || !HasTensorsAlone(main)) return true;
  Walk::Values values;
  return Execute(c, policy, &values);
}

}  // namespace

bool Smallest::Start(const Case& c, const std::string& variant) {
  best_.c = WithOwnNames(c);
  best_.variant = variant;
  for (CaseInput& input : best_.c.inputs) {
    input.data.source = input.data.Materialise();
    input.data.window.reset();
  }
  best_.c.expect.clear();
  best_.c.runs_twice = true;
  best_.verdict = Judge(best_.c, variant);
  best_.fails = IsFinding(best_.verdict);
  if (!best_.fails) return false;
  // Shapes are changed value by value, and that of a tuple is several: a case
  // that fails with a tuple only stays as it is.
  if (const auto without = WithoutTuples(best_.c)) {
    Verdict verdict = Judge(*without, variant);
    if (IsFinding(verdict) && verdict.outcome == best_.verdict.outcome) {
      best_.c = *without;
      best_.verdict = std::move(verdict);
    }
  }
  if (HasTensorsAlone(best_.c.program.main()))
    cost_ = CostOf(best_.c, !variant.empty());
  return true;
}

bool Smallest::Try(const std::optional<Case>& candidate) {
  return candidate && Try(*candidate, best_.variant);
}

bool Smallest::Try(const Case& candidate, const std::string& variant) {
  if (!HasBudget()) return false;
  const Cost cost = CostOf(candidate, !variant.empty());
  if (!(cost < cost_)) return false;
  if (!variant.empty() && !HasVariant(candidate, variant)) return false;
  if (!IsAsItSays(candidate)) return false;
  if (!Ends(candidate, *options_.policy)) return false;
  Verdict verdict = Judge(candidate, variant);
  if (!IsFinding(verdict) || !FailsAlike(verdict)) return false;
  best_.c = candidate;
  best_.variant = variant;
  best_.verdict = std::move(verdict);
  cost_ = cost;
  return true;
}

Shrunk Smallest::Finish() && {
  best_.is_complete = HasBudget();
  return std::move(best_);
}

Verdict Smallest::Judge(const Case& c, const std::string& variant) {
  ++best_.executions;
  return judge_(variant.empty() ? c : VariantOf(c, variant));
}

// The clauses of a program are those of all of its ops, so that it loses some
// with each op.
bool Smallest::FailsAlike(const Verdict& verdict) const {
  const Verdict& best = best_.verdict;
  if (!IsProgram(best_.c)) return CoreOf(verdict) == CoreOf(best);
  return CoreWithoutClauses(verdict) == CoreWithoutClauses(best) ||
         (verdict.outcome == best.outcome &&
          IsMoreBinding(verdict.basis, best.basis));
}

}  // namespace assay
