// This file derives from an op file which constraints hold for a call, and
// which types its results have.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

#include "spec/broken_constraint.h"
#include "spec/op_spec.h"
#include "spec/pointwise/pointwise.h"
#include "spec/policy.h"

namespace assay {
namespace {

Value ValueOf(const AttributeValue& attribute) {
  struct Reader {
    Value operator()(const Tensor& tensor) const {
      return Value::FromTensor(tensor);
    }
    Value operator()(const std::string& text) const { return text; }
    Value operator()(const Symbol& symbol) const { return symbol; }
    Value operator()(const FunctionName& function) const {
      return "@" + function.name;
    }
    Value operator()(const AttributeList& list) const {
      Value::List values;
      for (const AttributeValue& element : list.elements)
        values.push_back(ValueOf(element));
      return values;
    }
    Value operator()(const Dictionary&) const { return Value::None(); }
  };
  return std::visit(Reader{}, attribute);
}

// Adds members by name: those of a variadic one as a list, which may be empty.
template <class Members, class F>
void AddMembers(bool variadic, const std::string& name, const Members& members,
                F value_of, Environment* environment) {
  if (!variadic) {
    if (!members.empty())
      environment->members.emplace(name, value_of(members.front()));
    return;
  }
  Value::List values;
  for (const auto& member : members) values.push_back(value_of(member));
  environment->members.emplace(name, std::move(values));
}

// The constant of kind `type` is a symbol in a call, and a type in formulas.
Value TypeNamed(const AttributeValue& attribute) {
  const Symbol* symbol = std::get_if<Symbol>(&attribute);
  if (symbol == nullptr) return ValueOf(attribute);
  const std::optional<ElementType> type = ParseElementType(symbol->name);
  return type ? Value(*type) : Value(*symbol);
}

// A row ends before the -1 that stand behind its elements.
Value WithoutPadding(const Value& rows) {
  const Value::List* list = rows.As<Value::List>();
  if (list == nullptr) return rows;
  Value::List ragged;
  for (const Value& row : *list) {
    Value::List elements = *row.As<Value::List>();
    while (!elements.empty() && elements.back().As<int64_t>() != nullptr &&
           *elements.back().As<int64_t>() == -1)
      elements.pop_back();
    ragged.push_back(std::move(elements));
  }
  return ragged;
}

void AddProcessCounts(const ProcessCounts& counts, Environment* environment) {
  const auto add = [&](const char* name, std::optional<int64_t> count) {
    if (count) environment->members.emplace(name, *count);
  };
  add("num_replicas", counts.replicas);
  add("num_partitions", counts.partitions);
  int64_t processes;
  if (counts.replicas && counts.partitions &&
      !__builtin_mul_overflow(*counts.replicas, *counts.partitions, &processes))
    add("num_processes", processes);
}

Environment MakeEnvironment(const OpSpec& spec, const Op& call,
                            bool with_outputs) {
  Environment environment;
  environment.definitions = &spec.where;
  const auto placeholder = [](const auto& member) {
    Value::Placeholder value{member.type};
    if constexpr (requires { member.known; }) value.known = member.known;
    return Value(std::move(value));
  };
  AddProcessCounts(call.processes, &environment);
  for (const InputSpec& input : spec.inputs) {
    if (input.kind == InputSpec::Kind::kFunction) {
      AddMembers(
          input.variadic, input.name, call.Regions(input.name),
          [](const Function& region) { return region.Type(); }, &environment);
    } else if (input.IsValue()) {
      AddMembers(input.variadic, input.name, call.Inputs(input.name),
                 placeholder, &environment);
    } else if (input.absent_value) {
      environment.members.emplace(input.name,
                                  Evaluate(*input.absent_value, Environment()));
    }
  }
  for (const Attribute& attribute : call.attributes) {
    // Formulas ask for the types of a function that is called.
    if (std::holds_alternative<FunctionName>(attribute.value) && call.callee) {
      environment.members.insert_or_assign(attribute.name,
                                           call.callee->Type());
      continue;
    }
    // A constant of any type may be large, and formulas ask for its type alone.
    const InputSpec* input = spec.Input(attribute.name);
    const auto* tensor = std::get_if<Tensor>(&attribute.value);
    const bool is_of_any_type = input != nullptr && !input->type &&
                                input->kind == InputSpec::Kind::kConstant;
    environment.members.insert_or_assign(
        attribute.name, tensor != nullptr && is_of_any_type
                            ? Value(Value::Placeholder{tensor->type()})
                        : input != nullptr &&
                                input->kind == InputSpec::Kind::kType
                            ? TypeNamed(attribute.value)
                        : input != nullptr && input->is_ragged
                            ? WithoutPadding(ValueOf(attribute.value))
                            : ValueOf(attribute.value));
  }
  if (!with_outputs) return environment;
  for (const OutputSpec& output : spec.outputs)
    AddMembers(output.variadic, output.name, call.Outputs(output.name),
               placeholder, &environment);
  return environment;
}

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
      MakeEnvironment(spec, call, /*with_outputs=*/true);
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

std::string_view UnjudgedBecause(const OpSpec& spec, const Op& call) {
  if (!spec.unjudged.empty()) return spec.unjudged;
  const auto is_quantized = [](const auto& value) {
    return value.type.IsQuantized();
  };
  if (std::ranges::any_of(call.inputs, is_quantized) ||
      std::ranges::any_of(call.outputs, is_quantized))
    return kQuantizedTypes;
  return "";
}

std::string_view UnjudgedBecause(const Function& function) {
  for (const Op& op : function.body) {
    std::string_view why = UnjudgedBecause(*FindOp(op.op), op);
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
        MakeEnvironment(spec, call, /*with_outputs=*/true);
    if (TruthOf(Evaluate(*rule.when, environment)) == Truth::kTrue)
      return &rule;
  }
  return nullptr;
}

std::optional<AttributeValue> TextDefault(const OpSpec& spec,
                                          const InputSpec& input,
                                          const Op& call) {
  if (!input.text_default) return std::nullopt;
  const Value value = Evaluate(
      *input.text_default, MakeEnvironment(spec, call, /*with_outputs=*/false));
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
        if (size.Is<Value::Undefined>() || (number != nullptr && *number < 0))
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
