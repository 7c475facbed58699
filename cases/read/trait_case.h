// A case of the trait mlir.broadcastable is a call that is verified and never
// run, with types that values cannot have. README.md describes the format.
#ifndef ASSAY_CASES_READ_TRAIT_CASE_H_
#define ASSAY_CASES_READ_TRAIT_CASE_H_

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cases/run/verdict.h"
#include "spec/pointwise/broadcast.h"
#include "spec/policy.h"

namespace assay {

struct TraitCase {
  BroadcastCall call;
  std::vector<Shape> runtime;  // of the operands when the call runs; empty if
                               // the case is not about that
  // Literal expectations; absent ones are not stated.
  std::optional<std::string> shape;          // inferred: "2x?x4", "()", "*"
  std::optional<std::string> runtime_shape;  // of the result when it runs
  std::string undefined;  // the clause by which behaviour is then undefined
};

// Judges the literal expectations: a difference makes the verdict a fail, with
// a message. Clauses that took part are marked as covered. An expectation that
// the policy leaves open counts as one open element.
void JudgeTrait(const TraitCase& trait, const Policy& policy, Verdict* verdict,
                std::vector<std::string>* messages);

// Returns the labels of the clauses of the op's semantics that took part.
std::set<std::string> TraitClauses(const TraitCase& trait,
                                   const Policy& policy);

}  // namespace assay

#endif  // ASSAY_CASES_READ_TRAIT_CASE_H_
