// From the tree to programs: names for operands, attributes, functions and
// results, as the op's specification has them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/form.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"

namespace assay {
namespace {

using text::Location;
using text::Statement;
using text::SyntaxError;

Tensor ScalarTensor(ElementType type, ElementBits bits) {
  TensorType scalar;
  scalar.element_type = type;
  Tensor tensor(scalar);
  tensor.SetBits(0, bits);
  return tensor;
}

// Divides the operands, functions or results of an op among the members of its
// specification: one each, and of those that are left the same number to every
// variadic one. nullopt if that does not come out.
template <class Members>
std::optional<std::vector<size_t>> Divide(size_t count,
                                          const Members& members) {
  const auto variadic = static_cast<size_t>(std::ranges::count_if(
      members, [](const auto* member) { return member->variadic; }));
  const size_t single = members.size() - variadic;
  if (count < single) return std::nullopt;
  const size_t rest = count - single;
  if (variadic == 0 ? rest != 0 : rest % variadic != 0) return std::nullopt;
  std::vector<size_t> sizes;
  for (const auto* member : members)
    sizes.push_back(member->variadic ? rest / variadic : 1);
  return sizes;
}

class Binder {
 public:
  Function Bind(const text::Function& function) {
    if (function.body == nullptr)
      throw SyntaxError(
          function.statement->location,
          fmt::format("the function @{} has no body", Cut(function.name)));
    return Bind(function.name, *function.body, "func.return",
                function.statement->location);
  }

  // `end`: the statement that returns.
  Function Bind(const std::string& name, const text::Region& region,
                std::string_view end, Location location) {
    Function function;
    function.name = name;
    for (size_t i = 0; i < region.arguments.size(); ++i) {
      const text::BlockArgument& argument = region.arguments[i];
      names_[region.first_argument + static_cast<int64_t>(i)] = argument.name;
      function.inputs.push_back(
          {argument.name, TypeOf(*argument.type, argument.location)});
    }
    if (region.statements.empty() || region.statements.back().op != end)
      throw SyntaxError(region.statements.empty()
                            ? location
                            : region.statements.back().location,
                        fmt::format("a function ends with {}", end));
    for (const Statement& statement : region.statements) {
      if (&statement != &region.statements.back()) {
        function.body.push_back(Bind(statement));
        continue;
      }
      for (size_t i = 0; i < statement.operands.size(); ++i)
        function.results.push_back(
            {NameOf(statement.operands[i]),
             TypeOf(*statement.operand_types[i], statement.location)});
    }
    return function;
  }

 private:
  Op Bind(const Statement& statement) {
    const OpSpec& spec = SpecOf(statement);
    Op op;
    op.op = spec.id;
    BindOperands(spec, statement, &op);
    for (const InputSpec& input : spec.inputs)
      BindAttribute(spec, input, statement, &op);
    BindRegions(spec, statement, &op);
    BindResults(spec, statement, &op);
    for (const ConstraintResult& result : CheckConstraints(spec, op)) {
      if (result.truth == Truth::kFalse)
        throw SyntaxError(statement.location,
                          fmt::format("{} violates {}: {}", spec.id,
                                      result.constraint->label, result.Text()));
    }
    return op;
  }

  static const OpSpec& SpecOf(const Statement& statement) {
    constexpr std::string_view kDialect = "stablehlo.";
    std::string_view id = statement.op;
    if (id.starts_with(kDialect)) id.remove_prefix(kDialect.size());
    const OpSpec* spec = FindOp(id);
    if (spec != nullptr && spec->executable) return *spec;
    const text::OpForm* form = text::FindForm(statement.op);
    std::string why = "no op file describes it";
    if (form != nullptr && !form->status.empty())
      why = fmt::format("{}: {}", form->status, form->reason);
    if (!statement.op.starts_with(kDialect))
      why = "an op of another dialect than StableHLO";
    throw SyntaxError(statement.location, fmt::format("'{}' is not judged: {}",
                                                      Cut(statement.op), why));
  }

  void BindOperands(const OpSpec& spec, const Statement& statement, Op* op) {
    std::vector<const InputSpec*> members;
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue()) members.push_back(&input);
    }
    const auto sizes = Divide(statement.operands.size(), members);
    if (!sizes)
      throw SyntaxError(statement.location,
                        fmt::format("{} does not take {} operands", spec.id,
                                    statement.operands.size()));
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at)
        op->inputs.push_back(
            {members[m]->name, NameOf(statement.operands[at]),
             TypeOf(*statement.operand_types[at], statement.location)});
    }
  }

  void BindRegions(const OpSpec& spec, const Statement& statement, Op* op) {
    std::vector<const InputSpec*> members;
    for (const InputSpec& input : spec.inputs) {
      if (input.kind == InputSpec::Kind::kFunction) members.push_back(&input);
    }
    const auto sizes = Divide(statement.regions.size(), members);
    if (!sizes)
      throw SyntaxError(statement.location,
                        fmt::format("{} does not take {} functions", spec.id,
                                    statement.regions.size()));
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at)
        op->regions.push_back(Bind(members[m]->name, statement.regions[at],
                                   "stablehlo.return", statement.location));
    }
  }

  void BindResults(const OpSpec& spec, const Statement& statement, Op* op) {
    std::vector<const OutputSpec*> members;
    for (const OutputSpec& output : spec.outputs) members.push_back(&output);
    const auto sizes = Divide(statement.result_types.size(), members);
    if (!sizes)
      throw SyntaxError(statement.location,
                        fmt::format("{} does not give {} results", spec.id,
                                    statement.result_types.size()));
    std::vector<std::string> values;
    for (const text::ResultGroup& group : statement.results) {
      for (int64_t i = 0; i < group.count; ++i)
        values.push_back(group.count == 1
                             ? group.name
                             : fmt::format("{}#{}", group.name, i));
    }
    // A result that the text does not name is used by nobody.
    for (size_t i = values.size(); i < statement.result_types.size(); ++i)
      values.push_back(fmt::format("unused.{}", statement.first_result + i));
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at) {
        names_[statement.first_result + static_cast<int64_t>(at)] = values[at];
        op->outputs.push_back(
            {members[m]->name, values[at],
             TypeOf(*statement.result_types[at], statement.location)});
      }
    }
  }

  void BindAttribute(const OpSpec& spec, const InputSpec& input,
                     const Statement& statement, Op* op) {
    if (input.IsValue() || input.kind == InputSpec::Kind::kFunction) return;
    const text::Attribute* attribute =
        text::Find(statement.attributes, input.name);
    if (attribute == nullptr) {
      if (std::optional<AttributeValue> value = TextDefault(spec, input, *op)) {
        op->attributes.push_back({input.name, *std::move(value)});
        return;
      }
      if (!input.absent)
        throw SyntaxError(
            statement.location,
            fmt::format("{} lacks its attribute '{}'", spec.id, input.name));
      return;
    }
    std::optional<AttributeValue> value = ValueOf(*attribute);
    if (!value || !IsOfKind(*value, input))
      throw SyntaxError(
          statement.location,
          fmt::format("the attribute '{}' of {} cannot be {}{}", input.name,
                      spec.id, Cut(text::AttributeText(*attribute)),
                      input.type ? ": it is " + input.type->ToString() : ""));
    op->attributes.push_back({input.name, *std::move(value)});
  }

  static bool IsOfKind(const AttributeValue& value, const InputSpec& input) {
    switch (input.kind) {
      case InputSpec::Kind::kConstant: {
        const auto* tensor = std::get_if<Tensor>(&value);
        return tensor != nullptr &&
               (!input.type ||
                (tensor->element_type() == input.type->element_type &&
                 tensor->type().shape.size() == input.type->shape.size()));
      }
      case InputSpec::Kind::kEnum:
        return std::holds_alternative<Symbol>(value);
      case InputSpec::Kind::kText:
        return std::holds_alternative<std::string>(value);
      case InputSpec::Kind::kName:
        return std::holds_alternative<FunctionName>(value);
      case InputSpec::Kind::kDictionary:
        return std::holds_alternative<Dictionary>(value);
      default:
        return false;
    }
  }

  // nullopt for what no attribute of a specification is.
  static std::optional<AttributeValue> ValueOf(
      const text::Attribute& attribute) {
    if (attribute.As<text::UnitAttribute>() != nullptr)
      return ScalarTensor(ElementType::kI1, 1);
    if (const auto* truth = attribute.As<bool>())
      return ScalarTensor(ElementType::kI1, *truth ? 1 : 0);
    if (const auto* integer = attribute.As<text::IntegerAttribute>()) {
      if (integer->type->kind != text::Type::Kind::kScalar) return std::nullopt;
      const ElementType type = integer->type->tensor.element_type;
      return ScalarTensor(type, BitsOf(type, integer->value));
    }
    if (const auto* number = attribute.As<text::FloatAttribute>())
      return ScalarTensor(number->type, number->bits);
    if (const auto* dense = attribute.As<text::DenseAttribute>())
      return dense->elements;
    if (const auto* string = attribute.As<text::StringAttribute>())
      return string->value;
    if (const auto* constant = attribute.As<text::EnumAttribute>())
      return Symbol{constant->value};
    if (const auto* symbol = attribute.As<text::SymbolAttribute>()) {
      if (symbol->path.size() != 1) return std::nullopt;
      return FunctionName{symbol->path.front()};
    }
    if (const auto* list = attribute.As<text::ListAttribute>()) {
      AttributeList values;
      for (const text::Attribute& element : list->elements) {
        std::optional<AttributeValue> value = ValueOf(element);
        if (!value) return std::nullopt;
        values.elements.push_back(*std::move(value));
      }
      return values;
    }
    const text::NamedAttributes* members = nullptr;
    if (const auto* dictionary = attribute.As<text::DictionaryAttribute>())
      members = &dictionary->entries;
    if (const auto* fields = attribute.As<text::StructAttribute>())
      members = &fields->fields;
    if (members == nullptr) return std::nullopt;
    Dictionary dictionary;
    for (const text::NamedAttribute& member : *members) {
      std::optional<AttributeValue> value = ValueOf(*member.value);
      if (!value) return std::nullopt;
      dictionary.members.push_back({member.name, *std::move(value)});
    }
    return dictionary;
  }

  static ValueType TypeOf(const text::Type& type, Location location) {
    switch (type.kind) {
      case text::Type::Kind::kTensor: {
        if (type.encoding)
          throw SyntaxError(location,
                            fmt::format("types with an encoding are not "
                                        "judged: {}",
                                        Cut(text::TypeText(type))));
        TensorType tensor = type.tensor;
        if (type.quantized)
          throw SyntaxError(location,
                            fmt::format("quantized types are not judged: {}",
                                        Cut(text::TypeText(type))));
        return tensor;
      }
      case text::Type::Kind::kToken:
        return TokenType();
      case text::Type::Kind::kTuple: {
        TupleType tuple;
        for (const text::TypePtr& element : type.inputs)
          tuple.types.push_back(TypeOf(*element, location));
        return tuple;
      }
      default:
        throw SyntaxError(location, fmt::format("no value has the type {}",
                                                Cut(text::TypeText(type))));
    }
  }

  std::string NameOf(const text::Operand& operand) const {
    const auto it = names_.find(operand.value);
    return it == names_.end() ? operand.name : it->second;  // a capture
  }

  std::unordered_map<int64_t, std::string> names_;  // of definitions
};

[[noreturn]] void Fail(const std::string& where, const SyntaxError& e) {
  throw InputError(
      fmt::format("{}:{}:{}", where, e.location().line, e.location().column),
      e.message());
}

}  // namespace

Program ReadProgram(const std::string& file, const text::ChunkText& chunk,
                    const text::Limits& limits) {
  try {
    const text::Chunk tree = text::ParseChunk(chunk, limits);
    const text::Module module = text::ReadModule(tree.module);
    if (!module.modules.empty())
      throw SyntaxError(module.modules[0].statement->location,
                        "a module within a module is not judged");
    if (!module.others.empty())
      throw SyntaxError(module.others[0]->location,
                        fmt::format("'{}' stands outside of any function",
                                    Cut(module.others[0]->op)));
    Program program;
    Binder binder;
    for (const text::Function& function : module.functions)
      program.functions.push_back(binder.Bind(function));
    if (program.functions.empty())
      throw SyntaxError(tree.module.location, "the program has no function");
    return program;
  } catch (const SyntaxError& e) {
    Fail(file, e);
  }
}

Function ReadRegion(const std::string& where, const std::string& name,
                    std::string_view text) {
  try {
    const std::string whole =
        fmt::format("\"assay.region\"() ({{\n{}\n}}) : () -> ()\n", text);
    const text::Chunk tree = text::ParseStatements({whole, 0});
    const std::vector<Statement>& statements =
        tree.module.regions.front().statements;
    if (statements.size() != 1 || statements[0].regions.size() != 1)
      throw SyntaxError(tree.module.location, "a region is one function");
    return Binder().Bind(name, statements[0].regions[0], "stablehlo.return",
                         {1, 1});
  } catch (const SyntaxError& e) {
    Fail(where, e);
  }
}

}  // namespace assay
