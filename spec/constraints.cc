// What follows from an op file for a call: which constraints hold, and of which
// types the results are.
#include <fmt/format.h>

#include "spec/broken_constraint.h"
#include "spec/op_spec.h"

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

}  // namespace

std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call) {
  const Environment environment =
      MakeEnvironment(spec, call, /*with_outputs=*/true);
  std::vector<ConstraintResult> results;
  for (const ConstraintSpec& constraint : spec.constraints) {
    Value value = Evaluate(constraint.formula, environment);
    const Truth truth = MaybeBroken(spec.id, constraint.label, TruthOf(value));
    results.push_back({&constraint, truth, std::move(value)});
  }
  return results;
}

std::vector<InferredType> InferResultTypes(const OpSpec& spec, const Op& call) {
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
