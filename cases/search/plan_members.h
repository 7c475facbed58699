// The members of a call, as terms of its plan. Private to the plan.
#ifndef ASSAY_CASES_SEARCH_PLAN_MEMBERS_H_
#define ASSAY_CASES_SEARCH_PLAN_MEMBERS_H_

#include <string_view>
#include <vector>

#include "cases/search/compile.h"
#include "cases/search/plan.h"

namespace assay {

// Returns the terms of the inputs, outputs and process counts of a call. Adds
// to the plan a slot for each tensor, list and number, and what holds of them
// whatever the op is.
Terms MembersOf(const OpSpec& spec, const Op& call,
                const std::vector<std::string_view>& absent, Plan* plan);

}  // namespace assay

#endif  // ASSAY_CASES_SEARCH_PLAN_MEMBERS_H_
