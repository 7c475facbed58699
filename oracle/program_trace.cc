#include "oracle/program_trace.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include "oracle/real/budget_text.h"

namespace assay {
namespace {

// Longer traces are cut: the last ops say most.
constexpr size_t kMostLines = 12;
constexpr size_t kMostNamed = 4;  // elements of an op's operands
// Where an element rests on more, what decides those behind them is not asked.
constexpr size_t kMostVisited = 10'000;

std::string ElementName(const std::string& value, const Shape& shape,
                        int64_t index) {
  return fmt::format("%{}[{}]", value,
                     fmt::join(Unflatten(shape, index), ", "));
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
    : function_(*call.callee),
      inputs_(inputs),
      policy_(policy),
      evaluator_(policy) {
  for (size_t k = 0; k < function_.inputs.size(); ++k) {
    evaluator_.Define(function_.inputs[k].name, inputs[k]);
    definitions_[function_.inputs[k].name] = {};
  }
  for (const Op& op : function_.body) {
    steps_.push_back({&op, evaluator_.Evaluate(op, Marks::kCounted)});
    evaluator_.Keep(op, steps_.back().results);
    for (size_t k = 0; k < op.outputs.size(); ++k)
      definitions_[op.outputs[k].value] = {std::ssize(steps_) - 1, k};
  }
}

const ProgramTrace::Definition& ProgramTrace::DefinitionOf(
    size_t output) const {
  return definitions_.at(function_.results[output].name);
}

const ProgramTrace::Step* ProgramTrace::StepOf(
    const Definition& definition) const {
  return definition.step < 0 ? nullptr
                             : &steps_[static_cast<size_t>(definition.step)];
}

std::vector<ProgramTrace::Element> ProgramTrace::SourcesOf(
    const Element& element) const {
  const Definition& definition = definitions_.at(element.value);
  std::vector<Element> sources;
  if (const Step* step = StepOf(definition)) {
    const Op& op = *step->op;
    std::vector<std::string> names;
    for (const Op::Operand& operand : op.inputs) names.push_back(operand.value);
    for (const TypedName& capture : Captures(op)) names.push_back(capture.name);
    for (const Source& source : assay::SourcesOf(
             op, step->results.operands, element.index, definition.output))
      sources.push_back({names[source.operand], source.element});
  }
  return sources;
}

void ProgramTrace::Visit(
    const Element& last,
    const std::function<bool(const Element&)>& visit) const {
  std::deque<Element> next = {last};
  std::set<Element> seen = {last};
  for (; !next.empty() && visit(next.front()); next.pop_front()) {
    for (Element& source : SourcesOf(next.front())) {
      if (seen.insert(source).second) next.push_back(std::move(source));
    }
  }
}

Basis ProgramTrace::BasisOf(const Definition& definition, int64_t index) const {
  const Step* step = StepOf(definition);
  if (step == nullptr) return {{}, "text"};
  return assay::BasisOf(*step->op, step->results.operands, policy_,
                        step->results.evaluation.outputs[definition.output],
                        index, nullptr, definition.output);
}

Basis ProgramTrace::BasisOf(size_t output, int64_t index) const {
  Basis basis = BasisOf(DefinitionOf(output), index);
  size_t visited = 0;
  Visit({function_.results[output].name, index}, [&](const Element& element) {
    if (basis.IsOfPolicy() || ++visited > kMostVisited) return false;
    const Definition& definition = definitions_.at(element.value);
    const Step* step = StepOf(definition);
    if (step == nullptr ||
        std::ranges::none_of(ClausesOf(*step->op, step->results.evaluation),
                             &DecidingClause::IsOfPolicy))
      return true;
    Basis before = BasisOf(definition, element.index);
    if (!before.IsOfPolicy()) return true;
    basis.text = before.text;
    std::ranges::copy_if(before.clauses, std::back_inserter(basis.clauses),
                         &DecidingClause::IsOfPolicy);
    return false;
  });
  return basis;
}

std::string ProgramTrace::BudgetText(size_t output, int64_t index) const {
  const Definition& definition = DefinitionOf(output);
  const Step* step = StepOf(definition);
  if (step != nullptr &&
      step->results.evaluation.outputs[definition.output].reals)
    return assay::BudgetText(*step->op, step->results.operands, policy_, index,
                             definition.output);
  return "of an op before it";
}

std::string ProgramTrace::ArgumentText(const std::string& name,
                                       int64_t index) const {
  const auto at = std::ranges::find(function_.inputs, name, &TypedName::name);
  const Tensor& tensor =
      inputs_[static_cast<size_t>(at - function_.inputs.begin())];
  return fmt::format("{} = {}", ElementName(name, tensor.type().shape, index),
                     ActualText(tensor, index));
}

std::string ProgramTrace::LineOf(const Element& element) const {
  const auto& [value, at] = element;
  const Definition& definition = definitions_.at(value);
  const Step* step = StepOf(definition);
  if (step == nullptr) return ArgumentText(value, at);
  const Op& op = *step->op;
  const size_t k = definition.output;
  std::vector<std::string> named;
  for (const Source& source :
       assay::SourcesOf(op, step->results.operands, at, k)) {
    if (source.operand >= op.inputs.size()) continue;  // a capture
    if (named.size() == kMostNamed) {
      named.push_back("..");
      break;
    }
    const Op::Operand& operand = op.inputs[source.operand];
    named.push_back(
        fmt::format("{} = {}", operand.name,
                    ElementName(operand.value, operand.type.tensor().shape,
                                source.element)));
  }
  const Expectation& expectation = step->results.evaluation.outputs[k];
  return fmt::format(
      "{} = {}({}): {}",
      ElementName(value, op.outputs[k].type.tensor().shape, at), op.op,
      fmt::join(named, ", "),
      step->results.Holds(k, at)
          ? AllowedText(expectation, at)
          : PossibleText(evaluator_.At(value, at), expectation.lo.type()));
}

std::string ProgramTrace::Text(size_t output, int64_t index) const {
  std::string text;
  size_t lines = 0;
  Visit({function_.results[output].name, index}, [&](const Element& element) {
    if (++lines > kMostLines) {
      text += "\n    ..";
      return false;
    }
    text += "\n    " + LineOf(element);
    return true;
  });
  return text;
}

}  // namespace assay
