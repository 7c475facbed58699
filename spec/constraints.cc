// This file derives from an op file which constraints hold for a call, and
// which types its results have.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "spec/broken_constraint.h"
#include "spec/op_environment.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"
#include "spec/policy.h"
#include "spec/printable_text.h"

namespace assay {
namespace {

// BuiltinResults has the findings of builtin constraints on a call; each check
// runs once.
class BuiltinResults {
 public:
  BuiltinResults(const OpSpec& spec, const Op& call, const Policy& policy)
      : spec_(spec), call_(call), policy_(policy) {}

  void Find(const ConstraintSpec& constraint, ConstraintResult* result) {
    const auto [it, is_new] = findings_.try_emplace(constraint.check);
    if (is_new) it->second = constraint.check->check(spec_, call_, policy_);
    for (const BuiltinFinding& finding : it->second) {
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
  std::map<const BuiltinConstraint*, std::vector<BuiltinFinding>> findings_;
};

}  // namespace

std::vector<ConstraintResult> CheckConstraints(const OpSpec& spec,
                                               const Op& call,
                                               const Policy& policy) {
  const Environment environment =
      EnvironmentOf(spec, call, /*with_outputs=*/true);
  BuiltinResults builtin(spec, call, policy);
  std::vector<ConstraintResult> results;
  for (const ConstraintSpec& constraint : spec.constraints) {
    ConstraintResult result{&constraint, Truth::kTrue, Value::None(), ""};
    if (constraint.check == nullptr) {
      result.value = Evaluate(constraint.formula, environment);
      result.truth = TruthOf(result.value);
    } else {
      builtin.Find(constraint, &result);
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

std::string UnknownTarget(std::string_view target) {
  return fmt::format("a call of '{}', which is no target of the case",
                     Cut(target));
}

std::string UnjudgedBecause(const OpSpec& spec, const Op& call) {
  if (!spec.unjudged.empty()) return spec.unjudged;
  if (const InputSpec* target = spec.Target(); target && !call.callee) {
    const Attribute* const attribute = call.FindAttribute(target->name);
    return UnknownTarget(attribute ? AttributeText(*attribute) : "");
  }
  const auto is_quantized = [](const auto& value) {
    return value.type.IsQuantized();
  };
  if (std::ranges::any_of(call.inputs, is_quantized) ||
      std::ranges::any_of(call.outputs, is_quantized))
    return kQuantizedTypes;
  return "";
}

std::string UnjudgedBecause(const Function& function) {
  for (const Op& op : function.body) {
    std::string why = UnjudgedBecause(*FindOp(op.op), op);
    for (size_t i = 0; why.empty() && i < op.regions.size(); ++i)
      why = UnjudgedBecause(op.regions[i]);
    if (why.empty() && op.callee) why = UnjudgedBecause(*op.callee);
    if (!why.empty()) return why;
  }
  return "";
}

const OpSpec::Monotone* FindMonotone(const OpSpec& spec, const Op& call) {
  for (const OpSpec::Monotone& rule : spec.monotone) {
    if (!rule.when) return &rule;
    const Environment environment =
        EnvironmentOf(spec, call, /*with_outputs=*/true);
    if (TruthOf(Evaluate(*rule.when, environment)) == Truth::kTrue)
      return &rule;
  }
  return nullptr;
}

bool IsRefusable(const OpSpec& spec, const Op& call) {
  const auto holds_one = [](const Function& function) {
    return std::ranges::any_of(function.body, [](const Op& op) {
      return IsRefusable(*FindOp(op.op), op);
    });
  };
  if (std::ranges::any_of(call.regions, holds_one) ||
      (call.callee && holds_one(*call.callee)))
    return true;
  return spec.refusable &&
         TruthOf(Evaluate(*spec.refusable,
                          EnvironmentOf(spec, call, /*with_outputs=*/true))) ==
             Truth::kTrue;
}

std::optional<Tensor> RunTimeValue(const OpSpec& spec,
                                   const Op::Operand& operand, const Op& call) {
  const InputSpec& input = *spec.Input(operand.name);
  const TensorType& type = operand.type.tensor();
  if (!input.at_run_time || !IsInteger(type.element_type)) return std::nullopt;
  const Value value = Evaluate(
      *input.at_run_time, EnvironmentOf(spec, call, /*with_outputs=*/true));
  const Value::List* list = value.As<Value::List>();
  if (list == nullptr || type.shape != Shape{std::ssize(*list)})
    return std::nullopt;
  std::vector<int64_t> numbers;
  for (const Value& element : *list) {
    const int64_t* number = element.As<int64_t>();
    if (number == nullptr || *number > MaxValue(type.element_type))
      return std::nullopt;
    numbers.push_back(*number);
  }
  return IntegerTensor(type, numbers);
}

std::optional<AttributeValue> TextDefault(const OpSpec& spec,
                                          const InputSpec& input,
                                          const Op& call) {
  if (!input.text_default) return std::nullopt;
  const Value value = Evaluate(
      *input.text_default, EnvironmentOf(spec, call, /*with_outputs=*/false));
  if (const Symbol* symbol = value.As<Symbol>()) return *symbol;
  const Value::List* list = value.As<Value::List>();
  if (input.variadic && list != nullptr) {
    AttributeList symbols;
    for (const Value& element : *list) {
      if (const Symbol* symbol = element.As<Symbol>())
        symbols.elements.push_back({*symbol});
    }
    return symbols;
  }
  if (!input.type) return std::nullopt;
  // The elements of the constant, in row-major order.
  std::vector<int64_t> elements;
  TensorType type = *input.type;
  const std::function<bool(const Value&, size_t)> add = [&](const Value& part,
                                                            size_t dimension) {
    if (const Value::List* parts = part.As<Value::List>()) {
      if (dimension == type.shape.size()) return false;
      type.shape[dimension] = std::ssize(*parts);
      return std::ranges::all_of(*parts, [&](const Value& element) {
        return add(element, dimension + 1);
      });
    }
    const bool* truth = part.As<bool>();
    const int64_t* number = part.As<int64_t>();
    if (dimension != type.shape.size() || (!truth && !number)) return false;
    elements.push_back(truth ? *truth : *number);
    return true;
  };
  if (!add(value, 0)) return std::nullopt;
  // Of no rows: constants of two dimensions that text leaves out are padding,
  // whose rows are pairs.
  for (int64_t& size : type.shape) {
    if (size == kDynamic) size = 2;
  }
  return IntegerTensor(type, elements);
}

namespace {

std::vector<InferredType> TypesOfAnySize(const OpSpec& spec, const Op& call) {
  if (spec.family == kPointwise) return InferPointwiseTypes(spec, call);
  const Environment environment =
      EnvironmentOf(spec, call, /*with_outputs=*/false);
  const auto evaluate = [&](const std::string& target) -> std::optional<Value> {
    const auto it = spec.infer.find(target);
    if (it == spec.infer.end()) return std::nullopt;
    return Evaluate(it->second, environment);
  };
  std::vector<InferredType> types;
  for (const OutputSpec& output : spec.outputs) {
    const size_t first = types.size();
    if (!output.variadic) types.push_back({output.name, {}, {}});
    // Calls `set` for each result of the output with what is inferred of it.
    const auto infer = [&](const char* target, auto set) {
      const std::optional<Value> value =
          evaluate(fmt::format("{}({})", target, output.name));
      if (!value) return;
      if (!output.variadic) return set(*value, &types[first]);
      const Value::List* values = value->As<Value::List>();
      if (values == nullptr) return;
      if (types.size() < first + values->size())
        types.resize(first + values->size(), {output.name, {}, {}});
      for (size_t i = 0; i < values->size(); ++i)
        set((*values)[i], &types[first + i]);
    };
    infer("type", [](const Value& type, InferredType* inferred) {
      if (const TensorType* tensor = type.As<TensorType>()) {
        inferred->shape = tensor->shape;
        inferred->element_type = tensor->element_type;
        inferred->quantization = tensor->quantization;
      }
    });
    infer("shape", [](const Value& shape, InferredType* inferred) {
      const Value::List* sizes = shape.As<Value::List>();
      if (sizes == nullptr) return;
      Shape all;
      for (const Value& size : *sizes) {
        const int64_t* number = size.As<int64_t>();
        // A tensor has no such size; -1 would be taken for `?`.
        if (size.Is<Value::Undefined>() || size.Is<Value::Wide>() ||
            (number != nullptr && *number < 0))
          return;
        all.push_back(number != nullptr ? *number : kDynamic);
      }
      inferred->shape = std::move(all);
    });
    infer("element_type", [](const Value& type, InferredType* inferred) {
      if (type.Is<ElementType>())
        inferred->element_type = *type.As<ElementType>();
      if (const auto* quantized = type.As<Value::Quantized>()) {
        inferred->quantization = quantized->quantization;
        inferred->element_type = inferred->quantization->storage_type;
      }
    });
  }
  return types;
}

}  // namespace

std::vector<InferredType> InferResultTypes(const OpSpec& spec, const Op& call) {
  std::vector<InferredType> types = TypesOfAnySize(spec, call);
  for (InferredType& type : types) {
    if (!type.IsWhole() || type.Type().IsOfASizeThatExists()) continue;
    type.is_too_large = true;
    type.shape.reset();
  }
  return types;
}

TensorType InferredType::Type() const {
  TensorType type(*shape, *element_type);
  type.quantization = quantization;
  return type;
}

const InferredType* FindInferred(const std::vector<InferredType>& types,
                                 std::string_view output, size_t number) {
  for (const InferredType& type : types) {
    if (type.output == output && number-- == 0) return &type;
  }
  return nullptr;
}

const InferredType* FindInferred(const std::vector<InferredType>& types,
                                 const Op& call, size_t result) {
  const std::string& output = call.outputs[result].name;
  const auto first = std::ranges::find(call.outputs, output, &Op::Result::name);
  const auto number =
      result - static_cast<size_t>(first - call.outputs.begin());
  return FindInferred(types, output, number);
}

}  // namespace assay
