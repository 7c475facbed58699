// Coverage lists every constraint and clause of every op, and what judged it.
//
// Executing a clause is not the same as testing it. A clause counts as covered
// by measurement when breaking it in the oracle changes a verdict (evidence.h);
// a constraint, when the cases show it true and violated alone.
#ifndef ASSAY_REPORTS_COVERAGE_H_
#define ASSAY_REPORTS_COVERAGE_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/evidence.h"
#include "reports/summary.h"
#include "spec/op_spec.h"

namespace assay {

class Coverage {
 public:
  explicit Coverage(Evidence evidence) : evidence_(std::move(evidence)) {}
  void Add(const Verdict& verdict);
  std::string ToText() const;

  enum class State {
    kMeasured,
    kMarked,
    kMissing,
    kOpen,
    kNeeds,
    kAbout,
    kElsewhere
  };
  // This is what judged one clause or constraint, or why nothing did.
  struct Finding {
    State state;
    std::string text;  // why: "breaking it changes add/x (fail)"
  };
  Finding Find(const OpSpec& op, const ClauseSpec& clause) const;
  Finding Find(const OpSpec& op, const ConstraintSpec& constraint) const;

  // Totals count constraints and defined clauses: how many can be measured, and
  // how many are.
  struct Totals {
    int64_t measurable = 0, measured = 0;
    std::vector<std::string> marked;     // executed, power not measured
    std::vector<std::string> missing;    // with the reason
    std::vector<std::string> open;       // with the policy key
    std::vector<std::string> needs;      // with what they need
    std::vector<std::string> about;      // no results, but allocation and such
    std::vector<std::string> elsewhere;  // with the test that judges them
  };
  Totals Count() const;

 private:
  // Judged has the cases that judged one clause or constraint.
  struct Judged {
    std::vector<bool> cases;  // by position in the suite
    std::set<std::string> types, layouts;
    std::map<Outcome, int64_t> outcomes;
    void Add(const Verdict& verdict);
    int64_t Cases() const;
  };
  static void CountOne(const std::string& id, const Finding& finding,
                       bool is_open, Totals* totals);
  std::string Line(const std::string& id, const std::string& label,
                   const std::string& status, const Finding& finding) const;

  Evidence evidence_;
  ConstraintCoverage constraints_;
  std::map<std::string, Judged> judged_;  // by "add/S2", "add/C1"
  std::set<std::string> named_;           // cases that clauses name, and passed
};

}  // namespace assay

#endif  // ASSAY_REPORTS_COVERAGE_H_
