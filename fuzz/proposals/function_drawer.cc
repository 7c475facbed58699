#include "fuzz/proposals/function_drawer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "spec/types/element.h"

namespace assay {
namespace {

ValueType Scalar(ElementType type) { return {Shape{}, type}; }

bool TakesOnly(const OpSpec& spec, ElementType type) {
  if (!spec.executable || !spec.elementwise || spec.source != "stablehlo" ||
      spec.outputs.size() != 1)
    return false;
  Op op;
  op.op = spec.id;
  for (const InputSpec& input : spec.inputs) {
    if (!input.IsValue() || input.variadic) return false;
    op.inputs.push_back({input.name, input.name, Scalar(type)});
  }
  op.outputs = {{spec.outputs[0].name, "result", Scalar(type)}};
  return std::ranges::all_of(CheckConstraints(spec, op),
                             [](const ConstraintResult& result) {
                               return result.truth == Truth::kTrue;
                             });
}

using OpsByType = std::vector<std::vector<const OpSpec*>>;

OpsByType MakeOps(bool with_budget) {
  OpsByType ops(ElementTypes().size());
  for (const ElementTypeInfo& info : ElementTypes()) {
    for (const OpSpec& spec : Ops()) {
      const std::string& rule =
          IsComplex(info.type) && !spec.complex_rule.empty() ? spec.complex_rule
                                                             : spec.rule;
      if ((with_budget || rule != "ulp") && TakesOnly(spec, info.type))
        ops[static_cast<size_t>(info.type)].push_back(&spec);
    }
  }
  return ops;
}

}  // namespace

const std::vector<const OpSpec*>& OpsOn(ElementType type, bool with_budget) {
  static const OpsByType all = MakeOps(true);
  static const OpsByType without_budget = MakeOps(false);
  return (with_budget ? all : without_budget)[static_cast<size_t>(type)];
}

FunctionDrawer::Value FunctionDrawer::Define(ElementType type) {
  return {"v" + std::to_string(next_++), Scalar(type)};
}

FunctionDrawer::Value FunctionDrawer::AddArgument(ElementType type) {
  function_.inputs.push_back(Define(type));
  return function_.inputs.back();
}

FunctionDrawer::Value FunctionDrawer::Capture(ElementType type) {
  return {"captured_" + std::string(Info(type).name), Scalar(type)};
}

FunctionDrawer::Value FunctionDrawer::Add(std::string_view op,
                                          const std::vector<Value>& operands,
                                          ElementType type,
                                          std::vector<Attribute> attributes) {
  const OpSpec& spec = *FindOp(op);
  Op& added = function_.body.emplace_back();
  added.op = op;
  size_t k = 0;
  for (const InputSpec& input : spec.inputs) {
    if (!input.IsValue()) continue;
    added.inputs.push_back({input.name, operands[k].name, operands[k].type});
    ++k;
  }
  added.attributes = std::move(attributes);
  const Value result = Define(type);
  added.outputs = {{spec.outputs[0].name, result.name, result.type}};
  return result;
}

FunctionDrawer::Value FunctionDrawer::AddCompare(std::string_view direction,
                                                 const Value& lhs,
                                                 const Value& rhs,
                                                 bool is_total_order) {
  const ElementType type = lhs.type.tensor().element_type;
  if (IsComplex(type) && direction != "EQ" && direction != "NE") {
    const ElementType part = PartType(type);
    return AddCompare(direction, Add("real", {lhs}, part),
                      Add("real", {rhs}, part), is_total_order);
  }
  const char* compare_type = "FLOAT";
  if (IsFloat(type) && is_total_order) compare_type = "TOTALORDER";
  if (IsInteger(type) || IsBoolean(type))
    compare_type = IsSignedInteger(type) ? "SIGNED" : "UNSIGNED";
  return Add("compare", {lhs, rhs}, ElementType::kI1,
             {{"comparison_direction", Symbol{std::string(direction)}},
              {"compare_type", Symbol{compare_type}}});
}

const FunctionDrawer::Value& FunctionDrawer::OfType(
    const std::vector<Value>& values, ElementType type) {
  std::vector<const Value*> found;
  for (const Value& value : values) {
    if (value.type.tensor().element_type == type) found.push_back(&value);
  }
  return *choices_.Of(Topic::kAttributes, found);
}

FunctionDrawer::Value FunctionDrawer::DrawOpOn(const std::vector<Value>& values,
                                               const Value& first) {
  const ElementType type = first.type.tensor().element_type;
  const bool with_budget =
      has_budgets_ && choices_.OneIn(Topic::kAttributes, 8);
  const std::vector<const OpSpec*>& ops = OpsOn(type, with_budget);
  if (ops.empty()) return first;
  const OpSpec& spec = *choices_.Of(Topic::kAttributes, ops);
  std::vector<Value> operands = {first};
  while (operands.size() < spec.inputs.size())
    operands.push_back(OfType(values, type));
  return Add(spec.id, operands, type);
}

FunctionDrawer::Value FunctionDrawer::DrawIf(const Value& on_true,
                                             const Value& on_false) {
  const ElementType type = on_true.type.tensor().element_type;
  const Value predicate = AddCompare(
      choices_.OneIn(Topic::kAttributes, 2) ? "NE" : "EQ", on_true, on_false);
  const Value result = Define(type);
  Op op;
  op.op = "if";
  op.inputs = {{"pred", predicate.name, predicate.type}};
  for (const bool is_true : {true, false}) {
    FunctionDrawer branch(is_true ? "true_branch" : "false_branch",
                          has_budgets_, &choices_);
    branch.next_ = next_;
    const Value& chosen = is_true ? on_true : on_false;
    const Value value = branch.DrawOpOn({on_true, on_false}, chosen);
    next_ = branch.next_;
    op.regions.push_back(std::move(branch).Finish({value}));
  }
  op.outputs = {{"results", result.name, result.type}};
  function_.body.push_back(std::move(op));
  return result;
}

FunctionDrawer::Value FunctionDrawer::DrawOp(const std::vector<Value>& values) {
  const Value first = choices_.Of(Topic::kAttributes, values);
  const ElementType type = first.type.tensor().element_type;
  switch (choices_.Below(Topic::kAttributes, 8)) {
    case 5:
      return DrawIf(first, OfType(values, type));
    case 6: {
      const Value& other = OfType(values, type);
      const Value predicate = AddCompare(
          choices_.OneIn(Topic::kAttributes, 2) ? "GE" : "LT", first, other);
      return Add("select", {predicate, first, other}, type);
    }
    case 7: {
      const ElementType to =
          choices_.Of(Topic::kAttributes, ElementTypes()).type;
      return Add("convert", {first}, to);
    }
    default:
      return DrawOpOn(values, first);
  }
}

Function FunctionDrawer::Finish(const std::vector<Value>& results) && {
  function_.results = results;
  return std::move(function_);
}

}  // namespace assay
