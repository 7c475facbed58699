// This file has the list of checks, a row for each, and converts a call to
// their arguments.
#include "spec/builtin_constraint.h"

#include <algorithm>
#include <array>

#include "spec/pointwise/broadcast.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 8> kBroadcastableLabels = {
    "BC-01", "BC-02", "BC-03", "BC-15", "BC-17", "BC-33", "BC-35", "BC-37"};

std::vector<BuiltinFinding> CheckBroadcastable(const OpSpec& /*spec*/,
                                               const Op& call,
                                               const Policy& policy) {
  const Verification verification =
      Verify(BroadcastCall::FromOp(call), BroadcastRules::Of(policy));
  std::vector<BuiltinFinding> findings;
  for (const BroadcastViolation& violation : verification.violations)
    findings.push_back(
        {violation.constraint, violation.truth, violation.reason});
  for (const std::string_view label : kBroadcastableLabels) {
    if (verification.TruthOfConstraint(label) == Truth::kUndefined)
      findings.push_back({label, Truth::kUndefined, ""});
  }
  return findings;
}

constexpr std::array<std::string_view, 7> kPointwiseLabels = {
    "PD-03", "PD-16", "PD-21", "PD-28", "PD-32", "P1", "P2"};

constexpr BuiltinConstraint kChecks[] = {
    {"broadcastable", kBroadcastableLabels, CheckBroadcastable},
    {"pointwise", kPointwiseLabels, CheckPointwise},
};

}  // namespace

std::span<const BuiltinConstraint> BuiltinConstraints() { return kChecks; }

const BuiltinConstraint* FindBuiltinConstraint(std::string_view name) {
  const auto it = std::ranges::find(kChecks, name, &BuiltinConstraint::name);
  return it == std::end(kChecks) ? nullptr : it;
}

}  // namespace assay
