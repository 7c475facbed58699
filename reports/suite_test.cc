// The suite judges itself: every constraint is shown both ways, every clause of
// the semantics is executed, every case covers what it says it covers, and
// every literal agrees with the oracle under the policy that it holds under.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "cases/case.h"
#include "cases/runner.h"
#include "oracle/oracle.h"
#include "reports/summary.h"

namespace assay {
namespace {

using testing::IsEmpty;

const std::vector<Case>& Suite() {
  static const std::vector<Case> suite = ReadSuite(DefaultSuite(), {});
  return suite;
}

bool Runs(const Case& c) { return c.violates.empty() && c.is_static; }

TEST(Suite, EveryOpHasCases) {
  std::set<std::string> ops;
  for (const Case& c : Suite()) ops.insert(c.op);
  for (const OpSpec& spec : Ops())
    EXPECT_TRUE(ops.contains(spec.id)) << spec.id;
}

TEST(Suite, EveryConstraintIsShownTrueAndViolatedAlone) {
  ConstraintCoverage coverage;
  for (const Case& c : Suite()) {
    const Verdict verdict = JudgeConstraints(c, Policy::Find("assay"), "");
    EXPECT_EQ(verdict.outcome, Outcome::kPass)
        << c.name << ": " << verdict.message;
    coverage.Add(verdict);
  }
  EXPECT_THAT(coverage.Check().missing, IsEmpty());
}

// A constraint that no case violates is missing, so the check above can fail.
TEST(Suite, AMissingViolationIsNoticed) {
  ConstraintCoverage coverage;
  for (const Case& c : Suite()) {
    if (c.name != "clamp/violates_C2")
      coverage.Add(JudgeConstraints(c, Policy::Find("assay"), ""));
  }
  EXPECT_THAT(coverage.Check().missing,
              testing::ElementsAre("clamp/C2: never violated alone"));
}

// Labels of the clauses that the oracle executes for the op under test.
std::set<std::string> ExecutedClauses(const Case& c, const Policy& policy,
                                      std::string* suspect) {
  std::map<std::string, Tensor> values;
  for (size_t i = 0; i < c.inputs.size(); ++i) {
    values[c.program.main().inputs[i].name] = c.inputs[i].data.Materialise();
  }
  std::set<std::string> labels;
  for (const Op& op : c.program.main().body) {
    std::vector<Tensor> inputs;
    for (const Op::Operand& operand : op.inputs) {
      inputs.push_back(values.at(operand.value));
    }
    const Evaluation evaluation = Evaluate(op, inputs, policy, Marks::kCounted);
    for (const ClauseSpec& clause : FindOp(op.op)->semantics) {
      if (op.op == c.op && (evaluation.marks >> clause.number & 1) != 0) {
        labels.insert(clause.label);
      }
    }
    const std::string& name = op.outputs[0].value;
    if (const auto literal = c.expect.find(name); literal != c.expect.end()) {
      if (!Judge(evaluation.outputs[0], literal->second).ok()) *suspect = name;
    }
    values[name] = evaluation.outputs[0].lo;
  }
  return labels;
}

TEST(Suite, CasesCoverWhatTheySayAndLiteralsAgreeWithTheOracle) {
  std::set<std::string> executed;
  for (const Case& c : Suite()) {
    if (!Runs(c)) continue;
    std::string suspect;
    const std::set<std::string> labels = ExecutedClauses(
        c, Policy::Find(c.policy.empty() ? "assay" : c.policy), &suspect);
    EXPECT_EQ(suspect, "") << c.name;
    for (const std::string& label : c.covers) {
      EXPECT_TRUE(labels.contains(label)) << c.name << " covers " << label;
    }
    for (const std::string& label : labels) {
      executed.insert(c.op + "/" + label);
    }
  }
  std::vector<std::string> missing;
  for (const OpSpec& spec : Ops()) {
    for (const ClauseSpec& clause : spec.semantics) {
      const std::string name = spec.id + "/" + clause.label;
      if (clause.needs.empty() && clause.judged.empty() &&
          !executed.contains(name)) {
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
