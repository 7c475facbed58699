// Native checks are code of spec/ that decides constraints which no formula
// expresses.
//
// An op file then gives the sentence and the name of the check:
//   "BC-15": {"text": "The operation verifier produces ..", "check":
//   "broadcastable"}
// A check decides several constraints at once, by their labels, so that it
// looks at a call once. Everything else about such a constraint (coverage,
// messages, breaking it) is as for a formula.
#ifndef ASSAY_SPEC_BUILTIN_CONSTRAINT_H_
#define ASSAY_SPEC_BUILTIN_CONSTRAINT_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "spec/formula/formula.h"
#include "spec/policy.h"
#include "spec/program.h"

namespace assay {

struct OpSpec;

struct BuiltinFinding {
  std::string_view label;  // of a constraint
  Truth truth;
  std::string reason;  // what of this call makes it so: dimensions, operands
};

struct BuiltinConstraint {
  std::string_view name;
  // The check decides these constraints. An op that uses the check has all of
  // them.
  std::span<const std::string_view> labels;
  // Returns findings on a call; a constraint without one is true. If there are
  // several findings about one label, a false one counts before one that is
  // not.
  std::vector<BuiltinFinding> (*check)(const OpSpec& spec, const Op& call,
                                       const Policy& policy);
};

// Returns all checks, which are listed in builtin_constraint.cc.
std::span<const BuiltinConstraint> BuiltinConstraints();
// Returns nullptr if there is no check of that name.
const BuiltinConstraint* FindBuiltinConstraint(std::string_view name);

}  // namespace assay

#endif  // ASSAY_SPEC_BUILTIN_CONSTRAINT_H_
