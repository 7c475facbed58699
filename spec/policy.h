// A policy says what is accepted where the texts leave a clause open.
//
// A clause of an op is `defined`, or it names a policy key (`shift_overflow`).
// A policy gives every key a value; `any` accepts every result.
// policies/policy.schema.json lists the keys, their values and their meaning;
// it is both the documentation and the check. A policy file holds differences
// from the one that it extends. The policies of policies/ are embedded; others
// are read by cases/read/policy_file.h.
#ifndef ASSAY_SPEC_POLICY_H_
#define ASSAY_SPEC_POLICY_H_

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "spec/accuracy.h"

namespace assay {

class Policy {
 public:
  // Throws InputError that lists the existing policies.
  static const Policy& Find(std::string_view name);
  static std::vector<std::string> Names();
  // Applies a file to the policy that it extends, which is nullptr if it
  // extends none. Throws InputError that names the file and the JSON pointer.
  // Precondition: except for the values, `json` is valid by the schema.
  static Policy Parse(const std::string& file, const nlohmann::json& json,
                      const Policy* base);

  // A shipped policy has its bare name ("assay"); one that a person gave has
  // the name of its file ("mine.json"), so that nobody confuses the two.
  const std::string& name() const { return name_; }
  const std::string& description() const { return description_; }
  // Returns the name of the policy that it extends, or an empty text if it
  // extends none.
  const std::string& base() const { return base_; }
  // Returns why a value is what it is, if the file says so, by key.
  const std::map<std::string, std::string, std::less<>>& reasons() const {
    return reasons_;
  }
  // A policy that a person gave has the path, as it was given, and the digest
  // of its file. A shipped one has neither: the version of `assay` identifies
  // it.
  const std::string& file() const { return file_; }
  const std::string& sha256() const { return sha256_; }
  void SetFile(const std::string& path, const std::string& sha256);
  // Returns the flag that names it on a command line: "--policy assay",
  // "--policy 'a/my.json'".
  std::string ToFlag() const;
  // Precondition: `key` is in policy.schema.json.
  const std::string& Get(std::string_view key) const;
  // Returns the same policy with another value for one key. Precondition: the
  // schema has both.
  Policy With(std::string_view key, std::string_view value) const;
  const std::map<std::string, std::string, std::less<>>& values() const {
    return values_;
  }
  // Returns the rows that may hold for the op on that type of first operand:
  // those that name both, up to the first that holds for all operands. For an
  // element the first row that holds counts; if none does, the result is
  // rounded once.
  std::vector<const Budget*> FindBudgets(std::string_view op,
                                         ElementType type) const;
  // Returns the first of these rows, or nullptr if there is none.
  const Budget* FindBudget(std::string_view op, ElementType type) const;
  const std::vector<Budget>& budgets() const { return budgets_; }

 private:
  static const std::map<std::string, Policy, std::less<>>& All();
  static std::map<std::string, Policy, std::less<>> LoadAll();
  std::string name_;
  std::string description_;
  std::string base_;
  std::string file_, sha256_;
  std::map<std::string, std::string, std::less<>> reasons_;
  std::map<std::string, std::string, std::less<>> values_;
  std::vector<Budget> budgets_;
};

// Returns the keys, with the meaning that the schema gives them.
const std::map<std::string, std::string>& PolicyKeys();
// Returns the values that the schema has for an existing key.
std::vector<std::string> PolicyValues(const std::string& key);

// Returns what is wrong with a value of a key, or an empty text if the schema
// has both.
std::string PolicyValueComplaint(const std::string& key,
                                 const nlohmann::json& value);

}  // namespace assay

#endif  // ASSAY_SPEC_POLICY_H_
