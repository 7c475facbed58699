// Policies: what is accepted where the texts leave a clause open.
//
// A clause of an op is `defined`, or it names a policy key (`shift_overflow`).
// A policy gives every key a value; `any` accepts every result.
// policies/policy.schema.json lists the keys, their values and what they mean;
// it is both the documentation and the check. A policy file holds differences
// to the one that it extends.
#ifndef ASSAY_SPEC_POLICY_H_
#define ASSAY_SPEC_POLICY_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "spec/accuracy.h"

namespace assay {

class Policy {
 public:
  // Throws InputError that lists the policies there are.
  static const Policy& Find(std::string_view name);
  static std::vector<std::string> Names();

  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  // Precondition: `key` is in policy.schema.json.
  const std::string& Get(std::string_view key) const;
  // The same but for the value of one key. Precondition: the schema has both.
  Policy With(std::string_view key, std::string_view value) const;
  const std::map<std::string, std::string, std::less<>>& values() const {
    return values_;
  }
  // The rows that may hold for the op on that type of first operand: those that
  // name both, up to the first that holds for all operands. Of an element the
  // first that holds counts; where none does, the result is rounded once.
  std::vector<const Budget*> FindBudgets(std::string_view op,
                                         ElementType type) const;
  // The first of them; nullptr if there is none.
  const Budget* FindBudget(std::string_view op, ElementType type) const;
  const std::vector<Budget>& budgets() const { return budgets_; }

 private:
  static const std::map<std::string, Policy, std::less<>>& All();
  static std::map<std::string, Policy, std::less<>> LoadAll();
  std::string name_;
  std::string description_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<Budget> budgets_;
};

// The keys, with the meaning that the schema gives them.
const std::map<std::string, std::string>& PolicyKeys();

}  // namespace assay

#endif  // ASSAY_SPEC_POLICY_H_
