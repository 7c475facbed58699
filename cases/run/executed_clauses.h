// ExecutedClauses finds the clauses of an op that the oracle executes for a
// case.
#ifndef ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_
#define ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_

#include <set>
#include <string>
#include <vector>

#include "cases/case.h"
#include "oracle/oracle.h"
#include "spec/policy.h"

namespace assay {

// Returns the labels of the clauses that an evaluation executed: "S1" of the
// op's own, "add/S2" of the ops in its regions.
std::vector<std::string> ClauseLabels(const Op& op,
                                      const Evaluation& evaluation);
// Returns "map/S1" or "add/S2" for such a label of `op`.
std::string ClauseId(const OpSpec& op, const std::string& label);

// Returns the labels of the clauses of `c.op` and of its regions that the
// oracle executes for the case, or that decide a trait's case. Each op of a
// program gets the oracle's results of the ops before it. Preconditions: the
// case runs, and violates no constraint.
std::set<std::string> ExecutedClauses(const Case& c, const Policy& policy);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_
