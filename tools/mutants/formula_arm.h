// The arm `formulas` of `assay mutants` judges the cases of each op by mutants
// of its formulas: no backend runs. A mutant is killed if a case of the op
// violates other constraints by it.
//
// equivalent_formulas.json lists the mutants that no call tells from the
// formula, each with the reason; they are held against random calls.
#ifndef ASSAY_TOOLS_MUTANTS_FORMULA_ARM_H_
#define ASSAY_TOOLS_MUTANTS_FORMULA_ARM_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cases/case.h"
#include "spec/op_spec.h"

namespace assay {

struct FormulaReport {
  struct Survivor {
    std::string op, label, change;
    // A call that tells it from the formula, where the search found one.
    std::string shown_by;
  };

  int formulas = 0, ops = 0;
  int mutants = 0, killed = 0, equivalent = 0;
  int unparsed = 0, untyped = 0;  // were left out
  std::vector<Survivor> survivors;
  // Mutants that are listed as equivalent, and a case or call that tells them
  // from the formula.
  std::vector<Survivor> refuted;
  // Entries of the list that are of no mutant.
  std::vector<std::string> stale;

  bool IsComplete() const;
  // `suite` are the flags that chose the cases, for the commands of the table.
  std::string ToText(const std::string& suite) const;
};

class FormulaArm {
 public:
  // `ops` are globs of ids. Of each formula, `all` mutants are judged, or ten.
  FormulaArm(std::vector<std::string> ops, bool all);

  FormulaReport Run(const std::vector<Case>& suite) const;

 private:
  FormulaReport RunOp(const OpSpec& spec, const std::vector<Op>& calls) const;

  std::vector<std::string> ops_;
  bool all_;
  // By op: the mutants that are listed.
  std::map<std::string, std::set<std::string>> equivalent_;
};

}  // namespace assay

#endif  // ASSAY_TOOLS_MUTANTS_FORMULA_ARM_H_
