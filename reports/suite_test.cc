// The suite judges itself: every constraint is shown both ways, every clause of
// the semantics is executed, every case covers what it says it covers, and
// every literal agrees with the oracle under the policy for which it holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cases/case.h"
#include "cases/run/executed_clauses.h"
#include "cases/run/runner.h"
#include "reports/summary.h"

namespace assay {
namespace {

using testing::IsEmpty;

const std::vector<Case>& Suite() {
  static const std::vector<Case> suite = ReadSuite(DefaultSuite(), {});
  return suite;
}

bool Runs(const Case& c) { return c.Runs(); }

// Returns the policy for which the case's literals hold.
const Policy& PolicyOfCase(const Case& c) {
  return Policy::Find(c.policy.empty() ? "assay" : c.policy);
}

TEST(Suite, EveryOpHasCases) {
  std::set<std::string> ops;
  for (const Case& c : Suite()) {
    ops.insert(c.op);
    ops.insert(FindOp(c.op)->Family());
  }
  for (const OpSpec& spec : Ops())
    EXPECT_TRUE(ops.contains(spec.id)) << spec.id;
}

TEST(Suite, EveryConstraintIsShownTrueAndViolatedAlone) {
  ConstraintCoverage coverage;
  for (const Case& c : Suite()) {
    const Verdict verdict = JudgeConstraints(c, PolicyOfCase(c), "");
    EXPECT_EQ(verdict.outcome, Outcome::kPass)
        << c.name << ": " << verdict.message;
    coverage.Add(verdict);
  }
  EXPECT_THAT(coverage.Check().missing, IsEmpty());
  EXPECT_EQ(coverage.Check().open, 0);
}

// Under the default policy alone, a constraint that another policy makes an
// error is not violated, and not missing either.
TEST(Suite, AConstraintOfAnotherPolicyIsOpen) {
  ConstraintCoverage coverage;
  for (const Case& c : Suite()) {
    if (c.trait) coverage.Add(JudgeConstraints(c, Policy::Find("assay"), ""));
  }
  EXPECT_THAT(coverage.Check().missing, IsEmpty());
  EXPECT_EQ(coverage.Check().open, 1);
  EXPECT_EQ(coverage.Of(*FindOp("mlir.broadcastable"),
                        *FindOp("mlir.broadcastable")->Constraint("BC-35")),
            ConstraintCoverage::State::kOpen);
}

// A constraint that no case violates is missing, which shows that the check
// above can fail.
TEST(Suite, AMissingViolationIsNoticed) {
  ConstraintCoverage coverage;
  for (const Case& c : Suite()) {
    if (!c.name.starts_with("clamp/") ||
        c.violates != std::vector<std::string>{"C2"})
      coverage.Add(JudgeConstraints(c, PolicyOfCase(c), ""));
  }
  EXPECT_THAT(coverage.Check().missing,
              testing::ElementsAre("clamp/C2: never violated alone"));
}

// Each literal is compared under the policy for which it holds, so this
// includes those that a run with the default policy skips.
TEST(Suite, LiteralsAgreeWithTheOracle) {
  InProcessExecutor simd(Backend::Load("simd"));
  int64_t literals = 0;
  for (const Case& c : Suite()) {
    if (!Runs(c) || c.expect.empty()) continue;
    const Verdict verdict = Runner(&simd, PolicyOfCase(c)).Run(c);
    EXPECT_NE(verdict.outcome, Outcome::kOracleSuspect) << verdict.message;
    // Ops that only pass values on leave nothing to a backend.
    if (verdict.outcome == Outcome::kSkipped) {
      EXPECT_THAT(verdict.message, testing::HasSubstr("no op is executed"));
    }
    ++literals;
  }
  EXPECT_GT(literals, 100);
}

TEST(Suite, CasesCoverWhatTheySay) {
  std::set<std::string> executed;
  for (const Case& c : Suite()) {
    if (!Runs(c) && !c.trait) continue;
    const std::set<std::string> labels = ExecutedClauses(c, PolicyOfCase(c));
    for (const std::string& label : c.covers) {
      EXPECT_TRUE(labels.contains(label)) << c.name << " covers " << label;
    }
    for (const std::string& label : labels) {
      executed.insert(ClauseId(*FindOp(c.op), label));
    }
  }
  std::vector<std::string> missing;
  for (const OpSpec& spec : Ops()) {
    if (!spec.family.empty()) continue;
    for (const ClauseSpec& clause : spec.semantics) {
      const std::string name = spec.id + "/" + clause.label;
      if (clause.needs.empty() && clause.judged.empty() &&
          clause.about.empty() && !executed.contains(name)) {
        missing.push_back(name);
      }
    }
  }
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Suite, EveryExampleOfTheTextsIsACase) {
  std::set<std::string> names;
  for (const Case& c : Suite()) names.insert(c.name);
  for (const OpSpec& spec : Ops()) {
    for (const std::string& example : spec.examples) {
      EXPECT_TRUE(names.contains(spec.id + "/" + example))
          << spec.id << "/" << example;
    }
  }
}

}  // namespace
}  // namespace assay
