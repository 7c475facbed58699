// A Binder makes functions of a tree: it names operands, attributes, functions
// and results as the op's specification does, and checks its constraints. Only
// read_program.cc uses this header.
#ifndef ASSAY_SPEC_TEXT_BINDER_H_
#define ASSAY_SPEC_TEXT_BINDER_H_

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "spec/op_spec.h"
#include "spec/printable_text.h"
#include "spec/text/bind_attributes.h"
#include "spec/text/callees.h"
#include "spec/text/form_table.h"
#include "spec/text/print.h"
#include "spec/text/program_text.h"
#include "spec/text/read_attribute.h"

namespace assay {

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
inline bool IsOfTensorsAlone(const Function& function) {
  return HasTensorsAlone(function) && CalledBy(function).empty();
}

inline constexpr std::string_view kStableHloDialect = "stablehlo.";
// Constraints ask for the elements of operands that are about dimensions.
inline constexpr int64_t kLongestKnownValue = 1024;

class Binder {
 public:
  // `callees`: what calls find; null where nothing is called. `captures`:
  // whether the text may use what it does not define.
  // `violations`: where violated constraints are added; null: they are thrown.
  Binder(Callees* callees, bool captures, Reading reading,
         ProcessCounts processes = {},
         std::vector<Violation>* violations = nullptr)
      : callees_(callees),
        captures_(captures),
        reading_(reading),
        processes_(processes),
        violations_(violations) {}

  Function Bind(const text::Function& function) {
    const text::Location location = function.statement->location;
    if (function.body == nullptr)
      throw text::SyntaxError(
          location,
          fmt::format("the function @{} has no body", Cut(function.name)));
    Function bound =
        Bind(function.name, *function.body, "func.return", location);
    std::vector<ValueType> declared;
    for (const text::TypePtr& type : function.type->results)
      declared.push_back(TypeOf(*type, location));
    const FunctionType type = bound.Type();
    if (type.outputs != declared)
      throw text::SyntaxError(
          function.body->statements.back().location,
          fmt::format("@{} returns other types than it declares: {}",
                      Cut(function.name), Cut(type.ToString())));
    return bound;
  }

  // `end`: the statement that returns.
  Function Bind(const std::string& name, const text::Region& region,
                std::string_view end, text::Location location) {
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
      throw text::SyntaxError(region.statements.empty()
                                  ? location
                                  : region.statements.back().location,
                              fmt::format("a function ends with {}", end));
    for (const text::Statement& statement : region.statements) {
      if (&statement != &region.statements.back()) {
        if (statement.op == end)
          throw text::SyntaxError(statement.location,
                                  fmt::format("{} is not the last op", end));
        // What a test compares does not matter to whether it is valid.
        if (reading_ == Reading::kVerified &&
            statement.op.starts_with("check.") && statement.results.empty())
          continue;
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

  // Binds a statement that no function is around.
  void Verify(const text::Statement& statement) { Bind(statement); }

 private:
  Op Bind(const text::Statement& statement) {
    const OpSpec& spec = SpecOf(statement);
    if (reading_ == Reading::kJudged && !spec.unjudged.empty())
      throw text::NotJudged(statement.location,
                            fmt::format("'{}' is not judged: of the family {}",
                                        Cut(statement.op), spec.unjudged),
                            Cut(statement.op));
    if (reading_ == Reading::kJudged && spec.Target() != nullptr)
      throw text::NotJudged(
          statement.location,
          fmt::format("'{}' is not judged: text does not say what its target "
                      "does",
                      Cut(statement.op)),
          Cut(statement.op));
    const text::OpForm* form = text::FindForm(text::MeaningOf(statement));
    Op op;
    op.op = spec.id;
    op.processes = processes_;
    BindOperands(spec, statement, &op);
    text::BindAttributes(spec, form, statement, &op);
    BindCallee(spec, statement, &op);
    BindRegions(spec, statement, &op);
    BindResults(spec, statement, &op);
    text::QuantizeConstant(spec, &op);
    RememberConstant(spec, statement, op);
    RequireConstraints(spec, op, statement.location);
    return op;
  }

  void RequireConstraints(const OpSpec& spec, const Op& op,
                          text::Location location) const {
    std::vector<std::string> labels;
    std::string message;
    for (const ConstraintResult& result : CheckConstraints(spec, op)) {
      if (result.truth != Truth::kFalse) continue;
      if (violations_ != nullptr) {
        violations_->push_back({location, &spec, result.constraint,
                                ValuesOf(spec, op, *result.constraint)});
        continue;
      }
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
  static const OpSpec& SpecOf(const text::Statement& statement) {
    const std::string_view name = text::MeaningOf(statement);
    const text::OpForm* form = text::FindForm(name);
    const bool is_stablehlo = name.starts_with(kStableHloDialect);
    const std::string_view id =
        is_stablehlo ? name.substr(kStableHloDialect.size()) : name;
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
    throw text::NotJudged(statement.location,
                          fmt::format("'{}' is not judged: {}", Cut(name), why),
                          Cut(name));
  }

  void BindOperands(const OpSpec& spec, const text::Statement& statement,
                    Op* op) {
    std::vector<const InputSpec*> members;
    for (const InputSpec& input : spec.inputs) {
      if (input.IsValue()) members.push_back(&input);
    }
    const auto sizes = Divide(statement.operands.size(), members);
    if (!sizes)
      throw text::SyntaxError(statement.location,
                              fmt::format("{} does not take {} operands",
                                          spec.id, statement.operands.size()));
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at) {
        TypedName operand = Use(statement, at);
        if (!members[m]->Takes(operand.type))
          throw text::SyntaxError(
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

  void RememberConstant(const OpSpec& spec, const text::Statement& statement,
                        const Op& op) {
    const Tensor* value = text::ValueOfConstant(spec, op);
    if (value != nullptr && IsInteger(value->element_type()) &&
        value->size() <= kLongestKnownValue)
      constants_.emplace(statement.first_result, *value);
  }

  ValueType TypeOf(const text::Type& type, text::Location location) const {
    if (reading_ == Reading::kJudged) text::RefuseQuantized(type, location);
    return text::ReadType(type, location);
  }

  // The attribute of an op that calls names the function. Whether there is one
  // may be a constraint of the op.
  void BindCallee(const OpSpec& spec, const text::Statement& statement,
                  Op* op) {
    for (const Attribute& attribute : op->attributes) {
      const auto* name = std::get_if<FunctionName>(&attribute.value);
      if (name == nullptr) continue;
      if (callees_ == nullptr)
        throw text::NotJudged(
            statement.location,
            "a call inside of a function of an op is not judged",
            "calls inside of functions of ops");
      Callees::Found found = callees_->Find(name->name);
      if (!found.function) {
        if (spec.Input(attribute.name)->may_be_undefined) {
          if (!found.is_defined) continue;
          throw text::NotJudged(statement.location, found.reason,
                                "functions that call without an end");
        }
        throw text::SyntaxError(statement.location, found.reason);
      }
      op->callee = std::move(found.function);
    }
  }

  void BindRegions(const OpSpec& spec, const text::Statement& statement,
                   Op* op) {
    std::vector<const InputSpec*> members;
    for (const InputSpec& input : spec.inputs) {
      if (input.kind == InputSpec::Kind::kFunction) members.push_back(&input);
    }
    const auto sizes = Divide(statement.regions.size(), members);
    if (!sizes)
      throw text::SyntaxError(statement.location,
                              fmt::format("{} does not take {} functions",
                                          spec.id, statement.regions.size()));
    size_t at = 0;
    for (size_t m = 0; m < members.size(); ++m) {
      for (size_t i = 0; i < (*sizes)[m]; ++i, ++at)
        op->regions.push_back(Bind(members[m]->name, statement.regions[at],
                                   "stablehlo.return", statement.location));
    }
    if (spec.control || reading_ == Reading::kVerified) return;
    for (const Function& region : op->regions) {
      if (IsOfTensorsAlone(region)) continue;
      throw text::NotJudged(
          statement.location,
          fmt::format("the '{}' of {} is given to backends, and has tuples, "
                      "tokens or calls",
                      region.name, spec.id),
          "tuples, tokens and calls in computations");
    }
  }

  void BindResults(const OpSpec& spec, const text::Statement& statement,
                   Op* op) {
    std::vector<const OutputSpec*> members;
    for (const OutputSpec& output : spec.outputs) members.push_back(&output);
    const auto sizes = Divide(statement.result_types.size(), members);
    if (!sizes)
      throw text::SyntaxError(
          statement.location,
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
          throw text::SyntaxError(
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
  TypedName Use(const text::Statement& statement, size_t i) {
    const text::Operand& operand = statement.operands[i];
    const ValueType type =
        TypeOf(*statement.operand_types[i], operand.location);
    if (const auto it = names_.find(operand.value); it != names_.end())
      return {it->second, type};
    if (!captures_)
      throw text::SyntaxError(
          operand.location,
          fmt::format("%{} is not defined in the function", Cut(operand.name)));
    const std::string name =
        operand.number == 0
            ? operand.name
            : fmt::format("{}#{}", operand.name, operand.number);
    const auto [it, is_new] = captured_.try_emplace(name, type);
    // Examples of a document name other values alike.
    if (it->second != type && violations_ == nullptr)
      throw text::SyntaxError(
          operand.location,
          fmt::format("%{} is {} here, and {} before", Cut(name),
                      Cut(type.ToString()), Cut(it->second.ToString())));
    return {name, type};
  }

  Callees* const callees_;
  const bool captures_;
  const Reading reading_;
  const ProcessCounts processes_;
  std::vector<Violation>* const violations_;
  std::unordered_map<int64_t, Tensor> constants_;   // by their definition
  std::unordered_map<int64_t, std::string> names_;  // of definitions
  // The names that can be seen, and in which order they were defined.
  std::unordered_set<std::string> taken_;
  std::vector<std::string> open_;
  std::unordered_map<std::string, ValueType> captured_;
};

}  // namespace assay

#endif  // ASSAY_SPEC_TEXT_BINDER_H_
