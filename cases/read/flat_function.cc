#include "cases/read/flat_function.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <unordered_map>
#include <utility>

#include "cases/read/check_op.h"
#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/form_table.h"

namespace assay {
namespace {

using text::EqualTypes;
using text::Location;
using text::NotJudged;
using text::Statement;
using text::SyntaxError;

// Calls nest so deep in no program that ends.
constexpr int kMostCalls = 64;

constexpr const char* kReturn = "func.return";

// Returns the elements of a dense constant, of the type that its value has.
const Tensor& Elements(const Statement& statement, const text::Type& type) {
  text::RefuseQuantized(type, statement.location);
  const text::Attribute* const value =
      text::Find(statement.attributes, "value");
  const auto* dense = value ? value->As<text::DenseAttribute>() : nullptr;
  if (dense == nullptr || type.kind != text::Type::Kind::kTensor ||
      dense->elements.type() != type.tensor)
    throw SyntaxError(statement.location,
                      fmt::format("{} has no constant of the type of its value",
                                  Cut(statement.op)));
  return dense->elements;
}

// Returns the input that names the function that an op calls; nullptr if the op
// calls none. Ids of StableHLO's ops are without their dialect.
const InputSpec* CalleeOf(const Statement& statement) {
  constexpr std::string_view kDialect = "stablehlo.";
  std::string_view id = text::MeaningOf(statement);
  if (id.starts_with(kDialect)) id.remove_prefix(kDialect.size());
  const OpSpec* const spec = FindOp(id);
  if (spec == nullptr) return nullptr;
  const auto input =
      std::ranges::find_if(spec->inputs, [](const InputSpec& each) {
        return each.kind == InputSpec::Kind::kName && !each.variadic;
      });
  return input == spec->inputs.end() ? nullptr : &*input;
}

class Flattener {
 public:
  explicit Flattener(const FunctionsOfText& functions)
      : functions_(functions) {}

  FlatFunction FlattenChecks(const text::Function& function) {
    const Location location = function.statement->location;
    if (!function.type->inputs.empty())
      throw NotJudged(location, "nothing gives the arguments their values",
                      "functions with arguments");
    Walk(function, {});
    return End(location);
  }

  FlatFunction FlattenResults(const text::Function& function) {
    const text::Region& body = *function.body;
    Scope scope;
    for (size_t i = 0; i < body.arguments.size(); ++i) {
      const text::BlockArgument& argument = body.arguments[i];
      Spend(argument.location);
      text::RefuseQuantized(*argument.type, argument.location);
      if (argument.type->kind != text::Type::Kind::kTensor)
        throw NotJudged(argument.location,
                        "the values of tensors alone are drawn",
                        "arguments that are no tensors");
      flat_.region.arguments.push_back(argument);
      scope[body.first_argument + static_cast<int64_t>(i)] = {
          nullptr, static_cast<int64_t>(i)};
    }
    scope = Walk(function, std::move(scope));
    const Statement& end = body.statements.back();
    for (size_t i = 0; i < end.operands.size(); ++i) {
      text::Operand operand = end.operands[i];
      operand.value = Computed(At(scope, operand));
      if (!IsReturned(operand.value))
        Return(std::move(operand), end.operand_types[i]);
    }
    return End(function.statement->location);
  }

 private:
  struct Constant {
    const Statement* statement;
    std::optional<int64_t> argument = {};  // once an op uses it
    std::optional<int64_t> result = {};    // once it is checked itself
  };
  // A value of the text is a constant, or has a number in the flat region.
  struct Value {
    Constant* constant = nullptr;
    int64_t number = 0;
  };
  using Scope = std::unordered_map<int64_t, Value>;

  // A check may give a truth value, which is always true.
  static const Value& At(const Scope& scope, const text::Operand& operand) {
    const auto found = scope.find(operand.value);
    if (found == scope.end())
      throw NotJudged(operand.location, "the result of a check is used",
                      "results of checks");
    return found->second;
  }

  FlatFunction End(Location location) {
    flat_.region.has_block = true;
    return_.op = kReturn;
    return_.location = location;
    flat_.region.statements.push_back(std::move(return_));
    return std::move(flat_);
  }

  bool IsReturned(int64_t value) const {
    return std::ranges::find(return_.operands, value, &text::Operand::value) !=
           return_.operands.end();
  }

  void Return(text::Operand operand, text::TypePtr type) {
    return_.operands.push_back(std::move(operand));
    return_.operand_types.push_back(std::move(type));
  }

  // Adds what the function does to the flat region. Returns its values.
  Scope Walk(const text::Function& function, Scope scope) {
    const std::vector<Statement>& statements = function.body->statements;
    if (statements.empty() || statements.back().op != kReturn)
      throw SyntaxError(statements.empty() ? function.statement->location
                                           : statements.back().location,
                        fmt::format("a function ends with {}", kReturn));
    const Statement& end = statements.back();
    if (!EqualTypes(end.operand_types, function.type->results))
      throw SyntaxError(end.location,
                        fmt::format("@{} returns other types than it declares",
                                    Cut(function.name)));
    for (const Statement& statement : statements) {
      if (&statement != &end) Add(statement, &scope);
    }
    return scope;
  }

  void Add(const Statement& statement, Scope* scope) {
    if (const std::string check = CheckName(statement); !check.empty()) {
      Spend(statement.location);
      AddCheck(statement, check, *scope);
    } else if (const InputSpec* callee = CalleeOf(statement)) {
      Spend(statement.location);
      AddCall(statement, callee->name, scope);
    } else if (text::MeaningOf(statement) == kConstantStatement &&
               statement.operands.empty() &&
               statement.result_types.size() == 1 &&
               text::Find(statement.attributes, kStaysConstant) == nullptr) {
      Spend(statement.location);
      Elements(statement, *statement.result_types[0]);
      constants_.push_back({&statement});
      (*scope)[statement.first_result] = {&constants_.back()};
    } else {
      flat_.region.statements.push_back(Copy(statement, scope));
    }
  }

  void AddCall(const Statement& statement, const std::string& name,
               Scope* scope) {
    const text::Attribute* const callee =
        text::Find(statement.attributes, name);
    const auto* symbol = callee ? callee->As<text::SymbolAttribute>() : nullptr;
    const auto found = symbol != nullptr && symbol->path.size() == 1
                           ? functions_.find(symbol->path[0])
                           : functions_.end();
    if (found == functions_.end())
      throw SyntaxError(statement.location,
                        "there is no function of the name that is called");
    const text::Function& function = *found->second;
    if (!EqualTypes(statement.operand_types, function.type->inputs) ||
        !EqualTypes(statement.result_types, function.type->results))
      throw SyntaxError(
          statement.location,
          fmt::format("@{} has other types than its call", Cut(function.name)));
    if (function.body == nullptr)
      throw SyntaxError(
          statement.location,
          fmt::format("the function @{} has no body", Cut(function.name)));
    if (calls_ == kMostCalls)
      throw SyntaxError(
          statement.location,
          fmt::format("calls nest more than {} deep", kMostCalls));
    Scope inner;
    for (size_t i = 0; i < statement.operands.size(); ++i)
      inner[function.body->first_argument + static_cast<int64_t>(i)] =
          At(*scope, statement.operands[i]);
    ++calls_;
    inner = Walk(function, std::move(inner));
    --calls_;
    const std::vector<text::Operand>& returned =
        function.body->statements.back().operands;
    for (size_t i = 0; i < returned.size(); ++i)
      (*scope)[statement.first_result + static_cast<int64_t>(i)] =
          At(inner, returned[i]);
  }

  void AddCheck(const Statement& statement, const std::string& name,
                const Scope& scope) {
    const CheckKind* const kind = FindCheckKind(name);
    if (kind == nullptr)
      throw NotJudged(statement.location,
                      fmt::format("'{}' is no check of a result", Cut(name)),
                      Cut(name));
    if (statement.operands.size() != (kind->has_attribute ? 1 : 2))
      throw SyntaxError(
          statement.location,
          fmt::format("{} has {}", name,
                      kind->has_attribute ? "one operand" : "two operands"));
    size_t checked = 0;
    const Statement* literal = &statement;
    if (!kind->has_attribute) {
      // Both may be constants, of which the second is what is expected.
      const Value& lhs = At(scope, statement.operands[0]);
      const Value& rhs = At(scope, statement.operands[1]);
      checked = rhs.constant == nullptr ? 1 : 0;
      const Constant* const expected =
          rhs.constant != nullptr ? rhs.constant : lhs.constant;
      if (expected == nullptr)
        throw NotJudged(statement.location,
                        "a result is compared with what is computed as well",
                        "checks without a constant");
      literal = expected->statement;
    }
    FlatFunction::Check check{
        Elements(*literal, *statement.operand_types[checked]), {}};
    const ElementType element = check.literal.element_type();
    if (IsFloat(element) || IsComplex(element))
      check.nearness = NearnessOf(statement, *kind);
    text::Operand operand = statement.operands[checked];
    operand.value = Computed(At(scope, operand));
    if (IsReturned(operand.value))
      throw NotJudged(statement.location, "a value is checked a second time",
                      "values that are checked twice");
    Return(std::move(operand), statement.operand_types[checked]);
    flat_.checks.push_back(std::move(check));
  }

  // Returns the number of a value that is checked: a constant is then an op.
  int64_t Computed(const Value& value) {
    if (value.constant == nullptr) return value.number;
    if (!value.constant->result) {
      Scope scope;
      const Statement& statement = *value.constant->statement;
      flat_.region.statements.push_back(Copy(statement, &scope));
      value.constant->result = scope.at(statement.first_result).number;
    }
    return *value.constant->result;
  }

  // Returns the number of a value that an op uses: a constant is then an
  // argument.
  int64_t Used(const Value& value) {
    if (value.constant == nullptr) return value.number;
    if (!value.constant->argument) {
      const Statement& statement = *value.constant->statement;
      value.constant->argument =
          static_cast<int64_t>(flat_.region.arguments.size());
      flat_.region.arguments.push_back({statement.results[0].name,
                                        statement.result_types[0],
                                        statement.location});
      flat_.constants.push_back(
          Elements(statement, *statement.result_types[0]));
    }
    return *value.constant->argument;
  }

  // Returns the statement with the numbers that values have in the flat region,
  // and gives numbers to its results.
  Statement Copy(const Statement& statement, Scope* scope) {
    Spend(statement.location);
    Statement copy;
    copy.op = statement.op;
    copy.results = statement.results;
    copy.operands = statement.operands;
    for (text::Operand& operand : copy.operands)
      operand.value = Used(At(*scope, operand));
    copy.attributes = statement.attributes;
    copy.operand_types = statement.operand_types;
    copy.result_types = statement.result_types;
    copy.location = statement.location;
    for (const text::Region& region : statement.regions)
      copy.regions.push_back(Copy(region, scope));
    copy.first_result =
        Number(statement.first_result, statement.result_types.size(), scope);
    return copy;
  }

  text::Region Copy(const text::Region& region, Scope* scope) {
    text::Region copy;
    copy.has_block = region.has_block;
    copy.arguments = region.arguments;
    copy.first_argument =
        Number(region.first_argument, region.arguments.size(), scope);
    for (const Statement& statement : region.statements)
      copy.statements.push_back(Copy(statement, scope));
    return copy;
  }

  // Gives so many values numbers of their own, and returns the first.
  int64_t Number(int64_t first, size_t count, Scope* scope) {
    const int64_t number = next_;
    for (size_t i = 0; i < count; ++i)
      (*scope)[first + static_cast<int64_t>(i)] = {nullptr, next_++};
    return number;
  }

  void Spend(Location location) {
    if (++spent_ > kMostFlatStatements)
      throw NotJudged(
          location,
          fmt::format("up to here the function, with those that it calls, has "
                      "more than {} statements",
                      kMostFlatStatements),
          "functions of too many statements");
  }

  const FunctionsOfText& functions_;
  FlatFunction flat_;
  Statement return_;
  std::deque<Constant> constants_;  // which values point to
  // Behind the numbers of arguments, which are those of statements at most.
  int64_t next_ = kMostFlatStatements;
  int64_t spent_ = 0;
  int calls_ = 0;
};

// Returns whether one of the statements, or of those in their regions, checks
// something, and adds the names of the functions that they call.
bool CheckThemselves(const std::vector<Statement>& statements,
                     std::vector<std::string>* called) {
  bool has_check = false;
  for (const Statement& statement : statements) {
    has_check |= !CheckName(statement).empty();
    for (const text::Region& region : statement.regions)
      has_check |= CheckThemselves(region.statements, called);
    const InputSpec* const callee = CalleeOf(statement);
    const text::Attribute* const name =
        callee ? text::Find(statement.attributes, callee->name) : nullptr;
    const auto* symbol = name ? name->As<text::SymbolAttribute>() : nullptr;
    if (symbol != nullptr && symbol->path.size() == 1)
      called->push_back(symbol->path[0]);
  }
  return has_check;
}

}  // namespace

// Calls may nest as deep as the text is long, and in circles.
ChecksOfFunctions::ChecksOfFunctions(const FunctionsOfText& functions) {
  std::unordered_map<const text::Function*, std::vector<const text::Function*>>
      callers;
  std::vector<const text::Function*> found;
  for (const auto& [name, function] : functions) {
    if (function->body == nullptr) continue;
    std::vector<std::string> called;
    if (CheckThemselves(function->body->statements, &called))
      found.push_back(function);
    for (const std::string& each : called) {
      const auto callee = functions.find(each);
      if (callee != functions.end())
        callers[callee->second].push_back(function);
    }
  }
  while (!found.empty()) {
    const text::Function* const function = found.back();
    found.pop_back();
    if (!have_checks_.insert(function).second) continue;
    const auto& of_function = callers[function];
    found.insert(found.end(), of_function.begin(), of_function.end());
  }
}

FlatFunction FlattenChecks(const text::Function& function,
                           const FunctionsOfText& functions) {
  return Flattener(functions).FlattenChecks(function);
}

FlatFunction FlattenResults(const text::Function& function,
                            const FunctionsOfText& functions) {
  return Flattener(functions).FlattenResults(function);
}

}  // namespace assay
