#include "cases/run/reason_to_skip.h"

#include <fmt/format.h>

#include <algorithm>

#include "cases/run/whole_program.h"
#include "spec/pointwise/pointwise.h"

namespace assay {
namespace {

Tensor Zeros(const TensorType& type) {
  Tensor tensor(type);
  for (int64_t i = 0; i < tensor.size(); ++i) tensor.SetBits(i, 0);
  return tensor;
}

// Returns whether the case is one call that broadcasts its operands, and so can
// be given to a backend whatever their shapes.
bool IsPointwise(const Case& c) {
  return c.program.main().body.size() == 1 &&
         (FindOp(c.op)->family == kPointwise ||
          FindOp(c.op)->source == "paddle");
}

// A violation shows on small tensors.
constexpr int64_t kMostViolatedBytes = int64_t{1} << 20;

// Returns whether the case is one call of an op that moves elements, on
// operands and to results that are small tensors.
bool IsMovement(const Case& c) {
  const std::vector<Op>& body = c.program.main().body;
  if (body.size() != 1 || !FindOp(c.op)->moves || FindOp(c.op)->control)
    return false;
  const auto is_small = [](const auto& value) {
    return value.type.IsTensor() && !value.type.IsQuantized() &&
           value.type.IsStatic() &&
           value.type.tensor().ByteSize() <= kMostViolatedBytes;
  };
  // When a call runs, nothing says that its operands are constants.
  const auto is_known = [](const Op::Operand& operand) {
    return operand.known.has_value();
  };
  return std::ranges::all_of(body[0].inputs, is_small) &&
         std::ranges::all_of(body[0].outputs, is_small) &&
         std::ranges::none_of(body[0].inputs, is_known);
}

// Returns whether the backend says of such a call that it violates a
// constraint.
bool Validates(const BackendInfo& backend, const Case& c) {
  if (backend.validates) return IsPointwise(c) || IsMovement(c);
  return (backend.validates_pointwise && IsPointwise(c)) ||
         (backend.validates_movement && IsMovement(c));
}

}  // namespace

bool NeedsOtherPolicy(const Case& c, const Policy& policy) {
  if (c.policy.empty() || c.policy == policy.name()) return false;
  return policy.file().empty() || c.trait || !c.violates.empty();
}

std::string ReasonToSkip(const Case& c, const BackendInfo& backend,
                         const Policy& policy) {
  if (c.trait) return "a trait, judged on spec only";
  if (!c.violates.empty() && !backend.validates && !Validates(backend, c))
    return "does not validate";
  if (c.verified_text && !c.MustBeRefused()) return "not judged: " + c.unjudged;
  if (c.verified_text)
    return "texts that must be refused are judged on spec and whole programs";
  if (!c.is_static) return "has dynamic dimensions";
  if (c.violates.empty() && !c.unjudged.empty())
    return "not judged: " + c.unjudged;
  if (!c.violates.empty() && !Validates(backend, c))
    return "constraint violations are judged on spec only";
  if (NeedsOtherPolicy(c, policy)) return "needs policy " + c.policy;
  return "";
}

std::string ReasonToSkipProgram(const Case& c, const BackendInfo& backend,
                                const Policy& policy) {
  if (c.trait) return "a trait, judged on spec only";
  if (c.variant) return "packed: a program takes and gives rows without gaps";
  if (!c.after.empty()) return "comes after calls in a process of its own";
  if (c.MustBeRefused() && !backend.validates) return "does not validate";
  const bool is_verified = c.MustBeRefused() || backend.verifies;
  if (c.verified_text) return is_verified ? "" : "not judged: " + c.unjudged;
  if (!HasText(c.program.main())) return "not an op of StableHLO";
  if (!is_verified && !c.is_static) return "has dynamic dimensions";
  if (!is_verified && !c.unjudged.empty()) return "not judged: " + c.unjudged;
  if (!is_verified && CallsTarget(c.program.main()))
    return "calls a target of the case, which the backend does not have";
  if (!c.MustBeRefused() && !c.Runs()) {
    if (std::string undecided = Undecided(c, policy); !undecided.empty())
      return undecided;
  }
  if (NeedsOtherPolicy(c, policy)) return "needs policy " + c.policy;
  return "";
}

void OutOfFuel(int64_t fuel, Verdict* verdict) {
  verdict->outcome = Outcome::kOutOfFuel;
  verdict->message = fmt::format(
      "more than {} steps (--fuel): a loop without an end is TBD", fuel);
}

std::string Undecided(const Case& c, const Policy& policy) {
  for (const Op& op : c.program.main().body) {
    for (const ConstraintResult& result :
         CheckConstraints(*FindOp(op.op), op, policy)) {
      if (result.truth != Truth::kUndefined) continue;
      const auto* why = result.value.As<Value::Undefined>();
      return fmt::format("{}/{} is neither true nor false{}", op.op,
                         result.constraint->label,
                         why ? ": " + why->reason : "");
    }
  }
  return "";
}

Values InputsOf(const Case& c) {
  Values values;
  const std::vector<TypedName>& inputs = c.program.main().inputs;
  if (!c.violates.empty()) {
    for (const TypedName& input : inputs)
      values[input.name] = Zeros(input.type);
    return values;
  }
  for (size_t i = 0; i < c.inputs.size(); ++i)
    values[inputs[i].name] = c.inputs[i].data.Materialise();
  return values;
}

}  // namespace assay
