// A judgement is explained for people: what was allowed, by which clause, and
// what was returned. It is computed only for a failure.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "oracle/allowed_range.h"
#include "oracle/judge.h"
#include "oracle/program_trace.h"
#include "oracle/real/budget_text.h"
#include "oracle/relation.h"

namespace assay {
namespace {

using judging::AnyRange;
using judging::IsFiniteFloat;
using judging::IsNoBoolean;
using judging::Part;
using judging::PartAt;
using judging::Range;

// So many elements of operands are named for one of a result.
constexpr size_t kMostSources = 16;

std::string HexFloat(ElementType type, ElementBits bits) {
  return VisitKinds<kFloats>(type, [&]<class T>() {
    const T value = T::FromBits(static_cast<typename T::Bits>(bits));
    return fmt::format("{:a}", value.ToDouble());
  });
}

// Returns the number in decimal, for floats in hex as well, and its bits.
std::string ElementText(ElementType type, ElementBits bits) {
  const bool has_hex = IsFloat(type) && IsFiniteFloat(type, bits);
  return fmt::format("{}{} ({})", FormatValue(type, bits),
                     has_hex ? " = " + HexFloat(type, bits) : "",
                     FormatBits(type, bits));
}

std::string IndexText(const Shape& shape, int64_t position) {
  return fmt::format("[{}]", fmt::join(Unflatten(shape, position), ", "));
}

// Returns whether the element is a number that the real value rounds to. Zeros,
// infinities and NaNs are determined by the text.
bool HasBudget(const Expectation& expectation, int64_t i) {
  if (!expectation.reals && !expectation.follows_budget) return false;
  const ElementType type = expectation.lo.element_type();
  const int parts = PartCount(type);
  bool is_number = false;
  for (int part = 0; part < parts; ++part) {
    const ElementType p = PartType(type);
    const ElementBits lo = PartOf(type, expectation.lo.Bits(i), part);
    const ElementBits hi = PartOf(type, expectation.hi.Bits(i), part);
    if (!expectation.reals) {
      is_number |= lo != hi || (IsFloat(p) && IsFiniteFloat(p, lo) &&
                                !judging::IsZero(p, lo));
      continue;
    }
    const ElementBits near =
        PartOf(type, expectation.reals->near.Bits(i), part);
    const float rest =
        expectation.reals->rest[static_cast<size_t>(i * parts + part)];
    is_number |=
        IsFiniteFloat(p, near) && (!judging::IsZero(p, near) || rest != 0);
    is_number |=
        lo != hi && !(judging::IsZero(p, lo) && judging::IsZero(p, hi));
  }
  return is_number;
}

}  // namespace

Basis BasisOf(const Op& op, const std::vector<Tensor>& inputs,
              const Policy& policy, const Expectation& expectation,
              int64_t index, const Tensor* actual, size_t output) {
  Basis basis;
  if (actual != nullptr && IsNoBoolean(*actual, index)) {
    basis.text = "contract";
    return basis;
  }
  if (op.callee != nullptr)
    return ProgramTrace(op, inputs, policy).BasisOf(output, index);
  basis.text = "text";
  basis.clauses = ClausesOf(op, inputs, policy, index, output);
  for (const DecidingClause& decides : basis.clauses) {
    if (decides.IsOfPolicy()) basis.text = "policy:" + decides.clause->policy;
  }
  if (basis.text == "text" && HasBudget(expectation, index))
    basis.text = "budget";
  return basis;
}

namespace {

std::string PartText(const Part& p, bool keeps_nans) {
  if (p.is_open) return "any value";
  const auto text = [&](ElementBits bits) {
    return judging::IsNan(p.type, bits) && !keeps_nans
               ? "any NaN"
               : ElementText(p.type, bits);
  };
  if (p.lo == p.hi ||
      (judging::IsNan(p.type, p.lo) && judging::IsNan(p.type, p.hi)))
    return text(p.lo);
  return fmt::format("{} {} {}", text(p.lo), p.is_either ? "or" : "to",
                     text(p.hi));
}

std::string RangeText(const Range& range, const Tensor& lo, int64_t index,
                      bool keeps_nans) {
  if (range.Has(Expectation::kOpen)) return "any value";
  const ElementType type = lo.element_type();
  const bool is_zero =
      judging::IsZero(type, range.lo) && judging::IsZero(type, range.hi);
  if (is_zero && range.Has(Expectation::kEitherZero)) return "+0 or -0";
  std::vector<std::string> parts;
  for (int part = 0; part < PartCount(type); ++part)
    parts.push_back(PartText(PartAt(range, lo, index, part), keeps_nans));
  const auto add = [&](ElementFlags flag, const char* text) {
    if (range.Has(flag)) parts.back() += text;
  };
  add(Expectation::kOrPlusZero, " or +0");
  add(Expectation::kOrMinusZero, " or -0");
  add(Expectation::kOrInfinity, " or infinity");
  add(Expectation::kOrNan, " or NaN");
  return parts.size() == 1 ? parts[0]
                           : fmt::format("[{}]", fmt::join(parts, ", "));
}

}  // namespace

std::string AllowedText(const Expectation& expectation, int64_t index) {
  std::vector<std::string> texts;
  const auto add = [&](const std::string& text) {
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(text);
  };
  AnyRange(expectation, index, [&](const Range& range) {
    add(RangeText(range, expectation.lo, index, expectation.KeepsNan(index)));
    return range.Has(Expectation::kOpen);
  });
  for (const Tensor& reading : expectation.readings) {
    if (reading.Bits(index) != expectation.lo.Bits(index))
      add(ActualText(reading, index) + " (in all of the result)");
  }
  return fmt::format("{}", fmt::join(texts, " or "));
}

std::string SourceName(const Op& op, const Source& source) {
  const OpSpec& spec = *FindOp(op.op);
  const Op::Operand& input = op.inputs[source.operand];
  if (spec.elementwise) return input.name;
  std::string name = input.name;
  if (spec.Input(name)->variadic)
    name += fmt::format(".{}", &input - op.Inputs(name).data());
  return name + IndexText(input.type.tensor().shape, source.element);
}

std::string ResultName(const Op& op, size_t output) {
  const std::string& name = op.outputs[output].name;
  const std::span<const Op::Result> group = op.Outputs(name);
  if (group.size() == 1) return name;
  return fmt::format("{}[{}]", name, &op.outputs[output] - group.data());
}

std::string DescribeElement(const Op& op, const std::vector<Tensor>& inputs,
                            const Tensor& actual, int64_t i,
                            const std::optional<Window>& window,
                            size_t output) {
  const std::string index = window ? IndexText(window->shape, window->begin + i)
                                   : IndexText(actual.type().shape, i);
  // Any element of an argument may count; ProgramTrace says which do.
  if (op.callee != nullptr) return index;
  std::vector<std::string> operands;
  const Sources sources = SourcesOf(op, inputs, i, output);
  const size_t shown = std::min(sources.size(), kMostSources);
  for (const Source& source : std::span(sources).first(shown)) {
    const Tensor& input = inputs[source.operand];
    operands.push_back(fmt::format(
        "{} = {}", SourceName(op, source),
        ElementText(input.element_type(), input.Bits(source.element))));
  }
  if (shown < sources.size())
    operands.push_back(fmt::format("and {} more", sources.size() - shown));
  for (const Attribute& attribute : op.attributes)
    operands.push_back(
        fmt::format("{} = {}", attribute.name, AttributeText(attribute)));
  return fmt::format("{}: {}", index, fmt::join(operands, ", "));
}

std::string ActualText(const Tensor& actual, int64_t i) {
  return ElementText(actual.element_type(), actual.Bits(i));
}

namespace {

std::string ClausesText(const Basis& basis) {
  std::string text;
  for (const DecidingClause& decides : basis.clauses) {
    const ClauseSpec& clause = *decides.clause;
    text += fmt::format("\n  {}: {}{}", decides.Id(), clause.text,
                        clause.when.empty() ? "" : " (" + clause.when + ")");
  }
  return text;
}

std::string PolicyText(const Basis& basis, const Policy& policy) {
  if (!basis.IsOfPolicy()) return "";
  return fmt::format(" = {} (policy {})", policy.Get(basis.text.substr(7)),
                     policy.name());
}

}  // namespace

std::string ExplainTogether(const Op& op, const std::vector<Tensor>& inputs,
                            const Policy& policy, const Evaluation& evaluation,
                            const std::vector<Tensor>& results, Basis* basis) {
  const int64_t at = JudgeTogether(evaluation, results).first_failed;
  *basis = BasisOf(op, inputs, policy, evaluation.outputs[0], at);
  return evaluation.relation->Explain(results) + ClausesText(*basis) +
         "\n  basis " + basis->text + PolicyText(*basis, policy);
}

std::string Explain(const Op& op, const std::vector<Tensor>& inputs,
                    const Policy& policy, const Expectation& expectation,
                    const Tensor& actual, const Judgement& judgement,
                    const std::optional<Window>& window, size_t output) {
  std::string text =
      fmt::format("{} of {} elements of {} differ", judgement.failed,
                  judgement.elements, actual.type().ToString());
  const auto element = [&](const char* which, int64_t i) {
    text += fmt::format("\n  {} at {}\n    expected {}\n    actual   {}", which,
                        DescribeElement(op, inputs, actual, i, window, output),
                        AllowedText(expectation, i), ActualText(actual, i));
  };
  element("first", judgement.first_failed);
  if (judgement.worst_failed != judgement.first_failed)
    element("worst", judgement.worst_failed);
  const Basis basis = BasisOf(op, inputs, policy, expectation,
                              judgement.first_failed, &actual, output);
  text += ClausesText(basis);
  if (basis.text == "contract")
    text += "\n  backend.h, rule 5: an i1 element is one byte, 0 or 1";
  text += fmt::format("\n  basis {}", basis.text);
  if (op.callee != nullptr) {
    const ProgramTrace trace(op, inputs, policy);
    if (basis.text == "budget")
      text += " " + trace.BudgetText(output, judgement.first_failed);
    return text + PolicyText(basis, policy) + "\n  the first comes about by" +
           trace.Text(output, judgement.first_failed);
  }
  if (basis.text == "budget")
    text +=
        " " + BudgetText(op, inputs, policy, judgement.first_failed, output);
  return text + PolicyText(basis, policy);
}

}  // namespace assay
