// From the tree to programs: names for operands, attributes, functions and
// results, as the op's specification has them.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "spec/error.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/form_table.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"
#include "spec/text/read_attribute.h"

namespace assay {
namespace {

using text::Location;
using text::NotJudged;
using text::ReadType;
using text::Statement;
using text::SyntaxError;

constexpr std::string_view kDialect = "stablehlo.";
constexpr const char* kResultAccuracy = "result_accuracy";
// Constraints ask for the elements of operands that are about dimensions.
constexpr int64_t kLongestKnownValue = 1024;

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

// "lhs", or "inputs[1]" of a variadic one.
template <class Member>
std::string MemberName(const Member& member, size_t i) {
  return member.variadic ? fmt::format("{}[{}]", member.name, i) : member.name;
}

// Returns whether backends can be given the function as text.
bool IsOfTensorsAlone(const Function& function) {
  return HasTensorsAlone(function) && CalledBy(function).empty();
}

class Binder {
 public:
  // `callees`: what calls find; null where nothing is called. `captures`:
  // whether the text may use what it does not define.
  Binder(Callees* callees, bool captures, Reading reading,
         ProcessCounts processes = {})
      : callees_(callees),
        captures_(captures),
        reading_(reading),
        processes_(processes) {}

  Function Bind(const text::Function& function) {
    const Location location = function.statement->location;
    if (function.body == nullptr)
      throw SyntaxError(location, fmt::format("the function @{} has no body",
                                              Cut(function.name)));
    Function bound =
        Bind(function.name, *function.body, "func.return", location);
    std::vector<ValueType> declared;
    for (const text::TypePtr& type : function.type->results)
      declared.push_back(TypeOf(*type, location));
    const FunctionType type = bound.Type();
    if (type.outputs != declared)
      throw SyntaxError(
          function.body->statements.back().location,
          fmt::format("@{} returns other types than it declares: {}",
                      Cut(function.name), Cut(type.ToString())));
    return bound;
  }

  // `end`: the statement that returns.
  Function Bind(const std::string& name, const text::Region& region,
                std::string_view end, Location location) {
    const size_t outer = open_.size();
    Function function;
    function.name = name;
    for (size_t i = 0; i < region.arguments.size(); ++i) {
      const text::BlockArgument& argument = region.arguments[i];
      function.inputs.push_back(
          {Define(region.first_argument + static_cast<int64_t>(i),
                  argument.name),
           TypeOf(*argument.type, argument.location)});
    }
    if (region.statements.empty() || region.statements.back().op != end)
      throw SyntaxError(region.statements.empty()
                            ? location
                            : region.statements.back().location,
                        fmt::format("a function ends with {}", end));
    for (const Statement& statement : region.statements) {
      if (&statement != &region.statements.back()) {
        if (statement.op == end)
          throw SyntaxError(statement.location,
                            fmt::format("{} is not the last op", end));
        function.body.push_back(Bind(statement));
        continue;
      }
      for (size_t i = 0; i < statement.operands.size(); ++i)
        function.results.push_back(Use(statement, i));
    }
    // Names are free again, for a region beside this one.
    for (; open_.size() > outer; open_.pop_back()) taken_.erase(open_.back());
    return function;
  }

 private:
  Op Bind(const Statement& statement) {
    const OpSpec& spec = SpecOf(statement);
    if (reading_ == Reading::kJudged && !spec.unjudged.empty())
      throw NotJudged(statement.location,
                      fmt::format("'{}' is not judged: of the family {}",
                                  Cut(statement.op), spec.unjudged),
                      Cut(statement.op));
    const text::OpForm* form = text::FindForm(text::MeaningOf(statement));
    Op op;
    op.op = spec.id;
    op.processes = processes_;
    BindOperands(spec, statement, &op);
    for (const InputSpec& input : spec.inputs)
      BindAttribute(spec, input, form, statement, &op);
    AddDefaults(spec, statement, &op);
    BindCallee(spec, statement, &op);
    BindOthers(spec, form, statement, &op);
    BindRegions(spec, statement, &op);
    BindResults(spec, statement, &op);
    QuantizeConstant(spec, &op);
    RememberConstant(spec, statement, op);
    RequireConstraints(spec, op, statement.location);
    return op;
  }

  static void RequireConstraints(const OpSpec& spec, const Op& op,
                                 Location location) {
    std::vector<std::string> labels;
    std::string message;
    for (const ConstraintResult& result : CheckConstraints(spec, op)) {
      if (result.truth != Truth::kFalse) continue;
      labels.push_back(result.constraint->label);
      if (message.empty())
        message = fmt::format("{} violates {}: {}", spec.id,
                              result.constraint->label, result.Text());
    }
    if (!labels.empty())
      throw ConstraintsViolated(location, message, spec.id, std::move(labels));
  }

  // An op of another dialect is in the text if it has a form. Ids of
  // StableHLO's ops are without their dialect.
  static const OpSpec& SpecOf(const Statement& statement) {
    const std::string_view name = text::MeaningOf(statement);
    const text::OpForm* form = text::FindForm(name);
    const bool is_stablehlo = name.starts_with(kDialect);
    const std::string_view id =
        is_stablehlo ? name.substr(kDialect.size()) : name;
    const OpSpec* spec = FindOp(id);
    const bool is_in_text =
        is_stablehlo ? id.find('.') == std::string_view::npos : form != nullptr;
    if (is_in_text && spec != nullptr && spec->IsOfPrograms() &&
        (spec->source == "stablehlo") == is_stablehlo)
      return *spec;
    std::string why = "an op of another dialect than StableHLO";
    if (is_stablehlo) {
      why = form != nullptr && !form->status.empty()
                ? fmt::format("{}: {}", form->status, form->reason)
                : "no op file describes it";
    }
    throw NotJudged(statement.location,
                    fmt::format("'{}' is not judged: {}", Cut(name), why),
                    Cut(name));
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
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at) {
        TypedName operand = Use(statement, at);
        if (!members[m]->Takes(operand.type))
          throw SyntaxError(
              statement.operands[at].location,
              fmt::format("'{}' of {} cannot be {}", MemberName(*members[m], i),
                          spec.id, Cut(operand.type.ToString())));
        op->inputs.push_back({members[m]->name, std::move(operand.name),
                              std::move(operand.type)});
        const auto constant = constants_.find(statement.operands[at].value);
        if (members[m]->has_known_value && constant != constants_.end())
          op->inputs.back().known = constant->second;
      }
    }
  }

  // The only input of a constant is its value, of any type. Returns the value,
  // or nullptr if the op is no constant.
  template <class OpOrConst>
  static auto ValueOfConstant(const OpSpec& spec, OpOrConst* op)
      -> decltype(std::get_if<Tensor>(&op->attributes[0].value)) {
    if (spec.inputs.size() != 1 || op->attributes.size() != 1 ||
        spec.inputs[0].kind != InputSpec::Kind::kConstant ||
        spec.inputs[0].type)
      return nullptr;
    return std::get_if<Tensor>(&op->attributes[0].value);
  }

  // MLIR writes quantized constants as those of the storage type.
  static void QuantizeConstant(const OpSpec& spec, Op* op) {
    Tensor* value = ValueOfConstant(spec, op);
    if (value == nullptr || op->outputs.size() != 1) return;
    const TensorType* type = op->outputs[0].type.AsTensor();
    if (type == nullptr || type->quantization == nullptr ||
        type->shape != value->type().shape ||
        type->element_type != value->element_type())
      return;
    Tensor quantized(*type);
    for (int64_t i = 0; i < quantized.size(); ++i)
      quantized.SetBits(i, value->Bits(i));
    *value = std::move(quantized);
  }

  void RememberConstant(const OpSpec& spec, const Statement& statement,
                        const Op& op) {
    const Tensor* value = ValueOfConstant(spec, &op);
    if (value != nullptr && IsInteger(value->element_type()) &&
        value->size() <= kLongestKnownValue)
      constants_.emplace(statement.first_result, *value);
  }

  ValueType TypeOf(const text::Type& type, Location location) const {
    if (reading_ == Reading::kJudged) RefuseQuantized(type, location);
    return ReadType(type, location);
  }

  // The attribute of an op that calls names the function. Whether there is one
  // may be a constraint of the op.
  void BindCallee(const OpSpec& spec, const Statement& statement, Op* op) {
    for (const Attribute& attribute : op->attributes) {
      const auto* name = std::get_if<FunctionName>(&attribute.value);
      if (name == nullptr) continue;
      if (callees_ == nullptr)
        throw NotJudged(statement.location,
                        "a call inside of a function of an op is not judged",
                        "calls inside of functions of ops");
      Callees::Found found = callees_->Find(name->name);
      if (!found.function) {
        if (spec.Input(attribute.name)->may_be_undefined) continue;
        throw SyntaxError(statement.location, found.reason);
      }
      op->callee = std::move(found.function);
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
    if (spec.control || reading_ == Reading::kVerified) return;
    for (const Function& region : op->regions) {
      if (IsOfTensorsAlone(region)) continue;
      throw NotJudged(
          statement.location,
          fmt::format("the '{}' of {} is given to backends, and has tuples, "
                      "tokens or calls",
                      region.name, spec.id),
          "tuples, tokens and calls in computations");
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
    std::vector<std::string> names;
    for (const text::ResultGroup& group : statement.results) {
      for (int64_t i = 0; i < group.count; ++i)
        names.push_back(group.count == 1 ? group.name
                                         : fmt::format("{}#{}", group.name, i));
    }
    names.resize(statement.result_types.size(), "unused");
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at) {
        ValueType type =
            TypeOf(*statement.result_types[at], statement.location);
        if (!members[m]->Gives(type))
          throw SyntaxError(
              statement.location,
              fmt::format("'{}' of {} cannot be {}", MemberName(*members[m], i),
                          spec.id, Cut(type.ToString())));
        op->outputs.push_back(
            {members[m]->name,
             Define(statement.first_result + static_cast<int64_t>(at),
                    names[at]),
             std::move(type)});
      }
    }
  }

  static void BindAttribute(const OpSpec& spec, const InputSpec& input,
                            const text::OpForm* form,
                            const Statement& statement, Op* op) {
    if (input.IsValue() || input.kind == InputSpec::Kind::kFunction) return;
    const text::Attribute* attribute =
        text::Find(statement.attributes, input.text_attribute);
    if (attribute != nullptr && !input.text_field.empty()) {
      const auto* fields = attribute->As<text::StructAttribute>();
      if (fields == nullptr)
        throw SyntaxError(statement.location,
                          fmt::format("the attribute '{}' of {} has no fields",
                                      input.text_attribute, spec.id));
      attribute = text::Find(fields->fields, input.text_field);
      // Text leaves out fields that are 0 or empty, and it is an error to have
      // others than the op.
      RequireKnownFields(spec, input, *fields, statement.location);
      if (attribute == nullptr && input.type) {
        TensorType type = *input.type;
        if (!type.shape.empty()) type.shape = {0};
        op->attributes.push_back({input.name, IntegerTensor(
            type, std::vector<int64_t>(type.shape.empty() ? 1 : 0, 0))});
        return;
      }
    }
    if (attribute == nullptr) return;
    std::optional<AttributeValue> value =
        text::ReadAttribute(*attribute, input, form);
    if (!value)
      throw ConstraintsViolated(
          statement.location,
          fmt::format("the attribute '{}' of {} cannot be {}{}", input.name,
                      spec.id, Cut(text::AttributeText(*attribute)),
                      input.type ? ": it is " + input.type->ToString() : ""),
          spec.id, {input.label});
    op->attributes.push_back({input.name, *std::move(value)});
  }

  // Adds the attributes that text leaves out. Their values may rest on those
  // that it gives.
  static void AddDefaults(const OpSpec& spec, const Statement& statement,
                          Op* op) {
    std::vector<Attribute> attributes;
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue() || input.kind == InputSpec::Kind::kFunction) continue;
      if (const Attribute* given = op->FindAttribute(input.name)) {
        attributes.push_back(*given);
      } else if (std::optional<AttributeValue> value =
                     TextDefault(spec, input, *op)) {
        attributes.push_back({input.name, *std::move(value)});
      } else if (!input.absent) {
        throw SyntaxError(
            statement.location,
            fmt::format("{} lacks its attribute '{}'", spec.id, input.name));
      }
    }
    op->attributes = std::move(attributes);
  }

  // Later revisions have fields that this one does not describe.
  static void RequireKnownFields(const OpSpec& spec, const InputSpec& input,
                                 const text::StructAttribute& fields,
                                 Location location) {
    for (const text::NamedAttribute& field : fields.fields) {
      const auto is_field = [&, &name = field.name](const InputSpec& other) {
        return other.text_attribute == input.text_attribute &&
               other.text_field == name;
      };
      const std::string whole = input.text_attribute + "." + field.name;
      if (std::ranges::none_of(spec.inputs, is_field) &&
          std::ranges::find(spec.text->others, whole) ==
              spec.text->others.end())
        throw NotJudged(location,
                        fmt::format("the field '{}' of '{}' of {} is not that "
                                    "of this revision",
                                    field.name, input.text_attribute, spec.id),
                        fmt::format("{} of {}", field.name, spec.id));
    }
  }

  // Attributes that nobody declares mean nothing to an op. A property does.
  static void BindOthers(const OpSpec& spec, const text::OpForm* form,
                         const Statement& statement, Op* op) {
    for (const text::NamedAttribute& attribute : statement.attributes) {
      if (spec.HasTextAttribute(attribute.name)) continue;
      if (attribute.name == kResultAccuracy) {
        op->result_accuracy = text::ReadResultAccuracy(*attribute.value, spec,
                                                       *op, statement.location);
      } else if (form != nullptr &&
                 std::ranges::find(form->properties, attribute.name) !=
                     form->properties.end() &&
                 std::ranges::find(spec.text->others, attribute.name) ==
                     spec.text->others.end()) {
        throw NotJudged(
            statement.location,
            fmt::format("the attribute '{}' of {} is not judged",
                        Cut(attribute.name), spec.id),
            fmt::format("{} of {}", Cut(attribute.name), statement.op));
      }
    }
  }

  // Names a definition as the text does, unless another one that can be seen
  // has the name, such as the one in quotes of `%"r#0"` beside `%r:2`.
  const std::string& Define(int64_t value, std::string name) {
    // A name with '[' is that of a tensor in a tuple.
    std::ranges::replace(name, '[', '(');
    for (int i = 1; !taken_.insert(name).second; ++i) {
      const std::string other = fmt::format("{}.{}", name, i);
      if (!taken_.contains(other)) name = other;
    }
    open_.push_back(name);
    return names_[value] = std::move(name);
  }

  // Operand number `i` of the statement. What nothing defines is a capture of
  // the whole text.
  TypedName Use(const Statement& statement, size_t i) {
    const text::Operand& operand = statement.operands[i];
    const ValueType type =
        TypeOf(*statement.operand_types[i], operand.location);
    if (const auto it = names_.find(operand.value); it != names_.end())
      return {it->second, type};
    if (!captures_)
      throw SyntaxError(
          operand.location,
          fmt::format("%{} is not defined in the function", Cut(operand.name)));
    const std::string name =
        operand.number == 0
            ? operand.name
            : fmt::format("{}#{}", operand.name, operand.number);
    const auto [it, is_new] = captured_.try_emplace(name, type);
    if (it->second != type)
      throw SyntaxError(
          operand.location,
          fmt::format("%{} is {} here, and {} before", Cut(name),
                      Cut(type.ToString()), Cut(it->second.ToString())));
    return {name, type};
  }

  Callees* const callees_;
  const bool captures_;
  const Reading reading_;
  const ProcessCounts processes_;
  std::unordered_map<int64_t, Tensor> constants_;  // by their definition
  std::unordered_map<int64_t, std::string> names_;  // of definitions
  // The names that can be seen, and in which order they were defined.
  std::unordered_set<std::string> taken_;
  std::vector<std::string> open_;
  std::unordered_map<std::string, ValueType> captured_;
};

[[noreturn]] void Fail(const std::string& where, const SyntaxError& e) {
  throw InputError(
      fmt::format("{}:{}:{}", where, e.location().line, e.location().column),
      e.message());
}

}  // namespace

namespace {

// What a module says of the processes that execute it.
ProcessCounts CountsOf(const Statement& module) {
  const auto count = [&](const char* name) -> std::optional<int64_t> {
    const text::Attribute* attribute = text::Find(module.attributes, name);
    const auto* number =
        attribute ? attribute->As<text::IntegerAttribute>() : nullptr;
    return number && number->value > 0 ? std::optional<int64_t>(number->value)
                                       : std::nullopt;
  };
  return {count("mhlo.num_replicas"), count("mhlo.num_partitions")};
}

}  // namespace

Program BindProgram(const text::Chunk& tree, Reading reading) {
  const text::Module module = text::ReadModule(tree.module);
  if (!module.modules.empty())
    throw NotJudged(module.modules[0].statement->location,
                    "a module within a module is not judged",
                    "modules within modules");
  if (!module.others.empty())
    throw NotJudged(module.others[0]->location,
                    fmt::format("'{}' stands outside of any function",
                                Cut(module.others[0]->op)),
                    "ops outside of functions");
  const auto functions = text::FunctionsByName(module);
  const ProcessCounts processes = CountsOf(tree.module);
  Callees callees([&](const std::string& name) -> std::optional<Function> {
    const auto function = functions.find(name);
    if (function == functions.end()) return std::nullopt;
    return Binder(&callees, false, reading, processes)
        .Bind(*function->second);
  });
  Program program;
  for (const text::Function& function : module.functions) {
    const Callees::Found found = callees.Find(function.name);
    if (!found.function)
      throw SyntaxError(function.statement->location, found.reason);
    program.functions.push_back(*found.function);
  }
  if (program.functions.empty())
    throw SyntaxError(tree.module.location, "the program has no function");
  const auto main =
      std::ranges::find(program.functions, "main", &Function::name);
  if (main != program.functions.end())
    std::rotate(program.functions.begin(), main, main + 1);
  return program;
}

Program ReadProgram(const std::string& file, const text::ChunkText& chunk,
                    const text::Limits& limits) {
  try {
    return BindProgram(text::ParseChunk(chunk, limits));
  } catch (const SyntaxError& e) {
    Fail(file, e);
  }
}

Function BindRegion(const std::string& name, const text::Region& region,
                    text::Location location) {
  return Binder(nullptr, false, Reading::kJudged)
      .Bind(name, region, "func.return", location);
}

namespace {

Function ReadFunction(const std::string& where, const std::string& name,
                      std::string_view text, const text::Limits& limits,
                      const char* end, Binder binder) {
  try {
    const std::string whole =
        fmt::format("\"assay.region\"() ({{\n{}\n}}) : () -> ()\n", text);
    const text::Chunk tree = text::ParseStatements({whole, 0}, limits);
    const std::vector<Statement>& statements =
        tree.module.regions.front().statements;
    if (statements.size() != 1 || statements[0].regions.size() != 1)
      throw SyntaxError(tree.module.location, "a region is one function");
    return binder.Bind(name, statements[0].regions[0], end, {1, 1});
  } catch (const SyntaxError& e) {
    Fail(where, e);
  }
}

}  // namespace

Function ReadRegion(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits,
                    Callees* callees) {
  return ReadFunction(where, name, text, limits, "stablehlo.return",
                      Binder(callees, true, Reading::kVerified));
}

Function ReadCallee(const std::string& where, const std::string& name,
                    std::string_view text, const text::Limits& limits,
                    Callees* callees) {
  return ReadFunction(where, name, text, limits, "func.return",
                      Binder(callees, false, Reading::kVerified));
}

ValueType ReadValueType(const std::string& where, std::string_view text) {
  try {
    return ReadType(*text::ParseType(text), {1, 1});
  } catch (const SyntaxError& e) {
    Fail(where, e);
  }
}

}  // namespace assay
