// Budgets as a person reads them.
#ifndef ASSAY_ORACLE_REAL_BUDGET_TEXT_H_
#define ASSAY_ORACLE_REAL_BUDGET_TEXT_H_

#include <cstdint>
#include <string>
#include <vector>

#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

// "2 ulp (policy assay): why": what the results of an op may be off, a line for
// each part of the operands' ranges; of an op that is made of others, the first
// behind output number `output` that has a budget. Precondition: it has one,
// its own or the policy's.
std::vector<std::string> BudgetLines(const Op& op, const Policy& policy,
                                     size_t output = 0);
// The line that counts for element `index`; all of them of an op that is made
// of others.
std::string BudgetText(const Op& op, const std::vector<Tensor>& inputs,
                       const Policy& policy, int64_t index, size_t output = 0);

}  // namespace assay

#endif  // ASSAY_ORACLE_REAL_BUDGET_TEXT_H_
