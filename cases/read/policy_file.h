// Policies of one's own: a file that says in what it differs from a shipped
// policy. It is untrusted, as cases are.
#ifndef ASSAY_CASES_READ_POLICY_FILE_H_
#define ASSAY_CASES_READ_POLICY_FILE_H_

#include <string>
#include <string_view>
#include <vector>

#include "cases/read/json_schema.h"
#include "spec/policy.h"

namespace assay {

// Whether what a person calls a policy is the path of a file: it ends in
// ".json", or has a slash.
bool IsPolicyFile(std::string_view policy);

// Throws InputError that names the file and the place in it.
Policy ReadPolicyFile(const std::string& path);

// Where a policy file, a shipped one or another, is not as the schema has it.
std::vector<JsonSchema::Violation> PolicyViolations(const Json& json);

// What is wrong with an op that a row of a policy's budgets names; empty if the
// row may hold for it.
std::string BudgetComplaint(const Budget& row, const std::string& op);

}  // namespace assay

#endif  // ASSAY_CASES_READ_POLICY_FILE_H_
