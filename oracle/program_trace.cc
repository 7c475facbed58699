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
// Where an element rests on more, each policy of the program may decide it.
constexpr size_t kMostVisited = 1000;

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
    const Element& element, size_t most) const {
  const Definition& definition = definitions_.at(element.value);
  const Step* step = StepOf(definition);
  if (step == nullptr) return {};
  const Op& op = *step->op;
  std::vector<Element> sources;
  for (const Source& source : assay::SourcesOf(
           op, step->results.operands, element.index, definition.output)) {
    if (sources.size() == most) break;
    if (source.operand < op.inputs.size())
      sources.push_back({op.inputs[source.operand].value, source.element});
  }
  return sources;
}

std::vector<ProgramTrace::Element> ProgramTrace::CapturedBy(
    const Element& element, size_t most) const {
  const Step* step = StepOf(definitions_.at(element.value));
  if (step == nullptr) return {};
  std::vector<Element> captured;
  size_t operand = step->op->inputs.size();
  for (const TypedName& capture : Captures(*step->op)) {
    const int64_t size = step->results.operands[operand++].size();
    for (int64_t i = 0; i < size && captured.size() < most; ++i)
      captured.push_back({capture.name, i});
  }
  return captured;
}

void ProgramTrace::Visit(
    const Element& last,
    const std::function<Next(const Element&)>& visit) const {
  std::deque<Element> next = {last};
  std::set<Element> seen = {last};
  for (; !next.empty(); next.pop_front()) {
    const Next more = visit(next.front());
    if (!more) return;
    for (const Element& element : *more) {
      if (seen.insert(element).second) next.push_back(element);
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

std::vector<DecidingClause> ProgramTrace::PolicyClauses() const {
  std::vector<DecidingClause> clauses;
  for (const Step& step : steps_)
    std::ranges::copy_if(ClausesOf(*step.op, step.results.evaluation),
                         std::back_inserter(clauses),
                         &DecidingClause::IsOfPolicy);
  return clauses;
}

Basis ProgramTrace::BasisOf(size_t output, int64_t index) const {
  Basis basis = BasisOf(DefinitionOf(output), index);
  const std::vector<DecidingClause> of_program = PolicyClauses();
  if (basis.IsOfPolicy() || of_program.empty()) return basis;
  std::vector<DecidingClause> deciding;
  size_t found = 1;
  const Element last = {function_.results[output].name, index};
  Visit(last, [&](const Element& element) -> Next {
    const Basis of_element =
        BasisOf(definitions_.at(element.value), element.index);
    std::ranges::copy_if(of_element.clauses, std::back_inserter(deciding),
                         &DecidingClause::IsOfPolicy);
    if (!deciding.empty()) return std::nullopt;
    std::vector<Element> next = SourcesOf(element, kMostVisited);
    std::ranges::move(CapturedBy(element, kMostVisited),
                      std::back_inserter(next));
    found += next.size();
    if (found > kMostVisited) {
      deciding = {of_program.back()};
      return std::nullopt;
    }
    return next;
  });
  if (deciding.empty()) return basis;
  basis.text = "policy:" + deciding.back().clause->policy;
  std::ranges::copy(deciding, std::back_inserter(basis.clauses));
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
  const Element last = {function_.results[output].name, index};
  Visit(last, [&](const Element& element) -> Next {
    if (++lines > kMostLines) {
      text += "\n    ..";
      return std::nullopt;
    }
    text += "\n    " + LineOf(element);
    return SourcesOf(element, kMostNamed);
  });
  return text;
}

}  // namespace assay
