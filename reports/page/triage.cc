#include <fmt/format.h>

#include <string>
#include <string_view>

#include "reports/page/cause_list.h"

namespace assay {

std::string TriageText(const Verdict& verdict) {
  constexpr std::string_view kPolicy = "policy:";
  switch (verdict.outcome) {
    case Outcome::kCrash:
      return "The call ends the backend's process.";
    case Outcome::kTimeout:
      return "The call does not return in time.";
    case Outcome::kMemory:
      return "The call takes more memory than it may.";
    case Outcome::kGuardViolation:
      return "Memory outside of a buffer is read or written.";
    case Outcome::kInputModified:
      return "An operand is written, which a call may only read.";
    case Outcome::kNotWritten:
      return "Elements of a result are left as they were.";
    case Outcome::kNondeterministic:
      return "The result depends on memory outside of the operands, or differs "
             "from run to run.";
    case Outcome::kEnvironmentChanged:
      return "The call leaves its process changed.";
    case Outcome::kError:
      return "The backend reports an error, or its answer is not one.";
    case Outcome::kRejectedValid:
      return "A valid call is refused.";
    case Outcome::kAcceptedInvalid:
      return "A call that violates a constraint is accepted.";
    case Outcome::kOracleSuspect:
      return "The suite contradicts itself: look there first.";
    default:
      break;
  }
  if (verdict.basis.starts_with(kPolicy))
    return fmt::format("Open in the text, decided by the policy: {}.",
                       verdict.basis.substr(kPolicy.size()));
  if (verdict.basis == "budget")
    return "The result is less accurate than its budget allows.";
  if (verdict.basis == "contract")
    return "The call breaks the rules for memory and the interface.";
  return "The result contradicts a sentence of the text.";
}

}  // namespace assay
