// A user's own policy is a file that says in what it differs from a shipped
// policy. It is untrusted, as cases are.
#ifndef ASSAY_CASES_READ_POLICY_FILE_H_
#define ASSAY_CASES_READ_POLICY_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/read/json_schema.h"
#include "spec/policy.h"

namespace assay {

// Returns whether the name of a policy is the path of a file: it ends in
// ".json", or has a slash.
bool IsPolicyFile(std::string_view policy);

// Throws InputError that names the file and the place in it.
Policy ReadPolicyFile(const std::string& path);

// Returns where a policy file, a shipped one or another, violates the schema.
std::vector<JsonSchema::Violation> PolicyViolations(const Json& json);

// Returns what is wrong with an op that a row of a policy's budgets names;
// empty if the row may apply to it.
std::string BudgetComplaint(const Budget& row, const std::string& op);

}  // namespace assay

#endif  // ASSAY_CASES_READ_POLICY_FILE_H_
