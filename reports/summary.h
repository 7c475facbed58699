// A Summary is the count of a run, op x outcome, and the reasons for everything
// that was not judged.
#ifndef ASSAY_REPORTS_SUMMARY_H_
#define ASSAY_REPORTS_SUMMARY_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "reports/layout_table.h"
#include "spec/op_spec.h"

namespace assay {

// Returns one line: how many elements were accepted although their value, or
// that of one part, was not judged, and how many elements backends returned in
// cases that were judged.
std::string UnseenText(int64_t open, int64_t elements);

class Summary {
 public:
  struct OpTally {
    std::map<Outcome, int64_t> outcomes;
    int64_t elements = 0, open = 0;

    bool is_judged() const;  // any case of it
  };

  void Add(const Verdict& verdict);

  // The keys are the backend and the op.
  const std::map<std::string, std::map<std::string, OpTally>>& rows() const {
    return rows_;
  }
  // The keys are "outcome: reason".
  const std::map<std::string, int64_t>& not_judged() const {
    return not_judged_;
  }
  std::map<Outcome, int64_t> Totals() const;
  const auto& accuracies() const { return accuracies_; }
  int64_t cases() const { return cases_; }
  int64_t judged() const;
  int64_t elements() const { return elements_; }
  int64_t open() const { return open_; }
  // Returns whether everything that was judged passed.
  bool conforms() const;

  // Returns for each backend a table of the ops of which something was judged;
  // the others are counted in a line.
  std::string OpTables() const;
  // Returns the lines of each sweep: its outcome, and the errors of its
  // elements.
  const std::string& SweepsText() const { return sweeps_; }
  // Returns what was measured besides the outcomes: layouts, errors,
  // conversions.
  std::string MeasuredText() const;
  // Returns what was not judged, by reason, without shapes and other lists of
  // numbers; then what was judged in part.
  std::string NotJudgedText() const;
  // Returns "N passed, N failed, N skipped".
  std::string TotalText() const;

 private:
  std::map<std::string, std::map<std::string, OpTally>> rows_;
  std::map<std::string, int64_t> not_judged_;
  // The keys are the backend, and the op and element type of the first input.
  std::map<std::string, std::map<std::pair<std::string, std::string>, Accuracy>>
      accuracies_;
  // By backend, these are pairs of element types between which a conversion was
  // judged.
  std::map<std::string, std::set<std::pair<std::string, std::string>>>
      conversions_;
  // This counts failures by backend, some of which were judged again alone.
  struct Again {
    int64_t failures = 0, judged = 0, dependent = 0;
  };
  std::map<std::string, Again> again_;
  std::string sweeps_;  // as they are printed
  std::map<std::string, LayoutCounts>
      layouts_;  // of layout variants, by backend
  int64_t layout_dependent_ = 0, aliased_ = 0, not_repeated_ = 0,
          reordered_ = 0;
  int64_t packed_ = 0;
  int64_t cases_ = 0, elements_ = 0, open_ = 0, unchecked_literals_ = 0;
};

// Returns what a person reads about one failure on the terminal: outcome, case,
// why, and the command that shows it again.
std::string FailureText(const Verdict& verdict);

// ConstraintCoverage says how far the constraints of the ops were exercised on
// the pseudo-backend `spec`: each shown true, and violated alone.
class ConstraintCoverage {
 public:
  void Add(const Verdict& verdict);
  enum class State {
    kNotAsked,  // the op had no case
    kNeeds,     // something that this version lacks
    kNeverHeld,
    kNeverViolated,
    kNeverViolatedAlone,
    kOpen,  // not violated, and a policy decides whether it can be
    kViolatedAloneAfterAll,  // the op file says never_alone
    kViolatedAfterAll,       // the op file says never
    // True, and violated if anything violates it; the op file says why not
    // alone, or why not at all.
    kNeverAlone,
    kComplete,  // true, and violated alone
  };
  State Of(const OpSpec& op, const ConstraintSpec& constraint) const;
  // Returns what is missing, in words, or an empty text if nothing is.
  static std::string Text(State state);

  struct Gaps {
    int64_t constraints = 0, complete = 0, never_alone = 0, needs = 0, open = 0;
    std::vector<std::string> missing;  // "add/C1: never violated alone"
  };
  // Checks the ops that had a case.
  Gaps Check() const;
  std::string ToText() const;

 private:
  std::set<std::string> ops_;
  std::set<std::string> held_, violated_alone_, violated_;  // "add/C1"
};

}  // namespace assay

#endif  // ASSAY_REPORTS_SUMMARY_H_
