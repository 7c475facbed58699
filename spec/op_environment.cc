#include "spec/op_environment.h"

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

}  // namespace

Environment EnvironmentOf(const OpSpec& spec, const Op& call,
                          bool with_outputs) {
  Environment environment;
  environment.definitions = &spec.where;
  const auto placeholder = [](const auto& member) {
    Value::Placeholder value{member.type};
    if constexpr (requires { member.known; }) {
      if (member.known)
        value.known = std::make_shared<const Tensor>(*member.known);
    }
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
      environment.members.insert_or_assign(attribute.name, call.callee->Type());
      continue;
    }
    // A constant of any type may be large, and formulas ask for its type alone.
    const InputSpec* input = spec.Input(attribute.name);
    const auto* tensor = std::get_if<Tensor>(&attribute.value);
    const bool is_of_any_type = input != nullptr && !input->type &&
                                input->kind == InputSpec::Kind::kConstant;
    environment.members.insert_or_assign(
        attribute.name,
        tensor != nullptr && is_of_any_type
            ? Value(Value::Placeholder{tensor->type()})
        : input != nullptr && input->kind == InputSpec::Kind::kType
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

}  // namespace assay
