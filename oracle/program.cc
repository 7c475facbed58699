#include "oracle/program.h"

#include <algorithm>

#include "oracle/flush/flush.h"
#include "oracle/nan_bits.h"

namespace assay {

void ProgramEvaluator::Define(const std::string& name, Tensor values) {
  values_.insert_or_assign(name, Value{std::move(values), {}});
}

void ProgramEvaluator::Define(const std::string& name, const TensorType& type,
                              ElementBits bits, bool is_any_nan) {
  Value value{Tensor(type), {}};
  value.tensor.SetBits(0, bits);
  if (is_any_nan && HasNan(type.element_type, bits))
    value.elements.push_back(Knowledge::kNan);
  values_.insert_or_assign(name, std::move(value));
}

Possible ProgramEvaluator::At(const std::string& name) const {
  const Value& value = values_.at(name);
  const Knowledge known =
      value.elements.empty() ? Knowledge::kKnown : value.elements[0];
  if (known == Knowledge::kOpen) return Possible::Undecided();
  Possible possible = Possible::Value(value.tensor.Bits(0));
  possible.any_nan = known == Knowledge::kNan;
  return possible;
}

bool ProgramEvaluator::RestsOnKnown(const Op& op, const OpResults& results,
                                    size_t output, int64_t element) const {
  // A function may read all elements of what it captures.
  if (std::ranges::any_of(Captures(op), [&](const TypedName& capture) {
        return !values_.at(capture.name).elements.empty();
      }))
    return false;
  const bool reads_bits = ReadsNanBits(op, results.evaluation.outputs[output]);
  return std::ranges::all_of(
      SourcesOf(op, results.operands, element, output),
      [&](const Source& source) {
        const Value& value = values_.at(op.inputs[source.operand].value);
        if (value.elements.empty()) return true;
        const Knowledge known =
            value.elements[static_cast<size_t>(source.element)];
        return known == Knowledge::kKnown ||
               (known == Knowledge::kNan && !reads_bits);
      });
}

ProgramEvaluator::Value ProgramEvaluator::ValueOf(const Op& op,
                                                  const OpResults& results,
                                                  size_t output) const {
  const Expectation& expectation = results.evaluation.outputs[output];
  Value value{expectation.lo, {}};
  std::vector<uint8_t> may_be_flushed;
  if (MayBeFlushed(op, policy_))
    may_be_flushed =
        JudgeFlush(op, results.operands, policy_, expectation.lo, output)
            .affected;
  const ElementType type = expectation.lo.element_type();
  for (int64_t i = 0; i < expectation.lo.size(); ++i) {
    const auto at = static_cast<size_t>(i);
    const bool is_known = results.Holds(output, i) && expectation.IsExact(i) &&
                          (may_be_flushed.empty() || may_be_flushed[at] == 0);
    const bool is_nan = is_known && !expectation.KeepsNan(i) &&
                        HasNan(type, expectation.lo.Bits(i));
    if (is_known && !is_nan) continue;
    value.elements.resize(static_cast<size_t>(expectation.lo.size()));
    value.elements[at] = is_nan ? Knowledge::kNan : Knowledge::kOpen;
  }
  return value;
}

ProgramEvaluator::OpResults ProgramEvaluator::Evaluate(const Op& op,
                                                       Marks marks) const {
  OpResults results;
  bool all_known = true;
  const auto add = [&](const std::string& name) {
    const Value& value = values_.at(name);
    results.operands.push_back(value.tensor);
    all_known &= value.elements.empty();
  };
  for (const Op::Operand& operand : op.inputs) add(operand.value);
  for (const TypedName& capture : Captures(op)) add(capture.name);
  results.evaluation = assay::Evaluate(op, results.operands, policy_, marks);
  results.holds.resize(op.outputs.size());
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    if (all_known) continue;
    const int64_t size = results.evaluation.outputs[k].lo.size();
    for (int64_t i = 0; i < size; ++i)
      results.holds[k].push_back(RestsOnKnown(op, results, k, i));
  }
  return results;
}

void ProgramEvaluator::Keep(const Op& op, const OpResults& results) {
  for (size_t k = 0; k < op.outputs.size(); ++k)
    values_.insert_or_assign(op.outputs[k].value, ValueOf(op, results, k));
}

}  // namespace assay
