// This file derives from an op file which constraints hold for a call, and
// which types its results have.
#include <fmt/format.h>

#include <map>

#include "spec/broken_constraint.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"
#include "spec/policy.h"

namespace assay {
namespace {

Value AttributeValue(const Attribute& attribute) {
  if (const Symbol* symbol = std::get_if<Symbol>(&attribute.value))
    return *symbol;
  if (const std::string* text = std::get_if<std::string>(&attribute.value))
    return *text;
  return Value::FromTensor(std::get<Tensor>(attribute.value));
}

Environment MakeEnvironment(const OpSpec& spec, const Op& call,
                            bool with_outputs) {
  Environment environment;
  environment.definitions = &spec.where;
  for (const Op::Operand& input : call.inputs)
    environment.members.emplace(input.name, Value::Placeholder{input.type});
  for (const Attribute& attribute : call.attributes)
    environment.members.emplace(attribute.name, AttributeValue(attribute));
  if (with_outputs) {
    for (const Op::Result& output : call.outputs)
      environment.members.emplace(output.name, Value::Placeholder{output.type});
  }
  return environment;
}

// NativeResults has the findings of native checks on a call; each check runs
// once.
class NativeResults {
 public:
  NativeResults(const OpSpec& spec, const Op& call, const Policy& policy)
      : spec_(spec), call_(call), policy_(policy) {}

  void Find(const ConstraintSpec& constraint, ConstraintResult* result) {
    const auto [it, is_new] = findings_.try_emplace(constraint.check);
    if (is_new) it->second = constraint.check->check(spec_, call_, policy_);
    for (const NativeFinding& finding : it->second) {
      if (finding.label != constraint.label) continue;
      if (result->truth == Truth::kFalse && finding.truth != Truth::kFalse)
        continue;
      result->truth = finding.truth;
      if (result->reason.empty()) result->reason = finding.reason;
    }
  }

 private:
  const OpSpec& spec_;
  const Op& call_;
  const Policy& policy_;
  std::map<const NativeCheck*, std::vector<NativeFinding>> findings_;
};

}  // namespace

std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call,
                                               const Policy& policy) {
  const Environment environment =
      MakeEnvironment(spec, call, /*with_outputs=*/true);
  NativeResults native(spec, call, policy);
  std::vector<ConstraintResult> results;
  for (const ConstraintSpec& constraint : spec.constraints) {
    ConstraintResult result{&constraint, Truth::kTrue, Value::None(), ""};
    if (constraint.check == nullptr) {
      result.value = Evaluate(constraint.formula, environment);
      result.truth = TruthOf(result.value);
    } else {
      native.Find(constraint, &result);
    }
    result.truth = MaybeBroken(spec.Family(), constraint.label, result.truth);
    results.push_back(std::move(result));
  }
  return results;
}

std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call) {
  return CheckConstraints(spec, call, Policy::Find("assay"));
}

std::string ConstraintResult::Text() const {
  return reason.empty() ? constraint->Text()
                        : fmt::format("{} ({})", constraint->Text(), reason);
}

std::vector<InferredType> InferResultTypes(const OpSpec& spec, const Op& call) {
  if (spec.family == kPointwise) return InferPointwiseTypes(spec, call);
  const Environment environment =
      MakeEnvironment(spec, call, /*with_outputs=*/false);
  const auto evaluate = [&](const std::string& target) -> std::optional<Value> {
    const auto it = spec.infer.find(target);
    if (it == spec.infer.end()) return std::nullopt;
    return Evaluate(it->second, environment);
  };
  std::vector<InferredType> types;
  for (const OutputSpec& output : spec.outputs) {
    InferredType inferred;
    if (const auto type = evaluate(fmt::format("type({})", output.name));
        type && type->Is<TensorType>()) {
      inferred.shape = type->As<TensorType>()->shape;
      inferred.element_type = type->As<TensorType>()->element_type;
    }
    if (const auto shape = evaluate(fmt::format("shape({})", output.name));
        shape && shape->Is<Value::List>()) {
      inferred.shape.emplace();
      for (const Value& size : *shape->As<Value::List>())
        inferred.shape->push_back(size.Is<int64_t>() ? *size.As<int64_t>()
                                                     : kDynamic);
    }
    if (const auto type =
            evaluate(fmt::format("element_type({})", output.name));
        type && type->Is<ElementType>()) {
      inferred.element_type = *type->As<ElementType>();
    }
    types.push_back(std::move(inferred));
  }
  return types;
}

}  // namespace assay
