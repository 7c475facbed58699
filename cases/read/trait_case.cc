// The literals of a trait's case are judged here. Its constraints are judged in
// runner.cc, as for every other op.
#include "cases/read/trait_case.h"

#include <fmt/format.h>

#include <algorithm>

#include "spec/op_spec.h"

namespace assay {

void JudgeTrait(const TraitCase& trait, const Policy& policy, Verdict* verdict,
                std::vector<std::string>* messages) {
  const Verification verification =
      Verify(trait.call, BroadcastRules::Of(policy));
  std::set<std::string_view> clauses = verification.clauses;
  const auto fail = [&](std::string message) {
    verdict->outcome = Outcome::kFail;
    messages->push_back(std::move(message));
  };
  if (trait.shape) {
    const std::string inferred =
        verification.inference.failed()
            ? "none, since operands are not compatible"
            : ShapeTextOrStar(verification.inference.shape);
    if (inferred != *trait.shape)
      fail(fmt::format("the inferred shape is {}; the case expects {}",
                       inferred, *trait.shape));
  }
  bool is_open = std::ranges::find(verification.violations, Truth::kUndefined,
                                   &BroadcastViolation::truth) !=
                 verification.violations.end();
  if (!trait.runtime.empty() && verification.violations.empty() &&
      verification.inference.shape) {
    const RuntimeShape runtime =
        InferRuntimeShape(trait.call, trait.runtime, verification);
    clauses.insert(runtime.clause);
    is_open |= !runtime.shape;
    const std::string found =
        runtime.shape ? ShapeTextOrStar(runtime.shape)
                      : fmt::format("undefined by {}", runtime.clause);
    const std::string expected =
        trait.runtime_shape ? *trait.runtime_shape
                            : fmt::format("undefined by {}", trait.undefined);
    if (found != expected)
      fail(fmt::format("the shape when it runs is {}; the case expects {}",
                       found, expected));
  }
  if (is_open) verdict->elements = verdict->open = 1;
  for (const std::string_view label : clauses) {
    if (FindOp(kBroadcastable)->Clause(label) != nullptr)
      verdict->covered.emplace_back(label);
  }
}

std::set<std::string> TraitClauses(const TraitCase& trait,
                                   const Policy& policy) {
  Verdict verdict;
  std::vector<std::string> unused;
  JudgeTrait(trait, policy, &verdict, &unused);
  return {verdict.covered.begin(), verdict.covered.end()};
}

}  // namespace assay
