// Tests how much the suite would notice: every constraint and every clause is
// broken on its own, and some case must change its verdict.
//
// The suite is run once as it is; then, for each clause, the cases that execute
// it are run again, smallest first, until one of them changes. A broken clause
// of the oracle shows as `fail` of the simd backend, which is right (literals
// are compared with the oracle as it is). A broken constraint shows on the
// pseudo-backend `spec`, and so does a clause of a trait. clause_power.jsonl in
// the build folder has a line for each, which `assay report --coverage` reads:
//   clause, status   "add/S2", "defined"; a constraint has status "constraint"
//   policy           the key that decides an open clause
//   marked_by        cases that pass and execute the clause, or violate the
//                    constraint
//   breaks, outcome  the first of them that notices, and how; null if none does
//   needs, judged    of the op file: why nothing has to notice
//   elsewhere        the same under other policies, where `assay` accepts any
//                    value and they do not: {under, value, marked_by, ..}
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "backends/host/loader.h"
#include "cases/case.h"
#include "cases/run/executed_clauses.h"
#include "cases/run/runner.h"
#include "oracle/broken_clause.h"
#include "spec/broken_constraint.h"
#include "spec/policy.h"

namespace assay {
namespace {

#ifndef ASSAY_BREAK_CLAUSES

TEST(ClausePower, EveryConstraintAndClauseIsNoticed) {
  GTEST_SKIP() << "this build cannot break clauses (ASSAY_BREAK_CLAUSES)";
}

#else

using Clauses = std::vector<std::string>;

// Returns the number of elements of the results, summed over the ops, as the
// cost of a case.
int64_t Cost(const Case& c) {
  int64_t elements = 0;
  for (const Op& op : c.program.main().body) {
    for (const Op::Result& output : op.outputs) {
      if (output.type.IsTensor() && output.type.IsStatic())
        elements +=
            ElementCount(output.type.tensor().shape).value_or(INT64_MAX / 4);
    }
  }
  return elements;
}

// Returns the suite, cheapest cases first.
std::vector<Case> ReadSortedSuite() {
  std::vector<Case> suite = ReadSuite(DefaultSuite(), {});
  std::vector<std::pair<int64_t, size_t> > order;
  for (size_t i = 0; i < suite.size(); ++i)
    order.emplace_back(Cost(suite[i]), i);
  std::ranges::sort(order);
  std::vector<Case> sorted;
  for (const auto& [cost, i] : order) sorted.push_back(std::move(suite[i]));
  return sorted;
}

// This is all that this test asks of the runner. `backend` is nullptr for
// `spec`, where a case is judged under its own policy, if it has one.
Verdict RunCase(const Case& c, Executor* backend, const Policy& policy) {
  if (backend == nullptr)
    return JudgeConstraints(
        c, c.policy.empty() ? policy : Policy::Find(c.policy), "");
  return Runner(backend, policy).Run(c);
}

// Marks are the cases that pass under one policy, by what they execute or
// violate: "add/S2", "add/C1".
class Marks {
 public:
  // `op` selects the cases of one op; empty means all.
  Marks(const std::vector<Case>& suite, Executor* backend, const Policy& policy,
        const std::string& op = "")
      : backend_(backend), policy_(policy) {
    for (const Case& c : suite) {
      const std::string& family = FindOp(c.op)->Family();
      if (!op.empty() && family != op) continue;
      // `spec` judges calls that violate constraints, and traits.
      const bool is_for_spec = !c.violates.empty() || c.trait;
      if (is_for_spec != (backend == nullptr)) continue;
      const Verdict verdict = RunCase(c, backend, policy);
      if (verdict.outcome != Outcome::kPass) continue;
      for (const Clauses* labels : {&verdict.covered, &verdict.violated}) {
        for (const std::string& label : *labels)
          cases_[ClauseId(*FindOp(c.op), label)].push_back(&c);
      }
    }
  }

  size_t Count(const std::string& clause) const {
    const auto it = cases_.find(clause);
    return it == cases_.end() ? 0 : it->second.size();
  }

  // This is the first case that notices what is broken now, with its verdict.
  struct Noticed {
    std::string name;
    Outcome outcome;
  };
  std::optional<Noticed> FindNotice(const std::string& clause) const {
    const auto it = cases_.find(clause);
    if (it == cases_.end()) return std::nullopt;
    for (const Case* c : it->second) {
      const Verdict verdict = RunCase(*c, backend_, policy_);
      if (verdict.outcome != Outcome::kPass)
        return Noticed{c->name, verdict.outcome};
    }
    return std::nullopt;
  }

 private:
  Executor* backend_;
  const Policy& policy_;
  std::map<std::string, std::vector<const Case*> > cases_;
};

Json Row(const std::string& clause, const std::string& status) {
  Json row;
  row["clause"] = clause;
  row["status"] = status;
  return row;
}

void AddPower(const Marks& marks, const std::string& clause, Json* row) {
  const auto noticed = marks.FindNotice(clause);
  (*row)["marked_by"] = marks.Count(clause);
  (*row)["breaks"] = noticed ? Json(noticed->name) : Json();
  if (noticed) (*row)["outcome"] = Name(noticed->outcome);
}

// Returns policies that give the key of an open clause a value of its own where
// `assay` accepts any: one for each value.
std::vector<std::string> OtherPolicies(const ClauseSpec& clause) {
  if (clause.policy.empty() ||
      Policy::Find("assay").Get(clause.policy) != "any")
    return {};
  std::map<std::string, std::string> by_value;
  for (const std::string& name : Policy::Names())
    by_value.emplace(Policy::Find(name).Get(clause.policy), name);
  by_value.erase("any");
  std::vector<std::string> names;
  for (const auto& [value, name] : by_value) names.push_back(name);
  return names;
}

class ClausePower : public testing::Test {
 protected:
  ClausePower()
      : simd_(std::make_unique<InProcessExecutor>(Backend::Load("simd"))),
        suite_(ReadSortedSuite()),
        spec_marks_(suite_, nullptr, Policy::Find("assay")),
        simd_marks_(suite_, simd_.get(), Policy::Find("assay")) {}

  void BreakConstraint(const OpSpec& spec, const ConstraintSpec& constraint) {
    const std::string name = spec.id + "/" + constraint.label;
    Json& row = rows_.emplace_back(Row(name, "constraint"));
    if (!constraint.policy.empty()) row["policy"] = constraint.policy;
    const ScopedBrokenConstraint broken(spec.id, constraint.label);
    AddPower(spec_marks_, name, &row);
    if (!constraint.needs.empty())
      row["needs"] = constraint.needs;
    else if (row["breaks"].is_null())
      unnoticed_.push_back(name);
  }

  void BreakClause(const OpSpec& spec, const ClauseSpec& clause) {
    const std::string name = spec.id + "/" + clause.label;
    Json& row = rows_.emplace_back(Row(name, clause.status));
    if (!clause.policy.empty()) row["policy"] = clause.policy;
    if (spec.source == "mlir") {
      const ScopedBrokenConstraint broken(spec.id, clause.label);
      AddPower(spec_marks_, name, &row);
    } else {
      const ScopedBrokenClause broken(spec.id, clause.number);
      AddPower(simd_marks_, name, &row);
    }
    if (!clause.needs.empty() || !clause.about.empty()) {
      row["needs"] = clause.needs + clause.about;
      return;
    }
    if (!clause.judged.empty())
      row["judged"] = clause.judged;
    else if (row["breaks"].is_null())
      unnoticed_.push_back(name);
    // The simd backend may not return the value of another policy; then no case
    // passes, and none can notice.
    if (spec.source == "mlir") return;
    for (const std::string& policy : OtherPolicies(clause)) {
      const Marks marks(suite_, simd_.get(), Policy::Find(policy), spec.id);
      const ScopedBrokenClause broken(spec.id, clause.number);
      Json& other = row["elsewhere"].emplace_back();
      other["under"] = policy;
      other["value"] = Policy::Find(policy).Get(clause.policy);
      AddPower(marks, name, &other);
    }
  }

  void Write(const std::string& path) const {
    std::ofstream file(path);
    file << Json{{"kind", "clause_power"},
                 {"format", 1},
                 {"suite",
                  {{"paths", DefaultSuite()}, {"cases", suite_.size()}}}}
         << '\n';
    for (const Json& row : rows_) file << row << '\n';
    file.close();
    EXPECT_TRUE(file) << path;
  }

  std::unique_ptr<InProcessExecutor> simd_;
  std::vector<Case> suite_;
  Marks spec_marks_, simd_marks_;
  std::vector<Json> rows_;
  std::vector<std::string> unnoticed_;
};

TEST_F(ClausePower, EveryConstraintAndClauseIsNoticed) {
  for (const OpSpec& spec : Ops()) {
    if (!spec.family.empty()) continue;
    for (const ConstraintSpec& constraint : spec.constraints)
      BreakConstraint(spec, constraint);
    for (const ClauseSpec& clause : spec.semantics) BreakClause(spec, clause);
  }
  Write(ASSAY_BINARY_DIR "/clause_power.jsonl");
  EXPECT_THAT(unnoticed_, testing::IsEmpty());
}

#endif

}  // namespace
}  // namespace assay
