// ExecutedClauses finds the clauses of an op that the oracle executes for a
// case.
#ifndef ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_
#define ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_

#include <set>
#include <string>

#include "cases/case.h"
#include "spec/policy.h"

namespace assay {

// Returns the labels of the clauses of `c.op` that the oracle executes for the
// case, or that decide a trait's case. Each op of a program gets the oracle's
// results of the ops before it. Preconditions: the case runs, and violates no
// constraint.
std::set<std::string> ExecutedClauses(const Case& c, const Policy& policy);

}  // namespace assay

#endif  // ASSAY_CASES_RUN_EXECUTED_CLAUSES_H_
