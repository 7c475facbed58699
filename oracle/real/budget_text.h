// Budgets are printed for people.
#ifndef ASSAY_ORACLE_REAL_BUDGET_TEXT_H_
#define ASSAY_ORACLE_REAL_BUDGET_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

// Returns "2 ulp (policy assay): why", which is how far results of an op may be
// off, with a line for each part of the operands' ranges. For an op that is
// made of others, they are those of the first op behind output number `output`
// that has a budget. The results of an op of control, or of one with functions,
// have the budgets of other ops, and the line says where these are.
std::vector<std::string> BudgetLines(const Op& op, const Policy& policy,
                                     size_t output = 0);
// Returns the line that applies to element `index`; all lines for an op that is
// made of others.
std::string BudgetText(const Op& op, const std::vector<Tensor>& inputs,
                       const Policy& policy, int64_t index, size_t output = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_BUDGET_TEXT_H_
