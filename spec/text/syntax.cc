#include "spec/text/syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "spec/printable_text.h"
#include "spec/text/print.h"

namespace assay::text {
namespace {

// Returns what `arg_attrs` and `res_attrs` hold: a dictionary for each of
// `count`.
std::vector<const NamedAttributes*> EntryAttributes(const Statement& function,
                                                    const char* name,
                                                    size_t count) {
  std::vector<const NamedAttributes*> entries(count, nullptr);
  const Attribute* const attribute = Find(function.attributes, name);
  if (attribute == nullptr) return entries;
  const auto* list = attribute->As<ListAttribute>();
  if (list == nullptr || list->elements.size() != count)
    throw SyntaxError(
        function.location,
        fmt::format("attribute '{}' is not a list of {}", name, count));
  for (size_t i = 0; i < count; ++i) {
    const auto* entry = list->elements[i].As<DictionaryAttribute>();
    if (entry == nullptr)
      throw SyntaxError(function.location,
                        fmt::format("attribute '{}' is not a list of "
                                    "dictionaries",
                                    name));
    if (!entry->entries.empty()) entries[i] = &entry->entries;
  }
  return entries;
}

const std::string* StringOf(const Statement& statement, const char* name) {
  const Attribute* const attribute = Find(statement.attributes, name);
  if (attribute == nullptr) return nullptr;
  const auto* string = attribute->As<StringAttribute>();
  if (string == nullptr)
    throw SyntaxError(statement.location,
                      fmt::format("attribute '{}' is not a string", name));
  return &string->value;
}

Function ReadFunction(const Statement& statement) {
  Function function;
  function.statement = &statement;
  const std::string* const name = StringOf(statement, "sym_name");
  if (name == nullptr)
    throw SyntaxError(statement.location, "the function has no name");
  function.name = *name;
  const std::string* const visibility = StringOf(statement, "sym_visibility");
  function.is_private = visibility != nullptr && *visibility == "private";
  const Attribute* const type = Find(statement.attributes, "function_type");
  const TypePtr* const type_pointer = type ? type->As<TypePtr>() : nullptr;
  if (type_pointer == nullptr || (*type_pointer)->kind != Type::Kind::kFunction)
    throw SyntaxError(statement.location,
                      "attribute 'function_type' is not a function type");
  function.type = type_pointer->get();
  if (statement.regions.size() != 1 || !statement.operands.empty() ||
      !statement.result_types.empty())
    throw SyntaxError(statement.location,
                      "a function has one region, no operands, no results");
  const Region& body = statement.regions[0];
  if (body.has_block) {
    function.body = &body;
    std::vector<TypePtr> arguments;
    for (const BlockArgument& argument : body.arguments)
      arguments.push_back(argument.type);
    if (!EqualTypes(arguments, function.type->inputs))
      throw SyntaxError(statement.location,
                        "the types of the body's arguments are not those of "
                        "the function");
  }
  function.argument_attributes =
      EntryAttributes(statement, "arg_attrs", function.type->inputs.size());
  function.result_attributes =
      EntryAttributes(statement, "res_attrs", function.type->results.size());
  return function;
}

}  // namespace

SyntaxError::SyntaxError(Location location, const std::string& message)
    : std::runtime_error(
          fmt::format("{}:{}: {}", location.line, location.column, message)),
      location_(location),
      message_(message) {}

NotJudged::NotJudged(Location location, const std::string& message,
                     std::string subject)
    : SyntaxError(location, message), subject_(std::move(subject)) {}

ConstraintsViolated::ConstraintsViolated(Location location,
                                         const std::string& message,
                                         std::string op,
                                         std::vector<std::string> labels)
    : SyntaxError(location, message),
      op_(std::move(op)),
      labels_(std::move(labels)) {}

bool EqualTypes(const std::vector<TypePtr>& a, const std::vector<TypePtr>& b) {
  return std::ranges::equal(a, b, [](const TypePtr& x, const TypePtr& y) {
    return x == y || *x == *y;
  });
}

void RefuseQuantized(const Type& type, Location location) {
  if (type.tensor.quantization)
    throw NotJudged(location, QuantizedTypeError(TypeText(type)),
                    kQuantizedTypes);
}

bool operator==(const Type& a, const Type& b) {
  if (&a == &b) return true;
  if (a.kind != b.kind || !(a.tensor == b.tensor) || a.name != b.name ||
      (a.encoding == nullptr) != (b.encoding == nullptr))
    return false;
  if (a.encoding && AttributeText(*a.encoding) != AttributeText(*b.encoding))
    return false;
  return EqualTypes(a.inputs, b.inputs) && EqualTypes(a.results, b.results);
}

const Attribute* Find(const NamedAttributes& attributes,
                      std::string_view name) {
  for (const NamedAttribute& attribute : attributes)
    if (attribute.name == name) return attribute.value.get();
  return nullptr;
}

Module ReadModule(const Statement& statement) {
  Module module;
  module.statement = &statement;
  if (const std::string* name = StringOf(statement, "sym_name"))
    module.name = *name;
  if (statement.regions.size() != 1 || !statement.regions[0].arguments.empty())
    throw SyntaxError(statement.location,
                      "a module has one region without arguments");
  for (const Statement& inner : statement.regions[0].statements) {
    if (inner.op == "func.func") {
      module.functions.push_back(ReadFunction(inner));
    } else if (inner.op == "builtin.module") {
      module.modules.push_back(ReadModule(inner));
    } else {
      module.others.push_back(&inner);
    }
  }
  return module;
}

std::map<std::string, const Function*, std::less<>> FunctionsByName(
    const Module& module) {
  std::map<std::string, const Function*, std::less<>> functions;
  for (const Function& function : module.functions) {
    if (!functions.emplace(function.name, &function).second)
      throw SyntaxError(
          function.statement->location,
          fmt::format("there is a function @{} already", Cut(function.name)));
  }
  return functions;
}

}  // namespace assay::text
