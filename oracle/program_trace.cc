#include "oracle/program_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <set>

#include "oracle/real/budget_text.h"

namespace assay {
namespace {

// Longer traces are cut: the last ops say most.
constexpr size_t kMostLines = 12;
constexpr size_t kMostNamed = 4;  // elements of operands

std::string ElementName(const std::string& value, const Shape& shape,
                        int64_t index) {
  return fmt::format("{}[{}]", value, fmt::join(Unflatten(shape, index), ", "));
}

// Returns what an element may be that rests on one of several values.
std::string PossibleText(const Possible& possible, const TensorType& type) {
  if (possible.kind == Possible::Kind::kOpen) return "any value";
  if (possible.kind == Possible::Kind::kUndecided) return "not decided";
  std::vector<std::string> texts;
  for (const Possible::Range& range : possible.ranges) {
    Expectation one(TensorType{{}, type.element_type});
    one.lo = Tensor(one.lo.type());
    one.hi = Tensor(one.lo.type());
    one.lo.SetBits(0, range.lo);
    one.hi.SetBits(0, range.hi);
    one.keeps_nans = !possible.any_nan;
    texts.push_back(AllowedText(one, 0));
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

}  // namespace

ProgramTrace::ProgramTrace(const Op& call, const std::vector<Tensor>& inputs,
                           const Policy& policy)
    : function_(*call.callee), policy_(policy), evaluator_(policy) {
  for (size_t k = 0; k < function_.inputs.size(); ++k) {
    evaluator_.Define(function_.inputs[k].name, inputs[k]);
    definitions_[function_.inputs[k].name] = {};
  }
  for (const Op& op : function_.body) {
    steps_.push_back({&op, evaluator_.Evaluate(op)});
    evaluator_.Keep(op, steps_.back().results);
    for (size_t k = 0; k < op.outputs.size(); ++k)
      definitions_[op.outputs[k].value] = {std::ssize(steps_) - 1, k};
  }
}

const ProgramTrace::Definition& ProgramTrace::DefinitionOf(
    size_t output) const {
  return definitions_.at(function_.results[output].name);
}

Basis ProgramTrace::BasisOf(size_t output, int64_t index) const {
  const Definition& definition = DefinitionOf(output);
  if (definition.step < 0) return {{}, "text"};
  const Step& step = steps_[static_cast<size_t>(definition.step)];
  return assay::BasisOf(*step.op, step.results.operands, policy_,
                        step.results.evaluation.outputs[definition.output],
                        index, nullptr, definition.output);
}

std::string ProgramTrace::BudgetText(size_t output, int64_t index) const {
  const Definition& definition = DefinitionOf(output);
  if (definition.step >= 0) {
    const Step& step = steps_[static_cast<size_t>(definition.step)];
    if (step.results.evaluation.outputs[definition.output].reals)
      return assay::BudgetText(*step.op, step.results.operands, policy_, index,
                               definition.output);
  }
  return "of an op before it";
}

std::string ProgramTrace::Text(size_t output, int64_t index) const {
  using Element = std::pair<std::string, int64_t>;
  std::deque<Element> next = {{function_.results[output].name, index}};
  std::set<Element> seen(next.begin(), next.end());
  std::string text;
  size_t lines = 0;
  for (; !next.empty() && lines < kMostLines; next.pop_front()) {
    const auto& [value, at] = next.front();
    const Definition& definition = definitions_.at(value);
    if (definition.step < 0) continue;
    const Step& step = steps_[static_cast<size_t>(definition.step)];
    const Op& op = *step.op;
    const size_t k = definition.output;
    std::vector<std::string> named;
    for (const Source& source : SourcesOf(op, step.results.operands, at, k)) {
      if (source.operand >= op.inputs.size()) continue;  // a capture
      const Op::Operand& operand = op.inputs[source.operand];
      if (named.size() < kMostNamed)
        named.push_back(
            fmt::format("{} = {}", operand.name,
                        ElementName(operand.value, operand.type.tensor().shape,
                                    source.element)));
      if (named.size() == kMostNamed) named.push_back("..");
      if (seen.emplace(operand.value, source.element).second)
        next.emplace_back(operand.value, source.element);
    }
    const Expectation& expectation = step.results.evaluation.outputs[k];
    text += fmt::format(
        "\n    {} = {}({}): {}",
        ElementName(value, op.outputs[k].type.tensor().shape, at), op.op,
        fmt::join(named, ", "),
        step.results.Holds(k, at)
            ? AllowedText(expectation, at)
            : PossibleText(evaluator_.At(value, at), expectation.lo.type()));
    ++lines;
  }
  if (!next.empty()) text += "\n    ..";
  return text;
}

}  // namespace assay
